"""Tables and figures printed in publications, to as many digits as the source prints."""

import numpy as np
import pytest

from annotate.agreement import coefficients, kappa, mcnemar, tables
from annotate.agreement.intervals import cluster_robust_mean, wilson_interval

YES_NO = ("yes", "no")

# Fleiss 1971, Psychol Bull 76:378-382: diagnoses (1 to 5) of 30 patients by six psychiatrists each.
FLEISS_1971 = """
444444 222555 233335 555555 222444 113333 333355 113334 114444 555555
144444 124444 222333 144444 224445 333335 111455 111112 224444 133555
555555 244444 224555 114444 144445 222224 111155 224444 133333 555555
"""

# Wikipedia, "Fleiss' kappa": 14 raters, 10 subjects, 5 categories.
FOURTEEN_RATERS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability: sections A, B and C ("." is missing).
KRIPPENDORFF_A = ("0100000010", "1110010000")
KRIPPENDORFF_B = ("aabbdcccedda", "babbbccceddd")
KRIPPENDORFF_C = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def printed(value, digits):
    return pytest.approx(value, abs=0.5001 * 10**-digits)


def counts_of(raters, categories):
    """One string a rater, one character a unit."""
    rows = [
        (unit, rater, None if value == "." else value)
        for rater, line in enumerate(raters)
        for unit, value in enumerate(line)
    ]
    return tables.unit_by_category(tables.read_labels(*zip(*rows, strict=True), categories))


# Cicchetti & Feinstein 1990, J Clin Epidemiol 43:551-558, and Feinstein & Cicchetti 1990, ibid. 543-549:
# the same agreement, and kappas that differ with the margins.
@pytest.mark.parametrize(
    ("table", "agreement", "value"),
    [
        ([[40, 9], [6, 45]], 0.85, 0.70),
        ([[80, 10], [5, 5]], 0.85, 0.32),
        ([[45, 15], [25, 15]], 0.60, 0.13),
        ([[25, 35], [5, 35]], 0.60, 0.26),
    ],
)
def test_the_paradoxes_of_kappa(table, agreement, value):
    assert kappa.exact_agreement(table, YES_NO).value == printed(agreement, 2)
    assert kappa.cohen_kappa(table, YES_NO).value == printed(value, 2)


def test_cohen_1968_table_1():
    """Psychol Bull 70:213-220; proportions of 200 as counts."""
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    assert kappa.expected_agreement(table, "abc").value == printed(0.41, 2)
    assert kappa.cohen_kappa(table, "abc").value == printed(0.492, 3)


def test_the_listing_of_sas_proc_freq():
    """A listing of SAS that the tests of statsmodels print: kappa, its errors and limits."""
    table = [[0, 4, 1], [0, 8, 0], [0, 1, 5]]
    found, errors = kappa.cohen_kappa(table, "abc"), kappa.standard_errors(table, "abc")
    assert found.value == printed(0.4842, 4)
    assert (errors.estimated, errors.under_chance) == (printed(0.1380, 4), printed(0.1484, 4))
    assert (found.interval.low, found.interval.high) == (printed(0.2137, 4), printed(0.7547, 4))


# PairPref, Table 19 and the text below it.
@pytest.mark.parametrize(
    ("table", "agreement", "value"),
    [
        ([[400, 0], [0, 0]], 100.00, None),
        ([[391, 6], [3, 0]], 97.75, -0.010),
        ([[199, 1], [0, 0]], 99.50, 0.000),
    ],
)
def test_pairpref_table_19(table, agreement, value):
    assert 100 * kappa.exact_agreement(table, YES_NO).value == printed(agreement, 2)
    found = kappa.cohen_kappa(table, YES_NO)
    assert found.value == (None if value is None else printed(value, 3))


def test_pairpref_chance_agreement_of_rare_negatives():
    assert 100 * kappa.expected_agreement([[391, 6], [3, 0]], YES_NO).value == printed(97.77, 2)


def test_fleiss_1971_diagnoses():
    counts = [[unit.count(category) for category in "12345"] for unit in FLEISS_1971.split()]
    assert coefficients.percent_agreement(counts, "12345").value == printed(0.556, 3)
    assert coefficients.fleiss_kappa(counts, "12345").value == printed(0.430, 3)


def test_fourteen_raters_of_ten_subjects():
    assert coefficients.percent_agreement(FOURTEEN_RATERS, range(5)).value == printed(0.378, 3)
    assert coefficients.fleiss_kappa(FOURTEEN_RATERS, range(5)).value == printed(0.210, 3)


# Free-marginal and fixed-marginal kappa as the calculator of Randolph prints them (tests of statsmodels).
@pytest.mark.parametrize(
    ("counts", "fixed", "free"),
    [([[7, 1], [3, 5]], 0.161905, 0.214286), ([[6, 1, 0], [0, 7, 0]], 0.708333, 0.785714)],
)
def test_randolph_calculator(counts, fixed, free):
    categories = range(len(counts[0]))
    assert coefficients.fleiss_kappa(counts, categories).value == printed(fixed, 6)
    assert coefficients.brennan_prediger(counts, categories).value == printed(free, 6)


@pytest.mark.parametrize(
    ("raters", "categories", "level", "value"),
    [
        (KRIPPENDORFF_A, "01", "nominal", 0.095),
        (KRIPPENDORFF_B, "abcde", "nominal", 0.692),
        (KRIPPENDORFF_C, "12345", "nominal", 0.743),
        (KRIPPENDORFF_C, "12345", "ordinal", 0.815),
        (KRIPPENDORFF_C, "12345", "interval", 0.849),
        (KRIPPENDORFF_C, "12345", "ratio", 0.797),
    ],
)
def test_krippendorff_2011(raters, categories, level, value):
    counts = counts_of(raters, categories)
    if level in ("interval", "ratio"):
        categories = [int(category) for category in categories]
    assert coefficients.krippendorff_alpha(counts, categories, level).value == printed(value, 3)


@pytest.mark.parametrize(
    ("coefficient", "value"),
    [
        (coefficients.percent_agreement, 0.81818),
        (coefficients.fleiss_kappa, 0.76117),
        (coefficients.gwet_ac1, 0.77544),
        (coefficients.brennan_prediger, 0.77273),
        (coefficients.krippendorff_alpha, 0.74342),
    ],
)
def test_gwet_four_raters_with_missing_labels(coefficient, value):
    """Gwet's irrCAC package, README: `cac.raw4raters`, the ratings of Krippendorff's section C."""
    assert coefficient(counts_of(KRIPPENDORFF_C, "12345"), "12345").value == printed(value, 5)


# Fagerland, Lydersen & Laake 2013, BMC Med Res Methodol 13:91.
@pytest.mark.parametrize(
    ("b", "c", "exact", "mid", "plain", "corrected"),
    [(1, 7, 0.070, 0.039, 0.034, 0.077), (6, 16, 0.052, 0.035, 0.033, 0.055)],
)
def test_fagerland_2013(b, c, exact, mid, plain, corrected):
    found = mcnemar.mcnemar(b, c)
    assert (found.exact_p.value, found.mid_p.value) == (printed(exact, 3), printed(mid, 3))
    assert (found.chi2_p.value, found.corrected_p.value) == (printed(plain, 3), printed(corrected, 3))


# Newcombe 1998, Stat Med 17:857-872, Table I, method 3.
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_newcombe_1998(successes, trials, low, high):
    found = wilson_interval(successes, trials)
    assert (found.low, found.high) == (printed(low, 4), printed(high, 4))


def test_the_cluster_robust_error_worked_by_hand():
    """Deviations from the mean 1/2 sum to 1/2, -1, 1, -1/2 in four clusters of 12 items.

    SE^2 = 4/3 * (1/4 + 1 + 1 + 1/4) / 144 (factor K / (K - 1) of Miller 2024), t of 3 degrees 3.1824.
    """
    clusters = np.repeat([1, 2, 3, 4], [3, 4, 2, 3])
    found = cluster_robust_mean([1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0], clusters)
    assert found.value == 0.5
    error = np.sqrt(4 / 3 * 2.5 / 144)
    assert error == printed(0.152145, 6)
    assert found.interval.high - found.value == pytest.approx(3.18244631 * error)
    assert (found.interval.low, found.interval.high) == (printed(0.01581, 5), printed(0.98419, 5))
