"""The scripts that a fresh machine starts with, on made-up machines without network."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
BASICS = ["bash", "dirname", "env", "mkdir", "mktemp", "mv", "rm", "cat", "ln", "id"]
WORKING = """#!/bin/sh
[ "$1 $2" = "python find" ] && exit 0
echo "uv asked: $* (python: ${UV_PYTHON:-its own choice})"
"""
BROKEN = "#!/bin/sh\necho 'not installed here' >&2\nexit 127\n"
ONLY_312 = """#!/bin/sh
case "$*" in
    *"python find"*">=3.12"*) exit 0 ;;
    *"python find"*) exit 2 ;;
esac
echo "uv asked: $* (python: ${UV_PYTHON:-its own choice})"
"""
NO_PYTHON = """#!/bin/sh
[ "$1" = python ] && { echo "cannot download" >&2; exit 2; }
echo "uv asked: $*"
"""


@pytest.fixture
def machine(tmp_path):
    """A folder with an empty home, a PATH of basic tools only, and the project's scripts."""
    for name in ("home", "bin", "wheels"):
        (tmp_path / name).mkdir()
    shutil.copytree(PROJECT / "scripts", tmp_path / "project" / "scripts")
    for tool in BASICS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return tmp_path


def put(machine: Path, name: str, script: str) -> None:
    program = machine / "bin" / name
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)


def put_wheel_of_uv(machine: Path, script: str) -> None:
    """Offer pip a package uv whose program is the script."""
    with zipfile.ZipFile(machine / "wheels" / "uv-99.0-py3-none-any.whl", "w") as wheel:
        program = zipfile.ZipInfo("uv-99.0.data/scripts/uv")
        program.external_attr = 0o100755 << 16
        wheel.writestr(program, script)
        wheel.writestr("uv-99.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: uv\nVersion: 99.0\n")
        wheel.writestr(
            "uv-99.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr("uv-99.0.dist-info/RECORD", "")


def run(machine: Path, script: str, *arguments: str) -> subprocess.CompletedProcess:
    environment = {
        "PATH": str(machine / "bin"),
        "HOME": str(machine / "home"),
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(machine / "wheels"),
    }
    return subprocess.run(
        [machine / "project" / "scripts" / script, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def test_uv_of_the_machine_is_used(machine):
    put(machine, "uv", WORKING)
    result = run(machine, "uv", "sync", "--locked")
    assert result.stdout == "uv asked: sync --locked (python: its own choice)\n"
    assert not (machine / "project" / ".tools").exists()


@pytest.mark.parametrize("found", [None, BROKEN], ids=["no uv", "a uv that does not work"])
def test_uv_is_brought_into_the_project(machine, found):
    (machine / "bin" / "python3").symlink_to(sys.executable)
    put_wheel_of_uv(machine, WORKING)
    if found:
        put(machine, "uv", found)
    result = run(machine, "uv", "sync", "two words")
    assert result.stdout == "uv asked: sync two words (python: its own choice)\n", result.stderr
    assert files_in(machine / "project" / ".tools") == {"bin/uv"}
    assert files_in(machine / "home") == set()
    assert "Bringing" not in run(machine, "uv", "sync").stderr


def test_a_uv_that_cannot_be_brought_is_a_clear_end(machine):
    (machine / "bin" / "python3").symlink_to(sys.executable)
    result = run(machine, "uv", "sync")
    assert result.returncode == 1
    assert "uv could not be installed with python3" in result.stderr
    assert files_in(machine / "project" / ".tools") == set()


def test_a_python_that_will_do_is_taken_where_313_is_missing(machine):
    put(machine, "uv", ONLY_312)
    assert "(python: >=3.12)" in run(machine, "uv", "sync").stdout


def test_no_python_at_all_is_a_clear_end(machine):
    put(machine, "uv", NO_PYTHON)
    result = run(machine, "uv", "sync")
    assert result.returncode == 1
    assert "Tact needs Python 3.12 or later: none was found" in result.stderr


def test_versions_of_pyenv_are_found(machine):
    put(machine, "uv", '#!/bin/sh\n[ "$1" = python ] || echo "$PATH"\n')
    versions = machine / "home" / ".pyenv" / "versions" / "3.13.0" / "bin"
    versions.mkdir(parents=True)
    assert str(versions) in run(machine, "uv", "sync").stdout


def test_chrome_serves_as_chromium(machine):
    put(machine, "google-chrome", "#!/bin/sh\necho Google Chrome 1\n")
    assert run(machine, "chromium").returncode == 0
    link = machine / "project" / ".tools" / "bin" / "chromium"
    assert link.resolve() == (machine / "bin" / "google-chrome").resolve()


def test_no_browser_at_all_is_a_clear_end(machine):
    put(machine, "uv", BROKEN.replace("not installed here", "no download").replace("127", "1"))
    result = run(machine, "chromium")
    assert result.returncode == 1
    assert "The browser tests need Chromium or Google Chrome" in result.stderr


def test_a_service_that_does_not_answer_is_named():
    result = subprocess.run(
        [sys.executable, PROJECT / "scripts" / "check_services.py"],
        env={**os.environ, "POSTGRES": "postgres://root@127.0.0.1:1/postgres"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 1
    assert "A service that the tests need does not answer" in result.stderr
    assert "port 1" in result.stderr
