"""The site as `manage.py serve` really serves it."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress

import httpx
import pytest
from django.conf import settings

from annotate.management.commands.serve import check_static_files
from annotate.problems import Problem


@pytest.fixture
def site(tmp_path):
    """The address of a served site with a database of its own, and its process."""
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/tact.sqlite3", "WEB_WORKERS": "1"}
    manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]
    subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serve = [*manage, "serve", "--port", str(port)]
    process = subprocess.Popen(serve, env=environment, start_new_session=True)
    yield wait_for(f"http://127.0.0.1:{port}"), process
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def wait_for(address: str) -> str:
    """Ask until the site answers: two minutes at most."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            httpx.get(address, timeout=30)
        except httpx.TransportError:
            continue
        return address
    raise AssertionError(f"{address} did not answer")


def test_pages_and_static_files_are_served_until_it_is_stopped(site):
    address, process = site
    page = httpx.get(f"{address}/accounts/login/", timeout=30)
    assert page.status_code == 200
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    style = httpx.get(f"{address}/static/tact.css", timeout=30)
    assert style.headers["Content-Type"].startswith("text/css")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0


def test_production_is_not_served_before_static_files_are_collected(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.IS_PRODUCTION = True
    with pytest.raises(Problem, match=r"staticfiles\.json is missing.*collectstatic"):
        check_static_files()
    (tmp_path / "staticfiles.json").touch()
    check_static_files()
