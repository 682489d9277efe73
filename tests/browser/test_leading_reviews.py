"""A lead opens a review, watches it, reads its report and settles what differs."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.actions.reviews import close_review
from annotate.models import Adjudication, Review
from tests.annotate.review_factories import answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.browser


@pytest.fixture
def lead(page: Page, make_user, sign_in) -> Page:
    sign_in(make_user("lea", "lead"))
    return page


@pytest.fixture
def finished(transactional_db) -> Review:
    """Return a review of six pairs that both reviewers have finished, with some disagreements."""
    review = make_review()
    first, second = review.reviewers.all()
    answer_all(first, {(0, "negative"): {"applicability": "no"}, (1, ""): {"acceptability": "none"}})
    answer_all(
        second,
        {
            (0, "negative"): {"applicability": "no"},
            (1, ""): {"acceptability": "none"},
            (2, "positive"): {"applicability": "no", "naturalness": "uncertain"},
            (3, ""): {"acceptability": "memory+plain"},
        },
    )
    return review


def test_a_lead_sees_the_sample_before_opening_the_review(
    lead: Page, make_user, check_accessibility: Callable[[], None], take_screenshots
):
    for name in ("ana", "ben"):
        make_user(name, "annotator")
    make_pair_dataset(preferences=4, pairs=3)
    lead.goto("/reviews/")
    check_accessibility()
    lead.get_by_role("button", name="Open a review").click()
    lead.get_by_label("Dataset").select_option(label="pairs")
    lead.get_by_label("Pairs in the sample").fill("7")
    lead.get_by_label("Short name").fill("pairs-1")
    lead.get_by_label("Title").fill("Pairs, round 1")
    lead.get_by_label("ana").check()
    lead.get_by_label("ben").check()
    lead.get_by_role("button", name="Show the sample").click()
    expect(lead.get_by_role("heading", name="The sample: 7 pairs")).to_be_visible()
    assert not Review.objects.exists()
    check_accessibility()
    take_screenshots("review-new")
    seed = lead.get_by_label("Seed").input_value()
    lead.get_by_role("button", name="Open the review").click()
    expect(lead.get_by_role("heading", name="Pairs, round 1")).to_be_visible()
    review = Review.objects.get()
    assert (review.seed, review.reviewed_pairs.count()) == (int(seed), 7)
    check_accessibility()
    take_screenshots("review-lead")


def test_the_report_explains_itself(
    lead: Page, finished: Review, check_accessibility: Callable[[], None], take_screenshots
):
    lead.goto("/reviews/review-1/report/")
    expect(lead.get_by_role("heading", name="What the kappas rest on")).to_be_visible()
    expect(lead.get_by_text("both annotators used only yes").first).to_be_visible()
    expect(lead.get_by_role("img")).to_have_count(2)
    check_accessibility()
    take_screenshots("review-report")
    for form in ("JSON", "CSV", "LaTeX"):
        with lead.expect_download() as download:
            lead.get_by_role("link", name=form).click()
        assert download.value.path().stat().st_size > 500


def test_a_disagreement_is_settled_with_a_reason(
    lead: Page, finished: Review, check_accessibility: Callable[[], None], take_screenshots
):
    lead.goto("/reviews/review-1/")
    lead.get_by_role("button", name="Close the review").click()
    lead.get_by_role("button", name="Disagreements").click()
    check_accessibility()
    take_screenshots("review-disagreements")
    lead.get_by_label("Question").select_option("candidate acceptability")
    lead.get_by_role("button", name="Show").click()
    lead.get_by_role("table").get_by_role("link").first.click()
    check_accessibility()
    take_screenshots("review-pair-lead")
    form = lead.locator("details", has_text="Settle: candidate acceptability").first
    form.get_by_label("Plain").check()
    form.get_by_label("Reason").fill("It would burden nobody.")
    form.get_by_role("button", name="Settle").click()
    expect(lead.get_by_text("Settled: plain.")).to_be_visible()
    decision = Adjudication.objects.get()
    assert (decision.answer, decision.reason) == ("plain", "It would burden nobody.")
    assert decision.decided_by.username == "lea"


def test_answers_stand_side_by_side_only_once_the_review_is_closed(lead: Page, finished: Review):
    pair = finished.reviewed_pairs.first().pair
    lead.goto(f"/reviews/review-1/pair/{pair.identifier}/")
    expect(lead.get_by_text("They stand side by side here once the review is closed")).to_be_visible()
    close_review(finished)
    lead.reload()
    expect(lead.get_by_role("heading", name="Answers side by side")).to_be_visible()
