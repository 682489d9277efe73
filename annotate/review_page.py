"""What a reviewer's page asks, and how what was chosen on it becomes answers.

A page names questions by their place on it and replies by the position in which they are shown, so that
neither its fields nor their values tell a side or a role. Only the order that goes with the page leads back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import QueryDict

from annotate.judgements import (
    ACCEPTABILITY,
    CONTROL,
    NONE,
    UNCERTAIN,
    YES_NO,
    Key,
    acceptable_answer,
    accepted_roles,
    questions_on,
)
from annotate.problems import Problem
from annotate.sheets import Given, Page

ASKED = {
    "applicability": "Does the preference apply here: should it guide the answer?",
    "validity": "Is the preference still valid, that is, still true of this person?",
    "naturalness": "Is the request natural, and can it be answered?",
    CONTROL: "Is this a controlled comparison: the same scene, different only in what matters?",
    ACCEPTABILITY: "Which replies are acceptable in situation {number}? Choose any number.",
}
FIRST_PASS_KEYS = ("123", "456", "789")
SECOND_PASS_KEYS = ("ynu", "123456", "abcdef")
COMMENT_KEYS = "jkl"
ALONE = {NONE: "None is acceptable", UNCERTAIN: "Uncertain"}
ORDINALS = ("first", "second", "third")


@dataclass(frozen=True)
class Option:
    """A choice on the page. `value` says what it is by position; `is_alone` excludes the others."""

    value: str
    text: str
    key: str
    is_chosen: bool
    is_alone: bool = False


@dataclass(frozen=True)
class Question:
    """A question on the page, named by its place, with the situation it is about in the second pass."""

    name: str
    text: str
    options: tuple[Option, ...]
    is_many: bool
    comment: str
    comment_key: str
    situation: str = ""


@dataclass(frozen=True)
class SheetForm:
    """What a page sends: choices and comments in `sent`, and what makes a repeat or a stale page known."""

    version: int
    token: UUID
    sent: QueryDict

    @classmethod
    def read(cls, sent: QueryDict) -> "SheetForm":
        """Read what the page sent. Raises `BadRequest` where it is not as the page makes it."""
        try:
            return cls(int(str(sent["version"])), UUID(str(sent["token"])), sent)
        except (KeyError, ValueError) as error:
            raise BadRequest(f"The form is not as this site makes it: {error}") from error

    def chosen(self, number: int) -> list[str]:
        """Return what was chosen at the first, second or third question."""
        return self.sent.getlist(f"q{number}")

    def comment(self, number: int) -> str:
        """Return the comment on the first, second or third question."""
        return self.sent.get(f"comment{number}", "")


def asked_on(page: Page) -> list[Key]:
    """Return the questions of a page in the order shown: those of a pair by its shuffled sides."""
    if page.side:
        return questions_on(page.side)
    return [(CONTROL, ""), *((ACCEPTABILITY, side) for side in page.shown["sides"])]


def read_answers(form: SheetForm, page: Page) -> list[Given]:
    """Read choices, by position, back into answers.

    Raises `Problem` where questions have no answer or one that contradicts itself: nothing chosen is no
    answer yet, never *none*. Raises `BadRequest` for a choice that there is not on the page.
    """
    keys = asked_on(page)
    if missing := [number for number in (1, 2, 3) if not form.chosen(number)]:
        raise Problem(
            f"Not saved: {_listed(missing)} no answer yet. "
            "Answer each question, with Uncertain where you cannot tell."
        )
    return [
        Given(question, side, _answer(form, number, page.shown.get(side, ())), form.comment(number))
        for number, (question, side) in enumerate(keys, start=1)
    ]


def _listed(numbers: Sequence[int]) -> str:
    names = [ORDINALS[number - 1] for number in numbers]
    if len(names) == 1:
        return f"the {names[0]} question has"
    return f"the {', '.join(names[:-1])} and {names[-1]} questions have"


def _answer(form: SheetForm, number: int, roles: Sequence[str]) -> str:
    """Return the answer to a question; `roles` are those of the replies in the order shown, if there are."""
    chosen = form.chosen(number)
    if roles:
        return _accepted(chosen, roles, number - 1)
    if len(chosen) > 1:
        raise Problem(f"Not saved: the {ORDINALS[number - 1]} question has two answers. Choose one of them.")
    if chosen[0] not in YES_NO:
        raise BadRequest("The form is not as this site makes it: there is no such answer.")
    return chosen[0]


def _accepted(chosen: Sequence[str], roles: Sequence[str], situation: int) -> str:
    """Read the replies chosen in a situation, or that none is acceptable, or uncertain, as one answer."""
    alone = [value for value in chosen if value in ALONE]
    if alone and len(chosen) > 1:
        raise Problem(
            f"Not saved: in situation {situation}, {ALONE[alone[0]]!r} is chosen together with another "
            "answer. It excludes every other; take one of them back."
        )
    if alone:
        return alone[0]
    shown = {str(position): role for position, role in enumerate(roles, start=1)}
    if not shown.keys() >= set(chosen):
        raise BadRequest("The form is not as this site makes it: there is no such reply.")
    return acceptable_answer(shown[position] for position in chosen)


def positions(question: str, answer: str, roles: Sequence[str]) -> list[str]:
    """Return an answer as the page's choices: replies by the position in which they are shown."""
    if not answer or question != ACCEPTABILITY or answer in ALONE:
        return [answer] if answer else []
    accepted = accepted_roles(answer) or ()
    return [str(position) for position, role in enumerate(roles, start=1) if role in accepted]


def questions_shown(
    page: Page, answers: Mapping[Key, tuple[str, str]], refused: SheetForm | None = None
) -> Iterator[Question]:
    """Yield the three questions of a page with the own answers, or with the choices of a refused form."""
    texts = {situation.side: situation.text for situation in page.pair.pair.situations.all()}
    replies = {reply.role: reply.text for reply in page.pair.pair.replies.all()}
    keys = FIRST_PASS_KEYS if page.side else SECOND_PASS_KEYS
    for number, (question, side) in enumerate(asked_on(page), start=1):
        answer, comment = answers.get((question, side), ("", ""))
        roles = page.shown.get(side, ())
        chosen = refused.chosen(number) if refused else positions(question, answer, roles)
        yield Question(
            name=f"q{number}",
            text=ASKED[question].format(number=number - 1),
            options=tuple(_options([replies[role] for role in roles], keys[number - 1], chosen)),
            is_many=bool(roles),
            comment=refused.comment(number) if refused else comment,
            comment_key=COMMENT_KEYS[number - 1],
            situation=texts[side] if roles else "",
        )


def _options(replies: Sequence[str], keys: str, chosen: Sequence[str]) -> Iterator[Option]:
    """Yield yes, no and uncertain, or where there are replies these, then what excludes them."""
    if not replies:
        for value, key in zip(YES_NO, keys, strict=True):
            yield Option(value, value.capitalize(), key, value in chosen)
        return
    for position, (text, key) in enumerate(zip(replies, keys, strict=False), start=1):
        yield Option(str(position), text, key, str(position) in chosen)
    for (value, text), key in zip(ALONE.items(), keys[len(replies) :], strict=True):
        yield Option(value, text, key, value in chosen, is_alone=True)


def in_words(page: Page, answers: Mapping[Key, tuple[str, str]]) -> str:
    """Return the own answers on a page on one line, replies by their positions."""
    words = []
    for key in asked_on(page):
        chosen = positions(key[0], answers[key][0], page.shown.get(key[1], ()))
        words.append(", ".join("none" if value == NONE else value for value in chosen))
    return " · ".join(words)
