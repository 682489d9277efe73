"""The reports of stored runs."""

from dataclasses import replace
from typing import Any

from evaluation.benchpres.metrics import ClusterBy
from evaluation.judge_cards import described_cards
from evaluation.models import Run
from evaluation.reporting.report import report_of
from evaluation.stored_run import record_of


def run_report(run: Run, cluster_by: ClusterBy = "context") -> dict[str, Any]:
    """Return everything that a run found and everything that explains it, ready for JSON.

    `cluster_by` "profile" has the rates of BenchPreS resample whole profiles.
    """
    return report_of(replace(record_of(run), cluster_by=cluster_by))


def report_with_cards(run: Run, cluster_by: ClusterBy = "context") -> dict[str, Any]:
    """Return the report, and how far its judges are validated: that changes with time, no archive has it."""
    return run_report(run, cluster_by) | {"judge_cards": described_cards(run)}
