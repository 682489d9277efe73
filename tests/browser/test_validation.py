"""A lead checks the judges of a run against people: draws, has a further judge asked, reads the report."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotate.models import ValidationSample
from evaluation.models import Generation, Run, RunSample
from tests.browser.test_runs import work_the_queue
from tests.evaluation.factories import (
    finish_run,
    give_verdict,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)
from tests.evaluation.fake_endpoint import FakeEndpoint, behaves_well, fake_endpoint

pytestmark = pytest.mark.browser

LETTER = """Dear {recipient},

I am writing about what the notice of 3 March says. The difference comes from a transfer between two
accounts of my own, which was counted as income although no money was earned. I enclose both statements
and the confirmation of the bank.

{edge}

Please tell me if anything else is needed. I would be glad to settle the matter within the thirty days
that the notice gives, and I can be reached by telephone in the mornings; in the afternoons I am at work,
where calls are not welcome.

Yours faithfully,
Alex Morgan
"""
EDGES = ("Another thrilling day in the company of forms, I see.", "Thank you for looking into it.")


def letters(url: str) -> Run:
    """Return a finished run of 48 letters, judged by two judges who do not always agree."""
    release = make_release(make_corpus())
    judges = [make_endpoint("careful", url), make_endpoint("hasty", url)]
    run = finish_run(make_run(release, judges=judges, samples=12))
    chance = random.Random(3)
    for row in run.generations.select_related("context"):
        edge = EDGES[chance.random() < 0.5]
        message = LETTER.format(recipient=row.context.recipient, edge=edge)
        Generation.objects.filter(pk=row.pk).update(message=message)
        for judge, errs in zip(run.judges.order_by("pk"), (0.1, 0.3), strict=True):
            value = int((edge == EDGES[0]) != (chance.random() < errs))
            give_verdict(row, "tone", value, judge=judge)
    return run


def labels_file(sample: ValidationSample, folder: Path, names: tuple[str, ...]) -> Path:
    """Write what people would say: whether the edge is there, with a slip now and then."""
    chance, path = random.Random(4), folder / "labels.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for name in names:
            for item in sample.items.all():
                value = int((EDGES[0] in item.texts["message"]) != (chance.random() < 0.06))
                comment = "Only in the second paragraph." if chance.random() < 0.05 else ""
                row = {"item": item.number, "annotator": name, "value": value, "comment": comment}
                file.write(json.dumps(row) + "\n")
    return path


@pytest.fixture
def model() -> Iterator[FakeEndpoint]:
    with fake_endpoint(behaves_well) as server:
        yield server


@pytest.fixture
def lead(page: Page, make_user, sign_in) -> Page:
    for name in ("ana", "ben"):
        make_user(name, "annotator")
    sign_in(make_user("lea", "lead"))
    return page


def test_from_a_run_to_a_sample_a_further_judge_and_the_report(
    lead: Page, model, tmp_path, check_accessibility, take_screenshots
):
    run = letters(model.url)
    lead.goto(f"/runs/{run.pk}/")
    expect(lead.get_by_text("Nobody has checked the judges of this run yet.")).to_be_visible()
    lead.get_by_role("button", name="Draw a validation sample").click()
    check_accessibility()
    lead.get_by_label("Items").fill("48")
    lead.get_by_label("Title").fill("Letters, round 1")
    lead.get_by_label("category", exact=True).check()
    lead.get_by_label("ana").check()
    lead.get_by_role("button", name="Show the strata").click()
    expect(lead.get_by_role("heading", name="The strata of this draw")).to_be_visible()
    assert not RunSample.objects.exists()
    check_accessibility()
    take_screenshots("validation-new")
    lead.get_by_role("button", name="Draw the sample").click()

    expect(lead.get_by_role("heading", name="Letters, round 1")).to_be_visible()
    sample = ValidationSample.objects.get()
    check_accessibility()
    take_screenshots("validation-sample-new")
    lead.get_by_label("Annotator").select_option(label="ben")
    lead.get_by_role("button", name="Add a seat").click()
    expect(lead.get_by_text("ben labels as A2.")).to_be_visible()

    lead.get_by_label("Judge it with").select_option(label="hasty")
    lead.get_by_role("button", name="Plan the judging").click()
    expect(lead.get_by_text("Starting makes 48 calls, one for each item.")).to_be_visible()
    check_accessibility()
    lead.get_by_role("button", name="Start").click()
    lead.get_by_text("Running", exact=True).wait_for()
    work_the_queue()
    lead.get_by_text("48 of 48 judgements").wait_for()

    lead.get_by_role("link", name="Letters, round 1").click()
    lead.get_by_text("Import labels", exact=True).click()
    lead.get_by_label("File with labels").set_input_files(
        labels_file(sample, tmp_path, ("A1", "A2", "theirs"))
    )
    lead.get_by_label("Give names without a seat").check()
    lead.get_by_role("button", name="Import the labels").click()
    expect(lead.get_by_text("Labels added: 144")).to_be_visible()
    lead.get_by_role("button", name="Close labelling").click()
    expect(lead.get_by_text("Labelling is closed; the labels stay as they are.").last).to_be_visible()
    corrected = lead.locator("#corrected")
    expect(corrected.get_by_text("0.1 (10 points) wide").first).to_be_visible()
    expect(corrected.get_by_role("row", name="AAR").first).to_be_visible()
    check_accessibility()
    take_screenshots("validation-sample")
    corrected.get_by_label("Width of an interval, in points").fill("40")
    corrected.get_by_role("button", name="Reckon").press("Enter")
    expect(corrected.get_by_text("0.4 (40 points) wide").first).to_be_visible()
    expect(corrected.get_by_role("button", name="Reckon")).to_be_focused()
    expect(lead).to_have_url(re.compile(r"\?width=40"))
    check_accessibility()
    lead.go_back()
    for form in ("CSV", "LaTeX"):
        with lead.expect_download() as download:
            lead.get_by_role("link", name=form, exact=True).click()
        assert download.value.path().stat().st_size > 500

    lead.get_by_role("button", name="Items to read again").click()
    check_accessibility()
    take_screenshots("validation-disagreements")
    lead.get_by_label("Items on which").select_option(label="people are divided")
    lead.get_by_role("button", name="Show").click()
    check_accessibility()
    lead.goto("/validation/")
    check_accessibility()
    take_screenshots("validation-list")
    lead.goto(f"/runs/{run.pk}/")
    expect(lead.get_by_role("row", name="Letters, round 1")).to_contain_text("A1: 48 of 48")
    check_accessibility()
    take_screenshots("run-validated")
