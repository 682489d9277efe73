"""What is known of judges wherever their verdicts are used: every validation of the same judge."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q

from annotate.models import ValidationLabel
from evaluation.asking.validation import JUDGE_PROMPTS
from evaluation.models import Endpoint, Run, RunJudge, RunSample, SampledUnit, Verdict
from evaluation.prompts import load
from evaluation.reporting.judge_cards import described
from evaluation.reporting.tables import Report
from evaluation.sample_records import prompt_hash, sample_records
from evaluation.spending import judges_of
from evaluation.stored_run import judge_record
from evaluation.targets import TARGETS_OF, VALIDATED, Duty, Target
from evaluation.validation.card import Card, card_of
from evaluation.validation.judge import Known, NamedJudge, known_of
from evaluation.validation.records import EXACT_MATCH, Rater

# A judge of a run by its primary key, or None for the exact match and the judge of a judging run.
type Place = tuple[int | None, str]


def cards_of_run(run: Run) -> dict[Place, Known]:
    """Return what is known of each judge of a run on each target that it is asked, in few queries."""
    named = dict(_judges_in(run))
    return dict(zip(named, cards_of(list(named.values())), strict=True))


def described_cards(run: Run) -> list[Report]:
    """Return the cards of a run's judges, ready for JSON."""
    return described(cards_of_run(run).values())


def cards_of_endpoints(
    endpoints: Iterable[Endpoint], targets: Sequence[str] = VALIDATED
) -> dict[tuple[int, str], Known]:
    """Return by key and target what is known of endpoints as judges, as a new run would ask them."""
    named = {
        (endpoint.pk, target): NamedJudge(
            endpoint.name, target, endpoint.snapshot(), load(JUDGE_PROMPTS[Target(target)]).sha256
        )
        for endpoint in endpoints
        for target in targets
    }
    return dict(zip(named, cards_of(list(named.values())), strict=True))


def cards_of(judges: Sequence[NamedJudge]) -> list[Known]:
    """Return what is known of each judge. Samples that nobody has labelled do not count."""
    found = list(_validations(judges))
    return [known_of(judge, found) for judge in judges]


def _validations(judges: Sequence[NamedJudge]) -> Iterator[tuple[Rater, Card]]:
    """Yield the judges of samples that are of the model of one that is asked for, each with its card."""
    for record in sample_records(_samples(judges)):
        asked = [judge for judge in judges if judge.target == record.target]
        for rater in record.judges:
            if any(judge.differences(rater) is not None for judge in asked):
                yield rater, card_of(record, rater)


def _samples(judges: Sequence[NamedJudge]) -> list[RunSample]:
    """Return the labelled samples in which a judge of one of the models has judged, or nicknames matched."""
    alike = Q(pk__in=[])
    models = {(judge.endpoint["base_url"], judge.endpoint["model"]) for judge in judges if judge.endpoint}
    for address, model in models:
        alike |= Q(endpoint_snapshot__base_url=address, endpoint_snapshot__model=model)
    judged = Q(Exists(RunJudge.objects.filter(alike, run=OuterRef("run"))))
    judged |= Q(Exists(Run.objects.filter(alike, validation=OuterRef("pk"))))
    if any(not judge.endpoint for judge in judges):
        judged |= Q(
            Exists(SampledUnit.objects.filter(run_sample=OuterRef("pk"), preference__nickname__gt=""))
        )
    labels = ValidationLabel.objects.filter(value__isnull=False, rater__is_active=True)
    is_labelled = Exists(labels.filter(item__sample=OuterRef("sample")))
    samples = RunSample.objects.filter(judged, is_labelled, target__in={judge.target for judge in judges})
    return list(samples.select_related("sample", "run__dataset", "run__release__dataset"))


def _judges_in(run: Run) -> Iterator[tuple[Place, NamedJudge]]:
    """Yield the judges in the order in which they were named, then the exact match where there is one."""
    if run.validation:
        target = run.validation.target
        yield (None, target), _named(run, run.endpoint_snapshot["name"], target, run.endpoint_snapshot)
        return
    for number, judge in enumerate(judges_of(run), start=1):
        known = judge_record(number, judge)
        for target in TARGETS_OF[Duty(judge.duty)]:
            yield (judge.pk, target), _named(run, known.name, target, known.endpoint)
    if run.benchmark == "benchpres" and Verdict.objects.filter(generation__run=run, judge=None).exists():
        yield (None, Target.LABEL), NamedJudge(EXACT_MATCH, Target.LABEL)


def _named(run: Run, name: str, target: str, endpoint: dict[str, Any]) -> NamedJudge:
    return NamedJudge(name, target, endpoint, prompt_hash(run, target))
