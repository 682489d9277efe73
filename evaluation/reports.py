"""The reports of stored runs."""

from typing import Any

from evaluation.models import Run
from evaluation.reporting.report import report_of
from evaluation.stored_run import record_of


def run_report(run: Run) -> dict[str, Any]:
    """Return everything that a run found and everything that explains it, ready for JSON."""
    return report_of(record_of(run))
