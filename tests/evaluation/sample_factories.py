"""Validation samples in the database, row by row: all answers of a finished run, in the order of the run."""

from collections.abc import Iterator

from annotate.models import Preference, ValidationItem, ValidationSample
from evaluation.models import Generation, Run, RunSample, SampledUnit
from evaluation.targets import QUESTIONS_FOR_PEOPLE

QUESTION_OF = {target.value: question for question, target in QUESTIONS_FOR_PEOPLE.items()}


def make_sample(run: Run, target: str = "label", slug: str = "first") -> RunSample:
    """Make a sample of all that judges were asked about: answers or, for labels, (answer, preference).

    The items are numbered in the order of the run; all are of one stratum.
    """
    sample = ValidationSample.objects.create(slug=slug, name=slug.title(), question=QUESTION_OF[target])
    units = list(_judged(run, target))
    run_sample = RunSample.objects.create(
        sample=sample,
        run=run,
        target=target,
        seed=5,
        conditions=sorted({generation.condition for generation, _ in units}),
        over=[],
        strata=[{"name": "all", "size": len(units), "drawn": len(units)}],
    )
    for number, (generation, preference) in enumerate(units, start=1):
        texts = _texts(generation, preference)
        shown = {name: texts[name] for name in sample.asked.texts}
        SampledUnit.objects.create(
            run_sample=run_sample,
            item=ValidationItem.objects.create(sample=sample, number=number, texts=shown),
            generation=generation,
            preference=preference,
            part=generation.side,
            stratum=0,
            together=f"{generation.pk}",
            category=_category(generation, preference),
        )
    return run_sample


def _judged(run: Run, target: str) -> Iterator[tuple[Generation, Preference | None]]:
    """Yield each (answer, preference) with a verdict by a judge on the target, once for all judges."""
    rows = run.generations.filter(outcome="done").order_by("pk")
    for generation in rows.select_related("profile", "context", "pair__preference"):
        verdicts = generation.verdicts.filter(target=target, judge__isnull=False).order_by("pk")
        preferences = [verdict.preference for verdict in verdicts.select_related("preference")]
        yield from ((generation, preference) for preference in dict.fromkeys(preferences))


def _category(generation: Generation, preference: Preference | None) -> str:
    if preference:
        return preference.category
    return generation.pair.category if generation.pair else ""


def _texts(generation: Generation, preference: Preference | None) -> dict[str, str]:
    """Return all that can be shown of an answer."""
    texts = {"message": generation.message}
    if generation.pair:
        situation = generation.pair.situations.get(side=generation.side).text
        pair = {"preference": generation.pair.preference.text, "request": generation.pair.request}
        return texts | pair | {"situation": situation}
    context = {"recipient": generation.context.recipient, "task": generation.context.task}
    return texts | context | ({"preference": preference.text} if preference else {})
