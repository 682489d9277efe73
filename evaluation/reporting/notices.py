"""What a reader of a run must know before the numbers."""

from collections.abc import Iterator

from evaluation.records import RunRecord


def run_notices(record: RunRecord) -> list[str]:
    """Return the plain statements that stand above a run's numbers."""
    return [
        *_about_models(record),
        *_about_gold(record),
        *_about_state(record),
        *_about_cut_messages(record),
        *_about_lost_calls(record),
    ]


def _about_models(record: RunRecord) -> Iterator[str]:
    sample = record.plan.get("validation")
    judges = [record.plan["endpoint"]] if sample else [judge.endpoint for judge in record.judges]
    if not sample and record.plan["endpoint"].get("is_embedded"):
        yield (
            "The model is the small one that comes with Tact. Its answers only show that the path works; "
            "they say nothing about the models that people use."
        )
    if any(judge.get("is_embedded") for judge in judges):
        yield (
            "A judge is the small model that comes with Tact. It cannot judge reliably: take no rate from "
            "its verdicts as a finding."
        )
    if any(judge.is_subject for judge in record.judges):
        yield "The judge is the model under test: it judges its own messages."
    if sample and sample["judges_itself"]:
        yield f"The judge is the model under test of run {sample['run']}: it judges its own answers."


def _about_gold(record: RunRecord) -> Iterator[str]:
    if record.plan["example_labels"]:
        yield f"The gold labels come from {record.plan['example_labels']}."
    if record.plan["review"]:
        yield (
            "Only pairs were asked whose original direction every reviewer of "
            f"{record.plan['review']} confirmed."
        )


def _about_cut_messages(record: RunRecord) -> Iterator[str]:
    messages = [row for row in record.generations if row.outcome == "done" and row.message]
    cut = sum(bool(row.reason) for row in messages)
    if cut:
        yield (
            f"{cut:,} of {len(messages):,} messages were cut by the length limit, and judged as far as they "
            "go."
        )


def _about_lost_calls(record: RunRecord) -> Iterator[str]:
    if lost := record.calls["perhaps_lost"]:
        yield (
            f"A worker was killed: up to {lost:,} calls may have been paid twice. They were "
            "under way and had to be asked again; the calls and tokens below do not include them."
        )


def _about_state(record: RunRecord) -> Iterator[str]:
    plan = record.plan
    if plan["state"] == "planned":
        yield "The run has not been started: no model was asked anything yet."
    elif plan["state"] != "done":
        reason = f": {plan['state_reason']}" if plan["state_reason"] else ""
        yield f"The run is {plan['state']}{reason}. The numbers are those of what has ended so far."
    newest = plan["newest_corpus_version"]
    if newest != plan["corpus_version"]:
        yield (
            f"The corpus has changed since: the run used version {plan['corpus_version']}, "
            f"the newest is {newest}."
        )
