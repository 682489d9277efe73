"""Reports of runs and validation samples, figures and archives as files, for pages and API alike."""

from collections.abc import Callable, Iterable
from itertools import chain
from tempfile import TemporaryFile
from typing import Any

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase, JsonResponse

from annotate.exporters.tabular import Row, encode_rows
from annotate.exporters.validation import FILES, file_of
from annotate.figures import THEMES, png, svg
from annotate.views.downloads import CONTENT_TYPES, download
from evaluation.charts import figures_of
from evaluation.exporters.archive import export_run
from evaluation.exporters.report import COLUMNS, report_latex, report_rows, table_rows, tables_latex
from evaluation.exporters.validation import validation_latex, validation_rows
from evaluation.models import Run, RunSample
from evaluation.reporting.correction_tables import correction_tables
from evaluation.reports import report_with_cards, run_report
from evaluation.validation_reports import validation_report

Report = dict[str, Any]


def report_file(run: Run, suffix: str, report: Report | None = None) -> HttpResponse:
    """Return the report, or the one given, as JSON, CSV or LaTeX; Http404 for any other suffix."""
    return _file(f"run-{run.pk}", suffix, report or report_with_cards(run), report_rows, report_latex)


def validation_file(run_sample: RunSample, suffix: str) -> HttpResponse:
    """Return the report of a validation sample as JSON, CSV or LaTeX; Http404 for any other suffix."""
    name, report = f"{run_sample.sample.slug}-report", validation_report(run_sample)
    return _file(name, suffix, report, validation_rows, validation_latex)


def corrected_file(name: str, suffix: str, report: Report) -> HttpResponse:
    """Return corrected rates as JSON, CSV or LaTeX; Http404 for any other suffix."""
    tables = list(correction_tables(report))
    rows = chain.from_iterable(map(table_rows, tables))
    return _file(name, suffix, report, lambda _: rows, lambda _: tables_latex(tables))


def sample_file(run_sample: RunSample, what: str, suffix: str) -> HttpResponseBase:
    """Return the items of a validation sample, to be labelled elsewhere, or every label, streamed.

    Http404 for any other file or suffix.
    """
    if what not in FILES or suffix not in CONTENT_TYPES:
        raise Http404(f"There is no file {what}.{suffix} of a validation sample.")
    sample = run_sample.sample
    return download(f"{sample.slug}-{what}", suffix, *file_of(sample, what))


def _file(
    name: str,
    suffix: str,
    report: Report,
    rows: Callable[[Report], Iterable[Row]],
    latex: Callable[[Report], str],
) -> HttpResponse:
    """Send a report whole as JSON, or our own tables of it: a row a number as CSV, or as LaTeX."""
    match suffix:
        case "json":
            return JsonResponse(report, json_dumps_params={"indent": 2, "ensure_ascii": False})
        case "csv":
            content, kind = b"".join(encode_rows(".csv", COLUMNS, rows(report))), "text/csv"
        case "tex":
            content, kind = latex(report).encode(), "application/x-tex"
        case _:
            raise Http404(f"There is no report as .{suffix}; expected .json, .csv or .tex.")
    attached = {"Content-Disposition": f'attachment; filename="{name}.{suffix}"'}
    return HttpResponse(content, content_type=f"{kind}; charset=utf-8", headers=attached)


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
