"""How commands print what a plan would take, and a report, from the database or from an archive."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotate.exporters.tabular import encode_rows
from annotate.management.command import TactCommand
from evaluation.cost import RETRIES_ON_TOP, RULE_OF_THUMB, Estimated, check_limit, dollars
from evaluation.exporters.report import COLUMNS, report_latex, report_rows, report_text
from evaluation.planning.plan import Plan
from evaluation.spending import estimate_of, money


def print_plan(command: TactCommand, plan: Plan, options: Mapping[str, Any]) -> None:
    """Print the conditions of a plan and what it is expected to take.

    The options are a format and the limits; `Problem` where the plan exceeds one, as starting it would.
    """
    estimated, names = estimate_of(plan), [arm["name"] for arm in plan.run.arms]
    if options["format"] == "json":
        command.write_json({"conditions": names, **_plain(estimated)})
    else:
        command.stdout.write(f"{len(names)} conditions: {'; '.join(names)}")
        print_estimate(command, estimated)
    limits = {"cost_limit": money(options["cost_limit"]), "token_limit": options["token_limit"]}
    if note := check_limit(estimated, **limits):
        command.stderr.write(note)


def print_estimate(command: TactCommand, estimated: Estimated) -> None:
    """Print calls, tokens and cost of each that is asked, and in all."""
    for line in _estimate_lines(estimated):
        command.stdout.write(line)


def print_report(command: TactCommand, report: dict[str, Any], output_format: str) -> None:
    """Print a report as text, json, csv or latex."""
    if output_format == "json":
        command.write_json(report)
    elif output_format == "csv":
        for piece in encode_rows(".csv", COLUMNS, report_rows(report)):
            command.stdout.write(piece.decode(), ending="")
    elif output_format == "latex":
        command.stdout.write(report_latex(report), ending="")
    else:
        command.stdout.write(report_text(report))


def _estimate_lines(estimated: Estimated) -> Iterator[str]:
    yield f"{'':<12}{'calls':>10}{'input':>14}{'output':>14}{'US dollars':>14}"
    for share in (*estimated.shares, estimated.total):
        yield (
            f"{share.who:<12}{share.calls:>10,}{share.input_tokens:>14,}{share.output_tokens:>14,}"
            f"{dollars(share.cost):>14}"
        )
    yield RULE_OF_THUMB
    yield RETRIES_ON_TOP


def _plain(estimated: Estimated) -> dict[str, Any]:
    return {
        "shares": [vars(share) for share in (*estimated.shares, estimated.total)],
        "without_price": list(estimated.unknown),
    }
