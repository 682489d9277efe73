"""The rater's pages: the items of a validation sample one by one; own answers."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import rater_of
from annotate.actions.labelling import StaleLabel
from annotate.actions.validating import save_validation_label
from annotate.guideline_text import guideline_html
from annotate.models import Rater
from annotate.own_validation import (
    MESSAGE,
    OwnSample,
    item_at,
    own_label,
    own_rows,
    own_sample,
    texts_beside,
)
from annotate.problems import Problem
from annotate.validation import CANNOT_TELL_KEY, Asked, words_of
from annotate.views.seats import Request, seat_required

ANSWERS_A_PAGE = 50


@dataclass(frozen=True)
class AnswerForm:
    """What the page sends: an answer by its key, a comment, and what makes a repeat or a stale page known."""

    key: str
    comment: str
    version: int
    token: UUID

    @classmethod
    def read(cls, sent: QueryDict) -> "AnswerForm":
        """Read what the page sent. Raises `BadRequest` where it is not as the page makes it."""
        try:
            version, token = int(str(sent["version"])), UUID(str(sent["token"]))
            return cls(str(sent["answer"]), str(sent.get("comment", "")), version, token)
        except (KeyError, ValueError) as error:
            raise BadRequest(f"The form is not as this site makes it: {error}") from error

    def value(self, asked: Asked) -> float | None:
        """Return the answer's number, None for *cannot tell*."""
        values: dict[str, float | None] = {option.key: option.value for option in asked.options}
        values[CANNOT_TELL_KEY] = None
        if self.key not in values:
            raise BadRequest("The form is not as this site makes it: there is no such answer.")
        return values[self.key]


@require_http_methods(["GET", "HEAD", "POST"])
@seat_required(rater_of)
def label(request: Request, rater: Rater) -> HttpResponse:
    """Show one item, the next or an own earlier one (`?place=`), and take the answer to it."""
    own = own_sample(rater)
    if request.method == "POST":
        return _take_answer(request, own)
    if asked := request.GET.get("place", ""):
        return _show(request, own, _place(asked, own))
    return _show(request, own, None if own.is_over else own.next_place)


def _place(text: str, own: OwnSample) -> int:
    """Return the place of an own page, counted from 0. Raises `Http404` for one not met yet."""
    place = int(text) - 1 if text.isascii() and text.isdecimal() and len(text) < 10 else -1
    if place not in own.answered and place != own.next_place:
        raise Http404("You have not met this page.")
    return place


def _take_answer(request: Request, own: OwnSample) -> HttpResponse:
    place = _place(request.POST.get("place", ""), own)
    form, item = AnswerForm.read(request.POST), item_at(own, place)
    value = form.value(item.sample.asked)
    try:
        save_validation_label(
            own.rater,
            item,
            value,
            comment=form.comment,
            version=form.version,
            token=form.token,
            saved_by=request.user,
        )
    except Problem as problem:
        refused = None if own.is_over or isinstance(problem, StaleLabel) else form
        return _show(request, own, place, problem=str(problem), refused=refused, status=409)
    if request.htmx:
        own = own_sample(own.rater)
        return _show(request, own, own.next_place)
    return redirect("validation-label", own.rater.sample.slug)


def _show(
    request: Request,
    own: OwnSample,
    place: int | None,
    *,
    problem: str = "",
    refused: AnswerForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render an item as a page, or only what changes on it for htmx; `refused` keeps what was written."""
    before = own.before(place)
    context: dict[str, Any] = {
        "sample": own.rater.sample,
        "own": own,
        "problem": problem,
        "is_swap": bool(request.htmx),
        "guideline_html": lambda: guideline_html(own.rater.sample.guideline),
        "before": None if before is None else before + 1,
        "cannot_tell_key": CANNOT_TELL_KEY,
    }
    if place is not None:
        context |= _item(own, place, refused)
    if not request.htmx:
        return render(request, "annotate/validation_page.html", context, status=status)
    return HttpResponse(render_to_string("annotate/validation_page.html#step", context), status=status)


def _item(own: OwnSample, place: int, refused: AnswerForm | None) -> dict[str, Any]:
    """Say what the page shows: texts, the own answer, and nothing of where they came from."""
    item = item_at(own, place)
    label = own_label(own.rater, item)
    return {
        "place": place + 1,
        "beside": texts_beside(item),
        "message": item.texts[MESSAGE],
        "label": label,
        "answer": words_of(label.question, label.value) if label else "",
        "comment": refused.comment if refused else label.comment if label else "",
        "version": label.version if label else 0,
        "token": uuid4(),
    }


@require_safe
@seat_required(rater_of)
def own_answers_page(request: Request, rater: Rater) -> HttpResponse:
    """List the rater's own answers, each with the way back to its item."""
    own = own_sample(rater)
    page = Paginator(own.answered, ANSWERS_A_PAGE).get_page(request.GET.get("page"))
    context = {"sample": rater.sample, "own": own, "page": page, "rows": list(own_rows(own, list(page)))}
    return render(request, "annotate/own_validation.html", context)
