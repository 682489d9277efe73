"""Contrast pairs in a dataset: stored whole, written as flat rows, and kept as a review judges them."""

import io
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, assume, given, settings

from annotate.actions.campaigns import create_campaign
from annotate.actions.corpus import UnacceptedChanges, import_corpus
from annotate.actions.reviews import create_review
from annotate.exporters.corpus import export_corpus, export_pairpref
from annotate.importers.corpus import CompanionRow, Corpus, PairRow, PreferenceRow, content_hash
from annotate.importers.pairpref import parse_pairpref
from annotate.models import Companion, ContrastPair, Dataset, Reply, Situation
from annotate.problems import Problem
from annotate.stored_corpus import stored_corpus
from tests.annotate.factories import make_user
from tests.annotate.importers.corpora import SMALL, corpora, json_lines, tact_file

pytestmark = pytest.mark.django_db


def preference(number: int) -> PreferenceRow:
    near, control = CompanionRow("near", f"Near {number}."), CompanionRow("control", "Sings.")
    return PreferenceRow(
        "", f"Wants {number}.", key=f"M{number:02}", domain="goods", companions=(near, control)
    )


def pair(number: int, of: int) -> PairRow:
    texts = (f"{name} {number}." for name in ("Request", "Empty", "Full", "Big", "Not big", "Small", "Torch"))
    return PairRow(f"M{of:02}-C6-s{number}", f"M{of:02}", "resource_constraint", "clean", 3, *texts)


def corpus_of(preferences: int, pairs: int) -> Corpus:
    """Make a corpus of so many preferences with so many pairs each."""
    rows = [pair(n * pairs + m, n) for n in range(preferences) for m in range(pairs)]
    return Corpus("Pairs", preferences=tuple(map(preference, range(preferences))), pairs=tuple(rows))


PAIRS = corpus_of(2, 2)
FIRST, SECOND, THIRD, FOURTH = PAIRS.pairs


def bring(corpus: Corpus, **options):
    return import_corpus(corpus, slug="pairs", file_name="p.jsonl", file_hash="f" * 64, **options)


def under_review():
    """Review the first pair of each of the two preferences."""
    people = [make_user(name, "annotator") for name in ("ana", "ben")]
    return create_review(
        slug="review-1", dataset=Dataset.objects.get(), users=people, sample=2, stratum="category", seed=1
    )


def run(*arguments) -> str:
    out = io.StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


# What is stored.


def test_pairs_are_stored_with_situations_replies_and_companions():
    done = bring(PAIRS)
    assert stored_corpus(done.dataset) == PAIRS
    assert done.dataset.content_hash == content_hash(PAIRS)
    assert (done.changes.counts()) == {"preference": {"added": 2}, "pair": {"added": 4}}
    assert (Situation.objects.count(), Reply.objects.count(), Companion.objects.count()) == (8, 16, 4)
    assert bring(PAIRS).outcome == "unchanged"


def test_a_changed_pair_asks_and_keeps_its_row():
    bring(PAIRS)
    number = ContrastPair.objects.get(identifier=FIRST.id).pk
    other = replace(PAIRS, pairs=(SECOND, replace(FIRST, positive="Empty at last.", distance=6), THIRD))
    with pytest.raises(UnacceptedChanges) as asked:
        bring(other)
    assert asked.value.changes.lines() == [
        f"- pair {FOURTH.id}",
        f"~ pair {FIRST.id}: distance, positive",
        "~ 2 pair rows stand in another order",
    ]
    done = bring(other, accept_changes=True)
    assert stored_corpus(done.dataset) == other
    assert ContrastPair.objects.get(identifier=FIRST.id).pk == number


def test_changed_companions_domain_and_key_are_said_in_words():
    bring(PAIRS)
    one, two = PAIRS.preferences
    other = replace(one, domain="food", companions=one.companions[:1])
    with pytest.raises(UnacceptedChanges) as asked:
        bring(replace(PAIRS, preferences=(other, two)))
    assert asked.value.changes.lines() == ["~ preference Wants 0.: domain goods -> food; companions +0 -1"]


def test_two_preferences_can_change_keys():
    bring(PAIRS)
    one, two = PAIRS.preferences
    other = replace(PAIRS, preferences=(replace(one, key=two.key), replace(two, key=one.key)))
    assert stored_corpus(bring(other, accept_changes=True).dataset) == other


# What reviews rest on.


def without(row: PairRow) -> Iterator[PairRow]:
    return (each for each in PAIRS.pairs if each != row)


def test_a_pair_under_review_is_neither_changed_nor_removed():
    bring(PAIRS)
    review = under_review()
    [judged] = [row for row in PAIRS.pairs[:2] if review.reviewed_pairs.filter(pair__identifier=row.id)]
    changed = replace(judged, plain="Other advice.")
    removed = replace(PAIRS, pairs=tuple(without(judged)))
    with pytest.raises(Problem, match=rf"pair '{judged.id}' \(1 reviewed pair\).*another dataset name"):
        bring(removed, accept_changes=True)
    with pytest.raises(Problem, match=rf"pair '{judged.id}' \(changed, under review review-1\)"):
        bring(replace(removed, pairs=(changed, *removed.pairs)), accept_changes=True)
    assert stored_corpus(Dataset.objects.get()) == PAIRS


@pytest.mark.parametrize("swapped", [False, True])
def test_a_pair_under_review_keeps_the_text_of_its_preference(swapped):
    bring(PAIRS)
    under_review()
    one, two = PAIRS.preferences
    text = two.text if swapped else "Wants nothing."
    others = (replace(one, text=text), replace(two, text=one.text) if swapped else two)
    with pytest.raises(Problem, match=r"\(changed, under review review-1\)"):
        bring(replace(PAIRS, preferences=others), accept_changes=True)
    assert stored_corpus(Dataset.objects.get()) == PAIRS


@pytest.mark.parametrize("change", [{"domain": "film"}, {"companions": ()}])
def test_what_a_reviewed_set_is_exported_with_does_not_change(change):
    bring(PAIRS)
    under_review()
    others = tuple(replace(row, **change) for row in PAIRS.preferences)
    with pytest.raises(Problem, match=r"\(changed, under review review-1\)"):
        bring(replace(PAIRS, preferences=others), accept_changes=True)
    renamed = replace(PAIRS, preferences=tuple(replace(row, category="taste") for row in PAIRS.preferences))
    assert stored_corpus(bring(renamed, accept_changes=True).dataset) == renamed


def test_pairs_without_a_review_change_beside_those_that_have_one():
    bring(PAIRS)
    review = under_review()
    judged = set(review.reviewed_pairs.values_list("pair__identifier", flat=True))
    rows = [row if row.id in judged else replace(row, request="Another?") for row in PAIRS.pairs]
    other = replace(PAIRS, pairs=tuple(rows))
    assert stored_corpus(bring(other, accept_changes=True).dataset) == other


def test_a_dataset_of_pairs_alone_is_reviewed_not_labelled():
    bring(PAIRS)
    with pytest.raises(Problem, match="It has contrast pairs: open a review instead"):
        create_campaign(slug="c", dataset=Dataset.objects.get(), users=[make_user("ana", "annotator")])


# The flat rows.


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpora())
def test_flat_rows_bring_every_pair_back(corpus):
    """A row says neither category nor nickname of a preference, and a preference without a pair has none."""
    assume(corpus.pairs)
    dataset = import_corpus(corpus, slug="any", file_name="a", file_hash="f" * 64).dataset
    file = io.BytesIO()
    assert export_pairpref(dataset, file) == len(corpus.pairs)
    file.seek(0)
    found = parse_pairpref(file, "any.jsonl")
    by_key = {row.key: replace(row, category="", nickname="") for row in corpus.preferences}
    assert found.pairs == corpus.pairs
    assert found.preferences == tuple(
        by_key[key] for key in dict.fromkeys(row.preference for row in corpus.pairs)
    )
    dataset.delete()


def test_commands_write_flat_rows_and_read_them_back(tmp_path):
    bring(PAIRS)
    path = tmp_path / "rows.jsonl"
    assert "Wrote 4 lines" in run("export_corpus", "pairs", path, "--form", "pairpref")
    assert json.loads(path.read_text().splitlines()[0])["id"] == FIRST.id
    assert "2 preferences, 0 contexts and 4 contrast pairs" in run(
        "import_corpus", "pairpref", path, "--dataset", "again"
    )
    again = stored_corpus(Dataset.objects.get(slug="again"))
    assert (again.preferences, again.pairs) == (PAIRS.preferences, PAIRS.pairs)
    assert "nothing changed" in run("import_corpus", "pairpref", path, "--dataset", "again")


def test_commands_take_a_field_map_and_companions(tmp_path):
    texts = {
        name: getattr(FIRST, name) for name in ("request", "memory", "acknowledged", "plain", "off_task")
    }
    row = {
        **texts,
        "id": FIRST.id,
        "M": "Wants 0.",
        "category": FIRST.category,
        "tier": "clean",
        "distance": 3,
    }
    rows, companions, fields = (tmp_path / name for name in ("rows", "companions", "map"))
    rows.write_bytes(json_lines({**row, "C": [FIRST.positive, FIRST.negative]}).getvalue())
    added = {"preference_key": "M00", "domain": "goods"}
    kinds = {"near": ["Near 0."], "control": ["Sings."]}
    companions.write_bytes(json_lines({**added, "companions": kinds}).getvalue())
    fields.write_text('{"preference": "M", "positive": "C[0]", "negative": "C[1]"}')
    with pytest.raises(CommandError, match=r"rows, line 1, field '.': found an unknown field"):
        run("import_corpus", "pairpref", rows, "--dataset", "pairs")
    run(
        "import_corpus",
        "pairpref",
        rows,
        "--dataset",
        "pairs",
        "--field-map",
        fields,
        "--preferences",
        companions,
    )
    stored = stored_corpus(Dataset.objects.get())
    assert (stored.preferences, stored.pairs) == (PAIRS.preferences[:1], (FIRST,))


def test_other_formats_take_no_field_map_and_other_datasets_give_no_rows(tmp_path):
    (tmp_path / "small.jsonl").write_bytes(tact_file(SMALL).getvalue())
    (tmp_path / "map").write_text("{}")
    with pytest.raises(CommandError, match="A field map is for the format pairpref"):
        run(
            "import_corpus",
            "tact",
            tmp_path / "small.jsonl",
            "--dataset",
            "s",
            "--field-map",
            tmp_path / "map",
        )
    run("import_corpus", "tact", tmp_path / "small.jsonl", "--dataset", "small")
    with pytest.raises(CommandError, match="has no contrast pairs"):
        run("export_corpus", "small", tmp_path / "rows", "--form", "pairpref")
    assert not (tmp_path / "rows").exists()


def test_more_pairs_take_no_more_queries():
    def queries(corpus, slug):
        with CaptureQueriesContext(connection) as captured:
            dataset = import_corpus(corpus, slug=slug, file_name="p", file_hash="f" * 64).dataset
            export_corpus(dataset, io.BytesIO())
            export_pairpref(dataset, io.BytesIO())
        return len(captured)

    assert queries(corpus_of(20, 10), "many") == queries(corpus_of(2, 2), "few")
