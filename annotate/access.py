"""Who may do what: the two roles, the guards that open each view, and the querysets pages and API share."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from annotate.labelling_sql import find_seat
from annotate.models import Annotator, Campaign, Rater, Reviewer

LEAD = "lead"
ANNOTATOR = "annotator"
ONE_TIME_SIGN_IN = "one_time_sign_in"

View = Callable[..., HttpResponseBase]


def is_lead(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether the user is in the group *lead*, or a superuser."""
    return user.is_authenticated and (
        user.is_superuser or user.groups.filter(name=LEAD).exists()  # type: ignore[attr-defined]
    )


def lead_required(view: View) -> View:
    """Open a view to leads only; send a visitor to sign in, and tell anybody else that it is not for them."""

    @wraps(view)
    @login_required
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_lead(request.user):
            raise PermissionDenied("This page is for leads.")
        return view(request, *args, **kwargs)

    return guarded


def people_who_label() -> QuerySet[User]:
    """Return active annotators who are no leads: a lead sees what others labelled."""
    annotators = User.objects.filter(groups__name=ANNOTATOR, is_active=True, is_superuser=False)
    return annotators.exclude(groups__name=LEAD).order_by("username")


def campaigns_of(user: User) -> QuerySet[Campaign]:
    """Return every campaign for a lead, and for others those in which they have a seat."""
    campaigns = Campaign.objects.select_related("dataset")
    return campaigns if is_lead(user) else campaigns.filter(annotators__user=user)


def seat_of(user: User, slug: str) -> Annotator:
    """Return the user's seat in a campaign; to anybody without one the campaign does not exist.

    Who has become a lead since sees what others labelled, so the seat is no longer theirs.
    """
    seat = None if user.is_superuser else find_seat(user.pk, slug, unless_in=LEAD)
    if seat is None:
        raise Http404("There is no campaign of that name in which you have a seat.")
    return seat


def reviewer_of(user: User, slug: str) -> Reviewer:
    """Return the user's seat in a review; to anybody without one, leads too, the review does not exist."""
    seats = Reviewer.objects.select_related("review").filter(user=user, review__slug=slug)
    seat = None if is_lead(user) else seats.first()
    if seat is None:
        raise Http404("There is no review of that name in which you have a seat.")
    return seat


def rater_of(user: User, slug: str) -> Rater:
    """Return the user's seat in a validation sample; to anybody else, leads too, there is no such sample."""
    seats = Rater.objects.select_related("sample").filter(user=user, sample__slug=slug)
    seat = None if is_lead(user) else seats.first()
    if seat is None:
        raise Http404("There is no validation sample of that name in which you have a seat.")
    return seat


def roles(request: HttpRequest) -> dict[str, Any]:
    """Give templates `user_is_lead`, for the navigation; only a page that shows it asks the database."""
    return {"user_is_lead": SimpleLazyObject(lambda: hasattr(request, "user") and is_lead(request.user))}


def one_time_password_middleware(get_response: View) -> View:
    """Let a session that began with a one-time password reach nothing but the page that replaces it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.session.get(ONE_TIME_SIGN_IN):
            return get_response(request)
        if request.path in {reverse("password_change"), reverse("logout")}:
            return get_response(request)
        if request.path.startswith("/api/"):
            return JsonResponse(
                {"detail": "Your password is a one-time password. Replace it first."}, status=403
            )
        return redirect("password_change")

    return middleware
