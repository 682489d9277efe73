"""The page of two runs beside each other, for leads, with its figure and its files."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.exporters.tabular import encode_rows
from annotate.figures import THEMES, png, svg
from annotate.problems import Problem
from evaluation.comparisons import arms_to_compare, compare_runs, comparison_figures
from evaluation.exporters.comparison import comparison_csv_rows, comparison_latex
from evaluation.exporters.report import COLUMNS
from evaluation.models import Run
from evaluation.names import is_number
from evaluation.reporting.comparable import arms_named
from evaluation.reporting.comparison_tables import comparison_tables
from evaluation.views.runs import RUNS

Report = dict[str, Any]


@lead_required
@require_safe
def choose_comparison(request: HttpRequest, first: int) -> HttpResponse:
    """Go to the comparison with the run that a form names."""
    second = request.GET.get("run", "")
    other = get_object_or_404(Run, pk=second) if is_number(second) else None
    if other is None:
        raise Http404(f"There is no run {second!r} to compare run {first} with.")
    return redirect("comparison", first, other.pk)


@lead_required
@never_cache
@require_safe
def comparison_page(request: HttpRequest, first: int, second: int) -> HttpResponse:
    """Show how the second run differs from the first, or say why they cannot be compared."""
    one, two = _both(first, second)
    context = {
        "first": one,
        "second": two,
        "arms": {"first": arms_to_compare(one), "second": arms_to_compare(two)},
        "chosen": {side: request.GET.get(side, "") for side in ("first", "second")},
        "query": request.GET.urlencode(),
    }
    try:
        report = compare_runs(
            one, two, arms_named(request.GET.getlist("first"), request.GET.getlist("second"))
        )
    except Problem as problem:
        return render(request, "evaluation/comparison.html", context | {"problem": problem}, status=400)
    tables, figures = comparison_tables(report), comparison_figures(report)
    return render(
        request,
        "evaluation/comparison.html",
        context | {"report": report, "tables": tables, "figures": figures},
    )


@lead_required
@never_cache
@require_safe
def comparison_file(request: HttpRequest, first: int, second: int, suffix: str) -> HttpResponse:
    """Send a comparison as JSON, CSV or LaTeX."""
    report = _report(request, first, second)
    if suffix == "json":
        return JsonResponse(report, json_dumps_params={"indent": 2, "ensure_ascii": False})
    if suffix not in FORMS:
        raise Http404(f"There is no comparison as .{suffix}; expected .json, .csv or .tex.")
    content, kind = FORMS[suffix](report)
    attached = f'attachment; filename="runs-{first}-and-{second}.{suffix}"'
    return HttpResponse(
        content, content_type=f"{kind}; charset=utf-8", headers={"Content-Disposition": attached}
    )


@lead_required
@never_cache
@require_safe
def comparison_figure(
    request: HttpRequest, first: int, second: int, name: str, theme: str, suffix: str
) -> HttpResponse:
    """Send a figure of a comparison as SVG or PNG, for a light or a dark page."""
    report = _report(request, first, second)
    figure = comparison_figures(report).get(name)
    if figure is None or theme not in THEMES or suffix not in ("svg", "png"):
        raise Http404(f"There is no figure {name}-{theme}.{suffix} of runs {first} and {second}.")
    chart = figure.draw(figure.rows(report), THEMES[theme])
    if suffix == "png":
        return HttpResponse(png(chart, THEMES[theme]), content_type="image/png")
    return HttpResponse(svg(chart, THEMES[theme]), content_type="image/svg+xml")


def _both(first: int, second: int) -> tuple[Run, Run]:
    return get_object_or_404(RUNS, pk=first), get_object_or_404(RUNS, pk=second)


def _report(request: HttpRequest, first: int, second: int) -> Report:
    """Return the comparison for a file; what cannot be compared has none."""
    try:
        return compare_runs(
            *_both(first, second), arms_named(request.GET.getlist("first"), request.GET.getlist("second"))
        )
    except Problem as problem:
        raise Http404(str(problem)) from problem


def _as_csv(report: Report) -> tuple[bytes, str]:
    return b"".join(encode_rows(".csv", COLUMNS, comparison_csv_rows(report))), "text/csv"


def _as_latex(report: Report) -> tuple[bytes, str]:
    return comparison_latex(report).encode(), "application/x-tex"


FORMS: dict[str, Callable[[Report], tuple[bytes, str]]] = {"csv": _as_csv, "tex": _as_latex}
