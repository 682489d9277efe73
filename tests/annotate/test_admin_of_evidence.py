"""In the admin, evidence can be read and not be touched."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from annotate.actions.adjudicating import adjudicate
from annotate.actions.gold import freeze_gold_release
from annotate.actions.reviews import close_review
from annotate.actions.validating import save_validation_label
from annotate.actions.validation import close_sample
from annotate.models import (
    Adjudication,
    Campaign,
    ContrastPair,
    Flag,
    GoldLabel,
    GoldRelease,
    Item,
    Judgement,
    Label,
    Review,
    ReviewedPair,
    Sheet,
    SheetRevision,
    ValidationItem,
    ValidationLabel,
    ValidationLabelRevision,
    ValidationSample,
)
from tests.annotate.factories import give_labels, make_campaign, make_user, raise_flag
from tests.annotate.review_factories import answer_all, make_pair_dataset, make_review
from tests.annotate.validation_samples import make_sample

pytestmark = pytest.mark.django_db
EVIDENCE = {"item": Item, "label": Label, "flag": Flag, "goldrelease": GoldRelease, "goldlabel": GoldLabel}


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(contexts=2, preferences=3)
    give_labels(campaign, ["111", "000", "110"])
    raise_flag(campaign, 4, "A1")
    freeze_gold_release(campaign)
    return campaign


@pytest.fixture(params=["lead", "superuser"])
def staff(request, client: Client) -> Client:
    user = make_user("lena", "lead")
    user.is_staff, user.is_superuser = True, request.param == "superuser"
    user.save()
    client.force_login(user)
    return client


@pytest.mark.parametrize("model", [*EVIDENCE, "campaign"])
def test_rows_can_be_read(campaign, staff, model):
    assert staff.get(reverse(f"admin:annotate_{model}_changelist")).status_code == 200
    row = {**EVIDENCE, "campaign": Campaign}[model].objects.first()
    assert staff.get(reverse(f"admin:annotate_{model}_change", args=[row.pk])).status_code == 200


@pytest.mark.parametrize("model", EVIDENCE)
def test_rows_cannot_be_added_changed_or_removed(campaign, staff, model):
    assert staff.post(reverse(f"admin:annotate_{model}_add"), {}).status_code == 403
    row = EVIDENCE[model].objects.first()
    for view in ("change", "delete"):
        assert (
            staff.post(reverse(f"admin:annotate_{model}_{view}", args=[row.pk]), {"post": "yes"}).status_code
            == 403
        )
    staff.post(
        reverse(f"admin:annotate_{model}_changelist"),
        {"action": "delete_selected", "_selected_action": [row.pk]},
    )
    assert (GoldRelease.objects.count(), GoldLabel.objects.count(), Label.objects.count()) == (1, 2, 9)


def test_a_campaigns_title_may_change_and_what_labels_rest_on_may_not(campaign, staff):
    form = {"name": "A better title", "label_limit": "10", "overlap": "1", "slug": "other", "seed": "9"}
    inlines = ("guidelines", "annotators")
    counts = {f"{name}-{which}_FORMS": "0" for name in inlines for which in ("TOTAL", "INITIAL")}
    staff.post(reverse("admin:annotate_campaign_change", args=[campaign.pk]), form | counts)
    campaign.refresh_from_db()
    assert (campaign.name, campaign.label_limit) == ("A better title", 10)
    assert (campaign.overlap, campaign.slug, campaign.seed) == (3, "round-1", 1)


def test_removing_an_account_in_the_admin_keeps_its_labels(campaign, client):
    client.force_login(User.objects.create_superuser("root", password="a long enough password"))
    user = campaign.annotators.get(pseudonym="A1").user
    client.post(reverse("admin:auth_user_delete", args=[user.pk]), {"post": "yes"})
    assert not User.objects.filter(pk=user.pk).exists()
    assert campaign.annotators.get(pseudonym="A1").labels.count() == 3


REVIEW_EVIDENCE = {
    "contrastpair": ContrastPair,
    "reviewedpair": ReviewedPair,
    "sheet": Sheet,
    "sheetrevision": SheetRevision,
    "adjudication": Adjudication,
}


@pytest.fixture
def review() -> Review:
    review = make_review(make_pair_dataset(preferences=1, pairs=1))
    first, second = review.reviewers.all()
    answer_all(first)
    answer_all(second, {(0, ""): {"control": "no"}})
    close_review(review)
    adjudicate(review.reviewed_pairs.get(), "control", "", "no", "Two things differ.")
    return review


@pytest.mark.parametrize("model", [*REVIEW_EVIDENCE, "review"])
def test_rows_of_reviews_can_be_read(review, staff, model):
    assert staff.get(reverse(f"admin:annotate_{model}_changelist")).status_code == 200
    row = {**REVIEW_EVIDENCE, "review": Review}[model].objects.first()
    assert staff.get(reverse(f"admin:annotate_{model}_change", args=[row.pk])).status_code == 200


def check_untouched(staff: Client, model: str, kind: type[Model]) -> None:
    """Try to add, change and remove a row by hand; nothing may come of it."""
    assert staff.post(reverse(f"admin:annotate_{model}_add"), {}).status_code == 403
    row, number = kind.objects.first(), kind.objects.count()
    for view in ("change", "delete"):
        address = reverse(f"admin:annotate_{model}_{view}", args=[row.pk])
        assert staff.post(address, {"post": "yes"}).status_code == 403
    staff.post(
        reverse(f"admin:annotate_{model}_changelist"),
        {"action": "delete_selected", "_selected_action": [row.pk]},
    )
    assert kind.objects.count() == number


@pytest.mark.parametrize("model", REVIEW_EVIDENCE)
def test_rows_of_reviews_cannot_be_added_changed_or_removed(review, staff, model):
    check_untouched(staff, model, REVIEW_EVIDENCE[model])


def test_a_reviews_title_may_change_and_what_answers_rest_on_may_not(review, staff):
    form = {"name": "A better title", "slug": "other", "seed": "9", "state": "open", "is_example": "on"}
    counts = {f"reviewers-{which}_FORMS": "0" for which in ("TOTAL", "INITIAL")}
    staff.post(reverse("admin:annotate_review_change", args=[review.pk]), form | counts)
    review.refresh_from_db()
    assert review.name == "A better title"
    assert (review.slug, review.seed, review.state, review.is_example) == ("review-1", 7, "closed", False)


def test_removing_an_account_in_the_admin_keeps_its_answers(review, client):
    client.force_login(User.objects.create_superuser("root", password="a long enough password"))
    seat, answers = review.reviewers.get(pseudonym="A1"), Judgement.objects.count()
    client.post(reverse("admin:auth_user_delete", args=[seat.user_id]), {"post": "yes"})
    seat.refresh_from_db()
    assert (seat.user, Judgement.objects.count()) == (None, answers)


SAMPLE_EVIDENCE = {"validationitem": ValidationItem, "validationlabel": ValidationLabel}


@pytest.fixture
def sample() -> ValidationSample:
    sample = make_sample(users=[make_user("ana", "annotator")])
    rater = sample.raters.get(user__username="ana")
    save_validation_label(rater, sample.items.first(), 1, comment="Look.", version=0, token=uuid4())
    close_sample(sample)
    return sample


@pytest.mark.parametrize("model", [*SAMPLE_EVIDENCE, "validationsample"])
def test_rows_of_validation_samples_can_be_read(sample, staff, model):
    assert staff.get(reverse(f"admin:annotate_{model}_changelist")).status_code == 200
    row = {**SAMPLE_EVIDENCE, "validationsample": ValidationSample}[model].objects.first()
    assert staff.get(reverse(f"admin:annotate_{model}_change", args=[row.pk])).status_code == 200


@pytest.mark.parametrize("model", SAMPLE_EVIDENCE)
def test_rows_of_validation_samples_cannot_be_added_changed_or_removed(sample, staff, model):
    check_untouched(staff, model, SAMPLE_EVIDENCE[model])


def test_a_samples_title_may_change_and_what_answers_rest_on_may_not(sample, staff):
    form = {"name": "A better title", "slug": "other", "question": "fit", "state": "open", "guideline": "No."}
    counts = {f"raters-{which}_FORMS": "0" for which in ("TOTAL", "INITIAL")}
    staff.post(reverse("admin:annotate_validationsample_change", args=[sample.pk]), form | counts)
    before = (sample.slug, sample.question, sample.guideline, "closed")
    sample.refresh_from_db()
    assert sample.name == "A better title"
    assert (sample.slug, sample.question, sample.guideline, sample.state) == before


def test_removing_an_account_in_the_admin_keeps_its_answers_on_items(sample, client):
    client.force_login(User.objects.create_superuser("root", password="a long enough password"))
    seat = sample.raters.get(user__username="ana")
    client.post(reverse("admin:auth_user_delete", args=[seat.user_id]), {"post": "yes"})
    seat.refresh_from_db()
    assert (seat.user, seat.labels.count(), ValidationLabelRevision.objects.count()) == (None, 1, 1)
