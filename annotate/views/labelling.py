"""The annotator's pages: my work, one item at a time, own labels."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from annotate.access import is_lead, seat_of
from annotate.actions.assigning import why_nothing_to_do
from annotate.actions.labelling import flag_item, next_item, skip_item, submit_label
from annotate.forms import AnswerForm
from annotate.guideline_text import guideline_html
from annotate.labelling_sql import read_flag, read_seat
from annotate.models import Annotator, Assignment, Flag, Label
from annotate.own_work import item_met, labelled_before, own_label, own_labels, progress_of
from annotate.problems import Problem

LABELS_A_PAGE = 50
VALUES = {"apply": Label.Value.APPLY, "suppress": Label.Value.SUPPRESS}


class Request(HttpRequest):
    """A request as the middleware leaves it."""

    htmx: HtmxDetails
    user: User


def seat_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Open a view to annotators of the campaign, and keep its pages out of every cache."""

    @wraps(view)
    def guarded(request: Request, slug: str) -> HttpResponse:
        if not request.user.is_authenticated:
            return _ask_to_sign_in(request)
        return view(request, seat_of(request.user, slug))

    return cache_control(no_store=True)(guarded)


def _ask_to_sign_in(request: Request) -> HttpResponse:
    """Send to the sign-in page as a whole, even out of a swap, and tell that an answer was not saved."""
    if request.method == "POST":
        messages.error(request, "Not saved: your session had ended. Sign in, then choose again.")
    response = redirect_to_login(request.path)
    return HttpResponseClientRedirect(response.url) if request.htmx else response


@require_safe
@login_required
@cache_control(no_store=True)
def home(request: Request) -> HttpResponse:
    """Show annotators their campaigns, with own progress only; send leads to theirs."""
    seats = request.user.annotator_seats.filter(is_active=True).select_related("campaign")
    if is_lead(request.user):
        return redirect("campaign-list")
    work = [(seat.campaign, progress_of(seat)) for seat in seats.order_by("-campaign__created_at")]
    return render(request, "my_work.html", {"work": work})


@require_http_methods(["GET", "HEAD", "POST"])
@seat_required
def label(request: Request, seat: Annotator) -> HttpResponse:
    """Show one item, the next or an own earlier one (`?item=`), and take the answer to it."""
    if request.method == "POST":
        return _take_answer(request, seat)
    number = request.GET.get("item", "")
    if not number:
        return _show(request, seat, next_item(seat))
    if not number.isdecimal() or (assignment := item_met(seat, int(number))) is None:
        raise Http404("You have not met this item.")
    return _show(request, seat, assignment)


def _take_answer(request: Request, seat: Annotator) -> HttpResponse:
    form = AnswerForm(request.POST)
    if not form.is_valid():
        raise BadRequest(f"The form is not as this site makes it: {form.errors.as_json()}")
    assignment = item_met(seat, form.cleaned_data["item"])
    if assignment is None:
        raise Http404("You have not met this item.")
    try:
        done = _act(request, seat, assignment, **form.cleaned_data)
    except Problem as problem:
        return _show_again(request, seat, assignment, problem)
    if request.htmx:
        return _show(request, seat, next_item(seat), done=done, seen=form.cleaned_data["guideline"])
    if done:
        messages.success(request, done)
    return redirect("label", seat.campaign.slug)


def _act(
    request: Request, seat: Annotator, assignment: Assignment, *, answer: str, comment: str, **form: Any
) -> str:
    """Do what the pressed button says; return words for it, or none where the time of saving tells."""
    if answer == "skip":
        skip_item(seat, assignment.item)
        return "Skipped; it comes again later."
    if answer == "flag":
        flag_item(seat, assignment.item, comment, form["token"])
        return "Sent to the lead."
    submit_label(
        seat,
        assignment.item,
        VALUES[answer],
        version=form["version"],
        token=form["token"],
        saved_by=request.user,
    )
    return ""


def _show_again(request: Request, seat: Annotator, assignment: Assignment, problem: Problem) -> HttpResponse:
    """Show the item as it stands now, with what kept the answer from being saved."""
    assignment.refresh_from_db(fields=["state", "held_until", "changed_at"])
    return _show(request, seat, assignment, problem=str(problem), status=409)


def _show(
    request: Request,
    annotator: Annotator,
    assignment: Assignment | None,
    *,
    problem: str = "",
    done: str = "",
    seen: int | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render an item as a page, or only what changes on it for htmx; `seen` is the guideline shown before."""
    seat, progress = read_seat(annotator), progress_of(annotator)
    context = {
        "campaign": annotator.campaign,
        "seat": seat,
        "progress": progress,
        "problem": problem,
        "done": done,
        "is_swap": bool(request.htmx),
        "is_new_guideline": seen is not None and seen != seat.guideline_version,
        "guideline_html": lambda: guideline_html(annotator.campaign.guideline.text),
    }
    if assignment:
        context |= _item(annotator, assignment)
        context["before"] = labelled_before(assignment) if context["label"] else progress.last_item
    else:
        context["why"] = why_nothing_to_do(seat)
    template = "label.html#step" if request.htmx else "label.html"
    return render(request, template, context, status=status)


def _item(annotator: Annotator, assignment: Assignment) -> dict[str, Any]:
    """Say what the page shows of an item: its texts, the own answer, and nothing of anybody else."""
    is_labelled = assignment.state == Assignment.State.LABELLED
    label = own_label(annotator, assignment.item) if is_labelled else None
    return {
        "item": assignment.item,
        "label": label,
        "version": label.version if label else 0,
        "token": uuid4(),
        "flag": read_flag(annotator, assignment.item),
    }


@require_safe
@seat_required
def own_labels_page(request: Request, seat: Annotator) -> HttpResponse:
    """List the annotator's own labels and flags, each with the way back to its item."""
    context = {
        "campaign": seat.campaign,
        "page": Paginator(own_labels(seat), LABELS_A_PAGE).get_page(request.GET.get("page")),
        "flags": Flag.objects.filter(annotator=seat).select_related("item__context", "item__preference"),
    }
    return render(request, "own_labels.html", context)
