"""The mean that people would have found, estimated from a judge's values and some of theirs."""

import sys
import warnings
from collections import defaultdict
from math import sqrt

import numpy as np
import pytest
from hypothesis import strategies as st
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy.stats import norm, t

from annotate.agreement import prediction_powered
from annotate.agreement.intervals import NO_DENOMINATOR, NO_SPREAD, ONE_CLUSTER, cluster_robust_mean
from annotate.agreement.prediction_powered import (
    LABELS_IN_ONE_CLUSTER,
    NO_LABEL,
    prediction_powered_difference,
    prediction_powered_mean,
)
from annotate.agreement.resampling import clustered_rates
from tests.annotate.agreement.examples import for_examples
from tests.annotate.agreement.studies import study

NAN = float("nan")
SCALE = (0, 0.5, 1)


def items(least_labels=1):
    """A judge's value, a person's or nan, a cluster and a weight for each item."""
    one = st.tuples(
        st.sampled_from(SCALE), st.sampled_from([*SCALE, NAN]), st.integers(0, 5), st.integers(1, 4)
    )
    return st.lists(one, min_size=2, max_size=30).filter(
        lambda found: sum(not np.isnan(row[1]) for row in found) >= least_labels
    )


def columns(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def slow_version(rows, bounds=(0, 1), level=0.95):
    """Return value and ends by the docstring's formula, item by item, with imagined labels as items."""
    labelled = [row for row in rows if not np.isnan(row[1])]
    n, units = len(labelled), len(rows)
    weight = sum(row[3] for row in labelled)

    def mean(values):
        return sum(row[3] * value for row, value in zip(labelled, values, strict=True)) / weight

    f, y = [row[0] for row in labelled], [row[1] for row in labelled]
    spread = mean([value**2 for value in f]) - mean(f) ** 2
    slope = (mean([a * b for a, b in zip(f, y, strict=True)]) - mean(f) * mean(y)) / spread if spread else 1
    tuning = min(max(slope, 0), 1)
    judged = sum(row[0] for row in rows) / units
    value = tuning * judged + mean(y) - tuning * mean(f)

    size = weight / n * (units - n) / units
    apart = [(row[1] - row[0]) / (bounds[1] - bounds[0]) for row in labelled]
    near = sqrt((1 + sum(d**4 for d in apart)) / (1 + sum(d**2 for d in apart)))
    seen = mean(y) - tuning * mean(f)
    imagined = [
        (seen + near * (person - tuning * judge - seen), size) for person in bounds for judge in bounds
    ]
    total = weight + sum(size for _, size in imagined)
    middle = (
        sum(row[3] * (row[1] - tuning * row[0]) for row in labelled) + sum(r * size for r, size in imagined)
    ) / total
    pulls = defaultdict(float)
    for judge, person, cluster, times in rows:
        pulls[cluster] += tuning * (judge - judged) / units
        if not np.isnan(person):
            pulls[cluster] += times * (person - tuning * judge - middle) / total
    held = len({row[2] for row in labelled})
    if len(pulls) < 2 or held < 2:
        return value, None
    variance = len(pulls) / (len(pulls) - 1) * sum(pull**2 for pull in pulls.values())
    variance += sum(weight / n * size * (r - middle) ** 2 for r, size in imagined) / total**2
    if variance < 1e-20:
        return value, None
    reach = t.ppf((1 + level) / 2, held - 1) * sqrt(variance)
    centre = tuning * judged + middle
    return value, (max(bounds[0], centre - reach), min(bounds[1], centre + reach))


@for_examples(rows=items(), level=st.sampled_from([0.9, 0.95]))
def test_it_is_the_formula_item_by_item(rows, level):
    value, ends = slow_version(rows, level=level)
    found = prediction_powered_mean(*columns(rows), level=level).estimate
    assert found.value == pytest.approx(min(max(value, 0), 1), abs=1e-9)
    assert (found.interval is None) == (ends is None)
    if ends:
        low, high = min(ends[0], found.value), max(ends[1], found.value)
        assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-9)


def independent(items=40_000, labels=400, seed=4):
    """Items on their own, each in a cluster of its own, a judge with noise on a scale from 0 to 1."""
    draw = np.random.default_rng(seed)
    true = draw.beta(2, 3, items)
    judged = np.clip(true + draw.normal(0, 0.1, items), 0, 1)
    seen = np.full(items, NAN)
    seen[:labels] = true[:labels]
    return judged, seen, ~np.isnan(seen)


def test_the_value_is_that_of_ppi_python_on_the_labels_and_the_others():
    judged, seen, labelled = independent()
    found = prediction_powered_mean(judged, seen, range(len(seen)))
    others = seen[labelled], judged[labelled], judged[~labelled]
    # The tuning of PPI++ is ours where it takes the judge's variance from the labelled items, as we do.
    tuning = found.tuning * (~labelled).mean()
    assert found.estimate.value == pytest.approx(float(ppi_mean_pointestimate(*others, lam=tuning)[0]))
    # It takes it from all items, which hardly matters beside the error of the estimate.
    interval = found.estimate.interval
    own = float(ppi_mean_pointestimate(*others)[0])
    assert abs(found.estimate.value - own) < (interval.high - interval.low) / 10


def test_the_interval_is_that_of_ppi_python_but_for_the_stated_adjustment():
    judged, seen, labelled = independent()
    found = prediction_powered_mean(judged, seen, range(len(seen)))
    others = seen[labelled], judged[labelled], judged[~labelled]
    (low,), (high,) = ppi_mean_ci(*others, alpha=0.05, lam=found.tuning)
    reach = (found.estimate.interval.high - found.estimate.interval.low) / 2
    # Take out what is ours: t for normal quantiles, the allowance, four imagined labels beside 400.
    plain = sqrt((reach / t.ppf(0.975, 399)) ** 2 - found.allowance) * 404 / 400
    assert plain == pytest.approx((high - low) / 2 / norm.ppf(0.975), rel=0.01)


def test_importing_ppi_python_leaves_warnings_as_they_are(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "ppi_py"]:
        monkeypatch.delitem(sys.modules, name)
    prediction_powered._ppi_mean_pointestimate.cache_clear()
    before = list(warnings.filters)
    prediction_powered_mean([1, 0], [1, 0], ["a", "b"])
    assert "ppi_py" in sys.modules
    assert warnings.filters == before


@for_examples(rows=items())
def test_a_judge_who_is_never_wrong_changes_nothing(rows):
    judged, seen, clusters, weights = columns(rows)
    seen = [NAN if np.isnan(person) else judge for judge, person in zip(judged, seen, strict=True)]
    found = prediction_powered_mean(judged, seen, clusters, weights)
    assert found.estimate.value == pytest.approx(np.mean(judged), abs=1e-9)


@for_examples(rows=items())
def test_with_every_item_labelled_it_is_peoples_own_mean(rows):
    judged, _, clusters, _ = columns(rows)
    people = list(reversed(judged))
    found = prediction_powered_mean(judged, people, clusters).estimate
    own = cluster_robust_mean(people, clusters)
    assert found.value == pytest.approx(own.value, abs=1e-9)
    assert (found.interval is None) == (own.interval is None)
    if own.interval:
        ends = max(0, own.interval.low), min(1, own.interval.high)
        assert (found.interval.low, found.interval.high) == pytest.approx(ends, abs=1e-9)


@for_examples(rows=items(), data=st.data(), times=st.floats(0.1, 10))
def test_neither_the_order_of_items_nor_the_unit_of_weights_matters(rows, data, times):
    one = prediction_powered_mean(*columns(rows)).estimate
    *moved, weights = columns(data.draw(st.permutations(rows)))
    two = prediction_powered_mean(*moved, np.multiply(weights, times)).estimate
    assert one.value == pytest.approx(two.value, abs=1e-9)
    assert (one.interval is None) == (two.interval is None)
    if one.interval:
        ends = one.interval.low, one.interval.high
        assert ends == pytest.approx((two.interval.low, two.interval.high), abs=1e-9)


def test_unequal_weights_are_unbiased_on_a_planted_population():
    """200 draws of 30 from each verdict, though 1 in 10 has the one verdict and people say 1 far oftener."""
    draw = np.random.default_rng(6)
    values, plain = [], []
    for _ in range(200):
        made = study(
            draw, rate=0.3, sensitivity=0.3, specificity=0.98, each=20, labels=60, by_verdict=True, alike=0.01
        )
        truth = made.everywhere.mean()
        values.append(prediction_powered_mean(*made.given).estimate.value - truth)
        plain.append(np.nanmean(made.truths) - truth)
    assert abs(np.mean(values)) < 3 * np.std(values) / sqrt(200)
    assert abs(np.mean(plain)) > 0.1


def test_a_judge_never_seen_to_err_is_not_certainty():
    found = prediction_powered_mean(np.ones(1000), [1] * 30 + [NAN] * 970, range(1000))
    assert (found.estimate.value, found.estimate.interval.high) == (1, 1)
    # 0 of 30 errors: by Clopper & Pearson up to 11.6 % may be wrong.
    assert 0.85 < found.estimate.interval.low < 0.95
    assert found.allowance_share > 0.9


def test_more_labels_leave_less_to_allow_for():
    shares = [
        prediction_powered_mean(np.ones(1000), [1] * labels + [NAN] * (1000 - labels), range(1000)).allowance
        for labels in (30, 300, 999, 1000)
    ]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == 0


def test_a_judge_at_odds_with_people_is_not_leaned_on():
    judged = np.tile([0.0, 1.0], 50)
    seen = np.r_[1 - judged[:40], np.full(60, NAN)]
    found = prediction_powered_mean(judged, seen, range(100))
    assert found.tuning == 0
    assert found.estimate.value == np.mean(seen[:40])


def test_another_scale_gives_the_same_on_that_scale():
    draw = np.random.default_rng(7)
    judged = draw.integers(0, 5, 200) / 4
    seen = np.r_[np.clip(judged[:60] + draw.integers(-1, 2, 60) / 4, 0, 1), np.full(140, NAN)]
    one = prediction_powered_mean(judged, seen, range(200)).estimate
    two = prediction_powered_mean(1 + 4 * judged, 1 + 4 * seen, range(200), bounds=(1, 5)).estimate
    assert two.value == pytest.approx(1 + 4 * one.value)
    ends = 1 + 4 * one.interval.low, 1 + 4 * one.interval.high
    assert (two.interval.low, two.interval.high) == pytest.approx(ends)


def test_a_value_outside_the_scale_is_clipped_and_said():
    judged = np.r_[1, 0, 0, 0, 0, np.zeros(95)]
    seen = np.r_[1, 0, 0, 0, 0, np.full(95, NAN)]
    found = prediction_powered_mean(judged, seen, range(100), tuning=3).estimate
    assert found.value == 0
    assert found.interval.note == "the unclipped value is -0.3700, outside 0 to 1"
    assert found.interval.low == 0


@pytest.mark.parametrize(
    ("judged", "seen", "clusters", "reason"),
    [
        ([], [], [], NO_DENOMINATOR),
        ([1, 0], [NAN, NAN], "ab", NO_LABEL),
    ],
)
def test_without_items_or_labels_there_is_a_reason_and_no_value(judged, seen, clusters, reason):
    found = prediction_powered_mean(judged, seen, clusters)
    assert (found.estimate.value, found.estimate.undefined_reason) == (None, reason)
    other = prediction_powered_mean([1, 0], [1, 0], "ab")
    gap = prediction_powered_difference(other, found)
    assert (gap.value, gap.undefined_reason) == (None, f"the second is undefined: {reason}")
    assert prediction_powered_difference(found, other).undefined_reason.startswith("the first is")


@pytest.mark.parametrize(
    ("seen", "clusters", "reason"),
    [
        ([1, 0, NAN, NAN], "aaaa", ONE_CLUSTER),
        ([1, 0, NAN, NAN], "aabc", LABELS_IN_ONE_CLUSTER),
        ([1, 1, 1, 1], "abcd", NO_SPREAD),
    ],
)
def test_where_no_interval_can_be_had_the_value_stands_with_the_reason(seen, clusters, reason):
    found = prediction_powered_mean([1, 1, 1, 1], seen, clusters).estimate
    assert found.value is not None
    assert (found.interval, found.no_interval_reason) == (None, reason)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1, NAN], [1, 0], "ab"), "missing or outside 0 to 1"),
        (([1, 2], [1, 0], "ab"), "missing or outside 0 to 1"),
        (([1, 0], [1, -1], "ab"), "missing or outside 0 to 1"),
        (([1, 0], [1, 0], "abc"), r"expected \(3,\) each"),
        (([1, 0], [1, 0], "ab", [0, 1]), "above 0"),
        (([1, 0], [1, 0], "ab", [NAN, 1]), "above 0"),
        (([1, 0], [1, 0], ["a", None]), "has no cluster"),
    ],
)
def test_what_cannot_be_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        prediction_powered_mean(*arguments)


def test_a_difference_over_shared_clusters_is_that_of_the_run_where_all_is_labelled():
    draw = np.random.default_rng(9)
    clusters = draw.integers(0, 12, 120)
    applies = draw.random(120) < 0.5
    followed = (draw.random(120) < 0.3 + 0.04 * clusters + 0.1 * applies).astype(float)
    parts = [
        prediction_powered_mean(1 - followed[part], followed[part], clusters[part])
        for part in (applies, ~applies)
    ]
    found = prediction_powered_difference(*parts)
    rates = clustered_rates(
        {"aar": followed * applies, "mr": followed * ~applies},
        {"aar": applies, "mr": ~applies},
        clusters,
        seed=1,
        resamples=1,
    )
    own = rates.cluster_robust_difference("aar", "mr")
    assert found.value == pytest.approx(own.value)
    assert (found.interval.low, found.interval.high) == pytest.approx((own.interval.low, own.interval.high))


def test_what_two_rates_share_in_their_clusters_is_not_uncertain_in_their_difference():
    draw = np.random.default_rng(10)
    made = study(draw, rate=0.5, alike=0.5, labels=900)
    one = prediction_powered_mean(*made.given)
    shared = prediction_powered_difference(one, one)
    names = [f"other {cluster}" for cluster in made.clusters]
    apart = prediction_powered_mean(made.verdicts, made.truths, names, made.weights)
    unshared = prediction_powered_difference(one, apart)
    assert shared.value == unshared.value == 0
    assert shared.interval.high < unshared.interval.high / 5


def test_a_difference_allows_for_what_was_not_seen_in_either():
    judged, clusters = np.ones(200), range(200)
    few, many = (
        prediction_powered_mean(judged, np.where(np.arange(200) < labels, 1, NAN), clusters)
        for labels in (20, 50)
    )
    found = prediction_powered_difference(few, many)
    reach = t.ppf(0.975, 49) * sqrt(few.allowance + many.allowance)
    assert found.interval.high - found.interval.low == pytest.approx(2 * reach)
