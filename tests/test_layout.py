"""The folders keep to the design: what is pure imports no Django, and the arrows point one way."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
PURE = [
    "annotate/figures.py",
    "evaluation/exporters/report.py",
    "evaluation/charts.py",
    "annotate/agreement",
    "annotate/allocation.py",
    "annotate/blinding.py",
    "annotate/formulas.py",
    "annotate/importers",
    "annotate/judgements.py",
    "annotate/pairs.py",
    "annotate/problems.py",
    "annotate/rule_checks.py",
    "annotate/sampling.py",
    "annotate/validation.py",
    "annotate/validation_guidelines",
    "evaluation/benchpres",
    "evaluation/cost.py",
    "evaluation/importers",
    "evaluation/judging",
    "evaluation/keys.py",
    "evaluation/pairpref",
    "evaluation/prompts",
    "evaluation/questions.py",
    "evaluation/records.py",
    "evaluation/reporting",
    "evaluation/targets.py",
    "evaluation/validation",
    "fixtures",
]
FRAMEWORKS = {"django", "rest_framework", "django_htmx", "django_tasks_db", "environ"}
AMBIENT = {
    "os.environ",
    "os.getenv",
    "time.time",
    "time.time_ns",
    "datetime.now",
    "datetime.utcnow",
    "datetime.today",
    "date.today",
    "timezone.now",
}
OWN_GENERATORS = {"Random", "default_rng", "Generator", "SeedSequence", "PCG64", "Philox", "BitGenerator"}


def modules(*places: str) -> list[Path]:
    files = [
        file
        for place in places
        for file in ([PROJECT / place] if place.endswith(".py") else sorted((PROJECT / place).rglob("*.py")))
    ]
    assert files, f"no module in {places}"
    return files


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def imported_names(file: Path) -> Iterator[str]:
    """Every module that the file names in an import, and every `module.name` of a from-import."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports by a relative path"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def file_of(module: str) -> Path | None:
    base = PROJECT.joinpath(*module.split("."))
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@cache
def reached(file: Path) -> frozenset[Path]:
    """The file and every file of ours that it imports, directly or through others."""
    seen: set[Path] = set()
    waiting = [file]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting.extend(found for name in imported_names(current) if (found := file_of(name)))
    return frozenset(seen)


def dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def ambient_uses(file: Path) -> Iterator[str]:
    """Uses of the clock, the environment or a generator that nobody seeded."""
    for node in ast.walk(tree(file)):
        if not isinstance(node, ast.Attribute):
            continue
        name = dotted(node)
        last_two = ".".join(name.split(".")[-2:])
        unseeded = last_two.startswith("random.") and node.attr not in OWN_GENERATORS
        if last_two in AMBIENT or (unseeded and name.split(".")[0] in {"random", "np", "numpy"}):
            yield f"{file.relative_to(PROJECT)}:{node.lineno} uses {name}"


@pytest.mark.parametrize("place", PURE)
def test_pure_code_reaches_no_django(place):
    faults = [
        f"{file.relative_to(PROJECT)}: {other.relative_to(PROJECT)} imports {name}"
        for file in modules(place)
        for other in reached(file)
        for name in imported_names(other)
        if name.split(".")[0] in FRAMEWORKS
    ]
    assert faults == []


@pytest.mark.parametrize("place", PURE)
def test_pure_code_reads_no_clock_environment_or_global_random_state(place):
    assert [use for file in modules(place) for use in ambient_uses(file)] == []


def test_annotate_never_imports_evaluation():
    faults = [
        f"{file.relative_to(PROJECT)} imports {name}"
        for file in modules("annotate")
        for name in imported_names(file)
        if name.split(".")[0] == "evaluation"
    ]
    assert faults == []


def test_only_the_client_imports_openai():
    importers = {
        str(file.relative_to(PROJECT))
        for file in modules("annotate", "evaluation", "config")
        for name in imported_names(file)
        if name.split(".")[0] == "openai"
    }
    assert importers <= {"evaluation/llm/client.py"}


def test_rules_do_not_live_in_pages():
    """Pages, API, admin and commands call actions, reports and models; never the other way."""
    outer = ("views", "api", "admin", "management")
    faults = [
        f"{file.relative_to(PROJECT)} imports {name}"
        for app in ("annotate", "evaluation")
        for file in modules(f"{app}/actions", f"{app}/models", f"{app}/reports.py")
        for name in imported_names(file)
        if name.split(".")[0] in {"annotate", "evaluation"}
        and name.split(".")[1:2]
        and name.split(".")[1] in outer
    ]
    assert faults == []


def test_the_api_of_machines_answers_leans_on_no_page():
    faults = [
        f"{file.relative_to(PROJECT)} imports {name}"
        for file in modules("evaluation/api")
        for name in imported_names(file)
        if name.startswith("evaluation.views")
    ]
    assert faults == []


def test_no_file_is_named_after_nothing():
    vague = {"utils", "util", "helpers", "helper", "core", "common", "misc"}
    names = [
        file
        for file in modules("annotate", "evaluation", "config", "tests")
        if vague & {*file.relative_to(PROJECT).parts, file.stem}
    ]
    assert names == []
