"""Validation samples: opened whole, seats given and ended, answers kept when changed or refused in words."""

from math import nan
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction

from annotate.actions.labelling import StaleLabel, UsedToken
from annotate.actions.validating import save_validation_label
from annotate.actions.validation import (
    add_label_set,
    add_rater,
    close_sample,
    create_sample,
    end_rater,
    reopen_sample,
    take_up_rater,
)
from annotate.models import (
    Rater,
    ValidationItem,
    ValidationLabel,
    ValidationLabelRevision,
    ValidationSample,
)
from annotate.problems import Problem
from annotate.validation import QUESTIONS, Question
from tests.annotate.factories import make_user
from tests.annotate.validation_samples import make_sample

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample() -> ValidationSample:
    return make_sample("uptake", users=[make_user("ana", "annotator")])


@pytest.fixture
def rater(sample: ValidationSample) -> Rater:
    return sample.raters.get(user__username="ana")


@pytest.fixture
def item(sample: ValidationSample) -> ValidationItem:
    return sample.items.get(number=2)


def save(
    rater: Rater,
    item: ValidationItem,
    value: float | None,
    version: int = 0,
    token: UUID | None = None,
    **more,
) -> ValidationLabel:
    return save_validation_label(rater, item, value, version=version, token=token or uuid4(), **more)


def saved() -> list[tuple]:
    return list(ValidationLabelRevision.objects.values_list("version", "value", "comment"))


# Opening a sample.


def test_items_have_the_texts_given_in_the_order_given():
    texts = [{"preference": f"P{n}", "message": f"M{n}\n\nYours"} for n in (3, 1, 2)]
    sample = create_sample(slug="letters", question="label", texts=texts, seed=1)
    assert list(sample.items.values_list("number", "texts")) == list(enumerate(texts, start=1))
    assert (sample.name, sample.state, sample.raters.count()) == ("letters", "open", 0)


@pytest.mark.parametrize("question", list(Question))
def test_without_a_guideline_a_sample_has_the_usual_one_of_its_question(question):
    asked = QUESTIONS[question]
    usual = make_sample(question, slug="usual").guideline
    assert usual.startswith("# ")
    assert all(option.words in usual for option in asked.options)
    assert make_sample(question, slug="own", guideline="Look *twice*.").guideline == "Look *twice*."


def test_the_same_seed_gives_the_same_seats_on_one_site_and_others_elsewhere(settings):
    people = [make_user(name, "annotator") for name in ("ana", "ben", "cem")]

    def seats(slug: str) -> set[tuple]:
        sample = make_sample(slug=slug, users=people)
        return set(sample.raters.values_list("user", "pseudonym", "seed"))

    here = seats("one")
    assert seats("two") == here
    assert len({seed for _, _, seed in here}) == 5
    settings.SECRET_KEY = "that of another site"
    assert not {seed for *_, seed in seats("three")} & {seed for *_, seed in here}


def test_pseudonyms_do_not_follow_the_order_of_the_accounts():
    people = [make_user(name, "annotator") for name in ("ana", "ben", "cem")]
    texts = [{"preference": "P", "message": "M"}]
    found = set()
    for seed in range(8):
        sample = create_sample(slug=f"s-{seed}", question="label", texts=texts, seed=seed, users=people)
        found.add(tuple(sample.raters.order_by("pseudonym").values_list("user__username", flat=True)))
    assert len(found) > 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"slug": "no spaces"}, "Validation sample name 'no spaces' cannot stand in an address"),
        ({"slug": "there"}, "There is a validation sample 'there' already"),
        ({"name": "x" * 201}, "has 201 characters; expected 200 at most"),
        ({"question": "hedge"}, "The question 'hedge' is unknown; expected one of label, completeness"),
        ({"texts": []}, "needs at least one item"),
        ({"texts": [{"message": "M"}]}, "Item 1 has the texts message; the question 'label' is asked with"),
        (
            {
                "texts": [
                    {"preference": "P", "message": "M"},
                    {"preference": "P", "message": "M", "gold": "1"},
                ]
            },
            "Item 2 has the texts preference, message, gold; .* with preference, message, and with no other",
        ),
        ({"seed": -1}, "The seed is -1"),
        ({"seed": 2**62}, "The seed is"),
        ({"users": ["lena"]}, "lena is a lead"),
        ({"users": ["ana", "ana"]}, "ana has a seat in validation sample letters already"),
        ({"label_sets": ["c", "c"]}, "'c' is the name of another seat of validation sample letters"),
        ({"label_sets": ["c" * 41]}, "has 41 characters; expected 40 at most"),
    ],
)
def test_what_cannot_be_opened_is_refused_in_words_and_leaves_nothing(wrong, words):
    make_sample(slug="there")
    people = {"ana": make_user("ana", "annotator"), "lena": make_user("lena", "lead")}
    wanted = {
        "slug": "letters",
        "question": "label",
        "texts": [{"preference": "P", "message": "M"}],
        "seed": 1,
    } | wrong
    wanted["users"] = [people[name] for name in wanted.get("users", ())]
    with pytest.raises(Problem, match=words):
        create_sample(**wanted)
    assert ValidationSample.objects.count() == 1


# Seats.


def test_seats_are_added_to_an_open_sample_only(sample):
    assert add_rater(sample, make_user("ben", "annotator")).pseudonym == "A2"
    assert add_label_set(sample, "E").pseudonym == "E"
    assert Rater.objects.values("seed").distinct().count() == 5
    close_sample(sample)
    with pytest.raises(Problem, match="Validation sample sample-1 is closed; expected one that is open"):
        add_rater(sample, make_user("cem", "annotator"))
    with pytest.raises(Problem, match="is closed; expected one that is open"):
        add_label_set(sample, "F")
    assert sample.raters.count() == 5


def test_a_lead_gets_no_seat_and_nobody_two(sample, rater):
    with pytest.raises(Problem, match="lena is a lead and sees the answers of others"):
        add_rater(sample, make_user("lena", "lead"))
    with pytest.raises(Problem, match="ana has a seat in validation sample sample-1 already"):
        add_rater(sample, rater.user)
    with pytest.raises(Problem, match="'C' is the name of another seat"):
        add_label_set(sample, "C")


def test_an_ended_seat_answers_no_more_until_it_is_taken_up(sample, rater, item):
    save(rater, item, 1)
    end_rater(rater)
    with pytest.raises(Problem, match="Not saved: your part in this has ended"):
        save(rater, item, 0, version=1)
    assert saved() == [(1, 1, "")]
    take_up_rater(rater)
    assert save(rater, item, 0, version=1).version == 2


def test_a_closed_sample_takes_no_answer_until_it_is_opened_again(sample, rater, item):
    close_sample(sample)
    with pytest.raises(Problem, match="Not saved: labelling has ended here"):
        save(rater, item, 1)
    with pytest.raises(Problem, match="is closed; expected one that is open"):
        close_sample(sample)
    assert not ValidationLabel.objects.exists()
    reopen_sample(sample)
    save(rater, item, 1)
    with pytest.raises(Problem, match="is open; expected one that is closed"):
        reopen_sample(sample)


def test_removing_an_account_keeps_its_answers(rater, item):
    label = save(rater, item, 1, saved_by=rater.user)
    rater.user.delete()
    label.refresh_from_db()
    assert (label.value, label.rater.user, label.revisions.get().saved_by) == (1, None, None)


# Answers.


@pytest.mark.parametrize("question", list(Question))
def test_every_answer_on_the_menu_is_taken_and_no_other(question):
    sample = make_sample(question, messages=["M"])
    rater, item = sample.raters.get(pseudonym="C"), sample.items.get()
    menu = {
        "label": [0, 1],
        "completeness": [1, 2, 3, 4, 5],
        "uptake": [0, 0.5, 1],
        "fit": [0, 1],
        "hedging": [0, 1],
    }[question]
    for version, value in enumerate([None, *menu]):
        save(rater, item, value, version=version)
    for value in {-1, 0, 0.25, 0.5, 1, 2, 5.5, 6, nan} - {*menu}:
        with pytest.raises(Problem, match=f"The answer is {value!r}; expected one of {menu[0]}, .* or none"):
            save(rater, item, value, version=len(menu) + 1)
    assert [value for _, value, _ in saved()] == [None, *menu]


def test_changing_an_answer_keeps_the_earlier_ones(rater, item):
    save(rater, item, 0.5, comment=" Perhaps.\0 ", saved_by=rater.user)
    save(rater, item, None, version=1)
    label = save(rater, item, 1, version=2, comment="Now I see it.")
    assert saved() == [(1, 0.5, "Perhaps."), (2, None, ""), (3, 1, "Now I see it.")]
    label.refresh_from_db()
    assert (label.value, label.comment, label.version, label.question) == (1, "Now I see it.", 3, "uptake")


def test_a_form_that_comes_twice_changes_nothing(rater, item):
    token = uuid4()
    first = save(rater, item, 1, token=token, comment="Yes.")
    save(rater, item, 0, version=1)
    assert save(rater, item, 1, token=token, comment="Yes.") == first
    assert [value for _, value, _ in saved()] == [1, 0]


@pytest.mark.parametrize("other", [{"value": 0}, {"value": None}, {"value": 1, "comment": "No."}])
def test_a_form_that_comes_twice_with_another_answer_is_refused(rater, item, other):
    token = uuid4()
    save(rater, item, 1, token=token)
    with pytest.raises(UsedToken):
        save(rater, item, token=token, **other)
    with pytest.raises(UsedToken):
        save(rater, item.sample.items.get(number=1), 1, token=token, version=0)
    assert saved() == [(1, 1, "")]


def test_a_token_of_somebody_else_is_refused(sample, rater, item):
    token = uuid4()
    save(sample.raters.get(pseudonym="C"), item, 1, token=token)
    with pytest.raises(UsedToken):
        save(rater, item, 1, token=token)
    assert not rater.labels.exists()


def test_a_form_older_than_the_answer_is_refused(rater, item):
    save(rater, item, 0.5)
    with pytest.raises(StaleLabel, match="As saved, your answer is 'In part, or silently'"):
        save(rater, item, 1)
    with pytest.raises(StaleLabel, match="As saved, you have no answer"):
        save(rater, item.sample.items.get(number=1), 1, version=1)
    assert saved() == [(1, 0.5, "")]


def test_an_item_of_another_sample_is_refused(rater):
    other = make_sample("uptake", slug="other").items.first()
    with pytest.raises(Problem, match="There is no item 1 of other in sample sample-1"):
        save(rater, other, 1)


def test_a_comment_that_is_too_long_is_refused(rater, item):
    with pytest.raises(Problem, match="The comment has 5,001 characters"):
        save(rater, item, 1, comment="x" * 5_001)


@pytest.mark.parametrize(
    "wrong", [{"value": 0.25}, {"question": "label", "value": 0.5}, {"question": "tone"}]
)
def test_the_database_refuses_an_answer_off_the_menu_and_a_second_one(rater, item, wrong):
    row = {"rater": rater, "item": item, "question": "uptake", "value": 0.5}
    with pytest.raises(IntegrityError), transaction.atomic():
        ValidationLabel.objects.create(**row | wrong)
    ValidationLabel.objects.create(**row)
    with pytest.raises(IntegrityError), transaction.atomic():
        ValidationLabel.objects.create(**row)
