"""Agreement on one category and the indices of a table's margins."""

import pytest

from annotate.agreement import two_raters

YES_NO = ("yes", "no")
TABLE = [[20, 5], [10, 15]]


def test_agreement_on_one_category_counts_its_uses_by_both():
    found = two_raters.specific_agreement(TABLE, YES_NO, "yes")
    assert (found.numerator, found.denominator) == (40, 55)
    assert two_raters.specific_agreement(TABLE, YES_NO, "no").value == pytest.approx(30 / 45)


def test_agreement_on_a_category_nobody_used_is_undefined():
    found = two_raters.specific_agreement([[10, 0], [0, 0]], YES_NO, "no")
    assert (found.value, found.undefined_reason) == (None, "neither annotator used no")


def test_indices_say_which_way_the_margins_lean():
    assert two_raters.prevalence_index(TABLE, YES_NO).value == pytest.approx(0.1)
    assert two_raters.bias_index(TABLE, YES_NO).value == pytest.approx(-0.1)
    assert two_raters.pabak(TABLE, YES_NO).value == pytest.approx(0.4)


@pytest.mark.parametrize("index", [two_raters.pabak, two_raters.prevalence_index, two_raters.bias_index])
def test_indices_of_two_categories_refuse_three(index):
    with pytest.raises(ValueError, match="3 categories"):
        index([[1, 0, 0]] * 3, "abc")


def test_every_statistic_of_a_table_goes_by_its_name():
    found = two_raters.two_rater_statistics(TABLE, YES_NO)
    assert found["cohen_kappa"].value == pytest.approx(0.4)
    assert found["specific_agreement_yes"].value == pytest.approx(8 / 11)
    assert {"prevalence_index", "bias_index"} < set(found)
    assert "bias_index" not in two_raters.two_rater_statistics([[1, 0, 0]] * 3, "abc")


def test_without_units_nothing_is_defined():
    found = two_raters.two_rater_statistics([[0, 0], [0, 0]], YES_NO)
    assert all(estimate.value is None and estimate.undefined_reason for estimate in found.values())
