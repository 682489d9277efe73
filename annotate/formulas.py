"""Texts that a spreadsheet would run as formulas: made harmless in what is written, taken back when read."""

FORMULA_STARTS = tuple("=+-@|%＝＋－＠")


def neutral(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula.

    A text that already has the apostrophe before such a formula gets one more, so that a reader who
    takes one away always has the original.
    """
    if text.lstrip("'").startswith(("\t", "\r", "\n")) or text.lstrip(" \t\r\n'").startswith(FORMULA_STARTS):
        return f"'{text}"
    return text


def original(text: str) -> str:
    """Take away the apostrophe that `neutral` put before a text, if it did."""
    return text[1:] if text.startswith("'") and neutral(text[1:]) == text else text
