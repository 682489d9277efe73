"""Accounts: made with a one-time password, which leads to the page that replaces it and nowhere else."""

import io
import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from rest_framework.authtoken.models import Token

from annotate.access import is_lead
from annotate.actions.accounts import create_account, issue_one_time_password, renew_token, token_of
from annotate.models import OneTimePassword
from annotate.problems import Problem
from tests.annotate.factories import make_user

pytestmark = pytest.mark.django_db

OWN = "my very own words"
CHANGE = "/accounts/password_change/"


def signed_in(username: str, password: str, address: str = "/accounts/login/") -> Client:
    browser = Client()
    answer = browser.post(address, {"username": username, "password": password})
    assert answer.status_code == 302
    return browser


def choose(browser: Client, old: str, new: str = OWN, again: str | None = None):
    return browser.post(CHANGE, {"old_password": old, "new_password1": new, "new_password2": again or new})


@pytest.fixture
def handed_out() -> str:
    """The one-time password of a new annotator, ana."""
    _, password = create_account("ana", "annotator")
    return password


@pytest.mark.parametrize(("role", "leads", "staff"), [("annotator", False, False), ("lead", True, True)])
def test_an_account_gets_the_rights_of_its_role(role, leads, staff):
    user, _ = create_account("someone", role)
    assert (is_lead(user), user.is_staff, user.is_superuser) == (leads, staff, False)
    assert [group.name for group in user.groups.all()] == [role]


def test_a_one_time_password_reads_well_and_is_each_time_another():
    passwords = {create_account(f"person-{n}", "annotator")[1] for n in range(20)}
    assert len(passwords) == 20
    assert all(re.fullmatch(r"([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}", word) for word in passwords)


@pytest.mark.parametrize("name", ["", "two words", "a/b", "x" * 151, "<b>"])
def test_a_name_that_no_account_can_have_is_refused(name):
    with pytest.raises(Problem, match="An account cannot be named"):
        create_account(name, "annotator")
    assert not User.objects.exists()


def test_a_name_is_given_once_however_it_is_written():
    create_account("ﬁa", "annotator")
    with pytest.raises(Problem, match="There is an account 'fia' already"):
        create_account("fia", "annotator")


def test_an_unknown_role_is_refused():
    with pytest.raises(Problem, match="expected 'lead' or 'annotator'"):
        create_account("ana", "boss")


def test_the_first_sign_in_leads_to_the_password_page_and_nowhere_else(handed_out):
    browser = signed_in("ana", handed_out)
    for address in ("/", "/campaigns/", "/accounts/token/", "/admin/", "/nowhere/", "/accounts/login/"):
        answer = browser.get(address)
        assert (answer.status_code, answer.get("Location")) == (302, CHANGE), address
    assert browser.post("/accounts/token/").status_code == 302
    assert not Token.objects.exists()
    page = browser.get(CHANGE)
    assert page.status_code == 200
    assert "You signed in with a one-time password" in page.content.decode()


def test_an_own_password_opens_the_site_and_ends_the_one_handed_out(handed_out):
    browser = signed_in("ana", handed_out)
    answer = choose(browser, handed_out)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert not OneTimePassword.objects.exists()
    assert "Your password is saved." in browser.get("/").content.decode()
    assert browser.get("/accounts/token/").status_code == 200
    assert not Client().login(username="ana", password=handed_out)
    assert signed_in("ana", OWN).get("/").status_code == 200


@pytest.mark.parametrize(
    ("new", "again", "words"),
    [
        ("short", None, "too short"),
        ("password", None, "too common"),
        ("918273645546", None, "entirely numeric"),
        (OWN, "my very own wards", "match"),
        (None, None, "That is the password you have. Choose another one."),
    ],
)
def test_a_password_that_cannot_be_taken_leaves_everything_shut(handed_out, new, again, words):
    browser = signed_in("ana", handed_out)
    answer = choose(browser, handed_out, new or handed_out, again)
    assert answer.status_code == 200
    assert words in answer.content.decode()
    assert browser.get("/")["Location"] == CHANGE
    assert OneTimePassword.objects.exists()


def test_the_way_out_stays_open(handed_out):
    browser = signed_in("ana", handed_out)
    assert browser.post("/accounts/logout/")["Location"] == "/accounts/login/"
    assert browser.get("/")["Location"].startswith("/accounts/login/")


def test_going_away_and_coming_back_does_not_open_the_site(handed_out):
    signed_in("ana", handed_out).post("/accounts/logout/")
    assert signed_in("ana", handed_out).get("/")["Location"] == CHANGE


@pytest.mark.parametrize("address", ["/accounts/login/", "/admin/login/"])
def test_the_admins_sign_in_knows_one_time_passwords_too(address):
    _, password = create_account("lea", "lead")
    browser = signed_in("lea", password, address)
    assert browser.get("/admin/")["Location"] == CHANGE
    assert browser.get("/admin/password_change/")["Location"] == CHANGE
    choose(browser, password)
    assert browser.get("/admin/").status_code == 200


def test_the_admins_password_page_is_that_of_the_site():
    _, password = create_account("lea", "lead")
    browser = signed_in("lea", password)
    choose(browser, password)
    assert browser.get("/admin/password_change/")["Location"] == CHANGE


def test_a_chosen_password_can_be_changed_again(handed_out):
    browser = signed_in("ana", handed_out)
    choose(browser, handed_out)
    assert "one-time" not in browser.get(CHANGE).content.decode()
    assert choose(browser, OWN, "yet another phrase").status_code == 302
    assert Client().login(username="ana", password="yet another phrase")


def test_a_new_one_time_password_ends_sessions_and_token():
    user = make_user("ana", "annotator")
    browser = signed_in("ana", "a long enough password")
    token_of(user)
    issue_one_time_password(user)
    assert browser.get("/")["Location"].startswith("/accounts/login/")
    assert not Token.objects.exists()


def test_no_token_before_the_first_own_password():
    user, _ = create_account("ana", "annotator")
    for ask in (token_of, renew_token):
        with pytest.raises(Problem, match="choose a password of your own"):
            ask(user)


def test_the_token_page_shows_the_own_token_alone_and_renews_it():
    ana, ben = make_user("ana", "annotator"), make_user("ben", "annotator")
    others = token_of(ben).key
    browser = signed_in("ana", "a long enough password")
    assert "You have no token yet." in browser.get("/accounts/token/").content.decode()
    browser.post("/accounts/token/")
    first = Token.objects.get(user=ana).key
    page = browser.get("/accounts/token/")
    assert "no-store" in page["Cache-Control"]
    assert first in page.content.decode()
    assert others not in page.content.decode()
    browser.post("/accounts/token/")
    second = Token.objects.get(user=ana).key
    assert second != first
    assert first not in browser.get("/accounts/token/").content.decode()
    assert Token.objects.get(user=ben).key == others


def test_the_token_page_needs_a_sign_in():
    assert Client().get("/accounts/token/")["Location"] == "/accounts/login/?next=/accounts/token/"


def add_account(*arguments: str) -> str:
    written = io.StringIO()
    call_command("add_account", *arguments, stdout=written)
    return written.getvalue().strip()


def test_the_command_prints_the_password_of_a_new_account_alone():
    password = add_account("ana")
    user = User.objects.get(username="ana")
    assert user.check_password(password)
    assert not is_lead(user)
    assert OneTimePassword.objects.filter(user=user).exists()


def test_the_command_makes_leads():
    add_account("lea", "--role", "lead")
    assert is_lead(User.objects.get(username="lea"))


def test_the_command_renews_a_password():
    user = make_user("ana", "annotator")
    password = add_account("ana", "--renew")
    user.refresh_from_db()
    assert user.check_password(password)
    assert OneTimePassword.objects.filter(user=user).exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ana"], "There is an account 'ana' already"),
        (["ben", "--renew"], "There is no account 'ben'; leave out --renew to make it."),
        (["two words"], "An account cannot be named 'two words'"),
    ],
)
def test_the_command_refuses_in_one_line(arguments, words):
    make_user("ana", "annotator")
    with pytest.raises(CommandError, match=re.escape(words)):
        add_account(*arguments)
