"""The rows that machines' answers live in, one file an idea."""

from evaluation.models.call import Call
from evaluation.models.endpoint import Endpoint
from evaluation.models.generation import Generation
from evaluation.models.run import Run, RunJudge, Shard
from evaluation.models.verdict import Verdict

__all__ = ["Call", "Endpoint", "Generation", "Run", "RunJudge", "Shard", "Verdict"]
