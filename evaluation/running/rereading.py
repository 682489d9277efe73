"""Stored replies of a run, read again by the current reader, beside what is stored."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from evaluation.asking import asking
from evaluation.judging.reading import VERSION
from evaluation.llm.reply import Reply
from evaluation.models import Generation, Run, Verdict
from evaluation.models.generation import Outcome
from evaluation.questions import Question
from evaluation.running.columns import match_columns, read_columns
from evaluation.running.units import PARTS_OF_PAIRS, POINTS_TO, Replies, replies_of

Values = dict[str, Any]

ANSWER, VERDICT, MATCH = "answer", "verdict", "match"
KINDS = {ANSWER: "answers", VERDICT: "verdicts", MATCH: "exact matches"}
UNREAD: dict[str, Values] = {
    ANSWER: {"message": "", "choice": ""},
    VERDICT: {"value": None, "details": None},
}
# What is planned will be read when it is its turn, and what was skipped nobody wanted.
READ_AGAIN = (Outcome.DONE, Outcome.NOT_READ, Outcome.FAILED)
OTHER_MESSAGE = "message differs; its verdicts were on the earlier text"
OTHER_ORDER = "the choices would be shown in another order now; the letter cannot be read again"
ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class Reread:
    """A unit with what is stored of it and what is read now, by column.

    `held_back` says why what is read now must not be stored.
    """

    kind: str
    row: Generation | Verdict
    stored: Values
    now: Values
    held_back: str = ""

    @property
    def differs(self) -> bool:
        """Tell whether what is read now is not what is stored, or cannot be known."""
        return self.stored != self.now or bool(self.held_back)

    @property
    def name(self) -> str:
        """Name the unit in one line."""
        if isinstance(self.row, Generation):
            return str(self.row)
        judge = self.row.judge.endpoint_snapshot["name"] if self.row.judge else "exact match"
        number = f"{judge} {self.row.number}" if self.row.number > 1 else judge
        parts = [self.row.generation, self.row.target, self.row.preference, number]
        return " / ".join(str(part) for part in parts if part)

    def as_dict(self) -> dict[str, Any]:
        """Return the unit as plain data."""
        return {
            "kind": self.kind,
            "id": self.row.pk,
            "unit": self.name,
            "stored": self.stored,
            "now": self.now,
            "held_back": self.held_back,
        }


@dataclass(frozen=True)
class Rereading:
    """How many units of each kind were read again, and those that differ. `note`: what was left out."""

    run: int
    stored_reader: int
    reader: int
    read: dict[str, int]
    differences: list[Reread]
    note: str = ""

    @property
    def to_store(self) -> list[Reread]:
        """Return what can be stored."""
        return [unit for unit in self.differences if not unit.held_back]

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """Return by kind how many units were read again, how many differ, how many of these are held back."""
        differ = Counter(unit.kind for unit in self.differences)
        held_back = Counter(unit.kind for unit in self.differences if unit.held_back)
        return {
            kind: {"read_again": self.read[kind], "differ": differ[kind], "held_back": held_back[kind]}
            for kind in KINDS
        }


def reread(run: Run) -> Rereading:
    """Read every stored reply of a run again, the last one of each unit, and change nothing."""
    read, differences = dict.fromkeys(KINDS, 0), []
    is_same_corpus = run.dataset.content_hash == run.corpus_hash
    for unit in _read_again(run, with_matches=is_same_corpus):
        read[unit.kind] += 1
        if unit.differs:
            differences.append(unit)
    note = "" if is_same_corpus else "The corpus has changed since: exact matches were not made again."
    return Rereading(run.pk, run.reader_version, VERSION, read, differences, note)


def _read_again(run: Run, *, with_matches: bool) -> Iterator[Reread]:
    questions = asking(run)
    for row in _rows(run):
        questions.prepare(row)
        if row.outcome in READ_AGAIN and (replies := replies_of(row.reply)):
            yield _answer(row, questions.question(row), replies)
        for verdict in row.verdicts.all():
            if verdict.judge is None:
                if with_matches and verdict.outcome == Outcome.DONE:
                    yield _match(verdict, row.message)
            elif verdict.outcome in READ_AGAIN and (replies := replies_of(verdict.reply)):
                yield _read(VERDICT, verdict, questions.verdict_question(verdict, row, row.message), replies)


def _rows(run: Run) -> Iterator[Generation]:
    """Yield the generations with all that questions about them and their verdicts need."""
    verdicts = Verdict.objects.select_related("preference", "judge").order_by("pk")
    rows = run.generations.select_related(*POINTS_TO).order_by("pk")
    rows = rows.prefetch_related(*PARTS_OF_PAIRS, Prefetch("verdicts", verdicts))
    return rows.iterator(chunk_size=ROWS_AT_ONCE)


def _answer(row: Generation, question: Question, replies: Replies) -> Reread:
    """Read an answer again. A message on which there are verdicts stays as they know it."""
    unit = _read(ANSWER, row, question, replies)
    if row.shown and row.shown != list(question.shown):
        return Reread(ANSWER, row, unit.stored, unit.stored, OTHER_ORDER)
    if unit.now["message"] != row.message and row.verdicts.all():
        return Reread(ANSWER, row, unit.stored, unit.now, OTHER_MESSAGE)
    return unit


def _read(kind: str, row: Generation | Verdict, question: Question, replies: Replies) -> Reread:
    """Read the last reply as the worker does when it comes."""
    reading = question.read(Reply.from_body(replies[-1]))
    now = UNREAD[kind] | read_columns(reading)
    stored = _stored(row, now)
    # It failed when it was asked once more; that nothing can be read before that is no news.
    if row.outcome == Outcome.FAILED and reading.value is None:
        return Reread(kind, row, stored, stored)
    return Reread(kind, row, stored, now)


def _match(row: Verdict, message: str) -> Reread:
    """Match a nickname again, on the message that is stored."""
    now = match_columns(row.preference, message)
    return Reread(MATCH, row, _stored(row, now), now)


def _stored(row: Generation | Verdict, columns: Values) -> Values:
    return {name: getattr(row, name) for name in columns}
