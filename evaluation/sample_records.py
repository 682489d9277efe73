"""A validation sample's rows as its record: the items as drawn, and what people and judges say of each."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from annotate.models import ValidationLabel
from annotate.models.campaign import EXAMPLE_LABELS
from annotate.validation import words_of
from evaluation.benchpres.prompting import COMPLETENESS_PROMPT, JUDGE_PROMPT
from evaluation.models import Generation, Run, RunJudge, RunSample, SampledUnit, Verdict
from evaluation.models.generation import Outcome
from evaluation.pairpref.prompting import JUDGE_PROMPTS
from evaluation.records import JudgeRecord
from evaluation.reporting.instances import context_name
from evaluation.targets import Target
from evaluation.validation.records import (
    EXACT_MATCH,
    PEOPLE,
    RUN_JUDGE,
    SAMPLE_JUDGE,
    Item,
    Rater,
    SampleRecord,
    Stratum,
    Unit,
)

PROMPTS = {Target.LABEL: JUDGE_PROMPT, Target.COMPLETENESS: COMPLETENESS_PROMPT, **JUDGE_PROMPTS}

OF_RUN = (RUN_JUDGE, EXACT_MATCH)


@dataclass(frozen=True)
class Heard:
    """What one rater says, by the primary key of the unit; None where it could not tell or be read."""

    rater: Rater
    values: dict[int, float | None] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)


def sample_record(run_sample: RunSample) -> SampleRecord:
    """Return all that the report of a sample rests on, in a handful of queries whatever its size.

    People are those whose seats have not ended. A judge is there once it has said anything.
    """
    sample, asked = run_sample.sample, run_sample.sample.asked
    units = list(_units(run_sample))
    heard = _named_apart([*_people(run_sample), *_of_run(run_sample, units), *_of_sample(run_sample)])
    items = tuple(_item(unit, heard) for unit in units)
    return SampleRecord(
        slug=sample.slug,
        name=sample.name,
        run=run_sample.run_id,
        target=run_sample.target,
        state=sample.state,
        seed=run_sample.seed,
        arms=tuple(run_sample.conditions),
        over=tuple(run_sample.over),
        strata=tuple(Stratum(**stratum) for stratum in run_sample.strata),
        values=asked.values,
        value_words=tuple(words_of(sample.question, value) for value in asked.values),
        is_ordered=asked.is_ordered,
        raters=tuple(one.rater for one in heard),
        items=items,
        notices=tuple(_notices(run_sample, items)),
    )


def _units(run_sample: RunSample) -> Iterable[SampledUnit]:
    about = ("generation__profile", "generation__context", "generation__pair__preference")
    units = run_sample.units.select_related("item", "preference", *about).order_by("item__number")
    return units.defer("generation__reply")


def _people(run_sample: RunSample) -> Iterator[Heard]:
    """Yield every person with a seat, in the order of the seats, also one that has not begun."""
    raters = run_sample.sample.raters.filter(is_active=True).order_by("pk")
    people = {rater.pk: Heard(Rater(rater.pseudonym, PEOPLE)) for rater in raters}
    labels = ValidationLabel.objects.filter(rater__in=list(people))
    for rater, unit, value, comment in labels.values_list("rater", "item__sampled_unit", "value", "comment"):
        people[rater].values[unit] = value
        if comment:
            people[rater].comments[unit] = comment
    yield from people.values()


def _of_run(run_sample: RunSample, units: Iterable[SampledUnit]) -> Iterator[Heard]:
    """Yield the judges of the run in the order in which they were named, then the exact match."""
    places = {(unit.generation_id, unit.preference_id): unit.pk for unit in units}
    verdicts = Verdict.objects.filter(
        target=run_sample.target, generation__in=run_sample.units.values("generation")
    )
    said: dict[int | None, dict[int, float | None]] = {}
    ended = verdicts.exclude(outcome=Outcome.PLANNED).order_by("pk")
    rows = ended.values_list("generation", "preference", "judge", "value")
    for generation, preference, judge, value in rows:
        if (generation, preference) in places:
            said.setdefault(judge, {})[places[generation, preference]] = value
    judges = enumerate(run_sample.run.judges.order_by("pk"), start=1)
    heard = [Heard(_judge(run_sample, number, judge), said.get(judge.pk, {})) for number, judge in judges]
    yield from (one for one in heard if one.values)
    if None in said:
        yield Heard(Rater(EXACT_MATCH, EXACT_MATCH), said[None])


def _judge(run_sample: RunSample, number: int, judge: RunJudge) -> Rater:
    known = JudgeRecord(number, judge.endpoint_snapshot, judge.duty, judge.category, judge.is_subject)
    return Rater(
        known.name,
        RUN_JUDGE,
        judge=number,
        endpoint=judge.endpoint_snapshot,
        prompt_hash=_prompt_hash(run_sample.run, run_sample.target),
    )


def _of_sample(run_sample: RunSample) -> Iterator[Heard]:
    """Yield the judges of the sample alone, each with the number of the run in which it judged."""
    runs = {run.pk: Heard(_sample_judge(run, run_sample)) for run in run_sample.judging_runs.order_by("pk")}
    rows = Generation.objects.filter(run__in=list(runs), sampled__isnull=False)
    ended = rows.exclude(outcome=Outcome.PLANNED).order_by("sample", "pk")
    for run, unit, outcome, choice in ended.values_list("run", "sampled", "outcome", "choice"):
        runs[run].values.setdefault(unit, float(choice) if outcome == Outcome.DONE else None)
    yield from (one for one in runs.values() if one.values)


def _sample_judge(run: Run, run_sample: RunSample) -> Rater:
    return Rater(
        f"{run.endpoint_snapshot['name']} (run {run.pk})",
        SAMPLE_JUDGE,
        run=run.pk,
        endpoint=run.endpoint_snapshot,
        prompt_hash=_prompt_hash(run, run_sample.target),
    )


def _prompt_hash(run: Run, target: str) -> str:
    return run.prompt_hashes.get(PROMPTS[Target(target)], "")


def _named_apart(heard: Iterable[Heard]) -> list[Heard]:
    """Give a judge that is called like a rater before it a name that tells them apart."""
    found: dict[str, Heard] = {}
    for one in heard:
        name = one.rater.name
        while name in found:
            name = f"{name} ({one.rater.kind})"
        found[name] = replace(one, rater=replace(one.rater, name=name))
    return list(found.values())


def _item(row: SampledUnit, heard: Iterable[Heard]) -> Item:
    is_changed = row.generation.message != row.item.texts["message"]
    said = [one for one in heard if row.pk in one.values and not (is_changed and one.rater.kind in OF_RUN)]
    counted = next((one.values[row.pk] for one in said if one.rater.kind in OF_RUN), None)
    return Item(
        number=row.item.number,
        unit=_unit(row, counted),
        stratum=row.stratum,
        texts=row.item.texts,
        given={one.rater.name: one.values[row.pk] for one in said},
        comments={one.rater.name: one.comments[row.pk] for one in said if row.pk in one.comments},
        is_changed=is_changed,
    )


def _unit(row: SampledUnit, verdict: float | None) -> Unit:
    return Unit(
        generation=row.generation_id,
        preference=row.preference.text if row.preference else "",
        arm=row.generation.condition,
        part=row.part,
        together=row.together,
        cluster=_cluster(row.generation),
        category=row.category,
        domains=tuple(row.domains),
        verdict=verdict,
    )


def _cluster(row: Generation) -> Hashable:
    """Return what intervals of the run draw whole: the preference of a pair, or (profile, context)."""
    if row.pair:
        return row.pair.preference.key
    context = (row.context.recipient, row.context.task) if row.context else None
    return row.profile.key if row.profile else "", context_name(context)


def _notices(run_sample: RunSample, items: Iterable[Item]) -> Iterator[str]:
    sample, release = run_sample.sample, run_sample.run.release
    if sample.is_example:
        yield sample.example_notice
    if release and release.is_example:
        yield f"The gold labels of the run come from {EXAMPLE_LABELS}."
    if sample.state == sample.State.OPEN:
        yield "Labelling is open: what stands here can still change."
    else:
        yield "Labelling has ended."
    if changed := sum(item.is_changed for item in items):
        yield (
            f"The run's answer has been read differently since the sample was drawn, in {changed:,} of its "
            "items: there its judges speak of another text than people saw, and are left out."
        )
