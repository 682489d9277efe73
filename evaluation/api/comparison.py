"""The comparison of two runs through the API, for leads."""

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotate.api.permissions import IsLead
from evaluation.comparisons import compare_runs
from evaluation.models import Run
from evaluation.reporting.comparable import arms_named


def _arm(side: str) -> OpenApiParameter:
    words = f"An arm of the {side} run; repeatable, the arms of both runs are paired in their order."
    return OpenApiParameter(side, str, many=True, description=words)


class ComparisonView(APIView):
    """Two runs on the instances that both have."""

    permission_classes = [IsLead]

    @extend_schema(
        operation_id="runs_compare",
        parameters=[_arm("first"), _arm("second")],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, first_run: int, second_run: int) -> Response:
        """Return how the second run differs from the first: the numbers of the page and of `compare_runs`."""
        runs = Run.objects.select_related("dataset", "release__dataset", "review", "endpoint")
        one, two = (get_object_or_404(runs, pk=pk) for pk in (first_run, second_run))
        return Response(
            compare_runs(
                one,
                two,
                arms_named(request.query_params.getlist("first"), request.query_params.getlist("second")),
            )
        )
