"""What a run has spent so far and may spend yet, of the model under test and of each judge apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from annotate.problems import Problem
from evaluation.cost import (
    Estimated,
    Expected,
    Prices,
    Tokens,
    check_limit,
    cost,
    estimate,
    known_prices,
    spent_beyond,
)
from evaluation.models import Run, RunJudge
from evaluation.planning.plan import Plan

SUBJECT = "subject"
MOST_MONEY, CENT_OF_A_CENT = Decimal(99_999_999), Decimal("0.0001")
MOST_TOKENS = 2**63 - 1
TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")


@dataclass(frozen=True)
class Spent:
    """Calls, tokens and cost of one that was asked; None is unknown, never zero.

    Cached tokens are part of the input, reasoning tokens part of the output.
    `without_count` are answered calls of which the endpoint told no tokens.
    """

    who: str
    name: str
    calls: int
    tokens: dict[str, int | None]
    without_count: int
    cost: Decimal | None
    price: str

    @property
    def all_tokens(self) -> int | None:
        """Return input and output together; None where some answered call did not tell them."""
        if self.without_count:
            return None
        return (self.tokens["input"] or 0) + (self.tokens["output"] or 0)


def run_spending(run: Run) -> list[Spent]:
    """Return what the model under test and each judge were asked, and what it cost."""
    return list(_spending(run))


def run_estimate(run: Run) -> Estimated:
    """Return what the whole plan is expected to take, priced as things stand in the run."""
    return _estimate(run, judges_of(run))


def estimate_of(plan: Plan) -> Estimated:
    """Return what a plan that is not saved is expected to take."""
    return _estimate(plan.run, plan.judges)


def check_limits(run: Run) -> str:
    """Return a note on how the limits are held; `Problem` where the plan exceeds them."""
    has_limit = (run.cost_limit, run.token_limit) != (None, None)
    if has_limit and not run.expected:
        raise Problem(f"Run {run.pk} was planned before plans were reckoned; plan a new one to hold a limit.")
    return check_limit(run_estimate(run), cost_limit=run.cost_limit, token_limit=run.token_limit)


def checked_limits(cost_limit: Any, token_limit: Any) -> tuple[Decimal | None, int | None]:
    """Return limits as they can be stored; `Problem` where one is no amount, or out of range."""
    if token_limit is not None and not 1 <= token_limit <= MOST_TOKENS:
        raise Problem(f"The limit of tokens is {token_limit:.3g}; expected 1 to 2**63 - 1, or none.")
    return money(cost_limit), token_limit


def money(typed: Any) -> Decimal | None:
    """Return a limit of money as it was typed; `Problem` where it is no amount, or out of range."""
    if typed is None:
        return None
    try:
        amount = Decimal(str(typed))
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite() or not 0 <= amount <= MOST_MONEY:
        raise Problem(
            f"The limit of cost is {typed!r}; expected US dollars such as 2.50, {MOST_MONEY:,} at most."
        )
    return amount.quantize(CENT_OF_A_CENT)


def beyond_limits(run: Run) -> str:
    """Return why the run must stop now; empty while it may go on, or where it has no limit."""
    run.refresh_from_db(fields=["cost_limit", "token_limit"])
    if run.cost_limit is None and run.token_limit is None:
        return ""
    spent = [part for part in run_spending(run) if part.calls]
    tokens = [part.all_tokens for part in spent]
    costs = [part.cost for part in spent]
    return spent_beyond(
        None if None in tokens else sum(filter(None, tokens)),
        None if None in costs else sum(filter(None, costs), Decimal(0)),
        run.cost_limit,
        run.token_limit,
    )


def judges_of(run: Run) -> list[RunJudge]:
    """Return the judges in the order in which they were named."""
    return list(run.judges.select_related("endpoint").order_by("id"))


def snapshot_prices(snapshot: dict[str, Any]) -> Prices | None:
    """Return the prices of an endpoint as a run knows it."""
    return known_prices(snapshot["model"], snapshot["base_url"], snapshot.get("prices") or {})


def _estimate(run: Run, judges: Sequence[RunJudge]) -> Estimated:
    prices = {SUBJECT: snapshot_prices(run.endpoint_snapshot)}
    for number, judge in enumerate(judges, start=1):
        prices[f"judge {number}"] = snapshot_prices(judge.endpoint_snapshot)
    return estimate(Expected(**part, prices=prices.get(part["who"])) for part in run.expected)


def _spending(run: Run) -> Iterator[Spent]:
    yield _spent(SUBJECT, run.endpoint_snapshot, run.calls.filter(verdict=None))
    for number, judge in enumerate(judges_of(run), start=1):
        yield _spent(f"judge {number}", judge.endpoint_snapshot, run.calls.filter(verdict__judge=judge))


def _spent(who: str, snapshot: dict[str, Any], calls: QuerySet[Any]) -> Spent:
    sums = calls.aggregate(
        calls=Count("id"),
        without_count=Count(
            "id", filter=Q(outcome="answered", input_tokens=None) | Q(outcome="answered", output_tokens=None)
        ),
        **{name.removesuffix("_tokens"): Sum(name) for name in TOKENS},
    )
    number, without = sums.pop("calls"), sums.pop("without_count")
    prices = snapshot_prices(snapshot)
    tokens = Tokens(sums["input"] or 0, sums["cached"], sums["output"] or 0)
    amount = cost(tokens, prices) if not without else None
    return Spent(who, snapshot["name"], number, sums, without, amount, prices.source if prices else "")
