"""Draw a validation sample from a finished run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandParser

from annotate.importers.files import text_of
from annotate.management.command import TactCommand
from annotate.names import row_named
from annotate.pairs import SIDES
from evaluation.actions import draw_validation
from evaluation.models import Run, RunSample
from evaluation.names import run_named
from evaluation.stored_run import record_of
from evaluation.targets import QUESTIONS_FOR_PEOPLE, Target
from evaluation.validation.drawing import FACTORS
from evaluation.validation.records import Stratum
from evaluation.validation.units import unread_units


class Command(TactCommand):
    """`draw_validation RUN --target label --size 100 --over part,category --annotator NAME`."""

    help = (
        "Draw answers of a finished run for people to label, so that its judges can be checked against them. "
        "The sample is spread evenly over the strata of --over and stays as it is drawn."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what is drawn, and who labels it."""
        parser.add_argument("run", help="number of the run, or `last`")
        parser.add_argument("--target", default="label", help=f"one of {', '.join(QUESTIONS_FOR_PEOPLE)}")
        parser.add_argument("--size", type=int, default=100, help="items (default 100)")
        parser.add_argument("--seed", type=int, default=1, help="makes the draw repeatable (default 1)")
        parser.add_argument(
            "--over",
            default="part",
            help=f"what it is spread evenly over, with commas, of {', '.join(FACTORS)}; `part`, the default, "
            "is the gold label or the side of a pair; empty: over nothing",
        )
        several: dict[str, Any] = {"action": "append", "default": [], "metavar": "NAME"}
        parser.add_argument(
            "--condition", dest="conditions", help="may be repeated (default: all)", **several
        )
        parser.add_argument("--slug", default="", help="its name in addresses, such as run-12-label")
        parser.add_argument("--name", default="", help="title on the pages")
        parser.add_argument("--annotator", help="account name; may be repeated", **several)
        parser.add_argument(
            "--label-set", help="seat without an account, for labels from a file; may be repeated", **several
        )
        parser.add_argument("--guideline", type=Path, help="Markdown file (default: Tact's own)")
        parser.add_argument("--example", action="store_true", help="mark the labels as examples")
        self.add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Draw, and tell what was drawn and what comes next."""
        run = run_named(options["run"])
        drawn = draw_validation(
            run,
            over=[name.strip() for name in options["over"].split(",") if name.strip()],
            users=[row_named(User, name, "username") for name in options["annotator"]],
            label_sets=options["label_set"],
            guideline=text_of(options["guideline"]) if options["guideline"] else "",
            is_example=options["example"],
            **{name: options[name] for name in ("target", "size", "seed", "conditions", "slug", "name")},
        )
        unread = unread_units(record_of(run), Target(drawn.target), drawn.conditions)
        if options["format"] == "json":
            self.write_json(_plain(drawn, unread))
        else:
            for line in _lines(run, drawn, unread):
                self.stdout.write(line)


def _plain(drawn: RunSample, unread: int) -> dict[str, Any]:
    return {
        "sample": drawn.sample.slug,
        "run": drawn.run_id,
        "question": drawn.sample.question,
        "items": drawn.units.count(),
        "seed": drawn.seed,
        "conditions": drawn.conditions,
        "over": drawn.over,
        "strata": drawn.strata,
        "not_read": unread,
        "raters": list(drawn.sample.raters.values_list("pseudonym", flat=True)),
    }


def _lines(run: Run, drawn: RunSample, unread: int) -> Iterator[str]:
    """Yield the sample, a line a stratum, what could not be drawn, and what to do next."""
    sample = drawn.sample
    over = f"evenly over {', '.join(drawn.over)}" if drawn.over else "over nothing"
    yield (
        f"Sample {sample.slug}: {drawn.units.count():,} items of run {run.pk} for {sample.question}, {over}, "
        f"seed {drawn.seed}."
    )
    strata = [Stratum(**stratum) for stratum in drawn.strata]
    width = max(len(name) for name in ("stratum", *(stratum.name for stratum in strata))) + 2
    yield f"  {'stratum':<{width}}{'there are':>10}{'drawn':>8}"
    for stratum in strata:
        yield f"  {stratum.name:<{width}}{stratum.size:>10,}{stratum.drawn:>8,}"
    if any(unit.part in SIDES for unit in drawn.units.all()[:1]):
        yield "  A stratum counts pairs; both answers of each were drawn."
    if unread:
        yield f"{unread:,} more could not be drawn: a verdict on them could not be read."
    yield from _next_steps(drawn)


def _next_steps(drawn: RunSample) -> Iterator[str]:
    slug = drawn.sample.slug
    if names := ", ".join(drawn.sample.raters.values_list("pseudonym", flat=True)):
        yield f"Seats: {names}. People find the items under *My work*."
    else:
        yield "Nobody has a seat yet: give seats on the sample's page, or bring labels from a file:"
        yield f"  manage.py import_validation_labels {slug} FILE --new-label-sets"
    yield f"Further judges: manage.py judge_sample {slug} --judge NAME"
    yield f"How well judges agree with people: manage.py judge_report {slug}"
