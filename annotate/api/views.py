"""The API of people's judgements. Each view opens with the guard of its page and calls the same actions."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.views.decorators.cache import cache_control
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet, ReadOnlyModelViewSet, ViewSet

from annotate.access import campaigns_of, seat_of
from annotate.actions.assigning import next_item
from annotate.actions.campaigns import create_campaign
from annotate.actions.gold import freeze_gold_release
from annotate.actions.labelling import flag_item, skip_item, submit_label
from annotate.api.permissions import IsLead, person
from annotate.api.serializers import (
    CampaignReportSerializer,
    CampaignSerializer,
    CampaignWithGuidelineSerializer,
    ChangedLabelSerializer,
    CorpusSerializer,
    FlagSerializer,
    GoldReleaseSerializer,
    GoldReleaseWithCountsSerializer,
    ItemSerializer,
    LabelSerializer,
    NewCampaignSerializer,
    NewLabelSerializer,
)
from annotate.labelling_sql import read_met_number
from annotate.models import Annotator, Campaign, Dataset, GoldRelease, Item, Label
from annotate.names import release_named
from annotate.own_work import own_labels
from annotate.problems import Problem
from annotate.ratings import read_labels, read_standing
from annotate.reports import agreement_report, balance, consensus_counts, progress
from annotate.views.corpora import corpus_file
from annotate.views.downloads import CONTENT_TYPES
from annotate.views.gold import gold_file

never_stored = method_decorator(cache_control(no_store=True), name="dispatch")
CAMPAIGN = OpenApiParameter("campaign", OpenApiTypes.STR, "path", description="Slug of the campaign.")
ITEM = OpenApiParameter("item", OpenApiTypes.INT, "path", description="Number of the item.")
SUFFIX = OpenApiParameter("suffix", OpenApiTypes.STR, "path", enum=[*CONTENT_TYPES, "md"])
RELEASE = OpenApiParameter("name", OpenApiTypes.STR, "path", description="Such as sample-1.")


def checked(serializer: BaseSerializer) -> dict[str, Any]:
    """Return the values of a request, or answer what is wrong with them."""
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


class CorpusViewSet(ReadOnlyModelViewSet):
    """Corpora, for leads."""

    permission_classes = [IsLead]
    queryset = Dataset.objects.all()
    serializer_class = CorpusSerializer
    lookup_field = "slug"

    @extend_schema(operation_id="corpora_download", responses={(200, "application/jsonl"): OpenApiTypes.STR})
    def download(self, request: Request, slug: str) -> HttpResponseBase:
        """Send a whole corpus in the project's own form, JSON lines."""
        return corpus_file(self.get_object())


@never_stored
class CampaignViewSet(ListModelMixin, RetrieveModelMixin, GenericViewSet):
    """Campaigns: a lead's all, an annotator's own; opening, reporting and freezing are for leads."""

    queryset = Campaign.objects.none()
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Campaign]:
        """Return what the pages show to the same user."""
        return campaigns_of(person(self.request))

    def get_serializer_class(self) -> type[CampaignSerializer]:
        """Show the guideline of one campaign, not of a whole list."""
        return CampaignSerializer if self.action == "list" else CampaignWithGuidelineSerializer

    def get_permissions(self) -> list[Any]:
        """Keep everything but looking for leads."""
        return [IsAuthenticated()] if self.action in {"list", "retrieve"} else [IsLead()]

    @extend_schema(request=NewCampaignSerializer, responses={201: CampaignWithGuidelineSerializer})
    def create(self, request: Request) -> Response:
        """Open a campaign over every preference in every context of a dataset."""
        wanted = checked(NewCampaignSerializer(data=request.data))
        users = wanted.pop("annotators")
        campaign = create_campaign(users=users, created_by=person(request), **wanted)
        return Response(CampaignWithGuidelineSerializer(campaign).data, status=201)

    @extend_schema(responses=CampaignReportSerializer)
    @action(detail=True)
    def report(self, request: Request, slug: str) -> Response:
        """Report progress, consensus, balance of labels and agreement."""
        campaign = self.get_object()
        labels = read_labels(campaign)
        standing = read_standing(campaign, labels)
        return Response(
            {
                "progress": progress(campaign),
                "consensus": consensus_counts(campaign, standing),
                "balance": balance(campaign, standing),
                "agreement": agreement_report(campaign, labels),
            }
        )

    @extend_schema(request=None, responses={201: GoldReleaseWithCountsSerializer})
    @action(detail=True, methods=["post"])
    def freeze(self, request: Request, slug: str) -> Response:
        """Freeze a gold release of the items on which all annotators agree."""
        release = freeze_gold_release(self.get_object(), person(request).get_username())
        return Response(GoldReleaseWithCountsSerializer(release).data, status=201)


@never_stored
@extend_schema(parameters=[CAMPAIGN])
class WorkViewSet(ViewSet):
    """An annotator's own work in one campaign. Nothing here tells of anybody else's."""

    @extend_schema(responses={200: ItemSerializer, 204: None})
    def next(self, request: Request, campaign: str) -> Response:
        """Return the item to label now, held for you for a while; 204 when there is none for you."""
        assignment = next_item(seat_of(person(request), campaign))
        if assignment is None:
            return Response(status=204)
        return Response(ItemSerializer(assignment.item).data)

    @extend_schema(request=None, responses={204: None}, parameters=[ITEM])
    def skip(self, request: Request, campaign: str, item: int) -> Response:
        """Put the item off; it comes again when nothing else is left."""
        seat = seat_of(person(request), campaign)
        skip_item(seat, met(seat, item))
        return Response(status=204)

    @extend_schema(request=FlagSerializer, responses={204: None}, parameters=[ITEM])
    def flag(self, request: Request, campaign: str, item: int) -> Response:
        """Say "cannot decide", with a comment for the lead. It is no label."""
        seat = seat_of(person(request), campaign)
        flag_item(seat, met(seat, item), **checked(FlagSerializer(data=request.data)))
        return Response(status=204)


@never_stored
@extend_schema(parameters=[CAMPAIGN])
class LabelViewSet(ListModelMixin, RetrieveModelMixin, GenericViewSet):
    """Your own labels in one campaign: list, give, change."""

    queryset = Label.objects.none()
    serializer_class = LabelSerializer
    lookup_field = "item__number"
    lookup_url_kwarg = "item"

    def get_queryset(self) -> QuerySet[Label]:
        """Return the user's own labels, newest first."""
        return own_labels(self.seat())

    def seat(self) -> Annotator:
        """Return the user's seat; to anybody without one the campaign does not exist."""
        return seat_of(person(self.request), self.kwargs["campaign"])

    @extend_schema(request=NewLabelSerializer, responses={201: LabelSerializer})
    def create(self, request: Request, campaign: str) -> Response:
        """Give a label on an item that `next` gave you. The same token again saves nothing twice."""
        seat = self.seat()
        given = checked(NewLabelSerializer(data=request.data))
        label = self._submit(seat, given["item"], given, version=0)
        return Response(LabelSerializer(label).data, status=201)

    @extend_schema(request=ChangedLabelSerializer, responses=LabelSerializer, parameters=[ITEM])
    def partial_update(self, request: Request, campaign: str, item: int) -> Response:
        """Change a label; the earlier answer is kept. 409 if it is no longer at the version you saw."""
        seat = self.seat()
        change = checked(ChangedLabelSerializer(data=request.data))
        return Response(LabelSerializer(self._submit(seat, item, change, change["version"])).data)

    def _submit(self, seat: Annotator, number: int, answer: dict[str, Any], version: int) -> Label:
        item, user = met(seat, number), person(self.request)
        return submit_label(
            seat, item, answer["label"], version=version, token=answer["token"], saved_by=user
        )


def met(seat: Annotator, number: int) -> Item:
    """Return an item that the annotator was given; of others nothing may be known."""
    assignment = read_met_number(seat, number)
    if assignment is None:
        raise NotFound(f"You have not met item {number}; expected one that `next` gave you.")
    return assignment.item


class GoldViewSet(ListModelMixin, GenericViewSet):
    """Gold releases, for leads."""

    permission_classes = [IsLead]
    queryset = GoldRelease.objects.select_related("dataset", "campaign")
    serializer_class = GoldReleaseSerializer
    lookup_field = "name"
    lookup_value_regex = r"[-\w]+"

    def get_object(self) -> GoldRelease:
        """Find the release by its name, dataset and number."""
        try:
            return release_named(self.kwargs["name"])
        except Problem as problem:
            raise Http404(str(problem)) from problem

    @extend_schema(responses=GoldReleaseWithCountsSerializer, parameters=[RELEASE])
    def retrieve(self, request: Request, name: str) -> Response:
        """Describe a release."""
        return Response(GoldReleaseWithCountsSerializer(self.get_object()).data)

    @extend_schema(
        operation_id="gold_download",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
        parameters=[RELEASE, SUFFIX],
    )
    def download(self, request: Request, name: str, suffix: str) -> HttpResponseBase:
        """Send the labels as JSON lines, CSV or Parquet, or the datasheet as Markdown."""
        return gold_file(self.get_object(), suffix)
