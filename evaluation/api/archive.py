"""The archive of a run through the API."""

from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from annotate.api.permissions import IsLead
from evaluation.models import Run
from evaluation.report_files import archive_of


class ArchiveView(APIView):
    """A run as one zip: plan, prompts, answers, verdicts and calls."""

    permission_classes = [IsLead]

    @extend_schema(operation_id="runs_archive", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Return the archive from which `manage.py recompute` prints the report again."""
        return archive_of(get_object_or_404(Run, pk=pk))
