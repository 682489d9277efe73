"""Write a run archive: one zip from which the report of a run is computed again, without the database.

The same finished run gives the same bytes: no time of writing is in it, and rows stand in the order of the
plan. Rows go to the file as they are read, so that a long run takes no more memory than a short one.
"""

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from annotate.exporters.whole_file import whole_file
from annotate.problems import Problem
from evaluation.code_version import code_version
from evaluation.importers.archive_layout import (
    CALLS,
    CORPUS,
    FORMAT,
    GENERATIONS,
    README,
    RUN,
    VERDICTS,
    prompt_file,
)
from evaluation.models import Run
from evaluation.prompts import Prompt, load
from evaluation.records import RunRecord
from evaluation.stored_run import frame_of
from evaluation.unit_rows import Row, generation_rows, named, verdict_rows

# Zip files need a time; this is the first that they can hold.
NO_TIME = (1980, 1, 1, 0, 0, 0)
UNIX, READABLE = 3, 0o100644 << 16
ROWS_AT_ONCE = 500
OF_GENERATION = ("key", "shown", "reply")
OF_JUDGEMENT = ("sampled__item__number",)
OF_VERDICT = ("id", "key", "raw_match", "reply")
CALL = (
    "generation_id", "verdict_id", "attempt", "parameters", "status", "outcome", "error", "started_at",
    "seconds", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "may_be_billed_twice",
)  # fmt: skip

ABOUT = """\
A run of Tact, whole: what was asked, what came back, and what was read from it.

run.json            the plan (model, conditions, seed, limits, hashes of corpus, gold release and prompts),
                    the judges, what was spent, and the versions that wrote this archive
prompts/            the text of every prompt that the run used; a file's SHA-256 is its hash in the plan
corpus.json         what of the corpus the report rests on: contexts, preferences, pairs, gold labels
generations.jsonl   a line for each answer of the model under test: how it ended, the raw replies, and
                    what was read from them
verdicts.jsonl      a line for each verdict on an answer; "generation" is the id of the answer
calls.jsonl         a line for each HTTP attempt, with the parameters that were sent and the tokens it took

All files are UTF-8. A line is one JSON object. null is unknown or absent, never zero.
Keys of endpoints are not in here: Tact never stores them.

The command `manage.py recompute THIS.zip` prints the report of the run from this file alone.
"""


def export_run(run: Run, target: str | Path | BinaryIO) -> dict[str, int]:
    """Write a run to a path, whole or not at all, or to an open binary file; return the lines by file.

    Raises `Problem` where a prompt that the run used is no longer there as it was.
    """
    if isinstance(target, (str, Path)):
        with whole_file(target) as file:
            return export_run(run, file)
    prompts, frame = list(used_prompts(run)), frame_of(run)
    with ZipFile(target, "w") as archive:
        _put(archive, README, [ABOUT.encode()])
        for prompt in prompts:
            _put(archive, prompt_file(prompt.name), [_file_of(prompt)])
        _put(archive, CORPUS, _pretty(_corpus(frame)))
        rows = {
            GENERATIONS: _generations(run),
            VERDICTS: verdict_rows(run, *OF_VERDICT, at_once=ROWS_AT_ONCE),
            CALLS: _calls(run),
        }
        lines = {name: _put(archive, name, map(_line, each)) for name, each in rows.items()}
        _put(archive, RUN, _pretty(_head(run, frame) | {"lines": lines}))
    return lines


def used_prompts(run: Run) -> Iterator[Prompt]:
    """Yield every prompt of the plan by name, as it was used. Raises `Problem` where one is not there."""
    held = [arm["prompt"] for arm in run.arms if isinstance(arm.get("prompt"), dict)]
    own = {prompt["name"]: Prompt(**prompt) for prompt in held}
    for name, used in sorted(run.prompt_hashes.items()):
        prompt = own.get(name) or _brought(name)
        found = hashlib.sha256(_file_of(prompt)).hexdigest() if prompt else "no such prompt"
        if prompt is None or found != used:
            raise Problem(
                f"Prompt {name} is not here as run {run.pk} used it: found {found}, expected the SHA-256 "
                f"{used}. Export the run with the code that it was planned with, version {run.code_version}."
            )
        yield prompt


def _brought(name: str) -> Prompt | None:
    try:
        return load(name)
    except FileNotFoundError:
        return None


def _file_of(prompt: Prompt) -> bytes:
    return f"{prompt.text}\n".encode()


def _head(run: Run, frame: RunRecord) -> Row:
    return {
        "format": FORMAT,
        "versions": {
            "code_version": code_version(),
            "reader_version": run.reader_version,
            "python": platform.python_version(),
        },
        "plan": frame.plan,
        "judges": [asdict(judge) for judge in frame.judges],
        "spending": frame.spending,
        "calls": frame.calls,
    }


def _corpus(frame: RunRecord) -> Row:
    """Return what of the corpus the record holds, sorted: the database keeps no order of its own."""
    return {
        "contexts": [
            {"recipient": recipient, "task": task, "domains": domains}
            for (recipient, task), domains in sorted(frame.contexts.items())
        ],
        "preferences": [
            {
                "text": text,
                "category": category,
                "key": frame.preference_keys[text],
                "domain": frame.preference_domains[text],
            }
            for text, category in sorted(frame.preferences.items())
        ],
        "pairs": [asdict(pair) for _, pair in sorted(frame.pairs.items())],
        "gold": [
            {"recipient": recipient, "task": task, "preference": preference, "value": value}
            for ((recipient, task), preference), value in sorted(frame.gold.items())
        ],
    }


def _generations(run: Run) -> Iterator[Row]:
    more = (*OF_GENERATION, *(OF_JUDGEMENT if run.validation_id else ()))
    for row in generation_rows(run, *more, at_once=ROWS_AT_ONCE):
        context = row["context"]
        yield row | {"context": context and {"recipient": context[0], "task": context[1]}}


def _calls(run: Run) -> Iterator[Row]:
    rows = run.calls.order_by("id").values(*CALL)
    return map(named, rows.iterator(chunk_size=ROWS_AT_ONCE))


def _put(archive: ZipFile, name: str, pieces: Iterable[bytes]) -> int:
    """Write a file piece by piece, and return their number."""
    place = ZipInfo(name, NO_TIME)
    place.compress_type, place.create_system, place.external_attr = ZIP_DEFLATED, UNIX, READABLE
    number = 0
    with archive.open(place, "w", force_zip64=True) as file:
        for piece in pieces:
            file.write(piece)
            number += 1
    return number


def _line(row: Row) -> bytes:
    return _encoded(json.dumps(row, ensure_ascii=False, allow_nan=False, sort_keys=True, default=_plain))


def _pretty(value: Row) -> list[bytes]:
    """Return a file of one object, its keys in their own order: a report from it lists them alike."""
    return [_encoded(json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1, default=_plain))]


def _encoded(text: str) -> bytes:
    """Return JSON as UTF-8; half a character, which has no UTF-8, becomes its escape."""
    return f"{text}\n".encode(errors="backslashreplace")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{value!r} has no form in JSON")
