"""What a lead reads about a campaign: progress, consensus, balance, agreement; plain data for JSON.

The functions that take `labels` or `standing` read them if not given, so that a page with several
reports reads the campaign once.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotate.agreement.consensus import consensus_of_units
from annotate.agreement.estimate import Estimate
from annotate.agreement.intervals import wilson_rate
from annotate.agreement.kappa import pairwise_kappa
from annotate.agreement.resampled_agreement import resampled_statistics
from annotate.agreement.tables import Labels, unit_by_category
from annotate.balance import balance_of, gold_columns
from annotate.models import Assignment, Campaign, Flag, Label
from annotate.ratings import CATEGORIES, Numbers, Standing, complete_only, read_labels, read_standing

WHAT_ENTERS = (
    "Agreement is computed on every complete item, before the unanimity filter, items set aside or "
    "flagged included."
)


def progress(campaign: Campaign) -> dict[str, Any]:
    """Count labels given and wanted, over all and by annotator."""
    return {
        "items": campaign.items.count(),
        "labels": labels_given(campaign),
        "annotators": [_seat(seat) for seat in _seats(campaign)],
    }


def labels_given(campaign: Campaign) -> dict[str, Any]:
    """Count labels given, of as many as the overlap asks for."""
    wanted = campaign.items.count() * campaign.overlap
    given = Label.objects.filter(annotator__campaign=campaign).count()
    return wilson_rate(given, wanted, "the campaign has no items").as_dict()


def _seats(campaign: Campaign) -> QuerySet[Any]:
    labels = Label.objects.filter(annotator=OuterRef("pk")).order_by().values("annotator")
    work = Assignment.objects.filter(annotator=OuterRef("pk")).order_by().values("annotator")
    return campaign.annotators.select_related("user").annotate(
        labels_given=Coalesce(Subquery(labels.annotate(n=Count("pk")).values("n")), 0),
        last_label=Subquery(labels.annotate(at=Max("changed_at")).values("at")),
        skipped=Coalesce(Subquery(work.filter(state="skipped").annotate(n=Count("pk")).values("n")), 0),
        flagged=Coalesce(Subquery(work.filter(state="flagged").annotate(n=Count("pk")).values("n")), 0),
    )


def _seat(seat: Any) -> dict[str, Any]:
    return {
        "pseudonym": seat.pseudonym,
        "account": seat.user.get_username() if seat.user else None,
        "is_active": seat.is_active,
        "labels": seat.labels_given,
        "skipped": seat.skipped,
        "flagged": seat.flagged,
        "last_label_at": seat.last_label.isoformat(timespec="seconds") if seat.last_label else None,
    }


def consensus_counts(campaign: Campaign, standing: Standing | None = None) -> dict[str, Any]:
    """Count items by consensus, and by what would enter a gold release now.

    Unanimous, split and incomplete add up to the items; so do `kept` and `left_out`, where an item
    counts under the first reason that holds.
    """
    standing = standing or read_standing(campaign, read_labels(campaign))
    return {
        "items": len(standing.ids),
        **{str(kind): number for kind, number in standing.consensus.totals().items()},
        "set_aside": int(standing.set_aside.sum()),
        "flagged": int(standing.flagged.sum()),
        "kept": int(standing.kept.sum()),
        "left_out": {reason: int(items.sum()) for reason, items in standing.left_out.items()},
    }


def balance(campaign: Campaign, standing: Standing | None = None) -> dict[str, Any]:
    """Count apply and suppress by context among the items that would enter a gold release now."""
    standing = standing or read_standing(campaign, read_labels(campaign))
    return balance_of(campaign.dataset, gold_columns(standing), standing.contexts)


def agreement_report(campaign: Campaign, labels: Labels | None = None) -> dict[str, Any]:
    """Measure agreement on all complete items, before the unanimity filter, with the yield beside it."""
    labels = labels or read_labels(campaign)
    items, complete = campaign.items.count(), complete_only(labels, campaign.overlap)
    counts = unit_by_category(complete)
    unanimous = int(consensus_of_units(counts, campaign.overlap).unanimous.sum())
    return {
        "campaign": campaign.slug,
        "is_example": campaign.is_example,
        "notice": campaign.example_notice,
        "what_enters": WHAT_ENTERS,
        "overlap": campaign.overlap,
        "items": items,
        "complete": len(counts),
        "left_out": {"items": items - len(counts), "labels": len(labels.unit) - len(complete.unit)},
        "yield": wilson_rate(unanimous, len(counts), "no item is complete").as_dict(),
        **_coefficients(counts, campaign.seed),
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "agreement": pair.agreement.as_dict(),
                "cohen_kappa": pair.kappa.as_dict(),
                "left_out": pair.left_out,
            }
            for pair in pairwise_kappa(complete)
        ],
        "annotators": _shares(complete),
    }


def _coefficients(counts: Numbers, seed: int) -> dict[str, dict[str, Any]]:
    """Return the coefficients of all annotators together, intervals by drawing whole items."""
    found = resampled_statistics(counts, CATEGORIES, seed=seed)
    return {
        "percent_agreement": _with_pairs(found["percent_agreement"], counts).as_dict(),
        "fleiss_kappa": found["fleiss_kappa"].as_dict(),
        "krippendorff_alpha": found["krippendorff_nominal"].as_dict(),
        "gwet_ac1": found["gwet_ac1"].as_dict(),
    }


def _with_pairs(agreement: Estimate, counts: Numbers) -> Estimate:
    """Say percent agreement as pairs of labels that agree, of all pairs; complete items have equally many."""
    agreeing, ratings = int((counts * (counts - 1) // 2).sum()), counts.sum(axis=1)
    return replace(agreement, numerator=agreeing, denominator=int((ratings * (ratings - 1) // 2).sum()))


def _shares(labels: Labels) -> list[dict[str, Any]]:
    """Return each annotator's number of labels and share of *apply* on the complete items."""
    given = np.bincount(labels.rater, minlength=len(labels.raters))
    apply = np.bincount(labels.rater[labels.value == 1], minlength=len(labels.raters))
    return [
        {"pseudonym": name, "apply": wilson_rate(int(ones), int(all_), "no label yet").as_dict()}
        for name, ones, all_ in zip(labels.raters, apply, given, strict=True)
    ]


def open_flags(campaign: Campaign) -> QuerySet[Flag]:
    """Return the flags that wait for an answer, oldest first."""
    return Flag.objects.filter(item__campaign=campaign, resolved_at=None).select_related(
        "annotator", "item__context", "item__preference"
    )
