"""How fast the statistics are beside plain versions of the same, measured in turn in one run.

    python -m benchmarks.agreement_speed [--items 1000000]

Each line: the time of Tact's public function, of the plain version, their ratio, and the target.
"""

import argparse
import resource
from collections.abc import Callable
from time import perf_counter

import numpy as np
from sklearn.metrics import cohen_kappa_score

from annotate.agreement import coefficients, kappa, tables
from annotate.agreement.consensus import consensus, consensus_of_units
from annotate.agreement.resampled_agreement import paired_agreement, resampled_statistics
from annotate.agreement.resampling import clustered_rates

YES_NO = ("yes", "no")
RATES = ("full", "candidate", "pair", "order")
PAIRS, RESAMPLES = 200, 5000
INSTANCES, CLUSTERS, DRAWS = 1227, 45, 1000


def main() -> None:
    """Print one line a comparison, then the report over many items with its memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=1_000_000, help="items of the agreement report")
    items = parser.parse_args().items
    kappa_over_pairs()
    clustered()
    report(items)


def kappa_over_pairs() -> None:
    """Compare 5,000 kappas over 400 judgements in 200 pairs with two plain ways."""
    draw = np.random.default_rng(1)
    first = draw.random(2 * PAIRS) < 0.5
    second = first ^ (draw.random(2 * PAIRS) < 0.01)
    labels = [np.where(rater, *YES_NO).tolist() for rater in (first, second)]
    places = np.arange(2 * PAIRS) // 2

    def by_loop(resamples: int) -> None:
        for _ in range(resamples):
            rows = (draw.integers(PAIRS, size=PAIRS)[:, None] * 2 + [0, 1]).ravel()
            cohen_kappa_score(first[rows], second[rows])

    def by_rows() -> None:
        rows = (draw.integers(PAIRS, size=(RESAMPLES, PAIRS))[:, :, None] * 2 + [0, 1]).reshape(RESAMPLES, -1)
        one, two = first[rows], second[rows]
        agreed, yes_one, yes_two = (one == two).mean(axis=1), one.mean(axis=1), two.mean(axis=1)
        chance = yes_one * yes_two + (1 - yes_one) * (1 - yes_two)
        np.quantile((agreed - chance) / (1 - chance), [0.025, 0.975])

    ours = best(lambda: paired_agreement(*labels, places, YES_NO, seed=1, resamples=RESAMPLES), 200)
    show("5,000 kappas and agreements, rows copied in NumPy", ours, best(by_rows), 5)
    few = RESAMPLES // 50
    show("  the same, a loop over scikit-learn", ours, best(lambda: by_loop(few), 3) * RESAMPLES / few, 5)


def clustered() -> None:
    """Compare 1,000 clustered resamples of four rates with a loop that gathers the items drawn."""
    draw = np.random.default_rng(2)
    clusters = np.sort(draw.integers(CLUSTERS, size=INSTANCES))
    below = {name: draw.integers(0, 2, INSTANCES) for name in RATES}
    above = {name: below[name] * draw.integers(0, 2, INSTANCES) for name in RATES}
    members = [np.flatnonzero(clusters == cluster) for cluster in range(CLUSTERS)]

    def ours() -> None:
        found = clustered_rates(above, below, clusters, seed=1, resamples=DRAWS)
        for name in RATES:
            found.rate(name)

    def by_loop() -> None:
        drawn = []
        for _ in range(DRAWS):
            rows = np.concatenate([members[cluster] for cluster in draw.integers(CLUSTERS, size=CLUSTERS)])
            drawn.append([above[name][rows].sum() / below[name][rows].sum() for name in RATES])
        np.quantile(drawn, [0.025, 0.975], axis=0)

    show("1,000 clustered resamples of 4 rates, a loop", best(ours, 200), best(by_loop, 3), 3)


def report(items: int) -> None:
    """Time the whole agreement report over items x 3 labels, and a part of it row by row."""
    draw = np.random.default_rng(3)
    truth = draw.integers(0, 2, items)
    codes = np.stack([truth ^ (draw.random(items) < wrong) for wrong in (0.03, 0.05, 0.08)], axis=1)
    units = np.repeat(np.arange(items), 3).tolist()
    raters = ["ana", "ben", "cem"] * items
    values = np.array(YES_NO, dtype=object)[codes.ravel()].tolist()
    before = memory()

    def ours() -> None:
        labels = tables.read_labels(units, raters, values, YES_NO)
        counts = tables.unit_by_category(labels)
        consensus_of_units(counts, 3)
        kappa.pairwise_kappa(labels)
        coefficients.krippendorff_alpha(counts, YES_NO, "ordinal")
        resampled_statistics(counts, YES_NO, seed=1)

    part = items // 20

    def by_rows() -> None:
        found: dict[int, list[str]] = {}
        for unit, value in zip(units[: 3 * part], values[: 3 * part], strict=True):
            found.setdefault(unit, []).append(value)
        for labels in found.values():
            consensus(labels, 3)
        agreeing = [sum(a == b for a in row for b in row) - len(row) for row in found.values()]
        sum(agreeing)

    mine = best(ours, 1)
    show(
        f"report over {items:,} x 3; consensus and agreement alone, row by row",
        mine,
        best(by_rows, 1) * 20,
        10_000,
    )
    print(f"  memory beyond the rows themselves: {memory() - before:,.0f} MB for {3 * items:,} labels")


def best(work: Callable[[], object], times: int = 15) -> float:
    """Return the shortest of several runs, in milliseconds."""
    taken = []
    for _ in range(times):
        start = perf_counter()
        work()
        taken.append(perf_counter() - start)
    return 1000 * min(taken)


def show(what: str, ours: float, plain: float, target: float) -> None:
    """Print one comparison, all in milliseconds."""
    print(
        f"{what:70} {ours:10,.1f} ms   plain {plain:10,.1f} ms   {plain / ours:8.1f} x   target {target:,} ms"
    )


def memory() -> float:
    """Return the most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
