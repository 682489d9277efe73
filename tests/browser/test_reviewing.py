"""Reviewing contrast pairs in a real browser: both passes by keyboard, and what goes wrong on the way."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from annotate.actions.reviews import close_review
from annotate.models import Judgement, Review, Reviewer, Sheet
from tests.annotate.review_factories import answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.browser

SITUATIONS, PAIRS = "/reviews/review-1/situations/", "/reviews/review-1/pairs/"


@pytest.fixture
def review(transactional_db) -> Review:
    """Open a review of two pairs with texts as people would write them."""
    review = make_review(make_pair_dataset(preferences=2, pairs=1))
    review.name = "Pairs, round 1"
    review.save()
    for row in review.reviewed_pairs.select_related("pair__preference"):
        pair = row.pair
        hottest = "User orders the hottest thing on any menu"
        pair.preference.text = f"{hottest} and asks for a bowl of chilli {pair.pk}."
        pair.request = "What shall I order?"
        pair.preference.save()
        pair.save()
        for situation in pair.situations.all():
            guest = "reads at another table" if situation.side == "positive" else "eats from my plate"
            situation.text = (
                f"I have found the noodle bar by the river, and my little niece {guest} {pair.pk}."
            )
            situation.save()
        for reply in pair.replies.all():
            reply.text = (
                f"Take the {reply.text.split()[1].strip('.')} noodles, with greens and a glass of tea."
            )
            reply.save()
    return review


@pytest.fixture
def reviewer(review: Review) -> Reviewer:
    return review.reviewers.get(pseudonym="A1")


@pytest.fixture
def window(page: Page, reviewer: Reviewer, sign_in) -> Page:
    """Open the first pass."""
    sign_in(reviewer.user)
    page.goto(SITUATIONS)
    return page


def press(page: Page, keys: str) -> None:
    expect(page.locator("#work[data-resting]")).to_have_count(0)
    for key in keys:
        page.keyboard.press("Enter" if key == "\n" else key)


def expect_done(page: Page, words: str) -> None:
    expect(page.locator("header.campaign")).to_contain_text(words)


def test_both_passes_by_keyboard(window: Page, reviewer: Reviewer):
    for count, keys in enumerate(("147\n", "258\n", "369\n", "147\n"), start=1):
        press(window, keys)
        expect_done(window, f"{count} of 4 situations")
    expect(window.get_by_role("heading", name="The first pass is done")).to_be_visible()
    press(window, "\n")
    expect_done(window, "0 of 2 pairs")
    press(window, "y13f\n")
    expect_done(window, "1 of 2 pairs")
    press(window, "n5a\n")
    expect(window.get_by_role("heading", name="Done")).to_be_visible()
    assert Sheet.objects.count() == 6
    by_question = {
        question: sorted(Judgement.objects.filter(question=question).values_list("answer", flat=True))
        for question in ("applicability", "control")
    }
    assert by_question == {"applicability": ["no", "uncertain", "yes", "yes"], "control": ["no", "yes"]}
    sets = Judgement.objects.filter(question="acceptability").values_list("answer", flat=True)
    assert {"none", "uncertain"} <= set(sets)


def test_what_was_chosen_is_what_is_saved(window: Page, reviewer: Reviewer):
    answer_all(reviewer)
    window.goto(PAIRS + "?place=1")
    expect(window.get_by_text("Your answers, saved")).to_be_visible()
    shown = window.locator("fieldset").nth(1).locator("label")
    texts = [shown.nth(place).inner_text() for place in range(4)]
    window.goto(PAIRS + "?place=1")
    assert [shown.nth(place).inner_text() for place in range(4)] == texts
    wanted = texts[2].split(" noodles")[0].removeprefix("Take the ")
    for place in range(4):
        box = shown.nth(place).locator("input")
        box.set_checked(place == 2)
    press(window, "\n")
    expect(window.get_by_role("status")).to_contain_text("saved")
    expect(window.get_by_role("heading", name="Done")).to_be_visible()
    sheet = reviewer.sheets.get(side="", place=0)
    side = sheet.shown["sides"][0]
    newest = sheet.revisions.get(version=2).judgements.get(question="acceptability", side=side)
    assert wanted in sheet.pair.pair.replies.get(role=newest.answer).text


def test_none_and_uncertain_exclude_the_others(window: Page, reviewer: Reviewer):
    answer_all(reviewer)
    window.goto(PAIRS + "?place=1")
    boxes = window.locator("fieldset").nth(1).locator("input")
    chosen = lambda: [boxes.nth(place).is_checked() for place in range(6)]  # noqa: E731
    for place in range(6):
        boxes.nth(place).set_checked(False)
    press(window, "13")
    assert chosen() == [True, False, True, False, False, False]
    press(window, "5")
    assert chosen() == [False, False, False, False, True, False]
    press(window, "6")
    assert chosen() == [False, False, False, False, False, True]
    press(window, "2")
    assert chosen() == [False, True, False, False, False, False]


def test_back_changes_an_answer_and_keeps_the_old_one(window: Page, reviewer: Reviewer):
    press(window, "147\n")
    expect_done(window, "1 of 4 situations")
    press(window, "b")
    expect(window.get_by_text("Your answers, saved")).to_be_visible()
    expect(window.locator("input:checked")).to_have_count(3)
    press(window, "2\n")
    expect(window.get_by_text("Your answers, saved")).to_have_count(0)
    [sheet] = reviewer.sheets.all()
    answers = [revision.judgements.get(question="applicability").answer for revision in sheet.revisions.all()]
    assert answers == ["yes", "no"]


def test_page_without_an_answer_is_not_saved_and_keeps_what_was_chosen(window: Page):
    press(window, "14\n")
    expect(window.get_by_role("alert")).to_contain_text("1 of the 3 questions has no answer yet")
    expect(window.locator("input:checked")).to_have_count(2)
    assert not Sheet.objects.exists()
    press(window, "9\n")
    expect_done(window, "1 of 4 situations")


def test_comment_on_each_question_in_which_keys_rest(window: Page):
    press(window, "147k")
    expect(window.get_by_label("Comment on: Is the preference still valid")).to_be_focused()
    window.keyboard.type("12 moved away?")
    window.keyboard.press("Control+Enter")
    expect_done(window, "1 of 4 situations")
    assert Judgement.objects.exclude(comment="").get().comment == "12 moved away?"
    assert set(Judgement.objects.values_list("answer", flat=True)) == {"yes"}


def test_a_double_click_saves_one_page(window: Page):
    press(window, "147")
    window.get_by_role("button", name="Save and next").dblclick()
    expect_done(window, "1 of 4 situations")
    window.reload()
    expect_done(window, "1 of 4 situations")


def test_closed_review_is_read_only(window: Page, review: Review, reviewer: Reviewer):
    press(window, "147\n")
    expect_done(window, "1 of 4 situations")
    close_review(review)
    press(window, "147\n")
    expect(window.get_by_role("alert")).to_contain_text("this review is closed")
    window.goto(SITUATIONS + "?place=1")
    expect(window.get_by_text("This review is over")).to_be_visible()
    expect(window.locator("input[type=radio]:enabled")).to_have_count(0)


def test_session_that_ended_says_that_nothing_was_saved(window: Page):
    window.context.clear_cookies(name="sessionid")
    press(window, "147\n")
    expect(window.get_by_text("Not saved: your session had ended.")).to_be_visible()
    assert not Sheet.objects.exists()


def test_without_javascript(browser: Browser, live_server, reviewer: Reviewer, sign_in, page: Page):
    sign_in(reviewer.user)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    context.add_cookies(page.context.cookies())
    plain = context.new_page()
    plain.goto(SITUATIONS)
    for question in range(3):
        plain.locator("fieldset").nth(question).get_by_label("Yes").check()
    plain.get_by_role("button", name="Save and next").click()
    expect_done(plain, "1 of 4 situations")
    context.close()


def test_pages_are_accessible(
    window: Page, reviewer: Reviewer, check_accessibility: Callable[[], None], take_screenshots
):
    press(window, "14")
    check_accessibility()
    take_screenshots("review-situation")
    answer_all(reviewer)
    window.goto("/")
    check_accessibility()
    window.goto(SITUATIONS)
    check_accessibility()
    window.goto(PAIRS + "?place=2")
    check_accessibility()
    take_screenshots("review-pair")
    window.goto("/reviews/review-1/own-answers/")
    check_accessibility()
    take_screenshots("review-own")
