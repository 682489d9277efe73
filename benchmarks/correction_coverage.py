"""How often corrected intervals hold the truth, over simulated runs whose truth and judge are known.

    python benchmarks/correction_coverage.py [--studies 1000] [--seed 1]

One line a cell: how many of its studies the rule of `corrected_rate` calls sufficient, and for the raw rate,
Rogan & Gladen's and the prediction-powered one (for a gap: raw and prediction-powered) how many of 100
intervals hold the truth, with their mean width. A cell is sufficient where at least 95 of 100 of its studies
are. Ends with 1 if a corrected interval of a sufficient cell holds it in fewer than 93 or more than 97.

Chance alone puts a few of so many cells outside: 1,000 studies do it to one 94.5 % interval in fifty. So
a cell that is found outside is tried again with ten times as many other studies, and they decide.
"""

import argparse
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from time import perf_counter

import numpy as np
from scipy.stats import beta

sys.path.insert(0, str(Path(__file__).parent.parent))

from annotate.agreement.corrected_rate import SUFFICIENT, CorrectedRate, corrected_rate
from annotate.agreement.estimate import Estimate
from annotate.agreement.prediction_powered import prediction_powered_difference
from annotate.agreement.tables import Floats

LEAST, MOST = 93.0, 97.0
CALLED = 0.95
AGAIN = 10
# Clusters and items in each: PairPref's preferences, BenchPreS's pairs of profile and context, its profiles.
RUNS = ((45, 26), (390, 3), (10, 100))
JUDGES = ((0.95, 0.95), (0.9, 0.8), (0.7, 0.95), (0.98, 0.99))
RATES = (0.1, 0.4, 0.85)
LABELS = (50, 200, 400)
DRAWS = ("alike", "by verdict")
ALIKE = 0.1  # intracluster correlation of the truth
PLACES = np.linspace(0, 1, 10_001)
METHODS = ("raw", "rogan_gladen", "prediction_powered")


@dataclass(frozen=True)
class Cell:
    """A kind of study. With `other`, the gap to a second rate over the same clusters is estimated."""

    clusters: int
    each: int
    sensitivity: float
    specificity: float
    rate: float
    labels: int
    draw: str
    other: float | None = None

    @property
    def truth(self) -> float:
        """Return what the intervals should hold."""
        return self.rate - (self.other or 0.0)


@dataclass(frozen=True)
class Outcome:
    """Of a cell's studies: the share called sufficient, by method the share of hits and the mean width."""

    cell: Cell
    sufficient: float
    held: dict[str, float]
    width: dict[str, float]

    @property
    def is_called_sufficient(self) -> bool:
        """Tell whether the rule calls such studies sufficient."""
        return self.sufficient >= CALLED

    @property
    def faults(self) -> list[str]:
        """Return the corrections that break the promise."""
        if not self.is_called_sufficient:
            return []
        return [name for name, held in self.held.items() if name != "raw" and not LEAST <= held <= MOST]


def main() -> None:
    """Simulate every cell, print the table, and end with 1 where the promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=1000, help="studies of each cell")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    first, second = np.random.SeedSequence(options.seed).spawn(2)
    begun = perf_counter()
    print(f"{SUFFICIENT}\n\n{header()}")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = {outcome.cell: outcome for outcome in outcomes(pool, cells(), options.studies, first)}
        doubtful = [cell for cell, outcome in found.items() if outcome.faults]
        if doubtful:
            print(f"\nTried again with {AGAIN * options.studies:,} studies each:\n\n{header()}")
        again = outcomes(pool, doubtful, AGAIN * options.studies, second)
        found |= {outcome.cell: outcome for outcome in again}
    sys.exit(summary(list(found.values()), perf_counter() - begun))


def outcomes(
    pool: ProcessPoolExecutor, tried: list[Cell], studies: int, seed: np.random.SeedSequence
) -> Iterator[Outcome]:
    """Simulate cells, each with a seed of its own, and print each one's line."""
    for outcome in pool.map(simulated, tried, [studies] * len(tried), seed.spawn(len(tried))):
        print(row(outcome), flush=True)
        yield outcome


def cells() -> list[Cell]:
    """Return the grid; of few clusters, which stand for themselves, only a part."""
    rates = [
        Cell(*run, *judge, rate, labels, draw)
        for run, judge, rate, labels, draw in product(RUNS, JUDGES, RATES, LABELS, DRAWS)
        if run[0] >= 30 or (judge == JUDGES[0] and draw == DRAWS[0])
    ]
    gaps = [
        Cell(*run, *judge, 0.85, labels, draw, other=0.4)
        for run, judge, labels, draw in product(RUNS[:2], JUDGES[:2], LABELS, DRAWS)
    ]
    return rates + gaps


def simulated(cell: Cell, studies: int, seed: np.random.SeedSequence) -> Outcome:
    """Run a cell's studies."""
    draw = np.random.default_rng(seed)
    found = [one_study(cell, draw) for _ in range(studies)]
    names = [name for name in METHODS if name in found[0][1]]
    intervals = {name: [estimates[name].interval for _, estimates in found] for name in names}
    ends = {name: np.array([(one.low, one.high) for one in ends if one]) for name, ends in intervals.items()}
    return Outcome(
        cell,
        float(np.mean([is_sufficient for is_sufficient, _ in found])),
        {name: 100 * float(np.mean(holds(one, cell.truth))) for name, one in ends.items()},
        {name: float(np.mean(one[:, 1] - one[:, 0])) for name, one in ends.items()},
    )


def holds(ends: Floats, truth: float) -> np.ndarray:
    """Tell which intervals hold the truth."""
    return (ends[:, 0] <= truth) & (truth <= ends[:, 1])


def one_study(cell: Cell, draw: np.random.Generator) -> tuple[bool, dict[str, Estimate]]:
    """Return whether the rule calls one study sufficient, and its estimates by method."""
    places = draw.random(cell.clusters)
    first = corrected(cell, places, draw)
    if cell.other is None:
        return first.is_sufficient, {name: getattr(first, name) for name in METHODS}
    second = corrected(replace(cell, rate=cell.other), places, draw)
    gap = prediction_powered_difference(first.powered, second.powered)
    return first.is_sufficient and second.is_sufficient, {"prediction_powered": gap}


def corrected(cell: Cell, places: Floats, draw: np.random.Generator) -> CorrectedRate:
    """Simulate a run and its labels; a cluster's place among clusters says how high its rate is."""
    rates = np.interp(places, PLACES, quantiles(cell.rate))
    truths = (draw.random((cell.clusters, cell.each)) < rates[:, None]).ravel()
    wrong = np.where(truths, 1 - cell.sensitivity, 1 - cell.specificity)
    verdicts = truths ^ (draw.random(truths.size) < wrong)
    weights = drawn(verdicts, cell, draw)
    clusters = np.repeat(np.arange(cell.clusters), cell.each)
    return corrected_rate(verdicts, np.where(weights > 0, truths, np.nan), clusters, weights)


@cache
def quantiles(rate: float) -> Floats:
    """Return at which rates the clusters at `PLACES` are: a beta distribution's quantiles."""
    shape = (1 - ALIKE) / ALIKE
    return beta.ppf(PLACES, rate * shape, (1 - rate) * shape)


def drawn(verdicts: np.ndarray, cell: Cell, draw: np.random.Generator) -> Floats:
    """Return for how many items each one drawn stands, 0 for the others."""
    weights = np.zeros(verdicts.size)
    strata = [np.ones_like(verdicts)] if cell.draw == "alike" else [verdicts, ~verdicts]
    for stratum in map(np.flatnonzero, strata):
        taken = min(cell.labels // len(strata), stratum.size)
        weights[draw.choice(stratum, taken, replace=False)] = stratum.size / max(taken, 1)
    return weights


def header() -> str:
    """Return the head of the table."""
    names = ["clusters", "items", "sens.", "spec.", "rate", "labels", "drawn", "sufficient"]
    names += ["raw", "Rogan & Gladen", "prediction-powered", ""]
    return f"| {' | '.join(names)} |\n|{'---|' * len(names)}"


def row(outcome: Outcome) -> str:
    """Return a cell's line of the table: coverage in 100 and mean width by method."""
    cell = outcome.cell
    rate = f"{cell.rate:g}" if cell.other is None else f"{cell.rate:g} - {cell.other:g}"
    shown = [
        f"{outcome.held[name]:.1f} ({outcome.width[name]:.3f})" if name in outcome.held else ""
        for name in METHODS
    ]
    called = f"{outcome.sufficient:.0%}{' yes' if outcome.is_called_sufficient else ''}"
    sizes = f"{cell.clusters} | {cell.clusters * cell.each:,} | {cell.sensitivity:g} | {cell.specificity:g}"
    fault = "outside" if outcome.faults else ""
    return f"| {sizes} | {rate} | {cell.labels} | {cell.draw} | {called} | {' | '.join(shown)} | {fault} |"


def summary(found: list[Outcome], seconds: float) -> int:
    """Print what the table comes to; return 1 if a sufficient cell breaks the promise."""
    called = [outcome for outcome in found if outcome.is_called_sufficient]
    held = [held for outcome in called for name, held in outcome.held.items() if name != "raw"]
    raw = [outcome.held["raw"] for outcome in called if "raw" in outcome.held]
    faults = sum(len(outcome.faults) for outcome in called)
    print(
        f"\n{len(called)} of {len(found)} cells are sufficient. There corrected intervals hold the truth in"
        f" {min(held):.1f} to {max(held):.1f} of 100 studies (mean {np.mean(held):.1f}), raw ones in"
        f" {min(raw):.1f} to {max(raw):.1f}. {faults} of {len(held)} are outside {LEAST:g} to {MOST:g}."
        f" {seconds:.0f} s."
    )
    return 1 if faults else 0


if __name__ == "__main__":
    main()
