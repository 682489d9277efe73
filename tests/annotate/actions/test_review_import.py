"""Answers that come by a file: all or none, nothing twice, with their history and the orders shown."""

import json
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from annotate.actions.review_import import ReviewImport, import_reviews
from annotate.actions.reviews import close_review, create_review, end_reviewer
from annotate.exporters.reviews import ANSWER_COLUMNS, answer_rows, settled_rows
from annotate.exporters.tabular import write_rows
from annotate.importers.reviews import read_answers
from annotate.models import Judgement, Review, Sheet, SheetRevision
from annotate.problems import Problem
from annotate.review_reports import review_report
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.django_db
SITUATION_QUESTIONS = ("applicability", "validity", "naturalness")


@pytest.fixture
def review() -> Review:
    """Two pairs, two reviewers who have finished; one of them changed an answer and wrote comments."""
    review = make_review(make_pair_dataset(preferences=2, pairs=1))
    first, second = review.reviewers.all()
    pair = review.reviewed_pairs.first()
    answer(first, pair, "positive", {"applicability": "no"}, comment="=1+1, \"said\" she\n'quoted'")
    answer_all(first, {(1, "negative"): {"applicability": "uncertain"}})
    answer_all(second, {(0, ""): {("acceptability", "positive"): "none", "control": "no"}})
    return review


def empty_copy(review: Review, **changes) -> Review:
    """A review of the same sample with a label set for each pseudonym."""
    names = list(review.reviewers.values_list("pseudonym", flat=True))
    wanted = {"slug": "copy", "dataset": review.dataset, "label_sets": names, "seed": review.seed} | changes
    return create_review(**wanted)


def exported(review: Review) -> list[dict]:
    names = [name for name in ANSWER_COLUMNS if name != "review"]
    rows = (dict(zip(ANSWER_COLUMNS, row, strict=True)) for row in answer_rows(review))
    return [{name: row[name] for name in names} for row in rows]


def situations_first(rows: list[dict]) -> list[dict]:
    """Begin with the three questions about one situation."""
    return sorted(rows, key=lambda row: row["question"] not in SITUATION_QUESTIONS)


@pytest.fixture
def file_of(tmp_path) -> Callable:
    """Write rows as JSON lines, after a change of them."""

    def write(rows: list[dict], name: str = "answers.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    return write


def bring(review: Review, path, **options) -> ReviewImport:
    return import_reviews(review, read_answers(path), **options)


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_what_is_exported_comes_back_whole_with_history_orders_and_times(review, tmp_path, suffix):
    path = tmp_path / f"answers.{suffix}"
    assert write_rows(path, path.suffix, ANSWER_COLUMNS, answer_rows(review)) == 39
    copy = empty_copy(review)
    assert bring(copy, path) == ReviewImport(added=12)
    assert exported(copy) == exported(review)
    for each in (copy, review):
        close_review(each)
    assert [row[1:] for row in settled_rows(copy)] == [row[1:] for row in settled_rows(review)]
    one, two = review_report(review), review_report(copy)
    assert (one["agreement"], one["confirmation"]) == (two["agreement"], two["confirmation"])


def test_the_same_file_again_changes_nothing(review, file_of):
    path, copy = file_of(exported(review)), empty_copy(review)
    bring(copy, path)
    before = [list(kind.objects.order_by("pk").values()) for kind in (Sheet, SheetRevision, Judgement)]
    assert bring(copy, path) == ReviewImport(unchanged=12)
    assert bring(review, path) == ReviewImport(unchanged=12)
    after = [list(kind.objects.order_by("pk").values()) for kind in (Sheet, SheetRevision, Judgement)]
    assert before == after


def changed(rows: list[dict], **answers: str) -> list[dict]:
    """Change what A2 answered on the positive side of the first pair."""
    identifier = rows[0]["pair"]
    return [
        row | {"answer": answers.get(row["question"], row["answer"])}
        if (row["annotator"], row["pair"], row["side"]) == ("A2", identifier, "positive")
        else row
        for row in rows
    ]


def test_changes_are_refused_until_they_are_accepted_and_keep_the_earlier_answer(review, file_of):
    rows, copy = exported(review), empty_copy(review)
    bring(copy, file_of(rows))
    path = file_of(changed(rows, validity="no"), "changed.jsonl")
    with pytest.raises(Problem, match=r"found other answers than those saved for A2 on .*--accept-changes"):
        bring(copy, path)
    assert exported(copy) == rows
    assert bring(copy, path, accept_changes=True) == ReviewImport(changed=1, unchanged=11)
    kept = [
        row["answer"] for row in exported(copy) if row["annotator"] == "A2" and row["question"] == "validity"
    ]
    assert sorted(kept) == ["no", "yes", "yes", "yes", "yes"]
    assert bring(copy, path) == ReviewImport(unchanged=12)


def test_saves_that_the_file_adds_are_appended(review, file_of):
    old, copy = exported(review), empty_copy(review)
    bring(copy, file_of(old))
    first = review.reviewers.get(pseudonym="A2")
    for choice in ("no", "uncertain"):
        answer(first, review.reviewed_pairs.first(), "", {"control": choice})
    assert bring(copy, file_of(exported(review)), accept_changes=True) == ReviewImport(
        changed=1, unchanged=11
    )
    assert exported(copy) == exported(review)


def test_only_what_must_be_known_is_needed(review, file_of):
    needed = ("annotator", "pair", "side", "question", "answer")
    rows = [{name: row[name] for name in needed} for row in exported(review) if row["is_present"]]
    copy = empty_copy(review)
    start = datetime.now(UTC)
    assert bring(copy, file_of(rows)) == ReviewImport(added=12)
    assert set(Sheet.objects.filter(reviewer__review=copy).values_list("place", flat=True)) == {None}
    assert SheetRevision.objects.filter(sheet__reviewer__review=copy, saved_at__lt=start).count() == 0
    assert {name: row[name] for row in exported(copy)[:1] for name in needed} == rows[0]


def test_places_and_orders_of_a_reviewer_with_an_account_are_the_reviewers_own(review, file_of):
    users = [seat.user for seat in review.reviewers.all()]
    copy = create_review(slug="copy", dataset=review.dataset, users=users, seed=7)
    rows = [row | {"place": None, "shown": []} for row in exported(review)]
    bring(copy, file_of(rows))
    assert exported(copy) == exported(review)


def test_an_order_that_the_reviewer_did_not_have_is_refused(review, file_of):
    users = [seat.user for seat in review.reviewers.all()]
    copy = create_review(slug="copy", dataset=review.dataset, users=users, seed=7)
    rows = situations_first(exported(review))
    own, last = rows[0]["place"], rows[-1]["shown"]
    with pytest.raises(
        Problem, match=f"line 1, field place: found 99; expected {own}, where A1 has the page"
    ):
        bring(copy, file_of([rows[0] | {"place": 99}, *rows[1:]]))
    words = f"line 39, field shown: found {', '.join(last[::-1])}; expected {', '.join(last)}, as A2 saw it"
    with pytest.raises(Problem, match=words):
        bring(copy, file_of([*rows[:-1], rows[-1] | {"shown": last[::-1]}]))
    assert not Sheet.objects.filter(reviewer__review=copy).exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"annotator": "A9"}, r"line 2, field annotator: found 'A9'; expected one of review copy: A1, A2"),
        ({"pair": "M99-C1-s1"}, r"line 2, field pair: found 'M99-C1-s1'; expected one of review copy: M"),
        ({"answer": "perhaps"}, r"line 2, field answer: found 'perhaps'; expected one of yes, no, uncertain"),
        ({"question": "truth"}, r"line 2, field question: found 'truth'; expected one of applicability"),
        ({"question": "applicability"}, r"line 2, field question: found applicability again, as in .*line 1"),
        (
            {"version": 9},
            r"line 1: found a page of A1 on M\S+ without validity negative; expected all three questions",
        ),
        ({"side": ""}, r"line 2, field side: found ''; expected one of positive, negative"),
        ({"place": 0}, r"line 2, field place: found the number 0; expected a whole number from 1 on"),
        ({"place": 77}, r"line 2, field place: found 77; expected \d"),
        ({"shown": ["memory"]}, r"line 2, field shown: found 'memory'; expected an empty list"),
        ({"saved_at": "yesterday"}, r"line 2, field saved_at: found 'yesterday'; expected a time such as"),
        ({"saved_at": "2026-03-01T12:00:00"}, r"field saved_at: .*expected a time such as"),
        ({"saved_at": "9999-12-31T23:59:59-12:00"}, r"field saved_at: .*expected a time such as"),
        ({"saved_at": "2126-03-01T12:00:00+00:00"}, r"field saved_at: .*expected a time that has passed"),
        ({"is_present": "perhaps"}, r"line 2, field is_present: found 'perhaps'; expected true or false"),
        ({"is_present": False}, r"field is_present: found only answers that A1 changed later; expected"),
        ({"confidence": 3}, r"line 2, field 'confidence': found an unknown field"),
    ],
)
def test_one_bad_row_stops_the_import_before_anything_is_written(review, file_of, change, words):
    copy, rows = empty_copy(review), situations_first(exported(review))
    rows[1] = rows[1] | change
    with pytest.raises(Problem, match=words):
        bring(copy, file_of(rows))
    assert not Sheet.objects.filter(reviewer__review=copy).exists()


def test_a_page_without_all_its_questions_is_refused(review, file_of):
    rows = situations_first(exported(review))
    for rest, named in ((rows[1:], "applicability negative"), (rows[:-1], "acceptability negative")):
        with pytest.raises(Problem, match=rf"a page of A\d on M\S+ without {named}; expected all three"):
            bring(empty_copy(review, slug=named.replace(" ", "-")), file_of(rest))


def test_two_pages_at_one_place_are_refused(review, file_of):
    rows = [row | {"place": 1} for row in exported(review)]
    with pytest.raises(Problem, match="found the place '1 of A1', already given in"):
        bring(empty_copy(review), file_of(rows))


def test_a_place_at_which_another_page_is_saved_is_refused(review, file_of):
    copy, rows = empty_copy(review), exported(review)
    situations = [row for row in rows if row["question"] in SITUATION_QUESTIONS]
    bring(copy, file_of([row for row in situations if row["side"] == "positive"]))
    taken = next(row["place"] for row in situations if row["side"] == "positive" and row["annotator"] == "A1")
    late = [row | {"place": taken} for row in situations if row["side"] == "negative"][:3]
    with pytest.raises(Problem, match=f"field place: found {taken}; expected a place without another page"):
        bring(copy, file_of(late))


def test_no_pair_comes_before_every_situation(review, file_of):
    copy, rows = empty_copy(review), exported(review)
    missing = [row for row in rows if row["side"] == "positive" or row["question"] not in SITUATION_QUESTIONS]
    with pytest.raises(Problem, match="A1 would have 2 pairs of the second pass and 2 of 4 situations"):
        bring(copy, file_of(missing))
    assert not Sheet.objects.filter(reviewer__review=copy).exists()


def test_a_closed_review_and_an_ended_seat_take_nothing(review, file_of):
    copy, path = empty_copy(review), file_of(exported(review))
    end_reviewer(copy.reviewers.get(pseudonym="A2"))
    with pytest.raises(Problem, match="'A2', whose seat has ended; expected an active seat"):
        bring(copy, path)
    close_review(copy)
    with pytest.raises(Problem, match="Review copy is closed"):
        bring(copy, path)
    assert not Sheet.objects.filter(reviewer__review=copy).exists()


@pytest.mark.parametrize("name", ["answers.xlsx", "answers"])
def test_another_kind_of_file_is_refused_by_its_name(tmp_path, name):
    with pytest.raises(Problem, match=r"expected one of \.jsonl, \.csv, \.parquet"):
        read_answers(tmp_path / name)


def test_a_file_without_rows_is_refused(file_of):
    with pytest.raises(Problem, match="found no answers; expected one row an answer"):
        read_answers(file_of([]))
