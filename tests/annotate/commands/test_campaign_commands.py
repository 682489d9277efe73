"""Opening a campaign and bringing labels from the terminal."""

import csv
import json
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from annotate.models import Annotator, Campaign, Item, Label, LabelRevision
from tests.annotate.factories import make_dataset, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset(contexts=2, preferences=2)


def run(*arguments):
    out = StringIO()
    call_command(*map(str, arguments), stdout=out)
    return out.getvalue()


def label_file(path, rows):
    """Write rows of (annotator, context number, preference number, label)."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["annotator", "recipient", "task", "preference", "label"])
        for annotator, context, preference, label in rows:
            words = [f"Recipient {context}", f"Task {context}", f"Preference {preference}"]
            writer.writerow([annotator, *words, label])
    return path


def test_a_campaign_has_an_item_for_each_context_and_preference_and_a_seat_for_each_annotator(dataset):
    make_user("ana")
    make_user("ben")
    text = run(
        "create_campaign", "round-1", "--dataset", "small", "--overlap", "2", "--annotators", "ana,ben"
    )
    assert "4 items of dataset small, 2 labels each, 2 annotators" in text
    assert Item.objects.filter(campaign__slug="round-1").count() == 4
    assert set(Annotator.objects.values_list("user__username", flat=True)) == {"ana", "ben"}


def test_the_same_seed_gives_the_same_numbers_and_orders(dataset):
    for slug in ("one", "two"):
        run("create_campaign", slug, "--dataset", "small", "--label-sets", "a,b", "--seed", "5")
    one, two = (
        list(Item.objects.filter(campaign__slug=slug).values_list("number", "context", "preference"))
        for slug in ("one", "two")
    )
    assert one == two
    seeds = [
        set(Annotator.objects.filter(campaign__slug=slug).values_list("seed")) for slug in ("one", "two")
    ]
    assert seeds[0] == seeds[1]


def test_missing_accounts_are_made_only_when_asked_for(dataset):
    wanted = ["create_campaign", "round-1", "--dataset", "small", "--annotators", "eva"]
    with pytest.raises(CommandError, match="no account 'eva'"):
        run(*wanted)
    assert not Campaign.objects.exists()
    report = json.loads(run(*wanted, "--create-missing", "--format", "json"))
    eva = User.objects.get(username="eva")
    assert eva.check_password(report["one_time_passwords"]["eva"])


def test_two_seats_cannot_have_one_name(dataset):
    with pytest.raises(CommandError, match="'a' is the name of another seat"):
        run("create_campaign", "round-1", "--dataset", "small", "--label-sets", "a,a")
    assert not Campaign.objects.exists()


def test_an_unknown_dataset_is_answered_with_those_there_are(dataset):
    with pytest.raises(CommandError, match="no dataset 'smal'; expected one of: small"):
        run("create_campaign", "round-1", "--dataset", "smal", "--label-sets", "a")


def test_labels_come_by_a_file_and_the_same_file_again_changes_nothing(dataset, tmp_path):
    run("create_campaign", "round-1", "--dataset", "small", "--label-sets", "a,b,c")
    path = label_file(tmp_path / "labels.csv", [("a", 0, 1, "apply"), ("b", 0, 1, "0"), ("c", 1, 1, "true")])
    assert "3 labels added" in run("import_labels", "round-1", path)
    again = json.loads(run("import_labels", "round-1", path, "--format", "json"))
    assert again == {"added": 0, "changed": 0, "unchanged": 3}
    assert sorted(Label.objects.values_list("annotator__pseudonym", "value")) == [
        ("a", 1),
        ("b", 0),
        ("c", 1),
    ]


def test_a_changed_label_asks_and_then_keeps_the_earlier_answer(dataset, tmp_path):
    run("create_campaign", "round-1", "--dataset", "small", "--label-sets", "a")
    run("import_labels", "round-1", label_file(tmp_path / "one.csv", [("a", 0, 0, "apply")]))
    changed = label_file(tmp_path / "two.csv", [("a", 0, 0, "suppress")])
    with pytest.raises(CommandError, match="1 labels differ"):
        run("import_labels", "round-1", changed)
    run("import_labels", "round-1", changed, "--accept-changes")
    assert list(LabelRevision.objects.order_by("version").values_list("value", flat=True)) == [1, 0]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("nobody", 0, 0, "apply"), "Line 3, field 'annotator': found 'nobody'"),
        (("a", 7, 0, "apply"), "Line 3: campaign round-1 has no item with recipient 'Recipient 7'"),
        (("a", 0, 1, "perhaps"), "perhaps"),
        (("a", 0, 0, "suppress"), "stand in line 2"),
    ],
)
def test_one_bad_row_stops_the_import_before_anything_is_written(dataset, tmp_path, row, words):
    run("create_campaign", "round-1", "--dataset", "small", "--label-sets", "a")
    with pytest.raises(CommandError) as refused:
        run("import_labels", "round-1", label_file(tmp_path / "labels.csv", [("a", 0, 0, "apply"), row]))
    assert words in str(refused.value)
    assert not Label.objects.exists()


def test_more_labels_than_the_overlap_are_refused(dataset, tmp_path):
    run("create_campaign", "round-1", "--dataset", "small", "--overlap", "1", "--label-sets", "a,b")
    path = label_file(tmp_path / "labels.csv", [("a", 0, 0, "apply"), ("b", 0, 0, "apply")])
    with pytest.raises(CommandError, match="more than the 1 labels"):
        run("import_labels", "round-1", path)
    assert not Label.objects.exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--overlap", "0"], "The overlap is 0; expected 1 to 100"),
        (["--overlap", "40000"], "The overlap is 40000; expected 1 to 100"),
        (["--limit", "3000000000"], "The label limit is 3000000000; expected 1 to 2147483647"),
        (["--seed", "-1"], "The seed is -1; expected 0 to"),
        (["--name", "x" * 201], "has 201 characters; expected 200 at most"),
        (["--label-sets", "x" * 41], "has 41 characters; expected 40 at most"),
    ],
)
def test_what_no_database_column_holds_is_refused_in_words(dataset, options, words):
    with pytest.raises(CommandError, match=words):
        run("create_campaign", "round-1", "--dataset", "small", *options)
    assert not Campaign.objects.exists()
