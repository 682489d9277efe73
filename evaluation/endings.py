"""How a run ends by itself: every unit has ended, or an endpoint refuses every call."""

from django.utils import timezone

from evaluation.models import Generation, Run, Verdict
from evaluation.models.generation import Outcome

State = Run.State


def end_if_complete(run: Run) -> bool:
    """Call the run done once every unit has ended; tell whether it is."""
    open_units = (
        Generation.objects.filter(run=run, outcome=Outcome.PLANNED).exists()
        or Verdict.objects.filter(generation__run=run, outcome=Outcome.PLANNED).exists()
    )
    if open_units:
        return False
    done = {"state": State.DONE, "state_reason": "", "finished_at": timezone.now()}
    Run.objects.filter(pk=run.pk, state__in=(State.RUNNING, State.PAUSED)).update(**done)
    return True


def stop_run(run: Run, reason: str) -> None:
    """Hold the run because the endpoint refuses every call, in the endpoint's words."""
    Run.objects.filter(pk=run.pk, state=State.RUNNING).update(state=State.STOPPED, state_reason=reason)


def explain_state(run: Run, reason: str) -> None:
    """Say why a run that goes on does nothing now; an empty reason says that it does again."""
    Run.objects.filter(pk=run.pk, state=State.RUNNING).exclude(state_reason=reason).update(
        state_reason=reason
    )
