"""A plan as unsaved rows: the run, its judges, and every unit with the verdicts on it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from annotate.problems import Problem
from evaluation.asking import Asking, asking
from evaluation.cost import Expected
from evaluation.keys import Asked, choose, unit_key, verdict_key
from evaluation.models import Endpoint, Generation, Run, RunJudge, Verdict
from evaluation.prompts import Prompt
from evaluation.questions import Question
from evaluation.targets import Duty, Target

MOST_SAMPLES = 1_000
HIGHEST_SEED = 2**63 - 1
HIGHEST_TEMPERATURE = 2
MOST_NAMES_SHOWN = 50
# What a message and a verdict are reckoned to take where the endpoint's parameters name no limit.
TOKENS_OF_A_MESSAGE, TOKENS_OF_A_CHOICE, TOKENS_OF_CHECKS = 400, 40, 260
# A message, and one of the seven texts of a candidate.
CHARACTERS_OF_A_MESSAGE, CHARACTERS_OF_A_TEXT = 1_600, 150
EXPECTED_FIELDS = ("who", "calls", "input_characters", "output_tokens_each")


@dataclass(frozen=True)
class PlannedUnit:
    """A unit and its verdicts. Units of one `group` share the beginning of their prompts."""

    generation: Generation
    verdicts: Sequence[Verdict] = ()
    group: tuple[Any, ...] = ()


@dataclass
class Plan:
    """What a run is to do. Nothing is saved: `actions.planning` does that."""

    run: Run
    judges: list[RunJudge] = field(default_factory=list)
    units: list[PlannedUnit] = field(default_factory=list)

    @cached_property
    def asking(self) -> Asking:
        """Return the questions of the plan."""
        return asking(self.run)


def name_judges(run: Run, named: Iterable[tuple[Endpoint, Duty, str]]) -> list[RunJudge]:
    """Return the judges of a run; one that is the model under test is marked."""
    subject = run.endpoint
    return [
        RunJudge(
            run=run,
            endpoint=endpoint,
            endpoint_snapshot=endpoint.snapshot(),
            duty=duty,
            category=category,
            is_subject=(endpoint.base_url, endpoint.model) == (subject.base_url, subject.model),
        )
        for endpoint, duty, category in named
    ]


def give_keys(plan: Plan, prompts: Iterable[Prompt], verdict_prompts: Mapping[Target, str]) -> None:
    """Give every unit and verdict its key, and the run the hashes of its prompts and what it expects.

    `verdict_prompts` names the prompt of each target. `Problem` where a unit cannot be asked.
    """
    by_name = {prompt.name: prompt for prompt in prompts}
    plan.run.prompt_hashes = {name: prompt.sha256 for name, prompt in by_name.items()}
    hashes = {target: by_name[name].sha256 for target, name in verdict_prompts.items() if name in by_name}
    questions = plan.asking
    characters = 0
    for unit in plan.units:
        row = unit.generation
        question = questions.question(row)
        characters += question.characters
        row.shown = list(question.shown) or None
        row.key = unit_key(
            subject=_asked_in(plan.run, row.condition, question),
            messages=question.messages,
            corpus_hash=plan.run.corpus_hash,
            about={"task": row.task, **row.about()},
            arm=row.condition,
            sample=row.sample,
        )
        for verdict in unit.verdicts:
            verdict.key = _key_of(verdict, row, hashes.get(Target(verdict.target), ""))
    expected = [_expected_of_subject(plan, characters), *_expected_of_judges(plan)]
    plan.run.expected = [
        {name: getattr(part, name) for name in EXPECTED_FIELDS} for part in expected if part.calls
    ]


def check_numbers(samples: int, seed: int, **counts: object) -> None:
    """Raise `Problem` where a number of a plan is out of range."""
    for name, count in counts.items():
        if isinstance(count, int) and count < 1:
            raise Problem(f"The number of {name} is {count}; expected 1 or more.")
    if not 1 <= samples <= MOST_SAMPLES:
        raise Problem(f"The number of samples is {samples}; expected 1 to {MOST_SAMPLES}.")
    if not 0 <= seed <= HIGHEST_SEED:
        raise Problem(f"The seed is {seed}; expected a whole number from 0 to 2**63 - 1.")


def chosen[Row](
    rows: Sequence[Row],
    wanted: int | Sequence[str] | None,
    run: Run,
    *,
    kind: str,
    name: Callable[[Row], str],
) -> list[Row]:
    """Return the rows that a plan asks about: so many drawn by the seed, those of these names, or all.

    `Problem` where a name is unknown; of very many that are known it shows the first.
    """
    if wanted is None or isinstance(wanted, int):
        return choose(rows, wanted, run.seed)
    by_name = {name(row): row for row in rows}
    if unknown := [one for one in wanted if one not in by_name]:
        known = [*list(by_name)[:MOST_NAMES_SHOWN], *(["..."] if len(by_name) > MOST_NAMES_SHOWN else [])]
        raise Problem(
            f"Dataset {run.dataset} has no {kind} {', '.join(unknown)}; expected some of {', '.join(known)}."
        )
    return [by_name[one] for one in dict.fromkeys(wanted)]


def check_temperatures(temperatures: Iterable[float]) -> None:
    """Raise `Problem` where a temperature is out of range."""
    for temperature in temperatures:
        if not 0 <= temperature <= HIGHEST_TEMPERATURE:
            raise Problem(
                f"The temperature is {temperature}; expected a number from 0 to {HIGHEST_TEMPERATURE}."
            )


def check_reasoning(endpoint: Endpoint, switches: Iterable[bool | None]) -> None:
    """Raise `Problem` where reasoning is to be switched at an endpoint that has no switch."""
    if any(switch is not None for switch in switches) and not endpoint.reasoning_switch:
        raise Problem(
            f"Endpoint {endpoint.name} names no parameters that switch reasoning. Enter them as its "
            "reasoning switch, or leave reasoning as it is."
        )


def _asked_in(run: Run, arm: str, question: Question) -> Asked:
    """Return what of the endpoint, as it is asked, changes an answer."""
    parameters = run.parameters_of(arm) | {"temperature": question.temperature}
    return Asked(run.endpoint.base_url, run.endpoint.model, parameters)


def _key_of(verdict: Verdict, row: Generation, prompt_hash: str) -> str:
    judge = verdict.judge and verdict.judge.endpoint
    return verdict_key(
        unit_key=row.key,
        target=verdict.target,
        about=verdict.preference.text if verdict.preference else "",
        judge=Asked(judge.base_url, judge.model, judge.parameters) if judge else None,
        prompt_hash=prompt_hash if judge else "",
        number=verdict.number,
    )


def _expected_of_subject(plan: Plan, characters: int) -> Expected:
    is_closed = all(unit.generation.task not in ("message", "answer", "candidate") for unit in plan.units)
    usual = TOKENS_OF_A_CHOICE if is_closed else TOKENS_OF_A_MESSAGE
    tokens = _token_limit(plan.run.endpoint.parameters) or usual
    return Expected("subject", len(plan.units), characters, tokens)


def _expected_of_judges(plan: Plan) -> list[Expected]:
    """Return what each judge is expected to be asked, over messages of the usual length."""
    questions, found = plan.asking, []
    lengths: dict[tuple[str, Any], int] = {}
    for number, judge in enumerate(plan.judges):
        calls = characters = 0
        for unit in plan.units:
            for verdict in unit.verdicts:
                if verdict.judge is not judge:
                    continue
                kind = (verdict.target, unit.generation.task)
                if kind not in lengths:
                    is_candidate = unit.generation.task == "candidate"
                    message = "x" * (CHARACTERS_OF_A_TEXT if is_candidate else CHARACTERS_OF_A_MESSAGE)
                    question = questions.verdict_question(verdict, unit.generation, message)
                    lengths[kind] = question.characters
                calls += 1
                characters += lengths[kind]
        usual = TOKENS_OF_CHECKS if judge.duty == Duty.VERIFICATION else TOKENS_OF_A_CHOICE
        tokens = min(_token_limit(judge.endpoint.parameters) or usual, usual)
        found.append(Expected(f"judge {number + 1}", calls, characters, tokens))
    return found


def _token_limit(parameters: dict[str, Any]) -> int | None:
    limits = [parameters.get(name) for name in ("max_tokens", "max_completion_tokens")]
    return next((limit for limit in limits if isinstance(limit, int)), None)
