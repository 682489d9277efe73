"""What a PairPref run asks about its rows."""

from collections.abc import Sequence

from annotate.models import ContrastPair
from evaluation.models.generation import Generation, Task
from evaluation.models.run import Run
from evaluation.models.verdict import Verdict
from evaluation.pairpref.arms import Arm
from evaluation.pairpref.prompting import (
    PlannedPair,
    answer_question,
    classifier_question,
    judge_question,
    selection_question,
)
from evaluation.questions import Question
from evaluation.targets import Target

# What to fetch with pairs, so that each is read whole in a few queries for all.
PARTS = ("situations", "replies", "preference__companions")


class AskingPairPref:
    """The questions of one run, over pairs that are read once each."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.arms = {stored["name"]: Arm.from_dict(stored) for stored in run.arms}
        self._pairs: dict[int, PlannedPair] = {}

    def prepare(self, generation: Generation) -> None:
        """Read the pair."""
        self.pair(generation)

    def question(self, generation: Generation) -> Question:
        """Ask for a letter, an answer, or a decision without an answer."""
        pair, arm = self.pair(generation), self.arms[generation.condition]
        if generation.task == Task.SELECTION:
            return selection_question(pair, generation.side, arm, self.run.seed)
        if generation.task == Task.ANSWER:
            return answer_question(pair, generation.side, arm, self.run.seed)
        return classifier_question(pair, generation.side, generation.task)

    def verdict_question(self, verdict: Verdict, generation: Generation, message: str) -> Question:
        """Ask for uptake, situational fit or hedging."""
        return judge_question(Target(verdict.target), self.pair(generation), generation.side, message)

    def needless(self, generation: Generation, message: str, verdicts: Sequence[Verdict]) -> str:
        """Return nothing: every verdict is needed."""
        return ""

    def pair(self, generation: Generation) -> PlannedPair:
        """Return the pair of a row, read once."""
        if generation.pair is None:
            raise ValueError("a unit of PairPref lacks its pair")
        if generation.pair.pk not in self._pairs:
            self._pairs[generation.pair.pk] = planned_pair(generation.pair)
        return self._pairs[generation.pair.pk]


def planned_pair(pair: ContrastPair) -> PlannedPair:
    """Read a pair with its situations, replies, and the companions of its preference."""
    companions: dict[str, list[str]] = {}
    for companion in sorted(pair.preference.companions.all(), key=lambda row: row.position):
        companions.setdefault(companion.kind, []).append(companion.text)
    return PlannedPair(
        identifier=pair.identifier,
        preference=pair.preference.text,
        request=pair.request,
        situations={situation.side: situation.text for situation in pair.situations.all()},
        replies={reply.role: reply.text for reply in pair.replies.all()},
        companions=companions,
        distance=pair.distance,
    )
