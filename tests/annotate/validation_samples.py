"""Small validation samples in the database, and their files."""

import io
import json
from collections.abc import Sequence

from django.contrib.auth.models import User

from annotate.actions.validation import create_sample
from annotate.exporters.tabular import encode_rows
from annotate.exporters.validation import file_of
from annotate.importers.validation_labels import ValidationRow, read_validation_labels
from annotate.models import ValidationSample
from annotate.validation import QUESTIONS, Question


def make_sample(
    question: str = "label",
    messages: Sequence[str] = ("Dear Sir,", "Ahoy!", "Hello."),
    label_sets: Sequence[str] = ("C", "D"),
    users: Sequence[User] = (),
    slug: str = "sample-1",
    **more,
) -> ValidationSample:
    """Open a sample of one item for each message; its other texts tell what they are."""
    names = QUESTIONS[Question(question)].texts
    texts = [
        {name: f"{name} {number}" for name in names} | {"message": message}
        for number, message in enumerate(messages, start=1)
    ]
    return create_sample(
        slug=slug, question=question, texts=texts, seed=5, users=users, label_sets=label_sets, **more
    )


def exported(sample: ValidationSample, what: str) -> list[dict]:
    """Return the rows of a file."""
    columns, rows = file_of(sample, what)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def encoded(sample: ValidationSample, what: str, suffix: str) -> bytes:
    """Return a file."""
    return b"".join(encode_rows(suffix, *file_of(sample, what)))


def read(rows: list[dict], question: str = "label") -> list[ValidationRow]:
    """Read rows as those of a file labels.jsonl."""
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    return read_validation_labels(io.BytesIO(content), "labels.jsonl", question)
