"""What each unit of a run is asked: from its row, the same messages on every machine and at any time."""

from collections.abc import Sequence
from typing import Protocol

from annotate.problems import Problem
from evaluation.asking.benchpres import AskingBenchPreS
from evaluation.asking.construction import AskingConstruction
from evaluation.asking.pairpref import AskingPairPref
from evaluation.asking.validation import AskingValidation
from evaluation.models import Generation, Run, Verdict
from evaluation.questions import Question


class Asking(Protocol):
    """The questions of one run. Rows need not be saved, but what they point to must be."""

    def __init__(self, run: Run) -> None:
        """Read the arms of the run; what the corpus holds is read when it is first asked for."""

    def prepare(self, generation: Generation) -> None:
        """Read what questions about a row need: where they are put, nothing can be read any more."""

    def question(self, generation: Generation) -> Question:
        """Return what the model under test is asked; `Problem` where the corpus does not allow it."""

    def verdict_question(self, verdict: Verdict, generation: Generation, message: str) -> Question:
        """Return what a judge is asked about a message that was read."""

    def needless(self, generation: Generation, message: str, verdicts: Sequence[Verdict]) -> str:
        """Return why the verdicts still to come are not needed; empty where they are."""


BENCHMARKS: dict[str, type[Asking]] = {
    "benchpres": AskingBenchPreS,
    "pairpref": AskingPairPref,
    "construction": AskingConstruction,
    "validation": AskingValidation,
}


def asking(run: Run) -> Asking:
    """Return the questions of a run of any benchmark."""
    if run.benchmark not in BENCHMARKS:
        raise Problem(f"Benchmark {run.benchmark!r} is unknown; expected one of {', '.join(BENCHMARKS)}.")
    return BENCHMARKS[run.benchmark](run)
