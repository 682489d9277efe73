"""The lead's pages of what reviewers answered differently: all of it, and one pair side by side."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import lead_required
from annotate.actions.adjudicating import adjudicate
from annotate.judgements import ACCEPTABILITY, NONE, UNCERTAIN, acceptable_answer, answers_to
from annotate.models import Review, ReviewedPair
from annotate.pairs import ROLES, words_of
from annotate.problems import Problem
from annotate.review_reports import QUESTION_WORDS
from annotate.review_work import (
    answers_on,
    differ,
    disagreements,
    earlier_judgements,
    progress,
    why_not_settled,
)
from annotate.views.settling import Request

DISAGREEMENTS_A_PAGE = 50


@require_safe
@lead_required
def disagreement_list(request: HttpRequest, slug: str) -> HttpResponse:
    """List every question that was answered differently, of one kind or of all, settled or not."""
    review = _review(slug)
    question, state = request.GET.get("question", ""), request.GET.get("state", "")
    why = why_not_settled(review)
    found = [] if why else disagreements(review)
    chosen = [
        row
        for row in found
        if question in ("", row.question) and state in ("", "settled" if row.decision else "open")
    ]
    context = {
        "review": review,
        "why_not_settled": why,
        "page": Paginator(chosen, DISAGREEMENTS_A_PAGE).get_page(request.GET.get("page")),
        "number": len(found),
        "settled": sum(row.decision is not None for row in found),
        "questions": QUESTION_WORDS,
        "question": question,
        "state": state,
    }
    return render(request, "annotate/disagreements.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
def review_pair(request: Request, slug: str, identifier: str) -> HttpResponse:
    """Show a pair whole; once the review is closed, all answers side by side, with the form that settles."""
    review = _review(slug)
    pairs = review.reviewed_pairs.select_related("pair__preference", "review")
    pair = get_object_or_404(pairs, pair__identifier=identifier)
    if request.method == "POST":
        return _decide(request, pair)
    is_closed = review.state == Review.State.CLOSED
    reviewers = list(review.reviewers.filter(is_active=True).values_list("pseudonym", flat=True))
    context = {
        "review": review,
        "pair": pair.pair,
        "situations": pair.pair.situations.all(),
        "replies": sorted(pair.pair.replies.all(), key=lambda reply: ROLES.index(reply.role)),
        "is_closed": is_closed,
        "progress": progress(review),
        "why_not_settled": why_not_settled(review),
        "reviewers": reviewers,
        "rows": [_row(reviewers, *found) for found in answers_on(pair)] if is_closed else [],
        "earlier": earlier_judgements(pair) if is_closed else [],
    }
    return render(request, "annotate/review_pair.html", context)


def _row(
    reviewers: list[str], question: str, side: str, answers: dict[str, Any], decision: Any
) -> dict[str, Any]:
    return {
        "question": question,
        "words": QUESTION_WORDS[question],
        "side": side,
        "answers": [
            (answer_words(answers[name].answer), answers[name].comment) if name in answers else ("", "")
            for name in reviewers
        ],
        "is_different": differ(answers),
        "decision": decision,
        "decided": answer_words(decision.answer) if decision else "",
        "choices": [] if question == ACCEPTABILITY else answers_to(question),
    }


def answer_words(answer: str) -> str:
    """Write an answer as pages show it: a set of replies by their roles."""
    return words_of(answer.replace("+", ", "))


def _decide(request: Request, pair: ReviewedPair) -> HttpResponse:
    question, side = request.POST.get("question", ""), request.POST.get("side", "")
    try:
        answer = decided_answer(question, request.POST.getlist("answer"))
        adjudicate(pair, question, side, answer, request.POST.get("reason", ""), request.user)
        messages.success(request, f"Settled: {answer_words(answer)}. The independent answers stay.")
    except Problem as problem:
        messages.error(request, str(problem))
    return redirect("review-pair", pair.review.slug, pair.pair.identifier)


def decided_answer(question: str, chosen: list[str]) -> str:
    """Read what a lead chose: one answer, or for replies any number of roles.

    Raises `Problem` for nothing, for what is no choice, and for choices that contradict each other.
    """
    if not chosen:
        raise Problem("No answer is chosen; choose one, or for replies none or uncertain.")
    if len(chosen) == 1:
        return chosen[0]
    if question != ACCEPTABILITY or {NONE, UNCERTAIN} & set(chosen):
        raise Problem(f"{' and '.join(chosen)} contradict each other; choose one of them.")
    if unknown := set(chosen) - set(ROLES):
        raise Problem(f"There is no reply {', '.join(sorted(unknown))}; expected some of {', '.join(ROLES)}.")
    return acceptable_answer(chosen)


def _review(slug: str) -> Review:
    return get_object_or_404(Review.objects.select_related("dataset"), slug=slug)
