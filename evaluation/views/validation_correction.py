"""The part of a sample's page on the run's corrected rates, and how many labels more they take."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict

from annotate.problems import Problem
from evaluation.models import RunSample
from evaluation.reporting.correction_tables import labels_table, needed_table, rates_table
from evaluation.reporting.tables import Report, Table
from evaluation.reports import corrected_report
from evaluation.targets import OF_ANSWERS
from evaluation.validation_forms import PlannerForm

REPORT_FORMS = {"json": "JSON", "csv": "CSV", "tex": "LaTeX"}
# What is read first; what stands behind it is folded, and warnings are listed below.
READ_FIRST = ("raw", "rogan_gladen", "prediction_powered", "sufficient")
WARNINGS = "warnings"


@dataclass(frozen=True)
class ArmTables:
    """The tables of one condition by one judge; only those of the judge named first stand open."""

    rates: Table
    behind: Table
    needed: Table
    warnings: dict[str, list[str]]
    is_first: bool


def correction_context(run_sample: RunSample, sent: QueryDict) -> dict[str, Any]:
    """Return what the part shows: the form, and the tables or why there are none."""
    form = _planner(run_sample, sent)
    context = {
        "run_sample": run_sample,
        "sample": run_sample.sample,
        "planner": form,
        "query": sent.urlencode(),
        "report_forms": REPORT_FORMS,
    }
    try:
        report = _report(run_sample, form)
    except Problem as problem:
        return context | {"why_not_corrected": str(problem)}
    return context | {
        "labels": replace(labels_table(report), is_detail=True),
        "arms": list(_arms(report)),
    }


def wished_report(run_sample: RunSample, sent: QueryDict) -> Report:
    """Return the corrected rates that the form asks for. Raises `Problem` where there are none."""
    return _report(run_sample, _planner(run_sample, sent))


def _report(run_sample: RunSample, form: PlannerForm) -> Report:
    return corrected_report(run_sample.run, [run_sample, *form.beside()], **form.widths())


def _planner(run_sample: RunSample, sent: QueryDict) -> PlannerForm:
    also = _of_other_questions(run_sample)
    return PlannerForm(run_sample.target, also, sent if "width" in sent else None)


def _of_other_questions(run_sample: RunSample) -> QuerySet[RunSample]:
    """Return labelled samples of the run that can stand beside this one: success takes uptake and fit.

    Rates of messages rest on one question alone.
    """
    others = [target for target in OF_ANSWERS if target != run_sample.target]
    samples = RunSample.objects.select_related("sample").filter(run=run_sample.run_id)
    if run_sample.target not in OF_ANSWERS:
        return samples.none()
    labelled = {"sample__raters__is_active": True, "sample__raters__labels__value__isnull": False}
    return samples.filter(target__in=others, **labelled).distinct().order_by("-pk")


def _arms(report: Report) -> Iterator[ArmTables]:
    """Yield the tables of each condition and judge."""
    seen = set()
    for found in report["arms"]:
        rates, place = rates_table(report, found), (found["arm"], found["against"])
        yield ArmTables(
            rates=replace(rates, columns=[one for one in rates.columns if one.key in READ_FIRST]),
            behind=replace(
                rates,
                title=f"What stands behind: {rates.title}",
                columns=[one for one in rates.columns if one.key not in (*READ_FIRST, WARNINGS)],
                note="",
                is_detail=True,
            ),
            needed=replace(needed_table(report, found), is_detail=False),
            warnings=_warnings(found),
            is_first=place not in seen,
        )
        seen.add(place)


def _warnings(found: Report) -> dict[str, list[str]]:
    """Return the names of the rates by what is to know of them; a difference repeats nothing of its sides."""
    warnings: dict[str, list[str]] = {}
    for rate in found["rates"].values():
        for words in rate["warnings"]:
            warnings.setdefault(words, []).append(rate["name"])
    repeated = {f"{name}: {words}" for words, names in warnings.items() for name in names}
    return {words: names for words, names in warnings.items() if words not in repeated}
