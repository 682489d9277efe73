"""Waits are those the endpoint asks for, or our own."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.llm.retry import Patience, retry_after

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3),
        ({"retry-after": " 0.25 "}, 0.25),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "20", "retry-after": "9"}, 0.02),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30"}, 30),
        ({"retry-after": "Sun, 01 Mar 2026 14:00:30 +0200"}, 30),
        ({"retry-after": "Sun, 01 Mar 2026 11:59:59 GMT"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_wait_that_an_endpoint_asks_for(headers, seconds):
    assert retry_after(headers, NOW) == seconds


@given(st.text(max_size=40), st.text(max_size=20))
def test_no_header_breaks_the_reading_of_a_wait(value, milliseconds):
    seconds = retry_after({"retry-after": value, "retry-after-ms": milliseconds}, NOW)
    assert seconds is None or 0 <= seconds < float("inf")


def test_back_off_doubles_up_to_the_longest_and_is_spread():
    patience = Patience(first_wait=1, longest_back_off=10)
    assert [patience.back_off(n, chance=1) for n in (1, 2, 3, 4, 5, 500)] == [1, 2, 4, 8, 10, 10]
    assert patience.back_off(3, chance=0) == 2
