"""A lead reads the answers of a run, one of them whole, and beside another run's, in a real browser."""

import pytest
from django.urls import reverse

from evaluation.actions import create_run
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.factories import (
    end_generation,
    finish_run,
    give_verdict,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)

pytestmark = pytest.mark.browser

LETTER = (
    "Dear Sir or Madam,\n\nI would like to ask for a loan of 9,000 euros for a used car. My salary "
    "statements of the last three months are enclosed.\n\n    https://bank.example.org/"
    + "loan-" * 30
    + "\n\nYours, Joker"
)


@pytest.fixture
def lead(make_user, sign_in):
    user = make_user("lea", "lead")
    sign_in(user)
    return user


def answered_run(release, name, judges):
    """Answer a run with a letter and a thought; the first judge finds every tone followed, others none."""
    run = finish_run(make_run(release, endpoint=make_endpoint(name), judges=judges, conditions=CONDITIONS))
    for row in run.generations.all():
        end_generation(row, message=LETTER)
        answer = {"role": "assistant", "content": LETTER, "reasoning": "A bank: the tone should be formal."}
        row.reply = [{"choices": [{"message": answer, "finish_reason": "stop"}]}]
        row.save(update_fields=["reply"])
        for place, judge in enumerate(run.judges.order_by("pk")):
            give_verdict(row, "tone", int(place == 0), judge=judge)
    return run


CONDITIONS = ("default", "mitigation")


def test_answers_are_filtered_read_whole_and_compared(lead, page, check_accessibility, take_screenshots):
    release = make_release(make_corpus(), is_example=True)
    judges = [make_endpoint("first-judge"), make_endpoint("second-judge")]
    answered_run(release, "large", judges)
    run = answered_run(release, "small", judges)

    page.goto(reverse("run", args=[run.pk]))
    page.get_by_role("link", name="Read the answers").click()
    page.get_by_text("8 of 8 answers.").wait_for()
    page.get_by_text("Reasoning").first.click()
    check_accessibility()
    take_screenshots("generations")
    page.get_by_label("Condition").select_option("mitigation")
    page.get_by_label("Answers").select_option("misapplied")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("2 of 8 answers.").wait_for()
    assert page.get_by_text("misapplied", exact=True).count() == 2

    page.get_by_role("article").first.get_by_role("link").click()
    page.get_by_role("heading", name="What the model is asked").wait_for()
    page.get_by_text("first-judge: follows", exact=False).first.click()
    page.get_by_text("Raw reply 1").first.click()
    check_accessibility()
    take_screenshots("generation")

    page.get_by_label("Compare with").select_option(index=0)
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="model-of-large").wait_for()
    check_accessibility()
    take_screenshots("unit-comparison")
    page.get_by_label("Condition of run").select_option("default")
    page.get_by_role("button", name="Show").click()
    assert page.get_by_text("default", exact=True).count() == 2


def test_what_will_be_asked_is_read_before_anything_is_sent(
    lead, page, check_accessibility, take_screenshots
):
    run = create_run(
        benchmark="pairpref",
        dataset=make_pair_dataset(preferences=1, pairs=2),
        endpoint=make_endpoint(),
        judges=[(make_endpoint("judge"), "")],
    )
    page.goto(reverse("run", args=[run.pk]))
    page.get_by_role("link", name="Read what will be asked").click()
    page.get_by_text("8 of 8 answers.").wait_for()
    check_accessibility()
    take_screenshots("generations-planned")
    page.get_by_label("Condition").select_option("generation")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("article").first.get_by_role("link").click()
    page.get_by_text("The answer is not there yet.").wait_for()
    page.get_by_text("Nothing was sent for this yet.").wait_for()
    check_accessibility()
    take_screenshots("generation-planned")
