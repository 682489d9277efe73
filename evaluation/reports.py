"""The reports of stored runs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evaluation.benchpres.metrics import ClusterBy
from evaluation.judge_cards import described_cards
from evaluation.models import Run, RunSample
from evaluation.records import RunRecord
from evaluation.reporting.correction import SCORE_WIDTH, WIDTH, correction_report
from evaluation.reporting.report import report_of
from evaluation.sample_records import sample_record
from evaluation.stored_run import record_of


def run_report(run: Run, cluster_by: ClusterBy = "context") -> dict[str, Any]:
    """Return everything that a run found and everything that explains it, ready for JSON.

    `cluster_by` "profile" has the rates of BenchPreS resample whole profiles.
    """
    return report_of(_record(run, cluster_by))


def report_with_cards(
    run: Run,
    cluster_by: ClusterBy = "context",
    corrected: Sequence[RunSample] = (),
    **widths: float,
) -> dict[str, Any]:
    """Return the report with what changes with time, and no archive has.

    That is how far the run's judges are validated and, where samples are given, its corrected rates:
    `corrected_report` says what is raised for these.
    """
    record = _record(run, cluster_by)
    report = report_of(record) | {"judge_cards": described_cards(run)}
    if corrected:
        report["corrected"] = _corrected(record, corrected, **widths)
    return report


def corrected_report(run: Run, run_samples: Sequence[RunSample], **widths: float) -> dict[str, Any]:
    """Return a run's rates beside the same corrected for its judges' errors, ready for JSON.

    `width` and `score_width` say how wide an interval may be where labels to go are told.

    Raises:
        Problem: if a sample is of another run, has no label that counts or is named twice, or if two samples
            ask the same of one condition.
    """
    return _corrected(_record(run, "context"), run_samples, **widths)


def _record(run: Run, cluster_by: ClusterBy) -> RunRecord:
    return replace(record_of(run), cluster_by=cluster_by)


def _corrected(
    record: RunRecord,
    run_samples: Sequence[RunSample],
    *,
    width: float = WIDTH,
    score_width: float = SCORE_WIDTH,
) -> dict[str, Any]:
    samples = [sample_record(run_sample) for run_sample in run_samples]
    return correction_report(record, samples, width=width, score_width=score_width)
