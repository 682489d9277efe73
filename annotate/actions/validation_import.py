"""Answers in a validation sample that were given elsewhere, brought in by a file: all of them or none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from annotate.actions.seating import hold_in_state
from annotate.actions.validating import Given, append_revision
from annotate.actions.validation import add_label_set
from annotate.importers.reading import Place, describe
from annotate.importers.validation_labels import ValidationRow
from annotate.models import Rater, ValidationItem, ValidationLabel, ValidationSample
from annotate.problems import Problem
from annotate.validation import words_of

CHANGES_TOLD = 5


@dataclass(frozen=True)
class ValidationImport:
    """What an import of answers did. *Unanswered* are the file's rows whose value was left empty.

    `cannot_tell` counts the file's answers that say so, whether or not they are new.
    """

    added: int
    changed: int
    unchanged: int
    cannot_tell: int
    unanswered: int
    new_label_sets: tuple[str, ...]


@dataclass(frozen=True)
class FileAnswer:
    """An answer of the file, whose it is, where it stands, and the label that is there already."""

    rater: Rater
    given: Given
    saved: ValidationLabel | None
    at: Place

    @property
    def change(self) -> str:
        """Say what would become of the label that is there; empty where it stays or there is none."""
        if self.saved is None:
            return ""
        changes = []
        if self.saved.value != self.given.value:
            before, after = (words_of(self.saved.question, each.value) for each in (self.saved, self.given))
            changes.append(f"{before} -> {after}")
        if self.saved.comment != self.given.comment:
            changes.append(f"comment {describe(self.saved.comment)} -> {describe(self.given.comment)}")
        return ", ".join(changes)


@transaction.atomic
def import_validation_labels(
    sample: ValidationSample,
    rows: Sequence[ValidationRow],
    saved_by: User | None = None,
    *,
    new_label_sets: bool = False,
    accept_changes: bool = False,
) -> ValidationImport:
    """Save the answers of a file in an open sample; the same file again changes nothing.

    1. Every row must name an item of the sample, with its texts where the file has them.
    2. Every answer must name an active seat; with `new_label_sets` other names become seats without an
       account.
    3. Answers that differ from those saved are changes, refused unless `accept_changes`; the earlier
       answers are kept.
    """
    hold_in_state(sample, ValidationSample.State.OPEN)
    items = _items(sample, rows)
    answered = [row for row in rows if row.is_answered]
    seats = _seats(sample)
    added_seats = _add_seats(sample, answered, seats) if new_label_sets else ()
    answers = list(_answers(sample, answered, seats, items, saved_by))
    new = [answer for answer in answers if answer.saved is None]
    changes = [answer for answer in answers if answer.change]
    if changes and not accept_changes:
        _refuse_changes(changes)
    _write([*new, *changes])
    return ValidationImport(
        added=len(new),
        changed=len(changes),
        unchanged=len(answers) - len(new) - len(changes),
        cannot_tell=sum(row.value is None for row in answered),
        unanswered=len(rows) - len(answered),
        new_label_sets=added_seats,
    )


def _items(sample: ValidationSample, rows: Sequence[ValidationRow]) -> dict[int, ValidationItem]:
    """Return the sample's items by number, once every row fits the one that it names."""
    items = {item.number: item for item in sample.items.select_related("sample")}
    for row in rows:
        if row.sample not in ("", sample.slug):
            row.at.refuse("field sample", describe(row.sample), f"{sample}, the sample that was named")
        if row.item not in items:
            expected = f"an item of sample {sample}, 1 to {len(items)}"
            row.at.refuse("field item", f"the number {row.item}", expected)
        _refuse_other_texts(row, items[row.item])
    return items


def _refuse_other_texts(row: ValidationRow, item: ValidationItem) -> None:
    """Refuse an answer beside another text, as of columns sorted apart; white space may differ."""
    for name, text in row.texts.items():
        if text.split() != item.texts[name].split():
            expected = f"the text of item {item.number}, or no field {name}"
            row.at.refuse(f"field {name}", describe(text), expected)


def _seats(sample: ValidationSample) -> dict[str, Rater]:
    """Let raters of the sample wait; return their seats by pseudonym."""
    seats = sample.raters.select_for_update(no_key=True).order_by("pk")
    return {rater.pseudonym: rater for rater in seats}


def _add_seats(
    sample: ValidationSample, answered: Sequence[ValidationRow], seats: dict[str, Rater]
) -> tuple[str, ...]:
    """Add to `seats` one for each name that has none; return those names in the order of the file."""
    names = tuple(dict.fromkeys(row.annotator for row in answered if row.annotator not in seats))
    for name in names:
        seats[name] = add_label_set(sample, name)
    return names


def _answers(
    sample: ValidationSample,
    answered: Sequence[ValidationRow],
    seats: Mapping[str, Rater],
    items: Mapping[int, ValidationItem],
    saved_by: User | None,
) -> Iterator[FileAnswer]:
    """Lay each answer beside the label that is there; without a comment to give, that one's stays."""
    labels = ValidationLabel.objects.filter(rater__sample=sample)
    saved = {(label.rater_id, label.item_id): label for label in labels}
    for row in answered:
        rater, item = _seat(sample, row, seats), items[row.item]
        label = saved.get((rater.pk, item.pk))
        there = label.comment if label else ""
        comment = there if row.comment is None else row.comment
        given = Given(item, row.value, comment, uuid4(), saved_by).checked(rater)
        yield FileAnswer(rater, given, label, row.at)


def _seat(sample: ValidationSample, row: ValidationRow, seats: Mapping[str, Rater]) -> Rater:
    """Return the seat that a row names."""
    found = seats.get(row.annotator)
    if found is None:
        known = f"a seat of sample {sample}: {', '.join(sorted(seats)) or 'none yet'}"
        row.at.refuse("field annotator", describe(row.annotator), f"{known}; or --new-label-sets")
    if not found.is_active:
        expected = f"an active seat; take up that of {row.annotator} first"
        row.at.refuse("field annotator", f"{describe(row.annotator)}, whose seat has ended", expected)
    return found


def _refuse_changes(changes: Sequence[FileAnswer]) -> None:
    """Say what would change, and ask."""
    told = [
        f"{answer.at}, item {answer.given.item.number} of {answer.rater.pseudonym}: {answer.change}"
        for answer in changes[:CHANGES_TOLD]
    ]
    more = [f"and {len(changes) - CHANGES_TOLD} more"] if len(changes) > CHANGES_TOLD else []
    raise Problem(
        f"{len(changes)} answers differ from those saved: {'; '.join([*told, *more])}. Nothing was imported. "
        "Accept the changes (--accept-changes) to save them; the earlier answers are kept."
    )


def _write(answers: Sequence[FileAnswer]) -> None:
    now = timezone.now()
    for answer in answers:
        append_revision(answer.rater, answer.given, answer.saved, now)
