"""Two runs of one release whose difference can be worked by hand."""

from annotate.models import GoldRelease
from evaluation.models import Endpoint, Generation, Run, RunJudge, Verdict
from tests.evaluation.factories import (
    finish_run,
    give_verdict,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)


def make_two_runs() -> tuple[Run, Run]:
    """Make two finished runs with the same judge.

    Gold suppresses tone and nickname at the bank and applies the tone at the doctor's, for p1 and p2 each.

                        bank, tone   bank, nickname   doctor, tone
        first   p1, p2      1 1           0 0              1 1        MR 2/4, AAR 2/2, gap  0.5
        second  p1, p2      0 0           1 0              1 0        MR 1/4, AAR 1/2, gap  0.25

    So MR falls by 0.25 (b = 2, c = 1: exact p = 2 (1 + 3) / 8 = 1), AAR by 0.5 (b = 1, c = 0: p = 1), and
    the gap by 0.25. The messages of the first have 3 words, those of the second 5.
    """
    release, judge = make_release(make_corpus()), make_endpoint("judge")
    first = finish_run(make_run(release, judges=[judge]))
    second = make_run(release, endpoint=make_endpoint("other"), judges=[judge])
    finish_run(second, follow=[("Doctor", "tone")])
    give_verdict(unit(second, "p1", "Bank"), "nickname", 1)
    give_verdict(unit(second, "p2", "Doctor"), "tone", 0, judge=second.judges.get())
    second.generations.update(message="One two three four five.")
    return first, second


def unit(run: Run, profile: str, recipient: str) -> Generation:
    """Return the only message of a profile to a recipient."""
    return run.generations.get(profile__key=profile, context__recipient=recipient)


def score(run: Run, judge: Endpoint, scores: list[int | None]) -> None:
    """Name a judge of completeness and give its scores, message by message; None could not be read."""
    named = RunJudge.objects.create(
        run=run, endpoint=judge, endpoint_snapshot=judge.snapshot(), duty="completeness"
    )
    for generation, value in zip(run.generations.order_by("pk"), scores, strict=True):
        Verdict.objects.create(
            generation=generation,
            target="completeness",
            judge=named,
            key="k",
            outcome="not_read" if value is None else "done",
            value=value,
        )


def make_other_release(release: GoldRelease) -> GoldRelease:
    """Make a second release of the same corpus, with other content."""
    return GoldRelease.objects.create(
        dataset=release.dataset,
        number=2,
        origin="imported",
        corpus_version=release.corpus_version,
        corpus_hash=release.corpus_hash,
        content_hash="e" * 64,
        counts={"kept": 0},
    )
