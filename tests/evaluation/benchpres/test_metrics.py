"""The metrics against a slow second version, and against an example worked by hand."""

import math
from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from evaluation.benchpres.metrics import Instance, measure, measure_parts

MAYBE = st.sampled_from([0, 1, None])
INSTANCES = st.lists(
    st.builds(
        Instance,
        profile=st.integers(1, 3),
        context=st.integers(1, 3),
        preference=st.integers(1, 5),
        sample=st.integers(1, 3),
        category=st.sampled_from(["tone", "nickname"]),
        domains=st.sampled_from([("finance",), ("finance", "legal"), ("health",)]),
        gold=MAYBE,
        verdict=MAYBE,
    ),
    max_size=40,
)


def instance(cluster, gold, verdict, sample=1, domains=("d",)):
    return Instance("profile", cluster, "preference", sample, "tone", domains, gold, verdict)


def slow_rate(rows, gold):
    """Follow the definition word by word: per sample a fraction of counts, then the mean."""
    rates = []
    for sample in {row.sample for row in rows}:
        entered = [
            row for row in rows if row.sample == sample and row.gold == gold and row.verdict is not None
        ]
        if entered:
            rates.append(sum(row.verdict for row in entered) / len(entered))
    return sum(rates) / len(rates) if rates else None


def slow_draws(rows, resamples, seed, cluster_of=lambda row: (row.profile, row.context)):
    """Copy whole clusters, as often as drawn, and compute each rate anew."""
    clusters = list(dict.fromkeys(cluster_of(row) for row in rows))
    generator = np.random.default_rng(seed)
    for places in generator.integers(len(clusters), size=(resamples, len(clusters))):
        yield [row for place in places for row in rows if cluster_of(row) == clusters[place]]


def rates_of(metrics):
    divisions = (metrics.by_domain, metrics.by_category, metrics.by_profile, metrics.by_context)
    return [metrics.overall, *(rates for division in divisions for rates in division.values())]


def random_rows(profiles, contexts, samples, seed):
    """Three preferences of each (profile, context); gold by (context, preference), some without."""
    generator = np.random.default_rng(seed)
    return [
        Instance(
            profile,
            context,
            preference,
            sample,
            f"category {preference}",
            (f"d{context % 2}",),
            [0, 0, 1, None][(context + preference) % 4],
            [0, 1, 1, None][generator.integers(4)],
        )
        for profile, context, preference, sample in product(
            range(profiles), range(contexts), range(3), range(1, samples + 1)
        )
    ]


def interval_of_statsmodels(rows, weight_of_label):
    """Regress the verdicts on one dummy for each (gold label, sample), with errors clustered.

    The mean rate over samples is the mean of the dummies' coefficients. statsmodels also multiplies by
    (N - 1) / (N - k), which is taken out again.
    """
    rows = [row for row in rows if weight_of_label.get(row.gold) and row.verdict is not None]
    cells = sorted({(row.gold, row.sample) for row in rows})
    clusters = list(dict.fromkeys(row.cluster for row in rows))
    dummies = np.array([[cell == (row.gold, row.sample) for cell in cells] for row in rows], dtype=float)
    verdicts, groups = [row.verdict for row in rows], np.array([clusters.index(row.cluster) for row in rows])
    fit = sm.OLS(verdicts, dummies).fit(cov_type="cluster", cov_kwds={"groups": groups})
    samples = [sum(gold == label for gold, _ in cells) for label in (0, 1)]
    weights = np.array([weight_of_label[gold] / samples[gold] for gold, _ in cells])
    factor = (len(rows) - len(cells)) / (len(rows) - 1)
    error = math.sqrt(weights @ fit.cov_params() @ weights * factor)
    value, reach = weights @ fit.params, t.ppf(0.975, len(clusters) - 1) * error
    return value - reach, value + reach


def same(value, expected):
    return value is expected is None or math.isclose(value, expected, abs_tol=1e-12)


@given(INSTANCES)
def test_values_and_counts_equal_the_slow_version(rows):
    rates = measure(rows, seed=1, resamples=10).overall
    slow = [slow_rate(rows, gold) for gold in (0, 1)]
    assert same(rates.mr.value, slow[0])
    assert same(rates.aar.value, slow[1])
    assert same(rates.gap.value, None if None in slow else slow[1] - slow[0])
    for gold, rate in enumerate([rates.mr, rates.aar]):
        entered = [row for row in rows if row.gold == gold and row.verdict is not None]
        assert (rate.numerator, rate.denominator) == (sum(row.verdict for row in entered), len(entered))


@given(INSTANCES)
def test_every_instance_is_in_a_denominator_or_counted_as_left_out(rows):
    rates = measure(rows, seed=1, resamples=10).overall
    entered = rates.mr.denominator + rates.aar.denominator
    assert entered == rates.gap.denominator
    assert entered + rates.without_gold + rates.without_verdict == rates.instances == len(rows)


@given(INSTANCES)
def test_an_undefined_value_comes_with_its_reason_and_nothing_is_nan(rows):
    metrics = measure(rows, seed=1, resamples=10)
    robust = (metrics.overall.mr_robust, metrics.overall.aar_robust, metrics.overall.gap_robust)
    plain = [found for rates in rates_of(metrics) for found in (rates.mr, rates.aar, rates.gap)]
    for estimate in [*plain, *robust]:
        assert (estimate.value is None) == bool(estimate.undefined_reason)
        ends = [estimate.interval.low, estimate.interval.high] if estimate.interval else []
        assert not any(math.isnan(number) for number in [estimate.value or 0, *ends])
        if estimate.value is not None:
            assert estimate.interval or estimate.no_interval_reason


@given(INSTANCES)
def test_parts_are_the_metrics_of_their_instances(rows):
    metrics = measure(rows, seed=1, resamples=10)
    names_of = {
        "by_domain": lambda row: row.domains,
        "by_category": lambda row: (row.category,),
        "by_profile": lambda row: (str(row.profile),),
        "by_context": lambda row: (str(row.context),),
    }
    for division, names in names_of.items():
        parts = getattr(metrics, division)
        assert set(parts) == {name for row in rows for name in names(row)}
        for name, rates in parts.items():
            part = [row for row in rows if name in names(row)]
            assert same(rates.mr.value, slow_rate(part, 0))
            assert same(rates.aar.value, slow_rate(part, 1))
            assert rates.instances == len(part)
            assert rates.mr.denominator + rates.aar.denominator + rates.without_gold + (
                rates.without_verdict
            ) == len(part)


@pytest.mark.parametrize(
    ("cluster_by", "cluster_of"),
    [("context", lambda row: (row.profile, row.context)), ("profile", lambda row: row.profile)],
)
def test_intervals_equal_those_of_copying_whole_clusters(cluster_by, cluster_of):
    rows = random_rows(profiles=4, contexts=5, samples=2, seed=5)
    metrics = measure(rows, seed=11, resamples=200, cluster_by=cluster_by)
    drawn = [
        (slow_rate(copy, 0), slow_rate(copy, 1), slow_rate([r for r in copy if "d1" in r.domains], 0))
        for copy in slow_draws(rows, 200, 11, cluster_of)
    ]
    mr, aar, mr_d1 = np.array(drawn, dtype=float).T
    for estimate, draws in [
        (metrics.overall.mr, mr),
        (metrics.overall.aar, aar),
        (metrics.overall.gap, aar - mr),
        (metrics.by_domain["d1"].mr, mr_d1),
    ]:
        expected = np.nanquantile(draws, [0.025, 0.975])
        assert [estimate.interval.low, estimate.interval.high] == pytest.approx(expected)


@given(INSTANCES)
def test_the_way_of_clustering_changes_no_value(rows):
    by_context, by_profile = (
        measure(rows, seed=1, resamples=5, cluster_by=by) for by in ("context", "profile")
    )
    assert [rates.gap.value for rates in rates_of(by_context)] == [
        rates.gap.value for rates in rates_of(by_profile)
    ]
    assert by_profile.clusters == len({row.profile for row in rows})
    assert by_context.clusters == len({(row.profile, row.context) for row in rows})


def test_a_profile_alone_has_no_interval_where_profiles_are_resampled():
    rows = random_rows(profiles=3, contexts=5, samples=1, seed=2)
    rates = measure(rows, seed=1, cluster_by="profile").by_profile["0"]
    assert rates.mr.value is not None
    assert rates.mr.interval is None
    assert measure(rows, seed=1).by_profile["0"].mr.interval is not None


def test_clusters_of_another_kind_are_refused():
    with pytest.raises(ValueError, match="'message' asked for"):
        measure([], seed=1, cluster_by="message")


@pytest.mark.parametrize("samples", [1, 3])
def test_robust_intervals_equal_those_of_a_regression_with_clustered_errors(samples):
    rows = random_rows(profiles=4, contexts=6, samples=samples, seed=3)
    rates = measure(rows, seed=1).overall
    for estimate, weights in [
        (rates.mr_robust, {0: 1}),
        (rates.aar_robust, {1: 1}),
        (rates.gap_robust, {0: -1, 1: 1}),
    ]:
        found = (estimate.interval.low, estimate.interval.high)
        assert found == pytest.approx(interval_of_statsmodels(rows, weights))


def test_the_robust_estimate_differs_from_the_percentile_one_in_its_interval_only():
    rates = measure(random_rows(profiles=2, contexts=6, samples=2, seed=4), seed=1).overall
    assert rates.mr_robust.value == rates.mr.value
    assert rates.mr_robust.denominator == rates.mr.denominator
    assert rates.mr_robust.interval.method.startswith("cluster-robust")
    assert rates.mr.interval.method.startswith("percentile")


def test_robust_intervals_end_at_thirty_clusters_and_are_of_the_whole_only():
    few, enough = (
        [instance(n, gold, n % (2 + gold) % 2) for n in range(size) for gold in (0, 1)] for size in (29, 30)
    )
    assert measure(few, seed=1).overall.gap_robust.interval is not None
    assert measure(few, seed=1).by_domain["d"].mr_robust is None
    rates = measure(enough, seed=1).overall
    assert (rates.mr_robust, rates.aar_robust, rates.gap_robust) == (None, None, None)


def test_a_rate_over_few_of_many_clusters_has_a_robust_interval():
    rows = [instance(n, int(n < 5), n % 2) for n in range(50)]
    rates = measure(rows, seed=1).overall
    assert rates.mr_robust is None
    assert "over 5 clusters" in rates.aar_robust.interval.method
    assert rates.gap_robust is not None


def test_given_parts_are_measured_as_the_whole_of_their_instances():
    rows = random_rows(profiles=3, contexts=4, samples=2, seed=6)
    inside = [row.sample == 1 for row in rows]
    whole, first = measure_parts(rows, np.array([[True] * len(rows), inside]), seed=7, resamples=50)
    assert whole.mr == measure(rows, seed=7, resamples=50).overall.mr
    assert first.mr.value == slow_rate([row for row in rows if row.sample == 1], 0)


def test_the_same_seed_gives_the_same_intervals_and_another_seed_others():
    rows = [instance(n, n % 2, int(n % 3 == 0)) for n in range(30)]
    assert measure(rows, seed=1) == measure(rows, seed=1)
    assert measure(rows, seed=1).overall.mr.interval != measure(rows, seed=2).overall.mr.interval


def test_an_example_worked_by_hand():
    # Two samples of four messages. g=0: sample 1: z = 1, 0, 1, unread -> 2/3; sample 2: 0, 0, 1, 1 -> 2/4.
    # MR = (2/3 + 2/4) / 2 = 7/12. g=1: sample 1: 1, 1 -> 1; sample 2: 1, 0 -> 1/2. AAR = 3/4. gap = 1/6.
    suppress = {1: [1, 0, 1, None], 2: [0, 0, 1, 1]}
    apply = {1: [1, 1], 2: [1, 0]}
    rows = [
        instance(cluster, gold, verdict, sample)
        for gold, samples in enumerate([suppress, apply])
        for sample, verdicts in samples.items()
        for cluster, verdict in enumerate(verdicts)
    ]
    rates = measure(rows, seed=1).overall
    assert rates.mr.value == pytest.approx(7 / 12)
    assert (rates.mr.numerator, rates.mr.denominator) == (4, 7)
    assert rates.aar.value == pytest.approx(3 / 4)
    assert rates.gap.value == pytest.approx(1 / 6)
    assert [row.mr.value for row in rates.by_sample] == pytest.approx([2 / 3, 1 / 2])
    assert rates.without_verdict == 1


def test_a_failed_generation_is_in_no_rate_and_counted():
    rows = [instance(1, 0, 1), instance(2, 0, None)]
    rates = measure(rows, seed=1).overall
    assert (rates.mr.value, rates.mr.denominator, rates.without_verdict) == (1, 1, 1)


def test_without_a_readable_verdict_the_reason_says_how_many_there_were():
    rows = [instance(n, 0, None) for n in range(3)]
    rates = measure(rows, seed=1).overall
    assert rates.mr.undefined_reason == (
        "of 3 with the gold label suppress, none has a verdict that could be read"
    )
    assert rates.aar.undefined_reason == "no instance has the gold label apply"
    assert rates.gap.undefined_reason == "without MR and AAR there is no gap"


def test_one_cluster_has_no_interval_rather_than_one_of_no_width():
    rows = [instance("only", 0, value) for value in (0, 1)]
    rates = measure(rows, seed=1).overall
    assert rates.mr.value == 0.5
    assert rates.mr.interval is None
    assert "one cluster" in rates.mr.no_interval_reason


def test_a_part_in_one_cluster_has_no_interval_though_the_whole_has():
    rows = [instance(n, 0, n % 2, domains=("a" if n else "b",)) for n in range(6)]
    metrics = measure(rows, seed=1)
    assert metrics.overall.mr.interval is not None
    assert metrics.by_domain["b"].mr.interval is None


def test_a_context_of_two_domains_counts_in_each():
    metrics = measure([instance(1, 0, 1, domains=("finance", "legal"))], seed=1)
    assert {name: rates.mr.denominator for name, rates in metrics.by_domain.items()} == {
        "finance": 1,
        "legal": 1,
    }


def test_no_instances_at_all_are_a_reason_not_an_error():
    metrics = measure([], seed=1)
    assert metrics.overall.gap.value is None
    assert metrics.by_domain == metrics.by_category == metrics.by_profile == metrics.by_context == {}
