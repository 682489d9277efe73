"""From nothing to a first result, then the site."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandParser

from annotate.access import ANNOTATOR, LEAD
from annotate.actions.accounts import create_account, issue_one_time_password
from annotate.management.command import TactCommand
from annotate.models import (
    Campaign,
    Dataset,
    GoldRelease,
    Label,
    Review,
    Sheet,
    ValidationLabel,
    ValidationSample,
)
from evaluation.actions import create_run, resume_run, start_run
from evaluation.exporters.report import report_text
from evaluation.local_model import LocalModel, start_local_model
from evaluation.management.progress_line import ProgressLine
from evaluation.management.waiting import refuse_unfinished
from evaluation.management.watching import watch
from evaluation.models import Endpoint, Run
from evaluation.reports import report_with_cards
from fixtures.example_validation import LABEL_SETS as VALIDATION_SETS
from fixtures.example_validation import example_rows

ACCOUNTS = {"lead": LEAD, "annotator1": ANNOTATOR, "annotator2": ANNOTATOR, "annotator3": ANNOTATOR}
ANNOTATORS = [name for name, role in ACCOUNTS.items() if role == ANNOTATOR]
LABEL_SETS = ("example-a", "example-b", "example-c")
REVIEW_SETS = ("example-a", "example-b")
DATASET, EXAMPLES, ROUND, ENDPOINT = "sample", "sample-examples", "sample-round-1", "embedded"
PAIRS, REVIEW_EXAMPLES, REVIEW, REVIEWED = "sample-pairs", "sample-pairs-examples", "sample-pairs-1", "60"
FIXTURES = Path(settings.BASE_DIR) / "fixtures"

# What two cores do in one to two minutes: benchmarks/local_model_speed.py measures it.
PROFILES, CONTEXTS = ("p01", "p07"), 4
PAIRS_ASKED = 2
CHECK_EXAMPLES, CHECK, CHECKED = "check-examples", "check-1", 20
PARAMETERS = {"max_tokens": 100}


class Command(TactCommand):
    """`demo`: each step names the command that does it, and is left out where it was done before."""

    help = "Make accounts, the sample corpus, example labels, a gold release and a first run; then serve."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Say whether to serve, and where."""
        parser.add_argument("--no-serve", action="store_true", help="stop after the report")
        parser.add_argument("--port", type=int, default=8000, help="of the site, 8000 by default")
        parser.add_argument("--model-port", type=int, default=8089, help="of the embedded model")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do the steps in order; the model and the worker run until this process ends."""
        self.step("migrate", verbosity=0)
        self.make_accounts()
        self.make_gold()
        self.make_reviews()
        with ExitStack() as running:
            model = running.enter_context(self.embedded_model(options["model_port"]))
            running.enter_context(background_worker())
            endpoint = embedded_endpoint(model)
            runs = [self.run_benchpres(endpoint), self.run_pairpref(endpoint)]
            if options["no_serve"]:
                for run in runs:
                    refuse_unfinished(run)
            self.make_checks(runs[0])
            if options["no_serve"]:
                return
            self.say_where_to_go(options["port"])
            call_command("serve", port=options["port"])

    def step(self, command: str, *args: str, **options: Any) -> None:
        """Show a command as it would be typed, and run it."""
        shown = " ".join(arg.removeprefix(f"{settings.BASE_DIR}/") for arg in args)
        self.stdout.write(self.style.MIGRATE_HEADING(f"manage.py {command} {shown}".rstrip()))
        call_command(command, *args, stdout=self.stdout, stderr=self.stderr, **options)

    def make_accounts(self) -> None:
        """Make the accounts and print their one-time passwords; a new one where it was never replaced."""
        self.stdout.write(self.style.MIGRATE_HEADING("manage.py add_account ..."))
        for name, role in ACCOUNTS.items():
            user = User.objects.filter(username=name).first()
            if user is None:
                _, password = create_account(name, role)
            elif hasattr(user, "one_time_password"):
                password = issue_one_time_password(user)
            else:
                self.stdout.write(
                    f"  {role:10} {name:12} has chosen a password (a new one: add_account --renew)"
                )
                continue
            self.stdout.write(f"  {role:10} {name:12} one-time password {password}")

    def make_gold(self) -> None:
        """Import the corpus and the example labels, freeze a release, and open a round to label in."""
        self.step("import_corpus", "tact", str(FIXTURES / "sample-corpus.jsonl"), "--dataset", DATASET)
        guideline = ["--guideline", str(FIXTURES / "guideline.md")]
        if not Campaign.objects.filter(slug=EXAMPLES).exists():
            name = ["--name", "Example labels (no recruited person gave them)", "--example", "--seed", "1"]
            sets = ["--label-sets", ",".join(LABEL_SETS)]
            self.step("create_campaign", EXAMPLES, "--dataset", DATASET, *sets, *guideline, *name)
        if not Label.objects.filter(annotator__campaign__slug=EXAMPLES).exists():
            self.step("import_labels", EXAMPLES, str(FIXTURES / "example-labels.jsonl"))
        if not GoldRelease.objects.filter(campaign__slug=EXAMPLES).exists():
            self.step("freeze_gold", EXAMPLES)
        if not Campaign.objects.filter(slug=ROUND).exists():
            name = ["--name", "Formal letters, round 1"]
            annotators = ["--annotators", ",".join(ANNOTATORS)]
            self.step("create_campaign", ROUND, "--dataset", DATASET, *annotators, *guideline, *name)

    def make_reviews(self) -> None:
        """Import the contrast pairs and the example answers on them, and open a review for two annotators."""
        self.step("import_corpus", "tact", str(FIXTURES / "sample-pairs.jsonl"), "--dataset", PAIRS)
        if not Review.objects.filter(slug=REVIEW_EXAMPLES).exists():
            name = ["--name", "Example answers (no recruited person gave them)", "--example", "--seed", "1"]
            sets = ["--label-sets", ",".join(REVIEW_SETS)]
            self.step("create_review", REVIEW_EXAMPLES, "--dataset", PAIRS, *sets, *name)
        if not Sheet.objects.filter(reviewer__review__slug=REVIEW_EXAMPLES).exists():
            self.step("import_reviews", REVIEW_EXAMPLES, str(FIXTURES / "example-reviews.jsonl"))
        if not Review.objects.filter(slug=REVIEW).exists():
            name = ["--name", "Contrast pairs, round 1", "--sample", REVIEWED]
            annotators = ["--annotators", ",".join(ANNOTATORS[:2])]
            self.step("create_review", REVIEW, "--dataset", PAIRS, *annotators, *name)

    @contextmanager
    def embedded_model(self, port: int) -> Iterator[LocalModel]:
        """Start the embedded model for as long as the block lasts."""
        self.stdout.write(self.style.MIGRATE_HEADING(f"manage.py serve_model --port {port}"))
        with start_local_model(port) as model:
            self.stdout.write(f"The embedded model answers on {model.base_url}.")
            yield model

    def run_benchpres(self, endpoint: Endpoint) -> Run:
        """Run a small BenchPreS job."""
        release = GoldRelease.objects.filter(campaign__slug=EXAMPLES).latest("number")
        shown = f"benchpres --dataset {DATASET} --gold {release.name} --samples 1"
        shown += f" --profiles {','.join(PROFILES)} --contexts {CONTEXTS}"
        return self.run_benchmark(
            endpoint,
            shown,
            benchmark="benchpres",
            dataset=release.dataset,
            release=release,
            samples=1,
            profiles=PROFILES,
            contexts=CONTEXTS,
        )

    def run_pairpref(self, endpoint: Endpoint) -> Run:
        """Run a small PairPref job in both tracks."""
        dataset = Dataset.objects.get(slug=PAIRS)
        shown = f"pairpref --dataset {PAIRS} --pairs {PAIRS_ASKED}"
        return self.run_benchmark(endpoint, shown, benchmark="pairpref", dataset=dataset, pairs=PAIRS_ASKED)

    def run_benchmark(self, endpoint: Endpoint, shown: str, **plan: Any) -> Run:
        """Run a small job through the queue, or go on with the one there is, and print its report."""
        shown += f" --endpoint {ENDPOINT} --judge {ENDPOINT}"
        self.stdout.write(self.style.MIGRATE_HEADING(f"manage.py run_benchmark {shown}"))
        same = {name: plan[name] for name in ("benchmark", "dataset")}
        run = Run.objects.filter(endpoint=endpoint, **same).exclude(state=Run.State.CANCELLED).last()
        if run is None:
            run = create_run(endpoint=endpoint, judges=[(endpoint, "")], **plan)
        if run.state == Run.State.PLANNED:
            start_run(run)
        elif run.state != Run.State.DONE:
            resume_run(run)
        line = ProgressLine(self.stderr)
        watch(run, line.show)
        line.end()
        self.stdout.write(report_text(report_with_cards(run)))
        return run

    def make_checks(self, run: Run) -> None:
        """Draw answers of the run: with example labels to see a report, and for annotators to label."""
        if run.state != Run.State.DONE:
            return
        drawn = [str(run.pk), "--size", str(CHECKED)]
        if not ValidationSample.objects.filter(slug=CHECK_EXAMPLES).exists():
            name = ["--name", "Example labels (a rule gave them, no person)", "--example"]
            sets = [word for name_ in VALIDATION_SETS for word in ("--label-set", name_)]
            self.step("draw_validation", *drawn, "--slug", CHECK_EXAMPLES, *sets, *name)
        if not ValidationLabel.objects.filter(rater__sample__slug=CHECK_EXAMPLES).exists():
            self.import_example_labels(ValidationSample.objects.get(slug=CHECK_EXAMPLES))
        if not ValidationSample.objects.filter(slug=CHECK).exists():
            name = ["--name", "Do the letters follow the preference?"]
            people = [word for name_ in ANNOTATORS for word in ("--annotator", name_)]
            self.step("draw_validation", *drawn, "--seed", "2", "--slug", CHECK, *people, *name)

    def import_example_labels(self, sample: ValidationSample) -> None:
        """Label the sample by a rule."""
        rows = example_rows(sample.items.values_list("number", "texts"))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "example-labels.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            self.step("import_validation_labels", sample.slug, str(path))

    def say_where_to_go(self, port: int) -> None:
        """Say what can be done now."""
        self.stdout.write(
            self.style.MIGRATE_HEADING(f"manage.py serve --port {port}")
            + f"\nSign in on http://127.0.0.1:{port} with an account from above: as annotator1 to label,"
            "\nto review pairs and to check judges, as lead to see campaigns, reviews, gold releases, runs,"
            "\nhow far a judge agrees with labels, and the admin."
            "\nCtrl-C ends everything."
        )


def embedded_endpoint(model: LocalModel) -> Endpoint:
    """Return the endpoint of the embedded model, made or brought up to date."""
    about = {"base_url": model.base_url, "model": model.name, "parameters": PARAMETERS, "is_embedded": True}
    endpoint, _ = Endpoint.objects.update_or_create(name=ENDPOINT, defaults={**about, "concurrency": 1})
    return endpoint


@contextmanager
def background_worker() -> Iterator[None]:
    """Run a worker of the queue beside this process for as long as the block lasts."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "work", "--interval", "0.5"]
    worker = subprocess.Popen(command)  # noqa: S603 - our own command
    try:
        yield
    finally:
        worker.terminate()
        worker.wait()
