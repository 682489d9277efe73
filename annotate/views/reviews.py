"""The lead's pages of pair reviews: what there is, opening one, how it stands, its seats and its files."""

import hashlib
import secrets
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import lead_required
from annotate.actions.reviews import (
    SEED_BITS,
    add_reviewer,
    close_review,
    create_review,
    draw_pairs,
    end_reviewer,
    reopen_review,
    take_up_reviewer,
)
from annotate.exporters.pairpref import encoded_pairpref
from annotate.exporters.reviews import ANSWERS, SETS
from annotate.forms import NewReviewerForm, NewReviewForm
from annotate.guideline_text import guideline_html
from annotate.models import Dataset, Review
from annotate.problems import Problem
from annotate.review_work import disagreements, progress, strata_of, why_not_settled
from annotate.sampling import Sample
from annotate.views.downloads import CONTENT_TYPES, download
from annotate.views.settling import Request, action, checked, named_seat

REVIEWS_A_PAGE = 20

review_action = action("review", "open", Review)
seat_action = action("review", "annotators", Review)


@require_safe
@lead_required
def review_list(request: HttpRequest) -> HttpResponse:
    """List every review, the newest first."""
    reviews = Review.objects.select_related("dataset").annotate(
        seats=Count("reviewers", distinct=True), pair_count=Count("reviewed_pairs", distinct=True)
    )
    page = Paginator(reviews.order_by("-created_at"), REVIEWS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "annotate/review_list.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
def review_new(request: HttpRequest) -> HttpResponse:
    """Show the sample that a review would judge; open it once it is the one that the lead has seen."""
    chosen = Dataset.objects.filter(slug=request.GET.get("dataset", "")).first()
    initial = {"seed": secrets.randbits(SEED_BITS), "dataset": chosen}
    form = NewReviewForm(request.POST or None, initial=initial)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            wanted = {name: form.cleaned_data[name] for name in ("dataset", "sample", "stratum", "seed")}
            drawn = draw_pairs(**wanted)
            context |= {"drawn": drawn, "seen": mark_of(drawn)}
            if "create" in request.POST and request.POST.get("seen") == mark_of(drawn):
                return redirect("review", _open(form, request).slug)
        except Problem as problem:
            form.add_error(None, str(problem))
    status = 400 if form.errors else 200
    return render(request, "annotate/review_new.html", context, status=status)


def mark_of(drawn: Sample) -> str:
    """Return a short mark of a sample, by which the form tells which one the lead has seen."""
    return hashlib.sha256(repr(drawn.ids).encode()).hexdigest()[:16]


def _open(form: NewReviewForm, request: HttpRequest) -> Review:
    values = dict(form.cleaned_data)
    return create_review(users=values.pop("annotators"), created_by=request.user, **values)  # type: ignore[arg-type]


@require_safe
@lead_required
def review(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how a review stands."""
    found = get_object_or_404(Review.objects.select_related("dataset"), slug=slug)
    why = why_not_settled(found)
    context = {
        "review": found,
        "progress": progress(found),
        "strata": strata_of(found),
        "pair_count": found.reviewed_pairs.count(),
        "guideline_html": guideline_html(found.guideline),
        "annotator_form": NewReviewerForm(found),
        "why_not_settled": why,
        "disagreements": [] if why else disagreements(found),
        "forms": list(CONTENT_TYPES),
        "sets": list(SETS),
    }
    return render(request, "annotate/review.html", context)


@require_safe
@lead_required
def review_answers(request: HttpRequest, slug: str, what: str, suffix: str) -> HttpResponseBase:
    """Download every answer with the order shown, or the settled set, streamed."""
    return answers_file(get_object_or_404(Review, slug=slug), what, suffix)


def answers_file(review: Review, what: str, suffix: str) -> HttpResponseBase:
    """Send the rows of a review. Raises `Http404` for a file that there is not."""
    if what not in ANSWERS or suffix not in CONTENT_TYPES:
        raise Http404(f"There is no file {what}.{suffix} of a review.")
    columns, rows_of = ANSWERS[what]
    try:
        rows = rows_of(review)
    except Problem as problem:
        raise Http404(str(problem)) from problem
    return download(f"{review.slug}-{what}", suffix, columns, rows)


@require_safe
@lead_required
def review_set(request: HttpRequest, slug: str, what: str) -> HttpResponseBase:
    """Download the pairs of the sample, or those that every annotator confirms, as PairPref rows."""
    return pairs_file(get_object_or_404(Review, slug=slug), what)


def pairs_file(review: Review, what: str) -> HttpResponseBase:
    """Send pairs of a review as rows that can be imported again. Raises `Http404` for no such set."""
    if what not in SETS:
        raise Http404(f"There is no set {what!r}; expected one of {', '.join(SETS)}.")
    return StreamingHttpResponse(
        encoded_pairpref(SETS[what](review)),
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{review.slug}-{what}.jsonl"'},
    )


@review_action
def close(request: Request, review: Review) -> str:
    """End the independent answers."""
    close_review(review)
    return "The review is closed; the independent answers stay as they are."


@review_action
def reopen(request: Request, review: Review) -> str:
    """Let answers be given again."""
    reopen_review(review)
    return "The review is open again."


@seat_action
def seat(request: Request, review: Review) -> str:
    """Give an annotator a seat."""
    user = checked(NewReviewerForm(review, request.POST)).cleaned_data["user"]
    return f"{user} reviews as {add_reviewer(review, user).pseudonym}."


@seat_action
def end(request: Request, review: Review) -> str:
    """End an annotator's seat."""
    found = named_seat(request, review.reviewers)
    end_reviewer(found)
    return f"{found.pseudonym} answers no more; reports do without those answers, exports keep them."


@seat_action
def take_up(request: Request, review: Review) -> str:
    """Let an annotator go on whose seat was ended."""
    found = named_seat(request, review.reviewers)
    take_up_reviewer(found)
    return f"{found.pseudonym} answers again."
