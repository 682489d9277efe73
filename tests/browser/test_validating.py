"""Checking answers of models in a real browser: by keyboard, with the search, and with what goes wrong."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, Request, Route, expect

from annotate.actions.validation import close_sample, create_sample
from annotate.models import Rater, ValidationLabel, ValidationLabelRevision, ValidationSample
from annotate.validation import QUESTIONS, Question

pytestmark = pytest.mark.browser

ADDRESS, OWN = "/validation/letters-1/label/", "/validation/letters-1/own/"
LETTER = (
    "Dear IRS Agent,\n\n"
    "I am writing about the notice of 3 March {number}, which says that the income I declared does not "
    "agree with what my bank has reported.\n\n"
    "The difference comes from a transfer between two accounts of my own. It was counted as income, "
    "although no money was earned. I enclose both statements and the confirmation of the bank.\n\n"
    "- Statement of the account at the credit union, January to March\n- Statement of the savings "
    "account, same months\n- Letter of the bank, signed by its branch manager\n\n"
    "Aye, I know that numbers like these make nobody's day brighter, least of all yours. Still, if one "
    "of them has slipped, I would rather hear it from you than from the next notice.\n\n"
    "Please tell me if anything else is needed. I would be glad to settle the matter within the thirty "
    "days that the notice gives, and I can be reached by telephone in the mornings.\n\n"
    "Yours faithfully,\nCaptain\nCaptain Alex Morgan\n"
)
SITUATION = (
    "My niece is visiting for the weekend and eats from my plate. She is four, and has never had anything "
    "hotter than ketchup. The noodle bar is packed, and the waiter would like to know now."
)


def texts_of(question: Question, number: int) -> dict[str, str]:
    """Return an item's texts as people and models would write them."""
    texts = {
        "recipient": "IRS Agent",
        "task": "Resolve a tax discrepancy",
        "preference": "Likes to be called Captain, and wants answers with a sarcastic edge.",
        "situation": SITUATION,
        "request": "What shall I order?",
        "message": LETTER.format(number=number),
    }
    return {name: texts[name] for name in QUESTIONS[question].texts}


def open_sample(user: User, question: Question = Question.LABEL, slug: str = "letters-1") -> ValidationSample:
    return create_sample(
        slug=slug,
        question=question,
        texts=[texts_of(question, number) for number in range(1, 5)],
        seed=5,
        users=[user],
        name="Letters, round 1",
    )


@pytest.fixture
def rater(make_user) -> Rater:
    return open_sample(make_user("ana", "annotator")).raters.get()


@pytest.fixture
def window(page: Page, rater: Rater, sign_in) -> Page:
    """Open the first item."""
    sign_in(rater.user)
    page.goto(ADDRESS)
    return page


def settled(page: Page) -> None:
    """Wait until the keys work: see test_labelling.settled."""
    page.wait_for_load_state()
    expect(page.locator("#work[data-resting]")).to_have_count(0)


def press(page: Page, key: str) -> None:
    settled(page)
    page.keyboard.press(key)


def expect_done(page: Page, count: int) -> None:
    expect(page.locator("header.campaign")).to_contain_text(f"{count} of 4")


def values() -> list[float | None]:
    return list(ValidationLabelRevision.objects.order_by("pk").values_list("value", flat=True))


def search(page: Page, words: str) -> None:
    press(page, "/")
    expect(page.get_by_label("Find in the text")).to_be_focused()
    page.keyboard.type(words)


def in_sight(page: Page, selector: str) -> bool:
    """Tell whether what stands at the middle of an element is the element itself, and not covered."""
    return page.locator(selector).evaluate("""element => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }""")


# Answers.


def test_a_whole_sample_by_keyboard(window: Page, rater: Rater):
    shown = []
    for count, key in enumerate("12u1", start=1):
        settled(window)
        shown.append(window.locator("#message").text_content())
        press(window, key)
        if count < 4:
            expect_done(window, count)
    expect(window.get_by_role("region", name="Done")).to_be_focused()
    labels = rater.labels.order_by("pk")
    assert [label.item.texts["message"] for label in labels] == shown
    assert [label.value for label in labels] == [1, 0, None, 1]


def test_the_new_item_is_focused_from_its_top_and_the_time_of_saving_announced(window: Page):
    window.set_viewport_size({"width": 600, "height": 500})
    window.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    press(window, "1")
    expect(window.locator("#state")).to_contain_text("saved ")
    expect(window.get_by_role("region", name="Item 2 of 4")).to_be_focused()
    expect(window.locator("header.campaign")).to_be_in_viewport()
    assert in_sight(window, ".case dd")


def test_cannot_tell_is_an_answer_with_its_comment(window: Page):
    press(window, "c")
    expect(window.get_by_role("textbox", name="Comment")).to_be_focused()
    window.keyboard.type("12u is cut off.")
    window.keyboard.press("Escape")
    expect(window.get_by_role("textbox", name="Comment")).to_be_visible()
    press(window, "u")
    expect_done(window, 1)
    label = ValidationLabel.objects.get()
    assert (label.value, label.comment) == (None, "12u is cut off.")


def test_escape_closes_an_empty_comment(window: Page):
    press(window, "c")
    expect(window.get_by_role("textbox", name="Comment")).to_be_focused()
    window.keyboard.press("Escape")
    expect(window.get_by_role("textbox", name="Comment")).to_be_hidden()
    press(window, "1")
    expect_done(window, 1)


def test_back_changes_an_answer_and_keeps_the_old_one(window: Page):
    for count in (1, 2):
        press(window, "1")
        expect_done(window, count)
    press(window, "b")
    expect(window.get_by_role("region", name="Item 2 of 4")).to_be_visible()
    expect(window.get_by_text("Your answer: Follows")).to_be_visible()
    press(window, "b")
    expect(window.get_by_role("region", name="Item 1 of 4")).to_be_visible()
    press(window, "2")
    expect(window.get_by_role("region", name="Item 3 of 4")).to_be_visible()
    assert values() == [1, 1, 0]
    press(window, "b")
    expect(window.get_by_text("Your answer: Follows")).to_be_visible()
    press(window, ".")
    expect(window.get_by_role("region", name="Item 3 of 4")).to_be_visible()


def test_own_answers_lead_back_to_an_item(window: Page):
    press(window, "2")
    expect_done(window, 1)
    window.get_by_role("link", name="Own answers").click()
    expect(window.get_by_role("cell", name="Does not follow")).to_be_visible()
    window.get_by_role("link", name="Change the answer to item 1").click()
    expect(window.get_by_text("Your answer: Does not follow")).to_be_visible()
    press(window, "1")
    expect(window.get_by_role("region", name="Item 2 of 4")).to_be_visible()
    assert values() == [0, 1]


def test_keys_rest_with_modifiers(window: Page):
    settled(window)
    for keys in ("Control+1", "Alt+2", "Shift+U"):
        window.keyboard.press(keys)
    expect_done(window, 0)
    assert not ValidationLabel.objects.exists()


def test_guideline_and_keys_come_into_sight_below_a_long_text(window: Page):
    window.set_viewport_size({"width": 600, "height": 500})
    for key, name in (("g", "Does the message follow the preference?"), ("?", "Keys")):
        press(window, key)
        summary = window.locator(".foot summary", has_text="Guideline" if key == "g" else name)
        expect(summary).to_be_in_viewport()
    expect(window.get_by_role("heading", name="Does the message follow the preference?")).to_be_visible()
    expect(window.get_by_text("it is saved with the answer")).to_be_visible()


@pytest.mark.parametrize("size", [(1100, 760), (600, 500), (360, 740)])
def test_buttons_and_state_stay_in_sight_wherever_the_text_is(page: Page, make_user, sign_in, size):
    """Also where a question has many answers, on a narrow screen."""
    user = make_user("ana", "annotator")
    open_sample(user, Question.COMPLETENESS)
    sign_in(user)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(ADDRESS)
    settled(page)
    for down in (0, 200, 400):
        page.evaluate("down => scrollTo(0, down)", down)
        assert all(in_sight(page, f'button[data-key="{key}"]') for key in "12345u"), (size, down)
    page.context.set_offline(True)
    expect(page.locator("#state")).to_have_text("offline")
    assert in_sight(page, "#state")
    page.context.set_offline(False)


# The search.


def test_a_nickname_is_found_marked_and_gone_to(window: Page):
    window.set_viewport_size({"width": 600, "height": 500})
    whole = window.locator("#message").text_content()
    search(window, "cAPTAin")
    expect(window.locator("mark")).to_have_text(["Captain", "Captain"])
    expect(window.locator("#found")).to_have_text("2 found")
    expect(window.locator("mark").first).not_to_be_in_viewport()
    for count in (1, 2, 1):
        window.keyboard.press("Enter")
        expect(window.locator("#found")).to_have_text(f"{count} of 2 found")
        current = window.locator("mark[data-current]")
        expect(current).to_have_count(1)
        assert in_sight(window, "mark[data-current]")
    assert window.locator("#message").text_content() == whole
    window.keyboard.press("Escape")
    expect(window.locator("mark")).to_have_count(0)
    expect(window.locator("#found")).to_be_empty()
    assert window.locator("#message").text_content() == whole
    press(window, "1")
    expect_done(window, 1)


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        ("moon", []),
        (".", ["."] * 8),
        ("(", []),
        ("account[s]", []),
        ("letter  of the", ["Letter of the"]),
        ("faithfully, captain", ["faithfully,\nCaptain"]),
        ("  ", []),
    ],
)
def test_what_is_typed_is_plain_text(window: Page, words: str, marked: list[str]):
    search(window, words)
    assert window.locator("mark").evaluate_all("all => all.map(mark => mark.textContent)") == marked
    count = f"{len(marked)} found" if marked else "not found" if words.strip() else ""
    expect(window.locator("#found")).to_have_text(count)


def test_a_text_that_looks_like_html_stays_text(page: Page, make_user, sign_in):
    user = make_user("ana", "annotator")
    message = 'Hi <b>you</b> <img src="x" onerror="document.title = 1"> &amp; İstanbul, STRASSE.'
    texts = {"preference": "Likes <b>.", "message": message}
    create_sample(slug="letters-1", question="label", texts=[texts], seed=1, users=[user])
    sign_in(user)
    page.goto(ADDRESS)
    for words, count in (("<b>", 1), ("&amp;", 1), ("onerror", 1), ("stanbul", 1), ("strasse.", 1)):
        search(page, words)
        expect(page.locator("mark")).to_have_count(count)
        assert page.locator("mark").text_content().lower() == words
        assert page.locator("#message").text_content() == message
        page.keyboard.press("Escape")
    assert page.locator("#message b, #message img").count() == 0


def test_answer_keys_rest_in_the_search_and_work_after_it(window: Page):
    search(window, "12ub.?/g")
    expect(window.get_by_label("Find in the text")).to_have_value("12ub.?/g")
    expect_done(window, 0)
    window.keyboard.press("Escape")
    press(window, "2")
    expect_done(window, 1)
    expect(window.get_by_label("Find in the text")).to_have_value("")
    search(window, "captain")
    expect(window.locator("#found")).to_have_text("2 found")


# What goes wrong on the way.


def test_a_double_click_saves_one_answer(window: Page):
    settled(window)
    window.get_by_role("button", name="Follows").dblclick()
    expect_done(window, 1)
    settled(window)
    window.reload()
    expect_done(window, 1)
    assert values() == [1]


def test_keys_pressed_before_the_page_is_there_break_nothing(window: Page):
    settled(window)
    window.keyboard.type("1" * 20)
    expect(window.locator("#state")).to_contain_text("saved")
    assert not ValidationLabel.objects.filter(version__gt=1).exists()


def test_two_windows_neither_lose_nor_double_an_answer(window: Page):
    other = window.context.new_page()
    other.goto(ADDRESS)
    press(window, "1")
    expect_done(window, 1)
    press(other, "2")
    expect(other.get_by_role("alert")).to_contain_text("As saved, your answer is 'Follows'")
    assert values() == [1]
    press(other, "2")
    expect(other.get_by_role("alert")).to_have_count(0)
    assert values() == [1, 0]


def test_an_answer_whose_reply_was_lost_is_not_doubled(window: Page):
    def lose_reply(route: Route) -> None:
        route.fetch()
        route.abort()

    window.route("**/label/", lose_reply)
    press(window, "1")
    expect(window.locator("#state")).to_contain_text("not saved")
    window.unroute("**/label/")
    press(window, "1")
    expect_done(window, 1)
    assert values() == [1]


def test_a_lost_connection_is_shown_and_the_answer_can_be_sent_again(window: Page):
    window.context.set_offline(True)
    expect(window.locator("#state")).to_have_text("offline")
    press(window, "1")
    expect(window.locator("#state")).to_contain_text("not saved: no connection")
    window.context.set_offline(False)
    press(window, "1")
    expect_done(window, 1)
    assert values() == [1]


def test_a_session_that_ended_says_that_nothing_was_saved(window: Page):
    window.context.clear_cookies(name="sessionid")
    press(window, "1")
    expect(window.get_by_text("Not saved: your session had ended.")).to_be_visible()
    assert not ValidationLabel.objects.exists()


def test_a_closed_sample_is_read_only(window: Page, rater: Rater):
    press(window, "1")
    expect_done(window, 1)
    close_sample(rater.sample)
    press(window, "2")
    expect(window.get_by_role("alert")).to_contain_text("labelling has ended here")
    expect(window.get_by_role("group").get_by_role("button")).to_have_count(0)
    press(window, "1")
    assert values() == [1]
    window.goto(ADDRESS)
    expect(window.get_by_text("Labelling has ended here")).to_be_visible()
    press(window, "b")
    expect(window.get_by_text("Your answer: Follows")).to_be_visible()
    expect(window.get_by_role("group").get_by_role("button")).to_have_count(0)


def wire_size(request: Request) -> int:
    """Return the bytes of an answer, its head included."""
    sizes = request.sizes()
    return sizes["responseBodySize"] + sizes["responseHeadersSize"]


def test_the_first_page_and_each_next_item_are_small(page: Page, rater: Rater, sign_in):
    """Texts and guideline included; styles and scripts are mostly those of labelling: see there."""
    sign_in(rater.user)
    with page.expect_request_finished(lambda request: request.url.endswith(ADDRESS)) as loading:
        page.goto(ADDRESS)
    assert wire_size(loading.value) < 15_000
    settled(page)
    with page.expect_request_finished() as saving:
        page.keyboard.press("1")
    assert wire_size(saving.value) < 8_000
    expect_done(page, 1)


@pytest.fixture
def plain_page(browser: Browser, page: Page, rater: Rater, sign_in, live_server) -> Iterator[Page]:
    """Open a window without JavaScript, signed in."""
    sign_in(rater.user)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    context.add_cookies(page.context.cookies())
    plain = context.new_page()
    plain.goto(ADDRESS)
    yield plain
    context.close()


def test_everything_but_the_search_works_without_javascript(plain_page: Page):
    expect(plain_page.get_by_label("Find in the text")).to_be_hidden()
    plain_page.get_by_role("button", name="Does not follow").click()
    expect_done(plain_page, 1)
    plain_page.locator("summary", has_text="Comment").click()
    plain_page.get_by_role("textbox", name="Comment").fill("It is cut off.")
    plain_page.get_by_role("button", name="Cannot tell").click()
    expect_done(plain_page, 2)
    plain_page.get_by_role("link", name="Back").click()
    expect(plain_page.get_by_role("textbox", name="Comment")).to_have_value("It is cut off.")
    plain_page.get_by_role("button", name="Follows").click()
    expect_done(plain_page, 2)
    assert values() == [0, None, 1]
    assert ValidationLabel.objects.latest("pk").comment == "It is cut off."


# How it looks.


@pytest.mark.parametrize("question", list(Question))
def test_each_question_looks_right_and_is_accessible(
    question: Question,
    page: Page,
    make_user,
    sign_in,
    check_accessibility: Callable,
    take_screenshots: Callable,
):
    user = make_user("ana", "annotator")
    open_sample(user, question)
    sign_in(user)
    page.goto(ADDRESS)
    check_accessibility()
    take_screenshots(f"validation-{question.value}")


def test_pages_look_right_and_are_accessible(
    window: Page, rater: Rater, check_accessibility: Callable, take_screenshots: Callable
):
    def look(name: str) -> None:
        check_accessibility()
        take_screenshots(name)

    search(window, "captain")
    window.keyboard.press("Enter")
    look("validation-search")
    window.keyboard.press("Escape")
    press(window, "c")
    window.keyboard.type("It signs as Captain.")
    window.keyboard.press("Escape")
    press(window, "1")
    expect_done(window, 1)
    press(window, "g")
    press(window, "?")
    look("validation-guideline")
    for count in (2, 3, 4):
        press(window, "2u2"[count - 2])
        if count < 4:
            expect_done(window, count)
    expect(window.get_by_role("heading", name="Done")).to_be_visible()
    look("validation-done")
    window.goto(ADDRESS + "?place=1")
    look("validation-change")
    window.goto(OWN)
    look("validation-own-answers")
    window.goto("/")
    look("my-work-with-validation")
    close_sample(rater.sample)
    window.goto(ADDRESS + "?place=1")
    look("validation-closed")
