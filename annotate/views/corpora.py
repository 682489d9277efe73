"""The corpora, for leads: what there is, where it came from, what it looks like."""

from collections.abc import Iterable
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.exporters.corpus import encoded_corpus
from annotate.exporters.pairpref import encoded_pairpref, pairpref_row
from annotate.importers.corpus import Fact
from annotate.models import (
    Context,
    ContrastPair,
    Dataset,
    MemoryStatement,
    Preference,
    Profile,
    ProfilePreference,
)
from annotate.pairs import CATEGORIES, ROLES, SIDES, TIERS, words_of
from annotate.stored_corpus import memory_of, whole_pairs

ROWS_SHOWN = 10
PAIRS_A_PAGE = 10


def with_counts() -> QuerySet[Dataset]:
    """Return the datasets with the numbers of their rows."""
    return Dataset.objects.annotate(
        profile_count=number_of(Profile),
        preference_count=number_of(Preference),
        context_count=number_of(Context),
        pair_count=number_of(ContrastPair),
    )


def number_of(model: type[Model], owner: str = "dataset") -> Coalesce:
    """Count an owner's rows of one kind, apart from its other rows."""
    rows = model._default_manager.filter(**{owner: OuterRef("pk")}).order_by().values(owner)
    return Coalesce(Subquery(rows.annotate(number=Count("pk")).values("number")), 0)


@require_safe
@lead_required
def corpus_list(request: HttpRequest) -> HttpResponse:
    """List the datasets."""
    return render(request, "annotate/corpus_list.html", {"datasets": with_counts()})


@require_safe
@lead_required
def corpus(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one dataset: origin, counts, some of its rows, its imports, the gold that rests on it."""
    dataset = get_object_or_404(with_counts(), slug=slug)
    context = {
        "dataset": dataset,
        "fact_count": MemoryStatement.objects.filter(profile__dataset=dataset).count(),
        "contexts": dataset.contexts.order_by("position")[:ROWS_SHOWN],
        "preferences": preferences_shown(dataset),
        "sample": memory_shown(dataset),
        "pair_counts": pair_counts(dataset),
        "versions": dataset.versions.select_related("imported_by").order_by("-version"),
        "releases": dataset.gold_releases.all(),
        "rows_shown": ROWS_SHOWN,
    }
    return render(request, "annotate/corpus.html", context)


def preferences_shown(dataset: Dataset) -> QuerySet[Any]:
    """Return the first preferences, each with the numbers of profiles that hold it and of its pairs."""
    rows = dataset.preferences.annotate(
        holder_count=number_of(ProfilePreference, "preference"),
        pair_count=number_of(ContrastPair, "preference"),
    )
    return rows.order_by("position")[:ROWS_SHOWN]


def pair_counts(dataset: Dataset) -> list[tuple[str, list[tuple[str, int]]]]:
    """Count a dataset's contrast pairs by what they are sorted by; what there is none of is left out."""
    pairs = dataset.pairs.order_by()
    counts: dict[str, dict[Any, int]] = {
        field: dict(pairs.values_list(field).annotate(number=Count("pk")))
        for field in ("category", "preference__domain", "tier", "distance")
    }
    orders = {"category": CATEGORIES, "tier": TIERS}
    titles = ("Situation category", "Domain", "Tier of the positive situation", "Distance in rounds")
    return [
        (
            title,
            [
                (words_of(str(name)), found[name])
                for name in orders.get(field, sorted(found))
                if name in found
            ],
        )
        for title, (field, found) in zip(titles, counts.items(), strict=True)
    ]


def memory_shown(dataset: Dataset) -> dict[str, Any] | None:
    """Return the first profile with the first entries of its memory, facts and preferences together."""
    profiles = dataset.profiles.prefetch_related("statements", "held_preferences__preference")
    profile = profiles.order_by("position").first()
    if profile is None:
        return None
    memory = memory_of(profile)
    entries = [(entry.text, entry.domain if isinstance(entry, Fact) else "preference") for entry in memory]
    return {"profile": profile, "entries": entries[:ROWS_SHOWN], "more": max(0, len(entries) - ROWS_SHOWN)}


@require_safe
@lead_required
def corpus_pairs(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the contrast pairs of a dataset, some at a time."""
    dataset = get_object_or_404(Dataset, slug=slug)
    pairs = whole_pairs(dataset.pairs.order_by("position"), "preference__companions")
    page = Paginator(pairs, PAIRS_A_PAGE).get_page(request.GET.get("page"))
    shown = [(pair, pair_shown(pair)) for pair in page]
    return render(request, "annotate/corpus_pairs.html", {"dataset": dataset, "page": page, "pairs": shown})


def pair_shown(pair: ContrastPair) -> dict[str, Any]:
    """Return the texts of a pair with the words for what they are, and the companions by kind."""
    row = pairpref_row(pair)
    return {
        "situations": [(side, row[side]) for side in SIDES],
        "replies": [(words_of(role), row[role]) for role in ROLES],
        "companions": row.get("companions", {}),
    }


@require_safe
@lead_required
def corpus_download(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Download a dataset."""
    return corpus_file(get_object_or_404(Dataset, slug=slug))


def corpus_file(dataset: Dataset) -> StreamingHttpResponse:
    """Send the dataset in the project's own form, as it is read."""
    return lines_file(f"{dataset.slug}-v{dataset.version}", encoded_corpus(dataset))


@require_safe
@lead_required
def corpus_pairs_download(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Download the contrast pairs of a dataset."""
    return corpus_pairs_file(get_object_or_404(Dataset, slug=slug))


def corpus_pairs_file(dataset: Dataset) -> StreamingHttpResponse:
    """Send the dataset's contrast pairs as flat rows, as they are read."""
    rows = encoded_pairpref(dataset.pairs.order_by("position"))
    return lines_file(f"{dataset.slug}-v{dataset.version}-pairs", rows)


def lines_file(name: str, lines: Iterable[bytes]) -> StreamingHttpResponse:
    """Send lines as a file `name.jsonl`."""
    return StreamingHttpResponse(
        lines,
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.jsonl"'},
    )
