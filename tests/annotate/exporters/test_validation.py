"""The files of a validation sample: blind items to be labelled elsewhere, and answers with their history."""

import csv
import io
import json
from datetime import datetime
from uuid import uuid4

import pyarrow.parquet as pq
import pytest

from annotate.actions.validating import save_validation_label
from annotate.actions.validation import end_rater
from annotate.allocation import RandomOrder
from annotate.exporters.validation import file_of
from annotate.models import ValidationSample
from annotate.problems import Problem
from annotate.validation import QUESTIONS
from tests.annotate.factories import make_user
from tests.annotate.validation_samples import encoded, exported, make_sample

pytestmark = pytest.mark.django_db
MESSAGES = ["=1+1", "Dear “Sir”,\nno.", "Ahoy!", "日本語", "'=2"]


@pytest.fixture
def sample() -> ValidationSample:
    """Ana changed her first answer; Ben answered once, and his seat has ended."""
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    sample = make_sample(messages=MESSAGES, users=users, label_sets=[])
    ana, ben = (sample.raters.get(user=user) for user in users)
    first, second, *_ = sample.items.all()
    for rater, item, value, comment, version in [
        (ana, second, 0, "", 0),
        (ana, first, 1, "Sure.", 0),
        (ana, first, None, "=HYPERLINK(1)", 1),
        (ben, second, 1, "", 0),
    ]:
        save_validation_label(
            rater, item, value, comment=comment, version=version, token=uuid4(), saved_by=rater.user
        )
    end_rater(ben)
    return sample


def test_items_hold_what_people_see_in_the_order_of_the_numbers(sample):
    assert exported(sample, "items") == [
        {
            "sample": "sample-1",
            "item": number,
            "preference": f"preference {number}",
            "message": message,
            "annotator": "",
            "value": None,
            "comment": "",
        }
        for number, message in enumerate(MESSAGES, start=1)
    ]


@pytest.mark.parametrize("question", list(QUESTIONS))
def test_items_of_every_question_have_its_texts_and_no_other(question):
    [row] = exported(make_sample(question, ["Hello."]), "items")
    assert list(row) == ["sample", "item", *QUESTIONS[question].texts, "annotator", "value", "comment"]


def test_the_file_of_items_stays_the_same_whatever_people_answer(sample):
    untouched = make_sample(messages=MESSAGES, label_sets=["C"], slug="untouched")
    for suffix in (".jsonl", ".csv"):
        of_others = encoded(untouched, "items", suffix).replace(b"untouched", b"sample-1")
        assert encoded(sample, "items", suffix) == of_others


def test_every_answer_is_there_with_its_words_and_what_it_was_before(sample):
    ana, ben = sample.raters.order_by("user__username")
    rows = exported(sample, "labels")
    names = ("annotator", "item", "value", "words", "comment", "version", "is_present")
    own = [tuple(row[name] for name in names) for row in rows if row["annotator"] == ana.pseudonym]
    assert own == [
        (ana.pseudonym, 1, 1.0, "Follows", "Sure.", 1, False),
        (ana.pseudonym, 1, None, "Cannot tell", "=HYPERLINK(1)", 2, True),
        (ana.pseudonym, 2, 0.0, "Does not follow", "", 1, True),
    ]
    others = [tuple(row[name] for name in names) for row in rows if row["annotator"] != ana.pseudonym]
    assert others == [(ben.pseudonym, 2, 1.0, "Follows", "", 1, True)]
    assert [row["annotator"] for row in rows] == sorted(row["annotator"] for row in rows)
    assert {(row["sample"], row["origin"], row["question"]) for row in rows} == {
        ("sample-1", "annotators of the sample", "label")
    }
    times = [datetime.fromisoformat(row["saved_at"]) for row in rows]
    assert all(time.tzinfo for time in times)
    assert b"ben" not in encoded(sample, "labels", ".jsonl"), "annotators appear as pseudonyms"


def test_places_are_those_of_the_own_order_also_once_the_account_is_gone(sample):
    seeds = dict(sample.raters.values_list("pseudonym", "seed"))
    before = exported(sample, "labels")
    for row in before:
        assert RandomOrder(seeds[row["annotator"]], 5).number_at(row["place"] - 1) == row["item"] - 1
    for rater in sample.raters.all():
        rater.user.delete()
    assert exported(sample, "labels") == before


def test_example_labels_say_so():
    sample = make_sample(is_example=True)
    item, rater = sample.items.first(), sample.raters.first()
    save_validation_label(rater, item, 1, version=0, token=uuid4())
    [row] = exported(sample, "labels")
    assert row["origin"] == "example labels that no recruited person gave"


@pytest.mark.parametrize("what", ["items", "labels"])
def test_every_form_holds_the_same_rows(sample, what):
    rows = exported(sample, what)
    lines = [json.loads(line) for line in encoded(sample, what, ".jsonl").decode().splitlines()]
    table = pq.read_table(io.BytesIO(encoded(sample, what, ".parquet"))).to_pylist()
    assert lines == table == rows


def test_a_spreadsheet_runs_no_text_as_a_formula(sample):
    items, labels = (
        list(csv.DictReader(io.StringIO(encoded(sample, what, ".csv").decode(), newline="")))
        for what in ("items", "labels")
    )
    assert [row["message"] for row in items] == ["'=1+1", *MESSAGES[1:4], "''=2"]
    assert {row["value"] for row in items} == {""}
    assert "'=HYPERLINK(1)" in {row["comment"] for row in labels}


def test_rows_are_read_as_they_are_asked_for(django_assert_num_queries, sample):
    with django_assert_num_queries(0):
        _, rows = file_of(sample, "labels")
    with django_assert_num_queries(3):
        next(rows)


def test_another_file_is_answered_with_those_there_are(sample):
    with pytest.raises(Problem, match="The file 'verdicts' is unknown; expected one of items, labels"):
        file_of(sample, "verdicts")
