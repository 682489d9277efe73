"""A validation sample's rows as its record: the items as drawn, and what people and judges say of each."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from annotate.models import Rater as Seat
from annotate.models import ValidationLabel
from annotate.models.campaign import EXAMPLE_LABELS
from annotate.validation import words_of
from evaluation.asking.validation import JUDGE_PROMPTS
from evaluation.models import Generation, Run, RunJudge, RunSample, SampledUnit, Verdict
from evaluation.models.generation import Outcome
from evaluation.stored_run import judge_record
from evaluation.targets import Target
from evaluation.validation.records import (
    EXACT_MATCH,
    OF_RUN,
    PEOPLE,
    RUN_JUDGE,
    SAMPLE_JUDGE,
    Item,
    Rater,
    SampleRecord,
    Stratum,
    Unit,
)

# Such judgements do not count; one that failed or was not read counts as one that could not be read.
NOT_ASKED = (Outcome.PLANNED, Outcome.SKIPPED)

# By primary key of a sample or, for what a run has, of its run.
type Grouped[T] = defaultdict[int, list[T]]
type Values = dict[int, float | None]
# A sample, and a judge of its run or None for the exact match.
type Said = tuple[int, int | None]


@dataclass(frozen=True)
class Heard:
    """What one rater says, by the primary key of the unit; None where it could not tell or be read."""

    rater: Rater
    values: Values = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)


def sample_record(run_sample: RunSample) -> SampleRecord:
    """Return all that the report of a sample rests on, in a handful of queries whatever its size.

    People are those whose seats have not ended. A judge is there once it has said anything.
    """
    [record] = sample_records([run_sample])
    return record


def sample_records(run_samples: Sequence[RunSample]) -> list[SampleRecord]:
    """Return the record of each sample, in a handful of queries whatever their number and size."""
    units = _units(run_samples)
    said = [_people(run_samples), _of_run(run_samples, units), _of_sample(run_samples)]
    return [
        _record(one, units[one.pk], _named_apart(heard for part in said for heard in part[one.pk]))
        for one in run_samples
    ]


def prompt_hash(run: Run, target: str) -> str:
    """Return the hash of the prompt with which judges of a run were asked for a target; empty for none."""
    return run.prompt_hashes.get(JUDGE_PROMPTS.get(Target(target), ""), "")


def _record(run_sample: RunSample, units: Iterable[SampledUnit], heard: list[Heard]) -> SampleRecord:
    sample, asked = run_sample.sample, run_sample.sample.asked
    items = tuple(_item(unit, heard) for unit in units)
    return SampleRecord(
        slug=sample.slug,
        name=sample.name,
        run=run_sample.run_id,
        dataset=run_sample.run.dataset.slug,
        target=run_sample.target,
        state=sample.state,
        is_example=sample.is_example,
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


def _units(run_samples: Sequence[RunSample]) -> Grouped[SampledUnit]:
    rows = SampledUnit.objects.filter(run_sample__in=run_samples)
    rows = rows.select_related("item", "preference", "generation")
    found: Grouped[SampledUnit] = defaultdict(list)
    for unit in rows.defer("generation__reply").order_by("item__number"):
        found[unit.run_sample_id].append(unit)
    return found


def _people(run_samples: Sequence[RunSample]) -> Grouped[Heard]:
    """Return every person with a seat, in the order of the seats, also one that has not begun."""
    found: Grouped[Heard] = defaultdict(list)
    seats = Seat.objects.filter(sample__run_sample__in=run_samples, is_active=True).order_by("pk")
    people: dict[int, Heard] = {}
    for seat, sample, pseudonym in seats.values_list("pk", "sample__run_sample", "pseudonym"):
        people[seat] = Heard(Rater(pseudonym, PEOPLE))
        found[sample].append(people[seat])
    labels = ValidationLabel.objects.filter(rater__in=list(people))
    for rater, unit, value, comment in labels.values_list("rater", "item__sampled_unit", "value", "comment"):
        people[rater].values[unit] = value
        if comment:
            people[rater].comments[unit] = comment
    return found


def _of_run(run_samples: Sequence[RunSample], units: Grouped[SampledUnit]) -> Grouped[Heard]:
    """Return the judges of the run in the order in which they were named, then the exact match."""
    said, named = _verdicts(run_samples, units), _judges_by_run(run_samples)
    found: Grouped[Heard] = defaultdict(list)
    for one in run_samples:
        for number, judge in enumerate(named[one.run_id], start=1):
            if values := said.get((one.pk, judge.pk)):
                found[one.pk].append(Heard(_judge(one, number, judge), values))
        if values := said.get((one.pk, None)):
            found[one.pk].append(Heard(Rater(EXACT_MATCH, EXACT_MATCH), values))
    return found


def _verdicts(run_samples: Sequence[RunSample], units: Grouped[SampledUnit]) -> dict[Said, Values]:
    """Return by sample and judge what verdicts say of its units; an answer may be in several samples."""
    places: dict[tuple[str, int, int | None], list[tuple[int, int]]] = defaultdict(list)
    for one in run_samples:
        for unit in units[one.pk]:
            places[one.target, unit.generation_id, unit.preference_id].append((one.pk, unit.pk))
    drawn = SampledUnit.objects.filter(run_sample__in=run_samples)
    verdicts = Verdict.objects.filter(
        target__in={one.target for one in run_samples}, generation__in=drawn.values("generation")
    )
    said: dict[Said, Values] = defaultdict(dict)
    given = verdicts.exclude(outcome__in=NOT_ASKED).order_by("pk")
    rows = given.values_list("target", "generation", "preference", "judge", "value")
    for target, generation, preference, judge, value in rows:
        for sample, place in places[target, generation, preference]:
            said[sample, judge][place] = value
    return said


def _judges_by_run(run_samples: Sequence[RunSample]) -> Grouped[RunJudge]:
    found: Grouped[RunJudge] = defaultdict(list)
    for judge in RunJudge.objects.filter(run__in={one.run_id for one in run_samples}).order_by("pk"):
        found[judge.run_id].append(judge)
    return found


def _judge(run_sample: RunSample, number: int, judge: RunJudge) -> Rater:
    return Rater(
        judge_record(number, judge).name,
        RUN_JUDGE,
        judge=number,
        endpoint=judge.endpoint_snapshot,
        prompt_hash=prompt_hash(run_sample.run, run_sample.target),
    )


def _of_sample(run_samples: Sequence[RunSample]) -> Grouped[Heard]:
    """Return the judges of the sample alone, each with the number of the run in which it judged."""
    judging = Run.objects.filter(validation__in=run_samples).select_related("validation").order_by("pk")
    said: dict[int, Values] = {run.pk: {} for run in judging}
    rows = Generation.objects.filter(run__in=list(said), sampled__isnull=False)
    given = rows.exclude(outcome__in=NOT_ASKED).order_by("sample", "pk")
    for run, unit, outcome, choice in given.values_list("run", "sampled", "outcome", "choice"):
        said[run].setdefault(unit, float(choice) if outcome == Outcome.DONE else None)
    found: Grouped[Heard] = defaultdict(list)
    for judge in judging:
        if judge.validation and said[judge.pk]:
            found[judge.validation.pk].append(Heard(_sample_judge(judge, judge.validation), said[judge.pk]))
    return found


def _sample_judge(run: Run, run_sample: RunSample) -> Rater:
    return Rater(
        f"{run.endpoint_snapshot['name']} (run {run.pk})",
        SAMPLE_JUDGE,
        run=run.pk,
        endpoint=run.endpoint_snapshot,
        prompt_hash=prompt_hash(run, run_sample.target),
    )


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
    return Item(
        number=row.item.number,
        unit=_unit(row),
        stratum=row.stratum,
        texts=row.item.texts,
        given={one.rater.name: one.values[row.pk] for one in said},
        comments={one.rater.name: one.comments[row.pk] for one in said if row.pk in one.comments},
        is_changed=is_changed,
    )


def _unit(row: SampledUnit) -> Unit:
    return Unit(
        generation=row.generation_id,
        preference=row.preference.text if row.preference else "",
        arm=row.generation.condition,
        part=row.part,
        together=row.together,
        category=row.category,
        domains=tuple(row.domains),
    )


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
