"""Forms of raters that come at the same moment, in real threads on a real database."""

from uuid import uuid4

import pytest
from django.db.models import F

from annotate.actions.labelling import StaleLabel
from annotate.actions.validating import save_validation_label
from annotate.actions.validation import close_sample, end_rater
from annotate.models import (
    Rater,
    ValidationItem,
    ValidationLabel,
    ValidationLabelRevision,
    ValidationSample,
)
from annotate.problems import Problem
from tests.annotate.test_concurrent_labelling import at_once
from tests.annotate.validation_samples import make_sample

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sample() -> ValidationSample:
    return make_sample("label", messages=[f"Message {n}." for n in range(6)], label_sets="CDEF")


@pytest.fixture
def rater(sample: ValidationSample) -> Rater:
    return sample.raters.get(pseudonym="C")


@pytest.fixture
def item(sample: ValidationSample) -> ValidationItem:
    return sample.items.first()


def answer_all(rater: Rater) -> None:
    for item in rater.sample.items.all():
        save_validation_label(rater, item, item.number % 2, version=0, token=uuid4())


def check_labels() -> None:
    """Hold every label against its saves: as many as its version says, the last as it is."""
    for label in ValidationLabel.objects.all():
        assert list(label.revisions.values_list("version", flat=True)) == list(range(1, label.version + 1))
        assert label.revisions.last().value == label.value
    assert not ValidationLabelRevision.objects.filter(version__gt=F("label__version")).exists()


def test_raters_do_not_disturb_each_other(sample):
    at_once(answer_all, list(sample.raters.all()))
    assert ValidationLabel.objects.count() == 4 * 6
    check_labels()


def test_one_form_sent_eight_times_at_once_saves_once(rater, item):
    token = uuid4()
    labels = at_once(lambda _: save_validation_label(rater, item, 1, version=0, token=token), range(8))
    assert len({label.pk for label in labels}) == 1
    assert ValidationLabelRevision.objects.count() == 1
    check_labels()


def test_eight_windows_with_different_answers_save_one_and_tell_the_others(rater, item):
    def send(window: int) -> bool:
        try:
            save_validation_label(rater, item, (1, 0, None)[window % 3], version=0, token=uuid4())
        except StaleLabel:
            return False
        return True

    assert sum(at_once(send, range(8))) == 1
    check_labels()


def test_changes_at_once_are_each_kept_or_refused(rater, item):
    save_validation_label(rater, item, 1, version=0, token=uuid4())

    def change(value: float | None) -> bool:
        try:
            save_validation_label(rater, item, value, version=1, token=uuid4())
        except StaleLabel:
            return False
        return True

    assert sum(at_once(change, [0, 1, None, 0, 1, None])) == 1
    assert ValidationLabel.objects.get().version == 2
    check_labels()


@pytest.mark.parametrize("end", [close_sample, end_rater], ids=lambda end: end.__name__)
def test_no_answer_comes_in_after_the_end(sample, rater, end):
    """What is there when closing returns, or ending a seat, is all that there will be."""
    counts: list[int] = []
    own = ValidationLabelRevision.objects.filter(label__rater=rater)

    def work(seat: Rater | None) -> None:
        if seat is None:
            end(sample if end is close_sample else rater)
            counts.append(own.count())
            return
        try:
            answer_all(seat)
        except Problem:
            return

    at_once(work, [*sample.raters.all(), None])
    assert counts == [own.count()]
    check_labels()
