"""Validation samples through the API: drawn, seated, labelled, judged, reported; for leads alone."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django_tasks_db.models import DBTaskResult
from rest_framework.test import APIClient

from annotate.actions.validation import close_sample, end_rater
from annotate.models import ValidationLabel, ValidationLabelRevision, ValidationSample
from annotate.validation_guidelines import usual_guideline
from evaluation.actions import draw_validation
from evaluation.models import Run, RunSample
from evaluation.validation_reports import validation_report
from tests.annotate.api.test_validation import SAVED
from tests.annotate.factories import make_user
from tests.evaluation.conftest import CAST
from tests.evaluation.factories import make_endpoint, make_run
from tests.evaluation.fake_endpoint import fake_endpoint
from tests.evaluation.judging_runs import finished_run
from tests.evaluation.runs import work
from tests.evaluation.test_validation_blindness import (
    HIDDEN,
    draw_answers,
    draw_letters,
    exchange_all_that_is_hidden,
)
from tests.evaluation.validation.drawn import judged_alone, letters_run, pairs_run, say

ALL = "/api/v1/validation/"
ONE = f"{ALL}sample-1/"
OWN = "/api/v1/own-validation/sample-1/"


@pytest.fixture
def drawn(db) -> RunSample:
    """Eight of a run's twelve judgements, for ana and ben."""
    users = [make_user(name, "annotator") for name in ("ana", "ben")]
    return draw_validation(letters_run(samples=2), size=8, slug="sample-1", name="Letters", users=users)


def post(client, address: str, **body):
    return client.post(address, body, format="json")


def seat_of(drawn: RunSample, user: str) -> str:
    return drawn.sample.raters.get(user__username=user).pseudonym


def client_of(username: str) -> APIClient:
    client = APIClient()
    client.force_authenticate(User.objects.get(username=username))
    return client


# Who gets what answer.

ANSWERS = {
    ("get", ALL): 200,
    ("post", ALL): 400,
    ("get", ONE): 200,
    ("get", f"{ALL}sample-2/"): 404,
    ("post", f"{ONE}close/"): 200,
    ("post", f"{ONE}reopen/"): 400,
    ("post", f"{ALL}sample-2/close/"): 404,
    ("post", f"{ONE}raters/"): 400,
    ("post", f"{ONE}raters/end/"): 400,
    ("post", f"{ONE}raters/take-up/"): 400,
    ("post", f"{ALL}sample-2/raters/"): 404,
    ("post", f"{ALL}sample-2/raters/end/"): 404,
    ("post", f"{ONE}labels/"): 400,
    ("post", f"{ALL}sample-2/labels/"): 404,
    ("post", f"{ONE}judge/"): 400,
    ("get", f"{ONE}report/"): 200,
    ("get", f"{ONE}report.json"): 200,
    ("get", f"{ONE}report.csv"): 200,
    ("get", f"{ONE}report.tex"): 200,
    ("get", f"{ONE}report.xlsx"): 404,
    ("get", f"{ONE}all-items.csv"): 200,
    ("get", f"{ONE}all-labels.jsonl"): 200,
    ("get", f"{ONE}all-labels.parquet"): 200,
    ("get", f"{ONE}all-secrets.csv"): 404,
    ("get", f"{ONE}all-items.xlsx"): 404,
    ("get", "/api/v1/runs/{run}/offers/"): 200,
    ("get", "/api/v1/runs/0/offers/"): 404,
    ("get", f"{ONE}close/"): 405,
    ("get", f"{ONE}labels/"): 405,
    ("put", ONE): 405,
    ("delete", ONE): 405,
}


@pytest.mark.parametrize(("method", "address"), ANSWERS)
@pytest.mark.parametrize("who", [*CAST, "ana"])
def test_only_leads_get_an_answer(drawn, ask_as, who, method, address):
    client = client_of(who) if who == "ana" else ask_as(who)
    answer = getattr(client, method)(address.format(run=drawn.run_id), {}, format="json")
    expected = {"visitor": 401, "lead": ANSWERS[method, address]}.get(who, 403)
    assert answer.status_code == expected
    if who != "lead":
        assert ValidationSample.objects.get().state == "open"
        assert not {"Letters", "sample-1"} & set(re.findall(r"[\w-]+", answer.content.decode()))


def test_a_sample_that_was_not_drawn_from_a_run_is_not_here(lead):
    ValidationSample.objects.create(slug="sample-1", name="Letters", question="label")
    assert lead.get(ALL).json()["results"] == []
    for address in (ONE, f"{ONE}close/", f"{ONE}raters/", f"{ONE}raters/end/"):
        assert {lead.get(address).status_code, post(lead, address).status_code} <= {404, 405}


# Drawing.


def test_a_lead_draws_a_sample(lead, db):
    run = letters_run(samples=2, conditions=("default", "mitigation"))
    ana = make_user("ana", "annotator")
    wanted = {
        "target": "label",
        "size": 8,
        "seed": 4,
        "over": ["part", "category"],
        "conditions": ["mitigation"],
        "slug": "sample-1",
        "name": "Letters",
        "annotators": ["ana"],
        "label_sets": ["Elsewhere"],
        "guideline": "Read *all*.\n",
    }
    answer = post(lead, ALL, run=run.pk, **wanted)
    assert answer.status_code == 201
    found = answer.json()
    assert found == lead.get(ONE).json()
    for name in ("target", "seed", "over", "conditions", "slug", "name", "guideline"):
        assert found[name] == wanted[name]
    assert [found[name] for name in ("run", "items", "annotators", "state")] == [run.pk, 8, 2, "open"]
    assert found["question"] == "Does the message follow the preference?"
    assert sum(stratum["drawn"] for stratum in found["strata"]) == 8
    assert {row["pseudonym"]: row["account"] for row in found["raters"]} == {"A1": "ana", "Elsewhere": None}
    sample = ValidationSample.objects.get()
    assert sample.created_by.username == "lead"
    assert sample.raters.get(user=ana)
    again = draw_validation(run, **{name: wanted[name] for name in ("size", "seed", "over", "conditions")})
    assert texts_of(sample) == texts_of(again.sample)


def texts_of(sample: ValidationSample) -> list[dict]:
    return list(sample.items.order_by("number").values_list("texts", flat=True))


def test_what_is_left_out_is_as_usual(lead, db):
    run = letters_run(samples=20)
    found = post(lead, ALL, run=run.pk).json()
    usual = {"slug": f"run-{run.pk}-label", "items": 100, "seed": 1, "over": ["part"], "annotators": 0}
    assert {name: found[name] for name in usual} == usual
    assert found["guideline"] == usual_guideline("label")
    assert (found["conditions"], found["is_example"], found["notice"]) == (["default"], False, "")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"run": 10**30}, "There is no run '1000000000000000000000000000000'; expected the number of a run"),
        ({"run": "last"}, "run: A valid integer is required. Found 'last'."),
        ({"target": "uptake"}, "is not judged on uptake; expected one of label, completeness."),
        ({"target": "taste"}, "The target 'taste' is unknown; expected one of label, completeness, uptake"),
        ({"target": "completeness"}, "no judge of completeness is named in it"),
        ({"size": 13}, "The sample is 13; expected 1 to 12, which is all that can be drawn."),
        ({"size": 0}, "The sample is 0; expected 1 to 12"),
        ({"size": "all"}, "size: A valid integer is required. Found 'all'."),
        ({"seed": 10**30}, "The seed is 1000000000000000000000000000000; expected 0 to"),
        (
            {"over": ["part", "mood"]},
            "The factor of strata 'mood' is unknown; expected one of part, category",
        ),
        ({"conditions": ["loud"]}, "has no condition 'loud' whose answers are judged on label"),
        ({"slug": "no slug"}, "name 'no slug' cannot stand in an address"),
        ({"name": "x" * 201}, "has 201 characters; expected 200 at most"),
        ({"annotators": ["lead"]}, "annotators: There is no such annotator; expected"),
        ({"annotators": ["ana", "ana"]}, "name each annotator once"),
        ({"annotators": ["ana\0"]}, "annotators: Null characters are not allowed."),
        ({"label_sets": ["C", "C"]}, "'C' is the name of another seat"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words_and_leaves_nothing(lead, db, wrong, words):
    make_user("ana", "annotator")
    answer = post(lead, ALL, **{"run": letters_run(samples=2).pk, "size": 8, **wrong})
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert not ValidationSample.objects.exists()


def test_a_run_that_is_not_done_offers_nothing(lead, db):
    run = make_run(state="running")
    answers = [post(lead, ALL, run=run.pk), lead.get(f"/api/v1/runs/{run.pk}/offers/")]
    for answer in answers:
        assert answer.status_code == 400
        assert f"Run {run.pk} is running" in answer.json()["detail"]


def test_a_run_tells_what_it_offers(lead, db):
    run = letters_run(samples=2)
    label, completeness = lead.get(f"/api/v1/runs/{run.pk}/offers/").json()
    assert label == {"target": "label", "items": {"default": 12}, "not_read": {"default": 0}, "why_none": ""}
    assert (completeness["target"], completeness["items"]) == ("completeness", {"default": 0})
    assert completeness["why_none"] == "no judge of completeness is named in it"


@pytest.mark.parametrize("target", ["uptake", "fit", "hedging"])
def test_answers_of_pairs_are_drawn_two_by_two(lead, db, target):
    run = pairs_run()
    found = post(lead, ALL, run=run.pk, target=target, size=4, over=[]).json()
    assert (found["target"], found["items"], found["slug"]) == (target, 4, f"run-{run.pk}-{target}")
    assert found["strata"] == [{"name": "all", "size": 6, "drawn": 2}]


# Looking.


def test_samples_are_listed_newest_first_with_as_few_questions_for_many(
    lead, drawn, django_assert_max_num_queries
):
    for _ in range(3):
        post(lead, ALL, run=drawn.run_id, size=4)
    with django_assert_max_num_queries(3):
        listed = lead.get(ALL).json()
    assert listed["count"] == 4
    assert [(row["slug"], row["items"], row["annotators"]) for row in listed["results"]][2:] == [
        (f"run-{drawn.run_id}-label", 4, 0),
        ("sample-1", 8, 2),
    ]
    assert "raters" not in listed["results"][0]


def test_a_sample_tells_how_far_its_annotators_and_judges_are(lead, drawn):
    say(drawn, seat_of(drawn, "ana"), 1, 1)
    say(drawn, seat_of(drawn, "ana"), 2, None)
    end_rater(drawn.sample.raters.get(user__username="ben"))
    further = judged_alone(drawn, {1: "1"})
    found = lead.get(ONE).json()
    rows = {row["account"]: row for row in found["raters"]}
    assert rows["ana"].pop("last_saved")
    assert rows["ana"] == {
        "pseudonym": seat_of(drawn, "ana"),
        "account": "ana",
        "is_active": True,
        "labelled": 2,
        "cannot_tell": 1,
        "items": 8,
    }
    assert [rows["ben"][name] for name in ("is_active", "labelled", "last_saved")] == [False, 0, None]
    judged = {row["judge"]: row for row in found["judges"]}
    assert set(judged) == {"judge", "exact match"}
    for row in found["judges"]:
        assert row["answered"] + row["not_read"] + row["not_asked"] == 8
    assert sum(row["answered"] for row in found["judges"]) == 8
    [run] = found["judging_runs"]
    assert (run["run"], run["judge"], run["state"]) == (further.pk, "further", "planned")


def test_example_labels_are_called_so(lead, drawn):
    ValidationSample.objects.update(is_example=True)
    for row in (lead.get(ONE).json(), lead.get(ALL).json()["results"][0]):
        assert row["notice"] == "Example labels that no recruited person gave."


# Seats, beginning and end.


def test_seats_are_given_ended_and_taken_up(lead, drawn):
    make_user("cem", "annotator")
    given = post(lead, f"{ONE}raters/", annotator="cem")
    assert (given.status_code, given.json()["pseudonym"], given.json()["items"]) == (201, "A3", 8)
    for act, is_active in (("end", False), ("take-up", True)):
        answer = post(lead, f"{ONE}raters/{act}/", pseudonym="A3")
        assert answer.status_code == 200
        assert answer.json() == given.json() | {"is_active": is_active}
        assert drawn.sample.raters.get(user__username="cem").is_active == is_active
    assert drawn.sample.raters.filter(is_active=True).count() == 3


@pytest.mark.parametrize(
    ("address", "body", "words"),
    [
        ("raters/", {"annotator": "ana"}, "ana has a seat in validation sample sample-1 already"),
        ("raters/", {"annotator": "lead"}, "annotator: There is no such annotator; expected"),
        ("raters/", {"annotator": "nobody"}, "Found 'nobody'."),
        ("raters/", {"annotator": "ana\0"}, "annotator: Null characters are not allowed."),
        ("raters/", {}, "annotator: This field is required."),
        (
            "raters/end/",
            {"pseudonym": "A9"},
            "There is no seat 'A9' in sample sample-1; expected one of: A1, A2.",
        ),
        ("raters/take-up/", {}, "pseudonym: This field is required."),
        ("reopen/", {}, "Validation sample sample-1 is open; expected one that is closed."),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(lead, drawn, address, body, words):
    answer = post(lead, f"{ONE}{address}", **body)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert drawn.sample.raters.filter(is_active=True).count() == 2


def test_a_sample_is_closed_and_opened_again(lead, drawn):
    make_user("cem", "annotator")
    assert post(lead, f"{ONE}close/").json()["state"] == "closed"
    assert ValidationSample.objects.get().state == "closed"
    for address, body in (("close/", {}), ("raters/", {"annotator": "cem"})):
        answer = post(lead, f"{ONE}{address}", **body)
        assert answer.status_code == 400
        assert answer.json()["detail"] == "Validation sample sample-1 is closed; expected one that is open."
    assert post(lead, f"{ONE}reopen/").json() == lead.get(ONE).json()
    assert ValidationSample.objects.get().state == "open"


# Further judges.


def test_judging_is_planned_and_nothing_is_sent(lead, drawn):
    make_endpoint("further")
    answer = post(lead, f"{ONE}judge/", endpoint="further", cost_limit="2.5", token_limit=90_000)
    assert answer.status_code == 201
    planned = answer.json()
    assert planned == lead.get(f"/api/v1/runs/{planned['id']}/").json()
    named = ("benchmark", "sample", "endpoint", "state", "cost_limit", "token_limit")
    assert [planned[name] for name in named] == [
        *("validation", "sample-1", "further", "planned", "2.5000", 90_000)
    ]
    run = Run.objects.get(pk=planned["id"])
    assert (run.generations.count(), run.created_by.username) == (8, "lead")
    assert not DBTaskResult.objects.exists()


def test_judging_is_started_at_once_where_it_is_asked_for(lead, drawn):
    make_endpoint("further")
    started = post(lead, f"{ONE}judge/", endpoint="further", start=True).json()
    assert started["state"] == "running"
    assert DBTaskResult.objects.count() == Run.objects.get(pk=started["id"]).shards.count() > 0
    assert [row["state"] for row in lead.get(ONE).json()["judging_runs"]] == ["running"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"endpoint": "lost"}, "endpoint: There is no endpoint of that name; make it first. Found 'lost'."),
        ({"endpoint": None}, "endpoint: This field may not be null."),
        ({"token_limit": 0}, "token_limit: Ensure this value is greater than or equal to 1. Found 0."),
        ({"token_limit": 10, "start": True}, "above the limit of 10 tokens"),
    ],
)
def test_a_judging_that_cannot_be_is_refused_in_words_and_not_left_behind(lead, drawn, wrong, words):
    make_endpoint("further")
    answer = post(lead, f"{ONE}judge/", **{"endpoint": "further", **wrong})
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert not Run.objects.filter(benchmark="validation").exists()


def test_a_judge_that_is_still_at_it_is_not_asked_twice(lead, drawn):
    make_endpoint("further")
    first, second = (post(lead, f"{ONE}judge/", endpoint="further") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 400)
    assert f"already judges sample sample-1 in run {first.json()['id']}" in second.json()["detail"]


# Labels that were given elsewhere.

ROWS = [
    {"item": 1, "annotator": "A1", "value": 1},
    {"item": 2, "annotator": "A1", "value": "does not follow", "comment": "Not a joke in it."},
    {"item": 3, "annotator": "A1", "value": "cannot_tell"},
    {"item": 4, "annotator": "", "value": None},
]


def test_rows_are_saved_as_labels_and_the_same_again_changes_nothing(lead, drawn):
    first, again = (post(lead, f"{ONE}labels/", rows=ROWS) for _ in range(2))
    done = {"changed": 0, "cannot_tell": 1, "unanswered": 1, "new_label_sets": []}
    assert (first.status_code, first.json()) == (200, {**done, "added": 3, "unchanged": 0})
    assert again.json() == {**done, "added": 0, "unchanged": 3}
    labels = ValidationLabel.objects.order_by("item__number")
    assert list(labels.values_list("value", "comment")) == [(1, ""), (0, "Not a joke in it."), (None, "")]
    assert {revision.saved_by.username for revision in ValidationLabelRevision.objects.all()} == {"lead"}


def test_changes_are_refused_until_they_are_accepted(lead, drawn):
    post(lead, f"{ONE}labels/", rows=ROWS)
    changed = [{"item": 1, "annotator": "A1", "value": 0}, {"item": 5, "annotator": "A1", "value": 1}]
    answer = post(lead, f"{ONE}labels/", rows=changed)
    assert answer.status_code == 400
    assert "rows.jsonl, line 1, item 1 of A1: Follows -> Does not follow" in answer.json()["detail"]
    assert ValidationLabel.objects.count() == 3
    taken = post(lead, f"{ONE}labels/", rows=changed, accept_changes=True).json()
    assert (taken["changed"], taken["added"]) == (1, 1)
    assert ValidationLabel.objects.get(item__number=1).value == 0


def test_names_without_a_seat_get_one_where_that_is_asked_for(lead, drawn):
    rows = [{"item": 1, "annotator": "Elsewhere", "value": 1}]
    answer = post(lead, f"{ONE}labels/", rows=rows)
    assert answer.status_code == 400
    assert "field annotator: found 'Elsewhere'; expected a seat of sample sample-1" in answer.json()["detail"]
    assert post(lead, f"{ONE}labels/", rows=rows, new_label_sets=True).json()["new_label_sets"] == [
        "Elsewhere"
    ]
    assert drawn.sample.raters.get(pseudonym="Elsewhere").user is None


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            [{"item": 1, "annotator": "A1", "value": 7}],
            "line 1, field value: found the number 7; expected one of",
        ),
        (
            [ROWS[0], {**ROWS[1], "item": 9}],
            "line 2, field item: found the number 9; expected an item of sample",
        ),
        ([ROWS[0], ROWS[0]], "line 2"),
        ([{"item": 1, "annotator": "A1"}], "field value"),
        ([{**ROWS[0], "message": "Another text."}], "field message"),
        ([ROWS[3]], "found no answers"),
        ([], "found no answers"),
        ([1], 'rows.0: Expected a dictionary of items but got type "int". Found 1.'),
        ("all", "rows: Expected a list of items but got type \"str\". Found 'all'."),
    ],
)
def test_rows_that_cannot_be_labels_are_refused_with_line_and_field(lead, drawn, rows, words):
    answer = post(lead, f"{ONE}labels/", rows=rows)
    assert answer.status_code == 400
    assert words in answer.json()["detail"]
    assert not ValidationLabel.objects.exists()


def test_text_that_no_database_can_hold_is_refused(lead, drawn):
    body = json.dumps({"rows": [{**ROWS[0], "comment": "\ud800"}]})
    answer = lead.post(f"{ONE}labels/", body, content_type="application/json")
    assert answer.status_code == 400
    assert "rows.jsonl, line 1, field comment" in answer.json()["detail"]


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_the_items_file_filled_in_is_brought_back(lead, drawn, suffix):
    content = filled_in(b"".join(lead.get(f"{ONE}all-items.{suffix}")).decode(), suffix)
    for expected in ({"added": 8, "unchanged": 0}, {"added": 0, "unchanged": 8}):
        file = SimpleUploadedFile(f"labels.{suffix}", content.encode())
        answer = lead.post(f"{ONE}labels/", {"file": file, "new_label_sets": "true"}, format="multipart")
        assert answer.status_code == 200
        assert answer.json().items() >= expected.items()
    assert list(ValidationLabel.objects.values_list("rater__pseudonym", "value").distinct()) == [("C", 1)]


def filled_in(text: str, suffix: str) -> str:
    """Let C say of every item of a file that it follows."""
    if suffix == "jsonl":
        rows = [json.loads(line) | {"annotator": "C", "value": 1} for line in text.splitlines()]
        return "".join(json.dumps(row) + "\n" for row in rows)
    rows = [row | {"annotator": "C", "value": "Follows"} for row in csv.DictReader(io.StringIO(text))]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (SimpleUploadedFile("labels.xlsx", b"PK"), "labels.xlsx: the name ends in '.xlsx'; expected one of"),
        (SimpleUploadedFile("labels.csv", b""), "labels.csv"),
        (SimpleUploadedFile("labels.jsonl", b"{"), "labels.jsonl, line 1: found broken JSON"),
        ("labels", "file: The submitted data was not a file."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words(lead, drawn, file, words):
    answer = lead.post(f"{ONE}labels/", {"file": file}, format="multipart")
    assert answer.status_code == 400
    assert words in answer.json()["detail"]


def test_a_closed_sample_takes_no_labels(lead, drawn):
    close_sample(drawn.sample)
    answer = post(lead, f"{ONE}labels/", rows=ROWS)
    assert answer.json()["detail"] == "Validation sample sample-1 is closed; expected one that is open."


# What comes of it.


@pytest.fixture
def labelled(drawn) -> RunSample:
    """The sample with one answer of each annotator in dispute and one in doubt."""
    for number in range(1, 9):
        say(drawn, seat_of(drawn, "ana"), number, number % 2, "Sure." if number == 1 else "")
        say(drawn, seat_of(drawn, "ben"), number, None if number == 3 else float(number < 5))
    return drawn


def test_the_report_is_that_of_the_page_and_of_the_command(lead, labelled):
    report = lead.get(f"{ONE}report/").json()
    assert report == json.loads(json.dumps(validation_report(labelled)))
    [pair] = [row for row in report["pairs"] if {row["first"], row["second"]} == {"A1", "A2"}]
    # Of the seven items that both could tell, they agree on 1, 6 and 8.
    assert (pair["agreement"]["numerator"], pair["agreement"]["denominator"]) == (3, 7)


FILES = [
    *[("validation-report", [suffix]) for suffix in ("json", "csv", "tex")],
    *[
        ("validation-rows", [what, suffix])
        for what in ("items", "labels")
        for suffix in ("jsonl", "csv", "parquet")
    ],
]


@pytest.mark.parametrize(("view", "arguments"), FILES)
def test_files_are_those_of_the_page(lead, labelled, client, view, arguments):
    client.force_login(User.objects.get(username="lead"))
    page = client.get(reverse(view, args=["sample-1", *arguments]))
    there = lead.get(page.request["PATH_INFO"].replace("/validation/", "/api/v1/validation/"))
    assert b"".join(there) == b"".join(page) != b""
    assert there.get("Content-Disposition") == page.get("Content-Disposition")


def label_all(username: str, answer: Callable[[dict], object]) -> int:
    """Answer every item as an annotator does; return how many there were."""
    client, done = client_of(username), 0
    while (shown := client.get(f"{OWN}next/")).status_code == 200:
        item = shown.json()
        form = {"place": item["place"], "version": 0, "value": answer(item["texts"]), "token": str(uuid4())}
        assert client.post(f"{OWN}answers/", form, format="json").status_code == 201
        done += 1
    return done


def test_a_sample_is_drawn_labelled_judged_and_reported_through_the_api(lead):
    """Both judges find that every message follows, and so does Ana; Ben finds that one does not."""
    for name in ("ana", "ben"):
        make_user(name, "annotator")
    with fake_endpoint() as endpoint:
        run = finished_run(endpoint.url, "label")
        offered = lead.get(f"/api/v1/runs/{run.pk}/offers/").json()[0]["items"]
        size = sum(offered.values())
        drawn = post(lead, ALL, run=run.pk, size=size, slug="sample-1", annotators=["ana", "ben"])
        assert drawn.status_code == 201
        make_endpoint("further", endpoint.url, concurrency=4, deadline=20)
        judging = post(lead, f"{ONE}judge/", endpoint="further", start=True).json()
        work(Run.objects.get(pk=judging["id"]))
    refused = ValidationSample.objects.get().items.first().texts
    assert label_all("ana", lambda texts: 1) == size
    assert label_all("ben", lambda texts: int(texts != refused)) == size
    assert post(lead, f"{ONE}close/").json()["state"] == "closed"
    found = lead.get(ONE).json()
    assert [row["state"] for row in found["judging_runs"]] == ["done"]
    assert [(row["labelled"], row["cannot_tell"]) for row in found["raters"]] == [(size, 0)] * 2
    report = lead.get(f"{ONE}report/").json()
    counts = {row["rater"]: row["answered"] for row in report["counts"]["raters"]}
    further = f"further (run {judging['id']})"
    assert counts["A1"] == counts["A2"] == counts[further] == size
    agreement = {
        frozenset((pair["first"], pair["second"])): (
            pair["agreement"]["numerator"],
            pair["agreement"]["denominator"],
        )
        for pair in report["pairs"]
    }
    ana, ben = (seat_of(RunSample.objects.get(), name) for name in ("ana", "ben"))
    assert agreement[frozenset((ana, ben))] == (size - 1, size)
    assert agreement[frozenset((ana, further))] == (size, size)
    assert agreement[frozenset((ben, further))] == (size - 1, size)


def test_the_guide_for_developers_names_every_address(lead):
    guide = (settings.BASE_DIR / "docs" / "developers.md").read_text(encoding="utf-8")
    described = lead.get("/api/v1/schema/?format=json").json()["paths"]
    served = {
        f"{method.upper()} {address.removeprefix('/api/v1/')}"
        for address, methods in described.items()
        for method in methods
        if re.search(r"validation/|/offers/", address)
    }
    assert set(re.findall(r"`((?:GET|POST) [^`]+)`", guide)) == served


# Blindness: whatever address of the API an annotator with a seat opens.


def addresses(patterns: list, before: str = "/") -> Iterator[str]:
    """Yield every address below those patterns, with places to fill in."""
    for pattern in patterns:
        route = before + re.sub(r"\\Z|[$^]", "", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield re.sub(r"\(\?P<(\w+)>[^)]*\)|<(?:\w+:)?(\w+)>", r"{\1\2}", route)


def of_the_api(run: int) -> list[str]:
    """Return every address of the API, filled in; the two that describe the API are no data."""
    filled = {"slug": "sample-1", "campaign": "sample-1", "what": "labels", "suffix": "csv", "place": 1}
    numbers = {"pk": run, "first_run": run, "second_run": run, "unit": 1, "item": 1}
    others = {"name": "subject", "identifier": "M01-C1-s0", "theme": "light"}
    found = [each for each in addresses(get_resolver().url_patterns) if each.startswith("/api/v1/")]
    return sorted(each.format(**filled, **numbers, **others) for each in found if "/schema/" not in each)


def walk(run: int) -> list[str]:
    """Open every address of the API as Ana does, before she answers, on the way, and at the end."""
    with transaction.atomic():
        answers = list(visit(client_of("ana"), of_the_api(run)))
        transaction.set_rollback(True)
    return [SAVED.sub("...", f"{given.status_code} {given.content.decode()}") for given in answers]


def visit(client: APIClient, everywhere: list[str]) -> Iterator:
    yield from (client.get(address) for address in everywhere)
    for place in range(1, 9):
        yield (shown := client.get(f"{OWN}next/"))
        form = {
            "place": place,
            "version": 0,
            "value": [1, 0, "cannot_tell"][place % 3],
            "token": str(uuid4()),
        }
        yield client.post(f"{OWN}answers/", form | {"comment": "Mine."}, format="json")
        yield client.post(f"{OWN}answers/", form | {"token": str(uuid4())}, format="json")
        assert shown.json()["place"] == place
    yield from (client.get(address) for address in everywhere)


def test_every_address_of_the_api_is_looked_at():
    found = of_the_api(7)
    assert {ALL, ONE, f"{ONE}labels/", f"{OWN}answers/1/", "/api/v1/runs/7/report/"} <= set(found)
    assert all(name in " ".join(found) for name in ("offers", "raters/take-up", "all-labels.csv", "judge"))


@pytest.mark.parametrize("draw", [draw_letters, draw_answers], ids=lambda draw: draw.__name__)
def test_no_answer_depends_on_gold_verdict_side_model_or_condition(db, draw):
    drawn = draw()
    as_is = walk(drawn.run_id)
    exchange_all_that_is_hidden()
    assert walk(drawn.run_id) == as_is


@pytest.mark.parametrize("draw", [draw_letters, draw_answers], ids=lambda draw: draw.__name__)
def test_no_answer_names_what_is_hidden(db, draw):
    drawn = draw()
    texts = [text for item in drawn.sample.items.all() for text in item.texts.values()]
    answers = "\n".join(walk(drawn.run_id))
    assert all(json.dumps(text) in answers for text in texts)
    for words in {*texts, usual_guideline("label"), usual_guideline("uptake")}:
        answers = answers.replace(json.dumps(words, ensure_ascii=False), "")
    assert [word for word in HIDDEN.split() if re.search(rf"\b{word}\b", answers, re.IGNORECASE)] == []


@pytest.mark.parametrize("draw", [draw_letters, draw_answers], ids=lambda draw: draw.__name__)
def test_nothing_but_the_own_addresses_tells_of_a_sample(db, draw):
    drawn = draw()
    client = client_of("ana")
    for address in of_the_api(drawn.run_id):
        answers = [client.get(address), client.post(address, {}, format="json")]
        if not address.startswith("/api/v1/own-validation/"):
            told = b"".join(answer.content for answer in answers).decode()
            assert not any(item.texts["message"] in told for item in drawn.sample.items.all()), address
            assert drawn.sample.name not in told, address
