"""The API of validation samples, for leads: draw one, seat people, bring labels, have it judged, read on.

It calls the same actions, files and reports as pages and commands do. What annotators ask for stands in
`annotate/api/validation.py`.
"""

import io
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import BinaryIO, cast

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import Count
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet, ViewSet

from annotate.actions.validation import add_rater, close_sample, end_rater, reopen_sample, take_up_rater
from annotate.actions.validation_import import import_validation_labels
from annotate.api.permissions import IsLead, person
from annotate.api.views import checked
from annotate.exporters.validation import FILES
from annotate.importers.validation_labels import ValidationRow, read_validation_labels
from annotate.models import Rater, ValidationSample
from annotate.problems import Problem
from annotate.validation_work import RaterProgress, progress
from annotate.views.downloads import CONTENT_TYPES
from evaluation.actions import draw_validation, start_run
from evaluation.actions.validation import targets_of
from evaluation.actions.validation_judging import judge_sample
from evaluation.api.serializers import RunSerializer
from evaluation.api.validation_serializers import (
    ImportedSerializer,
    JudgingSerializer,
    LabelRowsSerializer,
    LabelsFileSerializer,
    NewRaterSerializer,
    NewSampleSerializer,
    OfferSerializer,
    RaterSerializer,
    SampleSerializer,
    SampleWithProgressSerializer,
    SeatSerializer,
)
from evaluation.models import Run, RunSample
from evaluation.names import run_named
from evaluation.report_files import sample_file, validation_file
from evaluation.stored_run import record_of
from evaluation.validation.offers import offers_of
from evaluation.validation_reports import validation_report

SAMPLE = OpenApiParameter("slug", OpenApiTypes.STR, "path", description="Slug of the validation sample.")
WHAT = OpenApiParameter("what", OpenApiTypes.STR, "path", enum=list(FILES))
SUFFIX = OpenApiParameter("suffix", OpenApiTypes.STR, "path", enum=list(CONTENT_TYPES))
FORM = OpenApiParameter("suffix", OpenApiTypes.STR, "path", enum=["json", "csv", "tex"])


class OffersView(APIView):
    """How much of a run could be drawn."""

    permission_classes = [IsLead]

    @extend_schema(operation_id="runs_offers", responses=OfferSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return how many items can be drawn for each target; `Problem` unless the run is done."""
        run = get_object_or_404(Run, pk=pk)
        if run.state != Run.State.DONE:
            raise Problem(f"Run {run.pk} is {run.get_state_display()}; expected one that is done.")
        return Response(OfferSerializer(offers_of(record_of(run), targets_of(run)), many=True).data)


class SampleViewSet(ListModelMixin, RetrieveModelMixin, GenericViewSet):
    """Validation samples: answers of a finished run that people label, so that judges can be checked."""

    permission_classes = [IsLead]
    queryset = (
        RunSample.objects.select_related("sample", "run__dataset", "run__release__dataset")
        .annotate(item_count=Count("units", distinct=True), seats=Count("sample__raters", distinct=True))
        .order_by("-sample__created_at", "-pk")
    )
    lookup_field = "sample__slug"
    lookup_url_kwarg = "slug"

    def get_serializer_class(self) -> type[SampleSerializer]:
        """Show the progress of one sample, not of a whole list."""
        return SampleSerializer if self.action == "list" else SampleWithProgressSerializer

    @extend_schema(request=NewSampleSerializer, responses={201: SampleWithProgressSerializer})
    def create(self, request: Request) -> Response:
        """Draw a sample from a run that is done, and open it for the annotators named."""
        wanted = checked(NewSampleSerializer(data=request.data))
        run, users = run_named(str(wanted.pop("run"))), wanted.pop("annotators")
        drawn = draw_validation(run, users=users, created_by=person(request), **wanted)
        whole = self.get_queryset().get(pk=drawn.pk)
        return Response(SampleWithProgressSerializer(whole).data, status=201)

    @extend_schema(request=None, responses=SampleWithProgressSerializer)
    @action(detail=True, methods=["post"])
    def close(self, request: Request, slug: str) -> Response:
        """End labelling; from now on the labels stay as they are."""
        return self._after(close_sample)

    @extend_schema(request=None, responses=SampleWithProgressSerializer)
    @action(detail=True, methods=["post"])
    def reopen(self, request: Request, slug: str) -> Response:
        """Let labels be given and changed again."""
        return self._after(reopen_sample)

    def _after(self, act: Callable[[ValidationSample], None]) -> Response:
        run_sample = self.get_object()
        act(run_sample.sample)
        return Response(SampleWithProgressSerializer(run_sample).data)

    @extend_schema(
        request={"multipart/form-data": LabelsFileSerializer, "application/json": LabelRowsSerializer},
        responses=ImportedSerializer,
    )
    @action(detail=True, methods=["post"])
    def labels(self, request: Request, slug: str) -> Response:
        """Bring labels that were given elsewhere: all of them or none. The same again changes nothing."""
        sample = self.get_object().sample
        rows, options = brought(request, sample.question)
        return Response(asdict(import_validation_labels(sample, rows, person(request), **options)))

    @extend_schema(request=JudgingSerializer, responses={201: RunSerializer})
    @action(detail=True, methods=["post"])
    def judge(self, request: Request, slug: str) -> Response:
        """Plan the judging of every item by a further judge, as a run; `start` starts it, too.

        Until it is started nothing is sent: `runs/{id}/estimate/` tells what it takes.
        """
        wanted = checked(JudgingSerializer(data=request.data))
        is_started = wanted.pop("start")
        with transaction.atomic():  # a run that may not start is not left behind
            run = judge_sample(self.get_object(), created_by=person(request), **wanted)
            if is_started:
                start_run(run)
        return Response(RunSerializer(run).data, status=201)

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True)
    def report(self, request: Request, slug: str) -> Response:
        """Tell how well judges agree with people: the report of the page and of `manage.py judge_report`."""
        return Response(validation_report(self.get_object()))

    @extend_schema(
        operation_id="validation_report_file",
        responses={(200, "text/csv"): OpenApiTypes.STR},
        parameters=[SAMPLE, FORM],
    )
    def report_file(self, request: Request, slug: str, suffix: str) -> HttpResponse:
        """Send the report as JSON, as CSV, one row a number, or as LaTeX."""
        return validation_file(self.get_object(), suffix)

    @extend_schema(
        operation_id="validation_rows_file",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
        parameters=[SAMPLE, WHAT, SUFFIX],
    )
    def rows_file(self, request: Request, slug: str, what: str, suffix: str) -> HttpResponseBase:
        """Send the items, to be labelled elsewhere, or every label, as JSON lines, CSV or Parquet."""
        return sample_file(self.get_object(), what, suffix)


@extend_schema(parameters=[SAMPLE])
class RaterViewSet(ViewSet):
    """The seats of a validation sample."""

    permission_classes = [IsLead]

    @extend_schema(request=NewRaterSerializer, responses={201: RaterSerializer})
    def create(self, request: Request, slug: str) -> Response:
        """Give an annotator a seat in an open sample."""
        sample = sample_at(slug)
        rater = add_rater(sample, checked(NewRaterSerializer(data=request.data))["annotator"])
        return Response(RaterSerializer(progress_of(rater)).data, status=201)

    @extend_schema(request=SeatSerializer, responses=RaterSerializer)
    def end(self, request: Request, slug: str) -> Response:
        """End a seat; reports do without its labels, exports keep them."""
        return self._after(end_rater)

    @extend_schema(request=SeatSerializer, responses=RaterSerializer)
    def take_up(self, request: Request, slug: str) -> Response:
        """Let somebody go on whose seat was ended."""
        return self._after(take_up_rater)

    def _after(self, act: Callable[[Rater], None]) -> Response:
        sample = sample_at(self.kwargs["slug"])
        rater = seat_named(sample, checked(SeatSerializer(data=self.request.data))["pseudonym"])
        act(rater)
        return Response(RaterSerializer(progress_of(rater)).data)


def sample_at(slug: str) -> ValidationSample:
    """Return the sample of that slug that was drawn from a run; `Http404` if there is none."""
    return get_object_or_404(ValidationSample, slug=slug, run_sample__isnull=False)


def seat_named(sample: ValidationSample, pseudonym: str) -> Rater:
    """Return a seat of a sample. Raises `Problem` if there is none."""
    seats = {rater.pseudonym: rater for rater in sample.raters.order_by("pseudonym")}
    if pseudonym not in seats:
        known = ", ".join(seats) or "none yet"
        raise Problem(f"There is no seat {pseudonym!r} in sample {sample}; expected one of: {known}.")
    return seats[pseudonym]


def progress_of(rater: Rater) -> RaterProgress:
    """Return how far one rater is."""
    return next(row for row in progress(rater.sample) if row.rater == rater)


def brought(request: Request, question: str) -> tuple[list[ValidationRow], dict[str, bool]]:
    """Return the labels that a request brings, in a file or as rows, and how they are to be imported."""
    is_form = request.content_type.startswith("multipart/")
    wanted = checked((LabelsFileSerializer if is_form else LabelRowsSerializer)(data=request.data))
    if is_form:
        file: UploadedFile = wanted.pop("file")
        return read_validation_labels(cast(BinaryIO, file.file), str(file.name), question), wanted
    lines = "".join(json.dumps(row) + "\n" for row in wanted.pop("rows"))
    return read_validation_labels(io.BytesIO(lines.encode()), "rows.jsonl", question), wanted
