"""The rows that machines' answers live in, one file an idea."""

from evaluation.models.call import Call
from evaluation.models.endpoint import Endpoint
from evaluation.models.generation import Generation
from evaluation.models.prompt import AddedPrompt
from evaluation.models.run import Run, RunJudge, Shard
from evaluation.models.validation import RunSample, SampledUnit
from evaluation.models.verdict import Verdict

__all__ = [
    "AddedPrompt",
    "Call",
    "Endpoint",
    "Generation",
    "Run",
    "RunJudge",
    "RunSample",
    "SampledUnit",
    "Shard",
    "Verdict",
]
