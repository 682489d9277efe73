"""The verdict on a nickname: an exact match, without a model."""

import unicodedata

PLAIN_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u02b9\u2032\uff07`\u00b4", "'"))


def nickname_match(nickname: str, message: str) -> bool:
    """Tell whether the message contains the nickname as a whole word, case as written.

    Both are compared in Unicode NFC, typographic and plain apostrophes being equal. A neighbour that
    is a letter, a digit, an underscore or a combining mark makes it part of another word; `Joker's`
    contains the word `Joker`. ValueError where the nickname is blank.
    """
    if not nickname.strip():
        raise ValueError("A blank nickname cannot be matched.")
    wanted, text = _comparable(nickname.strip()), _comparable(message)
    start = text.find(wanted)
    while start != -1:
        end = start + len(wanted)
        if not (_continues_word(text[start - 1 : start]) or _continues_word(text[end : end + 1])):
            return True
        start = text.find(wanted, start + 1)
    return False


def raw_match(nickname: str, message: str) -> bool:
    """Tell whether the message contains the nickname as a plain substring, character by character."""
    return bool(nickname) and nickname in message


def _comparable(text: str) -> str:
    return unicodedata.normalize("NFC", text).translate(PLAIN_APOSTROPHES)


def _continues_word(character: str) -> bool:
    return bool(character) and (
        character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")
    )
