"""The pages of runs, for leads: the list, one run while it works and when it has ended, its report."""

from dataclasses import replace
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotate.access import lead_required
from annotate.problems import Problem
from evaluation.actions import collect_pairs, set_limits
from evaluation.actions.validation import targets_of
from evaluation.charts import figures_of
from evaluation.comparisons import runs_beside
from evaluation.controls import CONTROLS, controls_of
from evaluation.cost import RETRIES_ON_TOP, RULE_OF_THUMB
from evaluation.forms import LimitsForm
from evaluation.judge_cards import described_cards
from evaluation.models import Run
from evaluation.models.generation import Outcome
from evaluation.names import samples_of
from evaluation.report_files import figure_file, report_file
from evaluation.reporting.all_tables import report_tables
from evaluation.reporting.construction import passed
from evaluation.reporting.judge_cards import cards_table
from evaluation.reporting.published_tables import published_tables
from evaluation.reports import run_report
from evaluation.running.progress import run_progress
from evaluation.spending import run_estimate
from evaluation.views.validation import with_progress

RUNS_A_PAGE = 50
RUNS = Run.objects.select_related(
    "dataset", "release__dataset", "review", "endpoint", "created_by", "validation__sample", "validation__run"
)


@lead_required
@require_safe
def run_list(request: HttpRequest) -> HttpResponse:
    """List the runs, newest first."""
    runs = RUNS.annotate(
        messages=Count("generations"),
        messages_ended=Count("generations", filter=~Q(generations__outcome=Outcome.PLANNED)),
    ).order_by("-pk")
    page = Paginator(runs, RUNS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "evaluation/run_list.html", {"page": page})


@lead_required
@never_cache
@require_safe
def run_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a run. While it works, the page asks again for its progress alone, then once for the whole."""
    run = get_object_or_404(RUNS, pk=pk)
    progress = run_progress(run, timezone.now())
    context = {"run": run, "progress": progress, "controls": controls_of(run, progress.is_worked_on)}
    if request.htmx:  # type: ignore[attr-defined]
        if run.state != Run.State.RUNNING:
            return HttpResponseClientRefresh()
        return render(request, "evaluation/run.html#progress", context)
    report, cards = run_report(run), described_cards(run)
    context |= {
        "report": report,
        "tables": report_tables(report),
        "judge_cards": cards,
        "cards_table": replace(cards_table({"": cards}), title="The validations in numbers"),
        "published": published_tables(run.benchmark),
        "figures": figures_of(report),
        "others": runs_beside(run),
        "estimate": run_estimate(run),
        "limits": LimitsForm(initial=vars(run)),
        "passed": len(passed(report)) if run.benchmark == "construction" else 0,
        "is_validated": run.state == Run.State.DONE and bool(targets_of(run)),
        "drawn": with_progress(samples_of(run)),
        "thumb": RULE_OF_THUMB,
        "retries": RETRIES_ON_TOP,
    }
    return render(request, "evaluation/run.html", context)


@lead_required
@require_POST
def run_control(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Start, pause, resume or cancel a run, or say why that cannot be."""
    run = get_object_or_404(Run, pk=pk)
    if verb not in CONTROLS:
        raise Http404(f"A run has no control {verb!r}; expected one of {', '.join(CONTROLS)}.")
    try:
        CONTROLS[verb].act(run)
    except Problem as problem:
        messages.error(request, str(problem))
    return redirect("run", pk)


@lead_required
@require_POST
def run_limits(request: HttpRequest, pk: int) -> HttpResponse:
    """Set what a run may spend in all."""
    form = LimitsForm(request.POST)
    if form.is_valid():
        set_limits(get_object_or_404(Run, pk=pk), **form.cleaned_data)
        messages.success(request, "The limits are set.")
    else:
        messages.error(request, "The limits were not set: expected numbers, or empty for no limit.")
    return redirect("run", pk)


@lead_required
@require_POST
def collect(request: HttpRequest, pk: int) -> HttpResponse:
    """Put the pairs of a construction run that passed into a dataset, and lead on to a review of it."""
    run = get_object_or_404(Run, pk=pk)
    try:
        found = collect_pairs(
            run, slug=request.POST.get("dataset", "").strip(), user=cast(User, request.user)
        )
    except Problem as problem:
        messages.error(request, str(problem))
        return redirect("run", pk)
    messages.success(
        request,
        f"Dataset {found.dataset.slug}, version {found.dataset.version}, holds the pairs that passed.",
    )
    return redirect(f"{reverse('review-new')}?dataset={found.dataset.slug}")


@lead_required
@never_cache
@require_safe
def run_report_file(request: HttpRequest, pk: int, suffix: str) -> HttpResponse:
    """Send a run's report as JSON, CSV or LaTeX."""
    return report_file(get_object_or_404(RUNS, pk=pk), suffix)


@lead_required
@never_cache
@require_safe
def run_figure(request: HttpRequest, pk: int, name: str, theme: str, suffix: str) -> HttpResponse:
    """Send a figure of a run as SVG or PNG, for a light or a dark page."""
    return figure_file(get_object_or_404(RUNS, pk=pk), name, theme, suffix)
