"""The script in docs/ does what it says, as a program of its own against a real server."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from rest_framework.authtoken.models import Token

from annotate.actions.gold import freeze_gold_release
from annotate.models import Label
from tests.annotate.factories import give_labels, make_campaign, make_user

SCRIPT = settings.BASE_DIR / "docs" / "label_ten_items.py"


@pytest.fixture
def campaign(transactional_db):
    campaign = make_campaign(contexts=4, preferences=4)
    give_labels(campaign, ["-11", "111", "000"])
    freeze_gold_release(campaign)
    return campaign


@pytest.fixture
def tokens(campaign) -> dict[str, str]:
    """The tokens that the script takes from its environment."""
    users = {
        "ANNOTATOR_TOKEN": campaign.annotators.get(pseudonym="A1").user,
        "LEAD_TOKEN": make_user("lea", "lead"),
    }
    return {name: Token.objects.create(user=user).key for name, user in users.items()}


def run_script(*arguments: str, tokens: dict[str, str]) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        env={**os.environ, **tokens},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_it_labels_ten_items_and_fetches_gold(live_server, campaign, tokens):
    before = Label.objects.filter(annotator__pseudonym="A1").count()
    done = run_script(live_server.url, "round-1", tokens=tokens)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[10:12] == ["10 items labelled", "2 gold labels"]
    assert '"release": "small-1"' in lines[12]
    given = Label.objects.filter(annotator__pseudonym="A1")
    assert given.count() == before + 10
    assert sorted(given.order_by("-pk").values_list("value", flat=True)[:10]) == [0] * 5 + [1] * 5


def test_it_stops_where_there_is_nothing_left(live_server, campaign, tokens):
    for _ in range(2):
        done = run_script(live_server.url, "round-1", tokens=tokens)
    assert "4 items labelled" in done.stdout


def test_it_ends_with_the_words_of_the_api(live_server, campaign, tokens):
    done = run_script(live_server.url, "round-1", tokens={**tokens, "ANNOTATOR_TOKEN": "wrong"})
    assert done.returncode == 1
    assert "answered 401" in done.stderr
    assert "Invalid token" in done.stderr


def test_it_says_how_to_use_it(tokens):
    done = run_script(tokens=tokens)
    assert done.returncode == 1
    assert "Usage: label_ten_items.py" in done.stderr


def test_the_readme_names_it():
    assert "docs/label_ten_items.py" in (settings.BASE_DIR / "README.md").read_text(encoding="utf-8")
