"""Signing in with a handed-out password, choosing one's own, and the token for the API."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.views import PasswordChangeView
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from rest_framework.authtoken.models import Token

from annotate.access import ONE_TIME_SIGN_IN
from annotate.actions.accounts import accept_own_password, renew_token
from annotate.models import OneTimePassword


class Request(HttpRequest):
    """A request of somebody signed in."""

    user: User


@receiver(user_logged_in)
def remember_one_time_password(request: HttpRequest, user: User, **kwargs: object) -> None:
    """Keep in the session whether the password must be replaced, so that no later request asks."""
    if OneTimePassword.objects.filter(user=user).exists():
        request.session[ONE_TIME_SIGN_IN] = True


class OwnPasswordForm(PasswordChangeForm):
    """A password that is not the one before."""

    def clean(self) -> dict[str, Any]:
        """Refuse to go on with the old password, which somebody else may have handed out."""
        values = super().clean() or {}
        if values.get("new_password1") and values["new_password1"] == values.get("old_password"):
            raise forms.ValidationError("That is the password you have. Choose another one.")
        return values


class ChoosePassword(PasswordChangeView):
    """Replace one's password, which ends a one-time password."""

    form_class = OwnPasswordForm
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


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def api_token(request: Request) -> HttpResponse:
    """Show the user's own API token; POST makes a new one, which ends the earlier."""
    if request.method == "POST":
        renew_token(request.user)
        messages.success(request, "This is your new token. An earlier one no longer works.")
        return redirect("api-token")
    token = Token.objects.filter(user=request.user).first()
    return render(request, "registration/api_token.html", {"token": token})
