"""Opening a review, and taking its answers out and in, from the terminal."""

import json
import re
from io import StringIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.actions.adjudicating import adjudicate
from annotate.actions.reviews import close_review, draw_pairs
from annotate.exporters.reviews import ANSWER_COLUMNS, SETTLED_COLUMNS
from annotate.importers.pairpref import parse_pairpref
from annotate.models import ContrastPair, Review, Sheet
from tests.annotate.factories import make_user
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_pair_dataset(preferences=3, pairs=4)


@pytest.fixture
def review() -> Review:
    """Two pairs that both have finished; A2 confirms only the first, and differs twice on the second."""
    review = make_review(make_pair_dataset(preferences=2, pairs=1))
    first, second = review.reviewers.all()
    confirmed = {(n, "negative"): {"applicability": "no"} for n in (0, 1)}
    answer_all(first, confirmed)
    answer_all(second, {(0, "negative"): {"applicability": "no"}, (1, ""): {"control": "no"}})
    return review


def run(*arguments) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def rows_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_preview_prints_the_sample_and_creates_nothing(dataset):
    wanted = ["create_review", "pairs-1", "--dataset", "pairs", "--sample", "7", "--seed", "12"]
    text = run(*wanted, "--preview")
    assert not Review.objects.exists()
    assert "Review pairs-1 would have 7 pairs: one of each of 3 preferences" in text
    drawn = draw_pairs(dataset, sample=7, stratum="category", seed=12)
    printed = re.findall(r"^  (\w+) +(\d+) +(\d+) +(\d+) +(\d+)$", text, re.MULTILINE)
    assert [(name, *map(int, numbers)) for name, *numbers in printed] == [
        (row.stratum, row.pairs, row.first, row.rest, row.drawn) for row in drawn.strata
    ]


def test_the_sample_opened_is_the_one_previewed_and_that_of_the_page(dataset):
    for name in ("ana", "ben"):
        make_user(name, "annotator")
    wanted = ["create_review", "pairs-1", "--dataset", "pairs", "--sample", "7", "--stratum", "domain"]
    seen = json.loads(run(*wanted, "--seed", "12", "--preview", "--format", "json"))
    made = json.loads(run(*wanted, "--seed", "12", "--annotators", "ana, ben", "--format", "json"))
    assert made == seen | {"is_created": True}
    review = Review.objects.get()
    page = draw_pairs(dataset, sample=7, stratum="domain", seed=12)
    assert list(review.reviewed_pairs.values_list("pair_id", flat=True)) == list(page.ids)
    assert set(review.reviewers.values_list("user__username", flat=True)) == {"ana", "ben"}


def test_a_drawn_seed_is_told_and_draws_the_same_again(dataset):
    report = json.loads(
        run("create_review", "one", "--dataset", "pairs", "--label-sets", "a,b", "--format", "json")
    )
    run("create_review", "two", "--dataset", "pairs", "--label-sets", "a,b", "--seed", report["seed"])
    one, two = (
        list(Review.objects.get(slug=slug).reviewed_pairs.values_list("pair_id", flat=True))
        for slug in ("one", "two")
    )
    assert (one, len(one)) == (two, 12)


def test_name_guideline_and_example_mark_are_kept(dataset, tmp_path):
    guideline = tmp_path / "guideline.md"
    guideline.write_text("Be *fair*.", encoding="utf-8")
    wanted = ["create_review", "pairs-1", "--dataset", "pairs", "--label-sets", "a,b", "--example"]
    run(*wanted, "--name", "Pairs, round 1", "--guideline", guideline)
    review = Review.objects.get()
    assert (review.name, review.guideline, review.is_example) == ("Pairs, round 1", "Be *fair*.", True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--label-sets", "a"], "needs two annotators or more; 1 are named"),
        (["--label-sets", "a,a"], "'a' is the name of another seat"),
        (["--annotators", "ana,nobody"], "no user 'nobody'; expected one of: ana"),
        (["--label-sets", "a,b", "--sample", "2"], "The sample is 2; expected at least 3"),
        (["--label-sets", "a,b", "--seed", "-1"], "The seed is -1"),
        (["--label-sets", "a,b", "--guideline", "/nowhere.md"], "Cannot read /nowhere.md"),
        (["--preview", "--sample", "99"], "at most the 12 pairs"),
    ],
)
def test_what_cannot_be_opened_ends_in_one_clear_line(dataset, arguments, words):
    make_user("ana", "annotator")
    with pytest.raises(CommandError, match=words):
        run("create_review", "pairs-1", "--dataset", "pairs", *arguments)
    assert not Review.objects.exists()


def test_unknown_names_are_answered_with_those_there_are(review, tmp_path):
    with pytest.raises(CommandError, match="no dataset 'pair'; expected one of: pairs"):
        run("create_review", "x", "--dataset", "pair", "--label-sets", "a,b")
    for command in ("export_reviews", "import_reviews"):
        with pytest.raises(CommandError, match="no review 'review-7'; expected one of: review-1"):
            run(command, "review-7", tmp_path / "answers.jsonl")


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_answers_go_out_and_come_back_in_every_form(review, tmp_path, suffix):
    path, again = tmp_path / f"answers.{suffix}", tmp_path / f"again.{suffix}"
    pair = review.reviewed_pairs.first()
    answer(
        review.reviewers.first(), pair, "", {"control": "uncertain"}, comment="Two things\ndiffer, “perhaps”."
    )
    assert f"Wrote 39 rows (answers) of review review-1 to {path}." in run("export_reviews", "review-1", path)
    run("create_review", "copy", "--dataset", "pairs", "--label-sets", "A1,A2", "--seed", review.seed)
    assert run("import_reviews", "copy", path) == (
        "Review copy: 12 pages added, 0 changed, 0 were there already.\n"
    )
    told = json.loads(run("import_reviews", "copy", path, "--format", "json"))
    assert told == {"added": 0, "changed": 0, "unchanged": 12}
    run("export_reviews", "copy", again)
    if suffix == "parquet":
        one, two = (pq.read_table(each).to_pylist() for each in (path, again))
        assert [row | {"review": "copy"} for row in one] == two
    else:
        assert path.read_text().replace("review-1", "copy") == again.read_text()


def test_changes_ask_before_they_are_saved(review, tmp_path):
    path = tmp_path / "answers.jsonl"
    run("export_reviews", "review-1", path)
    saved, changed = ('"question": "validity", "answer": "' + given for given in ("yes", "no"))
    path.write_text(path.read_text().replace(saved, changed, 1))
    with pytest.raises(CommandError, match=r"found other answers than those saved .* or --accept-changes"):
        run("import_reviews", "review-1", path)
    assert "0 pages added, 1 changed" in run("import_reviews", "review-1", path, "--accept-changes")
    assert Sheet.objects.filter(version=2).count() == 1


def test_every_answer_is_there_with_the_order_shown(review, tmp_path):
    path = tmp_path / "answers.jsonl"
    run("export_reviews", "review-1", path)
    rows = rows_of(path)
    assert list(rows[0]) == list(ANSWER_COLUMNS)
    shown = {row["question"]: sorted(row["shown"]) for row in rows}
    assert shown == {
        "applicability": [],
        "validity": [],
        "naturalness": [],
        "control": ["negative", "positive"],
        "acceptability": ["acknowledged", "memory", "off_task", "plain"],
    }
    for name in ("A1", "A2"):
        places = [row["place"] for row in rows if (row["annotator"], row["question"]) == (name, "validity")]
        assert sorted(places) == [1, 2, 3, 4]
    names = {seat.user.username for seat in review.reviewers.all()}
    assert not any(name in path.read_text() for name in names), "annotators appear as pseudonyms"


def test_the_settled_set_stands_beside_the_independent_answers(review, tmp_path):
    close_review(review)
    adjudicate(review.reviewed_pairs.get(number=1), "control", "", "uncertain", "Two things differ.")
    path = tmp_path / "settled.jsonl"
    told = json.loads(run("export_reviews", "review-1", path, "--what", "settled", "--format", "json"))
    rows = rows_of(path)
    assert (told["rows"], len(rows), list(rows[0])) == (18, 18, list(SETTLED_COLUMNS))
    by_kind = {
        kind: [row for row in rows if row["settled_by"] == kind] for kind in ("unanimous", "lead", None)
    }
    assert {kind: len(found) for kind, found in by_kind.items()} == {"unanimous": 16, "lead": 1, None: 1}
    [decided], [waiting] = by_kind["lead"], by_kind[None]
    assert (decided["answers"], decided["answer"]) == (["A1: yes", "A2: no"], "uncertain")
    assert decided["reason"] == "Two things differ."
    assert (waiting["question"], waiting["answers"], waiting["answer"]) == (
        "applicability",
        ["A1: no", "A2: yes"],
        None,
    )


def test_the_sets_of_pairs_can_be_imported_again(review, tmp_path):
    found = {}
    for what in ("reviewed", "confirmed"):
        path = tmp_path / f"{what}.jsonl"
        run("export_reviews", "review-1", path, "--what", what)
        with path.open("rb") as file:
            found[what] = [pair.id for pair in parse_pairpref(file, path.name).pairs]
    in_order = list(review.dataset.pairs.order_by("position").values_list("identifier", flat=True))
    assert found["reviewed"] == in_order
    assert found["confirmed"] == [review.reviewed_pairs.get(number=0).pair.identifier]
    run("import_corpus", "pairpref", tmp_path / "confirmed.jsonl", "--dataset", "kept")
    assert ContrastPair.objects.filter(dataset__slug="kept").count() == 1


def test_a_form_that_cannot_be_written_is_refused(review, tmp_path):
    with pytest.raises(CommandError, match=r"Cannot write a file that ends in '\.xlsx'"):
        run("export_reviews", "review-1", tmp_path / "answers.xlsx")
    assert list(tmp_path.iterdir()) == []
