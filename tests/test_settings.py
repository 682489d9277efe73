"""A production start refuses what is unsafe, in words; what it accepts passes Django's deployment checks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
PRODUCTION = {
    "TACT_PROFILE": "production",
    "SECRET_KEY": "a-long-enough-key-that-this-test-made-up-and-nobody-uses",
    "ALLOWED_HOSTS": "tact.example.org, labels.example.org",
    "BEHIND_PROXY": "true",
}
OURS = {*PRODUCTION, "DATABASE_URL", "WEB_WORKERS", "SECURE_SSL_REDIRECT", "CSRF_TRUSTED_ORIGINS"}


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("missing", ["SECRET_KEY", "ALLOWED_HOSTS"])
def test_production_refuses_to_start_without(missing):
    result = manage("check", **{name: value for name, value in PRODUCTION.items() if name != missing})
    assert result.returncode != 0
    assert f"{missing} is not set. In the production profile it is required" in result.stderr


def test_an_unknown_profile_is_named():
    result = manage("check", TACT_PROFILE="prod")
    assert result.returncode != 0
    assert "TACT_PROFILE is 'prod'; expected 'local' or 'production'." in result.stderr


def test_production_passes_every_deployment_check():
    result = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert "no issues" in result.stdout, result.stderr
    assert result.returncode == 0


def test_settings_mistakes_are_told_with_an_id_and_a_hint():
    mistakes = PRODUCTION | {"ALLOWED_HOSTS": "*", "BEHIND_PROXY": "false", "WEB_WORKERS": "3"}
    result = manage("check", "--deploy", "--fail-level", "WARNING", **mistakes)
    assert result.returncode != 0
    for told in (
        "annotate.W001",
        "WEB_WORKERS is 3",
        "annotate.W002",
        "annotate.W003",
        "HINT: Leave WEB_WORKERS",
    ):
        assert told in result.stderr


@pytest.mark.parametrize(
    ("database", "told"),
    [
        (
            "sqlite:////nowhere/at/all/tact.sqlite3",
            "The folder /nowhere/at/all of the SQLite database does not",
        ),
        ("mysql://root@127.0.0.1/tact", "a database on which Tact is not tested"),
    ],
)
def test_a_database_that_cannot_be_used_stops_the_start(database, told):
    result = manage("check", DATABASE_URL=database)
    assert result.returncode != 0
    assert told in result.stderr


def test_host_names_may_be_written_with_spaces():
    result = manage("shell", "-v0", "-c", "print(settings.ALLOWED_HOSTS)", **PRODUCTION)
    assert "['tact.example.org', 'labels.example.org']" in result.stdout


def test_the_policy_of_every_page_allows_nothing_inline(client, db):
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
