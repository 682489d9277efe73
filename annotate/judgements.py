"""What a review asks of a situation and of a pair, and every answer that there is.

First pass, of each situation alone: does the preference apply here, is it still valid, is the request natural
and answerable. Second pass, of each pair: is it a controlled comparison, and in each situation, which replies
are acceptable. An answer is one text; a set of acceptable replies is their roles joined by `+`, in the order
of `ROLES`. *None acceptable* and *uncertain* are answers of their own.
"""

from collections.abc import Iterable
from itertools import chain, combinations

from annotate.pairs import ROLES, SIDES

YES, NO, UNCERTAIN, NONE = "yes", "no", "uncertain", "none"
YES_NO = (YES, NO, UNCERTAIN)

SITUATION_QUESTIONS = ("applicability", "validity", "naturalness")
CONTROL, ACCEPTABILITY = "control", "acceptability"
QUESTIONS = (*SITUATION_QUESTIONS, CONTROL, ACCEPTABILITY)

Key = tuple[str, str]  # (question, side)

_SETS = chain.from_iterable(combinations(ROLES, size) for size in range(1, len(ROLES) + 1))
ACCEPTABLE = (NONE, *("+".join(roles) for roles in _SETS), UNCERTAIN)


def questions_on(side: str) -> list[Key]:
    """Return the questions of a page with the side each is about: three on every page."""
    if side:
        return [(question, side) for question in SITUATION_QUESTIONS]
    return [(CONTROL, ""), *((ACCEPTABILITY, each) for each in SIDES)]


def answers_to(question: str) -> tuple[str, ...]:
    """Return every answer to a question, in their declared order."""
    return ACCEPTABLE if question == ACCEPTABILITY else YES_NO


def acceptable_answer(roles: Iterable[str]) -> str:
    """Return the answer that accepts just these replies; of no reply it is *none*."""
    chosen = set(roles)
    return "+".join(role for role in ROLES if role in chosen) or NONE


def accepted_roles(answer: str) -> frozenset[str] | None:
    """Return the replies that an answer accepts; `None` where it is *uncertain*."""
    if answer == UNCERTAIN:
        return None
    return frozenset() if answer == NONE else frozenset(answer.split("+"))
