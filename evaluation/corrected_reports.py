"""The rates of stored runs, corrected by their stored validation samples."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from evaluation.benchpres.metrics import ClusterBy
from evaluation.models import Run, RunSample
from evaluation.reporting.correction import SCORE_WIDTH, WIDTH, correction_report
from evaluation.sample_records import sample_record
from evaluation.stored_run import record_of


def corrected_report(
    run: Run,
    run_samples: Sequence[RunSample],
    *,
    cluster_by: ClusterBy = "context",
    width: float = WIDTH,
    score_width: float = SCORE_WIDTH,
) -> dict[str, Any]:
    """Return a run's rates beside the same corrected for its judges' errors, ready for JSON.

    Raises:
        Problem: if a sample is of another run, has no label that counts or is named twice, or if two samples
            ask the same of one condition.
    """
    record = replace(record_of(run), cluster_by=cluster_by)
    samples = [sample_record(run_sample) for run_sample in run_samples]
    return correction_report(record, samples, width=width, score_width=score_width)
