"""The lead's pages of campaigns: how they stand, what waits to be settled, how they are set up."""

from typing import Any

import numpy as np
from django.core.paginator import Page, Paginator
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotate.access import lead_required
from annotate.actions.campaigns import create_campaign
from annotate.exporters.labels import LABEL_COLUMNS, label_rows
from annotate.forms import BorderlineForm, GuidelineForm, NewAnnotatorForm, NewCampaignForm
from annotate.guideline_text import guideline_html
from annotate.models import Assignment, Campaign, Exclusion, Item
from annotate.problems import Problem
from annotate.ratings import Numbers, Standing, read_labels, read_standing
from annotate.reports import agreement_report, balance, consensus_counts, labels_given, open_flags, progress
from annotate.views.downloads import CONTENT_TYPES, download

ITEMS_A_PAGE = 20


@require_safe
@lead_required
def campaign_list(request: HttpRequest) -> HttpResponse:
    """List every campaign, the newest first."""
    campaigns = Campaign.objects.select_related("dataset").annotate(
        seats=Count("annotators", distinct=True), releases=Count("gold_releases", distinct=True)
    )
    page = Paginator(campaigns.order_by("-created_at"), ITEMS_A_PAGE).get_page(request.GET.get("page"))
    rows = [(campaign, labels_given(campaign)) for campaign in page]
    return render(request, "annotate/campaign_list.html", {"page": page, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@lead_required
def campaign_new(request: HttpRequest) -> HttpResponse:
    """Open a campaign in the browser."""
    form = NewCampaignForm(request.POST or None)
    if form.is_valid():
        try:
            return redirect("campaign", _open(form, request).slug)
        except Problem as problem:
            form.add_error(None, str(problem))
    status = 400 if request.method == "POST" else 200
    return render(request, "annotate/campaign_new.html", {"form": form}, status=status)


def _open(form: NewCampaignForm, request: HttpRequest) -> Campaign:
    values = dict(form.cleaned_data)
    return create_campaign(users=values.pop("annotators"), created_by=request.user, **values)  # type: ignore[arg-type]


@require_safe
@lead_required
def campaign(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how a campaign stands, and what waits for the lead."""
    found = get_object_or_404(Campaign.objects.select_related("dataset"), slug=slug)
    labels = read_labels(found)
    standing = read_standing(found, labels)
    context = {
        "campaign": found,
        "progress": progress(found),
        "consensus": consensus_counts(found, standing),
        "balance": balance(found, standing),
        "agreement": agreement_report(found, labels),
        "flags": Paginator(open_flags(found), ITEMS_A_PAGE).get_page(request.GET.get("flags")),
        "split": _split_items(standing, request.GET.get("split")),
        "set_aside": _set_aside_items(found, request.GET.get("aside")),
        "held": _held(found),
        "borderline_form": BorderlineForm(found),
        "releases": found.gold_releases.select_related("dataset"),
        "forms": list(CONTENT_TYPES),
    }
    return render(request, "annotate/campaign.html", context)


def _split_items(standing: Standing, page: str | None) -> Page[Any]:
    """Return a page of the items left out as split, each with how many said apply and suppress."""
    split = np.flatnonzero(standing.left_out["split"])
    shown = Paginator(split, ITEMS_A_PAGE).get_page(page)
    shown.object_list = _with_counts(standing, np.array(list(shown.object_list), dtype=np.int64))
    return shown


def _with_counts(standing: Standing, places: Numbers) -> list[tuple[Item, int, int]]:
    items = Item.objects.select_related("context", "preference").in_bulk(standing.ids[places].tolist())
    return [
        (items[pk], apply, suppress)
        for pk, (suppress, apply) in zip(
            standing.ids[places].tolist(), standing.counts[places].tolist(), strict=True
        )
    ]


def _set_aside_items(campaign: Campaign, page: str | None) -> Page[Any]:
    """Return a page of the items set aside, each with the latest decision on it."""
    items = campaign.items.exclude(set_aside="").select_related("context", "preference")
    shown = Paginator(items, ITEMS_A_PAGE).get_page(page)
    decisions = Exclusion.objects.filter(item__in=list(shown)).select_related("decided_by")
    latest = {decision.item_id: decision for decision in decisions}
    shown.object_list = [(item, latest.get(item.pk)) for item in shown]  # type: ignore[misc]
    return shown


def _held(campaign: Campaign) -> Any:
    """Return what annotators hold at the moment, what was held longest first."""
    held = Assignment.objects.filter(annotator__campaign=campaign, state=Assignment.State.HELD)
    return held.select_related("annotator", "item__context", "item__preference").order_by("held_until")


@require_safe
@lead_required
def campaign_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show guideline, annotators and state of a campaign, each with what changes it."""
    found = get_object_or_404(Campaign.objects.select_related("dataset"), slug=slug)
    guideline = found.guideline
    context = {
        "campaign": found,
        "guideline": guideline,
        "guideline_html": guideline_html(guideline.text),
        "guideline_form": GuidelineForm(initial={"text": guideline.text}),
        "earlier": found.guidelines.exclude(pk=guideline.pk).order_by("-version"),
        "seats": progress(found)["annotators"],
        "annotator_form": NewAnnotatorForm(found),
    }
    return render(request, "annotate/campaign_settings.html", context)


@require_safe
@lead_required
def campaign_labels(request: HttpRequest, slug: str, suffix: str) -> HttpResponseBase:
    """Download every label of a campaign, streamed."""
    found = get_object_or_404(Campaign, slug=slug)
    if suffix not in CONTENT_TYPES:
        raise Http404(f"There is no form {suffix!r}; expected one of {', '.join(CONTENT_TYPES)}.")
    return download(f"{found.slug}-labels", suffix, LABEL_COLUMNS, label_rows(found))
