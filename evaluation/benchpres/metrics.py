"""MR, AAR and their gap (BenchPreS, section 3): how often a model follows what it should not, and should.

MR = #{g=0 and z=1} / #{g=0}, AAR = #{g=1 and z=1} / #{g=1}, gap = AAR - MR, for each sample, then
averaged over the samples. An instance without a gold label or without a readable verdict is in neither
numerator nor denominator, and is counted. The paper gives no intervals; ours resample whole clusters.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from annotate.agreement.coefficients import divided
from annotate.agreement.estimate import Estimate, Interval
from annotate.agreement.intervals import NO_DENOMINATOR, ONE_CLUSTER, cluster_places, robust_interval
from annotate.agreement.resampling import (
    equally_often,
    method_of,
    percentile_interval,
    resampled,
    with_interval,
)
from annotate.agreement.rows import mask_of

SUPPRESS, APPLY = 0, 1
LABELS = {SUPPRESS: "suppress", APPLY: "apply"}
RESAMPLES = 1000
LEVEL = 0.95
FEW_CLUSTERS = 30

type Floats = NDArray[np.float64]
type Mask = NDArray[np.bool_]
type ClusterBy = Literal["context", "profile"]
type Place = tuple[int, ...]
type Signs = Mapping[Place, int]


@dataclass(frozen=True)
class Instance:
    """One preference judged on one message, (profile, context, preference, sample), with what is known.

    `gold` and `verdict` are 0, 1, or None where there is no unanimous label, or no verdict that could
    be read.
    """

    profile: Hashable
    context: Hashable
    preference: Hashable
    sample: int
    category: str
    domains: tuple[str, ...]
    gold: int | None
    verdict: int | None

    @property
    def cluster(self) -> tuple[Hashable, Hashable]:
        """What shares a prompt: (profile, context)."""
        return self.profile, self.context

    @property
    def key(self) -> tuple[Hashable, Hashable, Hashable, int]:
        """What finds the same instance in another run."""
        return self.profile, self.context, self.preference, self.sample


@dataclass(frozen=True)
class SampleRates:
    """The two rates of one sample, without intervals."""

    sample: int
    mr: Estimate
    aar: Estimate


@dataclass(frozen=True)
class Rates:
    """The metrics of a set of instances, all from 0 to 1 (the gap from -1 to 1), with what they rest on.

    A value is the mean over the samples; its numerator and denominator are their sums. The gap has no
    numerator; its denominator counts the instances behind both rates. The `robust` ones have a
    cluster-robust interval, to show beside the percentile one where it is too narrow: only for all
    instances together, and only where fewer than 30 clusters enter.
    """

    mr: Estimate
    aar: Estimate
    gap: Estimate
    by_sample: tuple[SampleRates, ...]
    instances: int
    without_gold: int
    without_verdict: int
    mr_robust: Estimate | None = None
    aar_robust: Estimate | None = None
    gap_robust: Estimate | None = None


@dataclass(frozen=True)
class Metrics:
    """The rates of all instances and of their parts. A context of several domains counts in each."""

    overall: Rates
    by_domain: dict[str, Rates]
    by_category: dict[str, Rates]
    by_profile: dict[str, Rates]
    by_context: dict[str, Rates]
    clusters: int
    resamples: int
    seed: int


def measure(
    instances: Sequence[Instance],
    *,
    seed: int,
    resamples: int = RESAMPLES,
    cluster_by: ClusterBy = "context",
) -> Metrics:
    """Return the metrics with percentile bootstrap intervals over whole clusters.

    A cluster is a (profile, context), or with `cluster_by="profile"` a profile with all its contexts.
    Every rate, the gap and every part use the same resamples, so that they can be compared.

    Raises:
        ValueError: if `cluster_by` is neither, or resamples < 1.
    """
    divisions = [
        _masks_by_name(row.domains for row in instances),
        _masks_by_name((row.category,) for row in instances),
        _masks_by_name((str(row.profile),) for row in instances),
        _masks_by_name((str(row.context),) for row in instances),
    ]
    masks = [mask for division in divisions for mask in division.values()]
    parts = np.stack([np.ones(len(instances), dtype=bool), *masks])
    found = _Parts(instances, parts, clusters_of(instances, cluster_by), seed, resamples)
    rest = iter([found.rates(part) for part in range(1, len(parts))])
    domains, categories, profiles, contexts = (
        {name: next(rest) for name in division} for division in divisions
    )
    return Metrics(
        overall=found.with_robust(0),
        by_domain=domains,
        by_category=categories,
        by_profile=profiles,
        by_context=contexts,
        clusters=found.means.cluster_count,
        resamples=resamples,
        seed=seed,
    )


def measure_parts(
    instances: Sequence[Instance], parts: Mask, *, seed: int, resamples: int = RESAMPLES
) -> list[Rates]:
    """Return the metrics of each part, on the same resamples of whole (profile, context) clusters.

    `parts` has shape (parts, instances) and says which instances are in a part.
    """
    found = _Parts(instances, parts, clusters_of(instances, "context"), seed, resamples)
    return [found.rates(part) for part in range(len(parts))]


def clusters_of(instances: Iterable[Instance], cluster_by: ClusterBy) -> list[Hashable]:
    """Return the cluster of each instance.

    Raises:
        ValueError: if `cluster_by` is neither "context" nor "profile".
    """
    if cluster_by not in ("context", "profile"):
        raise ValueError(f"clusters by {cluster_by!r} asked for; expected 'context' or 'profile'")
    return [row.profile if cluster_by == "profile" else row.cluster for row in instances]


class ClusteredMeans:
    """Means of items that come in clusters, each averaged over samples, all on the same resamples.

    `numbers` and `entering`, shape (..., items), say what an item adds to each mean and whether it
    enters; `samples` gives the sample of each item (without it all are of one). A mean is named by its
    place in the axes before the last. A resample draws whole clusters, as many as there are.
    """

    def __init__(
        self,
        numbers: NDArray[np.int64] | Mask,
        entering: Mask,
        clusters: Iterable[Hashable],
        samples: Sequence[int] | None = None,
        *,
        seed: int,
        resamples: int,
    ) -> None:
        cluster, self.cluster_count = cluster_places(clusters)
        names, sample = np.unique(np.zeros_like(cluster) if samples is None else samples, return_inverse=True)
        self.samples = [int(name) for name in names]
        cells = cluster * len(names) + sample
        # Axes: cluster, those that name a mean, sample.
        self.above = self._sums(numbers * entering, cells)
        self.below = self._sums(entering, cells)
        self.values = _mean_defined(divided(self.above.sum(axis=0), self.below.sum(axis=0)))
        self.entered = self.below.sum(axis=-1) > 0
        self.draws = self._draw(seed, resamples)
        self.method = method_of(resamples, self.cluster_count, "clusters", seed)

    def mean(self, place: Place, reason: str = NO_DENOMINATOR) -> Estimate:
        """Return one mean with its percentile interval, or None for the reason given."""
        above, below = (int(_at(sums, place).sum()) for sums in (self.above, self.below))
        if not below:
            return Estimate(None, above, below, undefined_reason=reason)
        return self._with_percentile(Estimate(float(self.values[place]), above, below), {place: 1})

    def combined(self, signs: Signs, denominator: int, reason: str) -> Estimate:
        """Return the sum of the means, each times its sign, its interval taken draw by draw.

        `denominator` is to be shown beside it; None for the reason given where a mean is undefined.
        """
        value = float(sum(sign * self.values[place] for place, sign in signs.items()))
        if np.isnan(value):
            return Estimate(None, denominator=denominator, undefined_reason=reason)
        return self._with_percentile(Estimate(value, denominator=denominator), signs)

    def robust(self, found: Estimate, signs: Signs) -> Estimate | None:
        """Return the same estimate with a cluster-robust interval; None where 30 clusters or more enter.

        The mean over samples is linearised: a cluster pulls on it by the average over samples of
        (its numerator - the sample's rate * its denominator) / the sample's denominator.
        """
        if self._fewest(signs) >= FEW_CLUSTERS:
            return None
        return with_interval(found, *self._robust_interval(found.value or 0.0, signs))

    def _sums(self, numbers: NDArray[np.int64] | Mask, cells: NDArray[np.int64]) -> Floats:
        """Add the items up, shape (..., items), and return shape (clusters, ..., samples)."""
        axes, size = numbers.shape[:-1], (self.cluster_count, len(self.samples))
        rows = numbers.reshape(prod(axes), numbers.shape[-1])
        sums = np.array([np.bincount(cells, row, prod(size)) for row in rows])
        return np.moveaxis(sums.reshape(*axes, *size), -2, 0)

    def _draw(self, seed: int, resamples: int) -> Floats:
        """Return the means in each resample, nan where one is undefined."""
        axes = self.above.shape[1:]
        width = prod(axes)
        sums = np.hstack([part.reshape(self.cluster_count, width) for part in (self.above, self.below)])
        drawing = equally_often(self.cluster_count)
        drawn = resampled(lambda times: times @ sums, drawing, self.cluster_count, resamples, seed)
        return _mean_defined(divided(drawn[:, :width], drawn[:, width:]).reshape(resamples, *axes))

    def _fewest(self, signs: Signs) -> int:
        """Return how many clusters enter the mean that has fewest."""
        return min(int(_at(self.entered, place).sum()) for place in signs)

    def _with_percentile(self, found: Estimate, signs: Signs) -> Estimate:
        if self._fewest(signs) < 2:
            return with_interval(found, None, ONE_CLUSTER)
        draws = np.sum([sign * _at(self.draws, place) for place, sign in signs.items()], axis=0)
        return with_interval(found, *percentile_interval(draws, self.method, LEVEL))

    def _robust_interval(self, value: float, signs: Signs) -> tuple[Interval | None, str | None]:
        if self._fewest(signs) < 2:
            return None, ONE_CLUSTER
        entered = np.any([_at(self.entered, place) for place in signs], axis=0)
        pulls = np.sum([sign * self._pulls(place) for place, sign in signs.items()], axis=0)
        return robust_interval(value, pulls[entered], LEVEL)

    def _pulls(self, place: Place) -> Floats:
        """Return how much each cluster pulls a mean away from where it is."""
        above, below = _at(self.above, place), _at(self.below, place)
        total = below.sum(axis=0)
        return _mean_defined(divided(above - divided(above.sum(axis=0), total) * below, total))


class _Parts:
    """Parts of the instances, shape (parts, instances), measured over the same resamples."""

    def __init__(
        self,
        instances: Sequence[Instance],
        parts: Mask,
        clusters: Iterable[Hashable],
        seed: int,
        resamples: int,
    ) -> None:
        self.parts = parts
        self.has_gold = mask_of(row.gold is not None for row in instances)
        self.has_verdict = mask_of(row.verdict is not None for row in instances)
        self.of_label = parts[:, None] & masks_by_label(row.gold for row in instances)
        followed = mask_of(row.verdict == 1 for row in instances)
        samples = [row.sample for row in instances]
        entering = self.of_label & self.has_verdict
        self.means = ClusteredMeans(followed, entering, clusters, samples, seed=seed, resamples=resamples)

    def rates(self, part: int) -> Rates:
        """Return the metrics of a part, without the robust intervals."""
        mr, aar = self._rate(part, SUPPRESS), self._rate(part, APPLY)
        inside = self.parts[part]
        return Rates(
            mr=mr,
            aar=aar,
            gap=self._gap(part, mr, aar),
            by_sample=tuple(self._sample_rates(part, place) for place in range(len(self.means.samples))),
            instances=int(inside.sum()),
            without_gold=int((inside & ~self.has_gold).sum()),
            without_verdict=int((inside & self.has_gold & ~self.has_verdict).sum()),
        )

    def with_robust(self, part: int) -> Rates:
        """Return the metrics of a part, with the robust intervals where it has few clusters."""
        rates, robust = self.rates(part), self.means.robust
        return replace(
            rates,
            mr_robust=robust(rates.mr, {(part, SUPPRESS): 1}),
            aar_robust=robust(rates.aar, {(part, APPLY): 1}),
            gap_robust=robust(rates.gap, _gap_signs(part)),
        )

    def _rate(self, part: int, label: int) -> Estimate:
        return self.means.mean((part, label), _why_undefined(label, int(self.of_label[part, label].sum())))

    def _gap(self, part: int, mr: Estimate, aar: Estimate) -> Estimate:
        """Return AAR - MR, or which of the two is missing."""
        missing = " and ".join(name for name, rate in (("MR", mr), ("AAR", aar)) if rate.value is None)
        denominator = int((mr.denominator or 0) + (aar.denominator or 0))
        return self.means.combined(_gap_signs(part), denominator, f"without {missing} there is no gap")

    def _sample_rates(self, part: int, place: int) -> SampleRates:
        """Return the two rates of one sample."""
        above, below = (
            sums[:, part, :, place].sum(axis=0).astype(int) for sums in (self.means.above, self.means.below)
        )
        mr, aar = (_plain_rate(int(above[label]), int(below[label])) for label in LABELS)
        return SampleRates(self.means.samples[place], mr, aar)


def masks_by_label(golds: Iterable[int | None]) -> Mask:
    """Return which items have the gold label suppress, and which apply: shape (2, items)."""
    labels = list(golds)
    return np.stack([mask_of(gold == label for gold in labels) for label in LABELS])


def _at(numbers: NDArray[Any], place: Place) -> NDArray[Any]:
    """Return what the arrays of a `ClusteredMeans` hold of one mean."""
    index: tuple[slice | int, ...] = (slice(None), *place)
    return numbers[index]


def _masks_by_name(names: Iterable[Iterable[str]]) -> dict[str, Mask]:
    """Return for each name which items have it, in the order in which the names appear."""
    places: dict[str, list[int]] = {}
    items = 0
    for items, of_item in enumerate(names, start=1):
        for name in of_item:
            places.setdefault(name, []).append(items - 1)
    return {name: np.bincount(found, minlength=items) > 0 for name, found in places.items()}


def _gap_signs(part: int) -> Signs:
    return {(part, APPLY): 1, (part, SUPPRESS): -1}


def _plain_rate(numerator: int, denominator: int) -> Estimate:
    if not denominator:
        return Estimate(None, numerator, denominator, undefined_reason=NO_DENOMINATOR)
    return Estimate(numerator / denominator, numerator, denominator)


def _mean_defined(rates: Floats) -> Floats:
    """Average over the last axis what is defined there; nan where nothing is."""
    return divided(np.nansum(rates, axis=-1), (~np.isnan(rates)).sum(axis=-1))


def _why_undefined(label: int, instances: int) -> str:
    """Say why no instance enters the rate over a gold label."""
    if not instances:
        return f"no instance has the gold label {LABELS[label]}"
    return f"of {instances:,} with the gold label {LABELS[label]}, none has a verdict that could be read"
