"""A rater of answers drawn from a run learns nothing of what they are.

Whatever a rater can open is walked through twice, in worlds that differ only in what is hidden: gold labels,
verdicts, models, conditions, strata. The pages have to be the same bytes, tokens and times aside.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from scipy.stats import chisquare

from annotate.actions.validation import end_rater
from annotate.guideline_text import guideline_html
from annotate.models import GoldLabel
from annotate.own_validation import item_at, own_sample
from annotate.validation_guidelines import usual_guideline
from evaluation.actions import draw_validation
from evaluation.models import Endpoint, Generation, RunSample, SampledUnit, Verdict
from tests.annotate.factories import make_user
from tests.annotate.test_blindness import CHANGING
from tests.annotate.validation_forms import ADDRESS, HTMX, OWN, send
from tests.evaluation.validation.drawn import letters_run, pairs_run

pytestmark = pytest.mark.django_db

SAVED_AT = re.compile(r'"saved_at":"[^"]+"')


def draw_letters(size: int = 8, label_sets: tuple[str, ...] = ()) -> RunSample:
    """Draw labels evenly from both gold labels of a run in two conditions, for one annotator."""
    run = letters_run(samples=4, conditions=("default", "mitigation"))
    return draw_validation(run, size=size, label_sets=label_sets, **for_ana("Letters"))


def draw_answers() -> RunSample:
    """Draw both answers of four pairs, for one annotator."""
    return draw_validation(pairs_run(), target="uptake", size=8, **for_ana("Advice"))


def for_ana(name: str) -> dict[str, Any]:
    return {"slug": "sample-1", "name": name, "users": [make_user("ana", "annotator")]}


def exchange_all_that_is_hidden() -> None:
    """Turn gold labels, verdicts and sides round; rename models, conditions, strata."""
    QuerySet(GoldLabel).update(value=1 - F("value"))
    Verdict.objects.filter(value__in=(0, 1)).update(value=1 - F("value"))
    Endpoint.objects.update(name=Concat(Value("other "), "name"), model="another-model")
    sides = {"positive": "negative", "negative": "positive", "": ""}
    parts = sides | {"apply": "suppress", "suppress": "apply"}
    for generation in Generation.objects.all():
        generation.side, generation.condition = sides[generation.side], "other"
        generation.save()
    for unit in SampledUnit.objects.all():
        unit.part, unit.category = parts[unit.part], "style"
        unit.stratum, unit.together, unit.domains = 1 - unit.stratum, f"unit {unit.pk}", ["education"]
        unit.save()


def walk() -> list[str]:
    """Take a rater's whole path and take it back; return every page."""
    with transaction.atomic():
        pages = list(visit(signed_in("ana")))
        transaction.set_rollback(True)
    texts = [f"{page.status_code} {page.content.decode()}" for page in pages]
    return [SAVED_AT.sub("...", CHANGING.sub("...", text)) for text in texts]


def visit(client: Client) -> Iterator:
    for place in range(1, 9):
        yield client.get("/")
        yield (page := client.get(ADDRESS))
        yield send(client, "12u"[place % 3], page, {"comment": "Mine."}, headers=HTMX if place % 2 else {})
        yield send(client, "2", page, headers=HTMX)
        yield client.get(f"{ADDRESS}?place={place}")
        yield client.get(f"{ADDRESS}?place={place + 2}")
    for address in own_addresses():
        yield client.get(address)


def signed_in(username: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=username))
    return client


@pytest.mark.parametrize("draw", [draw_letters, draw_answers], ids=lambda draw: draw.__name__)
def test_pages_do_not_depend_on_gold_verdict_side_model_or_condition(draw):
    draw()
    as_is = walk()
    exchange_all_that_is_hidden()
    assert len(as_is) == 48 + len(own_addresses())
    assert walk() == as_is


HIDDEN = """
    subject judge model gold suppress apply default mitigation condition generation verdict stratum tone
    nickname occasion finance legal health p1 p2 sampled run seed side positive negative memory acknowledged
    clean C1 M01
"""


@pytest.mark.parametrize("draw", [draw_letters, draw_answers], ids=lambda draw: draw.__name__)
def test_no_page_names_what_is_hidden(draw):
    texts = [text for item in draw().sample.items.all() for text in item.texts.values()]
    pages = "\n".join(walk())
    assert all(text in pages for text in texts)
    guidelines = [usual_guideline("label"), usual_guideline("uptake")]
    in_json = [json.dumps(text, ensure_ascii=False)[1:-1] for text in guidelines]
    for words in (*texts, *map(guideline_html, guidelines), *in_json):
        pages = pages.replace(words, "")
    assert [word for word in HIDDEN.split() if re.search(rf"\b{word}\b", pages, re.IGNORECASE)] == []


def test_neither_gold_label_comes_sooner():
    """Over many raters, both gold labels stand at any place equally often."""
    drawn = draw_letters(size=16, label_sets=tuple(f"set {number}" for number in range(200)))
    part = dict(drawn.units.values_list("item", "part"))
    for place in (0, 7, 15):
        found = [part[item_at(own_sample(rater), place).pk] for rater in drawn.sample.raters.all()]
        assert chisquare([found.count(name) for name in ("apply", "suppress")]).pvalue > 1e-6, found


# Who reaches what.


def addresses(patterns: list, before: str = "/") -> Iterator[str]:
    """Yield every address of the site, filled in with the name of the sample and with first rows."""
    for pattern in patterns:
        route = before + re.sub(r"\\Z|[$^]", "", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and "(?P" not in route:
            filled = re.sub(r"<slug:\w+>", "sample-1", route)
            yield re.sub(r"<(str|suffix)(:\w+)?>", "csv", re.sub(r"<(int|path|uuid):\w+>", "1", filled))


def of_validation() -> list[str]:
    """Return the addresses of validation samples: of people, leads, the admin and the API."""
    return sorted({each for each in addresses(get_resolver().url_patterns) if "validation" in each})


def own_addresses() -> list[str]:
    """Return those that are a rater's own: the two pages, and the API of the same."""
    return [each for each in of_validation() if each in {ADDRESS, OWN} or "/own-validation/" in each]


def test_all_addresses_of_samples_are_looked_at():
    assert {ADDRESS, OWN} <= set(own_addresses())
    assert "/admin/annotate/validationlabel/" in of_validation()


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_rater_reaches_the_own_pages_only(method):
    draw_letters()
    client = signed_in("ana")
    for address in set(of_validation()) - set(own_addresses()):
        page = getattr(client, method)(address)
        is_sign_in = page.status_code == 302 and "/login/" in page.url
        assert is_sign_in or page.status_code in {403, 404, 405}, address
        assert "Dear all" not in page.content.decode()


@pytest.mark.parametrize("role", ["annotator", "nobody", "lead", "visitor"])
def test_nobody_else_reaches_a_raters_pages(role):
    draw_letters()
    client = Client()
    if role != "visitor":
        client.force_login(make_user("other", "" if role == "nobody" else role))
    for address in (ADDRESS, f"{ADDRESS}?place=1", OWN):
        page = client.get(address)
        assert (page.status_code, client.post(ADDRESS).status_code) == (
            (302, 302) if role == "visitor" else (404, 404)
        )
        assert "Dear all" not in page.content.decode()


def test_an_ended_seat_is_told_and_sees_no_new_item():
    drawn = draw_letters()
    client = signed_in("ana")
    send(client, "1")
    end_rater(drawn.sample.raters.get(user__username="ana"))
    page = client.get(ADDRESS).content.decode()
    assert "Your part in this has ended" in page
    assert "Dear all" not in page
    assert "Dear all" in client.get(f"{ADDRESS}?place=1").content.decode()
    assert "Letters" not in client.get("/").content.decode()
