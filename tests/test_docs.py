"""What the documents name exists, and what exists is named."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
DOCUMENTS = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
APPS = ("annotate", "evaluation")


def text() -> str:
    return "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)


def make_targets() -> list[str]:
    return re.findall(r"^([a-z][a-z-]*):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def variables() -> list[str]:
    """The environment variables that the settings read."""
    settings = (PROJECT / "config" / "settings.py").read_text(encoding="utf-8")
    reads = r"(?:env\.\w+|required)\(\s*\"([A-Z_]+)\""
    return sorted(set(re.findall(reads, settings)))


def commands() -> list[str]:
    files = [file for app in APPS for file in (PROJECT / app / "management" / "commands").glob("[a-z]*.py")]
    return sorted(file.stem for file in files)


def folders_of_the_readme() -> list[str]:
    rows = [
        line for line in (PROJECT / "README.md").read_text(encoding="utf-8").splitlines() if line[:3] == "| `"
    ]
    return [name for row in rows for name in re.findall(r"`([a-z_/.]+)`", row.split("|")[1])]


def links() -> list[tuple[Path, str]]:
    return [
        (document, target)
        for document in DOCUMENTS
        for target in re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8"))
        if not re.match(r"[a-z]+:", target)
    ]


def test_there_is_something_to_compare():
    assert {"demo", "test", "serve", "lint"} <= set(make_targets())
    assert {"SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL"} <= set(variables())
    assert {"import_corpus", "serve"} <= set(commands())
    assert {"annotate/", "evaluation/"} <= set(folders_of_the_readme())
    assert links()


@pytest.mark.parametrize("target", make_targets())
def test_every_make_target_is_documented(target):
    assert f"make {target}" in text()


@pytest.mark.parametrize("variable", variables())
def test_every_environment_variable_is_in_the_operators_table(variable):
    operators = (PROJECT / "docs" / "operators.md").read_text(encoding="utf-8")
    assert f"| `{variable}` |" in operators


@pytest.mark.parametrize("command", commands())
def test_every_command_is_documented(command):
    assert re.search(rf"\b{command}\b", text()), f"no document names {command}"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"(?:`|\n    )make ([a-z-]+)", text()))))
def test_documents_name_no_make_target_that_is_missing(name):
    assert name in make_targets()


@pytest.mark.parametrize("folder", folders_of_the_readme())
def test_the_map_of_the_folders_is_true(folder):
    assert (PROJECT / folder).is_dir()


@pytest.mark.parametrize(("document", "target"), links())
def test_links_lead_somewhere(document, target):
    assert (document.parent / target).exists()
