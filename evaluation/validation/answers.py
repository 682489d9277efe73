"""What each rater answered: the answers of a sample that count, in the words of its question."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace

from evaluation.validation.records import Item, SampleRecord, Unit

# Number of an item -> answer, one of the sample's `value_words`.
type Answers = Mapping[int, str]


def answers_of(record: SampleRecord) -> dict[str, Answers]:
    """Return every rater's answers by item; *cannot tell* and what could not be read are no answers.

    Raises:
        ValueError: if an answer is not among the declared values.
    """
    words = dict(zip(record.values, record.value_words, strict=True))
    return {rater.name: _answers(record, rater.name, words) for rater in record.raters}


def together_of(record: SampleRecord, numbers: Iterable[int]) -> list[Hashable]:
    """Return for each item by number what it was drawn with."""
    known = {item.number: item.unit.together for item in record.items}
    return [known[number] for number in numbers]


def holds_pairs(record: SampleRecord) -> bool:
    """Tell whether items were drawn together, and so are drawn together again by every interval."""
    return len({item.unit.together for item in record.items}) < len(record.items)


def parts_of(record: SampleRecord, names: Callable[[Unit], Iterable[str]]) -> dict[str, SampleRecord]:
    """Return the sample with the items of each part alone, by name in order.

    `names` says of which parts a unit is: none, one or several.
    """
    parts: dict[str, list[Item]] = {}
    for item in record.items:
        for name in names(item.unit):
            parts.setdefault(name, []).append(item)
    return {name: replace(record, items=tuple(parts[name])) for name in sorted(parts)}


def own_part(unit: Unit) -> Iterable[str]:
    """Return what the run keeps the rates of a unit apart by, for `parts_of`; none where there is nothing."""
    return filter(None, [unit.part])


def weights_of(record: SampleRecord) -> dict[int, float]:
    """Return for how many each item stands, by number."""
    return {item.number: record.strata[item.stratum].weight for item in record.items}


def _answers(record: SampleRecord, rater: str, words: Mapping[float, str]) -> dict[int, str]:
    given = {item.number: item.given.get(rater) for item in record.items}
    answers = {number: value for number, value in given.items() if value is not None}
    for number, value in answers.items():
        if value not in words:
            raise ValueError(f"{rater} gave {value} to item {number}; expected one of {record.values}")
    return {number: words[value] for number, value in answers.items()}
