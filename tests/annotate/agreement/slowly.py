"""The same statistics a second time, straight from their definitions, in exact fractions.

`ratings` is a list of units, each a list with one value or `None` a rater. `None` is returned where
a statistic is undefined.
"""

from fractions import Fraction
from itertools import permutations


def given(unit):
    return [value for value in unit if value is not None]


def ratio(above, below):
    return None if below == 0 else Fraction(above) / Fraction(below)


def percent_agreement(ratings, categories):
    shares = []
    for unit in ratings:
        pairs = list(permutations(given(unit), 2))
        if pairs:
            shares.append(Fraction(sum(one == two for one, two in pairs), len(pairs)))
    return ratio(sum(shares), len(shares))


def shares(ratings, categories):
    rated = [given(unit) for unit in ratings if given(unit)]
    return [
        sum(Fraction(unit.count(category), len(unit)) for unit in rated) / len(rated)
        for category in categories
    ]


def beyond(agreed, chance):
    return None if agreed is None or chance == 1 else (agreed - chance) / (1 - chance)


def fleiss_kappa(ratings, categories):
    agreed = percent_agreement(ratings, categories)
    return None if agreed is None else beyond(agreed, sum(s**2 for s in shares(ratings, categories)))


def gwet_ac1(ratings, categories):
    agreed, others = percent_agreement(ratings, categories), len(categories) - 1
    if agreed is None or not others:
        return None
    return beyond(agreed, sum(s * (1 - s) for s in shares(ratings, categories)) / others)


def brennan_prediger(ratings, categories):
    return beyond(percent_agreement(ratings, categories), Fraction(1, len(categories)))


def krippendorff(ratings, categories, level="nominal"):
    units = [given(unit) for unit in ratings if len(given(unit)) >= 2]
    pooled = [value for unit in units for value in unit]
    total = len(pooled)

    def distance(one, two):
        if level == "nominal":
            return int(one != two)
        if level == "interval":
            return (one - two) ** 2
        low, high = sorted((categories.index(one), categories.index(two)))
        between = sum(pooled.count(category) for category in categories[low : high + 1])
        return (between - Fraction(pooled.count(one) + pooled.count(two), 2)) ** 2

    observed = sum(
        Fraction(distance(one, two), len(unit) - 1) for unit in units for one, two in permutations(unit, 2)
    )
    expected = sum(distance(one, two) for one, two in permutations(pooled, 2))
    spread = ratio(observed * (total - 1), expected)
    return None if spread is None else 1 - spread


def weighted_kappa(table, power):
    """Return kappa with distances |i - j| ** power, and 0 or 1 for power 0."""
    size, total = len(table), sum(map(sum, table))
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]

    def distance(i, j):
        return int(i != j) if power == 0 else abs(i - j) ** power

    cells = [(i, j) for i in range(size) for j in range(size)]
    observed = sum(distance(i, j) * table[i][j] for i, j in cells)
    expected = sum(distance(i, j) * rows[i] * columns[j] for i, j in cells)
    spread = ratio(observed * total, expected)
    return None if spread is None else 1 - spread


def tables_with_margins(rows, columns):
    """Yield every table of counts with these margins."""
    if len(rows) == 1:
        yield [list(columns)]
        return
    for first in splits(rows[0], columns):
        left = [column - used for column, used in zip(columns, first, strict=True)]
        for rest in tables_with_margins(rows[1:], left):
            yield [first, *rest]


def splits(total, limits):
    if len(limits) == 1:
        if total <= limits[0]:
            yield [total]
        return
    for used in range(min(total, limits[0]) + 1):
        for rest in splits(total - used, limits[1:]):
            yield [used, *rest]
