"""The one error that is meant for the user, and what is refused alike everywhere."""

from collections.abc import Collection, Sequence
from typing import Any


class Problem(Exception):
    """A user's mistake, or a request that cannot be met, in words for that user.

    The message names the thing, what was found, what was expected and what to do. Commands turn it
    into an exit status, pages into a message, the API into a 400 or 409.
    """


def refuse_repeats(kind: str, given: Sequence[Any]) -> None:
    """Raise `Problem` where nothing of a kind is named, or something twice."""
    if not given or len(set(given)) < len(given):
        raise Problem(f"Name at least one {kind}, and each only once.")


def refuse_unknown(kind: str, given: Sequence[str], known: Collection[str]) -> None:
    """Raise `Problem` where nothing of a kind is named, something twice, or what is not on the menu."""
    refuse_repeats(kind, given)
    for name in given:
        if name not in known:
            raise Problem(f"The {kind} {name!r} is unknown; expected one of {', '.join(known)}.")
