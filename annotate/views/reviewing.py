"""The reviewer's pages: situations one by one, then pairs; own answers."""

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import reviewer_of
from annotate.actions.reviewing import StaleSheet, begin_second_pass, save_sheet
from annotate.guideline_text import guideline_html
from annotate.models import Reviewer
from annotate.own_review import (
    OwnReview,
    Pass,
    own_review,
    own_rows,
    own_sheet,
    own_sheets,
    page_at,
)
from annotate.problems import Problem
from annotate.review_page import SheetForm, questions_shown, read_answers
from annotate.sheets import own_answers
from annotate.views.seats import Request, seat_required

SHEETS_A_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@seat_required(reviewer_of)
def situations(request: Request, reviewer: Reviewer) -> HttpResponse:
    """Show one situation, and take the answers about it: the first pass."""
    return _work(request, reviewer, Pass.SITUATIONS)


@require_http_methods(["GET", "HEAD", "POST"])
@seat_required(reviewer_of)
def pairs(request: Request, reviewer: Reviewer) -> HttpResponse:
    """Show one pair, and take the answers about it: the second pass."""
    return _work(request, reviewer, Pass.PAIRS)


@require_POST
@seat_required(reviewer_of)
def begin_pairs(request: Request, reviewer: Reviewer) -> HttpResponse:
    """Open the second pass."""
    try:
        begin_second_pass(reviewer)
    except Problem as problem:
        messages.error(request, str(problem))
        return redirect("review-situations", reviewer.review.slug)
    return redirect("review-pairs", reviewer.review.slug)


def _work(request: Request, reviewer: Reviewer, which: Pass) -> HttpResponse:
    own = own_review(reviewer, which)
    if which == Pass.PAIRS and not own.second_pass_has_begun:
        return redirect("review-situations", reviewer.review.slug)
    if request.method == "POST":
        return _take_answers(request, own)
    if asked := request.GET.get("place", ""):
        return _show(request, own, _place(asked, own))
    return _show(request, own, None if own.is_over else own.next_place)


def _place(text: str, own: OwnReview) -> int:
    """Return the place of an own page, counted from 0. Raises `Http404` for one not met yet."""
    place = int(text) - 1 if text.isascii() and text.isdecimal() and len(text) < 10 else -1
    if place not in own.answered and place != own.next_place:
        raise Http404("You have not met this page.")
    return place


def _take_answers(request: Request, own: OwnReview) -> HttpResponse:
    place = _place(request.POST.get("place", ""), own)
    page, form = page_at(own, place), SheetForm.read(request.POST)
    try:
        answers = read_answers(form, page)
        save_sheet(own.reviewer, page, answers, version=form.version, token=form.token, saved_by=request.user)
    except Problem as problem:
        refused = None if own.is_locked or isinstance(problem, StaleSheet) else form
        return _show(request, own, place, problem=str(problem), refused=refused, status=409)
    own = own_review(own.reviewer, own.which)
    if request.htmx:
        return _show(request, own, own.next_place)
    return redirect(f"review-{own.which}", own.reviewer.review.slug)


def _show(
    request: Request,
    own: OwnReview,
    place: int | None,
    *,
    problem: str = "",
    refused: SheetForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render a page whole, or only what changes on it for htmx; `refused` keeps what was chosen."""
    context: dict[str, Any] = {
        "review": own.reviewer.review,
        "own": own,
        "problem": problem,
        "is_swap": bool(request.htmx),
        "guideline_html": lambda: guideline_html(own.reviewer.review.guideline),
        "before": _number(own.before(place)),
    }
    if place is not None:
        context |= _page(own, place, refused)
    if not request.htmx:
        return render(request, "annotate/review_page.html", context, status=status)
    return HttpResponse(render_to_string("annotate/review_page.html#step", context), status=status)


def _number(place: int | None) -> int | None:
    return None if place is None else place + 1


def _page(own: OwnReview, place: int, refused: SheetForm | None) -> dict[str, Any]:
    """Say what the page shows: texts, the own answers, and nothing of sides, roles or anybody else."""
    page = page_at(own, place)
    sheet = own_sheet(own.reviewer, page)
    texts = {situation.side: situation.text for situation in page.pair.pair.situations.all()}
    return {
        "place": place + 1,
        "preference": page.pair.pair.preference.text,
        "request_text": page.pair.pair.request,
        "situation": texts.get(page.side, ""),
        "questions": list(questions_shown(page, own_answers(sheet), refused)),
        "sheet": sheet,
        "version": sheet.version if sheet else 0,
        "token": uuid4(),
    }


@require_safe
@seat_required(reviewer_of)
def own_answers_page(request: Request, reviewer: Reviewer) -> HttpResponse:
    """List the reviewer's own pages, each with the way back to it."""
    page = Paginator(own_sheets(reviewer), SHEETS_A_PAGE).get_page(request.GET.get("page"))
    context = {"review": reviewer.review, "page": page, "rows": list(own_rows(reviewer, list(page)))}
    return render(request, "annotate/own_review.html", context)
