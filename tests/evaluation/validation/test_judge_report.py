"""The report of a sample through its command: table 4 of the paper, and each of the formats."""

import csv
import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotate.actions.validation import end_rater
from evaluation.actions import draw_validation
from evaluation.validation_reports import validation_report
from tests.evaluation.validation.drawn import judged_alone, letters_run, pairs_run, say
from tests.evaluation.validation.table_four import EXACT, PAPER, ROUNDED, make_table_four

pytestmark = pytest.mark.django_db


def printed(*args: str) -> str:
    out = StringIO()
    call_command("judge_report", *args, stdout=out)
    return out.getvalue()


def report_of(drawn) -> dict:
    return json.loads(printed(drawn.sample.slug, "--format=json"))


def agreements(report) -> dict:
    """Return (agreeing, both answered) of each two raters of the paper, in its order."""
    found = {frozenset((pair["first"], pair["second"])): pair["agreement"] for pair in report["pairs"]}
    one, two, person = PAPER
    cells = [found[frozenset(both)] for both in ((one, two), (one, person), (two, person))]
    return [(cell["numerator"], cell["denominator"], round(100 * cell["value"])) for cell in cells]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (ROUNDED, [(95, 100, 95), (91, 99, 92), (89, 99, 90)]),
        (EXACT, [(76, 80, 95), (92, 100, 92), (72, 80, 90)]),
    ],
)
def test_table_4_of_the_paper_from_its_labels(said, expected):
    report = report_of(make_table_four(said))
    assert report["counts"]["items"] == 100
    assert [(row["name"], row["drawn"]) for row in report["strata"]] == [("apply", 50), ("suppress", 50)]
    assert agreements(report) == expected


def test_text_has_table_4_with_intervals_and_the_papers_values_last_and_apart():
    text = printed(make_table_four().sample.slug)
    # Wilson's interval of 95 of 100, as statistics packages have it.
    between = re.escape("95 of 100  [88.82 to 97.85]")
    assert re.search(rf"judge with judge DeepSeek-R1 and GPT-5-mini\n +Agreement % +95\.00  {between}", text)
    assert re.search(r"judge with person DeepSeek-R1 and C\n +Agreement % +91\.92  91 of 99  \[", text)
    assert re.search(r"judge with person GPT-5-mini and C\n +Agreement % +89\.90  89 of 99  \[", text)
    ours, published = text.split("For comparison only, not measured here:")
    assert "Values that the paper reports" not in ours
    assert re.findall(
        r"(DeepSeek-R1|GPT-5-mini) and (GPT-5-mini|a person)\n +Agreement % +(\d+)\n?", published
    ) == [
        ("DeepSeek-R1", "GPT-5-mini", "95"),
        ("DeepSeek-R1", "a person", "92"),
        ("GPT-5-mini", "a person", "90"),
    ]
    assert "table 4" in published
    assert "One person: no baseline." in ours
    assert "Labelling is open" in ours


@pytest.fixture
def drawn():
    """Six judgements of a run, four of them by its judge; two people answer, C the first three."""
    drawn = draw_validation(letters_run(), size=6, label_sets=["C", "D"], name="Round 1")
    for number, value in ((1, 1), (2, 0), (3, None)):
        say(drawn, "C", number, value, "=1+1" if number == 2 else "")
        say(drawn, "D", number, 1)
    return drawn


def rows_of(drawn) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(printed(drawn.sample.slug, "--format=csv"))))


def test_json_is_the_report_itself(drawn):
    assert report_of(drawn) == json.loads(json.dumps(validation_report(drawn), allow_nan=False))


def test_csv_has_a_row_a_number_with_its_counts(drawn):
    rows = {(row["section"], row["part"], row["name"], row["metric"]): row for row in rows_of(drawn)}
    people = rows["pairs", "person with person", "C and D", "agreement"]
    assert (people["numerator"], people["denominator"], people["value"]) == ("1", "2", "0.5")
    assert 0 < float(people["interval_low"]) < 0.5 < float(people["interval_high"]) < 1
    assert rows["counts", "people", "people are divided", "items"]["value"] == "1"
    undefined = rows["pairs", "judge with judge", "judge and exact match", "kappa"]
    assert (undefined["value"], undefined["undefined_reason"]) == ("", "no unit was rated by both annotators")
    assert all(row["value"] or row["undefined_reason"] or row["words"] for row in rows.values())


def test_files_hold_what_to_read_again_as_text_that_is_no_formula(drawn):
    rows = {
        row["metric"]: row["words"]
        for row in rows_of(drawn)
        if row["section"] == "disagreements" and row["name"] == "2"
    }
    assert rows["reference"] == "divided"
    assert rows["said"].startswith("C: Does not follow; D: Follows; ")
    assert rows["comments"] == "C: =1+1"
    assert rows["message"].startswith("Dear all, this is message")


def test_latex_is_a_table_for_each_but_the_texts(drawn):
    latex = printed(drawn.sample.slug, "--format=latex")
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") > 6
    assert r"50.00 [" in latex
    assert "Dear all" not in latex
    assert not re.search(r"(?<!\\)[%#$]", latex)
    for table in latex.split("\n\n"):
        columns = re.search(r"\\begin{tabular}{(\w+)}", table)[1]
        rows = [line for line in table.splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(columns)}


def test_text_names_who_answered_and_what_to_read_again(drawn):
    further = judged_alone(drawn, {2: "0"})
    text = printed(drawn.sample.slug)
    assert f"Validation sample {drawn.sample.slug} of run {drawn.run_id}: Round 1, target label, open" in text
    assert "judge of the run: judge (model-of-judge)" in text
    assert f"judge of the sample: further (run {further.pk}) (model-of-further)" in text
    assert "exact match: exact match" in text
    assert re.search(r"item 2\n( .*\n)+ +People say +divided\n", text)
    assert "C: =1+1" in text


def test_a_seat_that_has_ended_is_in_no_table(drawn):
    end_rater(drawn.sample.raters.get(pseudonym="D"))
    report = report_of(drawn)
    assert [rater["name"] for rater in report["raters"] if rater["kind"] == "person"] == ["C"]
    assert report["people"] == []
    assert "D" not in printed(drawn.sample.slug).split()


def test_a_scale_has_weighted_kappas_and_both_sides_of_a_pair_move_together():
    drawn = draw_validation(pairs_run(), target="uptake", size=12, label_sets=["C"])
    for number, part in drawn.units.values_list("item__number", "part"):
        say(drawn, "C", number, 1 if part == "positive" else 0.5 if number < 4 else 0)
    report = report_of(drawn)
    [pair] = report["pairs"]
    assert "resamples of 6 pairs" in pair["kappa"]["interval"]["method"]
    assert pair["kappa"]["value"] < pair["linear"]["value"] < pair["quadratic"]["value"] <= 1
    parts = report["judges"][0]["by_part"]
    assert {name: part["items"] for name, part in parts.items()} == {"positive": 6, "negative": 6}
    text = printed(drawn.sample.slug)
    assert "Kappa, quadratic weights" in text
    assert "Intervals draw both sides of a pair together." in text
    assert "paper reports" not in text


def test_a_sample_that_there_is_not_is_a_clear_error(drawn):
    with pytest.raises(
        CommandError, match=f"There is no validation sample 'x'; expected one of: {drawn.sample.slug}"
    ):
        printed("x")
