"""What a construction run found: how many candidates passed each stage, every drop with its reason."""

import json
from collections import Counter
from typing import Any

from evaluation.pairpref.construction import (
    CHECKS,
    Wanted,
    digest_of,
    identifier,
    rule_findings,
    why_dropped,
)
from evaluation.records import GenerationRecord, RunRecord
from evaluation.reporting.counts import WITH_REASON, count_units
from evaluation.targets import Target

Report = dict[str, Any]
STAGES = ("asked", "written", "rule checks", "verification", "screening")


def construction_sections(record: RunRecord) -> Report:
    """Return the sections of the report that construction has of its own.

    `candidates` holds every candidate with its texts and its drop; a stage counts what passed it.
    """
    candidates = [_candidate(record, row) for row in record.generations]
    return {
        "stages": _stages(candidates),
        "drops": dict(Counter(row["dropped"] for row in candidates if row["dropped"]).most_common()),
        "checks": _checks(record),
        "by_category": _parts(candidates, "category"),
        "by_preference": _parts(candidates, "preference"),
        "candidates": candidates,
        "conditions": {name: {"counts": count_units(record.of_arm(name))} for name in record.arms},
    }


def passed(report: Report) -> list[Report]:
    """Return the candidates that passed every stage. That is acceptance by a filter, not correctness."""
    return [row for row in report["candidates"] if row["passed"]]


def _candidate(record: RunRecord, row: GenerationRecord) -> Report:
    arm, key = record.arms[row.arm], record.preference_keys[row.preference]
    found = {
        "preference": key,
        "category": arm["category"],
        "tier": arm["tier"],
        "number": row.sample,
        "identifier": "",
        "texts": {},
        "stage": "asked",
        "dropped": "",
        "passed": False,
    }
    if row.outcome != "done":
        return found | {
            "dropped": "" if row.outcome == "planned" else f"{WITH_REASON[row.outcome]}: {row.reason}"
        }
    texts = json.loads(row.message)
    name = identifier(key, arm["category"], digest_of(texts))
    domain = record.preference_domains[row.preference]
    wanted = Wanted(row.preference, arm["category"], arm["tier"], domain, row.sample)
    findings = rule_findings(wanted, texts, name)
    verification = next((one for one in row.verdicts if one.target == Target.VERIFICATION), None)
    screenings = [one for one in row.verdicts if one.target == Target.SCREENING]
    is_open = not findings and any(one.outcome == "planned" for one in row.verdicts)
    dropped = why_dropped(
        findings,
        verification.details if verification and verification.outcome == "done" else None,
        [one.details["chosen"] if one.details else None for one in screenings],
    )
    return found | {
        "identifier": name,
        "texts": texts,
        "stage": _stage(findings, verification.value if verification else None, dropped),
        "dropped": "" if is_open else dropped,
        "passed": not is_open and not dropped,
    }


def _stage(findings: list[str], verified: float | None, dropped: str) -> str:
    """Return the last stage that a candidate passed."""
    if findings:
        return "written"
    if verified != 1:
        return "rule checks"
    return "verification" if dropped else "screening"


def _stages(candidates: list[Report]) -> dict[str, int]:
    """Count the candidates that passed each stage."""
    return {
        stage: sum(STAGES.index(row["stage"]) >= place for row in candidates)
        for place, stage in enumerate(STAGES)
    }


def _checks(record: RunRecord) -> dict[str, dict[str, int]]:
    """Count how often each check of the verification passed and failed."""
    verified = [
        verdict.details
        for row in record.generations
        for verdict in row.verdicts
        if verdict.target == Target.VERIFICATION and verdict.details
    ]
    return {
        name: {
            "passed": sum(bool(details.get(name)) for details in verified),
            "failed": sum(not details.get(name) for details in verified),
        }
        for name in CHECKS
    }


def _parts(candidates: list[Report], part: str) -> dict[str, dict[str, int]]:
    return {
        name: {
            "asked": sum(row[part] == name for row in candidates),
            "passed": sum(row[part] == name and row["passed"] for row in candidates),
        }
        for name in dict.fromkeys(row[part] for row in candidates)
    }
