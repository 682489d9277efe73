"""Agreement over pairs of situations and over units, with percentile intervals."""

from collections import Counter
from itertools import chain, product

import numpy as np
import pytest

from annotate.agreement.resampled_agreement import paired_agreement, resampled_statistics
from tests.annotate.agreement import slowly

YES_NO = ("yes", "no")
UNITS = [("yes", "yes", "yes"), ("yes", "yes", "no"), ("no", "no", "no"), ("no", "yes", "no")]
COUNTS = [[3, 0], [2, 1], [0, 3], [1, 2]]


def pairs(kinds):
    """Return first's labels, second's labels and pair numbers from {((f1, s1), (f2, s2)): times}."""
    first, second, places = [], [], []
    for place, kind in enumerate(Counter(kinds).elements()):
        for one, two in kind:
            first.append(one)
            second.append(two)
            places.append(place)
    return first, second, places


SOME = pairs(
    {
        (("yes", "yes"), ("yes", "yes")): 60,
        (("no", "no"), ("no", "no")): 25,
        (("yes", "no"), ("yes", "no")): 8,
        (("yes", "yes"), ("no", "yes")): 7,
    }
)


def test_both_situations_of_a_pair_move_together():
    first, second, places = SOME
    found = paired_agreement(first, second, places, YES_NO, seed=11)
    alone = paired_agreement(first, second, range(len(first)), YES_NO, seed=11)
    assert found.kappa.value == alone.kappa.value
    assert found.agreement.value == pytest.approx(177 / 200)
    assert found.pairs == 100
    assert found.kappa.interval.high - found.kappa.interval.low > 1.1 * (
        alone.kappa.interval.high - alone.kappa.interval.low
    )


def test_kappas_are_those_of_copied_pairs_in_a_plain_loop():
    """The slow way: copy the rows of drawn pairs, and compute kappa from its definition."""
    first, second, _ = SOME
    draw, slow = np.random.default_rng(2), []
    for _ in range(1500):
        table = [[0, 0], [0, 0]]
        for pair in draw.integers(100, size=100):
            for item in (2 * pair, 2 * pair + 1):
                table[YES_NO.index(first[item])][YES_NO.index(second[item])] += 1
        slow.append(float(slowly.weighted_kappa(table, 0)))
    interval = paired_agreement(*SOME, YES_NO, seed=1).kappa.interval
    assert (interval.low, interval.high) == pytest.approx(np.quantile(slow, [0.025, 0.975]), abs=0.02)


def test_a_pair_with_a_missing_label_is_left_out_whole():
    first, second, places = SOME
    found = paired_agreement(
        [*first, "yes", None], [*second, "no", "no"], [*places, "odd", "odd"], YES_NO, seed=1
    )
    assert (found.pairs, found.pairs_left_out) == (100, 1)
    assert found.kappa == paired_agreement(*SOME, YES_NO, seed=1).kappa


def test_resamples_with_one_category_are_counted_as_undefined():
    found = paired_agreement(
        *pairs({(("yes", "yes"),) * 2: 4, (("no", "no"),) * 2: 1}), YES_NO, seed=1, resamples=500
    )
    assert found.kappa.value == 1.0
    assert "of 500 resamples, which are left out" in found.kappa.interval.note


def test_one_category_alone_has_an_agreement_and_no_kappa():
    found = paired_agreement(*pairs({(("yes", "yes"),) * 2: 4}), YES_NO, seed=1)
    assert found.agreement.value == 1.0
    assert "not certainty" in found.agreement.interval.note
    assert found.kappa.undefined_reason == "both annotators used only yes"


def test_no_pair_or_one_pair_is_not_estimable():
    nothing = paired_agreement([], [], [], YES_NO, seed=1)
    assert nothing.kappa.value is nothing.agreement.value is None
    one = paired_agreement(["yes", "no"], ["yes", "yes"], [1, 1], YES_NO, seed=1)
    assert (one.agreement.value, one.agreement.interval) == (0.5, None)
    assert "only one" in one.agreement.no_interval_reason


def test_lengths_must_match():
    with pytest.raises(ValueError, match="2 and 1 labels in 2 places"):
        paired_agreement(["yes", "no"], ["yes"], [1, 1], YES_NO, seed=1)


@pytest.mark.parametrize(
    ("name", "slow"),
    [
        ("percent_agreement", slowly.percent_agreement),
        ("fleiss_kappa", slowly.fleiss_kappa),
        ("gwet_ac1", slowly.gwet_ac1),
        ("krippendorff_nominal", slowly.krippendorff),
    ],
)
def test_ends_are_among_those_of_all_possible_resamples(name, slow):
    """All 4^4 resamples of four units, each computed from its definition."""
    every = [slow(list(drawn), YES_NO) for drawn in product(UNITS, repeat=4)]
    low, high = np.quantile([float(value) for value in every if value is not None], [0.025, 0.975])
    found = resampled_statistics(COUNTS, YES_NO, [name], seed=4, resamples=20_000)[name]
    assert found.value == pytest.approx(float(slow(UNITS, YES_NO)))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=0.03)


@pytest.mark.parametrize("name", ["percent_agreement", "krippendorff_nominal"])
def test_ends_of_drawn_clusters_are_among_those_of_all_possible_resamples(name):
    """Three clusters of the units, of unequal sizes: all 3^3 resamples, each from its definition."""
    slow = {"percent_agreement": slowly.percent_agreement, "krippendorff_nominal": slowly.krippendorff}[name]
    clusters = {"one": UNITS[:1], "two": UNITS[1:3], "three": UNITS[3:]}
    every = [slow([*chain(*drawn)], YES_NO) for drawn in product(clusters.values(), repeat=3)]
    # Each of the 27 is more than the share beyond an end: repeated, so that no end lies between two.
    often = np.repeat([float(value) for value in every if value is not None], 1000)
    low, high = np.quantile(often, [0.025, 0.975])
    of_units = [key for key, units in clusters.items() for _ in units]
    found = resampled_statistics(COUNTS, YES_NO, [name], clusters=of_units, seed=4, resamples=20_000)[name]
    assert found.value == pytest.approx(float(slow(UNITS, YES_NO)))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=0.03)
    assert found.interval.method == "percentile, 20,000 resamples of 3 clusters, seed 4, PCG64"


def test_clusters_of_one_unit_each_are_units():
    alone = resampled_statistics(COUNTS, YES_NO, clusters=range(4), seed=9)
    units = resampled_statistics(COUNTS, YES_NO, seed=9)
    for name, found in alone.items():
        assert (found.interval.low, found.interval.high) == (
            units[name].interval.low,
            units[name].interval.high,
        )


def test_every_unit_has_a_cluster():
    with pytest.raises(ValueError, match="3 clusters are given for 4 units"):
        resampled_statistics(COUNTS, YES_NO, clusters="abc", seed=1)


@pytest.mark.parametrize(("weights", "power"), [("linear", 1), ("quadratic", 2)])
def test_weighted_kappas_are_those_of_copied_pairs_in_a_plain_loop(weights, power):
    steps = ("low", "middle", "high")
    labels = np.random.default_rng(5).integers(3, size=(60, 2, 2)) // [1, 2]
    kinds = [[(steps[one], steps[two]) for one, two in pair] for pair in labels]
    first, second, places = pairs(Counter(tuple(kind) for kind in kinds))
    draw, slow = np.random.default_rng(2), []
    for _ in range(1500):
        table = [[0] * 3 for _ in steps]
        for one, two in labels[draw.integers(60, size=60)].reshape(-1, 2):
            table[one][two] += 1
        slow.append(float(slowly.weighted_kappa(table, power)))
    found = paired_agreement(first, second, places, steps, seed=1, weights=[weights]).weighted[weights]
    assert (found.interval.low, found.interval.high) == pytest.approx(
        np.quantile(slow, [0.025, 0.975]), abs=0.03
    )


def test_the_same_seed_gives_the_same_intervals():
    once, again = (resampled_statistics(COUNTS, YES_NO, seed=9) for _ in range(2))
    assert once == again
    assert once["fleiss_kappa"].interval.method == "percentile, 1,000 resamples of 4 units, seed 9, PCG64"


def test_no_units_and_one_unit_have_no_interval():
    assert resampled_statistics(np.zeros((0, 2)), YES_NO, seed=1)["fleiss_kappa"].value is None
    one = resampled_statistics([[2, 1]], YES_NO, seed=1)["percent_agreement"]
    assert (one.value, one.interval) == (pytest.approx(1 / 3), None)
