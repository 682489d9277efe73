"""A reviewer's pages and the answers on them, as writing and reading know them alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.judgements import Key
from annotate.models import ReviewedPair, Reviewer, Sheet, SheetRevision


@dataclass(frozen=True)
class Given:
    """One answer as a form or a file brings it; `side` is empty for pair control."""

    question: str
    side: str
    answer: str
    comment: str = ""


@dataclass(frozen=True)
class Page:
    """A page of a reviewer: a situation of the first pass, or with an empty side a pair of the second.

    `place` is its place in the reviewer's order of that pass, `shown` the orders on it.
    """

    pair: ReviewedPair
    side: str
    place: int | None
    shown: Mapping[str, Sequence[str]] = field(default_factory=dict)


def second_pass_has_begun(reviewer: Reviewer) -> bool:
    """Tell whether a reviewer may have seen both situations of a pair together."""
    opened = Reviewer.objects.filter(pk=reviewer.pk, second_pass_at__isnull=False)
    return opened.exists() or reviewer.sheets.filter(side="").exists()


def own_answers(sheet: Sheet | None) -> dict[Key, tuple[str, str]]:
    """Return the present answers of a sheet, with comments, by question and side; none without a sheet."""
    revision = sheet.revisions.filter(version=sheet.version).first() if sheet else None
    return answers_of(revision) if revision else {}


def answers_of(revision: SheetRevision) -> dict[Key, tuple[str, str]]:
    """Return answer and comment by question and side."""
    rows: Any = revision.judgements.values_list("question", "side", "answer", "comment")
    return {(question, side): (answer, comment) for question, side, answer, comment in rows}
