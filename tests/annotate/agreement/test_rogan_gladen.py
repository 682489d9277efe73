"""A rate corrected for its judge's errors."""

import numpy as np
import pytest
from hypothesis import strategies as st

from annotate.agreement.rogan_gladen import Judged, lang_reiczigel_interval, rogan_gladen
from tests.annotate.agreement.examples import for_examples

GOOD = Judged(50, 150, 0.9, 0.8, 100, 100)


def test_a_perfect_judge_changes_nothing():
    found = rogan_gladen(Judged(30, 120, 1.0, 1.0, 50, 50))
    assert found.rate.value == found.raw == 0.25
    assert found.standard_error == pytest.approx(np.sqrt(0.25 * 0.75 / 120))


@for_examples(
    rate=st.floats(0, 1),
    sensitivity=st.sampled_from([0.7, 0.9, 1.0]),
    specificity=st.sampled_from([0.6, 0.95]),
)
def test_what_the_judge_would_report_on_average_is_turned_back(rate, sensitivity, specificity):
    units = 10**9
    seen = round(units * (rate * sensitivity + (1 - rate) * (1 - specificity)))
    found = rogan_gladen(Judged(seen, units, sensitivity, specificity, 100, 100))
    assert found.raw == pytest.approx(rate, abs=1e-6)
    assert 0 <= found.rate.value <= 1


def test_a_value_outside_zero_to_one_is_clipped_and_said():
    found = rogan_gladen(Judged(390, 400, 0.9, 0.95, 100, 60))
    assert found.rate.value == 1.0
    assert found.note == "the unclipped value is 1.0882, outside 0 to 1"
    assert rogan_gladen(GOOD).note == ""


@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.6, 0.4), (0.7, 0.3), (0.3, 0.2)])
def test_a_judge_no_better_than_chance_is_refused(sensitivity, specificity):
    judged = Judged(200, 400, sensitivity, specificity, 100, 100)
    found = rogan_gladen(judged)
    assert found.rate.value is found.raw is found.delta is None
    assert "no better than chance" in found.rate.undefined_reason
    with pytest.raises(ValueError, match="no better than chance"):
        lang_reiczigel_interval(judged)


@pytest.mark.parametrize(
    "bad",
    [
        Judged(5, 4, 0.9, 0.9, 9, 9),
        Judged(-1, 4, 0.9, 0.9, 9, 9),
        Judged(0, 0, 0.9, 0.9, 9, 9),
        Judged(1, 4, 0.9, 0.9, 0, 9),
        Judged(1, 4, 1.1, 0.9, 9, 9),
        Judged(1, 4, float("nan"), 0.9, 9, 9),
    ],
)
def test_what_cannot_be_is_refused(bad):
    with pytest.raises(ValueError, match=r"out of range|expected 0 to 1"):
        rogan_gladen(bad)


def test_the_interval_keeps_its_level_over_repeated_studies():
    """Simulate whole studies with a true rate of 0.1: about 95 % of the intervals should hold it."""
    draw = np.random.default_rng(20)
    held, studies = 0, 1000
    for _ in range(studies):
        judged = Judged(
            int(draw.binomial(300, 0.1 * 0.85 + 0.9 * 0.1)),
            300,
            draw.binomial(80, 0.85) / 80,
            draw.binomial(80, 0.9) / 80,
            80,
            80,
        )
        interval = rogan_gladen(judged).rate.interval
        held += interval.low <= 0.1 <= interval.high
    assert 0.93 < held / studies <= 1
