"""The files of a validation sample: its items, to be labelled elsewhere, and every answer on them."""

from collections.abc import Iterator

import numpy as np

from annotate.allocation import RandomOrder
from annotate.exporters.tabular import Columns, Row
from annotate.models import Rater, ValidationLabelRevision, ValidationSample
from annotate.models.campaign import EXAMPLE_LABELS
from annotate.problems import refuse_unknown
from annotate.validation import words_of

FILES = ("items", "labels")
ROWS_AT_ONCE = 2_000
# One row a save, earlier versions included; `is_present` marks the answers that hold. `place` counts from 1
# in the annotator's own order of the items, in which Tact's pages ask for them.
LABEL_COLUMNS: Columns = {
    "sample": str,
    "origin": str,
    "annotator": str,
    "item": int,
    "question": str,
    "value": float,
    "words": str,
    "comment": str,
    "place": int,
    "version": int,
    "is_present": bool,
    "saved_at": str,
}


def file_of(sample: ValidationSample, what: str) -> tuple[Columns, Iterator[Row]]:
    """Return columns and rows of one of `FILES`, for `write_rows`, `encode_rows` or a download."""
    refuse_unknown("file", [what], FILES)
    if what == "items":
        return item_columns(sample), item_rows(sample)
    return LABEL_COLUMNS, label_rows(sample)


def item_columns(sample: ValidationSample) -> Columns:
    """Return what an item is written with: its texts, and what is to be filled in."""
    shown = dict.fromkeys(sample.asked.texts, str)
    return {"sample": str, "item": int, **shown, "annotator": str, "value": float, "comment": str}


def item_rows(sample: ValidationSample) -> Iterator[Row]:
    """Give one row an item, in the order of the numbers: what people see of it, and nothing else."""
    names = sample.asked.texts
    items = sample.items.order_by("number").values_list("number", "texts")
    for number, texts in items.iterator(chunk_size=ROWS_AT_ONCE):
        yield (sample.slug, number, *(texts[name] for name in names), "", None, "")


def label_rows(sample: ValidationSample) -> Iterator[Row]:
    """Give one row a save, in the order of annotators, items and versions."""
    total = sample.items.count()
    for rater in sample.raters.order_by("pseudonym"):
        yield from _rows_of(sample, rater, total)


def _rows_of(sample: ValidationSample, rater: Rater, total: int) -> Iterator[Row]:
    places = RandomOrder(rater.seed, total).places_of(np.arange(total)) + 1
    origin = EXAMPLE_LABELS if sample.is_example else "annotators of the sample"
    saves = ValidationLabelRevision.objects.filter(label__rater=rater).order_by(
        "label__item__number", "version"
    )
    columns = ("label__item__number", "value", "comment", "version", "label__version", "saved_at")
    for number, value, comment, version, last, saved_at in saves.values_list(*columns).iterator(ROWS_AT_ONCE):
        yield (
            sample.slug,
            origin,
            rater.pseudonym,
            number,
            sample.question,
            value,
            words_of(sample.question, value),
            comment,
            int(places[number - 1]),
            version,
            version == last,
            saved_at.isoformat(timespec="microseconds"),
        )
