"""Two worlds that differ only in what others did: the API answers an annotator the same in both."""

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from annotate.models import Campaign, Dataset
from tests.annotate.factories import make_dataset
from tests.annotate.test_blindness import (
    everything,
    gold_is_known,
    nothing,
    others_flag_and_skip,
    others_label_apply,
    others_label_suppress,
    world,
)

pytestmark = pytest.mark.django_db

TIMES = re.compile(r'"(created|changed)_at":"[^"]+"')
MINE = "/api/v1/campaigns/round-1/"


def walk(act: Callable[[Campaign], None], dataset: Dataset) -> list[str]:
    """Take the annotator's whole path; return every answer, headers included."""
    campaign = world(act, dataset)
    client = APIClient()
    client.force_authenticate(campaign.annotators.get(user__username="ana").user)
    answers = [client.get("/api/v1/campaigns/"), client.get(MINE)]
    for turn in ("apply", "suppress", "skip", "flag", "apply", "change", "suppress"):
        shown = client.get(f"{MINE}next/")
        answers += [shown, answer(client, shown.json()["item"], turn), client.get(f"{MINE}labels/")]
    met = {shown.json()["item"] for shown in answers[2::3]}
    absent = min(set(range(20)) - met)
    answers += [client.get(f"{MINE}labels/{number}/") for number in (*sorted(met), absent)]
    answers += [answer(client, absent, turn) for turn in ("apply", "skip", "flag")]
    answers += [
        client.get(f"/api/v1/{address}") for address in ("corpora/", "gold/", "gold/small-1/", "runs/")
    ]
    answers += [client.get(f"{MINE}report/"), client.post(f"{MINE}freeze/")]
    return [as_text(given) for given in answers]


def answer(client: APIClient, number: int, turn: str):
    token = str(uuid4())
    if turn == "skip":
        return client.post(f"{MINE}items/{number}/skip/")
    if turn == "flag":
        return client.post(f"{MINE}items/{number}/flag/", {"comment": "Ana.", "token": token}, format="json")
    label = "apply" if turn == "change" else turn
    given = client.post(f"{MINE}labels/", {"item": number, "label": label, "token": token}, format="json")
    if turn != "change":
        return given
    change = {"label": "suppress", "version": 1, "token": str(uuid4())}
    return client.patch(f"{MINE}labels/{number}/", change, format="json")


def as_text(given) -> str:
    return TIMES.sub("...", f"{given.status_code} {dict(given.headers)} {given.content.decode()}")


@pytest.fixture
def take_walk() -> Callable[[Callable[[Campaign], None]], list[str]]:
    """Walk in a world of its own, and take the world back afterwards."""
    dataset = make_dataset(contexts=4, preferences=5)

    def take(act: Callable[[Campaign], None]) -> list[str]:
        with transaction.atomic():
            answers = walk(act, dataset)
            transaction.set_rollback(True)
        return answers

    return take


@pytest.mark.parametrize(
    "act",
    [others_label_apply, others_label_suppress, others_flag_and_skip, gold_is_known, everything],
    ids=lambda act: act.__name__,
)
def test_answers_do_not_depend_on_what_others_did(take_walk, act):
    idle, busy = take_walk(nothing), take_walk(act)
    assert len(idle) == len(busy)
    for alone, among_others in zip(idle, busy, strict=True):
        assert alone == among_others
