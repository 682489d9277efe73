"""What a gold release says, in the one form that its hash is taken of."""

import hashlib
import json
from collections.abc import Iterable

from annotate.models import GoldRelease

canonical = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

type GoldLine = tuple[str, str, str, int]


def gold_hash(labels: Iterable[GoldLine]) -> str:
    """Return the SHA-256 of the labels: one JSON array `[recipient, task, preference, 0 or 1]` a line.

    Lines are in UTF-8 without spaces, sorted by their bytes, each ended by a newline; so the hash does
    not depend on the order or the numbers that a database gives to its rows.
    """
    lines = sorted(canonical(label).encode() for label in labels)
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line + b"\n")
    return digest.hexdigest()


def stored_hash(release: GoldRelease) -> str:
    """Compute the hash again from the labels as they are stored."""
    columns = ("context__recipient", "context__task", "preference__text", "value")
    return gold_hash(release.labels.values_list(*columns).iterator())
