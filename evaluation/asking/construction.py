"""What a construction run asks about its rows."""

from evaluation.models.generation import Generation
from evaluation.models.run import Run
from evaluation.models.verdict import Verdict
from evaluation.questions import Question


class AskingConstruction:
    """The questions of one construction run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def question(self, generation: Generation) -> Question:
        raise NotImplementedError

    def verdict_question(self, verdict: Verdict, generation: Generation, message: str) -> Question:
        raise NotImplementedError
