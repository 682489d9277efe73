"""A lead's way through runs, in a real browser."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.db import connections
from django.urls import reverse
from django_tasks_db.management.commands.db_worker import Worker

from evaluation.models import Endpoint, Run
from tests.evaluation.factories import (
    end_generation,
    finish_run,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)

pytestmark = pytest.mark.browser


class FriendlyModel(BaseHTTPRequestHandler):
    """Writes a letter, and as a judge finds that every letter follows every preference."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_judged = "do_not_follow" in asked["messages"][-1]["content"]
        content = json.dumps({"label": "follow"}) if is_judged else "Dear Sir, with kind regards, Joker"
        body = json.dumps(
            {
                "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 10},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Keep quiet."""


@pytest.fixture
def model_address():
    with ThreadingHTTPServer(("127.0.0.1", 0), FriendlyModel) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def work_the_queue():
    """Let a worker do all that waits, in a thread of its own as it would be in a process of its own."""

    def work():
        try:
            Worker(
                queue_names=["default"],
                interval=0,
                batch=True,
                backend_name="default",
                startup_delay=False,
                max_tasks=None,
                worker_id="worker-of-the-test",
                excluded_queue_names=[],
            ).run()
        finally:
            connections.close_all()

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()


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
    assert page.get_by_alt_text("Rates with their intervals").evaluate("image => image.naturalWidth > 0")
    page.get_by_text("Values that the paper reports, for comparison only").click()
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
    page.get_by_text("0 of 4 answers").wait_for()
    check_accessibility()
    take_screenshots("run-running")
    end_generation(run.generations.first())
    page.get_by_text("1 of 4 answers").wait_for()
    finish_run(run)
    page.get_by_text("4 of 4 answers").wait_for()
    page.get_by_alt_text("Rates with their intervals").wait_for()


def test_adding_an_endpoint_refuses_a_key_in_plain_words(lead, page, check_accessibility, take_screenshots):
    page.goto(reverse("admin:evaluation_endpoint_add"))
    page.get_by_label("Name:", exact=True).fill("small")
    page.get_by_label("Base url:").fill("http://127.0.0.1:8080/v1")
    page.get_by_label("Model:").fill("small-1")
    page.get_by_label("Key variable:").fill("sk-abcdef0123456789")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("it looks like the key itself").wait_for()
    assert "sk-abcdef" not in page.content()
    check_accessibility()
    take_screenshots("admin-endpoint")
    page.get_by_label("Key variable:").fill("MODEL_API_KEY")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was added successfully").wait_for()


def test_a_run_from_the_admin_form_to_its_report(
    lead, page, model_address, check_accessibility, take_screenshots
):
    make_release(make_corpus(), is_example=True)
    page.goto(reverse("run-list"))
    page.get_by_role("link", name="Admin").click()
    page.get_by_role("link", name="Endpoints").first.click()
    page.get_by_role("link", name="Add endpoint").click()
    page.get_by_label("Name:", exact=True).fill("friendly")
    page.get_by_label("Base url:").fill(model_address)
    page.get_by_label("Model:").fill("friendly-1")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("was added successfully").wait_for()

    page.goto(reverse("run-list"))
    page.get_by_role("button", name="New run").click()
    page.get_by_label("Gold release:").select_option(label="letters-1")
    page.get_by_label("Model:").select_option(label="friendly")
    page.get_by_role("group", name="Judges:").get_by_label("friendly").check()
    page.get_by_label("Samples:").fill("2")
    check_accessibility()
    take_screenshots("admin-new-run")
    page.get_by_role("button", name="Make the run").click()

    page.get_by_text("Starting makes 16 calls").wait_for()
    check_accessibility()
    take_screenshots("run-planned")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("Running", exact=True).wait_for()
    assert Run.objects.get().calls.count() == 0

    work_the_queue()

    page.get_by_text("8 of 8 answers, 16 of 16 verdicts").wait_for()
    page.get_by_alt_text("Rates with their intervals").wait_for()
    whole = page.get_by_role("row", name="all instances 100")
    assert "100.00" in whole.inner_text()
    assert "8 of 8" in whole.inner_text()
    page.get_by_text("judges its own messages").wait_for()
    assert Endpoint.objects.get().key_env == ""
    check_accessibility()
