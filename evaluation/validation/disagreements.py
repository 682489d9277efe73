"""The items to read again: a judge says other than people, or people are divided."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotate.validation import CANNOT_TELL
from evaluation.validation.answers import answers_of
from evaluation.validation.records import Item, SampleRecord
from evaluation.validation.reference import reference_of

NOT_READ = "Not read"


@dataclass(frozen=True)
class Disagreement:
    """An item, what is shown of it, and who said what in words; `reference` is None where people are divided.

    `disagreeing` names the judges that differ from the reference.
    """

    number: int
    part: str
    category: str
    domains: tuple[str, ...]
    texts: dict[str, str]
    reference: str | None
    people: dict[str, str]
    judges: dict[str, str]
    disagreeing: tuple[str, ...]
    comments: dict[str, str]


def disagreements(record: SampleRecord) -> list[Disagreement]:
    """Return the items to read again: those that most judges differ on first, then by number."""
    return sorted(_disagreements(record), key=lambda found: (-len(found.disagreeing), found.number))


def _disagreements(record: SampleRecord) -> Iterator[Disagreement]:
    answers, reference = answers_of(record), reference_of(record)
    for item in record.items:
        people_say = reference.values.get(item.number)
        disagreeing = tuple(
            judge.name
            for judge in record.judges
            if people_say is not None and answers[judge.name].get(item.number, people_say) != people_say
        )
        if disagreeing or item.number in reference.divided:
            yield _disagreement(record, item, people_say, disagreeing)


def _disagreement(
    record: SampleRecord, item: Item, reference: str | None, disagreeing: tuple[str, ...]
) -> Disagreement:
    return Disagreement(
        number=item.number,
        part=item.unit.part,
        category=item.unit.category,
        domains=item.unit.domains,
        texts=item.texts,
        reference=reference,
        people=_said(record, item, is_person=True),
        judges=_said(record, item, is_person=False),
        disagreeing=disagreeing,
        comments={name: item.comments[name] for name in record.people if item.comments.get(name)},
    )


def _said(record: SampleRecord, item: Item, *, is_person: bool) -> dict[str, str]:
    words: dict[float | None, str] = dict(zip(record.values, record.value_words, strict=True))
    words[None] = CANNOT_TELL if is_person else NOT_READ
    return {
        rater.name: words[item.given[rater.name]]
        for rater in record.raters
        if rater.is_person is is_person and rater.name in item.given
    }
