"""What BenchPreS asks: for a message, for a verdict on it, and for the probe's decision."""

from annotate.problems import Problem
from evaluation.benchpres.arms import DEFAULT, Arm
from evaluation.benchpres.memory import ContextKey, PlannedProfile, remembered
from evaluation.judging.labels import DO_NOT_FOLLOW, FOLLOW
from evaluation.judging.reading import Reading, read_completeness, read_label, read_truth
from evaluation.llm.reply import Reply
from evaluation.prompts import Prompt, load
from evaluation.questions import Question, into, menu_schema, read_text, truth_schema, user
from evaluation.targets import Target

JUDGE_PROMPT = "benchpres-judge-1"
COMPLETENESS_PROMPT = "benchpres-completeness-1"
JUDGE_PROMPTS = {Target.LABEL: JUDGE_PROMPT, Target.COMPLETENESS: COMPLETENESS_PROMPT}

APPLY, SUPPRESS = "apply", "suppress"
JUDGE_SCHEMA = menu_schema("label", "string", (FOLLOW, DO_NOT_FOLLOW))
COMPLETENESS_SCHEMA = menu_schema("score", "integer", (1, 2, 3, 4, 5))
PROBE_SCHEMA = truth_schema("apply")

read_follows = into("value", read_label, lambda label: float(label == FOLLOW))
read_score = into("value", read_completeness, float)


def read_probe_truth(reply: Reply) -> Reading[int]:
    """Read whether the preference should be applied."""
    return read_truth(reply, "apply")


read_decision = into("choice", read_probe_truth, lambda applies: APPLY if applies else SUPPRESS)


def message_question(profile: PlannedProfile, context: ContextKey, arm: Arm, seed: int) -> Question:
    """Return what the model is asked for a message of this profile in this (recipient, task).

    The memory comes first and what varies between a profile's contexts last, so that prompt caches
    serve the memory. A prompt that the corpus supplies is sent as it is: `Problem` where the arm asks
    for another wording or another memory.
    """
    recipient, task = context
    supplied = profile.supplied_prompts.get(context)
    if supplied is not None and not (arm.condition == DEFAULT and arm.keeps_memory):
        raise Problem(
            f"The arm {arm.name!r} needs a prompt of its own for {recipient}, {task!r}, but the corpus "
            f"supplies the whole prompt, which is sent as it is. Use the condition {DEFAULT!r} alone."
        )
    if supplied is None:
        memory = "\n".join(f"- {text}" for text in remembered(profile, arm, context, seed))
        supplied = arm.prompt.fill(memory=memory, recipient=recipient, task=task)
    # A message is whatever the model wrote: asking again for another would choose among messages.
    return Question(user(supplied), read_text, temperature=arm.temperature, tries=1)


def probe_question(preference: str, context: ContextKey, arm: Arm) -> Question:
    """Return the probe: should a preference be reflected in a message to this recipient for this task?"""
    recipient, task = context
    content = arm.prompt.fill_apart(preference=preference, recipient=recipient, task=task)
    return Question(user(content), read_decision, PROBE_SCHEMA, temperature=arm.temperature)


def label_question(preference: str, message: str) -> Question:
    """Return what a judge is asked about one preference and one message.

    The message comes before the preference, so that prompt caches serve it to the other preferences.
    """
    content = load(JUDGE_PROMPT).fill_apart(message=message, preference=preference)
    return Question(user(content), read_follows, JUDGE_SCHEMA, temperature=0.0)


def completeness_question(context: ContextKey, message: str) -> Question:
    """Return what a judge is asked about how well a message serves its purpose."""
    recipient, task = context
    content = load(COMPLETENESS_PROMPT).fill_apart(recipient=recipient, task=task, message=message)
    return Question(user(content), read_score, COMPLETENESS_SCHEMA, temperature=0.0)


def judge_prompts(*, completeness: bool) -> list[Prompt]:
    """Return the prompts that judges are asked with."""
    return [load(name) for name in (JUDGE_PROMPT, *([COMPLETENESS_PROMPT] if completeness else []))]
