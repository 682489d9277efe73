"""What a judging run asks about its rows: what a judge inside a run is asked, over the texts of an item."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluation.benchpres import prompting as benchpres
from evaluation.judging.reading import Reading
from evaluation.llm.reply import Reply
from evaluation.models.generation import Generation
from evaluation.models.run import Run
from evaluation.models.verdict import Verdict
from evaluation.pairpref import prompting as pairpref
from evaluation.questions import Question, Values
from evaluation.targets import Target

# The prompt of a judge by what it is asked, of every target that people can check.
JUDGE_PROMPTS = {**benchpres.JUDGE_PROMPTS, **pairpref.JUDGE_PROMPTS}


class AskingValidation:
    """The questions of one judging run. The arm of a row is named after what is judged."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def prepare(self, generation: Generation) -> None:
        """Read the item, where the row comes without it."""
        item_texts(generation)

    def question(self, generation: Generation) -> Question:
        """Ask for a judgement of the item as it was drawn, whatever has become of the answer since."""
        question = judging_question(Target(generation.condition), item_texts(generation))

        def read_choice(reply: Reply) -> Reading[Values]:
            return question.read(reply).then(lambda read: {"choice": f"{read['value']:g}"})

        return replace(question, read=read_choice)

    def verdict_question(self, verdict: Verdict, generation: Generation, message: str) -> Question:
        """Raise ValueError: a judgement is not judged."""
        raise ValueError("a judgement has no verdicts")

    def needless(self, generation: Generation, message: str, verdicts: Sequence[Verdict]) -> str:
        """Return nothing: there are no verdicts."""
        return ""


def judging_question(target: Target, texts: Mapping[str, str]) -> Question:
    """Return what a judge inside a run is asked about the same texts."""
    message = texts["message"]
    if target == Target.LABEL:
        return benchpres.label_question(texts["preference"], message)
    if target == Target.COMPLETENESS:
        return benchpres.completeness_question((texts["recipient"], texts["task"]), message)
    return pairpref.judge_question(target, _one_sided(texts), "", message)


def item_texts(generation: Generation) -> Mapping[str, str]:
    """Return what is shown of the item that a row judges."""
    if generation.sampled is None:
        raise ValueError("a judgement lacks its item")
    return generation.sampled.item.texts


def _one_sided(texts: Mapping[str, str]) -> pairpref.PlannedPair:
    """Return what of a pair stands in an item: one situation, and no side that could be named."""
    return pairpref.PlannedPair(
        identifier="",
        preference=texts.get("preference", ""),
        request=texts["request"],
        situations={"": texts.get("situation", "")},
        replies={},
    )
