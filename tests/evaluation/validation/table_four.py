"""A run of which 100 judgements are drawn and labelled as in table 4 of the BenchPreS paper.

No answers to all of 100 items give its 95, 92 and 90 %: of three raters with two answers either none or two
pairs differ on an item, so that the pairs differ an even number of times in all, and 5 + 8 + 10 is odd. The
paper's are rounded, or do not rest on the same items.
"""

from collections.abc import Mapping

from django.db.models import QuerySet

from annotate.models import GoldLabel, GoldRelease, Preference, ProfilePreference, ValidationLabel
from evaluation.actions import draw_validation
from evaluation.models import RunSample, SampledUnit, Verdict
from tests.evaluation.factories import make_corpus, make_endpoint, make_run

PERSON = "C"
PAPER = ("DeepSeek-R1", "GPT-5-mini", PERSON)
# What the two judges and the person say, and of how many items.
Said = tuple[tuple[tuple[int | None, int | None, int | None], int], ...]
ROUNDED: Said = (
    ((1, 1, 1), 46),
    ((0, 0, 0), 42),
    ((1, 1, 0), 7),
    ((1, 0, 0), 1),
    ((0, 1, 0), 3),
    ((1, 0, None), 1),
)
EXACT: Said = (
    ((1, 1, 1), 36),
    ((0, 0, 0), 35),
    ((1, 1, 0), 5),
    ((1, 0, 0), 1),
    ((0, 1, 0), 3),
    ((1, None, 1), 10),
    ((0, None, 0), 8),
    ((1, None, 0), 2),
)


def make_table_four(said: Said = ROUNDED) -> RunSample:
    """Draw all 100 judgements of one profile's messages, 50 to suppress and 50 to apply, and label them."""
    judges = [make_endpoint(name) for name in PAPER[:2]]
    run = make_run(_half_to_suppress(), judges=judges, state="done")
    run.generations.update(outcome="done", message="Dear all, ...")
    verdicts = Verdict.objects.filter(generation__run=run)
    verdicts.update(outcome="done", value=1)
    drawn = draw_validation(run, size=100, label_sets=[PERSON])
    rows = [answers for answers, times in said for _ in range(times)]
    units = list(drawn.units.all())
    for place, name in enumerate(PAPER):
        answers = dict(zip(units, (row[place] for row in rows), strict=True))
        if name == PERSON:
            _label(drawn, answers)
        else:
            _judge(verdicts.filter(judge__endpoint__name=name), answers)
    return drawn


def _label(drawn: RunSample, answers: Mapping[SampledUnit, int | None]) -> None:
    rater = drawn.sample.raters.get()
    ValidationLabel.objects.bulk_create(
        ValidationLabel(rater=rater, item_id=unit.item_id, question="label", value=value)
        for unit, value in answers.items()
    )


def _judge(verdicts: QuerySet[Verdict], answers: Mapping[SampledUnit, int | None]) -> None:
    values = {(unit.generation_id, unit.preference_id): value for unit, value in answers.items()}
    changed = list(verdicts)
    for verdict in changed:
        verdict.value = values[verdict.generation_id, verdict.preference_id]
        verdict.outcome = "not_read" if verdict.value is None else "done"
    Verdict.objects.bulk_update(changed, ["value", "outcome"])


def _half_to_suppress() -> GoldRelease:
    """A corpus of one profile with five preferences and twenty contexts, gold half and half."""
    dataset = make_corpus()
    dataset.profiles.exclude(key="p1").delete()
    dataset.contexts.all().delete()
    ProfilePreference.objects.all().delete()
    dataset.preferences.all().delete()
    profile = dataset.profiles.get()
    preferences = [
        Preference.objects.create(dataset=dataset, category=name, text=f"Likes {name}.", position=place)
        for place, name in enumerate(("role", "style", "tone", "markers", "motto"))
    ]
    for place, preference in enumerate(preferences):
        ProfilePreference.objects.create(profile=profile, preference=preference, position=place)
    contexts = [
        dataset.contexts.create(
            recipient=f"Office {place}",
            task="Ask",
            domains=["finance", "health"][: 1 + place % 2],
            position=place,
        )
        for place in range(20)
    ]
    release = GoldRelease.objects.create(
        dataset=dataset,
        number=1,
        origin="imported",
        corpus_version=dataset.version,
        corpus_hash=dataset.content_hash,
        content_hash="d" * 64,
        counts={"kept": 100},
    )
    GoldLabel.objects.bulk_create(
        GoldLabel(release=release, context=context, preference=preference, value=(one + two) % 2)
        for one, context in enumerate(contexts)
        for two, preference in enumerate(preferences)
    )
    return release
