"""Made-up studies whose truth is known: a run in clusters, a judge of known errors, people's labels."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import beta


@dataclass(frozen=True)
class Study:
    """What the functions are given, and `everywhere`, what people would say of every item."""

    verdicts: np.ndarray
    truths: np.ndarray
    clusters: np.ndarray
    weights: np.ndarray
    everywhere: np.ndarray

    @property
    def given(self):
        return self.verdicts, self.truths, self.clusters, self.weights


def study(
    draw,
    *,
    rate,
    sensitivity=0.9,
    specificity=0.9,
    clusters=100,
    each=10,
    labels=200,
    by_verdict=False,
    alike=0.1,
):
    """Clusters have rates from a beta distribution with mean `rate` and intracluster correlation `alike`."""
    shape = (1 - alike) / alike
    rates = beta.ppf(draw.random(clusters), rate * shape, (1 - rate) * shape)
    everywhere = (draw.random((clusters, each)) < rates[:, None]).ravel()
    wrong = np.where(everywhere, 1 - sensitivity, 1 - specificity)
    verdicts = everywhere ^ (draw.random(everywhere.size) < wrong)
    weights = drawn_weights(draw, verdicts, labels, by_verdict)
    truths = np.where(weights > 0, everywhere, np.nan)
    names = np.repeat(np.arange(clusters), each)
    return Study(verdicts.astype(float), truths, names, weights, everywhere.astype(float))


def drawn_weights(draw, verdicts, labels, by_verdict):
    """For how many items each drawn one stands, 0 if it is not drawn."""
    weights = np.zeros(verdicts.size)
    strata = [~verdicts, verdicts] if by_verdict else [np.ones(verdicts.size, dtype=bool)]
    for stratum in map(np.flatnonzero, strata):
        taken = min(labels // len(strata), stratum.size)
        weights[draw.choice(stratum, taken, replace=False)] = stratum.size / max(taken, 1)
    return weights
