"""Validation samples as JSON, and JSON as what a lead asks of them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.api.serializers import AnnotatorsField
from annotate.validation_work import progress
from evaluation.api.serializers import EndpointField
from evaluation.models import Run, RunSample
from evaluation.sample_records import sample_record
from evaluation.spending import MOST_TOKENS
from evaluation.targets import QUESTIONS_FOR_PEOPLE
from evaluation.validation.counts import RaterCounts, counts_of
from evaluation.validation.drawing import FACTORS
from evaluation.validation.records import OF_RUN


class SampleSerializer(serializers.ModelSerializer):
    """A validation sample: what is asked, and how it was drawn."""

    slug = serializers.CharField(source="sample.slug", read_only=True)
    name = serializers.CharField(source="sample.name", read_only=True)
    dataset = serializers.CharField(source="run.dataset.slug", read_only=True)
    target = serializers.CharField(source="sample.question", read_only=True)
    question = serializers.CharField(source="sample.asked.words", read_only=True)
    state = serializers.CharField(source="sample.state", read_only=True)
    conditions = serializers.ListField(child=serializers.CharField(), read_only=True)
    over = serializers.ListField(child=serializers.CharField(), read_only=True)
    items = serializers.IntegerField(source="item_count", read_only=True)
    annotators = serializers.IntegerField(source="seats", read_only=True)
    is_example = serializers.BooleanField(source="sample.is_example", read_only=True)
    notice = serializers.CharField(source="sample.example_notice", read_only=True)
    created_at = serializers.DateTimeField(source="sample.created_at", read_only=True)

    class Meta:
        model = RunSample
        fields = [
            "slug", "name", "run", "dataset", "target", "question", "state", "items", "annotators",
            "conditions", "over", "seed", "is_example", "notice", "created_at",
        ]  # fmt: skip


class StratumSerializer(serializers.Serializer):
    """A part of what could be drawn; both answers of a pair are one draw."""

    name = serializers.CharField()
    size = serializers.IntegerField(help_text="How many draws it offered.")
    drawn = serializers.IntegerField(help_text="How many were made.")


class RaterSerializer(serializers.Serializer):
    """A seat, with how far its annotator is; `cannot_tell` counts those of the labelled items."""

    pseudonym = serializers.CharField(source="rater.pseudonym")
    account = serializers.CharField(source="rater.user.username", default=None, allow_null=True)
    is_active = serializers.BooleanField(source="rater.is_active")
    labelled = serializers.IntegerField()
    cannot_tell = serializers.IntegerField()
    items = serializers.IntegerField()
    last_saved = serializers.DateTimeField(allow_null=True)


class SampleJudgeSerializer(serializers.Serializer):
    """A judge of the run: on how many items it has a verdict, one that could not be read, or none."""

    judge = serializers.CharField(source="rater")
    kind = serializers.CharField()
    answered = serializers.IntegerField()
    not_read = serializers.IntegerField(source="no_answer")
    not_asked = serializers.IntegerField(source="not_given")


class JudgingRunSerializer(serializers.ModelSerializer):
    """A run in which a further judge judges the sample; `runs/{id}/status/` tells how far it is."""

    run = serializers.IntegerField(source="pk", read_only=True)
    judge = serializers.CharField(source="endpoint.name", read_only=True)

    class Meta:
        model = Run
        fields = ["run", "judge", "state", "state_reason", "created_at", "started_at", "finished_at"]


class SampleWithProgressSerializer(SampleSerializer):
    """One sample, with its guideline and strata, how far its annotators are, and who judges it."""

    guideline = serializers.CharField(source="sample.guideline", read_only=True)
    strata = StratumSerializer(many=True, read_only=True)
    raters = serializers.SerializerMethodField()
    judges = serializers.SerializerMethodField()
    judging_runs = serializers.SerializerMethodField()

    class Meta(SampleSerializer.Meta):
        fields = [*SampleSerializer.Meta.fields, "guideline", "strata", "raters", "judges", "judging_runs"]

    @extend_schema_field(RaterSerializer(many=True))
    def get_raters(self, run_sample: RunSample) -> Any:
        """Say how far each annotator is."""
        return RaterSerializer(progress(run_sample.sample), many=True).data

    @extend_schema_field(SampleJudgeSerializer(many=True))
    def get_judges(self, run_sample: RunSample) -> Any:
        """Say what the judges of the run have to say of the items."""
        return SampleJudgeSerializer(judges_of_run(run_sample), many=True).data

    @extend_schema_field(JudgingRunSerializer(many=True))
    def get_judging_runs(self, run_sample: RunSample) -> Any:
        """Say in which runs further judges judge the sample, oldest first."""
        runs = run_sample.judging_runs.select_related("endpoint").order_by("pk")
        return JudgingRunSerializer(runs, many=True).data


def judges_of_run(run_sample: RunSample) -> list[RaterCounts]:
    """Return what the judges that came with the run have of the items."""
    counts = counts_of(sample_record(run_sample))
    return [one for one in counts.raters if one.kind in OF_RUN]


class OfferSerializer(serializers.Serializer):
    """How many items can be drawn for a target, by condition."""

    target = serializers.CharField(source="question")
    items = serializers.DictField(child=serializers.IntegerField())
    not_read = serializers.DictField(
        child=serializers.IntegerField(), help_text="Left out: a verdict on them could not be read."
    )
    why_none = serializers.CharField(help_text="Empty where something can be drawn.")


class NewSampleSerializer(serializers.Serializer):
    """What a lead asks to be drawn, and who labels it."""

    run = serializers.IntegerField(help_text="Number of a run that is done.")
    target = serializers.CharField(default="label", help_text=f"One of {', '.join(QUESTIONS_FOR_PEOPLE)}.")
    size = serializers.IntegerField(default=100, help_text="Items; both answers of a pair are drawn.")
    seed = serializers.IntegerField(default=1, help_text="The same seed draws the same items.")
    over = serializers.ListField(
        child=serializers.CharField(),
        default=["part"],
        help_text=f"What it is spread evenly over, of {', '.join(FACTORS)}; `part` is the gold label or the "
        "side of a pair.",
    )
    conditions = serializers.ListField(
        child=serializers.CharField(), default=[], help_text="Of the run; all, if left out."
    )
    slug = serializers.CharField(default="", allow_blank=True, help_text="Such as run-12-label, if left out.")
    name = serializers.CharField(default="", allow_blank=True, help_text="What annotators see as its title.")
    annotators = AnnotatorsField(many=True, default=[])
    label_sets = serializers.ListField(
        child=serializers.CharField(), default=[], help_text="Seats without an account, for imported labels."
    )
    guideline = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, help_text="The usual one, if left out."
    )
    is_example = serializers.BooleanField(default=False)


class NewRaterSerializer(serializers.Serializer):
    """Somebody who gets a seat."""

    annotator = AnnotatorsField()


class SeatSerializer(serializers.Serializer):
    """A seat that is there."""

    pseudonym = serializers.CharField()


class JudgingSerializer(serializers.Serializer):
    """The judge that is asked about every item, and what it may spend."""

    endpoint = EndpointField()
    cost_limit = serializers.DecimalField(
        max_digits=12, decimal_places=4, min_value=0, default=None, allow_null=True, help_text="US dollars."
    )
    token_limit = serializers.IntegerField(min_value=1, max_value=MOST_TOKENS, default=None, allow_null=True)
    start = serializers.BooleanField(default=False, help_text="Hand the run to the workers at once.")


class ImportSerializer(serializers.Serializer):
    """How labels are brought in."""

    accept_changes = serializers.BooleanField(
        default=False, help_text="Save labels that differ from those saved; the earlier ones are kept."
    )
    new_label_sets = serializers.BooleanField(
        default=False, help_text="Give names without a seat a seat without an account."
    )


class LabelsFileSerializer(ImportSerializer):
    """Labels from a file: .jsonl, .csv or .parquet, such as the items file with its columns filled in."""

    file = serializers.FileField(allow_empty_file=True)


@extend_schema_field(
    {
        "type": "object",
        "required": ["item", "annotator", "value"],
        "properties": {
            "item": {"type": "integer", "minimum": 1},
            "annotator": {"type": "string", "description": "Pseudonym of a seat."},
            "value": {
                "oneOf": [{"type": "number"}, {"type": "string"}],
                "nullable": True,
                "description": "A number, its words, or `cannot_tell`; null is no answer.",
            },
            "comment": {"type": "string"},
        },
    }
)
class RowField(serializers.DictField):
    """A row as a file of labels holds it; the importer reads it."""


class LabelRowsSerializer(ImportSerializer):
    """Labels as rows, with the fields of a file's rows."""

    rows = serializers.ListField(child=RowField())


class ImportedSerializer(serializers.Serializer):
    """What an import did; `cannot_tell` counts the labels that say so, `unanswered` rows without a value."""

    added = serializers.IntegerField()
    changed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    cannot_tell = serializers.IntegerField()
    unanswered = serializers.IntegerField()
    new_label_sets = serializers.ListField(child=serializers.CharField())
