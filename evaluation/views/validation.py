"""The lead's pages of validation samples: what there is, how judges do against people, where they differ."""

from dataclasses import replace
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.exporters.validation import FILES
from annotate.guideline_text import guideline_html
from annotate.problems import Problem
from annotate.validation_work import progress, progress_of
from annotate.views.downloads import CONTENT_TYPES
from evaluation.models import Run, RunSample
from evaluation.report_files import corrected_file, sample_file, validation_file
from evaluation.reporting.published_tables import published_agreement
from evaluation.reporting.tables import Table
from evaluation.reporting.validation_tables import validation_tables
from evaluation.sample_records import NOT_ASKED
from evaluation.validation.records import OF_RUN
from evaluation.validation_forms import JudgeForm, LabelsForm, NewRaterForm
from evaluation.validation_reports import validation_report
from evaluation.views.validation_correction import REPORT_FORMS, correction_context, wished_report

SAMPLES_A_PAGE = 20
FOLDED = ("counts", "parts", "confusion")
MOST_OPEN_ROWS = 10
SAMPLES = RunSample.objects.select_related("sample", "run__dataset", "run__release__dataset")


@lead_required
@never_cache
@require_safe
def sample_list(request: HttpRequest) -> HttpResponse:
    """List the validation samples, newest first."""
    page = Paginator(SAMPLES.all(), SAMPLES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "evaluation/validation_list.html", {"page": page, "drawn": with_progress(page)})


def with_progress(drawn: Any) -> list[dict[str, Any]]:
    """Return each sample drawn from a run with how far its raters are."""
    found = progress_of([one.sample for one in drawn])
    return [{"run_sample": one, "progress": found[one.sample_id]} for one in drawn]


@lead_required
@never_cache
@require_safe
def sample_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what was drawn, who labels and judges, and how well they agree.

    The corrected rates rest on the whole run: the page asks for them once it is there, and for other widths.
    """
    run_sample = get_object_or_404(SAMPLES, sample__slug=slug)
    if request.htmx:  # type: ignore[attr-defined]
        context = correction_context(run_sample, request.GET)
        return render(request, "evaluation/validation_corrected.html", context)
    report = validation_report(run_sample)
    tables = [_folded(table) for table in validation_tables(report) if table.rows]
    context = {
        "run_sample": run_sample,
        "sample": run_sample.sample,
        "run": run_sample.run,
        "report": report,
        "counts": [table for table in tables if table.section == "counts"],
        "tables": [table for table in tables if table.section != "counts"],
        "progress": progress(run_sample.sample),
        "judges": _judges_of_run(report),
        "judging_runs": _judging_runs(run_sample),
        "published": published_agreement(run_sample.target),
        "guideline_html": guideline_html(run_sample.sample.guideline),
        "rater_form": NewRaterForm(run_sample.sample),
        "judge_form": JudgeForm(),
        "labels_form": LabelsForm(),
        "files": FILES,
        "forms": list(CONTENT_TYPES),
        "report_forms": REPORT_FORMS,
        **(correction_context(run_sample, request.GET) if request.GET else {"is_awaited": True}),
    }
    return render(request, "evaluation/validation_sample.html", context)


def _folded(table: Table) -> Table:
    """Fold what is long or stands behind the numbers, so that these fit on a screen or two."""
    is_detail = table.is_detail or table.section in FOLDED or len(table.rows) > MOST_OPEN_ROWS
    return replace(table, is_detail=is_detail)


def _judges_of_run(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the judges that came with the run, each with what it answered."""
    answered = {row["rater"]: row for row in report["counts"]["raters"]}
    return [{**rater, **answered[rater["name"]]} for rater in report["raters"] if rater["kind"] in OF_RUN]


def _judging_runs(run_sample: RunSample) -> QuerySet[Run]:
    """Return the runs in which further judges judge the sample, oldest first, with how far they are."""
    ended = Count("generations", filter=~Q(generations__outcome__in=NOT_ASKED))
    runs = run_sample.judging_runs.annotate(judgements=Count("generations"), judgements_ended=ended)
    return runs.order_by("pk")


@lead_required
@never_cache
@require_safe
def report_file(request: HttpRequest, slug: str, suffix: str) -> HttpResponse:
    """Send the report of a sample as JSON, CSV or LaTeX."""
    return validation_file(get_object_or_404(SAMPLES, sample__slug=slug), suffix)


@lead_required
@never_cache
@require_safe
def corrected_rates_file(request: HttpRequest, slug: str, suffix: str) -> HttpResponse:
    """Send the corrected rates as JSON, CSV or LaTeX, as the form of the page asks for them."""
    run_sample = get_object_or_404(SAMPLES, sample__slug=slug)
    try:
        report = wished_report(run_sample, request.GET)
    except Problem as problem:
        raise Http404(str(problem)) from problem
    return corrected_file(f"{slug}-corrected", suffix, report)


@lead_required
@never_cache
@require_safe
def rows_file(request: HttpRequest, slug: str, what: str, suffix: str) -> HttpResponseBase:
    """Send the items, to be labelled elsewhere, or every label, streamed."""
    return sample_file(get_object_or_404(SAMPLES, sample__slug=slug), what, suffix)
