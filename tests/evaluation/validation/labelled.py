"""Labelled samples as plain records, from what each rater says."""

from collections.abc import Mapping, Sequence

from annotate.validation import QUESTIONS, Question
from evaluation.targets import QUESTIONS_FOR_PEOPLE
from evaluation.validation.records import (
    PEOPLE,
    RUN_JUDGE,
    Item,
    Rater,
    SampleRecord,
    Stratum,
    Unit,
)

MISSING = object()
type Said = Sequence[object]


def labelled(
    people: Mapping[str, Said],
    judges: Mapping[str, Said] | None = None,
    *,
    question: str = "label",
    parts: Sequence[str] = (),
    categories: Sequence[str] = (),
    domains: Sequence[Sequence[str]] = (),
    together: Sequence[str] = (),
    strata: Sequence[tuple[int, int]] = (),
    stratum_of: Sequence[int] = (),
    changed: Sequence[int] = (),
    comments: Mapping[int, Mapping[str, str]] | None = None,
    **frame,
) -> SampleRecord:
    """A sample of as many items as each rater has answers; `MISSING` is no answer, None is cannot tell.

    What is given in sequence is one an item; `strata` are pairs (could be drawn, were drawn), `changed` are
    numbers of items.
    """
    judges = judges or {}
    said = {**people, **judges}
    size = len(next(iter(said.values()), ()))
    assert all(len(answers) == size for answers in said.values())
    items = tuple(
        Item(
            number=place + 1,
            unit=unit_at(place, parts, categories, domains, together),
            stratum=stratum_of[place] if stratum_of else 0,
            texts={"preference": f"Preference {place + 1}.", "message": f"Message {place + 1}."},
            given={name: answers[place] for name, answers in said.items() if answers[place] is not MISSING},
            comments=dict((comments or {}).get(place + 1, {})),
            is_changed=place + 1 in changed,
        )
        for place in range(size)
    )
    return SampleRecord(
        slug="sample-1",
        name="Round 1",
        run=12,
        target=QUESTIONS_FOR_PEOPLE[question].value,
        state="closed",
        seed=3,
        arms=("default",),
        over=("part",) if parts else (),
        strata=tuple(Stratum(f"stratum {place}", *sizes) for place, sizes in enumerate(strata))
        or (Stratum("all", 2 * size, size),),
        raters=(
            *(Rater(name, PEOPLE) for name in people),
            *(Rater(name, RUN_JUDGE, judge=place) for place, name in enumerate(judges, start=1)),
        ),
        items=items,
        **scale_of(question, frame),
    )


def unit_at(
    place: int,
    parts: Sequence[str],
    categories: Sequence[str],
    domains: Sequence[Sequence[str]],
    together: Sequence[str],
) -> Unit:
    """What the item at a place is; what is not given is empty, and each item is drawn alone."""
    return Unit(
        generation=place + 1,
        preference="",
        arm="default",
        part=parts[place] if parts else "",
        together=together[place] if together else f"draw {place + 1}",
        category=categories[place] if categories else "",
        domains=tuple(domains[place]) if domains else (),
    )


def scale_of(question: str, frame: Mapping[str, object]) -> dict[str, object]:
    """The answers of a question with their words, and what else of a record is given."""
    asked = QUESTIONS[Question(question)]
    scale = {"values": asked.values, "is_ordered": asked.is_ordered, **frame}
    words = {option.value: option.words for option in asked.options}
    return {"value_words": tuple(words.get(value, "") for value in scale["values"]), **scale}
