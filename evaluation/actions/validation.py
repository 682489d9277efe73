"""Drawing a validation sample from a finished run, for people to label."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import count

from django.contrib.auth.models import User
from django.db import transaction

from annotate.actions.validation import create_sample
from annotate.models import Preference, ValidationSample
from annotate.problems import Problem, refuse_repeats, refuse_unknown
from annotate.validation import QUESTIONS, Question
from evaluation.models import Generation, Run, RunSample, SampledUnit
from evaluation.records import RunRecord
from evaluation.stored_run import record_of
from evaluation.targets import QUESTIONS_FOR_PEOPLE
from evaluation.validation.drawing import Drawn, draw
from evaluation.validation.records import Unit
from evaluation.validation.units import BY_BENCHMARK, judged_arms, units_of, why_none

Texts = dict[str, str]


@transaction.atomic
def draw_validation(
    run: Run,
    *,
    target: str = "label",
    size: int = 100,
    seed: int = 1,
    over: Sequence[str] = ("part",),
    conditions: Sequence[str] = (),
    slug: str = "",
    name: str = "",
    users: Sequence[User] = (),
    label_sets: Sequence[str] = (),
    guideline: str = "",
    is_example: bool = False,
    created_by: User | None = None,
) -> RunSample:
    """Draw a sample of a run's answers and open it for the people named.

    `target` is a name of `QUESTIONS_FOR_PEOPLE`; without `conditions` the sample is of all that have such
    answers. Nothing is saved where it raises `Problem`: for a run that is not done or has nothing of the
    kind, and for what `draw` and `create_sample` refuse.
    """
    run = Run.objects.select_for_update().get(pk=run.pk)  # no verdict is read anew meanwhile
    _refuse_unfit(run, target)
    record = record_of(run)
    arms = _arms(record, target, conditions)
    drawn = draw(_units(record, target, arms), size=size, seed=seed, over=over)
    sample = create_sample(
        slug=slug or _free_slug(f"run-{run.pk}-{target}"),
        question=target,
        texts=_texts(drawn.units, Question(target)),
        seed=seed,
        users=users,
        label_sets=label_sets,
        name=name,
        guideline=guideline,
        is_example=is_example,
        created_by=created_by,
    )
    run_sample = RunSample.objects.create(
        sample=sample,
        run=run,
        target=QUESTIONS_FOR_PEOPLE[target],
        seed=seed,
        conditions=arms,
        over=list(over),
        strata=[asdict(stratum) for stratum in drawn.strata],
    )
    _save_units(run_sample, drawn)
    return run_sample


def targets_of(run: Run) -> list[str]:
    """Return for what samples can be drawn from a run of this benchmark, under the names that people see."""
    judged = BY_BENCHMARK.get(run.benchmark, ())
    return [name for name, target in QUESTIONS_FOR_PEOPLE.items() if target in judged]


def _refuse_unfit(run: Run, target: str) -> None:
    refuse_unknown("target", [target], QUESTIONS_FOR_PEOPLE)
    known = targets_of(run)
    if target not in known:
        expected = f"expected one of {', '.join(known)}" if known else "draw from a run that has answers"
        raise Problem(f"A {run.benchmark} run is not judged on {target}; {expected}.")
    if run.state != Run.State.DONE:
        raise Problem(
            f"Run {run.pk} is {run.get_state_display()}; a sample is drawn from a run that is done, so that "
            "it stands for all of it."
        )
    if run.benchmark == "pairpref" and run.dataset.content_hash != run.corpus_hash:
        raise Problem(
            f"The corpus {run.dataset} is now version {run.dataset.version}; run {run.pk} was asked with "
            f"version {run.corpus_version}, and people would be shown other texts than its judges."
        )


def _arms(record: RunRecord, target: str, conditions: Sequence[str]) -> list[str]:
    """Return the arms to draw from, in the order of the plan."""
    known = judged_arms(record, QUESTIONS_FOR_PEOPLE[target])
    if not conditions:
        return known
    refuse_repeats("condition", conditions)
    for name in conditions:
        if name not in known:
            raise Problem(
                f"Run {record.plan['run']} has no condition {name!r} whose answers are judged on {target}; "
                f"expected one of: {'; '.join(known) or 'none'}."
            )
    return [name for name in known if name in conditions]


def _units(record: RunRecord, target: str, arms: Sequence[str]) -> list[Unit]:
    """Return what can be drawn. Raises `Problem` where there is nothing."""
    judged = QUESTIONS_FOR_PEOPLE[target]
    if units := units_of(record, judged, arms):
        return units
    why = why_none(record, judged, arms)
    raise Problem(f"Nothing of run {record.plan['run']} can be drawn for {target}: {why}.")


def _free_slug(base: str) -> str:
    """Return the name, or the first of name-2, name-3, ... that is not taken."""
    taken = set(ValidationSample.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for n in count(1) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


def _texts(units: Sequence[Unit], question: Question) -> list[Texts]:
    """Return what people are shown of each unit: what the question is asked with, and nothing else."""
    rows = Generation.objects.select_related("context", "pair__preference")
    by_id = rows.prefetch_related("pair__situations").in_bulk({unit.generation for unit in units})
    known = [_known(by_id[unit.generation], unit.preference) for unit in units]
    return [{name: texts[name] for name in QUESTIONS[question].texts} for texts in known]


def _known(row: Generation, preference: str) -> Texts:
    known = {"message": row.message, "preference": preference}
    if row.context:
        known |= {"recipient": row.context.recipient, "task": row.context.task}
    if row.pair:
        situations = {situation.side: situation.text for situation in row.pair.situations.all()}
        known |= {"preference": row.pair.preference.text, "request": row.pair.request}
        known |= {"situation": situations[row.side]}
    return known


def _save_units(run_sample: RunSample, drawn: Drawn) -> None:
    items = run_sample.sample.items.order_by("number")
    preferences = _ids_of_preferences(run_sample.run)
    SampledUnit.objects.bulk_create(
        SampledUnit(
            run_sample=run_sample,
            item=item,
            generation_id=unit.generation,
            preference_id=preferences[unit.preference] if unit.preference else None,
            part=unit.part,
            stratum=place,
            together=unit.together,
            category=unit.category,
            domains=list(unit.domains),
        )
        for item, unit, place in zip(items, drawn.units, drawn.places, strict=True)
    )


def _ids_of_preferences(run: Run) -> Mapping[str, int]:
    return dict(Preference.objects.filter(dataset=run.dataset_id).values_list("text", "pk"))
