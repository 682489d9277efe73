"""What of two runs can be compared, which arms, and what a reader must know before the numbers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotate.problems import Problem
from evaluation.benchpres.arms import PROBE
from evaluation.records import JudgeRecord, RunRecord
from evaluation.reporting.notices import run_notices
from evaluation.targets import Duty

ArmPairs = Sequence[tuple[str, str]]

BENCHMARKS = ("benchpres", "pairpref")
MESSAGES = "messages"
# What these judges say makes the rates.
RATING = (Duty.LABELS, Duty.ANSWERS)


def check_comparable(first: RunRecord, second: RunRecord) -> None:
    """Raise `Problem` unless both runs are of one benchmark, one dataset and the same gold labels."""
    one, two = first.plan, second.plan
    here, there = f"Run {one['run']}", f"run {two['run']}"
    if one["benchmark"] != two["benchmark"] or one["benchmark"] not in BENCHMARKS:
        raise Problem(
            f"{here} is of {one['benchmark']}, {there} of {two['benchmark']}; expected two runs of "
            f"{' or two of '.join(BENCHMARKS)}."
        )
    if one["dataset"] != two["dataset"]:
        raise Problem(
            f"{here} asks about the dataset {one['dataset']}, {there} about {two['dataset']}; expected one "
            "dataset in both."
        )
    if one["gold_hash"] != two["gold_hash"]:
        raise Problem(
            f"{here} is measured against {_gold(one)}, {there} against {_gold(two)}; a comparison needs the "
            "same gold. Run one of them again against the release of the other."
        )


def kinds_of(benchmark: str, arms: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the kind of each arm that can be compared, by name; arms of different kinds cannot.

    Kinds are the tracks of PairPref; of BenchPreS all arms but the probe are of one.
    """
    if benchmark == "benchpres":
        return {name: MESSAGES for name, arm in arms.items() if arm["condition"] != PROBE}
    return {name: arm["track"] for name, arm in arms.items()}


def paired_arms(first: RunRecord, second: RunRecord, wanted: ArmPairs | None = None) -> list[tuple[str, str]]:
    """Return which arm of the first run stands against which of the second, each pair once.

    Without a wish: the arms of equal names, or, where there are none, the first of each kind in both.
    `Problem` where an arm is unknown, two are of different kinds, or nothing can be compared.
    """
    one, two = (kinds_of(record.plan["benchmark"], record.arms) for record in (first, second))
    if wanted:
        for name, other in wanted:
            _check_pair(first, one, name, second, two, other)
        return list(dict.fromkeys(wanted))
    pairs = [(name, name) for name, kind in one.items() if two.get(name) == kind] or _firsts(one, two)
    if not pairs:
        raise Problem(
            f"No arm of run {first.plan['run']} ({_listed(one)}) can be compared with one of run "
            f"{second.plan['run']} ({_listed(two)})."
        )
    return pairs


def comparison_notices(first: RunRecord, second: RunRecord, pairs: ArmPairs) -> list[str]:
    """Return the plain statements that stand above the numbers."""
    records = {record.plan["run"]: record for record in (first, second)}
    return [
        *_about_corpora(first, second),
        *_about_judges(first, second),
        *_about_prompts(first, second, pairs),
        *(f"Run {number}: {line}" for number, record in records.items() for line in _own_notices(record)),
    ]


def same_judge(one: JudgeRecord, two: JudgeRecord) -> bool:
    """Say whether two judges are the same model, at one address, asked alike for the same."""
    return _asked(one) == _asked(two)


def _firsts(one: Mapping[str, str], two: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pair the first arm of each kind."""
    here, there = ({kind: name for name, kind in reversed(list(side.items()))} for side in (one, two))
    kinds = dict.fromkeys(one.values())
    return [(here[kind], there[kind]) for kind in kinds if kind in there]


def _check_pair(
    first: RunRecord, one: Mapping[str, str], name: str, second: RunRecord, two: Mapping[str, str], other: str
) -> None:
    for record, kinds, arm in ((first, one, name), (second, two, other)):
        if arm not in kinds:
            raise Problem(
                f"Run {record.plan['run']} has no arm {arm!r} to compare; expected one of {_listed(kinds)}."
            )
    if one[name] != two[other]:
        raise Problem(
            f"{name!r} is of the track {one[name]}, {other!r} of {two[other]}; expected arms of one track."
        )


def _listed(names: Mapping[str, str]) -> str:
    return "; ".join(names) or "none"


def _gold(plan: Mapping[str, Any]) -> str:
    """Name a gold release with the first digits of its hash, since a name may come back with other labels."""
    if plan["gold_hash"] is None:
        return "no gold release"
    return f"gold release {plan['gold_release']} (content hash {plan['gold_hash'][:12]})"


def _asked(judge: JudgeRecord) -> tuple[str, ...]:
    parameters = json.dumps(judge.endpoint.get("parameters", {}), sort_keys=True)
    return judge.duty, judge.category, judge.endpoint["model"], judge.endpoint["base_url"], parameters


def _own_notices(record: RunRecord) -> list[str]:
    """Return what stands above the run's own numbers, but for what concerns its cost alone."""
    return run_notices(replace(record, calls={**record.calls, "perhaps_lost": 0}))


def _about_corpora(first: RunRecord, second: RunRecord) -> Iterator[str]:
    one, two = first.plan, second.plan
    if one["corpus_hash"] != two["corpus_hash"]:
        yield (
            f"The corpora differ: run {one['run']} asked about version {one['corpus_version']} of "
            f"{one['dataset']}, run {two['run']} about version {two['corpus_version']}. What has the same "
            "name in both is compared, though its text may have changed."
        )
    if one["review"] != two["review"]:
        names = " and ".join(plan["review"] or "no review" for plan in (one, two))
        yield f"The pairs were chosen by different reviews: {names}. Shared pairs are compared."


def _about_judges(first: RunRecord, second: RunRecord) -> Iterator[str]:
    """Tell of other judges; their order counts too, since of several the first one's verdict is taken."""
    for duty in RATING:
        one, two = (list(record.named_for(duty)) for record in (first, second))
        if list(map(_asked, one)) != list(map(_asked, two)):
            here, there = (", ".join(judge.name for judge in side) or "nobody" for side in (one, two))
            yield (
                f"The judges of {duty} differ: {here} in run {first.plan['run']}, {there} in run "
                f"{second.plan['run']}. A difference may come from the judges as well as from the models."
            )


def _about_prompts(first: RunRecord, second: RunRecord, pairs: ArmPairs) -> Iterator[str]:
    changed = [name for name, other in pairs if name == other and first.arms[name] != second.arms[name]]
    if changed:
        yield f"Of equal name, but asked differently in the two runs: {'; '.join(changed)}."
    one, two = (record.plan["prompt_hashes"] for record in (first, second))
    differing = {name for name in one.keys() & two.keys() if one[name] != two[name]}
    if first.arms.keys() == second.arms.keys():
        differing |= one.keys() ^ two.keys()
    if differing:
        yield f"Not the same prompts in both runs: {', '.join(sorted(differing))}."


def arms_named(first: Sequence[str], second: Sequence[str]) -> list[tuple[str, str]]:
    """Read the arms to compare: each `first` with the `second` in the same place, or with its own name.

    `Problem` where there are more of the second.
    """
    first, second = ([*names] if any(names) else [] for names in (first, second))
    if len(second) > len(first):
        raise Problem(
            f"The second run has {len(second)} named, the first {len(first)}; name a condition of the first "
            "run for each of the second."
        )
    second += [""] * (len(first) - len(second))
    return [(name, other or name) for name, other in zip(first, second, strict=True)]
