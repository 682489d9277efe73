"""The lead's pages of gold releases."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotate.access import lead_required
from annotate.exporters.datasheet import datasheet
from annotate.exporters.gold import GOLD_COLUMNS, gold_rows, origin_of
from annotate.gold_content import stored_hash
from annotate.models import GoldRelease
from annotate.names import release_named
from annotate.problems import Problem
from annotate.views.downloads import CONTENT_TYPES, download, download_text

RELEASES_A_PAGE = 50


@require_safe
@lead_required
def gold_list(request: HttpRequest) -> HttpResponse:
    """List every release, dataset by dataset, the newest first."""
    releases = GoldRelease.objects.select_related("dataset", "campaign", "guideline")
    page = Paginator(releases, RELEASES_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "annotate/gold_list.html", {"page": page})


@require_safe
@lead_required
def gold_release(request: HttpRequest, name: str) -> HttpResponse:
    """Show what a release holds, what it left out, and how far its annotators agreed."""
    release = _release(name)
    context = {"release": release, "origin": origin_of(release), "forms": list(CONTENT_TYPES)}
    return render(request, "annotate/gold_release.html", context)


@require_safe
@lead_required
def gold_download(request: HttpRequest, name: str, suffix: str) -> HttpResponseBase:
    """Download a release, streamed, or its datasheet."""
    return gold_file(_release(name), suffix)


def gold_file(release: GoldRelease, suffix: str) -> HttpResponseBase:
    """Send a release in the form that the suffix names; `md` is its datasheet."""
    if suffix == "md":
        return download_text(
            f"{release.name}.datasheet", "md", "text/markdown; charset=utf-8", datasheet(release)
        )
    if suffix not in CONTENT_TYPES:
        raise Http404(f"There is no form {suffix!r}; expected one of {', '.join(CONTENT_TYPES)}, md.")
    return download(release.name, suffix, GOLD_COLUMNS, gold_rows(release))


@require_POST
@lead_required
def gold_verify(request: HttpRequest, name: str) -> HttpResponse:
    """Compute the hash again from the stored labels and say whether it is the one of the release."""
    release = _release(name)
    found = stored_hash(release)
    if found == release.content_hash:
        messages.success(request, "The stored labels have the hash of the release: nothing has changed.")
    else:
        messages.error(request, f"The stored labels have hash {found}, which is not that of the release.")
    return redirect("gold-release", release.name)


def _release(name: str) -> GoldRelease:
    try:
        return release_named(name)
    except Problem as problem:
        raise Http404(str(problem)) from problem
