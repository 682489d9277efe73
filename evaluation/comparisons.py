"""Two stored runs against each other, and the figure of both."""

from typing import Any

from django.db.models import QuerySet

from annotate.problems import Problem
from evaluation.charts import Figure, Rows, draw_plane, plane_rows
from evaluation.judge_cards import described_cards
from evaluation.models import Run
from evaluation.reporting.comparable import BENCHMARKS, ArmPairs, kinds_of
from evaluation.reporting.comparison import compare_records
from evaluation.reporting.comparison_tables import side_name
from evaluation.stored_run import record_of

Report = dict[str, Any]


def compare_runs(first: Run, second: Run, arms: ArmPairs | None = None) -> Report:
    """Return how two runs differ on what they share; `Problem` where they cannot be compared."""
    _refuse_judging(first, second)
    one = record_of(first)
    report = compare_records(one, one if first.pk == second.pk else record_of(second), arms)
    for side, run in (("first", first), ("second", second)):
        report[side]["judge_cards"] = described_cards(run)
    return report


def runs_beside(run: Run) -> QuerySet[Run]:
    """Return the other runs of the benchmark and the dataset of a run, newest first.

    There is none for a run of construction or a judging run, which cannot be compared.
    """
    if run.benchmark not in BENCHMARKS:
        return Run.objects.none()
    others = Run.objects.filter(benchmark=run.benchmark, dataset=run.dataset_id).exclude(pk=run.pk)
    return others.select_related("release__dataset").order_by("-pk")


def arms_to_compare(run: Run) -> list[str]:
    """Return the names of the arms that can stand in a comparison."""
    if run.benchmark not in BENCHMARKS:
        return []
    return list(kinds_of(run.benchmark, {arm["name"]: arm for arm in run.arms}))


def comparison_figures(report: Report) -> dict[str, Figure]:
    """Return the figures of a comparison that have something to show."""
    figures = {"plane": PLANE} if report["benchmark"] == "benchpres" else {}
    return {name: figure for name, figure in figures.items() if figure.rows(report)}


def _refuse_judging(*runs: Run) -> None:
    """Raise `Problem` where a run judges a sample: it is compared there, with people and other judges."""
    for run in runs:
        if run.validation:
            raise Problem(
                f"Run {run.pk} judges the sample {run.validation}; expected two runs of "
                f"{' or two of '.join(BENCHMARKS)}. The report of the sample lays its judges side by side."
            )


def _rows_of_both(report: Report) -> Rows:
    """Return MR and AAR of each side on what both sides share, as the tables have them."""
    sides = {
        side_name(report, found, side): {metric: found[metric][side] for metric in ("mr", "aar")}
        for found in report["comparisons"]
        for side in ("first", "second")
    }
    return plane_rows({"conditions": sides})


PLANE = Figure(
    "MR and AAR of both runs in one plane",
    "On what both runs share. On the diagonal a model follows preferences as often where it should not as "
    "where it should; the ideal is the corner at the top left.",
    _rows_of_both,
    draw_plane,
)
