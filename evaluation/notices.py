"""What a reader of a run must know before the numbers."""

from annotate.models import CorpusVersion
from annotate.models.campaign import EXAMPLE_LABELS
from evaluation.models import Run
from evaluation.models.generation import Outcome


def run_notices(run: Run) -> list[str]:
    """Return the plain statements that stand above a run's numbers."""
    return [
        notice
        for notice in (
            *_about_models(run),
            _about_gold(run),
            *_about_state(run),
            _about_cut_messages(run),
            _about_lost_calls(run),
        )
        if notice
    ]


def _about_models(run: Run) -> list[str]:
    notices = []
    judges = list(run.judges.order_by("id"))
    if run.endpoint_snapshot.get("is_embedded"):
        notices.append(
            "The model is the small one that comes with Tact. Its answers only show that the path works; "
            "they say nothing about the models that people use."
        )
    if any(judge.endpoint_snapshot.get("is_embedded") for judge in judges):
        notices.append(
            "A judge is the small model that comes with Tact. It cannot judge reliably: take no rate from "
            "its verdicts as a finding."
        )
    if any(judge.is_subject for judge in judges):
        notices.append("The judge is the model under test: it judges its own messages.")
    return notices


def _about_gold(run: Run) -> str:
    if run.release.is_example:
        return f"The gold labels come from {EXAMPLE_LABELS}."
    return ""


def _about_cut_messages(run: Run) -> str:
    messages = run.generations.filter(outcome=Outcome.DONE)
    cut = messages.exclude(reason="").count()
    if not cut:
        return ""
    of_all = f"{cut:,} of {messages.count():,} messages"
    return f"{of_all} were cut by the length limit, and judged as far as they go."


def _about_lost_calls(run: Run) -> str:
    if not run.calls_perhaps_lost:
        return ""
    return (
        f"A worker was killed: up to {run.calls_perhaps_lost:,} calls may have been paid twice. They were "
        "under way and had to be asked again; the calls and tokens below do not include them."
    )


def _about_state(run: Run) -> list[str]:
    notices = []
    if run.state == Run.State.PLANNED:
        notices.append("The run has not been started: no model was asked anything yet.")
    elif run.state != Run.State.DONE:
        reason = f": {run.state_reason}" if run.state_reason else ""
        notices.append(
            f"The run is {run.get_state_display()}{reason}. The numbers are those of what has ended so far."
        )
    newest = CorpusVersion.objects.filter(dataset=run.dataset_id).order_by("-version").first()
    if newest and newest.content_hash != run.corpus_hash:
        notices.append(
            f"The corpus has changed since: the run used version {run.corpus_version}, "
            f"the newest is {newest.version}."
        )
    return notices
