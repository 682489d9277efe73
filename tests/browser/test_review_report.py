"""A lead reads the report of a finished review of 24 pairs, and follows its lists."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Review
from tests.annotate.review_factories import answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.browser

PAIRS = 24


@pytest.fixture
def review(transactional_db) -> Review:
    """Pairs as written, but 5 and 9 the other way round; no shared exception in naturalness."""
    review = make_review(make_pair_dataset(preferences=8, pairs=3))
    shared: dict = {(n, "negative"): {"applicability": "no"} for n in range(PAIRS)}
    shared |= {(n, side): {"applicability": answer} for n in (5, 9) for side, answer in REVERSED}
    first, second = review.reviewers.all()
    sets = [("memory", ("none", "acknowledged+plain", "plain")[n % 3]) for n in range(PAIRS)]
    replies = {
        (n, ""): {("acceptability", "positive"): plus, ("acceptability", "negative"): minus}
        for n, (plus, minus) in enumerate(sets)
    }
    answer_all(first, shared | replies | {(3, "positive"): {"naturalness": "no"}})
    others = {(n, ""): {("acceptability", "negative"): "plain"} for n in range(PAIRS)}
    others[7, ""] = {("acceptability", "negative"): "uncertain", "control": "no"}
    others |= {(0, ""): replies[0, ""], (6, "positive"): {"naturalness": "uncertain"}}
    answer_all(second, shared | others | {(8, "negative"): {"applicability": "yes", "naturalness": "no"}})
    return review


REVERSED = (("positive", "no"), ("negative", "yes"))


def test_a_lead_reads_the_report_and_follows_its_lists(
    page: Page,
    make_user,
    sign_in,
    review: Review,
    check_accessibility: Callable[[], None],
    take_screenshots: Callable[[str], None],
):
    sign_in(make_user("lea", "lead"))
    page.goto("/reviews/review-1/")
    page.get_by_role("link", name="Report", exact=True).or_(
        page.get_by_role("button", name="Report", exact=True)
    ).first.click()
    expect(page.get_by_role("heading", name="Joint confirmation")).to_be_visible()
    expect(page.get_by_text("so kappa is about zero").first).to_be_visible()
    original = page.get_by_role("row", name="Both sides match the original direction")
    expect(original).to_contain_text("21 of 24")
    expect(original).to_contain_text("87.5 %")
    page.get_by_text("The same as tables").click()
    check_accessibility()
    take_screenshots("review-report-long")
    for figure in page.get_by_role("img").all():
        assert figure.evaluate("image => image.naturalWidth") > 300
    heading = page.get_by_role("heading", name="Pairs confirmed in the opposite direction")
    listed = heading.locator("xpath=following-sibling::ul[1]").get_by_role("link")
    expect(listed).to_have_count(2)
    name = listed.first.inner_text()
    listed.first.click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
