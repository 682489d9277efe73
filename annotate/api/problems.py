"""How the API answers a problem: what was found and what was expected, with a fitting status."""

import reprlib
from collections.abc import Iterator
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotate.actions.accounts import PasswordNotChosen
from annotate.actions.labelling import AlreadyLabelled, ItemCompleted, StaleLabel
from annotate.problems import Problem

STATUSES: dict[type[Problem], int] = {
    StaleLabel: 409,
    ItemCompleted: 409,
    AlreadyLabelled: 409,
    PasswordNotChosen: 403,
}
NOT_SENT = object()
SHORT = reprlib.Repr(maxstring=80)


def answer_problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer with `detail` in words: a conflict 409, any other problem 400, the rest as REST framework does.

    Where fields of the request are wrong, `fields` has the words of each. What was sent is repeated unless
    the view says that it may be secret (`repeats_input = False`).
    """
    if isinstance(error, Problem):
        return Response({"detail": str(error)}, status=STATUSES.get(type(error), 400))
    response = exception_handler(error, context)
    if response is not None and isinstance(error, ValidationError):
        is_repeated = getattr(context["view"], "repeats_input", True)
        sent = context["request"].data if is_repeated else NOT_SENT
        response.data = {"detail": " ".join(sentences(error.detail, sent)), "fields": error.detail}
    return response


def sentences(errors: Any, sent: Any, place: str = "") -> Iterator[str]:
    """Yield `place: message Found value.` for each error, however deep in the request it is."""
    parts = errors.items() if isinstance(errors, dict) else enumerate(errors)
    for name, inner in parts:
        if isinstance(inner, (dict, list)):
            yield from sentences(inner, part(sent, name), below(place, name))
        else:
            found = "" if sent is NOT_SENT else f" Found {SHORT.repr(sent)}."
            yield f"{place}: {inner}{found}" if place else f"{inner}{found}"


def part(sent: Any, name: str | int) -> Any:
    """Return a part of what was sent, or `NOT_SENT`."""
    try:
        return sent[name]
    except (KeyError, IndexError, TypeError):
        return NOT_SENT


def below(place: str, name: str | int) -> str:
    """Name a part of a place, such as `judges.0.endpoint`; what concerns no single field has no name."""
    return place if name == "non_field_errors" else f"{place}.{name}".lstrip(".")
