"""Generation after successful selection, on the same pairs (PairPref, appendix F.8)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annotate.agreement.estimate import Estimate
from annotate.agreement.rows import mask_of
from evaluation.pairpref.metrics import (
    BOTH_JUDGED,
    RESAMPLES,
    Answers,
    Choices,
    Counts,
    Mask,
    Measure,
    Measured,
    any_of,
    first_reasons,
    measured,
    selection_success,
    unusable_answers,
    used_on_both,
)

NOT_SELECTED = "not in the selection run"
NOT_GENERATED = "not in the generation run"
BOTH_MATCHED = f"is in both runs and {BOTH_JUDGED}"
SUCCEEDED = f"{BOTH_MATCHED}, and succeeded in selection"

type Place = tuple[str, int]


@dataclass(frozen=True)
class MatchedRates(Counts):
    """How often pairs that succeeded in selection still use the preference on both sides in generation.

    `planned` counts the samples of pairs in either run, `retained` the common ones. `selection_success` is
    over the common ones, where a missing choice is no success; `use_both` is over the successes.
    """

    selection_success: Estimate
    use_both: Estimate


type Matched = Measured[MatchedRates]


def match_tracks(
    selections: Sequence[Choices], generations: Sequence[Answers], *, seed: int, resamples: int = RESAMPLES
) -> Matched:
    """Join two runs of a model by pair and sample, and compare them with intervals over whole preferences.

    Common are samples in both runs whose two answers have an uptake and do not hedge; fit is not needed.

    Raises:
        ValueError: if a run has a sample of a pair twice.
    """
    chosen, answered = _by_place(selections), _by_place(generations)
    rows = list(dict.fromkeys([*chosen, *answered]))
    selected, generated = (
        mask_of(place in chosen for place in rows),
        mask_of(place in answered for place in rows),
    )
    unusable = unusable_answers(generations)
    excluded = first_reasons(
        {
            NOT_SELECTED: ~selected,
            NOT_GENERATED: ~generated,
            **{reason: _spread(rows, answered, found) for reason, found in unusable.items()},
        }
    )
    common = ~any_of(excluded)
    success = _spread(rows, chosen, selection_success(selections))
    use_both = _spread(rows, answered, used_on_both(generations))
    measures = {
        "selection_success": Measure(success, common, BOTH_MATCHED),
        "use_both": Measure(use_both, common & success, SUCCEEDED),
    }
    pairs = [(chosen.get(place) or answered[place]).pair for place in rows]
    return measured(MatchedRates, pairs, measures, excluded, seed, resamples)


def _by_place[Row: (Choices, Answers)](rows: Iterable[Row]) -> dict[Place, Row]:
    """Return the rows under their pair and sample."""
    found: dict[Place, Row] = {}
    for row in rows:
        place = (row.pair.identifier, row.sample)
        if place in found:
            raise ValueError(f"sample {row.sample} of pair {row.pair.identifier} is there twice")
        found[place] = row
    return found


def _spread(rows: Iterable[Place], places: Iterable[Place], found: Mask) -> Mask:
    """Bring what is known of some places, in their order, to the rows; False where a row is not there."""
    known = dict(zip(places, found, strict=True))
    return mask_of(bool(known.get(row, np.False_)) for row in rows)
