"""How a run ends by itself: every unit has ended, an endpoint refuses every call, or the corpus changed."""

from django.utils import timezone

from annotate.models import Dataset
from evaluation.models import Generation, Run, Verdict
from evaluation.models.generation import Outcome

State = Run.State


def end_if_complete(run: Run) -> bool:
    """Call the run done once every unit has ended; tell whether it is."""
    if has_open_units(run):
        return False
    done = {"state": State.DONE, "state_reason": "", "finished_at": timezone.now()}
    Run.objects.filter(pk=run.pk, state__in=(State.RUNNING, State.PAUSED)).update(**done)
    return True


def has_open_units(run: Run) -> bool:
    """Tell whether some unit of the run has not ended."""
    return (
        Generation.objects.filter(run=run, outcome=Outcome.PLANNED).exists()
        or Verdict.objects.filter(generation__run=run, outcome=Outcome.PLANNED).exists()
    )


def corpus_change(run: Run) -> str:
    """Return why what is left of the run cannot be asked: its corpus changed; empty where it did not.

    A judging run asks about texts that stay as they were drawn.
    """
    if run.validation_id is not None:
        return ""
    dataset = Dataset.objects.get(pk=run.dataset_id)
    if dataset.content_hash == run.corpus_hash or not has_open_units(run):
        return ""
    return (
        f"The corpus {dataset} is now version {dataset.version}; run {run.pk} was planned on version "
        f"{run.corpus_version}: plan a new run."
    )


def stop_run(run: Run, reason: str) -> None:
    """Hold the run because it cannot go on, in the endpoint's words where it is the endpoint's doing."""
    Run.objects.filter(pk=run.pk, state=State.RUNNING).update(state=State.STOPPED, state_reason=reason)


def explain_state(run: Run, reason: str) -> None:
    """Say why a run that goes on does nothing now; an empty reason says that it does again."""
    Run.objects.filter(pk=run.pk, state=State.RUNNING).exclude(state_reason=reason).update(
        state_reason=reason
    )
