"""Reviewing contrast pairs in a real browser: both passes by keyboard, and what goes wrong on the way."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from annotate.actions.reviewing import begin_second_pass
from annotate.actions.reviews import close_review
from annotate.models import ContrastPair, Judgement, Review, Reviewer, Sheet, SheetRevision
from annotate.pairs import SIDES
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.browser

SITUATIONS, PAIRS = "/reviews/review-1/situations/", "/reviews/review-1/pairs/"


@pytest.fixture
def review(transactional_db) -> Review:
    """Open a review of two pairs with texts as people would write them."""
    review = make_review(make_pair_dataset(preferences=2, pairs=1))
    review.name = "Pairs, round 1"
    review.save()
    for row in review.reviewed_pairs.select_related("pair__preference"):
        write_as_people_do(row.pair)
    return review


def write_as_people_do(pair: ContrastPair) -> None:
    dish = {"M01": "hottest", "M02": "sweetest"}[pair.preference.key]
    pair.preference.text = f"Orders the {dish} thing on any menu and asks for more of the same."
    pair.preference.save()
    pair.request = "What shall I order?"
    pair.save()
    for situation in pair.situations.all():
        guest = "reads at another table" if situation.side == "positive" else "eats from my plate"
        situation.text = (
            "I have found the noodle bar by the river that my sister told me about, it is packed, "
            f"and my little niece {guest} ({situation.text[-3:-1]})."
        )
        situation.save()
    for reply in pair.replies.all():
        reply.text = (
            f"Take the {reply.text[7:-1]} noodles with greens and a glass of jasmine tea; the broth is what "
            "the place is known for, and the greens take the edge off."
        )
        reply.save()


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
    """Press keys one after another, once they work: see test_labelling.settled."""
    page.wait_for_load_state()
    expect(page.locator("#work[data-resting]")).to_have_count(0)
    for key in keys:
        page.keyboard.press("Enter" if key == "\n" else key)


def answer_first_pass(reviewer: Reviewer) -> None:
    for pair in reviewer.review.reviewed_pairs.all():
        for side in SIDES:
            answer(reviewer, pair, side)


def open_pairs(page: Page, reviewer: Reviewer) -> None:
    begin_second_pass(reviewer)
    page.goto(PAIRS)


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
    replies = window.locator("fieldset").nth(1).locator("label")
    for place in range(4):
        replies.nth(place).locator("input").set_checked(place == 2)
    chosen = replies.nth(2).locator("span").inner_text()
    press(window, "\n")
    expect(window.get_by_role("heading", name="Done")).to_be_visible()
    sheet = reviewer.sheets.get(side="", place=0)
    newest = sheet.revisions.get(version=2).judgements.get(
        question="acceptability", side=sheet.shown["sides"][0]
    )
    assert sheet.pair.pair.replies.get(role=newest.answer).text == chosen
    window.goto(PAIRS + "?place=1")
    expect(replies.nth(2).locator("span")).to_have_text(chosen)
    expect(replies.nth(2).locator("input")).to_be_checked()


def test_none_and_uncertain_exclude_the_others(window: Page, reviewer: Reviewer):
    answer_all(reviewer)
    window.goto(PAIRS + "?place=1")
    boxes = window.locator("fieldset").nth(1).locator("input")

    def chosen() -> list[bool]:
        return [boxes.nth(place).is_checked() for place in range(6)]

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
    expect(window.get_by_role("alert")).to_contain_text("the third question has no answer yet")
    expect(window.locator("input:checked")).to_have_count(2)
    assert not Sheet.objects.exists()
    press(window, "9\n")
    expect_done(window, "1 of 4 situations")


def test_nothing_chosen_in_a_situation_is_no_answer_yet(window: Page, reviewer: Reviewer):
    answer_first_pass(reviewer)
    open_pairs(window, reviewer)
    press(window, "y1\n")
    expect(window.get_by_role("alert")).to_contain_text("the third question has no answer yet")
    press(window, "e\n")
    expect_done(window, "1 of 2 pairs")


def test_keys_go_on_working_after_a_click_on_a_choice(window: Page):
    window.locator("fieldset").first.get_by_label("No").click()
    press(window, "57\n")
    expect_done(window, "1 of 4 situations")
    saved = Judgement.objects.order_by("pk").values_list("answer", flat=True)
    assert list(saved) == ["no", "no", "yes"]


def test_keys_rest_in_a_comment_until_escape(window: Page):
    press(window, "147k")
    box = window.get_by_label("Comment on: Is the preference still valid")
    expect(box).to_be_focused()
    window.keyboard.type("12 moved away?")
    window.keyboard.press("Escape")
    expect(box).to_be_visible()
    press(window, "\n")
    expect_done(window, "1 of 4 situations")
    assert Judgement.objects.exclude(comment="").get().comment == "12 moved away?"
    assert set(Judgement.objects.values_list("answer", flat=True)) == {"yes"}


def test_escape_closes_an_empty_comment(window: Page):
    press(window, "j")
    boxes = window.locator("#work details[open]")
    expect(boxes).to_have_count(1)
    window.keyboard.press("Escape")
    expect(boxes).to_have_count(0)
    press(window, "147\n")
    expect_done(window, "1 of 4 situations")


def test_a_comment_is_saved_from_within_by_control_and_enter(window: Page):
    press(window, "147j")
    window.keyboard.type("Hm.")
    window.keyboard.press("Control+Enter")
    expect_done(window, "1 of 4 situations")
    press(window, "b")
    expect(window.get_by_label("Comment on: Does the preference apply")).to_have_value("Hm.")
    press(window, "2\n")
    expect_done(window, "1 of 4 situations")
    expect(window.get_by_text("Your answers, saved")).to_have_count(0)
    assert list(Judgement.objects.exclude(comment="").values_list("comment", flat=True)) == ["Hm.", "Hm."]


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
    expect(window.locator("input[type=radio]:enabled")).to_have_count(0)
    window.goto(SITUATIONS + "?place=1")
    expect(window.get_by_text("This review is closed")).to_be_visible()
    expect(window.locator("input[type=radio]:enabled")).to_have_count(0)
    expect(window.get_by_role("button", name="Save and next")).to_have_count(0)
    window.goto(SITUATIONS)
    expect(window.get_by_text("This review is closed")).to_be_visible()


def test_session_that_ended_says_that_nothing_was_saved(window: Page):
    window.context.clear_cookies(name="sessionid")
    press(window, "147\n")
    expect(window.get_by_text("Not saved: your session had ended.")).to_be_visible()
    assert not Sheet.objects.exists()


def test_keys_pressed_before_the_page_is_there_break_nothing(window: Page):
    press(window, "147\n" * 8)
    expect(window.locator("header.campaign")).to_contain_text("of 4 situations")
    expect(window.get_by_role("status")).to_contain_text("saved")
    assert not Sheet.objects.filter(version__gt=1).exists()


def test_two_windows_neither_lose_nor_double_an_answer(window: Page, reviewer: Reviewer):
    other = window.context.new_page()
    other.goto(SITUATIONS)
    press(window, "147\n")
    expect_done(window, "1 of 4 situations")
    press(other, "258\n")
    expect(other.get_by_role("alert")).to_contain_text("this form was out of date")
    expect(other.locator("input:checked")).to_have_count(3)
    assert set(Judgement.objects.values_list("answer", flat=True)) == {"yes"}
    press(other, "258\n")
    expect(other.get_by_role("alert")).to_have_count(0)
    assert list(reviewer.sheets.values_list("version", flat=True)) == [2]


def test_an_answer_whose_reply_was_lost_is_not_doubled(window: Page):
    def lose_reply(route: Route) -> None:
        route.fetch()
        route.abort()

    window.route("**/situations/", lose_reply)
    press(window, "147\n")
    expect(window.get_by_role("status")).to_contain_text("not saved")
    window.unroute("**/situations/")
    press(window, "\n")
    expect_done(window, "1 of 4 situations")
    assert SheetRevision.objects.count() == 1


def test_each_next_page_is_small(window: Page, reviewer: Reviewer):
    def wire_size(keys: str) -> int:
        press(window, keys)
        with window.expect_request_finished() as saving:
            window.keyboard.press("Enter")
        sizes = saving.value.sizes()
        return sizes["responseBodySize"] + sizes["responseHeadersSize"]

    assert wire_size("147") < 8_000
    expect_done(window, "1 of 4 situations")
    answer_first_pass(reviewer)
    open_pairs(window, reviewer)
    assert wire_size("y1a") < 8_000


@pytest.fixture
def plain_page(browser: Browser, page: Page, reviewer: Reviewer, sign_in, live_server) -> Iterator[Page]:
    """Open a window without JavaScript, signed in."""
    sign_in(reviewer.user)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    context.add_cookies(page.context.cookies())
    plain = context.new_page()
    plain.goto(SITUATIONS)
    yield plain
    context.close()


def test_everything_works_without_javascript(plain_page: Page, reviewer: Reviewer):
    save = plain_page.get_by_role("button", name="Save and next")
    questions = plain_page.locator("fieldset")
    for count in range(1, 5):
        for number in range(3):
            questions.nth(number).get_by_label("Yes").check()
        save.click()
        expect_done(plain_page, f"{count} of 4 situations")
    plain_page.get_by_role("button", name="Begin the second pass").click()
    questions.nth(0).get_by_label("No").check()
    questions.nth(1).locator("input").nth(0).check()
    questions.nth(1).get_by_label("None is acceptable").check()
    questions.nth(2).get_by_label("Uncertain").check()
    save.click()
    expect(plain_page.get_by_role("alert")).to_contain_text("chosen together with another answer")
    questions.nth(1).locator("input").nth(0).uncheck()
    questions.nth(1).locator("summary").click()
    questions.nth(1).get_by_role("textbox").fill("All miss the point.")
    save.click()
    expect_done(plain_page, "1 of 2 pairs")
    answers = reviewer.sheets.get(side="").revisions.get().judgements
    assert set(answers.values_list("answer", "comment")) == {
        ("no", ""),
        ("none", "All miss the point."),
        ("uncertain", ""),
    }


def test_pages_look_right_and_are_accessible(
    window: Page,
    review: Review,
    reviewer: Reviewer,
    check_accessibility: Callable,
    take_screenshots: Callable,
):
    def look(name: str) -> None:
        check_accessibility()
        take_screenshots(name)

    press(window, "14")
    look("review-situation")
    press(window, "\n")
    expect(window.get_by_role("alert")).to_be_visible()
    press(window, "j?")
    look("review-refused")
    answer_first_pass(reviewer)
    window.goto(SITUATIONS)
    look("review-first-pass-done")
    open_pairs(window, reviewer)
    press(window, "y13f")
    look("review-pair")
    press(window, "\n")
    expect_done(window, "1 of 2 pairs")
    window.goto("/")
    look("my-work-with-review")
    window.goto("/reviews/review-1/own-answers/")
    look("review-own-answers")
    close_review(reviewer.review)
    window.goto(PAIRS + "?place=1")
    look("review-closed")
