"""What a lead does with runs, one verb a function."""

from evaluation.actions.constructing import collect_pairs
from evaluation.actions.planning import create_run, plan_run
from evaluation.actions.prompts import add_prompt
from evaluation.actions.running import (
    cancel_run,
    pause_run,
    requeue_orphans,
    resume_run,
    set_limits,
    start_run,
)
from evaluation.actions.validation import draw_validation

__all__ = [
    "add_prompt",
    "cancel_run",
    "collect_pairs",
    "create_run",
    "draw_validation",
    "pause_run",
    "plan_run",
    "requeue_orphans",
    "resume_run",
    "set_limits",
    "start_run",
]
