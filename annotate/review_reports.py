"""Reports of a review: how far reviewers agree, what they confirm together, what a lead should look at.

Everything rests on the independent answers of active reviewers, as they were given; what a lead decided
after them is exported beside them and changes nothing here.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from django.db.models import QuerySet

from annotate.agreement.confirmation import CRITERIA, Confirmation, confirmation, confirmation_rates
from annotate.agreement.intervals import wilson_rate
from annotate.agreement.pair_review import (
    RESAMPLES,
    Answers,
    Dimension,
    explanation,
    question_agreement,
    set_agreement,
)
from annotate.judgements import ACCEPTABILITY, CONTROL, QUESTIONS, SITUATION_QUESTIONS, UNCERTAIN
from annotate.models import ContrastPair, Review
from annotate.review_work import QUESTIONS_OF_PAIR, present_judgements

WHAT_ENTERS = (
    "Independent answers of the annotators, as they were before anything was settled. Pairs that one of them "
    "has not finished are left out, question by question."
)
QUESTION_WORDS = {
    "applicability": "preference applicability",
    "validity": "continued preference validity",
    "naturalness": "request naturalness and answerability",
    CONTROL: "controlled pair comparison",
    ACCEPTABILITY: "candidate acceptability",
}
CRITERION_WORDS = CRITERIA | {"no_reply": "no candidate is acceptable"}
# What disagreements are counted by.
PARTS: dict[str, Callable[[ContrastPair], str]] = {
    "category": lambda pair: pair.category,
    "preference": lambda pair: pair.preference.key,
}
NO_JUDGEMENT = "no question is answered by every annotator"


@dataclass(frozen=True)
class GivenAnswers:
    """The present answers of a review's active reviewers, and its pairs by identifier in their order."""

    reviewers: tuple[str, ...]
    pairs: dict[str, ContrastPair]
    answers: dict[str, dict[tuple[str, str, str], str]]
    comments: dict[tuple[str, str, str, str], str]

    @property
    def complete(self) -> list[str]:
        """Return the pairs of which every reviewer answered every question."""
        return [
            pair for pair in self.pairs if all(self._is_whole(given, pair) for given in self.answers.values())
        ]

    @staticmethod
    def _is_whole(given: Answers, pair: str) -> bool:
        return all((pair, side, question) in given for question, side in QUESTIONS_OF_PAIR)

    def of_pair(self, pair: str) -> list[dict[tuple[str, str], str]]:
        """Return each reviewer's answers on a complete pair by side and question."""
        return [
            {(side, question): given[pair, side, question] for question, side in QUESTIONS_OF_PAIR}
            for given in self.answers.values()
        ]


def read_answers(review: Review) -> GivenAnswers:
    """Read what the active reviewers of a review answered."""
    rows = review.reviewed_pairs.select_related("pair__preference").order_by("pair__position")
    names = tuple(review.reviewers.filter(is_active=True).values_list("pseudonym", flat=True))
    found = GivenAnswers(
        names, {row.pair.identifier: row.pair for row in rows}, {name: {} for name in names}, {}
    )
    values = present_judgements(review).values_list(
        "revision__sheet__reviewer__pseudonym",
        "revision__sheet__pair__pair__identifier",
        "side",
        "question",
        "answer",
        "comment",
    )
    for name, pair, side, question, answer, comment in values:
        found.answers[name][pair, side, question] = answer
        if comment:
            found.comments[name, pair, side, question] = comment
    return found


def confirmations(given: GivenAnswers) -> dict[str, Confirmation]:
    """Return what all reviewers confirm of each complete pair; nothing where there is but one reviewer."""
    if len(given.reviewers) < 2:
        return {}
    return {pair: confirmation(given.of_pair(pair)) for pair in given.complete}


def confirmation_of(review: Review) -> dict[str, Confirmation]:
    """Return what all reviewers of a review confirm of each pair that all of them judged whole."""
    return confirmations(read_answers(review))


def confirmed_pairs(review: Review) -> QuerySet[ContrastPair]:
    """Return the pairs whose original direction every reviewer confirms: the filter *confirmed by both*."""
    names = [pair for pair, confirmed in confirmation_of(review).items() if confirmed.original]
    return review.dataset.pairs.filter(identifier__in=names).order_by("position")


def review_report(review: Review) -> dict[str, Any]:
    """Return the whole report as plain data for page, JSON, CSV and LaTeX."""
    given = read_answers(review)
    found = confirmations(given)
    return {
        "review": review.slug,
        "name": review.name,
        "dataset": review.dataset.slug,
        "corpus_version": review.corpus_version,
        "is_example": review.is_example,
        "notice": review.example_notice,
        "what_enters": WHAT_ENTERS,
        "reviewers": list(given.reviewers),
        "pairs": len(given.pairs),
        "complete_pairs": len(given.complete),
        "settled": review.reviewed_pairs.filter(adjudications__isnull=False).distinct().count(),
        "resamples": RESAMPLES,
        "seed": review.seed,
        "agreement": [
            _agreement(given, first, second, review.seed)
            for first, second in combinations(given.reviewers, 2)
        ],
        "confirmation": {
            "pairs": len(found),
            "left_out": len(given.pairs) - len(found),
            "rates": [
                {"criterion": name, "words": CRITERION_WORDS[name], "rate": rate.as_dict()}
                for name, rate in confirmation_rates(list(found.values())).items()
            ],
        },
        "opposite": [pair for pair, confirmed in found.items() if confirmed.opposite],
        "no_reply": [
            {"pair": pair, "side": side} for pair, confirmed in found.items() for side in confirmed.no_reply
        ],
        "uncertain": list(_uncertain(given)),
        "disagreements": {part: disagreements(given, part) for part in PARTS},
    }


def _agreement(given: GivenAnswers, first: str, second: str, seed: int) -> dict[str, Any]:
    """Return the agreement of two reviewers, a row a question."""
    one, two, pairs = given.answers[first], given.answers[second], list(given.pairs)
    rows = [question_agreement(name, one, two, pairs, seed=seed) for name in (*SITUATION_QUESTIONS, CONTROL)]
    sets = set_agreement(one, two, pairs, seed=seed)
    return {
        "first": first,
        "second": second,
        "dimensions": [_row(row) for row in (*rows, sets.replies)],
        "sets": {
            "situations": sets.situations,
            "uncertain": sets.uncertain,
            "whole_set": sets.whole_set.as_dict(),
            "jaccard": sets.jaccard.as_dict(),
            "both_empty": sets.both_empty,
        },
    }


def _row(dimension: Dimension) -> dict[str, Any]:
    return asdict(dimension) | {
        "words": QUESTION_WORDS[dimension.question],
        "explanation": explanation(dimension),
    }


def _uncertain(given: GivenAnswers) -> Iterator[dict[str, Any]]:
    """Yield each question that a reviewer found uncertain, with who did and what they wrote."""
    for pair in given.pairs:
        for question, side in QUESTIONS_OF_PAIR:
            key = (pair, side, question)
            who = [name for name, answers in given.answers.items() if answers.get(key) == UNCERTAIN]
            if who:
                comments = [given.comments[name, *key] for name in who if (name, *key) in given.comments]
                yield {
                    "pair": pair,
                    "side": side,
                    "question": question,
                    "reviewers": who,
                    "comments": comments,
                }


def disagreements(given: GivenAnswers, part: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return by category or preference, and question, the rate of what not all reviewers answered alike.

    The denominators count what all reviewers answered; `part` is one of `PARTS`.
    """
    differ, judged = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for name, pair in given.pairs.items():
        for question, side in QUESTIONS_OF_PAIR:
            answers = _answers_of_all(given.answers.values(), (name, side, question))
            if answers:
                key = PARTS[part](pair), question
                differ[key] += len(set(answers)) > 1
                judged[key] += 1
    return {
        name: {
            question: wilson_rate(differ[name, question], judged[name, question], NO_JUDGEMENT).as_dict()
            for question in QUESTIONS
        }
        for name in sorted({PARTS[part](pair) for pair in given.pairs.values()})
    }


def _answers_of_all(every: Collection[Answers], key: tuple[str, str, str]) -> list[str]:
    """Return the answers to one question, or none where a reviewer has not answered it or is alone."""
    answers = [given[key] for given in every if key in given]
    return answers if len(answers) == len(every) > 1 else []
