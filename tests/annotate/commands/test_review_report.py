"""The report of a review in the terminal."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.models import Review
from annotate.review_reports import review_report
from tests.annotate.review_factories import answer_all, make_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def review() -> Review:
    review = make_review()
    for seat in review.reviewers.all():
        answer_all(seat, {(0, "negative"): {"applicability": "no"}})
    return review


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("review_report", *arguments, stdout=out)
    return out.getvalue()


def test_text_is_what_one_gets_unasked(review):
    assert run("review-1") == run("review-1", "--format", "text")
    assert "Agreement of A1 and A2" in run("review-1")


def test_json_is_the_report(review):
    assert json.loads(run("review-1", "--format", "json")) == json.loads(json.dumps(review_report(review)))


def test_csv_has_a_row_for_each_number(review):
    rows = list(csv.DictReader(StringIO(run("review-1", "--format", "csv"))))
    assert {row["table"] for row in rows} >= {"agreement", "confirmation"}


def test_latex_has_both_tables(review):
    assert run("review-1", "--format", "latex").count(r"\begin{tabular}") == 2


def test_a_review_that_is_not_there_is_named_with_those_that_are(review):
    with pytest.raises(CommandError, match="There is no review 'other'; expected one of: review-1"):
        run("other")
