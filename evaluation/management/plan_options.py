"""What commands share that plan a run: its options, and how they become a plan."""

from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandParser

from annotate.models import Review
from annotate.names import dataset_named, release_named, row_named
from annotate.problems import Problem
from evaluation.benchpres import arms as benchpres
from evaluation.models import Endpoint
from evaluation.pairpref import arms as pairpref
from evaluation.planning.benchpres import NamedJudge

REASONING = {"as-is": None, "on": True, "off": False}
BENCHPRES = ("conditions", "temperatures", "densities", "ratios", "orders", "profiles", "contexts")
PAIRPREF = ("tracks", "controls", "presentations", "wordings", "procedures", "pairs")


def add_plan_options(parser: CommandParser, benchmarks: Sequence[str]) -> None:
    """Declare what a run is made of."""
    parser.add_argument("benchmark", choices=benchmarks)
    parser.add_argument("--dataset", required=True, help="name of the dataset")
    parser.add_argument("--endpoint", required=True, help="name of the endpoint under test")
    parser.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="[CATEGORY=]NAME",
        help="endpoint that judges, for all categories or for one; may be repeated",
    )
    parser.add_argument("--samples", type=int, help="answers to each prompt (default: 3, or 1 in pairpref)")
    parser.add_argument("--seed", type=int, default=1, help="for draws, orders and intervals (default 1)")
    parser.add_argument(
        "--reasoning", action="append", choices=REASONING, help="may be repeated (default: as-is)"
    )
    _add_benchpres(parser)
    _add_pairpref(parser)


def add_limits(parser: CommandParser) -> None:
    """Declare what a run may cost."""
    parser.add_argument("--cost-limit", help="US dollars; a run that is expected to cost more does not start")
    parser.add_argument("--token-limit", type=int, help="tokens of input and output")


def wanted_plan(options: dict[str, Any]) -> dict[str, Any]:
    """Return what `plan_run` is asked by these options."""
    _refuse_others(options)
    plan = {
        "benchmark": options["benchmark"],
        "dataset": dataset_named(options["dataset"]),
        "endpoint": row_named(Endpoint, options["endpoint"], "name"),
        "judges": named_judges(options["judge"]),
        "samples": options["samples"],
        "seed": options["seed"],
        "reasoning": [REASONING[name] for name in options["reasoning"] or ["as-is"]],
    }
    if options["benchmark"] == "pairpref":
        review = options["review"]
        plan["review"] = row_named(Review, review, "slug") if review else None
        return plan | _given(options, PAIRPREF)
    plan["release"] = release_named(options["gold"] or "")
    plan["completeness_judges"] = [
        row_named(Endpoint, name, "name") for name in options["completeness_judge"]
    ]
    return plan | _given(options, BENCHPRES)


def named_judges(names: Sequence[str]) -> list[NamedJudge]:
    """Read `NAME` and `CATEGORY=NAME`."""
    parts = [name.rpartition("=") for name in names]
    return [(row_named(Endpoint, endpoint, "name"), category) for category, _, endpoint in parts]


def some(wanted: str) -> int | list[str]:
    """Read a number, or names with commas between."""
    return int(wanted) if wanted.isdecimal() else [key.strip() for key in wanted.split(",")]


def _add_benchpres(parser: CommandParser) -> None:
    group = parser.add_argument_group("benchpres")
    several: dict[str, Any] = {"action": "append"}
    group.add_argument("--gold", help="name of the gold release, e.g. sample-1")
    group.add_argument("--completeness-judge", action="append", default=[], metavar="NAME")
    group.add_argument(
        "--condition",
        dest="conditions",
        metavar="NAME",
        help=f"of {', '.join(benchpres.CONDITIONS)}, or an added prompt; may be repeated (default: default)",
        **several,
    )
    group.add_argument("--temperature", dest="temperatures", type=float, help="default 1", **several)
    group.add_argument("--density", dest="densities", type=int, help="preferences in memory", **several)
    group.add_argument("--ratio", dest="ratios", type=float, help="facts for each preference", **several)
    group.add_argument("--order", dest="orders", choices=benchpres.ORDERS, **several)
    group.add_argument("--profiles", type=some, help="how many, drawn by the seed, or keys such as p01,p04")
    group.add_argument("--contexts", type=int, help="how many, drawn by the seed")


def _add_pairpref(parser: CommandParser) -> None:
    group = parser.add_argument_group("pairpref")
    for name, menu in {
        "track": pairpref.TRACKS,
        "control": pairpref.CONTROLS,
        "presentation": pairpref.PRESENTATIONS,
        "wording": pairpref.WORDINGS,
        "procedure": pairpref.PROCEDURES,
    }.items():
        group.add_argument(
            f"--{name}", dest=f"{name}s", action="append", choices=menu, help="may be repeated"
        )
    group.add_argument("--review", help="only pairs that every reviewer of this review confirmed")
    group.add_argument("--pairs", type=some, help="how many, drawn by the seed, or identifiers with commas")


def _refuse_others(options: dict[str, Any]) -> None:
    """Refuse options of the other benchmark: passed over, they would plan something else than was asked."""
    of = {"benchpres": (*BENCHPRES, "gold", "completeness_judge"), "pairpref": (*PAIRPREF, "review")}
    for benchmark, names in of.items():
        if benchmark != options["benchmark"]:
            for name in names:
                if options[name] not in (None, []):
                    option = name.removesuffix("s").replace("_", "-").replace("densitie", "density")
                    raise Problem(f"--{option} belongs to {benchmark}, not to {options['benchmark']}.")


def _given(options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the options that were given; the others are the planner's to choose."""
    return {name: options[name] for name in names if options[name] is not None}
