"""Read what a model answered: a value, or the reason why there is none. Never a default.

Reading is pure: stored replies can be read again at any time. `VERSION` grows with every change that
could read a reply differently.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from evaluation.judging.answers import ASK_AGAIN, NotRead, Prose, answer_of, only
from evaluation.judging.labels import final_label, label_in_prose, label_value
from evaluation.judging.letters import LETTER_KEYS, letter_in_prose, letter_value
from evaluation.judging.numbers import COMPLETENESS, UPTAKE
from evaluation.judging.sections import after_mark, word_after_mark
from evaluation.judging.truths import truth_in_prose, truth_value
from evaluation.llm.reply import Reply

VERSION = 2


@dataclass(frozen=True)
class Reading[T]:
    """A value, or None with the reason. `is_cut`: the length limit cut what follows the value."""

    value: T | None
    reason: NotRead | None = None
    is_cut: bool = False

    def then[U](self, change: Callable[[T], U]) -> "Reading[U]":
        """Return the changed value, or the same reason why there is none."""
        if self.value is None:
            return Reading(None, self.reason, self.is_cut)
        return Reading(change(self.value), is_cut=self.is_cut)

    @property
    def may_ask_again(self) -> bool:
        """Tell whether the same question may bring a better answer: not after a refusal or a cut."""
        return self.reason in ASK_AGAIN


def read_message(reply: Reply) -> Reading[str]:
    """Read a message that a model wrote: its whole answer, without reasoning.

    A message that the length limit cut is read as far as it goes, and says so: `is_cut`. One that was
    cut before it began is not read.
    """
    answer = answer_of(reply)
    if isinstance(answer, NotRead):
        return Reading(None, answer)
    return Reading(answer.text.strip(), is_cut=answer.is_cut)


def read_label(reply: Reply) -> Reading[str]:
    """Read a judge's label, `follow` or `do_not_follow`. A final verdict in prose outdoes earlier JSON."""
    return _read(reply, ("label",), label_value, label_in_prose, final_label)


def read_letter(reply: Reply, letters: str = "ABCD") -> Reading[str]:
    """Read the letter that was chosen among those shown, in upper case."""
    return _read(
        reply, LETTER_KEYS, partial(letter_value, letters=letters), partial(letter_in_prose, letters=letters)
    )


def read_uptake(reply: Reply) -> Reading[float]:
    """Read a graded uptake: 0, 0.5 or 1."""
    return _read(reply, UPTAKE.keys, UPTAKE.value, UPTAKE.in_prose)


def read_completeness(reply: Reply) -> Reading[float]:
    """Read a task completeness score: 1, 2, 3, 4 or 5."""
    return _read(reply, COMPLETENESS.keys, COMPLETENESS.value, COMPLETENESS.in_prose)


def read_fit(reply: Reply) -> Reading[int]:
    """Read a situational fit: 1 or 0, also written as true or false, yes or no."""
    return read_truth(reply, "fit")


def read_truth(reply: Reply, key: str) -> Reading[int]:
    """Read the answer to a question of yes or no under a JSON key: 1 or 0, true or false, yes or no."""
    return _read(reply, (key,), truth_value, partial(truth_in_prose, key=key))


def read_after_mark(reply: Reply, mark: str) -> Reading[str]:
    """Read the message that stands after the last line that begins with a mark such as `ANSWER`.

    Without the mark the reply is malformed, or truncated where the length limit cut it.
    """
    whole = read_message(reply)
    if whole.value is None:
        return whole
    message = after_mark(whole.value, mark)
    if message:
        return Reading(message, is_cut=whole.is_cut)
    return Reading(None, NotRead.TRUNCATED if whole.is_cut else NotRead.MALFORMED)


def read_word(reply: Reply, mark: str, words: tuple[str, ...]) -> str:
    """Return which of the words stands alone after a mark; empty where none does."""
    whole = read_message(reply)
    return word_after_mark(whole.value or "", mark, words)


def _read[T](
    reply: Reply,
    keys: tuple[str, ...],
    value_of: Callable[[Any], T | None],
    in_prose: Callable[[Prose], T | NotRead | None],
    last_word: Callable[[Prose], T | NotRead | None] = lambda prose: None,
) -> Reading[T]:
    """Read JSON where there is any under one of the keys, else prose, else say why not.

    `value_of` returns None for what is not on the menu, `in_prose` where the prose names no answer,
    `last_word` where no final verdict follows the JSON.
    """
    answer = answer_of(reply)
    if isinstance(answer, NotRead):
        return Reading(None, answer)
    values = answer.values(keys)
    if values:
        said = last_word(answer.prose_after_json)
        if said is None:
            said = value_of(only(values))
        missing = NotRead.OFF_THE_MENU
    else:
        said = in_prose(answer.prose)
        missing = answer.why_not()
    if said is None:
        return Reading(None, missing)
    return Reading(None, said) if isinstance(said, NotRead) else Reading(said)
