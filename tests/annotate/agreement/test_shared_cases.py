"""Exact reference values kept beside the project, where they are there; one worked case of each kind always.

A table's zero standard error is a value of the formula, but no interval: the cases give the formula's.
"""

import json
from pathlib import Path

import pytest

from annotate.agreement import coefficients, jaccard, kappa, mcnemar, rogan_gladen, tables, two_raters
from annotate.agreement.intervals import wilson_interval
from annotate.agreement.resampled_agreement import paired_agreement
from annotate.agreement.resampling import clustered_rates

SHARED = Path(__file__).resolve().parents[4] / "shared" / "cases" / "agreement.json"
WORKED = {
    "cases": [
        {
            "id": "half_by_chance",
            "kind": "table",
            "input": [[3, 1], [1, 3]],
            "expected": {"percent_agreement": 0.75, "expected_agreement_cohen": 0.5, "cohen_kappa": 0.5},
        },
        {
            "id": "two_units",
            "kind": "ratings",
            "input": [[1, 2], [1, 2]],
            "expected": {"kripp_nominal": 1, "fleiss_kappa": 1, "percent_agreement": 1},
        },
        {
            "id": "one_each_way",
            "kind": "mcnemar",
            "input": [[0, 1], [1, 0]],
            "expected": {"exact_p": 1, "chi2": 0, "p_cc": 1},
        },
        {"id": "none", "kind": "wilson", "input": {"x": 0, "n": 1}, "expected": {"low": 0}},
        {
            "id": "half",
            "kind": "jaccard",
            "input": [[["a"], ["a", "b"]]],
            "expected": {"mean_empty_is_1": 0.5},
        },
        {
            "id": "perfect_judge",
            "kind": "rogan_gladen",
            "input": {
                "positives": 1,
                "n": 4,
                "sensitivity": 1,
                "specificity": 1,
                "m1_true_pos": 9,
                "m0_true_neg": 9,
            },
            "expected": {"raw_estimate": 0.25, "clipped": 0.25},
        },
    ],
    "bootstrap": {
        "one_value": {
            "clusters_num_den": [[1, 2], [2, 4], [3, 6]],
            "B": 50,
            "accept_q025": [0.5, 0.5],
            "accept_q975": [0.5, 0.5],
        },
        "always_agreeing": {
            "pair_types": [
                {"situation1": [1, 1], "situation2": [1, 1], "pairs": 20},
                {"situation1": [0, 0], "situation2": [0, 0], "pairs": 20},
            ],
            "B": 50,
            "point_kappa": 1.0,
            "accept_q025": [1.0, 1.0],
            "accept_q975": [1.0, 1.0],
        },
    },
}
FILES = [WORKED, *([json.loads(SHARED.read_text("utf-8"))] if SHARED.exists() else [])]
CASES = [case for file in FILES for case in file["cases"]]
RATES = {
    name: case for file in FILES for name, case in file["bootstrap"].items() if "clusters_num_den" in case
}
KAPPAS = {
    name: (case, next(other for other in file["bootstrap"].values() if "pair_types" in other))
    for file in FILES
    for name, case in file["bootstrap"].items()
    if "point_kappa" in case
}


def ends(interval):
    return (None, None) if interval is None else (interval.low, interval.high)


def of_table(table):
    categories = range(len(table))
    counts = tables.counts_of_table(table)
    errors = kappa.standard_errors(table, categories)
    cohen = kappa.cohen_kappa(table, categories)
    low, high = ends(cohen.interval)
    if errors.estimated == 0:
        assert (low, high) == (None, None)
        assert "not estimable" in cohen.no_interval_reason
        low = high = cohen.value
    found = {
        "percent_agreement": kappa.exact_agreement(table, categories),
        "expected_agreement_cohen": kappa.expected_agreement(table, categories),
        "cohen_kappa": cohen,
        "kappa_linear": kappa.weighted_kappa(table, categories, "linear"),
        "kappa_quadratic": kappa.weighted_kappa(table, categories, "quadratic"),
        "scott_pi": two_raters.scott_pi(table, categories),
        "gwet_ac1": coefficients.gwet_ac1(counts, categories),
        "brennan_prediger": coefficients.brennan_prediger(counts, categories),
        "kripp_nominal": coefficients.krippendorff_alpha(counts, categories),
    }
    if len(table) == 2:
        found |= {
            "positive_agreement": two_raters.specific_agreement(table, categories, 0),
            "negative_agreement": two_raters.specific_agreement(table, categories, 1),
            "pabak": two_raters.pabak(table, categories),
            "bias_index": two_raters.bias_index(table, categories),
            "prevalence_index": two_raters.prevalence_index(table, categories),
        }
    return values(found) | {
        "se_fce": errors.estimated,
        "se0_fce": errors.under_chance,
        "se_linear": kappa.standard_errors(table, categories, "linear").estimated,
        "se_quadratic": kappa.standard_errors(table, categories, "quadratic").estimated,
        "ci_low": low,
        "ci_high": high,
    }


def of_ratings(matrix):
    rows = [(unit, rater, value) for rater, line in enumerate(matrix) for unit, value in enumerate(line)]
    categories = sorted({value for *_, value in rows if value is not None})
    counts = tables.unit_by_category(tables.read_labels(*zip(*rows, strict=True), categories))
    levels = ("nominal", "ordinal", "interval", "ratio")
    return values(
        {f"kripp_{level}": coefficients.krippendorff_alpha(counts, categories, level) for level in levels}
        | {
            "fleiss_kappa": coefficients.fleiss_kappa(counts, categories),
            "gwet_ac1": coefficients.gwet_ac1(counts, categories),
            "brennan_prediger": coefficients.brennan_prediger(counts, categories),
            "percent_agreement": coefficients.percent_agreement(counts, categories),
        }
    )


def of_mcnemar(table):
    found = mcnemar.mcnemar(table[0][1], table[1][0])
    return values(
        {
            "exact_p": found.exact_p,
            "mid_p": found.mid_p,
            "chi2": found.chi2,
            "p_chi2": found.chi2_p,
            "chi2_cc": found.corrected_chi2,
            "p_cc": found.corrected_p,
        }
    )


def of_wilson(counts):
    return dict(zip(("low", "high"), ends(wilson_interval(counts["x"], counts["n"])), strict=True))


def of_jaccard(pairs):
    sets = [(set(first), set(second)) for first, second in pairs]
    conventions = {"mean_empty_is_1": 1.0, "mean_empty_is_0": 0.0, "mean_empty_dropped": None}
    return values({name: jaccard.mean_jaccard(sets, empty).mean for name, empty in conventions.items()})


def of_rogan_gladen(case):
    found = rogan_gladen.rogan_gladen(
        rogan_gladen.Judged(
            case["positives"],
            case["n"],
            case["sensitivity"],
            case["specificity"],
            case["m1_true_pos"],
            case["m0_true_neg"],
        )
    )
    intervals = {"delta": found.delta, "lang_reiczigel": found.rate.interval, "wilson_mapped": found.wilson}
    return {
        "raw_estimate": found.raw,
        "clipped": found.rate.value,
        "delta_se": found.standard_error,
        **{f"{name}_low": ends(interval)[0] for name, interval in intervals.items()},
        **{f"{name}_high": ends(interval)[1] for name, interval in intervals.items()},
    }


def values(estimates):
    for estimate in estimates.values():
        assert (estimate.value is None) == bool(estimate.undefined_reason)
    return {name: estimate.value for name, estimate in estimates.items()}


MEASURES = {
    "table": of_table,
    "ratings": of_ratings,
    "mcnemar": of_mcnemar,
    "wilson": of_wilson,
    "jaccard": of_jaccard,
    "rogan_gladen": of_rogan_gladen,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_expected_value_of_a_case_is_found(case):
    found = MEASURES[case["kind"]](case["input"])
    assert {name: found[name] for name in case["expected"]} == {
        name: value if value is None else pytest.approx(value, abs=1e-9)
        for name, value in case["expected"].items()
    }


@pytest.mark.parametrize("name", RATES)
def test_resampled_clusters_end_where_they_should(name):
    case = RATES[name]
    above, below = zip(*case["clusters_num_den"], strict=True)
    found = clustered_rates({"rate": above}, {"rate": below}, range(len(above)), seed=1, resamples=case["B"])
    assert_accepted(found.rate("rate"), case, case.get("point", 0.5))


@pytest.mark.parametrize("name", KAPPAS)
def test_resampled_kappas_end_where_they_should(name):
    """A case without pair types of its own draws the items of the file's pairs one by one."""
    case, kinds = KAPPAS[name]
    pairs = [kind for kind in kinds["pair_types"] for _ in range(kind["pairs"])]
    items = [
        (place, *pair[situation])
        for place, pair in enumerate(pairs)
        for situation in ("situation1", "situation2")
    ]
    places, first, second = zip(*items, strict=True)
    drawn = places if case is kinds else range(len(places))
    found = paired_agreement(first, second, drawn, (1, 0), seed=1, resamples=case["B"])
    assert_accepted(found.kappa, case, case["point_kappa"])


def assert_accepted(found, case, point):
    assert found.value == pytest.approx(point, abs=1e-9)
    accepted = case["accept_q025"], case["accept_q975"]
    for end, (low, high) in zip(ends(found.interval), accepted, strict=True):
        assert low - 1e-9 <= end <= high + 1e-9
