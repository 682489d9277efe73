"""What a run offers to be drawn is what can be drawn of it, condition by condition."""

import pytest

from annotate.problems import Problem
from evaluation.actions import draw_validation
from evaluation.actions.validation import targets_of
from evaluation.models import Verdict
from evaluation.stored_run import record_of
from evaluation.validation.offers import offers_of
from tests.evaluation.validation.drawn import letters_run, pairs_run

pytestmark = pytest.mark.django_db


def offered(run):
    return {offer.question: offer for offer in offers_of(record_of(run), targets_of(run))}


def test_a_run_of_letters_offers_what_has_gold_and_says_why_completeness_has_nothing():
    run = letters_run(samples=2, conditions=("default", "mitigation"))
    # Three of a profile's four judgements of a sample have gold: 2 profiles x 2 samples x 3.
    found = offered(run)
    assert list(found) == ["label", "completeness"]
    assert found["label"].items == {"default": 12, "mitigation": 12}
    assert found["label"].rows == [("default", 12, 0), ("mitigation", 12, 0)]
    assert (found["label"].total, found["label"].why_none) == (24, "")
    assert found["completeness"].total == 0
    assert found["completeness"].why_none == "no judge of completeness is named in it"


def test_the_offer_is_exactly_what_a_draw_takes_at_most():
    run = letters_run(samples=2, conditions=("default", "mitigation"))
    offer = offered(run)["label"]
    drawn = draw_validation(run, size=offer.total, conditions=("default", "mitigation"))
    assert drawn.units.count() == offer.total
    with pytest.raises(Problem, match=f"expected 1 to {offer.items['default']}"):
        draw_validation(run, size=offer.items["default"] + 1, conditions=("default",))


def test_a_verdict_that_was_not_read_is_counted_apart_and_takes_its_pair_along():
    run = pairs_run()
    first = run.generations.filter(condition="generation").order_by("pk")[0]
    Verdict.objects.filter(generation=first, target="fit").update(outcome="not_read", value=None)
    found = offered(run)
    assert {name: offer.rows for name, offer in found.items()} == {
        "uptake": [("generation", 12, 0)],
        "fit": [("generation", 10, 2)],
        "hedging": [("generation", 12, 0)],
    }
