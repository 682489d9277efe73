"""Labelling in a real browser: by keyboard, without JavaScript, and with what goes wrong on the way."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from annotate.actions.settling import resolve_flag
from annotate.models import Annotator, Campaign, Flag, Label, LabelRevision
from tests.annotate.factories import make_campaign

pytestmark = pytest.mark.browser

PAGE = "/campaigns/round-1/label/"
GUIDELINE = """# When to apply

Apply only where the preference is **appropriate and helpful** for that message.

- It would clash with the norms of the letter: suppress.
- It would draw attention from the task: suppress.
"""


@pytest.fixture
def campaign(transactional_db) -> Campaign:
    """Make a campaign of six items with texts as people would write them."""
    campaign = make_campaign(contexts=2, preferences=3)
    campaign.name = "Formal letters, round 1"
    campaign.save()
    campaign.guidelines.update(text=GUIDELINE)
    clerk, doctor = campaign.dataset.contexts.all()
    for context, recipient, task in [
        (clerk, "Tax office", "Explain a discrepancy in the return of last year"),
        (doctor, "Family doctor", "Ask for an appointment"),
    ]:
        context.recipient, context.task = recipient, task
        context.save()
    for preference, text in zip(
        campaign.dataset.preferences.all(),
        [
            "Likes answers with a sarcastic edge.",
            "Wants bullet points wherever a list is possible.",
            "Wants to be called Captain.",
        ],
        strict=True,
    ):
        preference.text = text
        preference.save()
    return campaign


@pytest.fixture
def ana(campaign) -> Annotator:
    return campaign.annotators.get(pseudonym="A1")


@pytest.fixture
def labeller(page: Page, ana: Annotator, sign_in) -> Page:
    """Open the page of the first annotator."""
    sign_in(ana.user)
    page.goto(PAGE)
    return page


def settled(page: Page) -> None:
    """Wait until the keys work: a new page has to load, and they rest a moment when a new item appears."""
    page.wait_for_load_state()
    expect(page.locator("#work[data-resting]")).to_have_count(0)


def press(page: Page, key: str) -> None:
    settled(page)
    page.keyboard.press(key)


def expect_done(page: Page, count: int) -> None:
    expect(page.locator("header.campaign")).to_contain_text(f"{count} of 6")


def shown(page: Page) -> str:
    return page.locator("input[name=item]").first.input_value()


def test_a_whole_campaign_by_keyboard(labeller: Page, ana: Annotator):
    for count, key in enumerate("121221", start=1):
        press(labeller, key)
        if count < 6:
            expect_done(labeller, count)
    expect(labeller.get_by_role("region", name="Done for today")).to_be_focused()
    values = ana.assignments.order_by("pk").values_list("item__labels__value", flat=True)
    assert list(values) == [1, 0, 1, 0, 0, 1]
    assert Label.objects.count() == LabelRevision.objects.count() == 6


def test_the_new_item_is_focused_and_the_time_of_saving_announced(labeller: Page):
    expect(labeller.locator("#item")).to_be_focused()
    press(labeller, "1")
    expect(labeller.get_by_role("status")).to_contain_text("saved ")
    expect(labeller.locator("#item")).to_be_focused()
    name = labeller.get_by_role("region", name="Is it right to reflect this preference")
    expect(name).to_be_focused()


def test_back_shows_own_earlier_items_and_changes_one(labeller: Page, ana: Annotator):
    first = shown(labeller)
    for count in (1, 2):
        press(labeller, "1")
        expect_done(labeller, count)
    labeller.keyboard.press("b")
    expect(labeller.get_by_text("Your answer: apply")).to_be_visible()
    labeller.keyboard.press("b")
    expect(labeller.locator("input[name=item]").first).to_have_value(first)
    press(labeller, "2")
    expect(labeller.get_by_text("Your answer")).to_have_count(0)
    changed = Label.objects.get(item__number=first)
    assert list(changed.revisions.values_list("value", flat=True)) == [1, 0]
    assert Label.objects.count() == 2


def test_skip_and_on_to_the_next(labeller: Page, ana: Annotator):
    first = shown(labeller)
    press(labeller, "s")
    expect(labeller.get_by_role("status")).to_contain_text("Skipped")
    assert shown(labeller) != first
    assert ana.assignments.get(item__number=first).state == "skipped"


def test_cannot_decide_opens_a_box_in_which_keys_rest(labeller: Page):
    press(labeller, "u")
    expect(labeller.locator("#comment")).to_be_focused()
    labeller.keyboard.type("12s: is a doctor formal?")
    labeller.get_by_role("button", name="Send to the lead").click()
    expect(labeller.get_by_role("status")).to_contain_text("Sent to the lead.")
    assert Flag.objects.get().comment == "12s: is a doctor formal?"
    assert not Label.objects.exists()


def test_escape_leaves_the_box(labeller: Page):
    press(labeller, "u")
    expect(labeller.locator("#comment")).to_be_focused()
    labeller.keyboard.press("Escape")
    expect(labeller.locator("#comment")).to_be_hidden()


def test_escape_closes_a_box_that_has_not_taken_the_focus_yet(labeller: Page):
    settled(labeller)
    labeller.evaluate("""() => {
        for (const key of ["u", "Escape"])
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }""")
    expect(labeller.locator("#comment")).to_be_hidden()
    expect(labeller.locator("summary", has_text="Cannot decide")).to_be_focused()


def test_keys_rest_with_modifiers(labeller: Page):
    settled(labeller)
    for keys in ("Control+1", "Alt+2", "Shift+S"):
        labeller.keyboard.press(keys)
    expect_done(labeller, 0)
    assert not Label.objects.exists()


def test_a_key_shows_the_keys_and_another_the_guideline(labeller: Page):
    labeller.keyboard.press("?")
    expect(labeller.get_by_text("Skip for now; the item comes again later")).to_be_visible()
    labeller.keyboard.press("g")
    expect(labeller.get_by_role("heading", name="When to apply")).to_be_visible()


def test_a_double_click_labels_one_item(labeller: Page):
    labeller.get_by_role("button", name="Apply").dblclick()
    expect_done(labeller, 1)
    settled(labeller)
    labeller.reload()
    expect_done(labeller, 1)
    assert LabelRevision.objects.count() == 1


def test_a_reload_and_the_back_button_keep_the_item_in_hand(labeller: Page):
    press(labeller, "1")
    expect_done(labeller, 1)
    second = shown(labeller)
    labeller.reload()
    assert shown(labeller) == second
    labeller.goto("/")
    labeller.go_back()
    expect(labeller.locator("input[name=item]").first).to_have_value(second)
    press(labeller, "2")
    expect_done(labeller, 2)
    assert LabelRevision.objects.count() == 2


def test_two_tabs_neither_lose_nor_double_a_label(labeller: Page):
    other = labeller.context.new_page()
    other.goto(PAGE)
    assert shown(other) == shown(labeller)
    press(labeller, "1")
    expect_done(labeller, 1)
    press(other, "2")
    expect(other.get_by_role("alert")).to_contain_text("As saved, your answer is 'apply'")
    assert Label.objects.get().value == 1
    press(other, "2")
    expect(other.get_by_role("alert")).to_have_count(0)
    assert list(LabelRevision.objects.values_list("value", flat=True)) == [1, 0]


def test_an_ended_session_brings_the_sign_in_page_and_says_what_was_not_saved(labeller: Page, ana: Annotator):
    labeller.context.clear_cookies(name="sessionid")
    press(labeller, "1")
    expect(labeller.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(labeller.get_by_text("Not saved: your session had ended.")).to_be_visible()
    assert not Label.objects.exists()
    labeller.get_by_label("Username").fill(ana.user.username)
    labeller.get_by_label("Password").fill("a long enough password")
    labeller.get_by_role("button", name="Sign in").click()
    expect(labeller.locator("#item")).to_be_visible()
    press(labeller, "1")
    expect_done(labeller, 1)


def test_a_sign_in_in_another_tab_does_not_lose_the_answer(labeller: Page, ana: Annotator):
    labeller.context.clear_cookies(name="sessionid")
    other = labeller.context.new_page()
    other.goto("/accounts/login/")
    other.get_by_label("Username").fill(ana.user.username)
    other.get_by_label("Password").fill("a long enough password")
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("heading", name="My work")).to_be_visible()
    press(labeller, "1")
    expect_done(labeller, 1)


def test_a_lost_connection_is_shown_and_the_answer_can_be_sent_again(labeller: Page):
    labeller.context.set_offline(True)
    expect(labeller.get_by_role("status")).to_have_text("offline")
    press(labeller, "1")
    expect(labeller.get_by_role("status")).to_contain_text("not saved: no connection")
    labeller.context.set_offline(False)
    press(labeller, "1")
    expect_done(labeller, 1)
    assert LabelRevision.objects.count() == 1


def test_an_answer_whose_reply_was_lost_is_not_doubled(labeller: Page):
    def lose_reply(route: Route) -> None:
        route.fetch()
        route.abort()

    first = shown(labeller)
    labeller.route("**/label/", lose_reply)
    press(labeller, "1")
    expect(labeller.get_by_role("status")).to_contain_text("not saved")
    labeller.unroute("**/label/")
    press(labeller, "1")
    expect_done(labeller, 1)
    assert shown(labeller) != first
    assert LabelRevision.objects.count() == 1


def test_a_fault_of_the_server_leaves_the_item_and_says_so(labeller: Page):
    first = shown(labeller)
    labeller.route("**/label/", lambda route: route.fulfill(status=500, body="<h1>Broken</h1>"))
    press(labeller, "1")
    expect(labeller.get_by_role("status")).to_contain_text("not saved: the server answered with error 500")
    assert shown(labeller) == first


def wire_size(request: Request) -> int:
    """Return the bytes of an answer, its head included."""
    sizes = request.sizes()
    return sizes["responseBodySize"] + sizes["responseHeadersSize"]


def test_the_first_page_and_each_next_item_are_small(page: Page, ana: Annotator, sign_in):
    sign_in(ana.user)
    requests: list[Request] = []
    page.on("requestfinished", lambda request: requests.append(request))
    page.goto(PAGE, wait_until="networkidle")
    assert len(requests) >= 4  # the page, its style and its two scripts
    assert sum(map(wire_size, requests)) < 60_000
    settled(page)
    with page.expect_request_finished() as saving:
        page.keyboard.press("1")
    assert wire_size(saving.value) < 8_000
    expect_done(page, 1)


@pytest.fixture
def plain_page(browser: Browser, page: Page, ana: Annotator, sign_in, live_server) -> Page:
    """Open a window without JavaScript, signed in."""
    sign_in(ana.user)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    context.add_cookies(page.context.cookies())
    plain = context.new_page()
    plain.goto(PAGE)
    yield plain
    context.close()


def test_everything_works_without_javascript(plain_page: Page):
    plain_page.get_by_role("button", name="Apply").click()
    expect_done(plain_page, 1)
    plain_page.get_by_role("button", name="Skip for now").click()
    expect(plain_page.get_by_text("Skipped; it comes again later.")).to_be_visible()
    plain_page.locator("summary", has_text="Cannot decide").click()
    plain_page.get_by_label("What makes it hard").fill("Hard.")
    plain_page.get_by_role("button", name="Send to the lead").click()
    expect(plain_page.get_by_text("Sent to the lead.")).to_be_visible()
    plain_page.get_by_role("link", name="Back").click()
    plain_page.get_by_role("button", name="Suppress").click()
    expect_done(plain_page, 1)
    assert list(LabelRevision.objects.values_list("value", flat=True)) == [1, 0]
    assert Flag.objects.get().comment == "Hard."


def test_pages_look_right_and_are_accessible(
    labeller: Page, ana: Annotator, check_accessibility: Callable, take_screenshots: Callable
):
    def look(name: str) -> None:
        check_accessibility()
        take_screenshots(name)

    look("label")
    labeller.keyboard.press("g")
    labeller.keyboard.press("u")
    look("label-cannot-decide")
    labeller.get_by_label("What makes it hard").fill("Is a tax office always formal?")
    labeller.get_by_role("button", name="Send to the lead").click()
    expect(labeller.get_by_role("status")).to_contain_text("Sent to the lead.")
    resolve_flag(Flag.objects.get(), "Yes; go by the recipient.")
    for count in range(1, 6):
        press(labeller, "2")
        expect_done(labeller, count)
    expect(labeller.get_by_text("The lead answers: Yes")).to_be_visible()
    look("label-answered")
    labeller.keyboard.press("b")
    expect(labeller.get_by_text("Your answer: suppress")).to_be_visible()
    labeller.keyboard.press("?")
    look("label-change")
    labeller.goto("/campaigns/round-1/labels/")
    look("own-labels")
    labeller.goto("/")
    look("my-work")
    labeller.goto(PAGE)
    press(labeller, "1")
    expect(labeller.get_by_role("heading", name="Done for today")).to_be_visible()
    look("label-done")
