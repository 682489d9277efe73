"""The pages of runs, for leads: the list, one run while it works and when it has ended, its report."""

from typing import Any

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
from annotate.figures import THEMES, png, svg
from annotate.problems import Problem
from evaluation.charts import figures_of
from evaluation.comparisons import runs_beside
from evaluation.controls import CONTROLS, controls_of
from evaluation.cost import RETRIES_ON_TOP, RULE_OF_THUMB
from evaluation.exporters.report import COLUMNS, report_latex, report_rows
from evaluation.models import Run
from evaluation.models.generation import Outcome
from evaluation.reporting.all_tables import report_tables
from evaluation.reports import run_report
from evaluation.running.progress import run_progress
from evaluation.spending import run_estimate

RUNS_A_PAGE = 50
RUNS = Run.objects.select_related("dataset", "release__dataset", "review", "endpoint", "created_by")


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
    report = run_report(run)
    tables = report_tables(report)
    context |= {
        "report": report,
        "tables": [table for table in tables if not table.published],
        "published": [table for table in tables if table.published],
        "figures": figures_of(report),
        "others": runs_beside(run),
        "estimate": run_estimate(run),
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
@never_cache
@require_safe
def run_report_file(request: HttpRequest, pk: int, suffix: str) -> HttpResponse:
    """Send a run's report as JSON, CSV or LaTeX."""
    report = run_report(get_object_or_404(RUNS, pk=pk))
    if suffix == "json":
        return JsonResponse(report, json_dumps_params={"indent": 2, "ensure_ascii": False})
    if suffix not in FORMS:
        raise Http404(f"There is no report as .{suffix}; expected .json, .csv or .tex.")
    content, kind = FORMS[suffix](report)
    attached = {"Content-Disposition": f'attachment; filename="run-{pk}.{suffix}"'}
    return HttpResponse(content, content_type=f"{kind}; charset=utf-8", headers=attached)


def _as_csv(report: dict[str, Any]) -> tuple[bytes, str]:
    return b"".join(encode_rows(".csv", COLUMNS, report_rows(report))), "text/csv"


def _as_latex(report: dict[str, Any]) -> tuple[bytes, str]:
    return report_latex(report).encode(), "application/x-tex"


FORMS = {"csv": _as_csv, "tex": _as_latex}


@lead_required
@never_cache
@require_safe
def run_figure(request: HttpRequest, pk: int, name: str, theme: str, suffix: str) -> HttpResponse:
    """Send a figure of a run as SVG or PNG, for a light or a dark page."""
    report = run_report(get_object_or_404(RUNS, pk=pk))
    figure = figures_of(report).get(name)
    if figure is None or theme not in THEMES or suffix not in ("svg", "png"):
        raise Http404(f"There is no figure {name}-{theme}.{suffix} of run {pk}.")
    chart = figure.draw(figure.rows(report), THEMES[theme])
    if suffix == "png":
        return HttpResponse(png(chart, THEMES[theme]), content_type="image/png")
    return HttpResponse(svg(chart, THEMES[theme]), content_type="image/svg+xml")
