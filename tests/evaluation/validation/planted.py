"""Runs whose truth is known, judged by a judge whose errors are known, and samples with people's labels."""

import random
from collections.abc import Mapping, Sequence
from itertools import count, product

from annotate.validation import QUESTIONS, words_of
from evaluation.pairpref.metrics import Pair
from evaluation.records import GenerationRecord, JudgeRecord, RunRecord, VerdictRecord
from evaluation.targets import QUESTIONS_FOR_PEOPLE, Target
from evaluation.validation.drawing import draw
from evaluation.validation.records import PEOPLE, RUN_JUDGE, Item, Rater, SampleRecord
from evaluation.validation.units import units_of

type Key = tuple[int, str]
type Truths = dict[Key, float]

QUESTION_OF = {target: question for question, target in QUESTIONS_FOR_PEOPLE.items()}
MENUS = {Target.UPTAKE: (0.0, 0.5, 1.0), Target.FIT: (0.0, 1.0), Target.HEDGE: (0.0, 0.0, 0.0, 1.0)}
JUDGES = {
    Target.LABEL: ("labels", "judge"),
    Target.COMPLETENESS: ("completeness", "judge (completeness)"),
    Target.UPTAKE: ("answers", "judge"),
    Target.FIT: ("answers", "judge"),
    Target.HEDGE: ("answers", "judge"),
}


def judge(number: int, duty: str, name: str = "judge", category: str = "") -> JudgeRecord:
    return JudgeRecord(number, {"name": name}, duty, category, False)


def verdict(target: str, value: float | None, judge: int | None = 1, preference: str = "") -> VerdictRecord:
    return VerdictRecord(target, preference, judge, 1, "not_read" if value is None else "done", "", value)


def generation(number: int, *verdicts: VerdictRecord, **about) -> GenerationRecord:
    usual = {
        "task": "message",
        "arm": "default",
        "sample": 1,
        "profile": "",
        "context": None,
        "preference": "",
        "pair": "",
        "side": "",
        "outcome": "done",
        "reason": "",
        "message": "Dear all, ...",
        "choice": "",
    }
    return GenerationRecord(id=number, verdicts=verdicts, **usual | about)


def run_of(benchmark: str, arms: list[dict], judges, rows, **known) -> RunRecord:
    plan = {"run": 1, "benchmark": benchmark, "arms": arms, "seed": 7}
    return RunRecord(plan, tuple(judges), tuple(rows), **known)


def message_arm(name: str, condition: str = "") -> dict:
    return {"name": name, "condition": condition or name, "reasoning": "", "temperature": 1.0}


def letters(
    truths: Mapping[str, float],
    errors: Mapping[str, tuple[float, float]],
    seed: int,
    *,
    profiles: int = 10,
    contexts: int = 20,
    preferences: int = 5,
    arms: Sequence[str] = ("default",),
) -> tuple[RunRecord, Truths]:
    """A run in which a share of messages follows a preference, by gold class, and a judge errs.

    `truths` holds the share by gold class, `errors` the judge's sensitivity and specificity in it. Return
    the run and the truth of each (message, preference).
    """
    chance, numbers, known, rows = random.Random(seed), count(1), {}, []
    places = [(f"Recipient {number}", "Write") for number in range(contexts)]
    texts = [f"Preference {number}" for number in range(preferences)]
    gold = {
        (place, text): (number + at) % 2
        for number, place in enumerate(places)
        for at, text in enumerate(texts)
    }
    for arm, profile, place in product(arms, range(profiles), places):
        number, verdicts = next(numbers), []
        for text in texts:
            part = ("suppress", "apply")[gold[place, text]]
            follows = chance.random() < truths[part]
            sensitivity, specificity = errors[part]
            is_right = chance.random() < (sensitivity if follows else specificity)
            known[number, text] = float(follows)
            verdicts.append(verdict("label", float(follows if is_right else not follows), 1, text))
        rows.append(generation(number, *verdicts, arm=arm, profile=f"p{profile}", context=place))
    judges, of_texts = [judge(1, "labels")], dict.fromkeys(texts, "tone")
    plan_arms = [message_arm(arm) for arm in arms]
    return run_of("benchpres", plan_arms, judges, rows, gold=gold, preferences=of_texts), known


def scored_letters(seed: int, *, contexts: int = 40) -> tuple[RunRecord, Truths]:
    """A run of messages without and with preferences, scored 1 to 5 by a judge who is often one too high.

    A message in ten has no score that could be read.
    """
    chance, numbers, known, rows = random.Random(seed), count(1), {}, []
    for (arm, usual), place in product((("no_preferences", 4), ("default", 3)), range(contexts)):
        for sample in (1, 2):
            number, score = next(numbers), usual + chance.choice((-1, 0, 1))
            known[number, ""] = float(score)
            said = None if chance.random() < 0.1 else min(5.0, score + chance.choice((0.0, 0.0, 1.0)))
            about = {"profile": "p1", "context": (f"Recipient {place}", "Write"), "sample": sample}
            rows.append(generation(number, verdict("completeness", said), arm=arm, **about))
    arms = [message_arm("no_preferences"), message_arm("default")]
    return run_of("benchpres", arms, [judge(1, "completeness")], rows), known


def labelled(
    record: RunRecord, target: Target, truths: Truths, *, size: int, seed: int = 1, over=("part",), arms=None
) -> SampleRecord:
    """A sample of a run that one person has labelled truly."""
    drawn = draw(units_of(record, target, arms), size=size, seed=seed, over=over)
    question = QUESTION_OF[target]
    asked = QUESTIONS[question]
    return SampleRecord(
        slug=f"run-1-{question}",
        name=question,
        run=1,
        target=target.value,
        state="closed",
        seed=seed,
        arms=tuple(dict.fromkeys(unit.arm for unit in drawn.units)),
        over=over,
        strata=drawn.strata,
        values=asked.values,
        value_words=tuple(words_of(question, value) for value in asked.values),
        is_ordered=asked.is_ordered,
        raters=(Rater("annotator 1", PEOPLE), Rater(JUDGES[target][1], RUN_JUDGE, judge=1)),
        items=tuple(
            Item(
                number,
                unit,
                place,
                {"message": "Dear all, ..."},
                {"annotator 1": truths.get(unit.key), JUDGES[target][1]: unit.verdict},
            )
            for number, (unit, place) in enumerate(zip(drawn.units, drawn.places, strict=True), start=1)
        ),
    )


def contrast_pairs(
    seed: int, *, preferences: int = 12, pairs: int = 8, samples: int = 1, unread: float = 0.0
):
    """A run of the generation track, and the truth of each answer by target.

    A judge is right in eight of ten, else it says anything; a verdict may be unread, an answer not done.
    """
    chance, numbers = random.Random(seed), count(1)
    known: dict[Target, Truths] = {Target.UPTAKE: {}, Target.FIT: {}, Target.HEDGE: {}}
    table, rows = {}, []
    for preference, at in product(range(preferences), range(pairs)):
        name = f"M{preference}-{at}"
        table[name] = Pair(name, f"M{preference}", "occasion", "food", "clean", 1)
        for sample, side in product(range(1, samples + 1), ("positive", "negative")):
            number, verdicts = next(numbers), []
            for target, menu in (
                (Target.UPTAKE, (0.0, 0.5, 1.0)),
                (Target.FIT, (0.0, 1.0)),
                (Target.HEDGE, (0.0, 0.0, 0.0, 1.0)),
            ):
                truth = chance.choice(menu)
                said = truth if chance.random() < 0.8 else chance.choice(menu)
                known[target][number, ""] = truth
                verdicts.append(verdict(target, None if chance.random() < unread else said))
            outcome = "failed" if chance.random() < unread else "done"
            rows.append(generation(number, *verdicts, pair=name, side=side, sample=sample, outcome=outcome))
    arms = [{"name": "default", "track": "generation"}]
    return run_of("pairpref", arms, [judge(1, "answers")], rows, pairs=table), known
