"""Endpoints and runs as JSON, and JSON as the plan of a run."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.api.serializers import DatasetField, NamedField
from annotate.models import Review
from annotate.pairs import CATEGORIES, TIERS
from evaluation.benchpres import arms as benchpres
from evaluation.models import AddedPrompt, Endpoint, Generation, Run, RunJudge, Verdict
from evaluation.pairpref import arms as pairpref
from evaluation.planning.plan import HIGHEST_SEED, HIGHEST_TEMPERATURE, MOST_SAMPLES
from evaluation.spending import MOST_TOKENS


class EndpointSerializer(serializers.ModelSerializer):
    """An endpoint. The rules that keep keys out are the model's."""

    class Meta:
        model = Endpoint
        fields = [
            "name", "base_url", "model", "key_env", "parameters", "reasoning_switch", "prices",
            "concurrency", "deadline", "capabilities", "is_embedded", "created_at",
        ]  # fmt: skip
        read_only_fields = ["capabilities", "created_at"]


class JudgeSerializer(serializers.ModelSerializer):
    """A judge of a run; an empty category is all that no other judge of labels has."""

    endpoint = serializers.CharField(source="endpoint.name", read_only=True)

    class Meta:
        model = RunJudge
        fields = ["endpoint", "duty", "category", "is_subject"]


class RunSerializer(serializers.ModelSerializer):
    """A run: its plan, and the state that it is in."""

    dataset = serializers.CharField(source="dataset.slug", read_only=True)
    gold = serializers.CharField(source="release.name", read_only=True, default=None, allow_null=True)
    review = serializers.CharField(source="review.slug", read_only=True, default=None, allow_null=True)
    sample = serializers.CharField(
        source="validation.sample.slug", read_only=True, default=None, allow_null=True
    )
    endpoint = serializers.CharField(source="endpoint.name", read_only=True)
    judges = JudgeSerializer(many=True, read_only=True)
    conditions = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Run
        fields = [
            "id", "benchmark", "dataset", "corpus_version", "gold", "review", "sample", "endpoint", "judges",
            "conditions", "samples", "seed", "cost_limit", "token_limit", "state", "state_reason",
            "created_at", "started_at", "finished_at",
        ]  # fmt: skip


class EndpointField(NamedField):
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


def several(names: Any, usual: list[str]) -> serializers.ListField:
    """Return a list of names from a menu."""
    return serializers.ListField(
        child=serializers.ChoiceField(choices=names), default=usual, allow_empty=False
    )


class NewRunSerializer(serializers.Serializer):
    """What a lead asks a run of any benchmark to do. Nothing is sent before it is started."""

    dataset = DatasetField()
    endpoint = EndpointField(help_text="Name of the endpoint under test.")
    reasoning = serializers.ListField(
        child=serializers.BooleanField(allow_null=True),
        default=[None],
        help_text="true, false, null: as it is.",
    )
    samples = serializers.IntegerField(
        min_value=1,
        max_value=MOST_SAMPLES,
        default=None,
        allow_null=True,
        help_text="The paper's, if left out.",
    )
    seed = serializers.IntegerField(min_value=0, max_value=HIGHEST_SEED, default=1)
    cost_limit = serializers.DecimalField(
        max_digits=12, decimal_places=4, min_value=0, default=None, allow_null=True, help_text="US dollars."
    )
    token_limit = serializers.IntegerField(min_value=1, max_value=MOST_TOKENS, default=None, allow_null=True)


class NewBenchPreSRunSerializer(NewRunSerializer):
    """A run of BenchPreS."""

    benchmark = serializers.ChoiceField(choices=["benchpres"], default="benchpres")
    gold = serializers.CharField(help_text="Name of a gold release of the dataset, such as sample-1.")
    judges = NamedJudgeSerializer(many=True)
    completeness_judges = serializers.ListField(child=EndpointField(), default=[])
    conditions = serializers.ListField(
        child=serializers.CharField(),
        default=[benchpres.DEFAULT],
        help_text=f"Of {', '.join(benchpres.CONDITIONS)}, or names of added prompts such as formal-1.",
    )
    temperatures = serializers.ListField(
        child=serializers.FloatField(min_value=0, max_value=HIGHEST_TEMPERATURE), default=[1.0]
    )
    densities = serializers.ListField(
        child=serializers.IntegerField(min_value=1, allow_null=True), default=[None]
    )
    ratios = serializers.ListField(child=serializers.FloatField(min_value=0, allow_null=True), default=[None])
    orders = several(benchpres.ORDERS, [benchpres.CORPUS])
    profiles = ProfilesField(default=None, allow_null=True)
    contexts = serializers.IntegerField(
        min_value=1, default=None, allow_null=True, help_text="How many, drawn by the seed; all if left out."
    )


class NewPairPrefRunSerializer(NewRunSerializer):
    """A run of PairPref."""

    benchmark = serializers.ChoiceField(choices=["pairpref"])
    judges = NamedJudgeSerializer(many=True, default=[])
    tracks = several(pairpref.TRACKS, [pairpref.SELECTION, pairpref.GENERATION])
    controls = several(pairpref.CONTROLS, [pairpref.FULL])
    presentations = several(pairpref.PRESENTATIONS, [pairpref.SYSTEM_LIST])
    wordings = several(pairpref.WORDINGS, [pairpref.NUDGE])
    procedures = several(pairpref.PROCEDURES, [pairpref.DIRECT])
    review = NamedField(
        slug_field="slug", queryset=Review.objects.all(), default=None, allow_null=True,
        help_text="Only pairs that every reviewer of this review confirmed.",
    )  # fmt: skip
    pairs = serializers.IntegerField(min_value=1, default=None, allow_null=True)


class NewConstructionSerializer(serializers.Serializer):
    """A run that constructs contrast pairs; its endpoint writes them."""

    benchmark = serializers.ChoiceField(choices=["construction"])
    dataset = DatasetField()
    endpoint = EndpointField(help_text="Name of the endpoint that writes.")
    verifier = EndpointField()
    screener = EndpointField()
    preferences = ProfilesField(default=None, allow_null=True)
    categories = several(CATEGORIES, list(CATEGORIES))
    tiers = several(TIERS, list(TIERS))
    samples = serializers.IntegerField(min_value=1, max_value=MOST_SAMPLES, default=1)
    seed = serializers.IntegerField(min_value=0, max_value=HIGHEST_SEED, default=1)
    cost_limit = serializers.DecimalField(
        max_digits=12, decimal_places=4, min_value=0, default=None, allow_null=True, help_text="US dollars."
    )
    token_limit = serializers.IntegerField(min_value=1, max_value=MOST_TOKENS, default=None, allow_null=True)


class CollectSerializer(serializers.Serializer):
    """Where the pairs that passed go."""

    dataset = serializers.CharField(help_text="Name of a dataset, new or there already.")


class LimitsSerializer(serializers.Serializer):
    """What a run may spend in all; null is no limit."""

    cost_limit = serializers.DecimalField(max_digits=12, decimal_places=4, min_value=0, allow_null=True)
    token_limit = serializers.IntegerField(min_value=1, max_value=MOST_TOKENS, allow_null=True)


NEW_RUNS: dict[str, type[serializers.Serializer]] = {
    "benchpres": NewBenchPreSRunSerializer,
    "pairpref": NewPairPrefRunSerializer,
    "construction": NewConstructionSerializer,
}


class AddedPromptSerializer(serializers.ModelSerializer):
    """A prompt that a lead added; as a condition of runs it is called `name-number`."""

    condition = serializers.CharField(source="__str__", read_only=True)
    sha256 = serializers.CharField(read_only=True)

    class Meta:
        model = AddedPrompt
        fields = ["condition", "name", "number", "text", "sha256", "created_at"]
        read_only_fields = ["number", "created_at"]
        validators: list[Any] = []  # the number of a new one is its own


class VerdictSerializer(serializers.ModelSerializer):
    """A verdict on an answer; without a judge it is an exact match."""

    judge = serializers.CharField(source="judge.endpoint.name", default=None, allow_null=True)
    preference = serializers.CharField(source="preference.text", default=None, allow_null=True)

    class Meta:
        model = Verdict
        fields = ["target", "preference", "judge", "number", "outcome", "reason", "value", "details"]


class GenerationSerializer(serializers.ModelSerializer):
    """An answer with what it is about and the verdicts on it."""

    about = serializers.DictField(read_only=True)
    verdicts = VerdictSerializer(many=True, read_only=True)

    class Meta:
        model = Generation
        fields = [
            "id", "task", "condition", "about", "sample", "shown", "outcome", "reason", "message", "choice",
            "verdicts",
        ]  # fmt: skip


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
