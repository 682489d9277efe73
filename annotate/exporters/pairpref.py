"""Write contrast pairs as flat rows, one a pair, which `import_corpus pairpref` reads back."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from annotate.importers.corpus import companions_by_kind, encode
from annotate.models import ContrastPair
from annotate.pairs import ROLES, SIDES
from annotate.stored_corpus import PAIRS_AT_ONCE, pair_row, preference_row, whole_pairs


def pairpref_rows(pairs: QuerySet[ContrastPair]) -> Iterator[dict[str, Any]]:
    """Yield each pair of a query as a row, in its order."""
    for pair in whole_pairs(pairs, "preference__companions").iterator(chunk_size=PAIRS_AT_ONCE):
        yield pairpref_row(pair)


def pairpref_row(pair: ContrastPair) -> dict[str, Any]:
    """Return a pair as a flat row; companions only where its preference has some."""
    row, preference = pair_row(pair), preference_row(pair.preference)
    companions = companions_by_kind(preference)
    return {
        "id": row.id,
        "preference_key": row.preference,
        "preference": preference.text,
        "domain": preference.domain,
        "category": row.category,
        "tier": row.tier,
        "distance": row.distance,
        "request": row.request,
        **{name: getattr(row, name) for name in (*SIDES, *ROLES)},
        **({"companions": companions} if companions else {}),
    }


def encoded_pairpref(pairs: QuerySet[ContrastPair]) -> Iterator[bytes]:
    """Yield the rows as lines of a file."""
    for row in pairpref_rows(pairs):
        yield (encode(row) + "\n").encode()
