"""A run's report, figures and archive as files, for pages and API alike."""

from collections.abc import Callable
from tempfile import TemporaryFile
from typing import Any

from django.http import FileResponse, Http404, HttpResponse, JsonResponse

from annotate.exporters.tabular import encode_rows
from annotate.figures import THEMES, png, svg
from evaluation.charts import figures_of
from evaluation.exporters.archive import export_run
from evaluation.exporters.report import COLUMNS, report_latex, report_rows
from evaluation.models import Run
from evaluation.reports import run_report

Report = dict[str, Any]


def as_csv(report: Report) -> bytes:
    """Return our own tables as CSV, a row a number."""
    return b"".join(encode_rows(".csv", COLUMNS, report_rows(report)))


def as_latex(report: Report) -> bytes:
    """Return our own tables as LaTeX."""
    return report_latex(report).encode()


FORMS: dict[str, tuple[Callable[[Report], bytes], str]] = {
    "csv": (as_csv, "text/csv"),
    "tex": (as_latex, "application/x-tex"),
}


def report_file(run: Run, suffix: str) -> HttpResponse:
    """Return the report as JSON, CSV or LaTeX; Http404 for any other suffix."""
    report = run_report(run)
    if suffix == "json":
        return JsonResponse(report, json_dumps_params={"indent": 2, "ensure_ascii": False})
    if suffix not in FORMS:
        raise Http404(f"There is no report as .{suffix}; expected .json, .csv or .tex.")
    form, kind = FORMS[suffix]
    attached = {"Content-Disposition": f'attachment; filename="run-{run.pk}.{suffix}"'}
    return HttpResponse(form(report), content_type=f"{kind}; charset=utf-8", headers=attached)


def figure_file(run: Run, name: str, theme: str, suffix: str) -> HttpResponse:
    """Return a figure as SVG or PNG in the colours of a theme; Http404 where there is none."""
    report = run_report(run)
    figure = figures_of(report).get(name)
    if figure is None or theme not in THEMES or suffix not in ("svg", "png"):
        raise Http404(f"There is no figure {name}-{theme}.{suffix} of run {run.pk}.")
    chart = figure.draw(figure.rows(report), THEMES[theme])
    if suffix == "png":
        return HttpResponse(png(chart, THEMES[theme]), content_type="image/png")
    return HttpResponse(svg(chart, THEMES[theme]), content_type="image/svg+xml")


def archive_of(run: Run) -> FileResponse:
    """Return the archive as a file; it is written whole before the first byte is sent."""
    file = TemporaryFile()  # noqa: SIM115 - the response closes it
    try:
        export_run(run, file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return FileResponse(
        file, as_attachment=True, filename=f"run-{run.pk}.zip", content_type="application/zip"
    )
