"""What a lead does with runs, one verb a function."""

from evaluation.actions.planning import create_run
from evaluation.actions.running import (
    cancel_run,
    pause_run,
    requeue_orphans,
    resume_run,
    start_run,
)

__all__ = [
    "cancel_run",
    "create_run",
    "pause_run",
    "requeue_orphans",
    "resume_run",
    "start_run",
]
