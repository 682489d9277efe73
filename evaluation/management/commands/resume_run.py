"""Go on with a run."""

from typing import Any

from django.core.management.base import CommandParser

from annotate.management.command import TactCommand
from evaluation.actions import resume_run
from evaluation.management.waiting import wait_for
from evaluation.names import run_named


class Command(TactCommand):
    """`resume_run RUN`: same run, same rows."""

    help = "Go on with a run that was paused, stopped or interrupted; nothing answered is asked again."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the number of the run."""
        parser.add_argument("run", help="number of the run, or `last`")
        parser.add_argument("--wait", action="store_true", help="work and watch until the run ends")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Queue what is left, and wait for it if asked to."""
        run = run_named(options["run"])
        resume_run(run)
        if options["wait"]:
            wait_for(run, self, options["format"])
        elif options["format"] == "json":
            self.write_json({"run": run.pk, "state": run.state})
        else:
            self.stdout.write(f"Run {run.pk} goes on.")
