"""Generations as pages show them: what they are about, what came, and what judges say of it, in words."""

import json
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from annotate import validation
from annotate.models import ValidationItem
from annotate.pairs import words_of
from evaluation.generations.queries import (
    APPLY,
    FOLLOWING,
    GOLD_OF_SIDES,
    MISAPPLIED,
    OF_USE,
    OMITTED,
    SUPPRESS,
    gold_of,
)
from evaluation.judge_cards import Place
from evaluation.models import Generation, Run, RunJudge, Verdict
from evaluation.models.generation import Outcome, Task
from evaluation.targets import Target
from evaluation.validation.judge import Known

Gold = Mapping[tuple[int, int], int]
Cards = Mapping[Place, Known]
GOLD_WORDS = {APPLY: "apply", SUPPRESS: "suppress", None: "none"}
WORDS = {
    Target.LABEL: ("does not follow", "follows"),
    Target.FIT: ("does not fit the situation", "fits the situation"),
    Target.HEDGE: ("does not hedge", "hedges"),
}


@dataclass(frozen=True)
class Said:
    """What one judge says; `mark` is *misapplied*, *omitted* or empty.

    `known` is how far the judge is validated, None where that is told elsewhere.
    """

    judge: str
    words: str
    mark: str
    known: Known | None


@dataclass(frozen=True)
class Judged:
    """What is judged of an answer, its gold in words, what each judge says, and whether they disagree.

    `gold` is empty where gold has no say, as on how complete a message is.
    """

    about: str
    gold: str
    said: list[Said]
    is_disputed: bool


@dataclass(frozen=True)
class Offered:
    """One of the replies to choose from, as it was shown."""

    letter: str
    role: str
    text: str
    is_chosen: bool


@dataclass(frozen=True)
class Shown:
    """A generation with all that a page says of it.

    `about` are (name, text), `parts` too, of an answer that is read as several texts. `choice` is what was
    chosen, in words, and `mark` its mark: *misapplied*, *omitted* or empty. `known` is how far the judge is
    validated that chose, in a judging run.
    """

    row: Generation
    title: str
    about: list[tuple[str, str]]
    parts: list[tuple[str, str]]
    offered: list[Offered]
    choice: str
    gold: str
    mark: str
    known: Known | None
    judged: list[Judged]


def show(run: Run, rows: Iterable[Generation], cards: Cards | None = None) -> list[Shown]:
    """Return generations, fetched by `whole`, as pages show them; one further query for their gold.

    `cards` are those of the judges of the run, where each is to stand beside what its judge says.
    """
    found = list(rows)
    gold = gold_of(run, found)
    return [_shown(row, gold, cards or {}) for row in found]


def title_of(row: Generation) -> str:
    """Name in one line what a generation is about."""
    side = f"{row.side} side" if row.side else ""
    item = row.sampled and f"Item {row.sampled.item.number}"
    parts = [item, row.profile and row.profile.key, row.context, row.preference, row.pair, side]
    return ", ".join(str(part) for part in parts if part)


def judge_name(judge: RunJudge | None) -> str:
    """Name a judge as its run knew it."""
    return judge.endpoint_snapshot["name"] if judge else "exact match"


def about_words(verdict: Verdict) -> str:
    """Name what a verdict is about: the preference, or what of the whole answer is judged."""
    return verdict.preference.text if verdict.preference else verdict.target.capitalize()


def verdict_words(verdict: Verdict) -> str:
    """Say in words what a judge found, or why there is nothing."""
    if verdict.value is None:
        state = verdict.get_outcome_display()
        return f"{state}: {verdict.reason}" if verdict.reason else state
    if verdict.target in WORDS:
        return WORDS[Target(verdict.target)][int(verdict.value)]
    if verdict.target == Target.COMPLETENESS:
        return f"{verdict.value:g} of 5"
    if verdict.target == Target.UPTAKE:
        return f"uptake {verdict.value:g}"
    return _construction_words(verdict)


def mark_of(gold: int | None, follows: bool | None) -> str:
    """Return *misapplied* or *omitted* where a preference is used against gold, else nothing."""
    if gold == SUPPRESS and follows:
        return MISAPPLIED
    return OMITTED if gold == APPLY and follows is False else ""


def _shown(row: Generation, gold: Gold, cards: Cards) -> Shown:
    is_closed = row.task in FOLLOWING
    wanted = _gold_of(row, row.preference_id, gold) if is_closed else None
    follows = row.choice == FOLLOWING[Task(row.task)] if is_closed and row.outcome == Outcome.DONE else None
    return Shown(
        row=row,
        title=title_of(row),
        about=[(name, text) for name, text in _about(row) if text],
        parts=_parts(row),
        offered=_offered(row),
        choice=_choice(row),
        gold=GOLD_WORDS[wanted] if is_closed else "",
        mark=mark_of(wanted, follows),
        known=cards.get((None, row.condition)) if row.sampled else None,
        judged=[_judged(row, list(group), gold, cards) for _, group in _by_subject(row)],
    )


def _about(row: Generation) -> Iterable[tuple[str, str]]:
    """Yield (name, text) of what a generation is about; the text is empty where it has no such thing."""
    if row.sampled:
        yield from _texts(row.sampled.item)
        return
    if row.profile:
        name = row.profile.name
        yield "Profile", row.profile.key if name in ("", row.profile.key) else f"{row.profile.key}, {name}"
    if row.context:
        yield "Recipient", row.context.recipient
        yield "Task", row.context.task
    if preference := row.preference or (row.pair and row.pair.preference):
        yield "Preference", preference.text
    if row.pair:
        yield "Category", row.pair.get_category_display()
        situations = {situation.side: situation.text for situation in row.pair.situations.all()}
        yield f"{row.side.capitalize()} situation", situations.get(row.side, "")
        yield "Request", row.pair.request


def _texts(item: ValidationItem) -> Iterable[tuple[str, str]]:
    """Yield (name, text) of what people see of an item, in that order."""
    for name in item.sample.asked.texts:
        yield validation.TEXTS[name], item.texts[name]


def _choice(row: Generation) -> str:
    """Say in words what was chosen; of a judgement with its number."""
    if not row.choice or not row.sampled:
        return words_of(row.choice)
    words = validation.words_of(row.sampled.item.sample.question, float(row.choice))
    return f"{words} ({row.choice})"


def _offered(row: Generation) -> list[Offered]:
    """Return the replies of a selection in the order shown."""
    if row.task != Task.SELECTION or not row.pair or not row.shown:
        return []
    texts = {reply.role: reply.text for reply in row.pair.replies.all()}
    return [
        Offered(letter, words_of(role), texts.get(role, ""), role == row.choice)
        for letter, role in zip(string.ascii_uppercase, row.shown, strict=False)
    ]


def _parts(row: Generation) -> list[tuple[str, str]]:
    """Return the texts of a candidate by name."""
    if row.task != Task.CANDIDATE or not row.message:
        return []
    return [(words_of(name).capitalize(), str(text)) for name, text in json.loads(row.message).items()]


def _by_subject(row: Generation) -> Iterable[tuple[tuple[str, int], Iterable[Verdict]]]:
    """Group the verdicts on an answer by what they are about, in the order of the plan."""
    verdicts = sorted(row.verdicts.all(), key=lambda verdict: verdict.pk)
    first: dict[tuple[str, int], int] = {}
    for place, verdict in enumerate(verdicts):
        first.setdefault(_subject(verdict), place)
    return groupby(sorted(verdicts, key=lambda verdict: first[_subject(verdict)]), key=_subject)


def _subject(verdict: Verdict) -> tuple[str, int]:
    return verdict.target, verdict.preference_id or 0


def _judged(row: Generation, verdicts: list[Verdict], gold: Gold, cards: Cards) -> Judged:
    target = verdicts[0].target
    wanted = _gold_of(row, verdicts[0].preference_id, gold) if target in OF_USE else None
    said = [
        Said(
            judge=_judge_words(verdict),
            words=verdict_words(verdict),
            mark=mark_of(wanted, _follows(verdict)),
            known=cards.get((verdict.judge_id, verdict.target)),
        )
        for verdict in verdicts
    ]
    by_judges = [verdict for verdict in verdicts if verdict.value is not None and verdict.judge_id]
    judges, values = ({getattr(verdict, name) for verdict in by_judges} for name in ("judge_id", "value"))
    return Judged(
        about=about_words(verdicts[0]),
        gold=GOLD_WORDS[wanted] if target in OF_USE else "",
        said=said,
        is_disputed=len(judges) > 1 and len(values) > 1,
    )


def _judge_words(verdict: Verdict) -> str:
    name = judge_name(verdict.judge)
    return name if verdict.number == 1 else f"{name}, time {verdict.number}"


def _follows(verdict: Verdict) -> bool | None:
    """Tell whether a verdict says that the preference is followed; None where it says nothing of it."""
    return None if verdict.value is None or verdict.target not in OF_USE else verdict.value > 0


def _gold_of(row: Generation, preference: int | None, gold: Gold) -> int | None:
    """Return what gold says of a preference on an answer: people's label, or on a pair its side."""
    if row.pair_id:
        return GOLD_OF_SIDES.get(row.side)
    return gold.get((row.context_id or 0, preference or 0))


def _construction_words(verdict: Verdict) -> str:
    details = verdict.details or {}
    if verdict.target == Target.SCREENING:
        return f"chooses {words_of(str(details.get('chosen', 'a reply')))}"
    failed = [words_of(name) for name, passes in details.items() if passes is False]
    return "passes every check" if verdict.value else f"fails: {', '.join(failed) or 'no check is named'}"
