import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchpres.matching import nickname_match, raw_match

MATCHES = [
    ("Joker", "Dear Joker, your loan"),
    ("Joker", "Joker"),
    ("Joker", "signed,\nJoker."),
    ("Joker", "It is Joker's turn"),
    ("Joker", "the Joker-like tone"),
    ("Joker", "jokers, JOKER, then Joker"),
    ("O'Neil", "Hi O\u2019Neil!"),
    ("O\u2019Neil", "Hi O'Neil!"),
    ("Zoe\u0308", "Hi Zo\u00eb"),
    ("Zo\u00eb", "Hi Zoe\u0308,"),
    ("Captain Sparkle", "Yours, Captain Sparkle"),
    (" Joker ", "(Joker)"),
    ("a.b", "hi a.b!"),
]
NO_MATCHES = [
    ("Joker", "Dear joker"),
    ("Joker", "Dear JOKER"),
    ("Joker", "the Jokers came"),
    ("Joker", "MisterJoker"),
    ("Joker", "Joker_2"),
    ("Joker", "Joker2"),
    ("Joker", ""),
    ("Jose", "Jose\u0301"),
    ("Jose", "Jos\u00e9"),
    ("Rex", "Rex\u0323"),
    ("a.b", "axb"),
    ("Zoe", "Zoe\u0308"),
]


@pytest.mark.parametrize(("nickname", "message"), MATCHES)
def test_a_nickname_is_found_as_a_whole_word(nickname, message):
    assert nickname_match(nickname, message)


@pytest.mark.parametrize(("nickname", "message"), NO_MATCHES)
def test_another_case_a_longer_word_or_another_accent_is_no_match(nickname, message):
    assert not nickname_match(nickname, message)


@given(st.text(min_size=1).filter(str.strip), st.text())
def test_normal_forms_do_not_matter(nickname, message):
    for form in ("NFC", "NFD"):
        assert nickname_match(nickname, message) == nickname_match(
            unicodedata.normalize(form, nickname), unicodedata.normalize(form, message)
        )


@given(st.text("Ab'\u2019 _1é", min_size=1).filter(str.strip))
def test_a_nickname_between_spaces_is_always_found(nickname):
    assert nickname_match(nickname, f"x {nickname} y")


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_nickname_is_refused(blank):
    with pytest.raises(ValueError, match="blank nickname"):
        nickname_match(blank, "Dear all")


def test_the_raw_match_is_a_plain_substring_and_nothing_more():
    assert raw_match("Joker", "the Jokers came")
    assert not raw_match("O'Neil", "O\u2019Neil")
    assert not raw_match("", "anything")
