"""Read a run archive: one zip that holds all that the report of a run rests on, without a database.

What is needed is checked for its kind and against the rest of the archive; what else stands there is kept
or passed over. Every error names the file and, in the files of lines, the line.
"""

import hashlib
import struct
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO, cast
from zipfile import BadZipFile, ZipFile

from annotate.importers.fields import LONG_TEXT, Fields, Seen
from annotate.importers.files import opened
from annotate.importers.reading import LONGEST, Place, decoded, describe, parsed, read_json_lines
from annotate.pairs import ROLES
from annotate.problems import Problem
from annotate.validation import QUESTIONS, Question
from evaluation.benchpres import arms as benchpres
from evaluation.importers.archive_layout import (
    CALL,
    CALLS,
    CALLS_MADE,
    CONTEXT,
    CORPUS,
    CORPUS_PARTS,
    ENDPOINT,
    FORMAT,
    GENERATION,
    GENERATIONS,
    GOLD,
    HEAD,
    JUDGE,
    LINES,
    PAIR,
    PLAN,
    PREFERENCE,
    RUN,
    SAMPLE,
    SPENT,
    TIMES,
    TOKENS,
    VERDICT,
    VERDICTS,
    checked,
    prompt_file,
)
from evaluation.pairpref import arms as pairpref
from evaluation.pairpref.metrics import Pair
from evaluation.prompts import Prompt
from evaluation.records import Context, GenerationRecord, JudgeRecord, RunRecord, VerdictRecord
from evaluation.reporting.counts import DONE, PLANNED, WITH_REASON
from evaluation.reporting.report import SECTIONS
from evaluation.targets import MENUS, Target

OUTCOMES = (PLANNED, DONE, *WITH_REASON)
ARMS: dict[str, Callable[[Mapping[str, Any]], benchpres.Arm | pairpref.Arm]] = {
    "benchpres": benchpres.Arm.from_dict,
    "pairpref": pairpref.Arm.from_dict,
}
OF_GENERATION, OF_VERDICT, OF_PAIR = (
    [field.name for field in fields(kind)] for kind in (GenerationRecord, VerdictRecord, Pair)
)


def read_archive(path: str | Path) -> RunRecord:
    """Return the record that an archive holds. Raises `Problem` where it is none, or is damaged."""
    path = Path(path)
    with opened(path) as file:
        return parse_archive(file, path.name)


def parse_archive(file: BinaryIO, name: str) -> RunRecord:
    """Return the record that an open archive holds; see `read_archive`."""
    try:
        with ZipFile(file) as archive:
            return _Archive(archive, name).record()
    # What zipfile raises for damaged places, sizes, ways of packing and marks of encryption.
    except (BadZipFile, EOFError, OSError, RuntimeError, ValueError, struct.error, zlib.error) as error:
        raise Problem(f"Cannot read {name}: {error}. Expected a zip file that export_run wrote.") from error


class _Archive:
    """The files of an open archive, and what is known from those that were read."""

    def __init__(self, archive: ZipFile, name: str) -> None:
        self.archive = archive
        self.name = name
        self.arms: dict[str, Any] = {}
        self.menu: tuple[str, ...] = ()
        self.judges: tuple[JudgeRecord, ...] = ()
        self.pairs: dict[str, Pair] = {}
        self.preferences: dict[str, dict[str, str]] = {}

    def record(self) -> RunRecord:
        """Read everything, the head first: what follows is checked against it."""
        head = self.object(RUN)
        if head.get("format") != FORMAT:
            raise head.problem("format", describe(head.get("format")), f'"{FORMAT}"')
        whole = checked(head, HEAD)
        plan = self.plan(_inner(head, "plan"))
        self.judges = tuple(map(_judge, head.objects("judges")))
        checked(_inner(head, "calls"), CALLS_MADE)
        corpus = self.object(CORPUS)
        checked(corpus, CORPUS_PARTS)
        self.pairs = {pair.identifier: pair for pair in map(_pair, corpus.objects("pairs"))}
        preferences = [checked(found, PREFERENCE) for found in corpus.objects("preferences")]
        self.preferences = {row["text"]: row for row in preferences}
        lines = checked(_inner(head, "lines"), LINES)
        for found in self.lines(CALLS, lines):
            checked(found, CALL)
        return RunRecord(
            plan=plan,
            judges=self.judges,
            generations=self.generations(lines),
            gold=dict(map(_gold, corpus.objects("gold"))),
            preferences=self.of_preferences("category"),
            preference_keys=self.of_preferences("key"),
            preference_domains=self.of_preferences("domain"),
            contexts=dict(map(_domains, corpus.objects("contexts"))),
            pairs=self.pairs,
            spending=tuple(map(_spent, head.objects("spending"))),
            calls=whole["calls"],
        )

    def of_preferences(self, name: str) -> dict[str, str]:
        return {text: row[name] for text, row in self.preferences.items()}

    def plan(self, found: Fields) -> dict[str, Any]:
        """Return the plan, with its times as times; its arms and prompts are checked."""
        plan = checked(found, PLAN)
        if plan["benchmark"] not in SECTIONS:
            raise found.problem("benchmark", describe(plan["benchmark"]), f"one of {', '.join(SECTIONS)}")
        checked(_inner(found, "endpoint"), ENDPOINT)
        if plan["benchmark"] == "validation":
            self.menu = _menu(_inner(found, "validation"))
        for arm in found.objects("arms"):
            self.arms[arm.text("name")] = _arm(arm, plan["benchmark"])
        self.check_prompts(_inner(found, "prompt_hashes"))
        return {**found.values, **{name: _time(found, name) for name in TIMES}}

    def check_prompts(self, hashes: Fields) -> None:
        """Refuse a prompt that is not the one that the run was planned with."""
        for name in hashes.values:
            with self.open(prompt_file(name)) as file:
                found = hashlib.sha256(file.read(LONGEST)).hexdigest()
            self.compare(prompt_file(name), found, hashes.text(name))
        for arm in self.arms.values():
            if isinstance(prompt := arm.get("prompt"), dict):
                found = Prompt.of(prompt["name"], prompt["text"]).sha256
                self.compare(f"{RUN}, arm {arm['name']}", found, hashes.text(prompt["name"]))

    def compare(self, file: str, found: str, expected: str) -> None:
        if found != expected:
            self.place(file).refuse(
                "prompt", f"a text with the SHA-256 {found}", f"{expected}, that of the plan"
            )

    def generations(self, lines: Mapping[str, int]) -> tuple[GenerationRecord, ...]:
        """Return the units in the order of their file, each with its verdicts in the order of theirs."""
        seen = Seen[int]("generation")
        rows = []
        for found in self.lines(GENERATIONS, lines):
            row = self.generation(found)
            seen.add(row["id"], found.place)
            rows.append(row)
        verdicts: dict[int, list[VerdictRecord]] = defaultdict(list)
        for found in self.lines(VERDICTS, lines):
            values = self.verdict(found)
            if values["generation"] not in seen.places:
                raise found.problem(
                    "generation", describe(values["generation"]), f"the id of a line of {GENERATIONS}"
                )
            record = VerdictRecord(**{name: values[name] for name in OF_VERDICT})
            verdicts[values["generation"]].append(record)
        return tuple(GenerationRecord(**row, verdicts=tuple(verdicts[row["id"]])) for row in rows)

    def generation(self, found: Fields) -> dict[str, Any]:
        """Return what a unit's record holds beside its verdicts."""
        values = checked(found, GENERATION)
        _among(found, "outcome", OUTCOMES)
        _among(found, "arm", self.arms)
        if values["pair"]:
            _among(found, "pair", self.pairs)
        if values["preference"]:
            _among(found, "preference", self.preferences)
        if (values["task"], values["outcome"]) == ("selection", DONE):
            _among(found, "choice", ROLES)
        if (values["task"], values["outcome"]) == ("judgement", DONE):
            _among(found, "choice", self.menu)
        context = None if values["context"] is None else _context(_inner(found, "context"))
        return {name: values[name] for name in OF_GENERATION if name != "verdicts"} | {"context": context}

    def verdict(self, found: Fields) -> dict[str, Any]:
        """Return the fields of a verdict whose value is on the menu of its target, where it was read."""
        values = checked(found, VERDICT)
        _among(found, "outcome", OUTCOMES)
        _among(found, "target", tuple(Target))
        _among(found, "judge", (None, *(judge.number for judge in self.judges)))
        menu = MENUS[Target(values["target"])] if values["outcome"] == DONE else (None,)
        _among(found, "value", menu)
        return values

    def lines(self, file: str, expected: Mapping[str, int]) -> Iterator[Fields]:
        """Yield the objects of a file of lines, which has as many as the head says."""
        number = 0
        with self.open(file) as lines:
            for place, value in read_json_lines(cast(BinaryIO, lines), str(self.place(file))):
                number += 1
                yield Fields(value, place)
        if number != expected[file]:
            self.place(file).refuse("", f"{number} lines", f"{expected[file]}, as {RUN} says")

    def object(self, file: str) -> Fields:
        """Return what a file holds that is one object."""
        place = self.place(file)
        with self.open(file) as content:
            return Fields(parsed(decoded(content.read(LONGEST), place), place), place)

    def open(self, file: str) -> IO[bytes]:
        if file not in self.archive.NameToInfo:
            raise Problem(f"{self.name} holds no {file}; expected an archive that export_run wrote, whole.")
        return self.archive.open(file)

    def place(self, file: str) -> Place:
        return Place(f"{self.name}: {file}")


def _inner(found: Fields, name: str) -> Fields:
    return Fields(found.get(name), found.place, found.inner(name))


def _among(found: Fields, name: str, known: Any) -> None:
    """Refuse a value that is not among those known."""
    if found.values[name] not in known:
        words = ", ".join("null" if one is None else str(one) for one in list(known)[:10])
        raise found.problem(name, describe(found.values[name]), f"one of {words}" if words else "none")


def _time(found: Fields, name: str) -> datetime | None:
    value = found.get(name)
    if value is None:
        return None
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise found.problem(name, describe(value), "a time such as 2026-03-01T12:00:00+00:00") from None


def _arm(found: Fields, benchmark: str) -> dict[str, Any]:
    """Return an arm that has just the settings of its benchmark."""
    try:
        whole = ARMS[benchmark](found.values).as_dict() if benchmark in ARMS else found.values
    except (AttributeError, KeyError, TypeError):
        whole = {}
    if {**whole, "name": found.values["name"]} != found.values:
        raise found.problem("name", "an arm with other settings", f"just those of {benchmark}")
    return found.values


def _menu(found: Fields) -> tuple[str, ...]:
    """Return the answers to the question of a judging run, as they stand in a choice."""
    checked(found, SAMPLE)
    _among(found, "question", tuple(QUESTIONS))
    return tuple(f"{value:g}" for value in QUESTIONS[Question(found.values["question"])].values)


def _judge(found: Fields) -> JudgeRecord:
    checked(_inner(found, "endpoint"), ENDPOINT)
    return JudgeRecord(**checked(found, JUDGE))


def _spent(found: Fields) -> dict[str, Any]:
    checked(found, SPENT)
    checked(_inner(found, "tokens"), TOKENS)
    return found.values


def _context(found: Fields) -> Context:
    values = checked(found, CONTEXT)
    return values["recipient"], values["task"]


def _domains(found: Fields) -> tuple[Context, tuple[str, ...]]:
    domains = enumerate(found.entries("domains"))
    return _context(found), tuple(
        found.checked(f"domains[{at}]", domain, LONG_TEXT) for at, domain in domains
    )


def _gold(found: Fields) -> tuple[tuple[Context, str], int]:
    values = checked(found, GOLD)
    return (_context(found), values["preference"]), values["value"]


def _pair(found: Fields) -> Pair:
    return Pair(**{name: value for name, value in checked(found, PAIR).items() if name in OF_PAIR})
