"""Rows as JSON, and JSON as arguments of actions."""

from typing import Any

from rest_framework import serializers

from annotate.access import people_who_label
from annotate.actions.campaigns import (
    HIGHEST_LIMIT,
    HIGHEST_OVERLAP,
    HIGHEST_SEED,
    LONGEST_NAME,
    LONGEST_SLUG,
)
from annotate.actions.labelling import LONGEST_COMMENT
from annotate.forms import LONGEST_TEXT
from annotate.models import Campaign, Dataset, GoldRelease, Guideline, Label


class CorpusSerializer(serializers.ModelSerializer):
    """A dataset with the counts of what it holds."""

    profiles = serializers.IntegerField(source="profiles.count", read_only=True)
    preferences = serializers.IntegerField(source="preferences.count", read_only=True)
    contexts = serializers.IntegerField(source="contexts.count", read_only=True)
    pairs = serializers.IntegerField(source="pairs.count", read_only=True)

    class Meta:
        model = Dataset
        fields = [
            "slug",
            "name",
            "source",
            "licence",
            "version",
            "content_hash",
            "profiles",
            "preferences",
            "contexts",
            "pairs",
        ]


class CampaignSerializer(serializers.ModelSerializer):
    """A campaign as everybody in it may see it: nothing of what anybody did."""

    dataset = serializers.CharField(source="dataset.slug", read_only=True)
    notice = serializers.CharField(source="example_notice", read_only=True)

    class Meta:
        model = Campaign
        fields = ["slug", "name", "dataset", "overlap", "state", "is_example", "notice"]


class GuidelineSerializer(serializers.ModelSerializer):
    """The instructions, in Markdown."""

    class Meta:
        model = Guideline
        fields = ["version", "text"]


class CampaignWithGuidelineSerializer(CampaignSerializer):
    """One campaign, with the guideline in force."""

    guideline = GuidelineSerializer(read_only=True)

    class Meta(CampaignSerializer.Meta):
        fields = [*CampaignSerializer.Meta.fields, "guideline"]


class NamedField(serializers.SlugRelatedField):
    """A row by its name, which is a text that every database can look for."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the row of that name."""
        name = serializers.CharField(allow_blank=True, trim_whitespace=False).run_validation(data)
        return super().to_internal_value(name)


class DatasetField(NamedField):
    """A dataset by its slug."""

    default_error_messages = {"does_not_exist": "There is no dataset of that name; import it first."}

    def __init__(self, **options: Any) -> None:
        super().__init__(slug_field="slug", queryset=Dataset.objects.all(), **options)


class AnnotatorsField(NamedField):
    """An annotator by account name; the same people that the page offers."""

    default_error_messages = {
        "does_not_exist": "There is no such annotator; expected the name of an active account in the group "
        "annotator that is not a lead's, for a lead sees what others labelled."
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(slug_field="username", queryset=people_who_label(), **options)


class NewCampaignSerializer(serializers.Serializer):
    """What a lead states to open a campaign."""

    slug = serializers.SlugField(max_length=LONGEST_SLUG)
    name = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NAME)
    dataset = DatasetField()
    annotators = AnnotatorsField(many=True)
    overlap = serializers.IntegerField(min_value=1, max_value=HIGHEST_OVERLAP, default=3)
    guideline = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST_TEXT, trim_whitespace=False
    )
    label_limit = serializers.IntegerField(
        min_value=1, max_value=HIGHEST_LIMIT, allow_null=True, default=None
    )
    seed = serializers.IntegerField(min_value=0, max_value=HIGHEST_SEED, allow_null=True, default=None)
    is_example = serializers.BooleanField(default=False)


class ItemSerializer(serializers.Serializer):
    """An item as its annotator sees it."""

    item = serializers.IntegerField(source="number", help_text="Name it when you label, skip or flag.")
    recipient = serializers.CharField(source="context.recipient")
    task = serializers.CharField(source="context.task")
    preference = serializers.CharField(source="preference.text")
    category = serializers.CharField(source="preference.category")


class LabelSerializer(serializers.ModelSerializer):
    """An own label."""

    item = serializers.IntegerField(source="item.number")
    recipient = serializers.CharField(source="item.context.recipient")
    task = serializers.CharField(source="item.context.task")
    preference = serializers.CharField(source="item.preference.text")
    category = serializers.CharField(source="item.preference.category")
    label = serializers.CharField(source="get_value_display")  # type: ignore[assignment]

    class Meta:
        model = Label
        fields = [
            "item",
            "recipient",
            "task",
            "preference",
            "category",
            "label",
            "version",
            "created_at",
            "changed_at",
        ]


class AnswerField(serializers.ChoiceField):
    """`apply` or `suppress`, as the number that is stored."""

    default_error_messages = {"invalid_choice": "Expected apply or suppress."}

    def __init__(self, **options: Any) -> None:
        super().__init__(choices=["apply", "suppress"], **options)

    def to_internal_value(self, data: Any) -> Any:
        """Return 1 for apply, 0 for suppress."""
        return int(super().to_internal_value(data) == "apply")


class TokenField(serializers.UUIDField):
    """Makes a repeat harmless: what comes again with the same token is done once."""

    def __init__(self) -> None:
        super().__init__(help_text="A new UUID for each answer; send the same one again after a lost reply.")


class NewLabelSerializer(serializers.Serializer):
    """A label to be given."""

    item = serializers.IntegerField(min_value=0)
    label = AnswerField()  # type: ignore[assignment]
    token = TokenField()


class ChangedLabelSerializer(serializers.Serializer):
    """A label to be changed."""

    label = AnswerField()  # type: ignore[assignment]
    version = serializers.IntegerField(min_value=1, help_text="The version of the label that you saw.")
    token = TokenField()


class FlagSerializer(serializers.Serializer):
    """*Cannot decide*, in words."""

    comment = serializers.CharField(max_length=LONGEST_COMMENT)
    token = TokenField()


class CampaignReportSerializer(serializers.Serializer):
    """How a campaign stands, for leads."""

    progress = serializers.DictField()
    consensus = serializers.DictField()
    balance = serializers.DictField()
    agreement = serializers.DictField()


class GoldReleaseSerializer(serializers.ModelSerializer):
    """A gold release: where it comes from and how many labels it holds."""

    name = serializers.CharField(read_only=True)
    dataset = serializers.CharField(source="dataset.slug", read_only=True)
    campaign = serializers.CharField(source="campaign.slug", default=None, read_only=True)
    labels = serializers.IntegerField(source="counts.kept", read_only=True)
    notice = serializers.CharField(source="example_notice", read_only=True)

    class Meta:
        model = GoldRelease
        fields = [
            "name",
            "dataset",
            "number",
            "origin",
            "campaign",
            "labels",
            "corpus_version",
            "corpus_hash",
            "content_hash",
            "is_example",
            "notice",
            "created_by",
            "created_at",
        ]


class GoldReleaseWithCountsSerializer(GoldReleaseSerializer):
    """One release, with what was left out and why, and how far its annotators agreed."""

    guideline_version = serializers.IntegerField(source="guideline.version", default=None, read_only=True)

    class Meta(GoldReleaseSerializer.Meta):
        fields = [*GoldReleaseSerializer.Meta.fields, "guideline_version", "counts", "agreement"]
