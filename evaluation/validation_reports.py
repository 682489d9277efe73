"""The reports of stored validation samples."""

from typing import Any

from evaluation.models import RunSample
from evaluation.reporting.validation import sample_report
from evaluation.sample_records import sample_record


def validation_report(run_sample: RunSample) -> dict[str, Any]:
    """Return how well judges agree with people on a sample, and all that explains it, ready for JSON."""
    return sample_report(sample_record(run_sample))
