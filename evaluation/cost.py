"""What a run costs: prices, the cost of calls, the estimate before anything is sent, and the limits.

Money is US dollars as `Decimal`. What is unknown is `None`, never zero. Nothing here asks the network:
published prices are those that came with the installed genai-prices.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from genai_prices import Usage, __version__, calc_price
from genai_prices.types import ModelPrice, PriceCalculation, TieredPrices

from annotate.problems import Problem

MILLION = 1_000_000
HIGHEST_PRICE = Decimal(1_000_000)
PRICE_NAMES = ("input", "output", "cached")
EXPECTED_PRICES = (
    'expected US dollars per million tokens such as {"input": 0.15, "output": 0.6, "cached": 0.075}, '
    'where "cached" may be left out'
)
NO_NUMBERS = {
    bool: "true or false",
    str: "a text that is no number",
    type(None): "null",
    list: "a list",
    dict: "an object",
}
CHARACTERS_A_TOKEN = 4
RULE_OF_THUMB = (
    f"One token is taken to be {CHARACTERS_A_TOKEN} characters, a rule of thumb for English; other "
    "languages and code need more tokens."
)
RETRIES_ON_TOP = "Calls that have to be repeated come on top of the estimate."


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call or of several, each 0 or more; None where unknown. Cached ones are part of input."""

    input: int | None
    cached: int | None
    output: int | None


@dataclass(frozen=True)
class Prices:
    """US dollars per million tokens, and where they are from.

    `cached` is None where cached tokens cost as much as other input. `source` is in words and says
    what these three numbers leave out.
    """

    input: Decimal
    output: Decimal
    cached: Decimal | None
    source: str


@dataclass(frozen=True)
class Expected:
    """Calls that are to be made to one endpoint for one purpose.

    `who` names the purpose ("subject", "judges"). Characters are those of all calls together, the
    cached ones part of the input; `output_tokens_each` is what one answer takes. `prices` is None
    where unknown. ValueError for counts that cannot be.
    """

    who: str
    calls: int
    input_characters: int
    output_tokens_each: int
    cached_characters: int = 0
    prices: Prices | None = None

    def __post_init__(self) -> None:
        counts = (self.calls, self.input_characters, self.output_tokens_each, self.cached_characters)
        if min(counts) < 0 or self.cached_characters > self.input_characters:
            raise ValueError(f"{self.who}: counts below 0, or more characters cached than sent: {counts}")
        if self.input_characters and not self.calls:
            raise ValueError(f"{self.who}: {self.input_characters} characters to send, but no call")


@dataclass(frozen=True)
class Share:
    """What is expected for one purpose, or in all. Cached tokens are part of input; cost None is unknown."""

    who: str
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost: Decimal | None

    @property
    def tokens(self) -> int:
        """Return the tokens of input and output, cached ones included."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True)
class Estimated:
    """An estimate for each purpose and in all.

    `unknown` names the purposes without a price; the cost in all is then None, and `known_cost` is
    what the rest costs: the least that the run can cost.
    """

    shares: tuple[Share, ...]
    total: Share
    unknown: tuple[str, ...]
    known_cost: Decimal


def own_prices(mapping: Any) -> Prices:
    """Read the prices that a lead gave for an endpoint, numbers or texts of numbers, from 0 up.

    ValueError in words where names are missing or unknown, or a price is none. What was typed is
    named, but a text that is no number is not repeated: it may have been meant for another field.
    """
    if not isinstance(mapping, Mapping):
        raise ValueError(f"The prices are no JSON object; {EXPECTED_PRICES}.")
    if unknown := [str(name) for name in mapping if name not in PRICE_NAMES]:
        raise ValueError(f"The prices hold the unknown name {', '.join(unknown)}; {EXPECTED_PRICES}.")
    if missing := [name for name in ("input", "output") if name not in mapping]:
        raise ValueError(f"The prices hold no {' and no '.join(missing)}; {EXPECTED_PRICES}.")
    prices = {name: _own_price(name, value) for name, value in mapping.items()}
    return Prices(prices["input"], prices["output"], prices.get("cached"), "the endpoint's own prices")


def known_prices(model: str, base_url: str, own: Mapping[str, Any], on: date = date.max) -> Prices | None:
    """Return what a model costs at an address: its own prices, else the published ones, else None.

    1. `own` prices count where there are any (ValueError where they are malformed).
    2. An address of this machine or of a private network has no published price, whatever the model.
    3. Published prices are those of the day `on`, by default the newest. Where they change by the
       hour, the dearest hour counts.
    """
    if own:
        return own_prices(own)
    address = urlsplit(base_url)
    if _is_private(address.hostname or ""):
        return None
    # Hosts are the same in capitals; the table's patterns are not.
    place = f"{address.scheme}://{address.netloc.lower()}{address.path}"
    hours = [datetime.combine(on, time(hour), UTC) for hour in range(24)]
    found = [prices for hour in hours if (prices := _published(model, place, hour))]
    return max(found, key=lambda prices: prices.input + prices.output, default=None)


def cost(tokens: Tokens, prices: Prices | None) -> Decimal | None:
    """Return (fresh input x its price + cached input x its price + output x its price) / 1,000,000.

    None where prices, input or output are unknown, or where more tokens are said to be cached than
    were sent. An endpoint that says nothing of cached tokens has cached none: that is the most it can
    cost. Exact up to the 28 digits of the decimal module.
    """
    cached = tokens.cached or 0
    if prices is None or tokens.input is None or tokens.output is None or cached > tokens.input:
        return None
    cached_price = prices.input if prices.cached is None else prices.cached
    fresh = tokens.input - cached
    return (fresh * prices.input + cached * cached_price + tokens.output * prices.output) / MILLION


def estimate(parts: Iterable[Expected]) -> Estimated:
    """Add up what is expected, apart for each purpose and in all.

    Input tokens are characters / CHARACTERS_A_TOKEN, rounded up for each part, cached ones rounded
    down: RULE_OF_THUMB and RETRIES_ON_TOP belong beside every estimate that is shown.
    """
    parts = tuple(parts)
    names = dict.fromkeys(part.who for part in parts)
    shares = tuple(_share(who, [part for part in parts if part.who == who]) for who in names)
    return Estimated(
        shares=shares,
        total=_share("in all", parts),
        unknown=tuple(share.who for share in shares if share.cost is None),
        known_cost=sum((_part_cost(part) or Decimal(0) for part in parts), Decimal(0)),
    )


def check_limit(estimated: Estimated, *, cost_limit: Decimal | None, token_limit: int | None) -> str:
    """Return a note where the token limit stands in for a money limit that cannot be held, else nothing.

    Problem where the estimate is above a limit, or where a money limit is all there is and a price is
    unknown. An estimate equal to a limit is within it; a limit of None is none.
    """
    _refuse_tokens(estimated.total, token_limit)
    _refuse_cost(estimated, cost_limit)
    if cost_limit is None or not estimated.unknown:
        return ""
    reason = f"no price is known for {' and '.join(estimated.unknown)}"
    if token_limit is None:
        raise Problem(
            f"The limit of {_exact(cost_limit)} cannot be held: {reason}. Enter prices at the endpoint, "
            "or set a limit of tokens."
        )
    return (
        f"The limit of {_exact(cost_limit)} cannot be held, because {reason}. "
        f"The limit of {token_limit:,} tokens is used instead."
    )


def spent_beyond(
    spent_tokens: int | None, spent_cost: Decimal | None, cost_limit: Decimal | None, token_limit: int | None
) -> str:
    """Return why a run must stop now, in words; nothing while it may go on.

    What was spent is None where it is unknown. The limit of that kind is then passed over while the
    other one holds; where limits are set and none can be held, the run must stop. A run that spent
    exactly its limit is within it.
    """
    if cost_limit is not None and spent_cost is not None and spent_cost > cost_limit:
        return f"The run has spent {dollars(spent_cost)}, more than its limit of {_exact(cost_limit)}."
    if token_limit is not None and spent_tokens is not None and spent_tokens > token_limit:
        return f"The run has used {spent_tokens:,} tokens, more than its limit of {token_limit:,}."
    spent_by_limit = [
        spent for spent, limit in ((spent_cost, cost_limit), (spent_tokens, token_limit)) if limit is not None
    ]
    if spent_by_limit and all(spent is None for spent in spent_by_limit):
        return "What the run has spent is unknown, so its limit cannot be held."
    return ""


def dollars(amount: Decimal | None) -> str:
    """Write an amount, rounded up to the cent so that what costs something never reads as nothing."""
    if amount is None:
        return "unknown"
    return f"${amount.quantize(Decimal('0.01'), ROUND_CEILING):,f}"


def _own_price(name: str, value: Any) -> Decimal:
    price = _number(value)
    if price is None or not price.is_finite() or price.is_signed() or price > HIGHEST_PRICE:
        found = NO_NUMBERS.get(type(value), "no number") if price is None else f"{price:.6g}"
        raise ValueError(f'The price "{name}" is {found}; expected a number from 0 to {HIGHEST_PRICE:,f}.')
    return price


def _number(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    try:
        # As typed: the float 0.15 itself is a little less than 0.15.
        return Decimal(str(value) if isinstance(value, float) else value)
    except InvalidOperation:
        return None


def _is_private(host: str) -> bool:
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _published(model: str, place: str, at: datetime) -> Prices | None:
    """Return the published prices, or None where input and output tokens do not make up the whole price."""
    try:
        found = calc_price(
            Usage(input_tokens=0, output_tokens=0), model, provider_api_url=place, genai_request_timestamp=at
        )
    except LookupError:
        return None
    price = found.model_price
    paid_apart = price.requests_kcount is not None or price.output_reasoning_mtok is not None
    sent, answered = _base(price.input_mtok), _base(price.output_mtok)
    if sent is None or answered is None or paid_apart or not _is_same_host(found, place):
        return None
    return Prices(sent, answered, _base(price.cache_read_mtok), _published_source(found))


def _base(price: Decimal | TieredPrices | None) -> Decimal | None:
    return price.base if isinstance(price, TieredPrices) else price


def _is_same_host(found: PriceCalculation, place: str) -> bool:
    """Tell whether the host is the provider's, and does not merely begin with its name as a proxy's may."""
    return bool(re.match(rf"(?:{found.provider.api_pattern})(?:(?<=[./])|(?![\w.-]))", place))


def _published_source(found: PriceCalculation) -> str:
    source = f"genai-prices {__version__}: {found.model.id} at {found.provider.name}"
    return "; ".join([source, *_left_out(found.model_price)])


def _left_out(price: ModelPrice) -> list[str]:
    """Name in words what three flat prices cannot say."""
    remarks = []
    tiered = [one for one in (price.input_mtok, price.output_mtok) if isinstance(one, TieredPrices)]
    if starts := [tier.start for one in tiered for tier in one.tiers]:
        remarks.append(f"calls with more than {min(starts):,} input tokens have another price")
    if price.cache_write_mtok is not None:
        remarks.append(f"writing into the cache may cost ${_base(price.cache_write_mtok)}")
    return remarks


def _share(who: str, parts: Sequence[Expected]) -> Share:
    tokens = [_expected_tokens(part) for part in parts]
    costs = [_part_cost(part) for part in parts]
    known = [one for one in costs if one is not None]
    return Share(
        who=who,
        calls=sum(part.calls for part in parts),
        input_tokens=sum(entry for entry, _, _ in tokens),
        cached_tokens=sum(cached for _, cached, _ in tokens),
        output_tokens=sum(output for _, _, output in tokens),
        cost=sum(known, Decimal(0)) if len(known) == len(costs) else None,
    )


def _expected_tokens(part: Expected) -> tuple[int, int, int]:
    """Return (input, cached part of it, output)."""
    return (
        -(-part.input_characters // CHARACTERS_A_TOKEN),
        part.cached_characters // CHARACTERS_A_TOKEN,
        part.calls * part.output_tokens_each,
    )


def _part_cost(part: Expected) -> Decimal | None:
    # Where nothing is sent, no price is needed.
    return cost(Tokens(*_expected_tokens(part)), part.prices) if part.calls else Decimal(0)


def _refuse_tokens(total: Share, limit: int | None) -> None:
    if limit is not None and total.tokens > limit:
        raise Problem(
            f"The run is estimated at {total.tokens:,} tokens in {total.calls:,} calls, above the limit of "
            f"{limit:,} tokens. Raise the limit, or ask for fewer calls or shorter answers."
        )


def _refuse_cost(estimated: Estimated, limit: Decimal | None) -> None:
    if limit is not None and estimated.known_cost > limit:
        shares = ", ".join(f"{share.who} {dollars(share.cost)}" for share in estimated.shares)
        least = "at least " if estimated.unknown else ""
        raise Problem(
            f"The run is estimated at {least}{dollars(estimated.known_cost)} for {estimated.total.calls:,} "
            f"calls ({shares}), above the limit of {_exact(limit)}. Raise the limit, or ask for fewer calls, "
            "shorter answers or a cheaper model."
        )


def _exact(limit: Decimal) -> str:
    return f"${limit:,f}"
