"""Signing in, choosing a password, the token page, the API's page, and the pages of what is not there."""

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import Page, expect

from annotate.access import ANNOTATOR, LEAD
from annotate.actions.accounts import create_account

pytestmark = pytest.mark.browser

OWN = "my very own words"


@pytest.fixture
def groups(transactional_db):
    """The groups that a migration makes and that a flushed database has lost."""
    for name in (ANNOTATOR, LEAD):
        Group.objects.get_or_create(name=name)


def fill_and_sign_in(page: Page, username: str, password: str) -> None:
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def test_from_a_one_time_password_to_the_own_work(groups, page, check_accessibility, take_screenshots):
    _, password = create_account("ana", ANNOTATOR)
    page.goto("/")
    check_accessibility()
    take_screenshots("login")
    fill_and_sign_in(page, "ana", "wrong")
    expect(page.get_by_role("alert")).to_contain_text("do not match")
    check_accessibility()
    take_screenshots("login-refused")
    fill_and_sign_in(page, "ana", password)
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose a password")
    check_accessibility()
    take_screenshots("password")
    page.get_by_label("Old password").fill(password)
    page.get_by_label("New password:").fill("short")
    page.get_by_label("New password confirmation").fill("shirt")
    page.get_by_role("button", name="Save password").click()
    check_accessibility()
    take_screenshots("password-refused")
    page.get_by_label("Old password").fill(password)
    page.get_by_label("New password:").fill(OWN)
    page.get_by_label("New password confirmation").fill(OWN)
    page.get_by_role("button", name="Save password").click()
    expect(page.get_by_text("Your password is saved.")).to_be_visible()


def test_a_token_is_made_and_replaced(make_user, sign_in, page, check_accessibility, take_screenshots):
    sign_in(make_user("ana", ANNOTATOR))
    page.goto("/accounts/password_change/")
    page.get_by_role("link", name="API token").click()
    check_accessibility()
    page.get_by_role("button", name="Make a token").click()
    first = page.locator("main code").first.text_content()
    check_accessibility()
    take_screenshots("token")
    page.get_by_role("button", name="Replace").click()
    expect(page.locator("main code").first).not_to_have_text(first)


@pytest.mark.parametrize(("address", "name"), [("/nowhere/", "404"), ("/gold/", "403")])
def test_what_is_not_there_or_not_for_you_is_said(
    make_user, sign_in, page, check_accessibility, take_screenshots, address, name
):
    sign_in(make_user("ana", ANNOTATOR))
    page.goto(address)
    check_accessibility()
    take_screenshots(name)
    page.get_by_role("link", name="To the start page").click()
    expect(page).to_have_title("My work · Tact")


def test_a_form_that_has_expired_says_so(page, check_accessibility, take_screenshots):
    page.goto("/accounts/login/")
    page.context.clear_cookies()
    fill_and_sign_in(page, "ana", "any")
    expect(page.get_by_role("heading", level=1)).to_have_text("This form has expired")
    check_accessibility()
    take_screenshots("403-csrf")


def test_the_page_of_the_api_shows_it_and_tries_it_out(make_user, sign_in, page, take_screenshots):
    sign_in(make_user("ana", ANNOTATOR))
    page.goto("/api/v1/docs/")
    page.locator("#operations-campaigns-campaigns_list").wait_for()
    take_screenshots("api")
    page.locator("#operations-campaigns-campaigns_list .opblock-summary-control").click()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").click()
    expect(page.locator(".live-responses-table tbody .response-col_status").first).to_contain_text("200")
    take_screenshots("api-tried")
