"""Write a stored dataset in the project's own corpus form, profile by profile, or its pairs as flat rows."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from annotate.exporters.pairpref import encoded_pairpref
from annotate.exporters.whole_file import whole_file
from annotate.importers.corpus import Corpus, corpus_lines
from annotate.models import Dataset
from annotate.problems import Problem
from annotate.stored_corpus import stored_contexts, stored_pairs, stored_preferences, stored_profiles


def export_corpus(dataset: Dataset, target: str | Path | BinaryIO) -> int:
    """Write the dataset to a path or an open binary file; return the number of lines.

    The SHA-256 of what is written is the dataset's content hash.
    """
    return write_lines(encoded_corpus(dataset), target)


def export_pairpref(dataset: Dataset, target: str | Path | BinaryIO) -> int:
    """Write the dataset's contrast pairs as flat rows; return their number. Raises `Problem` for none."""
    if not dataset.pairs.exists():
        raise Problem(f"Dataset {dataset} has no contrast pairs; only those can be written in this form.")
    return write_lines(encoded_pairpref(dataset.pairs.order_by("position")), target)


def write_lines(lines: Iterable[bytes], target: str | Path | BinaryIO) -> int:
    """Write lines to a path, whole or not at all, or to an open binary file; return their number."""
    if isinstance(target, (str, Path)):
        with whole_file(target) as file:
            return write_lines(lines, file)
    number = 0
    for line in lines:
        target.write(line)
        number += 1
    return number


def encoded_corpus(dataset: Dataset) -> Iterator[bytes]:
    """Yield the lines of the file."""
    head = Corpus(name=dataset.name, source=dataset.source, licence=dataset.licence)
    lines = corpus_lines(
        head,
        stored_contexts(dataset),
        stored_preferences(dataset),
        stored_profiles(dataset),
        stored_pairs(dataset),
    )
    return (line.encode() for line in lines)
