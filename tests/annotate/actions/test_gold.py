"""A gold release holds what all agree on, says what it left out, and never changes."""

import hashlib
import json

import pytest
from django.db import IntegrityError, models, transaction

from annotate.actions.gold import freeze_gold_release, import_gold_release
from annotate.actions.settling import resolve_flag, set_aside_item, take_back_item
from annotate.gold_content import stored_hash
from annotate.importers.corpus import GoldRow
from annotate.models import Campaign, Dataset, GoldLabel, GoldRelease, Guideline, Item, Label
from annotate.models.gold import ImmutableError
from annotate.names import release_named
from annotate.problems import Problem
from tests.annotate.factories import (
    give_label,
    give_labels,
    make_campaign,
    make_dataset,
    raise_flag,
)

pytestmark = pytest.mark.django_db
# Items 0-5 are context 0 with preferences 0-2, then context 1 with preferences 0-2.
ROWS = ["111", "000", "110", "11-", "000", "111"]


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(contexts=2, preferences=3)
    give_labels(campaign, ROWS)
    return campaign


def content(release: GoldRelease) -> set[tuple[str, str, int]]:
    return set(release.labels.values_list("context__recipient", "preference__text", "value"))


def test_only_unanimous_complete_items_are_kept(campaign):
    release = freeze_gold_release(campaign, created_by="lena")
    assert content(release) == {
        ("Recipient 0", "Preference 0", 1),
        ("Recipient 0", "Preference 1", 0),
        ("Recipient 1", "Preference 1", 0),
        ("Recipient 1", "Preference 2", 1),
    }
    assert (release.name, release.created_by, release.corpus_version) == ("small-1", "lena", 1)
    assert release.guideline == campaign.guideline


def test_what_is_left_out_is_counted_once_and_adds_up(campaign):
    give_label(campaign, 3, "A3", 0)
    set_aside_item(campaign.items.get(number=0), "Borderline.")
    set_aside_item(campaign.items.get(number=2), "Borderline.")
    raise_flag(campaign, 1, "A1")
    counts = freeze_gold_release(campaign).counts
    assert counts["left_out"] == {"set_aside": 2, "flagged": 1, "incomplete": 0, "split": 1}
    assert (counts["apply"], counts["suppress"]) == (1, 1)
    assert counts["kept"] + sum(counts["left_out"].values()) == counts["items"] == 6
    assert counts["set_aside_reasons"] == {"Borderline.": 2}
    assert counts["labels_by_guideline"] == {"1": 18}


def test_an_answered_flag_no_longer_keeps_an_item_out(campaign):
    flag = raise_flag(campaign, 0, "A1")
    assert freeze_gold_release(campaign).counts["kept"] == 3
    resolve_flag(flag, "It stands.")
    assert freeze_gold_release(campaign).counts["kept"] == 4


def test_a_taken_back_item_counts_again(campaign):
    item = campaign.items.get(number=0)
    set_aside_item(item, "Borderline.")
    assert freeze_gold_release(campaign).counts["kept"] == 3
    take_back_item(item)
    assert freeze_gold_release(campaign).counts["kept"] == 4


def test_the_agreement_is_that_of_all_complete_items(campaign):
    agreement = freeze_gold_release(campaign).agreement
    assert (agreement["yield"]["numerator"], agreement["yield"]["denominator"]) == (4, 5)
    assert agreement["percent_agreement"]["value"] == pytest.approx(13 / 15)


def test_the_hash_is_that_of_the_sorted_lines(campaign):
    release = freeze_gold_release(campaign)
    lines = sorted(
        json.dumps([label.context.recipient, label.context.task, label.preference.text, label.value]).replace(
            ", ", ","
        )
        for label in release.labels.all()
    )
    expected = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    assert release.content_hash == stored_hash(release) == expected


def test_a_label_changed_behind_the_back_is_found(campaign):
    release = freeze_gold_release(campaign)
    label = release.labels.first()
    models.QuerySet(GoldLabel).filter(pk=label.pk).update(value=1 - label.value)
    assert stored_hash(release) != release.content_hash


def test_nothing_new_is_refused_and_names_the_release(campaign):
    freeze_gold_release(campaign)
    with pytest.raises(Problem, match="small-1"):
        freeze_gold_release(campaign)
    assert GoldRelease.objects.count() == 1


def test_numbers_count_on_within_the_dataset(campaign):
    freeze_gold_release(campaign)
    give_label(campaign, 3, "A3", 1)
    assert freeze_gold_release(campaign).name == "small-2"
    other = make_campaign(slug="round-2", dataset=campaign.dataset)
    give_labels(other, ["111"])
    assert freeze_gold_release(other).name == "small-3"


def test_a_new_guideline_makes_a_new_release(campaign):
    freeze_gold_release(campaign)
    Guideline.objects.create(campaign=campaign, version=2, text="Clearer words.")
    assert freeze_gold_release(campaign).guideline.version == 2


def test_nothing_unanimous_is_refused_with_what_was_found():
    campaign = make_campaign()
    give_labels(campaign, ["110"])
    with pytest.raises(Problem, match="5 incomplete, 1 split"):
        freeze_gold_release(campaign)


def test_an_example_campaign_makes_an_example_release(campaign):
    Campaign.objects.update(is_example=True)
    campaign.refresh_from_db()
    assert freeze_gold_release(campaign).is_example


def test_a_label_changed_later_leaves_the_release_alone(campaign):
    release = freeze_gold_release(campaign)
    before = content(release)
    Label.objects.update(value=0)
    assert content(release) == before
    assert stored_hash(release) == release.content_hash


@pytest.mark.parametrize("model", [GoldRelease, GoldLabel])
def test_a_release_cannot_be_changed_or_removed(campaign, model):
    freeze_gold_release(campaign)
    row = model.objects.first()
    for change in (
        row.save,
        row.delete,
        lambda: model.objects.update(pk=99),
        model.objects.all().delete,
        lambda: model.objects.bulk_update([row], ["id"]),
    ):
        with pytest.raises(ImmutableError):
            change()


def test_a_copy_with_the_same_key_does_not_overwrite(campaign):
    label = freeze_gold_release(campaign).labels.first()
    copy = GoldLabel(
        pk=label.pk,
        release=label.release,
        context=label.context,
        preference=label.preference,
        value=1 - label.value,
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        copy.save()
    with pytest.raises(ImmutableError):
        GoldLabel.objects.bulk_create(
            [copy], update_conflicts=True, update_fields=["value"], unique_fields=["pk"]
        )
    with pytest.raises(ImmutableError):
        GoldLabel.objects.update_or_create(pk=label.pk, defaults={"value": 1 - label.value})
    assert GoldLabel.objects.get(pk=label.pk).value == label.value


def test_nothing_that_a_release_rests_on_can_be_removed(campaign):
    release = freeze_gold_release(campaign)
    label = release.labels.first()
    for row in (campaign, campaign.guideline, label.context, label.preference, campaign.dataset):
        with pytest.raises(models.ProtectedError):
            row.delete()
    assert release.labels.count() == 4


def test_the_database_refuses_a_second_label_of_one_instance(campaign):
    label = freeze_gold_release(campaign).labels.first()
    twin = GoldLabel(
        release=label.release, context=label.context, preference=label.preference, value=1 - label.value
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()


def test_removing_an_account_keeps_labels_seats_and_pseudonyms(campaign):
    release = freeze_gold_release(campaign)
    for seat in campaign.annotators.all():
        seat.user.delete()
    assert Label.objects.count() == 17
    assert list(campaign.annotators.values_list("pseudonym", "user")) == [(f"A{n}", None) for n in (1, 2, 3)]
    assert stored_hash(release) == release.content_hash


def test_a_release_is_found_by_its_name(campaign):
    release = freeze_gold_release(campaign)
    assert release_named("small-1") == release
    for name in ("small-2", "small", "-1", "small-x", "small-²", "small-99999999999999999999", ""):
        with pytest.raises(Problem, match="expected one of: small-1"):
            release_named(name)


def gold_row(context: int = 0, preference: int = 0, value: int = 1) -> GoldRow:
    return GoldRow(f"Recipient {context}", f"Task {context}", f"Preference {preference}", value)


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset(contexts=2, preferences=3)


def test_imported_labels_become_a_release_marked_imported(dataset):
    release = import_gold_release(dataset, [gold_row(0, 0, 1), gold_row(1, 2, 0)], "lena")
    assert release.origin == "imported"
    assert release.campaign is None
    assert content(release) == {("Recipient 0", "Preference 0", 1), ("Recipient 1", "Preference 2", 0)}
    assert stored_hash(release) == release.content_hash


def test_importing_the_same_labels_again_changes_nothing(dataset):
    rows = [gold_row(0, 0, 1), gold_row(1, 2, 0)]
    first = import_gold_release(dataset, rows)
    assert import_gold_release(dataset, [*reversed(rows), rows[0]]) == first
    assert GoldRelease.objects.count() == 1
    assert import_gold_release(dataset, rows[:1]).name == "small-2"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "no gold label"),
        ([gold_row(9)], "no context"),
        ([gold_row(0, 9)], "no preference"),
        ([gold_row(value=1), gold_row(value=0)], "contradicts"),
    ],
)
def test_a_bad_row_stops_the_import(dataset, rows, message):
    with pytest.raises(Problem, match=message):
        import_gold_release(dataset, rows)
    assert not GoldRelease.objects.exists()


def test_items_of_a_campaign_survive_their_dataset_being_asked_to_go(campaign):
    with pytest.raises(models.ProtectedError):
        campaign.dataset.delete()
    assert Item.objects.count() == 6
