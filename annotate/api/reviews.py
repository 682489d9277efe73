"""The API of pair reviews, for leads: how each stands, its report, its files. The same data as the pages."""

from typing import Any

from django.db.models import Count
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from annotate.api.permissions import IsLead
from annotate.models import Review
from annotate.review_reports import review_report
from annotate.review_work import progress, strata_of
from annotate.views.downloads import CONTENT_TYPES
from annotate.views.reviews import ANSWERS, SETS, answers_file, pairs_file

REVIEW = OpenApiParameter("slug", OpenApiTypes.STR, "path", description="Slug of the review.")
WHAT = OpenApiParameter("what", OpenApiTypes.STR, "path", enum=list(ANSWERS))
SUFFIX = OpenApiParameter("suffix", OpenApiTypes.STR, "path", enum=list(CONTENT_TYPES))
SET = OpenApiParameter("what", OpenApiTypes.STR, "path", enum=list(SETS))


class ReviewSerializer(serializers.ModelSerializer):
    """A review: what is judged, and what the sample was drawn from."""

    dataset = serializers.CharField(source="dataset.slug", read_only=True)
    notice = serializers.CharField(source="example_notice", read_only=True)
    pairs = serializers.IntegerField(source="pair_count", read_only=True)
    annotators = serializers.IntegerField(source="seats", read_only=True)

    class Meta:
        model = Review
        fields = [
            "slug",
            "name",
            "dataset",
            "corpus_version",
            "corpus_hash",
            "state",
            "pairs",
            "annotators",
            "stratum",
            "seed",
            "is_example",
            "notice",
            "created_at",
        ]


class ReviewerProgressSerializer(serializers.Serializer):
    """How far one annotator is in both passes."""

    pseudonym = serializers.CharField()
    account = serializers.CharField(allow_null=True)
    is_active = serializers.BooleanField()
    situations = serializers.IntegerField(help_text="Answered in the first pass.")
    of_situations = serializers.IntegerField()
    pairs = serializers.IntegerField(help_text="Answered in the second pass.")
    of_pairs = serializers.IntegerField()
    last_saved_at = serializers.CharField(allow_null=True)


class ReviewWithProgressSerializer(ReviewSerializer):
    """One review, with its guideline, its sample by stratum, and how far each annotator is."""

    strata = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()

    class Meta(ReviewSerializer.Meta):
        fields = [*ReviewSerializer.Meta.fields, "guideline", "strata", "progress"]

    def get_strata(self, review: Review) -> dict[str, int]:
        """Count the pairs of the sample by stratum."""
        return strata_of(review)

    @extend_schema_field(ReviewerProgressSerializer(many=True))
    def get_progress(self, review: Review) -> list[dict[str, Any]]:
        """Say how far each annotator is."""
        return [row.as_dict() for row in progress(review)]


class ReviewViewSet(ListModelMixin, RetrieveModelMixin, GenericViewSet):
    """Pair reviews, for leads."""

    permission_classes = [IsLead]
    queryset = Review.objects.select_related("dataset").annotate(
        seats=Count("reviewers", distinct=True), pair_count=Count("reviewed_pairs", distinct=True)
    )
    lookup_field = "slug"

    def get_serializer_class(self) -> type[ReviewSerializer]:
        """Show the progress of one review, not of a whole list."""
        return ReviewSerializer if self.action == "list" else ReviewWithProgressSerializer

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True)
    def report(self, request: Request, slug: str) -> Response:
        """Report agreement, joint confirmation and what to look at, from the independent answers."""
        return Response(review_report(self.get_object()))

    @extend_schema(
        operation_id="reviews_answers",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
        parameters=[REVIEW, WHAT, SUFFIX],
    )
    def answers(self, request: Request, slug: str, what: str, suffix: str) -> HttpResponseBase:
        """Send every answer with the order shown, or the settled set, as JSON lines, CSV or Parquet."""
        return answers_file(self.get_object(), what, suffix)

    @extend_schema(
        operation_id="reviews_pairs",
        responses={(200, "application/jsonl"): OpenApiTypes.STR},
        parameters=[REVIEW, SET],
    )
    def pairs(self, request: Request, slug: str, what: str) -> HttpResponseBase:
        """Send the pairs of the sample, or those that every annotator confirms, as PairPref rows."""
        return pairs_file(self.get_object(), what)
