"""How a table writes what a rate rests on."""

import pytest

from evaluation.reporting.tables import counts


@pytest.mark.parametrize(
    ("numerator", "denominator", "words"),
    [
        (18, 20, "18 of 20"),
        (1234567.0, 2345678, "1,234,567 of 2,345,678"),
        (12.5, 40, "12.5 of 40"),
        (17.99894, 17.99894, "18 of 18"),
        (0.3333, 9.8765, "0.33 of 9.88"),
        (None, 20, ""),
    ],
)
def test_counts_are_whole_where_they_are_and_short_where_they_are_not(numerator, denominator, words):
    assert counts({"numerator": numerator, "denominator": denominator, "value": 0.5}) == words
