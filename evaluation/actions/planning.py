"""From what a lead asks for to the rows of a run: every unit once, before anything is sent."""

from collections.abc import Iterator, Sequence
from itertools import batched

from django.contrib.auth.models import User
from django.db import transaction

from annotate.models import Context, Dataset, GoldRelease, Preference, Profile
from annotate.problems import Problem
from evaluation.benchpres.plan import Asked, GenerationUnit, choose, plan, shards, verdict_key
from evaluation.benchpres.prompting import JUDGE_PROMPT, check_condition, prompt_hashes
from evaluation.code_version import code_version
from evaluation.models import Endpoint, Generation, Run, RunJudge, Shard, Verdict
from evaluation.running.units import planned_profile

BENCHMARKS = ("benchpres",)
MOST_SAMPLES = 1_000
HIGHEST_SEED = 2**63 - 1
HIGHEST_TEMPERATURE = 2
SHARD_SIZE = 20
BATCH = 1_000

NamedJudge = tuple[Endpoint, str]


@transaction.atomic
def create_run(
    *,
    benchmark: str = "benchpres",
    dataset: Dataset,
    release: GoldRelease,
    endpoint: Endpoint,
    judges: Sequence[NamedJudge],
    conditions: Sequence[str] = ("default",),
    samples: int = 3,
    seed: int = 1,
    temperature: float = 1.0,
    profiles: int | Sequence[str] | None = None,
    contexts: int | None = None,
    created_by: User | None = None,
) -> Run:
    """Plan a run: its generations in shards, and a verdict of each judge on each of them.

    `judges` are (endpoint, category); an empty category is every one without a judge of its own.
    `profiles` is a number to draw by the seed, a list of keys, or None for all; so are `contexts`, but
    for the keys. Nothing is sent before `start_run`.
    """
    _refuse_bad_plan(benchmark, dataset, release, conditions)
    _refuse_bad_numbers(samples, seed, temperature, profiles=profiles, contexts=contexts)
    _refuse_unjudged(dataset, judges)
    chosen = _chosen_profiles(dataset, profiles, seed)
    places = choose(list(dataset.contexts.order_by("position")), contexts, seed)
    subject = asked(endpoint, temperature)
    units = plan(
        [planned_profile(profile) for profile in chosen],
        [(context.recipient, context.task) for context in places],
        conditions,
        samples,
        subject=subject,
        corpus_hash=dataset.content_hash,
    )
    if not units:
        raise Problem(f"Dataset {dataset} has no profile or no context; a run needs at least one of each.")
    run = Run.objects.create(
        benchmark=benchmark,
        dataset=dataset,
        corpus_version=dataset.version,
        corpus_hash=dataset.content_hash,
        release=release,
        endpoint=endpoint,
        endpoint_snapshot=endpoint.snapshot(),
        conditions=list(conditions),
        samples=samples,
        seed=seed,
        temperature=temperature,
        prompt_hashes=prompt_hashes(conditions),
        code_version=code_version(),
        created_by=created_by,
    )
    named = [_name_judge(run, judge, category) for judge, category in judges]
    generations = _create_generations(run, units, chosen, places)
    _create_verdicts(generations, chosen, named)
    return run


def asked(endpoint: Endpoint, temperature: float | None = None) -> Asked:
    """Return what of an endpoint changes an answer."""
    chosen = {} if temperature is None else {"temperature": temperature}
    return Asked(endpoint.base_url, endpoint.model, endpoint.parameters | chosen)


def _refuse_bad_plan(
    benchmark: str, dataset: Dataset, release: GoldRelease, conditions: Sequence[str]
) -> None:
    if benchmark not in BENCHMARKS:
        raise Problem(f"Benchmark {benchmark!r} is unknown; expected one of {', '.join(BENCHMARKS)}.")
    if release.dataset_id != dataset.pk:
        raise Problem(f"Gold release {release} is of dataset {release.dataset}; expected one of {dataset}.")
    if not conditions or len(set(conditions)) < len(conditions):
        raise Problem("Name at least one condition, and each only once.")
    for condition in conditions:
        check_condition(condition)


def _refuse_bad_numbers(samples: int, seed: int, temperature: float, **counts: object) -> None:
    for name, count in counts.items():
        if isinstance(count, int) and count < 1:
            raise Problem(f"The number of {name} is {count}; expected 1 or more.")
    if not 1 <= samples <= MOST_SAMPLES:
        raise Problem(f"The number of samples is {samples}; expected 1 to {MOST_SAMPLES}.")
    if not 0 <= seed <= HIGHEST_SEED:
        raise Problem(f"The seed is {seed}; expected a whole number from 0 to 2**63 - 1.")
    if not 0 <= temperature <= HIGHEST_TEMPERATURE:
        raise Problem(f"The temperature is {temperature}; expected a number from 0 to {HIGHEST_TEMPERATURE}.")


def _refuse_unjudged(dataset: Dataset, judges: Sequence[NamedJudge]) -> None:
    """Ask for a judge of every category that has preferences without a nickname to match."""
    judged = set(
        dataset.preferences.filter(nickname="").order_by().values_list("category", flat=True).distinct()
    )
    named = {category for _, category in judges}
    if unknown := named - judged - {""}:
        raise Problem(
            f"Dataset {dataset} has no preferences to judge in category {', '.join(sorted(unknown))}; "
            f"expected one of {', '.join(sorted(judged))}."
        )
    if "" not in named and (unjudged := judged - named):
        without = ", ".join(sorted(name or "preferences without a category" for name in unjudged))
        raise Problem(f"No judge is named for {without}; name one for all categories, or one for each.")
    if len(set(judges)) < len(judges):
        raise Problem("A judge is named twice for the same category; name it once.")


def _chosen_profiles(dataset: Dataset, wanted: int | Sequence[str] | None, seed: int) -> list[Profile]:
    every = list(dataset.profiles.order_by("position"))
    if wanted is None or isinstance(wanted, int):
        return choose(every, wanted, seed)
    by_key = {profile.key: profile for profile in every}
    if unknown := [key for key in wanted if key not in by_key]:
        raise Problem(
            f"Dataset {dataset} has no profile {', '.join(unknown)}; expected some of {', '.join(by_key)}."
        )
    return [by_key[key] for key in dict.fromkeys(wanted)]


def _name_judge(run: Run, endpoint: Endpoint, category: str) -> RunJudge:
    subject = run.endpoint
    return RunJudge.objects.create(
        run=run,
        endpoint=endpoint,
        endpoint_snapshot=endpoint.snapshot(),
        category=category,
        is_subject=(endpoint.base_url, endpoint.model) == (subject.base_url, subject.model),
    )


def _create_generations(
    run: Run, units: Sequence[GenerationUnit], profiles: Sequence[Profile], contexts: Sequence[Context]
) -> list[Generation]:
    by_key = {profile.key: profile for profile in profiles}
    by_words = {(context.recipient, context.task): context for context in contexts}
    rows = []
    for number, shard_units in enumerate(shards(units, SHARD_SIZE)):
        shard = Shard.objects.create(run=run, number=number)
        rows += [
            Generation(
                run=run,
                shard=shard,
                key=unit.key,
                profile=by_key[unit.profile_key],
                context=by_words[unit.recipient, unit.task],
                condition=unit.condition,
                sample=unit.sample,
            )
            for unit in shard_units
        ]
    return Generation.objects.bulk_create(rows, batch_size=BATCH)


def _create_verdicts(
    generations: Sequence[Generation], profiles: Sequence[Profile], judges: Sequence[RunJudge]
) -> None:
    held = {
        profile.pk: [
            row.preference
            for row in profile.held_preferences.select_related("preference").order_by("position")
        ]
        for profile in profiles
    }
    judge_hash = prompt_hashes([])[JUDGE_PROMPT]
    rows = (
        _verdict(generation, preference, judge, judge_hash)
        for generation in generations
        for preference in held[generation.profile_id]
        for judge in _judges_of(preference, judges)
    )
    for batch in batched(rows, BATCH):
        Verdict.objects.bulk_create(batch)


def _judges_of(preference: Preference, judges: Sequence[RunJudge]) -> Iterator[RunJudge | None]:
    """Yield the judges of a preference; None for one that is judged by exact match."""
    if preference.nickname:
        yield None
        return
    own = [judge for judge in judges if judge.category == preference.category]
    yield from own or [judge for judge in judges if not judge.category]


def _verdict(
    generation: Generation, preference: Preference, judge: RunJudge | None, judge_hash: str
) -> Verdict:
    key = verdict_key(
        generation_key=generation.key,
        preference=preference.text,
        judge=asked(judge.endpoint) if judge else None,
        prompt_hash=judge_hash if judge else "",
    )
    return Verdict(generation=generation, preference=preference, judge=judge, key=key)
