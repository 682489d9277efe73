"""Wilson intervals and cluster-robust ones."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import assume
from hypothesis import strategies as st
from scipy.stats import binomtest

from annotate.agreement import intervals
from tests.annotate.agreement.examples import for_examples


@for_examples(counts=st.tuples(st.integers(0, 500), st.integers(0, 500)), level=st.sampled_from([0.9, 0.95]))
def test_wilson_is_that_of_scipy(counts, level):
    successes, trials = min(counts), max(counts)
    assume(trials)
    found = intervals.wilson_interval(successes, trials, level)
    other = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=1e-12)
    assert 0 <= found.low <= successes / trials <= found.high + 1e-12 <= 1 + 1e-12


def test_a_rate_of_nothing_has_a_reason_and_not_a_value():
    found = intervals.wilson_rate(0, 0, "no unit of this domain was judged")
    assert (found.value, found.undefined_reason) == (None, "no unit of this domain was judged")


@pytest.mark.parametrize(("successes", "trials"), [(2, 1), (-1, 5), (1, 0), (0, -1)])
def test_what_is_no_proportion_is_refused(successes, trials):
    with pytest.raises(ValueError, match="is no proportion"):
        intervals.wilson_rate(successes, trials)


@for_examples(items=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=4))
def test_the_robust_error_is_that_of_a_regression_on_a_constant(items):
    clusters, values = np.array(items).T
    number = len(set(clusters.tolist()))
    found = intervals.cluster_robust_mean(values, clusters)
    assume(found.interval is not None)
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": clusters, "df_correction": True}, use_t=True
    )
    # statsmodels also multiplies by (N - 1) / (N - k), which is 1 for a constant alone.
    assert (found.interval.low, found.interval.high) == pytest.approx(fit.conf_int()[0].tolist())
    assert f"over {number} clusters, t at {number - 1} degrees" in found.interval.method


def test_one_cluster_is_not_estimable():
    found = intervals.cluster_robust_mean([1, 0, 1], ["a", "a", "a"])
    assert (found.value, found.interval) == (pytest.approx(2 / 3), None)
    assert found.no_interval_reason == intervals.ONE_CLUSTER


def test_clusters_that_do_not_differ_are_not_certainty():
    found = intervals.cluster_robust_mean([1, 1, 1], ["a", "b", "c"])
    assert (found.value, found.interval, found.no_interval_reason) == (1.0, None, intervals.NO_SPREAD)


def test_a_rate_weighs_clusters_by_their_denominators():
    found = intervals.cluster_robust_rate([1, 0, 3], [2, 0, 4], ["a", "a", "b"])
    assert (found.value, found.numerator, found.denominator) == (pytest.approx(4 / 6), 4, 6)


def test_a_rate_without_a_denominator_is_undefined():
    found = intervals.cluster_robust_rate([0, 0], [0, 0], ["a", "b"])
    assert (found.value, found.undefined_reason) == (None, intervals.NO_DENOMINATOR)
    assert intervals.cluster_robust_mean([], []).value is None


def test_numbers_and_clusters_belong_together():
    with pytest.raises(ValueError, match="expected 3 finite numbers"):
        intervals.cluster_robust_mean([1, 0], ["a", "b", "c"])
    with pytest.raises(ValueError, match="finite numbers"):
        intervals.cluster_robust_mean([1, float("nan")], ["a", "b"])
    with pytest.raises(ValueError, match="item 2 has no cluster"):
        intervals.cluster_robust_mean([1, 0], ["a", None])
