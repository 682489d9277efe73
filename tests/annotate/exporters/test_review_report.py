"""A review's report as rows, as text and as LaTeX."""

import csv
import io
import re

import pytest

from annotate.exporters.review_report import COLUMNS, MEASURES, report_latex, report_rows, report_text
from annotate.exporters.tabular import encode_rows
from annotate.models import Preference, Review
from annotate.review_reports import review_report
from tests.annotate.review_factories import answer_all, make_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def review() -> Review:
    """Six finished pairs; both confirm the direction of the first, and differ on one reply of the second."""
    review = make_review()
    first, second = review.reviewers.all()
    answer_all(first, {(0, "negative"): {"applicability": "no"}})
    answer_all(
        second,
        {
            (0, "negative"): {"applicability": "no"},
            (1, ""): {("acceptability", "positive"): "memory+off_task"},
        },
    )
    return review


@pytest.fixture
def report(review) -> dict:
    return review_report(review)


def table_of(report: dict) -> list[dict[str, str]]:
    return list(
        csv.DictReader(io.StringIO(b"".join(encode_rows(".csv", COLUMNS, report_rows(report))).decode()))
    )


def test_every_rate_has_a_row_with_its_counts_and_interval(report):
    rows = {(row["table"], row["row"], row["measure"]): row for row in table_of(report)}
    original = rows["confirmation", "original", "rate"]
    assert (original["numerator"], original["denominator"], original["interval_method"]) == (
        "1",
        "6",
        "Wilson",
    )
    replies = rows["agreement", "acceptability", "agreement"]
    assert (replies["numerator"], replies["denominator"]) == ("47", "48")
    assert float(replies["interval_low"]) < float(replies["value"]) == pytest.approx(47 / 48)
    assert rows["agreement", "acceptability", "jaccard"]["denominator"] == "12"
    assert set(MEASURES) <= {measure for table, _, measure in rows if table == "agreement"}


def test_an_undefined_value_is_an_empty_cell_with_its_reason_and_explanation(report):
    row = next(row for row in table_of(report) if row["row"] == "validity" and row["measure"] == "kappa")
    assert (row["value"], row["interval_low"]) == ("", "")
    assert row["undefined_reason"] == "both annotators used only yes"
    assert row["explanation"].startswith("Answers other than yes: 0 and 0 of 12.")


def test_the_margins_of_each_annotator_are_rows(report):
    used = {
        (row["annotators"], row["measure"]): row["numerator"]
        for row in table_of(report)
        if row["row"] == "applicability" and row["measure"].startswith("answered")
    }
    assert used == {
        (who, f"answered {answer}"): times
        for who in ("A1", "A2")
        for answer, times in (("yes", "11"), ("no", "1"), ("uncertain", "0"))
    }


def test_disagreements_are_rows_by_category_and_by_preference(report):
    rows = [row for row in table_of(report) if row["table"].startswith("disagreements")]
    assert {row["table"] for row in rows} == {"disagreements by category", "disagreements by preference"}
    differ = [float(row["numerator"]) for row in rows if row["measure"] == "acceptability"]
    assert sum(differ) == 2  # the one situation, once in each


def test_a_name_that_looks_like_a_formula_is_neutralised(review):
    Preference.objects.filter(key="M01").update(key="=cmd()")
    names = {row["row"] for row in table_of(review_report(review))}
    assert "'=cmd()" in names
    assert "=cmd()" not in names


def test_the_text_says_all_that_the_tables_say(report):
    text = report_text(report)
    assert "Cohen's kappa: undefined, both annotators used only yes" in text
    assert "both sides match the original direction: 16.7 % (1 of 6); 95 % interval" in text
    assert "agreement: 97.92 % (47 of 48); 95 % interval" in text
    assert "the first one's answers: 11 yes, 1 no, 0 uncertain" in text
    assert "before anything was settled" in text
    assert "no interval: none" not in text


def test_the_text_says_where_there_is_nothing_to_compare(review):
    review.reviewers.filter(pseudonym="A2").update(is_active=False)
    text = report_text(review_report(review))
    assert "Agreement needs two annotators or more." in text
    assert "two annotators or more have all judged whole" in text


def test_latex_tables_are_whole_and_escaped(review):
    review.reviewers.filter(pseudonym="A1").update(pseudonym=r"a_1 & 100%\#{$}~^")
    latex = report_latex(review_report(review))
    begun, ended = (re.findall(rf"\\{word}{{(\w+)}}", latex) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended) == ["table", "table", "tabular", "tabular"]
    name = r"a\_1 \& 100\%\textbackslash{}\#\{\$\}\textasciitilde{}\textasciicircum{}"
    assert latex.count(name) == 2
    assert (
        r"continued preference validity & 12 & 100.00 & 100.0 to 100.0 \% & -- & -- & 1.000 & 100.0 & -- & "
        r"1.000 \\" in latex
    )
    assert r"both sides match the original direction & 1 of 6 & 16.7 &" in latex
    assert "every resample gave the same value, which is not certainty" in latex
    assert not re.search(r"(?<!\\)[%#$]", latex)


def test_every_row_of_a_latex_table_has_the_cells_of_its_head(report):
    for table in report_latex(report).split("\n\n"):
        columns = re.search(r"\\begin{tabular}{(\w+)}", table)[1]
        rows = [line for line in table.splitlines() if line.endswith(r"\\")]
        assert len(rows) in (6, 8)
        assert {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(columns)}


@pytest.mark.parametrize("write", [report_text, report_latex])
def test_an_example_says_so_in_each_form(review, write):
    review.is_example = True
    report = review_report(review)
    assert report["notice"]
    assert report["notice"] in write(report)
