"""What is unknown costs an unknown amount, never nothing, and a run above its limit does not start."""

import socket
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from genai_prices import Usage, calc_price
from genai_prices.data import providers
from hypothesis import given
from hypothesis import strategies as st

from annotate.problems import Problem
from evaluation.cost import (
    Expected,
    Prices,
    Tokens,
    check_limit,
    cost,
    dollars,
    estimate,
    known_prices,
    own_prices,
    spent_beyond,
)

OPENAI = "https://api.openai.com/v1"
OPENROUTER = "https://openrouter.ai/api/v1"
DAY = date(2026, 11, 30)
CHEAP = Prices(Decimal("0.15"), Decimal("0.6"), Decimal("0.075"), "by hand")
FREE = Prices(Decimal(0), Decimal(0), None, "by hand")

COUNTS = st.integers(0, 10**9)
DOLLARS = st.decimals(0, 1000, places=4)
PRICES = st.builds(Prices, DOLLARS, DOLLARS, st.none() | DOLLARS, st.just("drawn"))


@st.composite
def tokens(draw):
    entry = draw(COUNTS)
    return Tokens(entry, draw(st.integers(0, entry)), draw(COUNTS))


def slow_cost(counts, prices):
    """The price of each token, one kind after the other, as fractions."""
    cached_price = prices.input if prices.cached is None else prices.cached
    rates = [(counts.input - counts.cached, prices.input), (counts.cached, cached_price)]
    return sum(count * Fraction(price) for count, price in [*rates, (counts.output, prices.output)]) / 10**6


def published_cost(model, url, at=datetime(2026, 11, 30, 12, tzinfo=UTC)):
    usage = Usage(input_tokens=1000, cache_read_tokens=400, output_tokens=50)
    return calc_price(usage, model, provider_api_url=url, genai_request_timestamp=at).total_price


# Cost of calls


def test_cached_tokens_are_part_of_the_input():
    # 600 fresh at 0.15, 400 cached at 0.075 and 50 out at 0.6: 90 + 30 + 30 = 150 millionths.
    assert cost(Tokens(1000, 400, 50), CHEAP) == Decimal("0.00015")


def test_cached_tokens_cost_as_much_as_input_where_no_price_for_them_is_given():
    # 1000 at 0.15 and 50 at 0.6: 150 + 30 = 180 millionths.
    prices = Prices(Decimal("0.15"), Decimal("0.6"), None, "by hand")
    assert cost(Tokens(1000, 400, 50), prices) == Decimal("0.00018")


def test_cached_tokens_may_cost_nothing():
    prices = Prices(Decimal("0.15"), Decimal("0.6"), Decimal(0), "by hand")
    assert cost(Tokens(1000, 400, 50), prices) == Decimal("0.00012")


def test_an_endpoint_that_says_nothing_of_cached_tokens_is_paid_in_full():
    assert cost(Tokens(1000, None, 50), CHEAP) == Decimal("0.00018")


@pytest.mark.parametrize("counts", [Tokens(None, 0, 5), Tokens(5, 0, None), Tokens(5, 6, 5)])
def test_unknown_or_contradictory_counts_have_an_unknown_cost(counts):
    assert cost(counts, CHEAP) is None
    assert cost(counts, FREE) is None


def test_an_unknown_price_is_not_zero_and_a_price_of_zero_is_not_unknown():
    assert cost(Tokens(1000, 400, 50), None) is None
    assert cost(Tokens(0, 0, 0), None) is None
    assert cost(Tokens(1000, 400, 50), FREE) == 0


@given(tokens(), PRICES)
def test_the_cost_is_exact(counts, prices):
    assert Fraction(cost(counts, prices)) == slow_cost(counts, prices)


@given(tokens(), tokens(), PRICES)
def test_the_costs_of_calls_add_up(one, other, prices):
    both = Tokens(one.input + other.input, one.cached + other.cached, one.output + other.output)
    assert cost(both, prices) == cost(one, prices) + cost(other, prices)


@given(tokens(), COUNTS, COUNTS, PRICES)
def test_more_tokens_never_cost_less(counts, more_input, more_output, prices):
    more = Tokens(counts.input + more_input, counts.cached, counts.output + more_output)
    assert cost(more, prices) >= cost(counts, prices)


# Prices that a lead gives


def test_own_prices_are_read_to_the_digit_from_numbers_and_texts():
    read = own_prices({"input": 0.15, "output": "0.60", "cached": 0.075})
    assert (read.input, read.output, read.cached) == (Decimal("0.15"), Decimal("0.6"), Decimal("0.075"))
    assert own_prices({"input": 0, "output": 3}).cached is None
    assert own_prices({"input": 0, "output": 0, "cached": "0"}).cached == 0


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (-0.5, "-0.5"),
        ("-1", "-1"),
        (True, "true or false"),
        (float("nan"), "NaN"),
        ("nan", "NaN"),
        ("sNaN", "sNaN"),
        (float("inf"), "Infinity"),
        ("1e999999", "e+999999"),
        (10**400, "e+400"),
        (None, "null"),
        ("", "a text that is no number"),
        ("0,15", "a text that is no number"),
        ([1], "a list"),
        ({"usd": 1}, "an object"),
    ],
)
@pytest.mark.parametrize("name", ["input", "output", "cached"])
def test_what_is_no_price_is_refused_in_words(name, value, found):
    with pytest.raises(ValueError, match=f'price "{name}" is') as refusal:
        own_prices({"input": 1, "output": 1, name: value})
    assert found in str(refusal.value)
    assert "expected a number from 0 to 1,000,000" in str(refusal.value)


def test_a_text_that_is_no_number_is_not_repeated():
    with pytest.raises(ValueError, match="text that is no number") as refusal:
        own_prices({"input": "sk-abcdef", "output": 1})
    assert "sk-abcdef" not in str(refusal.value)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"input": 1, "output": 1, "cache": 1}, "unknown name cache"),
        ({"input": 1}, "no output"),
        ({}, "no input and no output"),
        ([0.15, 0.6], "no JSON object"),
        ("0.15", "no JSON object"),
        (None, "no JSON object"),
    ],
)
def test_prices_with_wrong_names_are_refused_in_words(value, found):
    with pytest.raises(ValueError, match=found) as refusal:
        own_prices(value)
    assert '{"input": 0.15, "output": 0.6, "cached": 0.075}' in str(refusal.value)


# Published prices


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("gpt-4o", OPENAI),
        ("gpt-4o-2024-08-06", OPENAI),
        ("gpt-4o-2024-05-13", OPENAI),
        ("GPT-4o-mini", OPENAI),
        ("openai/gpt-4o", OPENROUTER),
        ("openai/gpt-4o-2024-08-06", OPENROUTER),
        ("anthropic/claude-sonnet-4.5", OPENROUTER),
        ("gemini-2.5-pro", "https://generativelanguage.googleapis.com/v1beta/openai/"),
        ("gpt-4o", "https://place.openai.azure.com/openai/v1"),
    ],
)
def test_published_prices_cost_what_the_table_says(model, url):
    prices = known_prices(model, url, {}, on=DAY)
    assert cost(Tokens(1000, 400, 50), prices) == published_cost(model, url)
    assert prices.source.startswith("genai-prices ")


def test_no_model_of_a_whole_provider_is_priced_otherwise_than_the_table_says():
    models = next(provider.models for provider in providers if provider.id == "openrouter")
    priced = {model.id: known_prices(model.id, OPENROUTER, {}, on=DAY) for model in models}
    known = {name: cost(Tokens(1000, 400, 50), prices) for name, prices in priced.items() if prices}
    assert len(known) > 100
    assert known == {name: published_cost(name, OPENROUTER) for name in known}
    assert 0 not in known.values()


def test_prices_that_change_by_the_hour_count_at_their_dearest():
    url = "https://api.deepseek.com/v1"
    start = datetime(2026, 11, 30, tzinfo=UTC)
    by_half_hour = {
        published_cost("deepseek-chat", url, start + timedelta(minutes=30 * step)) for step in range(48)
    }
    assert len(by_half_hour) > 1
    prices = known_prices("deepseek-chat", url, {}, on=DAY)
    assert cost(Tokens(1000, 400, 50), prices) == max(by_half_hour)


def test_prices_for_longer_calls_are_named():
    prices = known_prices("gemini-2.5-pro", "https://generativelanguage.googleapis.com/v1beta/openai", {})
    assert "more than 200,000 input tokens" in prices.source


def test_hosts_in_capitals_are_the_same_hosts():
    assert known_prices("gpt-4o", "https://API.OpenAI.com/v1", {}) == known_prices("gpt-4o", OPENAI, {})


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("a-model-of-our-own", OPENAI),
        ("", OPENAI),
        ("openai/gpt-none", OPENROUTER),
        ("gpt-4o", "https://models.example.org/v1"),
        ("gpt-4o", "https://api.openai.com.example.org/v1"),
        ("gpt-4o", "http://127.0.0.1:8080/v1"),
        ("gpt-4o", "http://localhost:8080/v1"),
        ("gpt-4o", "http://localhost/x.openai.azure.com"),
        ("gpt-4o", "http://[::1]:8080/v1"),
    ],
)
def test_an_unknown_model_or_address_has_no_price_until_the_lead_gives_one(model, url):
    assert known_prices(model, url, {}) is None
    free = known_prices(model, url, {"input": 0, "output": 0})
    assert cost(Tokens(1000, 400, 50), free) == 0


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("text-embedding-3-small", OPENAI),
        ("meta-llama/llama-3.3-70b-instruct:free", OPENROUTER),
        ("sonar", "https://api.perplexity.ai"),
    ],
    ids=["no price for output", "no price at all", "paid for each request"],
)
def test_a_published_price_that_is_not_whole_is_unknown(model, url):
    assert calc_price(Usage(), model, provider_api_url=url).model.id == model
    assert known_prices(model, url, {}) is None


def test_own_prices_win_over_published_ones():
    prices = known_prices("gpt-4o", OPENAI, {"input": 1, "output": 2})
    assert (prices.input, prices.output, prices.source) == (1, 2, "the endpoint's own prices")
    with pytest.raises(ValueError, match="no output"):
        known_prices("gpt-4o", OPENAI, {"input": 1})


def test_prices_are_found_without_the_network(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("asked the network")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)
    assert known_prices("gpt-4o-mini", OPENAI, {}) is not None
    assert known_prices("a-model-that-nobody-asked-for", OPENAI, {}) is None


# Estimates


def test_subject_and_judges_are_estimated_apart_and_in_all():
    # Subject: 4001 characters are 1001 tokens, 10 x 20 = 200 out:
    # 1001 x 0.15 + 200 x 0.6 = 270.15 millionths.
    # Judges: 8000 characters are 2000 tokens, 4003 of them cached 1000, 40 x 5 = 200 out:
    # 1000 x 0.15 + 1000 x 0.075 + 200 x 0.6 = 345 millionths.
    found = estimate(
        [
            Expected("subject", 10, 4001, 20, prices=CHEAP),
            Expected("judges", 40, 8000, 5, cached_characters=4003, prices=CHEAP),
        ]
    )
    subject, judges = found.shares
    assert (subject.who, subject.calls, subject.input_tokens, subject.output_tokens) == (
        "subject",
        10,
        1001,
        200,
    )
    assert (judges.input_tokens, judges.cached_tokens) == (2000, 1000)
    assert (subject.cost, judges.cost) == (Decimal("0.00027015"), Decimal("0.000345"))
    assert (found.total.calls, found.total.tokens) == (50, 3401)
    assert found.total.cost == found.known_cost == Decimal("0.00061515")
    assert found.unknown == ()


def test_one_judge_without_a_price_makes_the_judges_and_the_whole_unknown():
    found = estimate(
        [
            Expected("subject", 1, 4_000_000, 0, prices=CHEAP),
            Expected("judges", 1, 4_000_000, 0, prices=CHEAP),
            Expected("judges", 1, 4_000_000, 0),
        ]
    )
    assert [share.cost for share in found.shares] == [Decimal("0.15"), None]
    assert found.total.cost is None
    assert found.unknown == ("judges",)
    assert found.known_cost == Decimal("0.3")


def test_calls_that_are_not_made_need_no_price():
    found = estimate([Expected("judges", 0, 0, 100)])
    assert (found.total.cost, found.total.tokens, found.unknown) == (0, 0, ())
    assert estimate([]).total.cost == 0


@pytest.mark.parametrize("counts", [(-1, 0, 0, 0), (1, -1, 0, 0), (1, 1, -1, 0), (1, 4, 0, 5), (0, 4, 0, 0)])
def test_counts_that_cannot_be_are_refused(counts):
    with pytest.raises(ValueError, match="subject"):
        Expected("subject", *counts)


PARTS = st.lists(
    st.builds(
        Expected,
        st.sampled_from(["subject", "judges", "extractor"]),
        st.integers(1, 5000),
        st.integers(100, 10**8),
        st.integers(0, 2000),
        st.integers(0, 100),
        st.none() | PRICES,
    ),
    max_size=6,
)


@given(PARTS)
def test_an_estimate_is_the_sum_of_its_shares(parts):
    found = estimate(parts)
    for name in ("calls", "input_tokens", "cached_tokens", "output_tokens"):
        assert getattr(found.total, name) == sum(getattr(share, name) for share in found.shares)
    assert set(found.unknown) == {part.who for part in parts if part.prices is None}
    assert (found.total.cost is None) == bool(found.unknown)
    if not found.unknown:
        assert found.total.cost == found.known_cost == sum(share.cost for share in found.shares)


@given(PARTS, PARTS)
def test_asking_more_never_lowers_an_estimate(parts, more):
    less, whole = estimate(parts), estimate(parts + more)
    assert whole.known_cost >= less.known_cost
    assert whole.total.tokens >= less.total.tokens
    assert set(whole.unknown) >= set(less.unknown)


# Limits

# 1,000,000 tokens in at 0.15 and 1,000,000 out at 0.6.
PRICED = estimate([Expected("subject", 1000, 4_000_000, 1000, prices=CHEAP)])
UNPRICED = estimate([*[Expected("judges", 10, 4000, 100)], Expected("subject", 1, 40, 10, prices=CHEAP)])


def test_an_estimate_within_its_limits_starts_without_a_note():
    assert check_limit(PRICED, cost_limit=Decimal("0.75"), token_limit=2_000_000) == ""
    assert check_limit(PRICED, cost_limit=None, token_limit=None) == ""
    assert check_limit(UNPRICED, cost_limit=None, token_limit=None) == ""
    assert check_limit(UNPRICED, cost_limit=None, token_limit=5000) == ""


def test_an_estimate_above_the_money_limit_is_refused_with_both_numbers():
    with pytest.raises(Problem) as refusal:
        check_limit(PRICED, cost_limit=Decimal("0.749"), token_limit=None)
    for words in ("$0.75", "$0.749", "subject", "1,000 calls", "Raise the limit"):
        assert words in str(refusal.value)


def test_an_estimate_above_the_token_limit_is_refused_with_both_numbers():
    with pytest.raises(Problem) as refusal:
        check_limit(PRICED, cost_limit=Decimal(100), token_limit=1_999_999)
    for words in ("2,000,000 tokens", "1,999,999", "Raise the limit"):
        assert words in str(refusal.value)


def test_a_limit_of_nothing_lets_only_what_is_free_start():
    free = estimate([Expected("subject", 10, 4000, 100, prices=FREE)])
    assert check_limit(free, cost_limit=Decimal(0), token_limit=None) == ""
    with pytest.raises(Problem, match="above the limit"):
        check_limit(PRICED, cost_limit=Decimal(0), token_limit=None)


def test_a_money_limit_with_an_unknown_price_is_refused():
    with pytest.raises(Problem, match="no price is known for judges") as refusal:
        check_limit(UNPRICED, cost_limit=Decimal(1000), token_limit=None)
    assert "set a limit of tokens" in str(refusal.value)


def test_a_money_limit_with_an_unknown_price_falls_back_to_the_token_limit_and_says_so():
    note = check_limit(UNPRICED, cost_limit=Decimal(1000), token_limit=5000)
    for words in ("$1,000", "judges", "5,000 tokens is used instead"):
        assert words in note
    with pytest.raises(Problem, match="above the limit of 100 tokens"):
        check_limit(UNPRICED, cost_limit=Decimal(1000), token_limit=100)


def test_what_is_known_to_cost_too_much_is_refused_whatever_the_rest_costs():
    part = [Expected("subject", 1, 4_000_000, 0, prices=CHEAP), Expected("judges", 1, 4, 1)]
    with pytest.raises(Problem, match=r"at least \$0.15 .*judges unknown"):
        check_limit(estimate(part), cost_limit=Decimal("0.1"), token_limit=10**9)


def test_a_run_stops_when_it_has_spent_more_than_a_limit():
    assert "$1.01, more than its limit of $1" in spent_beyond(10, Decimal("1.001"), Decimal(1), None)
    assert "2,001 tokens, more than its limit of 2,000" in spent_beyond(2001, None, Decimal(1), 2000)
    assert "tokens" in spent_beyond(2001, Decimal("0.1"), Decimal(1), 2000)


def test_a_run_goes_on_within_its_limits():
    assert spent_beyond(2000, Decimal(1), Decimal(1), 2000) == ""
    assert spent_beyond(10**9, Decimal(10**6), None, None) == ""
    assert spent_beyond(None, None, None, None) == ""


def test_spend_that_is_unknown_stops_a_run_unless_the_other_limit_holds():
    assert "unknown" in spent_beyond(10, None, Decimal(1), None)
    assert "unknown" in spent_beyond(None, None, None, 2000)
    assert "unknown" in spent_beyond(None, None, Decimal(1), 2000)
    assert spent_beyond(10, None, Decimal(1), 2000) == ""
    assert spent_beyond(None, Decimal("0.5"), Decimal(1), 2000) == ""


def test_amounts_are_rounded_up_to_the_cent():
    assert dollars(Decimal("1234.5601")) == "$1,234.57"
    assert dollars(Decimal("0.0000001")) == "$0.01"
    assert dollars(Decimal(0)) == "$0.00"
    assert dollars(None) == "unknown"
