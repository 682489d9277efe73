"""Several raters: other libraries where they are right, and what they get wrong."""

import krippendorff
import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa

from annotate.agreement import coefficients, tables
from tests.annotate.agreement.examples import for_examples

NUMBERS = (1, 2, 3, 5)
complete = st.lists(st.tuples(*[st.sampled_from(NUMBERS)] * 3), min_size=2, max_size=12)
sparse = st.lists(st.tuples(*[st.sampled_from((None, *NUMBERS))] * 3), min_size=2, max_size=12)


def counts_of(units):
    rows = [(place, rater, value) for place, unit in enumerate(units) for rater, value in enumerate(unit)]
    return tables.unit_by_category(tables.read_labels(*zip(*rows, strict=True), NUMBERS))


@for_examples(units=complete)
def test_fleiss_kappa_is_that_of_statsmodels_on_complete_data(units):
    found = coefficients.fleiss_kappa(counts_of(units), NUMBERS).value
    assume(found is not None)
    assert found == pytest.approx(fleiss_kappa(counts_of(units)), abs=1e-9)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@for_examples(units=sparse)
def test_alpha_is_that_of_the_krippendorff_library(level, units):
    found = coefficients.krippendorff_alpha(counts_of(units), NUMBERS, level).value
    assume(found is not None)
    matrix = np.array(units, dtype=float).T
    other = krippendorff.alpha(matrix, value_domain=list(NUMBERS), level_of_measurement=level)
    assert found == pytest.approx(other, abs=1e-9)


def test_alpha_looks_only_at_units_with_two_ratings():
    found = coefficients.krippendorff_alpha([[2, 0], [0, 1]], ("yes", "no"))
    assert found.value is None
    assert found.undefined_reason == "all annotators used only yes"
    assert found.denominator == 1


def test_shares_look_at_units_with_one_rating_too():
    found = coefficients.fleiss_kappa([[2, 0], [0, 1]], ("yes", "no"))
    assert (found.value, found.denominator) == (1.0, 1)


def test_ratio_distance_of_zero_from_zero_is_zero():
    found = coefficients.krippendorff_alpha([[2, 0], [1, 1], [0, 2]], (0, 1), "ratio")
    assert found.value == pytest.approx(
        coefficients.krippendorff_alpha([[2, 0], [1, 1], [0, 2]], (0, 1)).value
    )


def test_a_declared_category_that_nobody_used_makes_chance_less_likely():
    counts = np.array([[3, 0], [2, 1], [0, 3]])
    more = np.pad(counts, ((0, 0), (0, 1)))
    assert coefficients.brennan_prediger(counts, "ab").value == pytest.approx((7 / 9 - 1 / 2) / (1 / 2))
    assert coefficients.brennan_prediger(more, "abc").value == pytest.approx((7 / 9 - 1 / 3) / (2 / 3))
    assert coefficients.gwet_ac1(more, "abc").value > coefficients.gwet_ac1(counts, "ab").value
