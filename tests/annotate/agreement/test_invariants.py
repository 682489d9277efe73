"""What holds for every coefficient: a new one joins by its name in one of the two tables below."""

import json
from functools import partial

import numpy as np
import pytest
from hypothesis import strategies as st

from annotate.agreement import coefficients, kappa, tables, two_raters
from tests.annotate.agreement import slowly
from tests.annotate.agreement.examples import for_examples

CATEGORIES = ("never", "sometimes", "always")

OF_COUNTS = {
    "percent_agreement": coefficients.percent_agreement,
    "fleiss_kappa": coefficients.fleiss_kappa,
    "gwet_ac1": coefficients.gwet_ac1,
    "brennan_prediger": coefficients.brennan_prediger,
    "krippendorff_nominal": coefficients.krippendorff_alpha,
    "krippendorff_ordinal": partial(coefficients.krippendorff_alpha, level="ordinal"),
}
OF_TABLE = {
    "exact_agreement": kappa.exact_agreement,
    "cohen_kappa": kappa.cohen_kappa,
    "kappa_linear": partial(kappa.weighted_kappa, weights="linear"),
    "kappa_quadratic": partial(kappa.weighted_kappa, weights="quadratic"),
    "scott_pi": two_raters.scott_pi,
}
SLOW = {
    "percent_agreement": slowly.percent_agreement,
    "fleiss_kappa": slowly.fleiss_kappa,
    "gwet_ac1": slowly.gwet_ac1,
    "brennan_prediger": slowly.brennan_prediger,
    "krippendorff_nominal": slowly.krippendorff,
    "krippendorff_ordinal": partial(slowly.krippendorff, level="ordinal"),
}
ORDINAL = {"krippendorff_ordinal", "kappa_linear", "kappa_quadratic"}
COUNT_DECLARED = {"gwet_ac1", "brennan_prediger"}
NOT_CORRECTED = {"percent_agreement", "exact_agreement"}

every_of_counts = pytest.mark.parametrize("name", OF_COUNTS)
every_of_table = pytest.mark.parametrize("name", OF_TABLE)
every_name = pytest.mark.parametrize("name", [*OF_COUNTS, *OF_TABLE])


TWO_TO_FOUR = st.integers(2, 4)


def ratings(values=(None, *CATEGORIES), raters=TWO_TO_FOUR):
    """Units by raters; `None` is a missing label."""
    return raters.flatmap(lambda number: st.lists(st.tuples(*[st.sampled_from(values)] * number), max_size=9))


def measure(name, units, categories=CATEGORIES):
    if name in OF_TABLE:
        first, second = zip(*[unit[:2] for unit in units], strict=True) if units else ((), ())
        return OF_TABLE[name](tables.table_of(first, second, categories), categories)
    rows = [(place, rater, value) for place, unit in enumerate(units) for rater, value in enumerate(unit)]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    return OF_COUNTS[name](tables.unit_by_category(tables.read_labels(*columns, categories)), categories)


def same(one, other):
    return one == other or one.value == pytest.approx(other.value, abs=1e-9)


@every_name
@for_examples(units=ratings())
def test_a_value_is_finite_and_a_missing_one_has_its_reason(name, units):
    found = measure(name, units)
    json.dumps(found.as_dict(), allow_nan=False)
    assert (found.value is None) == (found.undefined_reason is not None)
    assert type(found.value) in (float, type(None))


@every_name
@for_examples(units=ratings())
def test_no_coefficient_is_above_one(name, units):
    value = measure(name, units).value
    assert value is None or value <= 1 + 1e-12


@every_name
@for_examples(units=ratings(CATEGORIES, st.just(3)))
def test_with_all_labels_given_no_coefficient_is_below_minus_one(name, units):
    value = measure(name, units).value
    assert value is None or value >= -1 - 1e-12


@every_name
@for_examples(units=ratings(raters=st.just(3)), data=st.data())
def test_the_order_of_units_does_not_matter(name, units, data):
    assert same(measure(name, units), measure(name, data.draw(st.permutations(units))))


@every_name
@for_examples(units=ratings(raters=st.just(2)))
def test_the_order_of_raters_does_not_matter(name, units):
    assert same(measure(name, units), measure(name, [unit[::-1] for unit in units]))


@every_of_counts
@for_examples(units=ratings(raters=st.just(4)), order=st.permutations(range(4)))
def test_the_order_of_several_raters_does_not_matter(name, units, order):
    assert same(
        measure(name, units), measure(name, [tuple(unit[place] for place in order) for unit in units])
    )


@pytest.mark.parametrize("name", [name for name in [*OF_COUNTS, *OF_TABLE] if name not in ORDINAL])
@for_examples(units=ratings(), order=st.permutations(CATEGORIES))
def test_the_order_of_nominal_categories_does_not_matter(name, units, order):
    assert same(measure(name, units), measure(name, units, tuple(order)))


@pytest.mark.parametrize("name", sorted(ORDINAL))
@for_examples(units=ratings())
def test_ordered_categories_may_be_read_from_either_end(name, units):
    assert same(measure(name, units), measure(name, units, CATEGORIES[::-1]))


@pytest.mark.parametrize("name", [name for name in [*OF_COUNTS, *OF_TABLE] if name not in COUNT_DECLARED])
@for_examples(units=ratings())
def test_an_unused_last_category_changes_only_what_counts_categories(name, units):
    assert same(measure(name, units), measure(name, units, (*CATEGORIES, "unused")))


@every_name
@for_examples(
    values=st.lists(st.sampled_from(CATEGORIES), min_size=2).filter(lambda values: len(set(values)) > 1)
)
def test_perfect_agreement_is_one(name, values):
    assert measure(name, [(value,) * 3 for value in values]).value == pytest.approx(1)


@pytest.mark.parametrize("name", sorted({*OF_COUNTS, *OF_TABLE} - NOT_CORRECTED - COUNT_DECLARED))
def test_one_category_alone_leaves_chance_correction_undefined(name):
    found = measure(name, [("always", "always")] * 4)
    assert found.value is None
    assert "always" in found.undefined_reason


@every_name
@pytest.mark.parametrize("units", [[], [("never", None)], [(None, None)] * 3])
def test_without_a_unit_that_two_rated_nothing_is_defined(name, units):
    found = measure(name, units)
    assert found.value is None
    assert found.undefined_reason.startswith("no unit was rated by")


@pytest.mark.parametrize("name", sorted(COUNT_DECLARED))
def test_one_declared_category_leaves_nothing_to_agree_about(name):
    found = measure(name, [("only", "only")] * 3, ("only",))
    assert found.undefined_reason == "fewer than two categories are declared"


@every_of_counts
@for_examples(units=ratings())
def test_several_raters_match_the_definition_in_fractions(name, units):
    expected, found = SLOW[name](units, list(CATEGORIES)), measure(name, units).value
    assert (found is None) == (expected is None)
    assert expected is None or found == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize(("name", "power"), [("cohen_kappa", 0), ("kappa_linear", 1), ("kappa_quadratic", 2)])
@for_examples(cells=st.lists(st.integers(0, 30), min_size=9, max_size=9))
def test_two_raters_match_the_definition_in_fractions(name, power, cells):
    table = np.reshape(cells, (3, 3))
    expected, found = slowly.weighted_kappa(table.tolist(), power), OF_TABLE[name](table, CATEGORIES).value
    assert (found is None) == (expected is None)
    assert expected is None or found == pytest.approx(float(expected), abs=1e-9)
