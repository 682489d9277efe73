"""Draw a validation sample from a finished run: what can be drawn, what would be, then the draw."""

from collections.abc import Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotate.access import lead_required
from annotate.problems import Problem
from evaluation.actions.validation import draw_validation, targets_of
from evaluation.models import Run, RunSample
from evaluation.stored_run import record_of
from evaluation.validation.offers import Offer, offers_of
from evaluation.validation_forms import DrawForm
from evaluation.views.runs import RUNS


@lead_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def validation_new(request: HttpRequest, pk: int) -> HttpResponse:
    """Tell how much of a run could be drawn, show the strata of a draw, or draw the sample."""
    run = get_object_or_404(RUNS, pk=pk)
    offers = _offers(run)
    form = DrawForm(offers, request.POST or None)
    context: dict[str, Any] = {"run": run, "offers": offers, "form": form}
    if form.is_valid():
        try:
            if "draw" in request.POST:
                return _lead_on(request, draw_validation(run, created_by=_user(request), **form.plan()))
            context["drawn"] = _drawn_and_undone(run, form)
        except Problem as problem:
            form.add_error(None, str(problem))
    return render(request, "evaluation/validation_new.html", context, status=400 if form.errors else 200)


def _offers(run: Run) -> Sequence[Offer]:
    """Return what there is to draw; a run that has not ended offers nothing yet."""
    questions = targets_of(run)
    if not questions:
        raise Http404(f"A {run.benchmark} run has no answers that people could check.")
    return offers_of(record_of(run), questions) if run.state == Run.State.DONE else []


@transaction.atomic
def _drawn_and_undone(run: Run, form: DrawForm) -> RunSample:
    """Return the sample that would be drawn, of which nothing is kept."""
    drawn = draw_validation(run, **form.plan())
    transaction.set_rollback(True)
    return drawn


def _lead_on(request: HttpRequest, drawn: RunSample) -> HttpResponse:
    messages.success(request, "The sample is drawn. Its items stay as they are, whatever becomes of the run.")
    return redirect("validation-sample", drawn.sample.slug)


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)
