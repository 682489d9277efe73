"""The report of a run of any benchmark, as plain data: read by page, API, commands and archive alike."""

from collections.abc import Callable
from typing import Any

from evaluation.records import RunRecord
from evaluation.reporting.benchpres import benchpres_sections
from evaluation.reporting.construction import construction_sections
from evaluation.reporting.counts import count_units
from evaluation.reporting.notices import run_notices
from evaluation.reporting.pairpref import pairpref_sections
from evaluation.reporting.validation_run import validation_run_sections

Report = dict[str, Any]

SECTIONS: dict[str, Callable[[RunRecord], Report]] = {
    "benchpres": benchpres_sections,
    "pairpref": pairpref_sections,
    "construction": construction_sections,
    "validation": validation_run_sections,
}
# What of a plan changes while a run goes on; it stands at the top of the report.
MOVING = ("state", "state_reason", "duration_seconds", "newest_corpus_version", "example_labels")
TOKENS = ("input", "cached", "output", "reasoning")


def report_of(record: RunRecord) -> Report:
    """Return everything that a run found and everything that explains it, ready for JSON."""
    plan = record.plan
    return {
        "run": plan["run"],
        "benchmark": plan["benchmark"],
        "state": plan["state"],
        "state_reason": plan["state_reason"],
        "notices": run_notices(record),
        **SECTIONS[plan["benchmark"]](record),
        "counts": count_units(record.generations),
        "calls": record.calls,
        "tokens": {"subject": _tokens(record, judges=False), "judges": _tokens(record, judges=True)},
        "spending": list(record.spending),
        "duration_seconds": plan["duration_seconds"],
        "plan": _plan(record),
    }


def _plan(record: RunRecord) -> Report:
    """Return what the run was asked to do, as it stood when the run was made."""
    fixed = {name: value for name, value in record.plan.items() if name not in (*MOVING, "run", "benchmark")}
    units = record.generations
    return fixed | {
        "judges": [judge.as_dict() for judge in record.judges],
        "conditions": list(record.arms),
        "profiles": len({row.profile for row in units} - {""}),
        "contexts": len({row.context for row in units} - {None}),
        "pairs": len({row.pair for row in units} - {""}),
    }


def _tokens(record: RunRecord, *, judges: bool) -> Report:
    """Add up tokens of the model under test, or of all judges; None where no call told a number."""
    rows = [row for row in record.spending if (row["who"] != "subject") is judges]
    sums = {name: [row["tokens"][name] for row in rows if row["tokens"][name] is not None] for name in TOKENS}
    return {name: sum(known) if known else None for name, known in sums.items()} | {
        "calls_without_count": sum(row["without_count"] for row in rows)
    }
