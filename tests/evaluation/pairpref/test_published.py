"""The paper's tables agree with one another, so that a slip in copying one of them shows."""

import pytest

from evaluation.pairpref.published import CLASSIFIERS, MATCHES, PRESENTATIONS, PUBLISHED, WORDINGS

MAIN = {row.model: row for row in PUBLISHED}
# Three numbers rounded to a tenth each: their sum can be off by 0.15, so a written difference by 0.1.
ROUNDING = pytest.approx(0, abs=0.1 + 1e-9)


@pytest.mark.parametrize("row", [*PUBLISHED, *CLASSIFIERS], ids=lambda row: f"{row.use_positive}")
def test_delta_is_use_where_it_fits_minus_use_where_not(row):
    assert row.use_positive - row.use_negative - row.delta == ROUNDING


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row.model)
def test_main_results_are_possible(row):
    assert row.delta_low < row.delta < row.delta_high
    assert row.delta - 0.1 <= row.pair_success <= min(row.use_positive, 100 - row.use_negative)
    assert row.use_both + row.generation_pair_success <= 100
    if row.generation_use_positive is not None:
        difference = row.generation_use_positive - row.generation_use_negative
        assert difference - row.generation_delta == ROUNDING


def test_main_results_are_of_eight_models_in_order_of_delta():
    assert len(MAIN) == 8
    assert [row.delta for row in PUBLISHED] == sorted((row.delta for row in PUBLISHED), reverse=True)


@pytest.mark.parametrize("row", MATCHES, ids=lambda row: row.model)
def test_matched_counts_give_their_rate_and_the_retained_pairs(row):
    assert round(100 * row.use_both / row.selection_success, 1) == row.rate
    assert row.common == MAIN[row.model].retained
    assert row.use_both <= row.common * (MAIN[row.model].use_both + 0.05) / 100


@pytest.mark.parametrize("row", WORDINGS, ids=lambda row: row.model)
def test_the_default_wording_repeats_the_main_results(row):
    assert row.use_negative_nudge == MAIN[row.model].use_negative
    assert row.use_both_nudge == MAIN[row.model].use_both
    assert (row.use_both_mitigate is None) == (row.generation_pair_success_mitigate is None)


@pytest.mark.parametrize("row", PRESENTATIONS, ids=lambda row: row.model)
def test_the_default_presentation_repeats_the_main_results(row):
    assert row.system_list == MAIN[row.model].use_negative


def test_every_table_has_the_eight_models():
    for table in (MATCHES, WORDINGS, PRESENTATIONS):
        assert {row.model for row in table} == set(MAIN)
