"""Parse a corpus from files: from paths, or from uploads."""

import hashlib
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from annotate.importers.corpus import Corpus
from annotate.importers.formats import parse_corpus
from annotate.problems import Problem


@dataclass(frozen=True)
class CorpusFile:
    """What a file holds, and which file it is."""

    corpus: Corpus
    name: str
    hash: str


def read_corpus_files(
    corpus_format: str, path: Path, preferences: Path | None = None, field_map: Path | None = None
) -> CorpusFile:
    """Open and parse a corpus and, where the format takes them, its preferences file and field map.

    Raises `Problem` where a file cannot be opened, `BadInput` for what it holds.
    """
    with ExitStack() as stack:
        file = stack.enter_context(opened(path))
        preferences_file = stack.enter_context(opened(preferences)) if preferences else None
        return read_corpus(
            corpus_format,
            file,
            path.name,
            preferences_file,
            preferences.name if preferences else "",
            text_of(field_map) if field_map else "",
        )


def opened(path: Path) -> BinaryIO:
    """Open a file that the user named."""
    try:
        return path.open("rb")
    except OSError as error:
        raise Problem(f"Cannot read {path}: {error.strerror}.") from error


def text_of(path: Path) -> str:
    """Read a small text file that the user named."""
    with opened(path) as file:
        try:
            return file.read().decode()
        except UnicodeDecodeError as error:
            raise Problem(f"Cannot read {path}: it is not UTF-8 text.") from error


def read_corpus(
    corpus_format: str,
    file: BinaryIO,
    name: str,
    preferences_file: BinaryIO | None = None,
    preferences_name: str = "",
    field_map: str = "",
) -> CorpusFile:
    """Parse open files; the hash is that of both files together, in their order."""
    corpus = parse_corpus(corpus_format, file, name, preferences_file, preferences_name, field_map)
    digest = hashlib.sha256()
    for each in (file, preferences_file):
        if each is not None:
            each.seek(0)
            while piece := each.read(2**20):
                digest.update(piece)
    return CorpusFile(corpus, name, digest.hexdigest())
