"""Signing in to the API: a name and a password for a token, a token or a session for everything else."""

import pytest
from django.test import Client
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from annotate.actions.accounts import create_account, issue_one_time_password
from tests.annotate.factories import make_user

PASSWORD = "a long enough password"


def sign_in(username="ana", password=PASSWORD, **headers):
    return APIClient().post(
        "/api/v1/token/", {"username": username, "password": password}, format="json", **headers
    )


def with_token(key: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    return client


@pytest.fixture
def ana(db):
    return make_user("ana", "annotator")


def test_name_and_password_give_a_token_that_works(ana):
    answer = sign_in()
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    assert with_token(answer.json()["token"]).get("/api/v1/campaigns/").status_code == 200


def test_the_token_stays_the_same(ana):
    assert sign_in().json() == sign_in().json()


@pytest.mark.parametrize("wrong", [{"password": "wrong"}, {"username": "nobody"}])
def test_a_wrong_name_or_password_gives_the_same_answer_and_repeats_nothing(ana, wrong):
    answer = sign_in(**wrong)
    assert answer.status_code == 400
    assert answer.json()["detail"] == "Unable to log in with provided credentials."


def test_a_malformed_password_is_not_repeated(ana):
    answer = sign_in(password=["secret-1234"])
    assert answer.status_code == 400
    assert "secret-1234" not in answer.content.decode()


def test_an_account_that_was_closed_gets_no_token_and_its_token_ends(ana):
    key = sign_in().json()["token"]
    ana.is_active = False
    ana.save()
    assert sign_in().status_code == 400
    assert with_token(key).get("/api/v1/campaigns/").status_code == 401


def test_an_account_with_a_one_time_password_is_refused_with_what_to_do(db):
    _, password = create_account("ana", "annotator")
    answer = sign_in(password=password)
    assert answer.status_code == 403
    assert "one-time password" in answer.json()["detail"]
    assert "choose a password of your own" in answer.json()["detail"]
    assert not Token.objects.exists()


def test_a_wrong_one_time_password_tells_nothing_of_the_account(db):
    create_account("ana", "annotator")
    assert sign_in(password="wrong").json() == sign_in(username="nobody").json()


def test_a_new_one_time_password_ends_the_token(ana):
    key = sign_in().json()["token"]
    issue_one_time_password(ana)
    assert with_token(key).get("/api/v1/campaigns/").status_code == 401


def test_a_session_of_a_one_time_password_reaches_no_address_of_the_api(db):
    _, password = create_account("ana", "annotator")
    browser = Client()
    browser.login(username="ana", password=password)
    for address in ("campaigns/", "schema/", "docs/", "nowhere/"):
        answer = browser.get(f"/api/v1/{address}")
        assert answer.status_code == 403
        assert "one-time password" in answer.json()["detail"]


def test_a_session_reads_and_needs_the_csrf_token_to_write(ana):
    browser = APIClient(enforce_csrf_checks=True)
    browser.login(username="ana", password=PASSWORD)
    assert browser.get("/api/v1/campaigns/").status_code == 200
    answer = browser.post("/api/v1/campaigns/round-1/labels/", {}, format="json")
    assert answer.status_code == 403
    assert "CSRF" in answer.json()["detail"]


def test_a_wrong_token_is_refused(db):
    answer = with_token("0" * 40).get("/api/v1/campaigns/")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Token"


def test_the_eleventh_try_within_a_minute_has_to_wait(ana):
    tries = [sign_in(password="wrong").status_code for _ in range(11)]
    assert tries == [400] * 10 + [429]
    waiting = sign_in()
    assert waiting.status_code == 429
    assert 0 < int(waiting["Retry-After"]) <= 60


def test_a_forged_proxy_header_does_not_buy_more_tries(ana):
    tries = [sign_in(password="wrong", HTTP_X_FORWARDED_FOR=f"10.0.0.{n}").status_code for n in range(11)]
    assert tries[-1] == 429
