"""McNemar's test."""

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels

from annotate.agreement.mcnemar import mcnemar
from tests.annotate.agreement.examples import for_examples

COUNTS = st.integers(0, 300)


@for_examples(b=COUNTS, c=COUNTS)
def test_p_values_are_those_of_statsmodels_where_it_is_right(b, c):
    assume(b != c)
    found = mcnemar(b, c)
    table = [[0, b], [c, 0]]
    assert found.exact_p.value == pytest.approx(of_statsmodels(table, exact=True).pvalue)
    plain = of_statsmodels(table, exact=False, correction=False)
    assert (found.chi2.value, found.chi2_p.value) == pytest.approx((plain.statistic, plain.pvalue))
    corrected = of_statsmodels(table, exact=False, correction=True)
    assert found.corrected_p.value == pytest.approx(corrected.pvalue)


@for_examples(count=st.integers(1, 300))
def test_the_correction_does_not_turn_equal_counts_into_a_difference(count):
    found = mcnemar(count, count)
    assert (found.corrected_chi2.value, found.corrected_p.value) == (0, 1)
    assert found.exact_p.value == pytest.approx(1)
    assert found.mid_p.value == pytest.approx(1)


@for_examples(b=COUNTS, c=COUNTS)
def test_sides_may_be_swapped_and_mid_p_lies_below_exact(b, c):
    assume(b + c)
    assert mcnemar(b, c) == mcnemar(c, b)
    assert mcnemar(b, c).mid_p.value <= mcnemar(b, c).exact_p.value + 1e-12


def test_two_that_never_differ_are_not_different():
    found = mcnemar(0, 0)
    assert found.exact_p.value == 1
    assert found.mid_p.value is found.chi2.value is found.corrected_p.value is None
    assert "never differ" in found.mid_p.undefined_reason


def test_counts_below_zero_are_refused():
    with pytest.raises(ValueError, match="-1 and 3"):
        mcnemar(-1, 3)
