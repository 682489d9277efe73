"""The API of machines' answers, for leads. It calls the same actions and reports as the pages."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import action
from rest_framework.mixins import CreateModelMixin, ListModelMixin, RetrieveModelMixin, UpdateModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet, ReadOnlyModelViewSet

from annotate.api.permissions import IsLead, person
from annotate.api.views import checked
from annotate.names import release_named
from annotate.problems import Problem
from evaluation.actions import (
    add_prompt,
    cancel_run,
    collect_pairs,
    create_run,
    pause_run,
    resume_run,
    set_limits,
    start_run,
)
from evaluation.api.correction import WishedReportSerializer, wished_report
from evaluation.api.serializers import (
    NEW_RUNS,
    AddedPromptSerializer,
    CollectSerializer,
    EndpointSerializer,
    LimitsSerializer,
    RunSerializer,
    StatusSerializer,
)
from evaluation.cost import RETRIES_ON_TOP, RULE_OF_THUMB, Estimated
from evaluation.models import AddedPrompt, Endpoint, Run
from evaluation.report_files import figure_file, report_file
from evaluation.running.progress import Progress, run_progress
from evaluation.spending import run_estimate


class EndpointViewSet(ListModelMixin, CreateModelMixin, RetrieveModelMixin, UpdateModelMixin, GenericViewSet):
    """Where models are asked. A key is never here, only the name of its environment variable.

    A run keeps what it used, whatever is changed here later.
    """

    permission_classes = [IsLead]
    queryset = Endpoint.objects.all()
    serializer_class = EndpointSerializer
    lookup_field = "name"
    repeats_input = False


class AddedPromptViewSet(ListModelMixin, CreateModelMixin, RetrieveModelMixin, GenericViewSet):
    """Prompts that leads add; each is a condition of BenchPreS runs. Made once, never changed."""

    permission_classes = [IsLead]
    queryset = AddedPrompt.objects.all()
    serializer_class = AddedPromptSerializer
    repeats_input = False

    def perform_create(self, serializer: Any) -> None:
        """Give it the next number of its name."""
        given = serializer.validated_data
        serializer.instance = add_prompt(given["name"], given["text"], person(self.request))


class RunViewSet(ReadOnlyModelViewSet):
    """Runs: one model asked under a plan, and measured against people's judgements."""

    permission_classes = [IsLead]
    queryset = Run.objects.select_related(
        "dataset", "release__dataset", "review", "validation__sample", "endpoint"
    ).prefetch_related("judges__endpoint")
    serializer_class = RunSerializer

    @extend_schema(
        request=PolymorphicProxySerializer(
            component_name="NewRun", serializers=dict(NEW_RUNS), resource_type_field_name="benchmark"
        ),
        responses={201: RunSerializer},
    )
    def create(self, request: Request) -> Response:
        """Plan a run. Nothing is sent before you start it."""
        run = create_run(created_by=person(request), **wanted_plan(request))
        return Response(RunSerializer(run).data, status=201)

    @extend_schema(request=None, responses=RunSerializer)
    @action(detail=True, methods=["post"])
    def start(self, request: Request, pk: str) -> Response:
        """Hand a planned run to the workers."""
        return self._after(start_run)

    @extend_schema(request=None, responses=RunSerializer)
    @action(detail=True, methods=["post"])
    def pause(self, request: Request, pk: str) -> Response:
        """Let the calls under way end and begin no more."""
        return self._after(pause_run)

    @extend_schema(request=None, responses=RunSerializer)
    @action(detail=True, methods=["post"])
    def resume(self, request: Request, pk: str) -> Response:
        """Go on with what has not ended; what was answered is not asked again."""
        return self._after(resume_run)

    @extend_schema(request=None, responses=RunSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """End a run for good; what has not ended is skipped."""
        return self._after(cancel_run)

    def _after(self, act: Callable[[Run], None]) -> Response:
        run = self.get_object()
        act(run)
        return Response(RunSerializer(run).data)

    @extend_schema(request=LimitsSerializer, responses=RunSerializer)
    @action(detail=True, methods=["put"])
    def limits(self, request: Request, pk: str) -> Response:
        """Set what a run may spend in all; also while it runs."""
        run = self.get_object()
        set_limits(run, **checked(LimitsSerializer(data=request.data)))
        return Response(RunSerializer(run).data)

    @extend_schema(request=CollectSerializer, responses=OpenApiTypes.OBJECT)
    @action(detail=True, methods=["post"])
    def collect(self, request: Request, pk: str) -> Response:
        """Put the pairs of a construction run that passed every stage into a dataset."""
        wanted = checked(CollectSerializer(data=request.data))
        found = collect_pairs(self.get_object(), slug=wanted["dataset"], user=person(request))
        return Response(found.as_dict())

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True)
    def estimate(self, request: Request, pk: str) -> Response:
        """Return calls, tokens and cost that the plan is expected to take; an unknown cost is null."""
        return Response(describe_estimate(run_estimate(self.get_object())))

    @extend_schema(responses=StatusSerializer)
    @action(detail=True)
    def status(self, request: Request, pk: str) -> Response:
        """Tell how far a run has come, how fast it goes and how long it will take."""
        run = self.get_object()
        return Response(StatusSerializer(describe_status(run, run_progress(run, timezone.now()))).data)

    @extend_schema(responses=OpenApiTypes.OBJECT, parameters=[WishedReportSerializer])
    @action(detail=True)
    def report(self, request: Request, pk: str) -> Response:
        """Return everything that a run found: the report of the page and of `manage.py report`."""
        return Response(wished_report(self.get_object(), request.query_params))

    @extend_schema(
        operation_id="runs_report_file",
        responses={(200, "text/csv"): OpenApiTypes.STR},
        parameters=[WishedReportSerializer],
    )
    def report_file(self, request: Request, pk: str, suffix: str) -> HttpResponse:
        """Return the report as CSV, one row a number, or as LaTeX (`report.csv`, `report.tex`)."""
        run = self.get_object()
        return report_file(run, suffix, wished_report(run, request.query_params))

    @extend_schema(operation_id="runs_figure", responses={(200, "image/svg+xml"): OpenApiTypes.BINARY})
    def figure(self, request: Request, pk: str, name: str, theme: str, suffix: str) -> HttpResponse:
        """Return a figure, such as `plane-light.svg` or `rates-dark.png`."""
        return figure_file(self.get_object(), name, theme, suffix)


def describe_estimate(estimated: Estimated) -> dict[str, Any]:
    """Return an estimate as plain data."""
    return {
        "shares": [asdict(share) for share in (*estimated.shares, estimated.total)],
        "without_price": list(estimated.unknown),
        "remarks": [RULE_OF_THUMB, RETRIES_ON_TOP],
    }


def wanted_plan(request: Request) -> dict[str, Any]:
    """Read what a run is to do, by the serializer of its benchmark."""
    benchmark = request.data.get("benchmark", "benchpres") if isinstance(request.data, dict) else "benchpres"
    serializer = NEW_RUNS.get(str(benchmark))
    if serializer is None:
        raise Problem(f"Benchmark {benchmark!r} is unknown; expected one of {', '.join(NEW_RUNS)}.")
    wanted = checked(serializer(data=request.data))
    if "gold" in wanted:
        wanted["release"] = release_named(wanted.pop("gold"))
    if "judges" in wanted:
        wanted["judges"] = [(judge["endpoint"], judge["category"]) for judge in wanted["judges"]]
    return wanted


def describe_status(run: Run, progress: Progress) -> dict[str, object]:
    """Return a run's state and progress as plain data."""
    size = progress.size
    return {
        "run": run.pk,
        "state": run.state,
        "state_reason": run.state_reason,
        "generations": {"ended": progress.generations_ended, "planned": size.generations},
        "verdicts": {"ended": progress.verdicts_ended, "planned": size.verdicts},
        "share": progress.share,
        "calls_per_second": progress.per_second,
        "seconds_left": progress.seconds_left,
    }
