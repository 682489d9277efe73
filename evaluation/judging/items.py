"""Read a reply that answers several items: joined by echoed identifier, whole or not at all."""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from evaluation.judging.answers import NotRead, answer_of
from evaluation.judging.reading import Reading
from evaluation.llm.reply import Reply


def read_items[T](
    reply: Reply, identifiers: Collection[str], key: str, value_of: Callable[[Any], T | None]
) -> Reading[dict[str, T]]:
    """Return the value under `key` of each item, by the identifier that the reply echoes as `id`.

    A missing, surplus or repeated identifier makes the whole reply not read, as does one value that is
    not on the menu (`value_of` returns None for it).
    """
    answer = answer_of(reply)
    if isinstance(answer, NotRead):
        return Reading(None, answer)
    items = [item for found in answer.objects for item in _items(found.value, key)]
    if sorted(str(item["id"]) for item in items) != sorted(identifiers):
        return Reading(None, answer.why_not() if not items else _mismatch(answer.is_cut))
    values = {str(item["id"]): value_of(item[key]) for item in items}
    read = {identifier: value for identifier, value in values.items() if value is not None}
    return Reading(read) if len(read) == len(values) else Reading(None, NotRead.OFF_THE_MENU)


def _items(value: Any, key: str) -> Iterator[dict[str, Any]]:
    """Yield every object, at any depth, that has an identifier and the key."""
    if isinstance(value, dict) and "id" in value and key in value:
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _items(inner, key)


def _mismatch(is_cut: bool) -> NotRead:
    return NotRead.TRUNCATED if is_cut else NotRead.MALFORMED
