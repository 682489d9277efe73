"""An annotator's work through the API: next item, label, change, skip, cannot decide."""

from uuid import uuid4

import pytest

from annotate.actions.campaigns import close_campaign
from annotate.models import Flag, Label, LabelRevision
from tests.annotate.factories import give_label, give_labels

MINE = "/api/v1/campaigns/round-1/"


def give(client, item: int, label: str = "apply", token: str | None = None):
    return client.post(
        f"{MINE}labels/", {"item": item, "label": label, "token": token or str(uuid4())}, format="json"
    )


def change(client, item: int, label: str, version: int, token: str | None = None):
    form = {"label": label, "version": version, "token": token or str(uuid4())}
    return client.patch(f"{MINE}labels/{item}/", form, format="json")


def next_number(client) -> int:
    return client.get(f"{MINE}next/").json()["item"]


def test_an_item_comes_with_what_its_page_shows(annotator, campaign):
    shown = annotator.get(f"{MINE}next/").json()
    item = campaign.items.get(number=shown["item"])
    assert shown == {
        "item": item.number,
        "recipient": item.context.recipient,
        "task": item.context.task,
        "preference": item.preference.text,
        "category": "tone",
    }


def test_the_next_item_stays_until_it_is_answered(annotator):
    held = next_number(annotator)
    assert next_number(annotator) == held
    give(annotator, held)
    assert next_number(annotator) != held


def test_all_items_come_once_and_then_none(annotator, campaign):
    numbers = []
    while (answer := annotator.get(f"{MINE}next/")).status_code == 200:
        numbers.append(answer.json()["item"])
        assert give(annotator, numbers[-1], "suppress").status_code == 201
    assert answer.status_code == 204
    assert sorted(numbers) == list(range(6))
    assert set(Label.objects.values_list("value", flat=True)) == {0}


def test_a_given_label_is_answered_and_kept_with_who_gave_it(annotator, campaign):
    number = next_number(annotator)
    answer = give(annotator, number, "apply")
    assert answer.status_code == 201
    assert answer.json()["label"] == "apply"
    assert answer.json()["version"] == 1
    revision = LabelRevision.objects.get()
    assert (revision.value, revision.saved_by) == (1, campaign.annotators.get(pseudonym="A1").user)


def test_the_same_token_again_saves_nothing_twice(annotator):
    number, token = next_number(annotator), str(uuid4())
    first, again = (give(annotator, number, "apply", token) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert LabelRevision.objects.count() == 1


def test_the_same_token_with_another_answer_is_refused(annotator):
    number, token = next_number(annotator), str(uuid4())
    give(annotator, number, "apply", token)
    answer = give(annotator, number, "suppress", token)
    assert answer.status_code == 400
    assert "sent before with another answer" in answer.json()["detail"]
    assert Label.objects.get().value == 1


def test_a_second_first_label_is_a_conflict(annotator):
    number = next_number(annotator)
    give(annotator, number, "apply")
    answer = give(annotator, number, "suppress")
    assert answer.status_code == 409
    assert "your answer is 'apply'" in answer.json()["detail"]


def test_a_change_keeps_the_earlier_answer(annotator):
    number = next_number(annotator)
    give(annotator, number, "apply")
    answer = change(annotator, number, "suppress", version=1)
    assert answer.status_code == 200
    assert (answer.json()["label"], answer.json()["version"]) == ("suppress", 2)
    assert list(LabelRevision.objects.order_by("version").values_list("value", flat=True)) == [1, 0]


def test_a_repeated_change_is_harmless(annotator):
    number, token = next_number(annotator), str(uuid4())
    give(annotator, number, "apply")
    first, again = (change(annotator, number, "suppress", 1, token) for _ in range(2))
    assert first.json() == again.json()
    assert again.json()["version"] == 2


def test_a_change_of_an_older_version_is_a_conflict(annotator):
    number = next_number(annotator)
    give(annotator, number, "apply")
    change(annotator, number, "suppress", version=1)
    answer = change(annotator, number, "apply", version=1)
    assert answer.status_code == 409
    assert "your answer is 'suppress'" in answer.json()["detail"]
    assert Label.objects.get().value == 0


def test_own_labels_are_listed_newest_first_and_others_are_not(annotator, campaign):
    give_labels(campaign, ["110", "-01", "1--"])
    listed = annotator.get(f"{MINE}labels/").json()
    assert listed["count"] == 2
    assert [row["item"] for row in listed["results"]] == [2, 0]
    assert annotator.get(f"{MINE}labels/1/").status_code == 404


def test_a_long_list_comes_in_pages(annotator, campaign):
    give_labels(campaign, ["1--"] * 6)
    page = annotator.get(f"{MINE}labels/?limit=4").json()
    assert (page["count"], len(page["results"])) == (6, 4)
    rest = annotator.get(page["next"]).json()
    assert (len(rest["results"]), rest["next"]) == (2, None)


def test_an_item_that_was_not_given_cannot_be_touched(annotator, campaign):
    """Whether others have filled it must stay unknown, so the answer is the same for every such item."""
    held = next_number(annotator)
    others = [number for number in range(6) if number != held]
    for pseudonym in ("A2", "A3"):
        give_label(campaign, others[0], pseudonym, 1)
    for number in (*others, 99):
        token = str(uuid4())
        answers = [
            give(annotator, number),
            annotator.post(f"{MINE}items/{number}/skip/"),
            annotator.post(f"{MINE}items/{number}/flag/", {"comment": "?", "token": token}, format="json"),
        ]
        for answer in answers:
            assert answer.status_code == 404
            assert (
                answer.json()["detail"]
                == f"You have not met item {number}; expected one that `next` gave you."
            )


def test_a_skipped_item_comes_again_last(annotator):
    skipped = next_number(annotator)
    assert annotator.post(f"{MINE}items/{skipped}/skip/").status_code == 204
    for _ in range(5):
        number = next_number(annotator)
        assert number != skipped
        give(annotator, number)
    assert next_number(annotator) == skipped


def test_cannot_decide_is_no_label_and_goes_to_the_lead_once(annotator):
    number = next_number(annotator)
    form = {"comment": "Is a landlord formal?", "token": str(uuid4())}
    for _ in range(2):
        assert annotator.post(f"{MINE}items/{number}/flag/", form, format="json").status_code == 204
    assert Flag.objects.get().comment == "Is a landlord formal?"
    assert not Label.objects.exists()
    assert next_number(annotator) != number


def test_a_labelled_item_can_be_neither_skipped_nor_flagged(annotator):
    number = next_number(annotator)
    give(annotator, number)
    assert annotator.post(f"{MINE}items/{number}/skip/").status_code == 409
    form = {"comment": "?", "token": str(uuid4())}
    assert annotator.post(f"{MINE}items/{number}/flag/", form, format="json").status_code == 409


def test_a_closed_campaign_takes_no_label(annotator, campaign):
    number = next_number(annotator)
    close_campaign(campaign)
    answer = give(annotator, number)
    assert answer.status_code == 400
    assert "closed" in answer.json()["detail"]
    assert annotator.get(f"{MINE}next/").status_code == 204


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"label": "maybe"}, "label: Expected apply or suppress. Found 'maybe'."),
        ({"label": 1}, "label: Expected apply or suppress. Found 1."),
        ({"item": "first"}, "item: A valid integer is required. Found 'first'."),
        ({"item": -1}, "item: Ensure this value is greater than or equal to 0. Found -1."),
        ({"token": "abc"}, "token: Must be a valid UUID. Found 'abc'."),
        ({"token": None}, "token: This field may not be null. Found None."),
    ],
)
def test_a_bad_request_says_what_was_found_and_expected(annotator, wrong, words):
    form = {"item": next_number(annotator), "label": "apply", "token": str(uuid4())} | wrong
    answer = annotator.post(f"{MINE}labels/", form, format="json")
    assert answer.status_code == 400
    assert answer.json()["detail"] == words
    assert list(answer.json()["fields"]) == list(wrong)


def test_what_is_missing_is_named(annotator):
    answer = annotator.post(f"{MINE}labels/", {"item": 0}, format="json")
    assert answer.json()["detail"] == "label: This field is required. token: This field is required."


def test_a_body_that_is_no_object_is_refused(annotator):
    answer = annotator.post(f"{MINE}labels/", [1], format="json")
    assert answer.status_code == 400
    assert "Expected a dictionary, but got list" in answer.json()["detail"]


def test_a_body_that_is_no_json_is_refused(annotator):
    answer = annotator.post(f"{MINE}labels/", "{", content_type="application/json")
    assert answer.status_code == 400
    assert "JSON parse error" in answer.json()["detail"]


@pytest.mark.parametrize("number", ["9" * 10, "9" * 30, "9" * 5_000])
def test_no_item_has_such_a_number(annotator, number):
    changed = annotator.patch(
        f"{MINE}labels/{number}/", {"label": "apply", "version": 1, "token": str(uuid4())}, format="json"
    )
    flag = {"comment": "Unsure.", "token": str(uuid4())}
    flagged = annotator.post(f"{MINE}items/{number}/flag/", flag, format="json")
    answers = [annotator.get(f"{MINE}labels/{number}/"), annotator.post(f"{MINE}items/{number}/skip/")]
    assert {answer.status_code for answer in [changed, flagged, *answers]} == {404}
