"""The annotator's pages: my work, one item at a time, own labels."""

import re
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import is_lead, seat_of
from annotate.actions.assigning import next_item, why_nothing_to_do
from annotate.actions.labelling import Answer, flag_item, skip_item, submit_and_go_on
from annotate.forms import AnswerForm
from annotate.guideline_text import guideline_html
from annotate.labelling_sql import find_met_item, read_flag, read_met_number, read_seat
from annotate.models import Annotator, Assignment, Flag, Item, Label
from annotate.own_review import review_work
from annotate.own_validation import validation_work
from annotate.own_work import labelled_before, own_label, own_labels, progress_in, progress_of
from annotate.problems import Problem
from annotate.views.seats import Request, seat_required

LABELS_A_PAGE = 50
LIKE_A_NUMBER = re.compile(r"[0-9]{1,10}")
VALUES = {"apply": Label.Value.APPLY, "suppress": Label.Value.SUPPRESS}


@require_safe
@login_required
@cache_control(no_store=True)
def home(request: Request) -> HttpResponse:
    """Show annotators their campaigns, reviews and samples, with own progress only; send leads to theirs."""
    seats = request.user.annotator_seats.filter(is_active=True).select_related("campaign")
    if is_lead(request.user):
        return redirect("campaign-list")
    work = [(seat.campaign, progress_of(seat)) for seat in seats.order_by("-campaign__created_at")]
    context = {
        "work": work,
        "reviews": review_work(request.user),
        "samples": validation_work(request.user),
    }
    return render(request, "annotate/my_work.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@seat_required(seat_of)
def label(request: Request, seat: Annotator) -> HttpResponse:
    """Show one item, the next or an own earlier one (`?item=`), and take the answer to it."""
    if request.method == "POST":
        return _take_answer(request, seat)
    number = request.GET.get("item", "")
    if not number:
        return _show(request, seat, next_item(seat))
    assignment = read_met_number(seat, int(number)) if LIKE_A_NUMBER.fullmatch(number) else None
    if assignment is None:
        raise Http404("You have not met this item.")
    return _show(request, seat, assignment)


def _take_answer(request: Request, annotator: Annotator) -> HttpResponse:
    form = AnswerForm.read(request.POST)
    item = find_met_item(annotator, form.item)
    if item is None:
        raise Http404("You have not met this item.")
    try:
        done, following = _act(annotator, item, form, request.user)
    except Problem as problem:
        return _show(
            request, annotator, read_met_number(annotator, form.item), problem=str(problem), status=409
        )
    if request.htmx:
        return _show(request, annotator, following, done=done, seen=form.guideline)
    if done:
        messages.success(request, done)
    return redirect("label", annotator.campaign.slug)


def _act(annotator: Annotator, item: Item, form: AnswerForm, user: User) -> tuple[str, Assignment | None]:
    """Do what the pressed button says; return words for it, and what comes next.

    Of a saved label the time of saving tells, so it needs no words.
    """
    match form.answer:
        case "apply" | "suppress":
            answer = Answer(item, VALUES[form.answer], form.version, form.token, user)
            return "", submit_and_go_on(annotator, answer)
        case "skip":
            skip_item(annotator, item)
            return "Skipped; it comes again later.", next_item(annotator)
        case "flag":
            flag_item(annotator, item, form.comment, form.token)
            return "Sent to the lead.", next_item(annotator)
    raise BadRequest(f"There is no answer {form.answer!r}.")


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
    seat = read_seat(annotator)
    progress = progress_in(seat)
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
    if not request.htmx:
        return render(request, "annotate/label.html", context, status=status)
    return HttpResponse(render_to_string("annotate/label.html#step", context), status=status)


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
@seat_required(seat_of)
def own_labels_page(request: Request, seat: Annotator) -> HttpResponse:
    """List the annotator's own labels and flags, each with the way back to its item."""
    context = {
        "campaign": seat.campaign,
        "page": Paginator(own_labels(seat), LABELS_A_PAGE).get_page(request.GET.get("page")),
        "flags": Flag.objects.filter(annotator=seat).select_related("item__context", "item__preference"),
    }
    return render(request, "annotate/own_labels.html", context)
