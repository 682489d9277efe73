"""The guard of pages that only somebody with a seat may see, in a campaign or in a review."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

type SeatView = Callable[..., HttpResponse]


class Request(HttpRequest):
    """A request as the middleware leaves it."""

    htmx: HtmxDetails
    user: User


def seat_required(find: Callable[[User, str], Any]) -> Callable[[SeatView], SeatView]:
    """Open a view to those whose seat `find(user, slug)` returns, and keep its pages out of every cache."""

    def guard(view: SeatView) -> SeatView:
        @wraps(view)
        def guarded(request: Request, slug: str) -> HttpResponse:
            if not request.user.is_authenticated:
                return _ask_to_sign_in(request)
            return view(request, find(request.user, slug))

        return cache_control(no_store=True)(guarded)

    return guard


def _ask_to_sign_in(request: Request) -> HttpResponse:
    """Send to the sign-in page as a whole, even out of a swap, and tell that an answer was not saved."""
    if request.method == "POST":
        messages.error(request, "Not saved: your session had ended. Sign in, then choose again.")
    response = redirect_to_login(request.path)
    return HttpResponseClientRedirect(response.url) if request.htmx else response
