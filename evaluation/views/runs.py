"""The pages of runs, for leads: the list, one run while it works and when it has ended, its report."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotate.access import lead_required
from annotate.exporters.tabular import encode_rows
from annotate.figures import THEMES
from annotate.problems import Problem
from evaluation.benchpres.published import PUBLISHED, SOURCE
from evaluation.charts import rates_figure
from evaluation.controls import CONTROLS, controls_of
from evaluation.exporters.report import COLUMNS, report_rows
from evaluation.models import Run
from evaluation.models.generation import Outcome
from evaluation.reports import run_report
from evaluation.running.progress import run_progress

RUNS_A_PAGE = 50
RUNS = Run.objects.select_related("dataset", "release__dataset", "endpoint", "created_by")


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
    context |= {"report": run_report(run), "published": PUBLISHED, "published_source": SOURCE}
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
@never_cache
@require_safe
def run_report_file(request: HttpRequest, pk: int, suffix: str) -> HttpResponse:
    """Send a run's report as JSON or CSV."""
    run = get_object_or_404(RUNS, pk=pk)
    if suffix == "json":
        return JsonResponse(run_report(run), json_dumps_params={"indent": 2, "ensure_ascii": False})
    if suffix != "csv":
        raise Http404(f"There is no report as .{suffix}; expected .json or .csv.")
    return report_csv(run)


def report_csv(run: Run) -> HttpResponse:
    """Send a run's report as a table, one row a metric."""
    content = b"".join(encode_rows(".csv", COLUMNS, report_rows(run_report(run))))
    attached = {"Content-Disposition": f'attachment; filename="run-{run.pk}.csv"'}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=attached)


@lead_required
@never_cache
@require_safe
def run_figure(request: HttpRequest, pk: int, theme: str) -> HttpResponse:
    """Send the figure of a run's rates as SVG, for a light or a dark page."""
    if theme not in THEMES:
        raise Http404(f"There is no theme {theme!r}; expected one of {', '.join(THEMES)}.")
    figure = rates_figure(run_report(get_object_or_404(RUNS, pk=pk)), THEMES[theme])
    return HttpResponse(figure, content_type="image/svg+xml")
