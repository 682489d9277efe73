"""How many preferences of a context are labelled apply and suppress: the form of BenchPreS, Table 5."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count

from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import wilson_rate
from annotate.models import Context, Dataset, Preference
from annotate.ratings import Numbers, Standing

NO_CONTEXT = "there is no context"
NO_PROFILE = "the corpus has no profile"


@dataclass(frozen=True)
class GoldColumns:
    """The items that are, or would be, in a gold release: three columns of equal length."""

    contexts: Numbers
    preferences: Numbers
    values: Numbers

    def rows(self) -> Iterator[tuple[int, int, int]]:
        """Give (context, preference, value), one a label."""
        columns = (self.contexts, self.preferences, self.values)
        return zip(*(column.tolist() for column in columns), strict=True)


def gold_columns(standing: Standing) -> GoldColumns:
    """Return the items that would enter a gold release now."""
    kept = standing.kept
    return GoldColumns(standing.contexts[kept], standing.preferences[kept], standing.consensus.category[kept])


def balance_of(dataset: Dataset, gold: GoldColumns, asked_contexts: Numbers) -> dict[str, Any]:
    """Count gold by context; `asked_contexts` holds the context of every item that was asked about.

    A mean counts the contexts without any gold label too. Where profiles share preferences, the means a
    profile and context are those that Table 5 gives for a context's five preferences.
    """
    contexts = np.unique(asked_contexts)
    asked = _by_context(contexts, asked_contexts)
    apply, suppress = (_by_context(contexts, gold.contexts[gold.values == value]) for value in (1, 0))
    return {
        "contexts": len(contexts),
        "apply": _mean(int(apply.sum()), len(contexts), NO_CONTEXT),
        "suppress": _mean(int(suppress.sum()), len(contexts), NO_CONTEXT),
        "left_out": _mean(int((asked - apply - suppress).sum()), len(contexts), NO_CONTEXT),
        "apply_share": wilson_rate(int(apply.sum()), len(gold.values), "no item is in gold").as_dict(),
        "per_profile": _per_profile(dataset, gold, len(contexts)),
        "by_context": [
            {**words, "apply": int(ones), "suppress": int(zeros), "left_out": int(all_ - ones - zeros)}
            for words, ones, zeros, all_ in zip(_words(contexts), apply, suppress, asked, strict=True)
        ],
    }


def _by_context(contexts: Numbers, of_items: Numbers) -> Numbers:
    return np.bincount(np.searchsorted(contexts, of_items), minlength=len(contexts))


def _per_profile(dataset: Dataset, gold: GoldColumns, contexts: int) -> dict[str, Any]:
    """Count each preference once a profile that holds it, over all pairs of profile and context."""
    holders = dict(
        Preference.objects.filter(dataset=dataset).values_list("pk").annotate(profiles=Count("holders"))
    )
    held = np.array([holders.get(pk, 0) for pk in gold.preferences.tolist()], dtype=np.int64)
    pairs, apply = dataset.profiles.count() * contexts, int(held[gold.values == 1].sum())
    reason = NO_PROFILE if contexts else NO_CONTEXT
    return {
        "pairs": pairs,
        "apply": _mean(apply, pairs, reason),
        "suppress": _mean(int(held.sum()) - apply, pairs, reason),
    }


def _words(context_ids: Numbers) -> list[dict[str, str]]:
    rows = Context.objects.in_bulk(context_ids.tolist())
    return [{"recipient": rows[pk].recipient, "task": rows[pk].task} for pk in context_ids.tolist()]


def _mean(total: int, over: int, reason: str) -> dict[str, Any]:
    if not over:
        return Estimate(None, total, 0, undefined_reason=reason).as_dict()
    return Estimate(total / over, total, over).as_dict()
