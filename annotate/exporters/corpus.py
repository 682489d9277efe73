"""Write a stored dataset in the project's own corpus form, profile by profile."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from annotate.exporters.whole_file import whole_file
from annotate.importers.corpus import Corpus, corpus_lines
from annotate.models import Dataset
from annotate.stored_corpus import stored_contexts, stored_pairs, stored_preferences, stored_profiles


def export_corpus(dataset: Dataset, target: str | Path | BinaryIO) -> int:
    """Write the dataset to a path or an open binary file; return the number of lines.

    The SHA-256 of what is written is the dataset's content hash.
    """
    if isinstance(target, (str, Path)):
        with whole_file(target) as file:
            return export_corpus(dataset, file)
    number = 0
    for line in encoded_corpus(dataset):
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
