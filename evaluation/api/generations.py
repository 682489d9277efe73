"""The answers of a run through the API, for leads: the filters of the page, a hundred at a time."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotate.api.permissions import IsLead
from evaluation.api.serializers import GenerationSerializer
from evaluation.generations.asked import asked_of_judges, asked_of_model
from evaluation.generations.queries import ALL, SHOWS, Filters, filtered, whole
from evaluation.models import Generation, Run

FILTERS = [
    OpenApiParameter("condition", OpenApiTypes.STR, description="Of one condition of the run."),
    OpenApiParameter("category", OpenApiTypes.STR, description="Of the preference or the pair."),
    OpenApiParameter(
        "show", OpenApiTypes.STR, enum=list(SHOWS), default=ALL, description="Only what is of this kind."
    ),
]


@extend_schema(parameters=[OpenApiParameter("id", OpenApiTypes.INT, "path"), *FILTERS])
class GenerationsView(ListAPIView):
    """The answers of a run with the verdicts on them, in the order of the plan."""

    permission_classes = [IsLead]
    queryset = Generation.objects.none()
    serializer_class = GenerationSerializer

    def get_queryset(self) -> QuerySet[Generation]:
        """Return what the page shows under the same filters; `Problem` where one is unknown."""
        run = get_object_or_404(Run.objects.select_related("dataset"), pk=self.kwargs["pk"])
        return whole(filtered(run, Filters.read(run, self.request.query_params)))


class MessagesView(APIView):
    """The exact messages of a unit, to the model and to each judge, before or after they are sent."""

    permission_classes = [IsLead]

    @extend_schema(operation_id="runs_messages", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int, unit: int) -> Response:
        """Return who is asked what; a judge of an answer that is not there yet sees a placeholder."""
        rows = whole(Generation.objects.filter(run=pk).select_related("run"), with_replies=True)
        row = get_object_or_404(rows, pk=unit)
        asked = [asked_of_model(row), *asked_of_judges(row)]
        return Response(
            {
                "key": row.key,
                "about": row.about(),
                "asked": [
                    {"who": one.who, "about": one.about, "messages": one.messages, "problem": one.problem}
                    for one in asked
                ],
            }
        )
