"""One corrected mean minus another of the same run: a gap, or what preferences change."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from annotate.agreement.corrected_rate import CorrectedMean
from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import cluster_sums, deviations, robust_interval
from annotate.agreement.prediction_powered import prediction_powered_difference
from annotate.agreement.resampling import with_interval
from evaluation.validation.population import Floats, Population


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two means: what it is called, what it is taken over, and the mean."""

    name: str
    over: Population
    found: CorrectedMean


@dataclass(frozen=True, eq=False)
class CorrectedDifference:
    """`first` - `second`, by the judge alone (`raw`) and set right by people's labels on both."""

    raw: Estimate
    prediction_powered: Estimate
    first: Side
    second: Side

    @property
    def labelled(self) -> int:
        """Return how many labels stand behind both sides."""
        return self.first.found.labelled + self.second.found.labelled

    @property
    def disagreements(self) -> int:
        """Return on how many of them judge and people differ."""
        return self.first.found.disagreements + self.second.found.disagreements

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what either side lacks."""
        return tuple(
            f"{side.name}: {warning}" for side in (self.first, self.second) for warning in side.found.warnings
        )

    @property
    def is_sufficient(self) -> bool:
        """Tell whether the labels of both sides suffice."""
        return self.first.found.is_sufficient and self.second.found.is_sufficient


def difference_of(first: Side, second: Side) -> CorrectedDifference:
    """Return first - second; clusters of the same name are the same on both sides."""
    corrected = prediction_powered_difference(first.found.powered, second.found.powered)
    items = len(first.over.verdicts) + len(second.over.verdicts)
    raw, corrected = (replace(found, denominator=items) for found in (_raw(first, second), corrected))
    return CorrectedDifference(raw, corrected, first, second)


def _raw(first: Side, second: Side) -> Estimate:
    """Return the difference of the judge's own means with its cluster-robust interval."""
    one, two = first.found.raw.value, second.found.raw.value
    if one is None or two is None:
        side = first if one is None else second
        reason = f"{side.name} is undefined: {side.found.raw.undefined_reason}"
        return Estimate(None, undefined_reason=reason)
    interval = robust_interval(one - two, _pulls(first.over, second.over), first.found.powered.level)
    return with_interval(Estimate(one - two), *interval)


def _pulls(first: Population, second: Population) -> Floats:
    """Return how much each cluster pulls the difference away from where it is."""
    is_first = np.repeat([True, False], [len(first.verdicts), len(second.verdicts)])
    verdicts = np.concatenate([first.verdicts, second.verdicts])
    columns: list[ArrayLike] = [verdicts * is_first, is_first, verdicts * ~is_first, ~is_first]
    sums = cluster_sums(columns, (*first.clusters, *second.clusters))
    return deviations(sums[:, 0], sums[:, 1]) - deviations(sums[:, 2], sums[:, 3])
