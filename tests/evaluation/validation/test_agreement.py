"""Agreement of each two raters and of all together, against published cases and other libraries."""

import json
import math
from itertools import combinations
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from evaluation.reporting.validation import sample_report
from evaluation.validation.agreement import (
    JUDGES_PAIR,
    MIXED_PAIR,
    PEOPLE_PAIR,
    groups_of_raters,
    pairs_of_raters,
)
from tests.annotate.agreement.examples import for_examples
from tests.evaluation.validation.labelled import MISSING, labelled

SHARED = Path(__file__).resolve().parents[4] / "shared" / "cases" / "agreement.json"
WORKED = {
    "cases": [
        {
            "id": "half_by_chance",
            "kind": "table",
            "input": [[3, 1], [1, 3]],
            # Of 16 values 8 are each: 1 - (4 / 16) / (2 * 8 * 8 / (16 * 15)).
            "expected": {"percent_agreement": 0.75, "cohen_kappa": 0.5, "kripp_nominal": 0.53125},
        },
        {
            "id": "two_units",
            "kind": "ratings",
            "input": [[1, 2], [1, 2]],
            "expected": {"kripp_nominal": 1, "kripp_ordinal": 1, "percent_agreement": 1},
        },
        {"id": "none", "kind": "wilson", "input": {"x": 0, "n": 1}, "expected": {"low": 0}},
    ],
    "bootstrap": {
        "always_agreeing": {
            "pair_types": [
                {"situation1": [1, 1], "situation2": [0, 0], "pairs": 20},
                {"situation1": [0, 0], "situation2": [0, 0], "pairs": 20},
            ],
            "B": 5000,
            "point_kappa": 1.0,
            "accept_q025": [1.0, 1.0],
            "accept_q975": [1.0, 1.0],
        }
    },
}
# Where the folder of shared cases is not present, only the worked ones are tried.
FILES = [WORKED, *([json.loads(SHARED.read_text("utf-8"))] if SHARED.exists() else [])]
CASES = [case for file in FILES for case in file["cases"]]
DRAWN_IN_PAIRS = [
    pytest.param(case, id=name)
    for file in FILES
    for name, case in file["bootstrap"].items()
    if "pair_types" in case
]


def cases_of(kind: str):
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == kind])


def steps(values) -> dict:
    """Declare the answers of a question."""
    return {"values": tuple(values), "value_words": tuple(f"answer {value}" for value in values)}


def ends(cell) -> tuple[float | None, float | None]:
    """Return the ends of an interval; where the standard error is exactly 0, the value itself."""
    if cell["interval"]:
        return cell["interval"]["low"], cell["interval"]["high"]
    is_constant = "not estimable" in (cell["no_interval_reason"] or "")
    return (cell["value"], cell["value"]) if is_constant else (None, None)


def standard_error(cell) -> float | None:
    low, high = ends(cell)
    return None if low is None else (high - low) / 2 / 1.9599639845400536


def assert_expected(found, expected):
    """Hold what the report says of a case against what the case expects; the case has more than is said."""
    said = {name: value for name, value in found.items() if name in expected}
    assert said
    assert said == {
        name: None if expected[name] is None else pytest.approx(expected[name], abs=1e-9) for name in said
    }


def assert_reasons(report):
    """Everywhere in a report: what has no value has a reason, and there is no nan."""
    if isinstance(report, dict):
        if "undefined_reason" in report:
            assert (report["value"] is None) == bool(report["undefined_reason"])
        report = list(report.values())
    if isinstance(report, list):
        for inner in report:
            assert_reasons(inner)
    assert not (isinstance(report, float) and math.isnan(report))


@cases_of("table")
@pytest.mark.parametrize("kind", ["people", "judges", "one of each"])
def test_two_raters_have_the_numbers_of_a_published_table(case, kind):
    """A judge's kappa and a person's are the same number."""
    table = case["input"]
    cells = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    first, second = {"A": [i for i, _ in cells]}, {"B": [j for _, j in cells]}
    raters = {"people": (first | second, {}), "judges": ({}, first | second), "one of each": (second, first)}
    nominal, ordered = (
        sample_report(labelled(*raters[kind], is_ordered=is_ordered, **steps(range(len(table)))))
        for is_ordered in (False, True)
    )
    for report in (nominal, ordered):
        assert_reasons(report)
        [pair] = report["pairs"]
        low, high = ends(pair["kappa"])
        assert_expected(
            {
                "percent_agreement": pair["agreement"]["value"],
                "cohen_kappa": pair["kappa"]["value"],
                "se_fce": standard_error(pair["kappa"]),
                "ci_low": low,
                "ci_high": high,
            },
            case["expected"],
        )
    everybody = nominal["groups"][0]
    assert_expected(
        {"kripp_nominal": everybody["alpha"]["value"], "gwet_ac1": everybody["gwet_ac1"]["value"]},
        case["expected"],
    )
    if "kappa_linear" in case["expected"]:
        [pair] = ordered["pairs"]
        for weights in ("linear", "quadratic"):
            found = {
                f"kappa_{weights}": pair[weights]["value"],
                f"se_{weights}": standard_error(pair[weights]),
            }
            assert_expected(found, case["expected"])


@cases_of("ratings")
def test_all_raters_have_the_numbers_of_published_ratings(case):
    matrix = [[MISSING if value is None else value for value in row] for row in case["input"]]
    declared = sorted({value for row in case["input"] for value in row if value is not None})
    people = {f"A{number}": row for number, row in enumerate(matrix)}
    for level, is_ordered in (("nominal", False), ("ordinal", True)):
        report = sample_report(labelled(people, is_ordered=is_ordered, **steps(declared)))
        assert_reasons(report)
        everybody = report["groups"][0]
        assert everybody == report["groups"][1] | {"name": "all raters"}
        assert_expected(
            {
                f"kripp_{level}": everybody["alpha"]["value"],
                "gwet_ac1": everybody["gwet_ac1"]["value"],
                "percent_agreement": everybody["agreement"]["value"],
            },
            case["expected"],
        )


@cases_of("wilson")
def test_agreement_has_the_published_interval(case):
    right, trials = case["input"]["x"], case["input"]["n"]
    judge = [1] * right + [0] * (trials - right)
    report = sample_report(labelled({"A": [1] * trials}, {"judge": judge}))
    for cell in (report["pairs"][0]["agreement"], report["judges"][0]["overall"]["agreement"]):
        assert (cell["numerator"], cell["denominator"]) == (right, trials)
        low, high = ends(cell)
        assert_expected({"low": low, "high": high}, case["expected"])


@pytest.mark.parametrize("case", DRAWN_IN_PAIRS)
def test_both_sides_of_a_pair_are_drawn_together(case):
    pairs = [kind for kind in case["pair_types"] for _ in range(kind["pairs"])]
    items = [
        (str(place), *pair[side]) for place, pair in enumerate(pairs) for side in ("situation1", "situation2")
    ]
    together, first, second = (list(column) for column in zip(*items, strict=True))
    report = sample_report(labelled({"A": first}, {"judge": second}, together=together))
    for found in (report["pairs"][0], report["judges"][0]["overall"]):
        assert f"resamples of {len(pairs)} clusters" in found["agreement"]["interval"]["method"]
        kappa = found["kappa"]
        assert kappa["value"] == pytest.approx(case["point_kappa"], abs=1e-9)
        for end, (low, high) in zip(ends(kappa), (case["accept_q025"], case["accept_q975"]), strict=True):
            assert low <= end <= high
        assert f"{case['B']:,} resamples of {len(pairs)} pairs" in kappa["interval"]["method"]
    alpha = report["groups"][0]["alpha"]["interval"]
    assert f"resamples of {len(pairs)} clusters" in alpha["method"]


def some_raters(seed: int, values, people: int = 3, judges: int = 2, size: int = 60):
    """Random raters that often agree; some answers missing, some *cannot tell*."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(len(values), size=size)

    def rater():
        own = np.where(draw.random(size) < 0.7, truth, draw.integers(len(values), size=size))
        fate = draw.random(size)
        return [
            MISSING if missed < 0.1 else None if missed < 0.15 else values[place]
            for place, missed in zip(own, fate, strict=True)
        ]

    return {f"A{n}": rater() for n in range(people)}, {f"judge {n}": rater() for n in range(judges)}


def answers(column) -> list:
    return [None if value is MISSING else value for value in column]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("question", ["label", "completeness", "uptake"])
@pytest.mark.parametrize("in_pairs", [False, True])
def test_kappas_are_those_of_scikit_learn(seed, question, in_pairs):
    values = labelled({"A": []}, question=question).values
    people, judges = some_raters(seed, values)
    together = [f"pair {place // 2}" for place in range(60)] if in_pairs else ()
    record = labelled(people, judges, question=question, together=together)
    columns, found = people | judges, pairs_of_raters(record)
    assert len(found) == 10
    for pair in found:
        both = [
            (one, two)
            for one, two in zip(answers(columns[pair.first]), answers(columns[pair.second]), strict=True)
            if one is not None and two is not None
        ]
        one, two = ([str(value) for value in side] for side in zip(*both, strict=True))
        labels = [str(value) for value in values]
        assert pair.found.items == len(both) == 60 - pair.found.left_out
        assert pair.found.kappa.value == pytest.approx(cohen_kappa_score(one, two, labels=labels))
        for name in ("linear", "quadratic"):
            weighted = getattr(pair.found, name)
            if record.is_ordered:
                expected = cohen_kappa_score(one, two, labels=labels, weights=name)
                assert weighted.value == pytest.approx(expected)
            else:
                assert weighted is None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("question", ["label", "completeness"])
def test_alphas_are_those_of_the_krippendorff_package(seed, question):
    values = labelled({"A": []}, question=question).values
    people, judges = some_raters(seed, values)
    record = labelled(people, judges, question=question)
    level = "ordinal" if record.is_ordered else "nominal"
    for group, columns in zip(groups_of_raters(record), (people | judges, people, judges), strict=True):
        data = [
            [np.nan if value is None else value for value in answers(column)] for column in columns.values()
        ]
        expected = krippendorff.alpha(
            reliability_data=data, value_domain=list(values), level_of_measurement=level
        )
        assert group.alpha.value == pytest.approx(expected)
        paired = sum(
            sum(value is not None for value in item) >= 2
            for item in zip(*map(answers, columns.values()), strict=True)
        )
        assert (group.alpha.denominator, group.left_out) == (paired, 60 - paired)
        agreement = group.agreement
        assert agreement.denominator == paired
        assert agreement.numerator / agreement.denominator == pytest.approx(agreement.value)


def test_an_interval_of_alpha_draws_whole_items():
    """The slow way: copy whole items, and ask the other package for each resample's alpha."""
    people, judges = some_raters(5, (0, 1), size=25)
    data = np.array([answers(column) for column in (people | judges).values()], dtype=float)
    draw = np.random.default_rng(1)
    slow = [
        krippendorff.alpha(data[:, draw.integers(25, size=25)], level_of_measurement="nominal")
        for _ in range(1500)
    ]
    interval = groups_of_raters(labelled(people, judges))[0].alpha.interval
    expected = np.quantile(slow, [0.025, 0.975])
    assert (interval.low, interval.high) == pytest.approx(expected, abs=0.03)


def test_people_with_people_judge_with_person_and_judges_are_told_apart():
    record = labelled({"A": [1], "B": [1]}, {"one": [0], "two": [1]})
    found = [(pair.kind, pair.first, pair.second) for pair in pairs_of_raters(record)]
    assert found == [
        (PEOPLE_PAIR, "A", "B"),
        (MIXED_PAIR, "one", "A"),
        (MIXED_PAIR, "one", "B"),
        (MIXED_PAIR, "two", "A"),
        (MIXED_PAIR, "two", "B"),
        (JUDGES_PAIR, "one", "two"),
    ]


answer = st.sampled_from([0, 1, None, MISSING])


@for_examples(
    columns=st.integers(0, 8).flatmap(
        lambda size: st.lists(st.lists(answer, min_size=size, max_size=size), min_size=2, max_size=4)
    )
)
def test_whatever_is_answered_tables_add_up_and_what_is_undefined_says_why(columns):
    people = {f"A{place}": column for place, column in enumerate(columns)}
    report = sample_report(labelled(people, {"judge": columns[0]}))
    assert_reasons(report)
    for pair in report["pairs"]:
        assert sum(map(sum, pair["table"])) == pair["items"] == pair["agreement"]["denominator"]
        assert pair["items"] + pair["left_out"] == report["counts"]["items"] == len(columns[0])
    judge_with_first = next(pair for pair in report["pairs"] if pair["second"] == "A0")
    assert judge_with_first["agreement"]["value"] in (1, None)


def test_undefined_kappas_say_why_in_the_words_of_the_question():
    people = {"A": [1, 1, MISSING], "B": [1, 1, MISSING], "C": [MISSING, None, 0]}
    first, *others = pairs_of_raters(labelled(people))
    assert first.found.kappa.undefined_reason == "both annotators used only Follows"
    assert [pair.found.kappa.undefined_reason for pair in others] == [
        "no unit was rated by both annotators"
    ] * 2


def test_a_constant_rater_has_a_kappa_of_0_without_an_interval():
    [pair] = pairs_of_raters(labelled({"A": [1, 1, 1, 1]}, {"judge": [1, 0, 1, 0]}))
    assert (pair.found.kappa.value, pair.found.kappa.interval) == (0, None)
    assert "not estimable" in pair.found.kappa.no_interval_reason


def test_an_answer_off_the_menu_is_refused():
    with pytest.raises(ValueError, match=r"A gave 0\.5 to item 2; expected one of"):
        pairs_of_raters(labelled({"A": [1, 0.5], "B": [1, 1]}))


def test_the_order_of_raters_and_items_changes_no_number():
    people, judges = some_raters(8, (0, 1))
    order = np.random.default_rng(2).permutation(60)
    shuffled = [
        {name: [column[place] for place in order] for name, column in reversed(raters.items())}
        for raters in (people, judges)
    ]
    one, two = (
        {frozenset((p.first, p.second)): (p.found.agreement, p.found.kappa) for p in pairs_of_raters(r)}
        for r in (labelled(people, judges), labelled(*shuffled))
    )
    assert len(one) == len(list(combinations(people | judges, 2)))
    assert one == two
