"""A lead's path in the browser: open a campaign, watch, settle, freeze, download."""

import json

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from annotate.actions.assigning import next_item
from annotate.actions.gold import import_gold_release
from annotate.importers.corpus import GoldRow
from annotate.models import Campaign
from tests.annotate.factories import give_labels, make_campaign, make_dataset, raise_flag

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def lead(make_user, sign_in) -> User:
    lead = make_user("lena", "lead")
    sign_in(lead)
    return lead


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(contexts=4, preferences=5)
    give_labels(campaign, ["111", "000", "110", "11-", "000", "101", "000", "111", "010", "000"])
    return campaign


def test_the_path_from_a_dataset_to_a_download(
    lead, make_user, page: Page, check_accessibility, take_screenshots
):
    dataset = make_dataset(contexts=1, preferences=4)
    for name in ("ana", "ben", "cem"):
        make_user(name, "annotator")
    page.goto("/campaigns/")
    check_accessibility()
    page.get_by_role("button", name="Open a campaign").click()
    page.get_by_label("Short name").fill("letters-1")
    page.get_by_label("Title").fill("Formal letters, round 1")
    page.get_by_label("Dataset").select_option(label=str(dataset))
    for name in ("ana", "ben", "cem"):
        page.get_by_label(name).check()
    check_accessibility()
    take_screenshots("campaign-new")
    page.get_by_role("button", name="Open the campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Formal letters, round 1")

    give_labels(Campaign.objects.get(), ["111", "000", "110", "000"])
    page.reload()
    expect(page.get_by_text("12 of 12 labels, 100.0 %.")).to_be_visible()
    page.get_by_role("button", name="Freeze a gold release").click()
    expect(page.get_by_role("status")).to_have_text("Gold release small-1 is frozen, with 3 labels.")
    page.get_by_role("button", name="Freeze a gold release").click()
    expect(page.get_by_role("status")).to_contain_text("Nothing changed since small-1")
    page.get_by_role("link", name="small-1", exact=True).click()
    page.get_by_role("button", name="Check the content hash").click()
    expect(page.get_by_role("status")).to_contain_text("nothing has changed")
    with page.expect_download() as download:
        page.get_by_role("link", name="jsonl", exact=True).click()
    assert download.value.suggested_filename == "small-1.jsonl"
    rows = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    assert sorted(row["label"] for row in rows) == ["apply", "suppress", "suppress"]
    for name, file_name in {
        "csv": "small-1.csv",
        "parquet": "small-1.parquet",
        "datasheet": "small-1.datasheet.md",
    }.items():
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        assert download.value.suggested_filename == file_name
        assert download.value.path().stat().st_size > 100


def test_settling_what_is_left(lead, campaign, page: Page, check_accessibility, take_screenshots):
    flag = raise_flag(campaign, 3, "A3", "Depends on the <b>office</b>.")
    held = next_item(campaign.annotators.get(pseudonym="A2"))
    page.goto("/campaigns/round-1/")
    for summary in page.locator("details > summary").all():
        summary.click()
    check_accessibility()
    take_screenshots("campaign")
    expect(page.get_by_text("Depends on the <b>office</b>.")).to_be_visible()

    page.get_by_role("button", name="Release", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Released")
    held.refresh_from_db()
    assert held.state == "skipped"

    page.get_by_label("Answer to A3").fill("Take the usual office.")
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_text("No annotator waits for an answer.")).to_be_visible()
    flag.refresh_from_db()
    assert (flag.resolution, flag.resolved_by) == ("Take the usual office.", lead)

    expect(page.get_by_role("heading", name="Split items 3")).to_be_visible()
    first = page.locator("#settle li").first
    first.get_by_text("Set aside as borderline").click()
    first.get_by_label("Why is it borderline?").fill("A matter of taste.")
    first.get_by_role("button", name="Set aside").click()
    expect(page.get_by_role("heading", name="Split items 2")).to_be_visible()
    expect(page.get_by_role("heading", name="Set aside 1")).to_be_visible()
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("heading", name="Split items 3")).to_be_visible()

    page.get_by_text("Set aside a whole context or preference").click()
    page.get_by_label("Preference").select_option("Preference 0")
    page.locator("#aside").get_by_label("Reason").fill("Borderline as such.")
    page.locator("#aside").get_by_role("button", name="Set aside").click()
    expect(page.get_by_role("heading", name="Set aside 4")).to_be_visible()


def test_guideline_annotators_and_closing(
    lead, campaign, make_user, page: Page, check_accessibility, take_screenshots
):
    make_user("dora", "annotator")
    page.goto("/campaigns/round-1/")
    page.get_by_role("link", name="Guideline, annotators, closing").click()
    page.get_by_text("Revise it").click()
    page.get_by_role("textbox", name="Guideline").fill("# Rules\n\nLabel what fits **and** helps.")
    page.get_by_role("button", name="Save as version 2").click()
    expect(page.get_by_role("heading", name="Guideline, version 2")).to_be_visible()
    page.get_by_label("Annotator", exact=False).select_option("dora")
    page.get_by_role("button", name="Add the annotator").click()
    expect(page.get_by_role("status")).to_have_text("dora labels as A4.")
    page.get_by_role("button", name="Close the campaign").click()
    expect(page.get_by_text("Closed: labels can be neither given nor changed.")).to_be_visible()
    for summary in page.locator("details > summary").all():
        summary.click()
    check_accessibility()
    take_screenshots("campaign-settings")
    page.get_by_role("button", name="Reopen the campaign").click()
    expect(page.get_by_role("button", name="Close the campaign")).to_be_visible()


def test_releases_say_whether_they_are_examples_or_imported(
    lead, campaign, page: Page, check_accessibility, take_screenshots
):
    Campaign.objects.update(is_example=True)
    page.goto("/campaigns/")
    expect(page.get_by_text("Example labels that no recruited person gave.")).to_be_visible()
    take_screenshots("campaign-list")
    page.goto("/campaigns/round-1/")
    expect(page.get_by_text("Example labels that no recruited person gave.")).to_be_visible()
    page.get_by_role("button", name="Freeze a gold release").click()
    rows = [GoldRow("Recipient 0", "Task 0", f"Preference {n}", n % 2) for n in range(4)]
    import_gold_release(campaign.dataset, rows, "lena")
    page.goto("/gold/")
    check_accessibility()
    take_screenshots("gold-list")
    page.get_by_role("link", name="small-1").click()
    expect(page.get_by_text("Example labels that no recruited person gave.", exact=True)).to_be_visible()
    for summary in page.locator("details > summary").all():
        summary.click()
    check_accessibility()
    take_screenshots("gold-release")
    page.goto("/gold/small-2/")
    expect(page.get_by_text("Imported with its corpus; who gave these labels")).to_be_visible()
    check_accessibility()
    take_screenshots("gold-imported")
