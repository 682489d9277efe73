"""What a lead can do with a run in each of its states, for the page and the admin alike."""

from collections.abc import Callable
from dataclasses import dataclass

from evaluation.actions import cancel_run, pause_run, resume_run, start_run
from evaluation.models import Run

State = Run.State


@dataclass(frozen=True)
class Control:
    """A verb on a button, what it does, in which states it is offered, in which only when unattended."""

    label: str
    act: Callable[[Run], None]
    states: tuple[str, ...]
    unattended_states: tuple[str, ...] = ()


CONTROLS = {
    "start": Control("Start", start_run, (State.PLANNED,)),
    "pause": Control("Pause", pause_run, (State.RUNNING,)),
    "resume": Control(
        "Resume", resume_run, (State.PAUSED, State.STOPPED), unattended_states=(State.RUNNING,)
    ),
    "cancel": Control("Cancel", cancel_run, (State.PLANNED, State.RUNNING, State.PAUSED, State.STOPPED)),
}


def controls_of(run: Run, is_worked_on: bool) -> dict[str, Control]:
    """Return the controls that a run in its state has."""
    return {
        verb: control
        for verb, control in CONTROLS.items()
        if run.state in control.states or (run.state in control.unattended_states and not is_worked_on)
    }
