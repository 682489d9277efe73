"""The API of contrast pairs, for leads: each as the flat row that files hold too."""

from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.viewsets import GenericViewSet

from annotate.api.permissions import IsLead
from annotate.exporters.pairpref import pairpref_row
from annotate.models import ContrastPair, Dataset
from annotate.pairs import CATEGORIES, TIERS
from annotate.stored_corpus import whole_pairs
from annotate.views.corpora import corpus_pairs_file

CORPUS = OpenApiParameter("slug", OpenApiTypes.STR, "path", description="Slug of the corpus.")
PAIR = OpenApiParameter("identifier", OpenApiTypes.STR, "path", description="Such as M07-C6-c26634.")


class CompanionsSerializer(serializers.Serializer):
    """The other memories of the user who holds a preference, by kind; a kind without any is left out."""

    near = serializers.ListField(child=serializers.CharField(), required=False)
    middle = serializers.ListField(child=serializers.CharField(), required=False)
    far = serializers.ListField(child=serializers.CharField(), required=False)
    control = serializers.ListField(child=serializers.CharField(), required=False)


class PairSerializer(serializers.Serializer):
    """A contrast pair as a flat row; `positive` and `negative` are situations, the last four replies."""

    id = serializers.CharField()
    preference_key = serializers.CharField()
    preference = serializers.CharField()
    domain = serializers.CharField(allow_blank=True)
    category = serializers.ChoiceField(choices=CATEGORIES)
    tier = serializers.ChoiceField(choices=TIERS)
    distance = serializers.IntegerField(min_value=1)
    request = serializers.CharField()
    positive = serializers.CharField()
    negative = serializers.CharField()
    memory = serializers.CharField()
    acknowledged = serializers.CharField()
    plain = serializers.CharField()
    off_task = serializers.CharField()
    companions = CompanionsSerializer(required=False)

    def to_representation(self, instance: ContrastPair) -> dict[str, Any]:
        """Write the row as the export does."""
        return pairpref_row(instance)


@extend_schema_view(
    list=extend_schema(parameters=[CORPUS]), retrieve=extend_schema(parameters=[CORPUS, PAIR])
)
class PairViewSet(ListModelMixin, RetrieveModelMixin, GenericViewSet):
    """The contrast pairs of one corpus, for leads."""

    permission_classes = [IsLead]
    queryset = ContrastPair.objects.none()
    serializer_class = PairSerializer
    lookup_field = "identifier"

    def get_queryset(self) -> QuerySet[ContrastPair]:
        """Return the pairs of the corpus in their order."""
        dataset = get_object_or_404(Dataset, slug=self.kwargs["slug"])
        return whole_pairs(dataset.pairs.order_by("position"), "preference__companions")

    @extend_schema(
        operation_id="corpora_pairs_download",
        responses={(200, "application/jsonl"): OpenApiTypes.STR},
        parameters=[CORPUS],
    )
    def download(self, request: Request, slug: str) -> HttpResponseBase:
        """Send all contrast pairs of a corpus as flat rows, JSON lines."""
        return corpus_pairs_file(get_object_or_404(Dataset, slug=slug))
