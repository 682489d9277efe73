"""The reviewer's pages: situations one by one, then pairs; own answers."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import reviewer_of
from annotate.actions.reviewing import Given, Key, Page, StaleSheet, own_answers, questions_on, save_sheet
from annotate.guideline_text import guideline_html
from annotate.judgements import (
    ACCEPTABILITY,
    CONTROL,
    NONE,
    UNCERTAIN,
    YES_NO,
    acceptable_answer,
    accepted_roles,
)
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
from annotate.views.seats import Request, seat_required

SHEETS_A_PAGE = 50
ASKED = {
    "applicability": "Should this preference guide the answer here?",
    "validity": "Is the preference still valid, that is, still true of this person?",
    "naturalness": "Is the request natural here, and can it be answered?",
    CONTROL: "Is this a controlled comparison: one scene, different only in what decides?",
    ACCEPTABILITY: "Which replies are acceptable in situation {number}? Choose any number.",
}
FIRST_PASS_KEYS = ("123", "456", "789")
SECOND_PASS_KEYS = ("ynu", "123456", "abcdef")
COMMENT_KEYS = "jkl"
ALONE = {NONE: "None is acceptable", UNCERTAIN: "Uncertain"}


@dataclass(frozen=True)
class Option:
    """A choice on the page. `value` says what it is by position; `is_alone` excludes the others."""

    value: str
    text: str
    key: str
    is_chosen: bool
    is_alone: bool = False


@dataclass(frozen=True)
class Question:
    """A question on the page, named by its place, with the situation it is about in the second pass."""

    name: str
    text: str
    options: tuple[Option, ...]
    is_many: bool
    comment: str
    comment_key: str
    situation: str = ""


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


def _work(request: Request, reviewer: Reviewer, which: Pass) -> HttpResponse:
    own = own_review(reviewer, which)
    if which == Pass.PAIRS and not own.first_pass_is_done:
        return redirect("review-situations", reviewer.review.slug)
    if request.method == "POST":
        return _take_answers(request, own)
    asked = request.GET.get("place", "")
    place = _place(asked, own) if asked else own.next_place
    return _show(request, own, place)


def _place(text: str, own: OwnReview) -> int:
    """Return the place of an own page, counted from 0. Raises `Http404` for one not met yet."""
    place = int(text) - 1 if text.isascii() and text.isdecimal() and len(text) < 10 else -1
    if place not in own.answered and place != own.next_place:
        raise Http404("You have not met this page.")
    return place


def _take_answers(request: Request, own: OwnReview) -> HttpResponse:
    place = _place(request.POST.get("place", ""), own)
    page = page_at(own.reviewer, own.which, place)
    try:
        version, token = int(request.POST["version"]), UUID(request.POST["token"])
    except (KeyError, ValueError) as error:
        raise BadRequest(f"The form is not as this site makes it: {error}") from error
    try:
        answers = read_answers(request.POST, page)
        save_sheet(own.reviewer, page, answers, version=version, token=token, saved_by=request.user)
    except Problem as problem:
        sent = None if isinstance(problem, StaleSheet) else request.POST
        return _show(request, own, place, problem=str(problem), sent=sent, status=409)
    own = own_review(own.reviewer, own.which)
    if request.htmx:
        return _show(request, own, own.next_place)
    return redirect(f"review-{own.which}", own.reviewer.review.slug)


def read_answers(sent: QueryDict, page: Page) -> list[Given]:
    """Read what was chosen, by position, back into answers. Raises `Problem` for choices that contradict."""
    answers = []
    for number, (question, side) in enumerate(asked_on(page), start=1):
        chosen, comment = sent.getlist(f"q{number}"), sent.get(f"comment{number}", "")
        if chosen:
            roles = page.shown.get(side, ())
            answer = acceptable(chosen, roles, number - 1) if question == ACCEPTABILITY else chosen[0]
            answers.append(Given(question, side, answer, comment))
    if missing := 3 - len(answers):
        raise Problem(
            f"Not saved: {missing} of the 3 questions {'has' if missing == 1 else 'have'} no answer yet. "
            "Answer each, with uncertain where you cannot tell."
        )
    return answers


def acceptable(chosen: list[str], roles: Any, situation: int) -> str:
    """Read the chosen replies, shown in the order of `roles`, as one answer."""
    alone = [value for value in chosen if value in ALONE]
    if alone and len(chosen) > 1:
        raise Problem(
            f"Not saved: for situation {situation}, {ALONE[alone[0]]!r} is chosen together with another "
            "answer. It excludes the others; take one of them back."
        )
    if alone:
        return alone[0]
    try:
        return acceptable_answer(roles[int(value) - 1] for value in chosen)
    except (ValueError, IndexError) as error:
        raise BadRequest("The form is not as this site makes it: there is no such reply.") from error


def asked_on(page: Page) -> list[Key]:
    """Return the questions of a page in the order shown: those of a pair by its shuffled sides."""
    if page.side:
        return questions_on(page.side)
    return [(CONTROL, ""), *((ACCEPTABILITY, side) for side in page.shown["sides"])]


def _show(
    request: Request,
    own: OwnReview,
    place: int | None,
    *,
    problem: str = "",
    sent: QueryDict | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render a page whole, or only what changes on it for htmx; `sent` keeps choices that were refused."""
    context: dict[str, Any] = {
        "review": own.reviewer.review,
        "own": own,
        "problem": problem,
        "is_swap": bool(request.htmx),
        "guideline_html": lambda: guideline_html(own.reviewer.review.guideline),
        "before": _number(own.before(place)),
    }
    if place is not None:
        context |= _page(own, place, sent)
    if not request.htmx:
        return render(request, "annotate/review_page.html", context, status=status)
    return HttpResponse(render_to_string("annotate/review_page.html#step", context), status=status)


def _number(place: int | None) -> int | None:
    return None if place is None else place + 1


def _page(own: OwnReview, place: int, sent: QueryDict | None) -> dict[str, Any]:
    """Say what the page shows: texts, the own answers, and nothing of sides, roles or anybody else."""
    page = page_at(own.reviewer, own.which, place)
    sheet = own_sheet(own.reviewer, page)
    texts = {situation.side: situation.text for situation in page.pair.pair.situations.all()}
    return {
        "place": place + 1,
        "preference": page.pair.pair.preference.text,
        "request_text": page.pair.pair.request,
        "situation": texts.get(page.side, ""),
        "questions": list(_questions(page, texts, own_answers(sheet), sent)),
        "sheet": sheet,
        "version": sheet.version if sheet else 0,
        "token": uuid4(),
    }


def _questions(
    page: Page, texts: dict[str, str], answers: dict[Key, tuple[str, str]], sent: QueryDict | None
) -> Any:
    replies = {reply.role: reply.text for reply in page.pair.pair.replies.all()}
    keys = FIRST_PASS_KEYS if page.side else SECOND_PASS_KEYS
    for number, key in enumerate(asked_on(page), start=1):
        question, side = key
        answer, comment = answers.get(key, ("", ""))
        roles = page.shown.get(side, ())
        chosen = sent.getlist(f"q{number}") if sent else positions(question, answer, roles)
        yield Question(
            name=f"q{number}",
            text=ASKED[question].format(number=number - 1),
            options=tuple(_options(question, [replies[role] for role in roles], keys[number - 1], chosen)),
            is_many=question == ACCEPTABILITY,
            comment=sent.get(f"comment{number}", "") if sent else comment,
            comment_key=COMMENT_KEYS[number - 1],
            situation=texts[side] if question == ACCEPTABILITY else "",
        )


def positions(question: str, answer: str, roles: Any) -> list[str]:
    """Return an answer as the page's choices: replies by the position in which they are shown."""
    if not answer or question != ACCEPTABILITY or answer in ALONE:
        return [answer] if answer else []
    accepted = accepted_roles(answer) or ()
    return [str(position) for position, role in enumerate(roles, start=1) if role in accepted]


def _options(question: str, replies: list[str], keys: str, chosen: list[str]) -> Any:
    if question != ACCEPTABILITY:
        for value, key in zip(YES_NO, keys, strict=True):
            yield Option(value, value.capitalize(), key, value in chosen)
        return
    for position, (text, key) in enumerate(zip(replies, keys, strict=False), start=1):
        yield Option(str(position), text, key, str(position) in chosen)
    for (value, text), key in zip(ALONE.items(), keys[len(replies) :], strict=True):
        yield Option(value, text, key, value in chosen, is_alone=True)


@require_safe
@seat_required(reviewer_of)
def own_answers_page(request: Request, reviewer: Reviewer) -> HttpResponse:
    """List the reviewer's own pages, each with the way back to it."""
    page = Paginator(own_sheets(reviewer), SHEETS_A_PAGE).get_page(request.GET.get("page"))
    context = {"review": reviewer.review, "page": page, "rows": list(own_rows(list(page)))}
    return render(request, "annotate/own_review.html", context)
