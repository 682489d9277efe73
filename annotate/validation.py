"""What people are asked when judges are checked against them: questions, answers, and what is shown.

An answer is a number, the same that a judge of that question gives, or None for *cannot tell*.
"""

from dataclasses import dataclass
from enum import StrEnum


class Question(StrEnum):
    """What is asked about one answer of a model."""

    LABEL = "label"
    COMPLETENESS = "completeness"
    UPTAKE = "uptake"
    FIT = "fit"
    HEDGING = "hedging"


@dataclass(frozen=True)
class Option:
    """An answer: its number, its words on pages, the key that gives it."""

    value: float
    words: str
    key: str


@dataclass(frozen=True)
class Asked:
    """A question in words, its answers in their order, and which texts stand on the page, in that order.

    `is_ordered` tells whether the answers are steps of a scale.
    """

    words: str
    options: tuple[Option, ...]
    texts: tuple[str, ...]
    is_ordered: bool = False

    @property
    def values(self) -> tuple[float, ...]:
        """Return the declared answers in their declared order, from the lowest."""
        return tuple(sorted(option.value for option in self.options))


CANNOT_TELL, CANNOT_TELL_KEY = "Cannot tell", "u"
# What the texts of an item are called on pages.
TEXTS = {
    "recipient": "To",
    "task": "Purpose",
    "preference": "Preference",
    "situation": "Situation",
    "request": "Request",
    "message": "Text",
}
QUESTIONS: dict[Question, Asked] = {
    Question.LABEL: Asked(
        "Does the message follow the preference?",
        (Option(1, "Follows", "1"), Option(0, "Does not follow", "2")),
        ("preference", "message"),
    ),
    Question.COMPLETENESS: Asked(
        "How well would this message, sent as it is, serve its purpose?",
        (
            Option(1, "Not at all", "1"),
            Option(2, "Barely", "2"),
            Option(3, "In part", "3"),
            Option(4, "Well, with small faults", "4"),
            Option(5, "Fully", "5"),
        ),
        ("recipient", "task", "message"),
        is_ordered=True,
    ),
    Question.UPTAKE: Asked(
        "How far does the answer rely on the preference?",
        (
            Option(0, "Not at all", "1"),
            Option(0.5, "In part, or silently", "2"),
            Option(1, "Plainly or centrally", "3"),
        ),
        ("preference", "request", "message"),
        is_ordered=True,
    ),
    Question.FIT: Asked(
        "Does the answer do what was asked, in a way that works in this situation?",
        (Option(1, "Fits", "1"), Option(0, "Does not fit", "2")),
        ("situation", "request", "message"),
    ),
    Question.HEDGING: Asked(
        "Does the answer offer both what follows the preference and what does not, without settling on one?",
        (Option(1, "Hedges", "1"), Option(0, "Commits itself", "2")),
        ("preference", "request", "message"),
    ),
}


def words_of(question: str, value: float | None) -> str:
    """Return an answer in words."""
    if value is None:
        return CANNOT_TELL
    return next(option.words for option in QUESTIONS[Question(question)].options if option.value == value)
