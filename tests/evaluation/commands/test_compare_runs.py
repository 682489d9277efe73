"""The command that lays two runs beside each other, in each of its forms."""

import csv
import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.comparisons import compare_runs
from tests.evaluation.compared_runs import make_other_release, make_two_runs
from tests.evaluation.factories import finish_run, make_endpoint, make_run

pytestmark = pytest.mark.django_db


def said(*args):
    out = StringIO()
    call_command("compare_runs", *map(str, args), stdout=out)
    return out.getvalue()


def test_text_says_both_sides_the_difference_and_the_test():
    first, second = make_two_runs()
    text = said(first.pk, second.pk)
    assert f"Run {first.pk} (model-of-subject) against run {second.pk} (model-of-other) on letters" in text
    assert re.search(r"MR\n +First +50\.00  2 of 4", text)
    assert re.search(r"Second - first, points +-25\.00  \[", text)
    assert re.search(r"McNemar, exact p +1\.0000", text)
    assert "This table holds 2 tests" in text


def test_json_is_the_comparison_itself():
    runs = make_two_runs()
    told = json.loads(said(*(run.pk for run in runs), "--format=json"))
    assert told == json.loads(json.dumps(compare_runs(*runs), default=str))


def test_csv_has_a_row_a_number():
    first, second = make_two_runs()
    rows = list(csv.DictReader(StringIO(said(first.pk, second.pk, "--format=csv"))))
    whole = {(row["name"], row["metric"]): row for row in rows if row["section"] == "comparisons"}
    assert whole["MR", "difference"]["value"] == "-0.25"
    assert whole["AAR", "b"]["value"] == "1"
    parts = {(row["name"], row["metric"]): row for row in rows if row["section"] == "comparison_parts"}
    assert parts["tone", "mr_difference"]["value"] == "-1.0"
    assert {row["condition"] for row in rows} == {"default", ""}


def test_latex_is_a_table_for_each():
    first, second = make_two_runs()
    latex = said(first.pk, second.pk, "--format=latex")
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 4
    assert "-25.00" in latex


def test_arms_are_chosen_by_name_within_one_run_too():
    run = finish_run(make_run(conditions=("default", "mitigation")))
    text = said(run.pk, "last", "--arm", "default=mitigation", "--arm=mitigation")
    assert f"Run {run.pk}, default, against run {run.pk}, mitigation" in text
    assert f"Run {run.pk}, mitigation, against run {run.pk}, mitigation" in text


def test_an_arm_that_there_is_not_is_said_with_those_that_are():
    first, second = make_two_runs()
    with pytest.raises(CommandError, match="has no arm 'x' to compare; expected one of default"):
        said(first.pk, second.pk, "--arm=default=x")


def test_other_gold_is_refused_in_words():
    first, _ = make_two_runs()
    other = make_run(make_other_release(first.release), endpoint=make_endpoint("third"), judges=[])
    with pytest.raises(CommandError, match="a comparison needs the same gold"):
        said(first.pk, other.pk)


def test_a_run_that_there_is_not_is_a_clear_error():
    first, _ = make_two_runs()
    with pytest.raises(CommandError, match="There is no run '77'"):
        said(first.pk, 77)
