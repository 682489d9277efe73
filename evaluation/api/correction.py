"""The report of a run as a request wishes for it: with corrected rates where validation samples are named."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers

from annotate.api.views import checked
from evaluation.models import Run
from evaluation.names import sample_of
from evaluation.reporting.benchpres import CLUSTERS
from evaluation.reporting.correction import SCORE_WIDTH, WIDTH
from evaluation.reports import report_with_cards


class WishedReportSerializer(serializers.Serializer):
    """What intervals draw, which samples correct the rates, and how narrow their intervals should be."""

    resample = serializers.ChoiceField(
        choices=list(CLUSTERS),
        default="context",
        error_messages={"invalid_choice": f"Expected one of {', '.join(CLUSTERS)}."},
        help_text="BenchPreS: what intervals draw whole.",
    )
    corrected = serializers.ListField(
        child=serializers.CharField(),
        default=[],
        help_text="Slug of a validation sample of the run; repeatable, as for uptake and for fit. "
        "`corrected` then has its rates beside the same corrected for the judges' errors.",
    )
    width = serializers.FloatField(
        default=WIDTH,
        help_text="With `corrected`: `needed` tells how many labels more it takes until an interval is so "
        "wide at most; 0.1 is 10 points.",
    )
    score_width = serializers.FloatField(default=SCORE_WIDTH, help_text="The same for mean scores, in steps.")


def wished_report(run: Run, query: QueryDict) -> dict[str, Any]:
    """Return the report of a run, as `manage.py report` does with the same options."""
    wished = checked(WishedReportSerializer(data=query))
    samples = [sample_of(slug) for slug in wished.pop("corrected")]
    return report_with_cards(run, wished.pop("resample"), samples, **wished)
