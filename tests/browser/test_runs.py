"""A lead's way through runs, in a real browser."""

import pytest
from django.urls import reverse

from tests.evaluation.factories import (
    end_generation,
    finish_run,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)

pytestmark = pytest.mark.browser


@pytest.fixture
def lead(make_user, sign_in):
    user = make_user("lea", "lead")
    user.is_staff = True
    user.save()
    sign_in(user)
    return user


def test_a_finished_run_reads_well_and_without_violations(lead, page, check_accessibility, take_screenshots):
    release = make_release(make_corpus(), is_example=True)
    run = finish_run(make_run(release, conditions=("default", "mitigation"), samples=3))
    page.goto(reverse("run", args=[run.pk]))
    assert page.get_by_alt_text("MR and AAR in per cent").evaluate("image => image.naturalWidth > 0")
    page.get_by_text("Values that the paper reports").click()
    check_accessibility()
    take_screenshots("run")


def test_the_list_of_runs_has_no_violations(lead, page, check_accessibility, take_screenshots):
    page.goto(reverse("run-list"))
    check_accessibility()
    release = make_release(make_corpus())
    for name in ("small", "large"):
        make_run(release, endpoint=make_endpoint(name), judges=[])
    page.goto(reverse("run-list"))
    check_accessibility()
    take_screenshots("run-list")


def test_a_running_run_refreshes_by_itself_and_shows_its_report_when_it_ends(
    lead, page, check_accessibility, take_screenshots
):
    run = make_run(state="running")
    page.goto(reverse("run", args=[run.pk]))
    assert page.get_by_text("0 of 4 messages").is_visible()
    check_accessibility()
    take_screenshots("run-running")
    end_generation(run.generations.first())
    page.get_by_text("1 of 4 messages").wait_for()
    finish_run(run)
    page.get_by_text("4 of 4 messages").wait_for()
    page.get_by_alt_text("MR and AAR in per cent").wait_for()


def test_adding_an_endpoint_refuses_a_key_in_plain_words(lead, page, check_accessibility, take_screenshots):
    page.goto(reverse("admin:evaluation_endpoint_add"))
    page.get_by_label("Name:", exact=True).fill("small")
    page.get_by_label("Base url:").fill("http://127.0.0.1:8080/v1")
    page.get_by_label("Model:").fill("small-1")
    page.get_by_label("Key variable:").fill("sk-abcdef0123456789")
    page.get_by_role("button", name="Save", exact=True).click()
    assert page.get_by_text("it looks like the key itself").is_visible()
    assert "sk-abcdef" not in page.content()
    check_accessibility()
    take_screenshots("admin-endpoint")
    page.get_by_label("Key variable:").fill("MODEL_API_KEY")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was added successfully").wait_for()
