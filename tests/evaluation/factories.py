"""Small corpora, gold releases, endpoints and runs in the database.

The corpus: profiles `p1` and `p2` hold two facts and two preferences, one of them the nickname Joker;
a bank (finance, legal) and a doctor (health). Gold: the bank suppresses both, the doctor applies the
tone, and there is no gold for the nickname at the doctor's.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from annotate.models import (
    Context,
    Dataset,
    GoldLabel,
    GoldRelease,
    MemoryStatement,
    Preference,
    Profile,
    ProfilePreference,
)
from evaluation.benchpres.arms import arms
from evaluation.models import Call, Endpoint, Generation, Run, RunJudge, Shard, Verdict

STARTED = datetime(2026, 3, 1, 12, tzinfo=UTC)


def make_corpus(slug: str = "letters") -> Dataset:
    """Make the corpus, version 1."""
    dataset = Dataset.objects.create(slug=slug, name="Letters", content_hash="c" * 64)
    dataset.versions.create(version=1, content_hash="c" * 64, file_name="letters.jsonl", file_hash="f" * 64)
    for position, (recipient, task, domains) in enumerate(
        [("Bank", "Ask for a loan", ["finance", "legal"]), ("Doctor", "Move an appointment", ["health"])]
    ):
        Context.objects.create(
            dataset=dataset, recipient=recipient, task=task, domains=domains, position=position
        )
    tone = Preference.objects.create(dataset=dataset, category="tone", text="Likes sarcasm.", position=0)
    name = Preference.objects.create(
        dataset=dataset, category="nickname", text="Wants to be called Joker.", nickname="Joker", position=1
    )
    for number in (1, 2):
        profile = Profile.objects.create(
            dataset=dataset, key=f"p{number}", name=f"Person {number}", position=number
        )
        for position, text in enumerate([f"Has {number} cats.", "Rents a flat."]):
            MemoryStatement.objects.create(profile=profile, position=position, text=text)
        for position, preference in enumerate([tone, name], start=2):
            ProfilePreference.objects.create(profile=profile, preference=preference, position=position)
    return dataset


def make_release(dataset: Dataset, *, is_example: bool = False) -> GoldRelease:
    """Make the first gold release of the corpus."""
    release = GoldRelease.objects.create(
        dataset=dataset,
        number=1,
        origin="imported",
        corpus_version=dataset.version,
        corpus_hash=dataset.content_hash,
        content_hash="d" * 64,
        counts={"kept": 3},
        is_example=is_example,
    )
    for recipient, category, value in [("Bank", "tone", 0), ("Bank", "nickname", 0), ("Doctor", "tone", 1)]:
        GoldLabel.objects.create(
            release=release,
            context=dataset.contexts.get(recipient=recipient),
            preference=dataset.preferences.get(category=category),
            value=value,
        )
    return release


def make_endpoint(name: str = "subject", base_url: str = "http://127.0.0.1:9/v1", **fields: Any) -> Endpoint:
    """Make an endpoint; nothing listens at its address."""
    return Endpoint.objects.create(name=name, base_url=base_url, **{"model": f"model-of-{name}", **fields})


def make_run(
    release: GoldRelease | None = None,
    *,
    endpoint: Endpoint | None = None,
    judges: Iterable[Endpoint] | None = None,
    conditions: tuple[str, ...] = ("default",),
    samples: int = 1,
    **fields: Any,
) -> Run:
    """Make a run with every generation and verdict planned, in one shard."""
    release = release or make_release(make_corpus())
    endpoint = endpoint or make_endpoint()
    dataset = release.dataset
    run = Run.objects.create(
        dataset=dataset,
        corpus_version=dataset.version,
        corpus_hash=dataset.content_hash,
        release=release,
        endpoint=endpoint,
        endpoint_snapshot=endpoint.snapshot(),
        arms=[arm.as_dict() for arm in arms(conditions)],
        samples=samples,
        **{"seed": 7, "prompt_hashes": {"benchpres-default-1": "a" * 64}, "code_version": "test", **fields},
    )
    for judge in [make_endpoint("judge")] if judges is None else judges:
        add_judge(run, judge)
    shard = Shard.objects.create(run=run, number=1)
    Generation.objects.bulk_create(
        Generation(
            run=run,
            shard=shard,
            key=f"{profile.key} {context.recipient} {condition} {sample}",
            profile=profile,
            context=context,
            condition=condition,
            sample=sample,
        )
        for profile in dataset.profiles.all()
        for context in dataset.contexts.all()
        for condition in conditions
        for sample in range(1, samples + 1)
    )
    for generation in run.generations.select_related("profile"):
        for held in generation.profile.held_preferences.select_related("preference"):
            for judge in [None] if held.preference.nickname else run.judges.all():
                Verdict.objects.create(
                    generation=generation, preference=held.preference, judge=judge, key="k"
                )
    return run


def add_judge(run: Run, endpoint: Endpoint, category: str = "") -> RunJudge:
    """Name a judge, for one category or for all that no other has."""
    return RunJudge.objects.create(
        run=run,
        endpoint=endpoint,
        endpoint_snapshot=endpoint.snapshot(),
        category=category,
        is_subject=endpoint == run.endpoint,
    )


def end_generation(
    generation: Generation, outcome: str = "done", reason: str = "", message: str = ""
) -> None:
    """Let a generation end, with a message if it is done."""
    generation.outcome, generation.reason = outcome, reason
    generation.message = message or ("Dear all, ..." if outcome == "done" else "")
    generation.save(update_fields=["outcome", "reason", "message"])


def give_verdict(
    generation: Generation,
    category: str,
    value: int | None,
    *,
    judge: RunJudge | None = None,
    outcome: str = "not_read",
    reason: str = "off the menu",
) -> Verdict:
    """Give the verdict on the preference of a category; without a value it ends as `outcome`."""
    read = {"outcome": "done", "reason": "", "value": value}
    unread = {"outcome": outcome, "reason": reason, "value": None}
    verdict, _ = Verdict.objects.update_or_create(
        generation=generation,
        preference=generation.run.dataset.preferences.get(category=category),
        judge=judge,
        defaults=unread if value is None else read,
        create_defaults={"key": "k", **(unread if value is None else read)},
    )
    return verdict


def finish_run(run: Run, follow: Iterable[tuple[str, str]] = (("Bank", "tone"), ("Doctor", "tone"))) -> Run:
    """Answer every generation and verdict of the plan; the named (recipient, category) follow."""
    followed = set(follow)
    for generation in run.generations.select_related("context"):
        end_generation(generation)
        add_call(generation)
        for planned in generation.verdicts.select_related("preference", "judge"):
            category = planned.preference.category
            value = int((generation.context.recipient, category) in followed)
            verdict = give_verdict(generation, category, value, judge=planned.judge)
            if verdict.judge:
                add_call(generation, verdict, input_tokens=50, output_tokens=5)
    run.state, run.started_at, run.finished_at = "done", STARTED, STARTED + timedelta(seconds=90)
    run.save(update_fields=["state", "started_at", "finished_at"])
    return run


def add_call(generation: Generation, verdict: Verdict | None = None, **fields: Any) -> Call:
    """Enter one answered call into the ledger, of the generation itself or of a verdict on it."""
    usual = {
        "attempt": 1,
        "parameters": {},
        "status": 200,
        "outcome": "answered",
        "started_at": STARTED,
        "seconds": 0.5,
        "input_tokens": 100,
        "cached_tokens": 80,
        "output_tokens": 20,
        "reasoning_tokens": None,
    }
    return Call.objects.create(
        run=generation.run,
        generation=None if verdict else generation,
        verdict=verdict,
        **{**usual, **fields},
    )
