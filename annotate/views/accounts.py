"""Signing in with a handed-out password, choosing one's own, and the token for the API."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.views import PasswordChangeView
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from rest_framework.authtoken.models import Token

from annotate.access import ONE_TIME_SIGN_IN
from annotate.actions.accounts import accept_own_password
from annotate.models import OneTimePassword


@receiver(user_logged_in)
def remember_one_time_password(request: HttpRequest, user: object, **kwargs: object) -> None:
    """Keep in the session whether the password must be replaced, so that no later request asks."""
    if OneTimePassword.objects.filter(user=user).exists():
        request.session[ONE_TIME_SIGN_IN] = True


class ChoosePassword(PasswordChangeView):
    """Replace one's password, which ends a one-time password."""

    success_url = reverse_lazy("home")
    template_name = "registration/password_change_form.html"

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        """Tell the page why it came up."""
        forced = ONE_TIME_SIGN_IN in self.request.session
        return super().get_context_data(password_is_one_time=forced, **kwargs)

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Save the password and let the user go on."""
        response = super().form_valid(form)
        accept_own_password(form.user)
        self.request.session.pop(ONE_TIME_SIGN_IN, None)
        messages.success(self.request, "Your password is saved.")
        return response


@login_required
@never_cache
def api_token(request: HttpRequest) -> HttpResponse:
    """Show the user's own API token; POST makes a new one, which ends the earlier."""
    if request.method == "POST":
        Token.objects.filter(user=request.user).delete()
        Token.objects.create(user=request.user)
        messages.success(request, "This is your new token. An earlier one no longer works.")
        return redirect("api-token")
    token = Token.objects.filter(user=request.user).first()
    return render(request, "registration/api_token.html", {"token": token})
