"""How far each rater of a validation sample is, as a lead sees it."""

from uuid import uuid4

import pytest

from annotate.actions.validating import save_validation_label
from annotate.actions.validation import end_rater
from annotate.validation_work import progress, progress_of
from tests.annotate.factories import make_user
from tests.annotate.validation_samples import make_sample

pytestmark = pytest.mark.django_db


def label(sample, pseudonym, *values):
    """Let a rater answer the first items."""
    rater = sample.raters.get(pseudonym=pseudonym)
    for item, value in zip(sample.items.order_by("number"), values, strict=False):
        save_validation_label(rater, item, value, version=0, token=uuid4())
    return rater


def test_each_rater_is_told_with_labels_and_those_that_say_cannot_tell():
    sample = make_sample(users=[make_user("ana", "annotator")])
    label(sample, "A1", 1, None, 0)
    end_rater(label(sample, "C", None))
    rows = [
        (row.rater.pseudonym, row.rater.is_active, row.labelled, row.cannot_tell, row.items)
        for row in progress(sample)
    ]
    assert sorted(rows) == [("A1", True, 3, 1, 3), ("C", False, 1, 1, 3), ("D", True, 0, 0, 3)]
    last = {row.rater.pseudonym: row.last_saved for row in progress(sample)}
    newest = sample.raters.get(pseudonym="A1").labels.latest("changed_at").changed_at
    assert (last["A1"], last["D"]) == (newest, None)


def test_a_change_of_a_label_counts_once():
    sample = make_sample(label_sets=["C"])
    rater = label(sample, "C", 1)
    save_validation_label(rater, sample.items.get(number=1), 0, version=1, token=uuid4())
    assert [row.labelled for row in progress(sample)] == [1]


def test_many_samples_take_as_many_queries_as_one(django_assert_num_queries):
    samples = [make_sample(slug=f"s{n}", messages=["x"] * n, label_sets=["C"]) for n in (1, 2, 3)]
    label(samples[2], "C", 1, 1)
    with django_assert_num_queries(2):
        found = progress_of(samples)
    assert [[(row.labelled, row.items) for row in found[sample.pk]] for sample in samples] == [
        [(0, 1)],
        [(0, 2)],
        [(2, 3)],
    ]


def test_a_sample_without_raters_has_nobody():
    sample = make_sample(label_sets=())
    assert progress_of([sample]) == {sample.pk: []}
    assert progress_of([]) == {}
