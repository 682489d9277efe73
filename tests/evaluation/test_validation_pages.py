"""Who reaches the lead's pages of validation samples, what they show, and what each button does."""

import csv
import html
import io
import json
import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.actions.validating import save_validation_label
from annotate.actions.validation import close_sample, end_rater
from annotate.models import ValidationItem, ValidationLabel, ValidationSample
from evaluation.actions import draw_validation
from evaluation.actions.running import cancel_run
from evaluation.benchpres.published import AGREEMENT_SOURCE
from evaluation.models import Generation, Run, RunSample
from evaluation.validation_reports import validation_report
from tests.annotate.factories import make_user
from tests.evaluation.factories import make_endpoint
from tests.evaluation.pair_runs import planned_construction
from tests.evaluation.validation.drawn import judged_alone, letters_run, pairs_run, say

pytestmark = pytest.mark.django_db

PAGES = ["validation-samples", "validation-sample", "validation-disagreements"]
FILES = [("validation-report", suffix) for suffix in ("json", "csv", "tex")] + [
    ("validation-rows", what, suffix)
    for what in ("items", "labels")
    for suffix in ("jsonl", "csv", "parquet")
]
BUTTONS = [
    "validation-seat",
    "validation-end",
    "validation-take-up",
    "validation-close",
    "validation-reopen",
    "validation-import",
    "validation-judge",
]
HOSTILE = "Dear <script>alert(1)</script>\n\n two lines & more"


@pytest.fixture
def drawn() -> RunSample:
    """Twelve items of a run with two judges, for ana and ben, who has answered none."""
    run = letters_run(samples=2, judges=[make_endpoint("careful"), make_endpoint("hasty")])
    people = [make_user(name, "annotator") for name in ("ana", "ben")]
    return draw_validation(run, size=12, seed=3, users=people, name="Round 1", slug="round-1")


@pytest.fixture
def lead(client):
    client.force_login(make_user("lea", "lead"))
    return client


def seat_of(drawn, user):
    return drawn.sample.raters.get(user__username=user).pseudonym


def label_all(drawn, user, wrong=(), unsure=()):
    """Let a person say what the run's judges said, but for some items."""
    said = {row.item.number: verdict_on(row) for row in drawn.units.select_related("item", "generation")}
    for number, value in said.items():
        value = None if number in unsure else float(value != (number in wrong))
        say(drawn, seat_of(drawn, user), number, value)


def verdict_on(row):
    return bool(row.generation.verdicts.filter(preference=row.preference).first().value)


def write(drawn, number, message, **texts):
    """Let an answer, and the item drawn of it, have another text."""
    item = ValidationItem.objects.get(sample=drawn.sample, number=number)
    Generation.objects.filter(sampled_units__item=item).update(message=message)
    item.texts |= {"message": message, **texts}
    item.save()


def address(name, *args):
    return reverse(name, args=args)


def pages(drawn):
    slug = drawn.sample.slug
    own = [address(name, *([] if name == "validation-samples" else [slug])) for name in PAGES]
    files = [address(name, slug, *rest) for name, *rest in FILES]
    return [*own, *files, address("validation-new", drawn.run_id)]


def words(response):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


def press(client, drawn, button, **form):
    return words(client.post(address(button, drawn.sample.slug), form, follow=True))


# Who reaches what.


def test_a_lead_reaches_every_page_and_file(drawn, lead):
    label_all(drawn, "ana", wrong=[1])
    assert {url: lead.get(url).status_code for url in pages(drawn)} == dict.fromkeys(pages(drawn), 200)


def test_an_annotator_reaches_none_even_with_a_seat(drawn, client):
    for user in (User.objects.get(username="ana"), make_user("stranger"), make_user("cem", "annotator")):
        client.force_login(user)
        assert {client.get(url).status_code for url in pages(drawn)} == {403}
        assert "Validation</a>" not in client.get(address("home")).text


def test_a_visitor_is_sent_to_sign_in(drawn, client):
    assert all(client.get(url).url.startswith(address("login")) for url in pages(drawn))


@pytest.mark.parametrize("button", [*BUTTONS, "validation-new"])
def test_what_writes_is_for_leads_alone_and_changes_nothing_for_others(drawn, client, button):
    url = address(button, drawn.run_id if button == "validation-new" else "round-1")
    form = {"draw": "yes", "target": "label", "size": 2, "seed": 1, "pseudonym": "A1", "endpoint": 1}
    assert client.post(url, form).url.startswith(address("login"))
    client.force_login(User.objects.get(username="ana"))
    assert client.post(url, form).status_code == 403
    assert (ValidationSample.objects.get().state, Run.objects.count()) == ("open", 1)
    assert drawn.sample.raters.filter(is_active=True).count() == 2


@pytest.mark.parametrize("button", BUTTONS)
def test_buttons_are_pressed_by_post_and_on_samples_that_there_are(drawn, lead, button):
    assert lead.get(address(button, "round-1")).status_code == 405
    assert lead.post(address(button, "round-2")).status_code == 404


def test_pages_are_not_written_to(drawn, lead):
    posted = {lead.post(url).status_code for url in pages(drawn) if not url.endswith("/new/")}
    assert posted == {405}


def test_what_is_not_there_is_not_found(drawn, lead):
    for url in (
        address("validation-sample", "round-2"),
        address("validation-disagreements", "round-2"),
        address("validation-report", "round-2", "json"),
        address("validation-report", "round-1", "xlsx"),
        address("validation-rows", "round-1", "secrets", "csv"),
        address("validation-rows", "round-1", "items", "xlsx"),
        address("validation-new", drawn.run_id + 1),
        f"{address('validation-disagreements', 'round-1')}?differs=judge:nobody",
    ):
        assert lead.get(url).status_code == 404, url


@pytest.mark.parametrize(
    "url", ["/api/v1/validation/round%00/", "/api/v1/campaigns/%00/", "/api/v1/endpoints/%00/"]
)
def test_no_database_is_asked_for_an_address_that_it_cannot_hold(lead, url):
    with CaptureQueriesContext(connection) as queries:
        assert lead.get(url).status_code == 404
    asked = {re.search(r'FROM "(\w+)"', query["sql"])[1] for query in queries}
    assert asked <= {"django_session", "auth_user", "auth_group"}


@pytest.mark.parametrize("button", ["validation-end", "validation-take-up"])
@pytest.mark.parametrize("pseudonym", ["\0", "A1\0", "A99", ""])
def test_a_seat_that_is_not_there_is_not_found(drawn, lead, button, pseudonym):
    answer = lead.post(address(button, "round-1"), {"pseudonym": pseudonym})
    assert answer.status_code == 404
    assert drawn.sample.raters.filter(is_active=True).count() == drawn.sample.raters.count()


def test_pages_hold_nothing_in_caches(drawn, lead):
    assert all("no-cache" in lead.get(url).headers["Cache-Control"] for url in pages(drawn))


def test_leads_find_samples_in_the_bar_on_top(lead):
    page = lead.get(address("validation-samples"))
    assert '<a href="/validation/">Validation</a>' in page.text
    assert "There is no validation sample yet." in words(page)


# The run.


def test_a_run_that_is_done_shows_its_samples_with_how_far_each_person_is(drawn, lead):
    label_all(drawn, "ana")
    say(drawn, seat_of(drawn, "ben"), 1, None)
    end_rater(drawn.sample.raters.get(user__username="ben"))
    page = words(lead.get(address("run", drawn.run_id)))
    assert f"{seat_of(drawn, 'ana')}: 12 of 12" in page
    assert f"{seat_of(drawn, 'ben')}: 1 of 12 seat ended" in page
    assert "Draw a validation sample" in page
    assert "Nobody has checked the judges" not in page


def test_only_a_run_that_is_done_offers_a_draw(lead):
    run = letters_run()
    assert "Draw a validation sample" in words(lead.get(address("run", run.pk)))
    Run.objects.update(state="cancelled")
    assert "Draw a validation sample" not in words(lead.get(address("run", run.pk)))


def test_a_run_without_answers_offers_none_and_has_no_page_to_draw(lead):
    run = planned_construction("http://127.0.0.1:9/v1")
    Run.objects.update(state="done")
    assert "Draw a validation sample" not in words(lead.get(address("run", run.pk)))
    assert lead.get(address("validation-new", run.pk)).status_code == 404


# Drawing.


def draw(client, run, button="draw", **changes):
    form = {"target": "label", "size": 6, "seed": 5, button: "yes"} | changes
    return client.post(address("validation-new", run.pk), form)


def test_before_a_draw_stands_how_much_can_be_drawn_of_each_question(lead):
    run = letters_run(samples=3, conditions=("default", "mitigation"))
    page = words(lead.get(address("validation-new", run.pk)))
    # Of a profile's four judgements three have gold: 2 profiles x 3 samples x 3, in each condition.
    assert "Label default 18 0 mitigation 18 0" in page
    assert "Completeness: none, because no judge of completeness is named in it" in page
    assert re.findall(r'name="target" value="(\w+)"', lead.get(address("validation-new", run.pk)).text) == [
        "label"
    ]


def test_the_size_to_begin_with_is_what_there_is_where_that_is_less_than_usual(lead):
    run = letters_run(samples=3)
    assert lead.get(address("validation-new", run.pk)).context["form"]["size"].value() == 18


def test_strata_are_shown_before_anything_is_drawn_and_are_those_that_are_drawn(lead):
    run = letters_run(samples=3)
    shown = draw(lead, run, "preview", over=["category"])
    assert (shown.status_code, ValidationSample.objects.count()) == (200, 0)
    assert "apply / tone 6 2 suppress / nickname 6 2 suppress / tone 6 2" in words(shown)
    draw(lead, run, over=["category"])
    assert [(one["name"], one["drawn"]) for one in RunSample.objects.get().strata] == [
        ("apply / tone", 2),
        ("suppress / nickname", 2),
        ("suppress / tone", 2),
    ]


def test_a_draw_does_what_the_form_says(lead):
    run = letters_run(samples=3, conditions=("default", "mitigation"))
    people = [make_user(name, "annotator") for name in ("ana", "ben", "cem")]
    chosen = [people[0].pk, people[2].pk]
    response = draw(
        lead, run, conditions=["mitigation"], over=["verdict"], name="Letters", annotators=chosen, follow=True
    )
    run_sample = RunSample.objects.get()
    assert response.url == address("validation-sample", f"run-{run.pk}-label")
    assert (run_sample.seed, run_sample.conditions, run_sample.over) == (
        5,
        ["mitigation"],
        ["part", "verdict"],
    )
    assert (run_sample.units.count(), run_sample.sample.name) == (6, "Letters")
    assert run_sample.sample.created_by.username == "lea"
    assert set(run_sample.sample.raters.values_list("user__username", flat=True)) == {"ana", "cem"}
    assert "The sample is drawn." in words(lead.get(response.url))


def test_pairs_are_drawn_for_each_of_their_questions(lead):
    run = pairs_run()
    assert "Pairs there are" in words(draw(lead, run, "preview", target="hedging", size=4))
    draw(lead, run, target="hedging", size=4)
    sample = RunSample.objects.get()
    assert (sample.target, sample.units.count()) == ("hedge", 4)


@pytest.mark.parametrize("button", ["preview", "draw"])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"size": 19}, "expected 1 to 18, which is all that can be drawn"),
        ({"size": 1}, "expected 2 at least"),
        ({"size": 0}, "greater than or equal to 1"),
        ({"size": "many"}, "Enter a whole number."),
        ({"seed": -1}, "greater than or equal to 0"),
        ({"seed": 2**62}, "less than or equal to"),
        ({"target": "completeness"}, "Select a valid choice"),
        ({"target": ""}, "This field is required."),
        ({"over": ["mood"]}, "Select a valid choice"),
        ({"over": ["condition"]}, "Select a valid choice"),
        ({"annotators": [0]}, "Select a valid choice"),
        ({"name": "x" * 201}, "at most 200 characters"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_words_and_what_was_entered_stays(lead, button, wrong, said):
    run = letters_run(samples=3)
    response = draw(lead, run, button, **{"name": "What I typed"} | wrong)
    assert (response.status_code, ValidationSample.objects.count()) == (400, 0)
    assert said in words(response)
    assert f'value="{wrong.get("name", "What I typed")}"' in response.text
    assert f'value="{wrong.get("size", 6)}"' in response.text


def test_a_run_that_is_not_done_has_nothing_to_draw_yet(lead):
    run = letters_run()
    Run.objects.filter(pk=run.pk).update(state="running")
    response = lead.get(address("validation-new", run.pk))
    assert "is running. A sample is drawn from a run that is done" in words(response)
    assert "<button name" not in response.text
    assert draw(lead, run).status_code == 400
    assert not ValidationSample.objects.exists()


def test_a_lead_is_not_offered_as_an_annotator(lead):
    make_user("ana", "annotator")
    page = lead.get(address("validation-new", letters_run().pk)).text
    assert re.findall(r"<input[^>]+annotators[^>]+>\s*([a-z]+)", page) == ["ana"]


# The sample.


def test_the_page_tells_what_was_drawn_and_how(drawn, lead):
    page = words(lead.get(address("validation-sample", "round-1")))
    assert "Does the message follow the preference?" in page
    assert "Run 1 : model-of-subject on letters, version 1".replace("1 :", f"{drawn.run_id} :") in page
    assert "12 items with seed 3" in page
    assert "Conditions default" in page
    assert re.search(r"apply 4 4 1\.000 suppress 8 8 1\.000", page)
    assert "Nobody has labelled an item yet." in page


def test_the_page_has_the_numbers_of_the_report(drawn, lead):
    label_all(drawn, "ana", wrong=[1, 2, 3])
    label_all(drawn, "ben", unsure=[4])
    report = validation_report(drawn)
    page = words(lead.get(address("validation-sample", "round-1")))
    assert report["judges"]
    for judge in report["judges"]:
        found = judge["overall"]["agreement"]
        assert f"{100 * found['value']:.2f} {found['numerator']:g} of {found['denominator']:g}" in page
    assert "Nobody has labelled an item yet." not in page


def test_what_the_paper_reports_stands_apart_at_the_end(drawn, lead):
    label_all(drawn, "ana")
    page = lead.get(address("validation-sample", "round-1")).text
    ours, published = page.split("Values that the paper reports, for comparison only")
    assert "None of these was measured here" in published
    assert html.escape(AGREEMENT_SOURCE) in published
    assert "DeepSeek" in published
    assert "DeepSeek" not in ours


def test_the_report_of_pairs_lays_nothing_published_beside(lead):
    draw_validation(pairs_run(), target="fit", size=4, slug="fits")
    assert "Values that the paper reports" not in lead.get(address("validation-sample", "fits")).text


def test_long_tables_and_those_behind_the_numbers_are_folded(drawn, lead):
    label_all(drawn, "ana")
    tables = lead.get(address("validation-sample", "round-1")).context["tables"]
    folded = {table.section: table.is_detail for table in tables}
    assert folded["parts"]
    assert folded["confusion"]
    assert not folded["against_people"]
    assert all(table.is_detail for table in tables if len(table.rows) > 10)


def test_judges_of_the_run_and_of_the_sample_stand_with_how_far_they_are(drawn, lead):
    alone = judged_alone(drawn, {1: "1", 2: None})
    judged_alone(drawn, {}, "untouched")
    page = lead.get(address("validation-sample", "round-1"))
    section = words(page).split("Judges Judge Model")[1].split("Judge it with")[0]
    assert "careful model-of-careful" in section
    assert "hasty model-of-hasty" in section
    assert "exact match" in section
    assert f"further model-of-further Run {alone.pk} planned 2 of 12" in section
    assert "planned 0 of 12" in section
    assert f'href="{address("run", alone.pk)}"' in page.text
    cancel_run(alone)
    page = words(lead.get(address("validation-sample", "round-1")))
    assert f"further model-of-further Run {alone.pk} cancelled 2 of 12" in page


def test_seats_are_given_ended_and_taken_up(drawn, lead):
    cem = make_user("cem", "annotator")
    seat = seat_of(drawn, "ana")
    assert "cem labels as A3." in press(lead, drawn, "validation-seat", user=cem.pk)
    assert f"{seat} labels no more" in press(lead, drawn, "validation-end", pseudonym=seat)
    assert f"{seat} seat ended" in words(lead.get(address("validation-sample", "round-1")))
    assert f"{seat} labels again." in press(lead, drawn, "validation-take-up", pseudonym=seat)
    assert drawn.sample.raters.filter(is_active=True).count() == 3
    assert lead.post(address("validation-end", "round-1"), {"pseudonym": "A9"}).status_code == 404


@pytest.mark.parametrize("user", ["ana", "lea", "nobody"])
def test_a_seat_goes_only_to_an_annotator_without_one(drawn, lead, user):
    found = User.objects.filter(username=user).first()
    said = press(lead, drawn, "validation-seat", user=found.pk if found else 0)
    assert "Select a valid choice" in said
    assert drawn.sample.raters.count() == 2


def test_closing_ends_labelling_and_reopening_lets_it_go_on(drawn, lead):
    assert "Labelling is closed; the labels stay as they are." in press(lead, drawn, "validation-close")
    assert "expected one that is open" in press(lead, drawn, "validation-close")
    page = words(lead.get(address("validation-sample", "round-1")))
    assert "Add a seat" not in page
    assert "Import labels" not in page
    assert "Labelling has ended." in page
    assert "Labelling is open again." in press(lead, drawn, "validation-reopen")


def test_a_further_judge_is_planned_and_its_run_page_starts_it(drawn, lead):
    other = make_endpoint("other")
    response = lead.post(address("validation-judge", "round-1"), {"endpoint": other.pk})
    run = Run.objects.latest("pk")
    assert response.url == address("run", run.pk)
    assert (run.state, run.validation, run.created_by.username) == ("planned", drawn, "lea")
    page = words(lead.get(response.url))
    assert "nothing is asked yet" in page
    assert "Starting makes 12 calls, one for each item." in page
    again = press(lead, drawn, "validation-judge", endpoint=other.pk)
    assert f"already judges sample round-1 in run {run.pk}" in again
    assert "Select a valid choice" in press(lead, drawn, "validation-judge", endpoint=0)
    assert Run.objects.count() == 2


# Files.


def sent_file(rows, name="labels.jsonl"):
    content = "".join(json.dumps(row) + "\n" for row in rows)
    return SimpleUploadedFile(name, content.encode())


def row(item, annotator, value, **more):
    return {"item": item, "annotator": annotator, "value": value, **more}


def test_labels_are_imported_from_a_file(drawn, lead):
    seat = seat_of(drawn, "ana")
    rows = [row(1, seat, 1), row(2, seat, "Does not follow"), row(3, "theirs", "cannot_tell")]
    said = press(lead, drawn, "validation-import", file=sent_file(rows), new_label_sets="on")
    assert "Labels added: 3; changed: 0; there already: 0. Of these, cannot tell: 1." in said
    assert "New seats without an account: theirs." in said
    values = ValidationLabel.objects.order_by("item__number").values_list("value", flat=True)
    assert list(values) == [1.0, 0.0, None]
    revision = ValidationLabel.objects.first().revisions.get()
    assert revision.saved_by.username == "lea"
    again = press(lead, drawn, "validation-import", file=sent_file(rows))
    assert "Labels added: 0; changed: 0; there already: 3." in again


@pytest.mark.parametrize(
    ("rows", "name", "said"),
    [
        ([], "labels.jsonl", "no answers"),
        ([row(1, "A1", 7)], "labels.jsonl", "expected one of 1 (Follows), 0 (Does not follow)"),
        ([row(13, "A1", 1)], "labels.jsonl", "an item of sample round-1, 1 to 12"),
        ([row(1, "nobody", 1)], "labels.jsonl", "a seat of sample round-1: A1, A2"),
        ([row(1, "A1", 1, message="Another text.")], "labels.jsonl", "the text of item 1"),
        ([row(1, "A1", 1)], "labels.txt", "expected one of .jsonl, .csv, .parquet"),
        ([row(1, "A1", 1)], "labels.parquet", "labels.parquet"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_in_words_and_whole(drawn, lead, rows, name, said):
    good = [row(2, "A1", 1)] if rows else []
    assert said in press(lead, drawn, "validation-import", file=sent_file([*good, *rows], name))
    assert not ValidationLabel.objects.exists()


def test_labels_that_differ_are_changed_only_where_that_is_accepted(drawn, lead):
    seat = seat_of(drawn, "ana")
    say(drawn, seat, 1, 0.0)
    changed = lambda **more: press(  # noqa: E731
        lead, drawn, "validation-import", file=sent_file([row(1, seat, 1)]), **more
    )
    assert "Does not follow -> Follows" in changed()
    assert ValidationLabel.objects.get().value == 0.0
    assert "changed: 1" in changed(accept_changes="on")
    assert list(ValidationLabel.objects.get().revisions.values_list("value", flat=True)) == [0.0, 1.0]


def test_without_a_file_nothing_is_imported(drawn, lead):
    assert "file: This field is required." in press(lead, drawn, "validation-import")
    close_sample(drawn.sample)
    file = sent_file([row(1, "A1", 1)])
    assert "expected one that is open" in press(lead, drawn, "validation-import", file=file)


def test_the_files_are_what_the_exporters_write(drawn, lead):
    label_all(drawn, "ana", wrong=[1])
    told = lead.get(address("validation-report", "round-1", "json"))
    assert told.json() == json.loads(json.dumps(validation_report(drawn)))
    table = lead.get(address("validation-report", "round-1", "csv"))
    assert table.headers["Content-Disposition"] == 'attachment; filename="round-1-report.csv"'
    metrics = {line["metric"] for line in csv.DictReader(io.StringIO(table.text))}
    assert {"agreement", "kappa", "alpha"} <= metrics
    assert r"\begin{tabular}" in lead.get(address("validation-report", "round-1", "tex")).text
    items = b"".join(lead.get(address("validation-rows", "round-1", "items", "csv"))).decode()
    lines = list(csv.DictReader(io.StringIO(items)))
    assert [int(line["item"]) for line in lines] == list(range(1, 13))
    assert set(lines[0]) == {"sample", "item", "preference", "message", "annotator", "value", "comment"}
    labels = b"".join(lead.get(address("validation-rows", "round-1", "labels", "jsonl"))).decode()
    assert len(labels.splitlines()) == 12


# Where they differ.


def listed(client, **choice):
    page = client.get(address("validation-disagreements", "round-1"), choice)
    return [one["row"].number for one in page.context["shown"]]


def test_items_to_read_again_are_those_that_a_judge_or_people_differ_on(drawn, lead):
    label_all(drawn, "ana", wrong=[2, 5])
    label_all(drawn, "ben", wrong=[2])
    judged_alone(drawn, {2: None, 7: "1", 8: "0"})
    truth = {unit.item.number: verdict_on(unit) for unit in drawn.units.select_related("item", "generation")}
    odd = [number for number, choice in ((7, True), (8, False)) if truth[number] != choice]
    assert sorted(listed(lead)) == sorted([2, 5, *odd])
    assert listed(lead, differs="people") == [5]
    further = next(name for name in choices(lead) if name.startswith("judge:further"))
    assert listed(lead, differs=further) == odd
    assert listed(lead, differs="") == listed(lead)


def choices(client):
    return client.get(address("validation-disagreements", "round-1")).context["choices"]


def test_an_item_stands_with_its_texts_what_it_is_and_who_said_what(drawn, lead):
    label_all(drawn, "ana", wrong=[3])
    label_all(drawn, "ben", wrong=[3])
    label = ValidationLabel.objects.get(item__number=3, rater__user__username="ana")
    save_validation_label(
        label.rater, label.item, label.value, comment="Only in the end.", version=1, token=uuid4()
    )
    unit = drawn.units.select_related("item", "generation", "preference").get(item__number=3)
    response = lead.get(address("validation-disagreements", "round-1"))
    page = words(response)
    assert f"gold label {unit.part}; category {unit.category}; domain" in page
    assert unit.preference.text in page
    assert unit.generation.message in page
    assert "Only in the end." in page
    assert page.count("differs") >= 1
    answer = address("run-generation", drawn.run_id, unit.generation_id)
    assert f'href="{answer}"' in response.text
    assert lead.get(answer).status_code == 200


def test_long_texts_are_whole_and_folded(drawn, lead):
    label_all(drawn, "ana", wrong=[3])
    write(drawn, 3, "word " * 200 + "the end")
    page = lead.get(address("validation-disagreements", "round-1")).text
    assert "the end</div></details>" in page
    assert "<summary>word word" in page


def test_items_are_paged_by_ten_and_keep_the_choice(lead):
    run = letters_run(samples=4)
    drawn = draw_validation(run, size=24, users=[make_user("ana", "annotator")], slug="round-1")
    label_all(drawn, "ana", wrong=range(1, 25))
    first = lead.get(address("validation-disagreements", "round-1"), {"differs": "judge:judge"})
    assert len(first.context["shown"]) == 10
    assert 'rel="next" href="?differs=judge%3Ajudge&amp;page=2"' in first.text
    assert 'rel="prev"' not in first.text
    numbers = [number for page in (1, 2, 3) for number in listed(lead, page=page)]
    assert sorted(numbers) == list(range(1, 25))


def test_texts_of_models_and_people_are_escaped(drawn, lead):
    label_all(drawn, "ana", wrong=[3])
    write(drawn, 3, HOSTILE, preference="<b>Joker</b>")
    ValidationLabel.objects.filter(item__number=3).update(comment="<img src=x>")
    ValidationSample.objects.update(name="<i>Round</i>")
    Run.objects.update(endpoint_snapshot=make_endpoint("s", model="<script>1").snapshot())
    own = [address("validation-samples"), address("validation-sample", "round-1")]
    for url in [*own, address("validation-disagreements", "round-1"), address("run", drawn.run_id)]:
        page = lead.get(url).text
        assert [raw for raw in ("<script>", "<b>Joker", "<img src=x", "<i>Round") if raw in page] == []
    assert "two lines &amp; more" in lead.get(address("validation-disagreements", "round-1")).text


def test_example_labels_are_called_so_everywhere(drawn, lead):
    label_all(drawn, "ana", wrong=[3])
    ValidationSample.objects.update(is_example=True)
    for url in pages(drawn)[:3]:
        assert "Example labels that no recruited person gave." in words(lead.get(url))


def test_pages_take_few_queries_however_many_items_samples_and_people_there_are(
    lead, django_assert_max_num_queries
):
    run = letters_run(samples=6)
    people = [make_user(name, "annotator") for name in ("ana", "ben", "cem")]
    for number in range(3):
        drawn = draw_validation(run, size=30, seed=number, users=people, slug=f"round-{number}")
        for person in people:
            label_all(drawn, person.username, wrong=range(1, 8))
    for url, most in (
        (address("validation-samples"), 8),
        (address("validation-sample", "round-1"), 20),
        (address("validation-disagreements", "round-1"), 14),
    ):
        with django_assert_max_num_queries(most):
            assert lead.get(url).status_code == 200
