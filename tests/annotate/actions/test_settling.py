"""A lead answers flags and sets items aside; nothing of it is lost."""

import pytest

from annotate.actions.settling import (
    resolve_flag,
    set_aside_context,
    set_aside_item,
    set_aside_preference,
    take_back_item,
)
from annotate.models import Assignment, Exclusion
from annotate.problems import Problem
from tests.annotate.factories import give_labels, make_campaign, make_user, raise_flag

pytestmark = pytest.mark.django_db


def test_an_answered_flag_brings_the_item_back_to_its_annotator():
    campaign, lead = make_campaign(), make_user("lena", "lead")
    flag = raise_flag(campaign, 0, "A1")
    resolve_flag(flag, " Read the second rule. ", lead)
    assert (flag.resolution, flag.resolved_by) == ("Read the second rule.", lead)
    assert flag.resolved_at is not None
    assert Assignment.objects.get().state == "skipped"


def test_a_flag_is_answered_once():
    flag = raise_flag(make_campaign(), 0, "A1")
    resolve_flag(flag, "First.")
    with pytest.raises(Problem, match="answered already"):
        resolve_flag(flag, "Second.")
    flag.refresh_from_db()
    assert flag.resolution == "First."


def test_an_empty_answer_is_refused():
    flag = raise_flag(make_campaign(), 0, "A1")
    with pytest.raises(Problem, match="empty"):
        resolve_flag(flag, "  ")


def test_setting_aside_keeps_labels_and_who_and_why():
    campaign, lead = make_campaign(), make_user("lena", "lead")
    give_labels(campaign, ["111"])
    item = campaign.items.get(number=0)
    set_aside_item(item, "Tone is a matter of taste here.", lead)
    take_back_item(item, lead)
    item.refresh_from_db()
    assert item.set_aside == ""
    assert item.labels.count() == 3
    history = Exclusion.objects.filter(item=item).values_list("reason", "decided_by__username")
    assert list(history) == [("Tone is a matter of taste here.", "lena"), ("", "lena")]


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_a_reason_that_says_nothing_or_too_much_is_refused(reason):
    item = make_campaign().items.get(number=0)
    with pytest.raises(Problem, match="expected 1 to 200"):
        set_aside_item(item, reason)
    assert not Exclusion.objects.exists()


def test_an_item_is_set_aside_once_and_taken_back_once():
    item = make_campaign().items.get(number=0)
    with pytest.raises(Problem, match="not set aside"):
        take_back_item(item)
    set_aside_item(item, "Borderline.")
    with pytest.raises(Problem, match="Borderline"):
        set_aside_item(item, "Again.")


def test_a_context_or_preference_is_set_aside_whole_and_earlier_reasons_stay():
    campaign = make_campaign(contexts=2, preferences=3)
    context, preference = campaign.dataset.contexts.first(), campaign.dataset.preferences.first()
    assert set_aside_context(campaign, context, "The recipient varies.") == 3
    assert set_aside_preference(campaign, preference, "A matter of taste.") == 1
    assert campaign.items.exclude(set_aside="").count() == 4
    assert campaign.items.get(context=context, preference=preference).set_aside == "The recipient varies."


def test_another_campaign_is_untouched():
    campaign = make_campaign()
    other = make_campaign(slug="round-2", dataset=campaign.dataset)
    set_aside_context(campaign, campaign.dataset.contexts.first(), "Borderline.")
    assert not other.items.exclude(set_aside="").exists()
