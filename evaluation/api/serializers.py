"""Endpoints and runs as JSON, and JSON as the plan of a run."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.api.serializers import DatasetField
from evaluation.actions.planning import BENCHMARKS, HIGHEST_SEED, HIGHEST_TEMPERATURE, MOST_SAMPLES
from evaluation.benchpres.prompting import CONDITIONS, DEFAULT
from evaluation.models import Endpoint, Run, RunJudge


class EndpointSerializer(serializers.ModelSerializer):
    """An endpoint. The rules that keep keys out are the model's."""

    class Meta:
        model = Endpoint
        fields = [
            "name", "base_url", "model", "key_env", "parameters", "concurrency", "deadline", "capabilities",
            "is_embedded", "created_at",
        ]  # fmt: skip
        read_only_fields = ["capabilities", "created_at"]


class JudgeSerializer(serializers.ModelSerializer):
    """A judge of a run; an empty category is all that no other judge has."""

    endpoint = serializers.CharField(source="endpoint.name", read_only=True)

    class Meta:
        model = RunJudge
        fields = ["endpoint", "category", "is_subject"]


class RunSerializer(serializers.ModelSerializer):
    """A run: its plan, and the state that it is in."""

    dataset = serializers.CharField(source="dataset.slug", read_only=True)
    gold = serializers.CharField(source="release.name", read_only=True)
    endpoint = serializers.CharField(source="endpoint.name", read_only=True)
    judges = JudgeSerializer(many=True, read_only=True)
    conditions = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Run
        fields = [
            "id", "benchmark", "dataset", "corpus_version", "gold", "endpoint", "judges", "conditions",
            "samples", "seed", "temperature", "state", "state_reason", "created_at", "started_at",
            "finished_at",
        ]  # fmt: skip


class EndpointField(serializers.SlugRelatedField):
    """An endpoint by name."""

    default_error_messages = {"does_not_exist": "There is no endpoint of that name; make it first."}

    def __init__(self, **options: Any) -> None:
        super().__init__(slug_field="name", queryset=Endpoint.objects.all(), **options)


class NamedJudgeSerializer(serializers.Serializer):
    """Who judges which category."""

    endpoint = EndpointField()
    category = serializers.CharField(
        default="", allow_blank=True, help_text="Empty: every category without a judge of its own."
    )


@extend_schema_field(
    {
        "oneOf": [{"type": "integer", "minimum": 1}, {"type": "array", "items": {"type": "string"}}],
        "nullable": True,
        "description": "How many, drawn by the seed, or their keys; all if left out.",
    }
)
class ProfilesField(serializers.Field):
    """A number of profiles, or a list of their keys."""

    default_error_messages = {"invalid": "Expected a number of at least 1, or a list of keys of profiles."}

    def to_internal_value(self, data: Any) -> int | list[str]:
        """Return the number or the keys."""
        is_number = type(data) is int and data >= 1
        is_keys = isinstance(data, list) and data and all(isinstance(key, str) for key in data)
        if not (is_number or is_keys):
            self.fail("invalid")
        return data


class NewRunSerializer(serializers.Serializer):
    """What a lead asks a run to do. Nothing is sent before it is started."""

    benchmark = serializers.ChoiceField(choices=BENCHMARKS, default=BENCHMARKS[0])
    dataset = DatasetField()
    gold = serializers.CharField(help_text="Name of a gold release of the dataset, such as sample-1.")
    endpoint = EndpointField(help_text="Name of the endpoint under test.")
    judges = NamedJudgeSerializer(many=True)
    conditions = serializers.ListField(child=serializers.ChoiceField(choices=CONDITIONS), default=[DEFAULT])
    samples = serializers.IntegerField(min_value=1, max_value=MOST_SAMPLES, default=3)
    seed = serializers.IntegerField(min_value=0, max_value=HIGHEST_SEED, default=1)
    temperature = serializers.FloatField(min_value=0, max_value=HIGHEST_TEMPERATURE, default=1.0)
    profiles = ProfilesField(default=None, allow_null=True)
    contexts = serializers.IntegerField(
        min_value=1, default=None, allow_null=True, help_text="How many, drawn by the seed; all if left out."
    )


class EndedSerializer(serializers.Serializer):
    """Units that have ended in any way, of those planned."""

    ended = serializers.IntegerField()
    planned = serializers.IntegerField()


class StatusSerializer(serializers.Serializer):
    """How far a run has come. Rate and time left are null where nothing was answered lately."""

    run = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Run.State.choices)
    state_reason = serializers.CharField()
    generations = EndedSerializer()
    verdicts = EndedSerializer()
    share = serializers.FloatField(help_text="From 0 to 1.")
    calls_per_second = serializers.FloatField(allow_null=True)
    seconds_left = serializers.FloatField(allow_null=True)
