"""The corpora, for leads: what there is, where it came from, what it looks like."""

from typing import Any

from django.db.models import Count, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.exporters.corpus import encoded_corpus
from annotate.importers.corpus import Fact
from annotate.models import Context, Dataset, MemoryStatement, Preference, Profile
from annotate.stored_corpus import memory_of

ROWS_SHOWN = 10


def with_counts() -> QuerySet[Dataset]:
    """Return the datasets with the numbers of their rows."""
    return Dataset.objects.annotate(
        profile_count=number_of(Profile),
        preference_count=number_of(Preference),
        context_count=number_of(Context),
    )


def number_of(model: type[Model]) -> Coalesce:
    """Count a dataset's rows of one kind, apart from its other rows."""
    rows = model._default_manager.filter(dataset=OuterRef("pk")).order_by().values("dataset")
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
        "versions": dataset.versions.select_related("imported_by").order_by("-version"),
        "releases": dataset.gold_releases.all(),
        "rows_shown": ROWS_SHOWN,
    }
    return render(request, "annotate/corpus.html", context)


def preferences_shown(dataset: Dataset) -> QuerySet[Any]:
    """Return the first preferences, each with the number of profiles that hold it."""
    rows = dataset.preferences.annotate(holder_count=Count("holders"))
    return rows.order_by("position")[:ROWS_SHOWN]


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
def corpus_download(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Download a dataset."""
    return corpus_file(get_object_or_404(Dataset, slug=slug))


def corpus_file(dataset: Dataset) -> StreamingHttpResponse:
    """Send the dataset in the project's own form, as it is read."""
    name = f"{dataset.slug}-v{dataset.version}.jsonl"
    return StreamingHttpResponse(
        encoded_corpus(dataset),
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
