"""McNemar's test: do two raters, or two runs, say *yes* equally often on the same units?

Of the units on which they differ, `b` have a yes from the first only and `c` from the second only.
All variants as in Fagerland, Lydersen & Laake (2013).
"""

from dataclasses import dataclass

from scipy.stats import binom, binomtest, chi2

from annotate.agreement.estimate import Estimate

NEVER_DIFFER = "the two never differ, so there is nothing to test"


@dataclass(frozen=True)
class McNemar:
    """p-values of the test and the chi-squared statistics, each over the b + c differing units."""

    exact_p: Estimate
    mid_p: Estimate
    chi2: Estimate
    chi2_p: Estimate
    corrected_chi2: Estimate
    corrected_p: Estimate


def mcnemar(b: int, c: int) -> McNemar:
    """Return exact, mid-p, plain and continuity-corrected tests of b against c.

    Where b + c is 0 the exact p is 1 and the rest is undefined. The correction is
    max(0, |b - c| - 1), never the square of -1.

    Raises:
        ValueError: if a count is negative.
    """
    if b < 0 or c < 0:
        raise ValueError(f"counts of differing units are {b} and {c}; expected 0 or more")
    differing = b + c
    if not differing:
        nothing = Estimate(None, denominator=0, undefined_reason=NEVER_DIFFER)
        return McNemar(Estimate(1.0, denominator=0), nothing, nothing, nothing, nothing, nothing)
    exact = float(binomtest(b, differing).pvalue)
    fewer = min(b, c)
    mid = float(2 * binom.cdf(fewer, differing, 0.5) - binom.pmf(fewer, differing, 0.5))
    plain, corrected = (b - c) ** 2 / differing, max(0, abs(b - c) - 1) ** 2 / differing
    values = (exact, mid, plain, float(chi2.sf(plain, 1)), corrected, float(chi2.sf(corrected, 1)))
    return McNemar(*(Estimate(value, denominator=differing) for value in values))
