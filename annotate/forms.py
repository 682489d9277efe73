"""What pages send."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import BadRequest
from django.http import QueryDict

from annotate.access import people_who_label
from annotate.actions.campaigns import HIGHEST_LIMIT, HIGHEST_OVERLAP, LONGEST_NAME, LONGEST_SLUG
from annotate.actions.reviews import SEED_BITS
from annotate.actions.settling import LONGEST_REASON
from annotate.models import Campaign, Context, Dataset, Preference, Review

LONGEST_TEXT = 50_000


@dataclass(frozen=True)
class AnswerForm:
    """An annotator's answer on the item shown, with what makes a repeat harmless and a stale page known.

    Nobody types these fields but the comment, so one that is not as it should be is no user's mistake.
    """

    item: int
    version: int
    token: UUID
    guideline: int
    answer: str
    comment: str

    @classmethod
    def read(cls, sent: QueryDict) -> "AnswerForm":
        """Read what the page sent. Raises `BadRequest` where it is not as the page makes it."""
        try:
            given = {field: str(sent[field]) for field in ("item", "version", "token", "guideline", "answer")}
            item, version, guideline = (int(given[field]) for field in ("item", "version", "guideline"))
            token, answer = UUID(given["token"]), given["answer"]
        except (KeyError, ValueError) as error:
            raise BadRequest(f"The form is not as this site makes it: {error}") from error
        return cls(item, version, token, guideline, answer, sent.get("comment", ""))


def usual_guideline() -> str:
    """Return the guideline of campaigns that comes with the project, to start from."""
    return (settings.BASE_DIR / "fixtures" / "guideline.md").read_text(encoding="utf-8")


def usual_review_guideline() -> str:
    """Return the guideline of reviews that comes with the project, to start from."""
    return (settings.BASE_DIR / "fixtures" / "review-guideline.md").read_text(encoding="utf-8")


class NewCampaignForm(forms.Form):
    """What a campaign needs to be opened."""

    slug = forms.SlugField(
        label="Short name",
        max_length=LONGEST_SLUG,
        help_text="In addresses and commands, such as letters-1.",
    )
    name = forms.CharField(label="Title", max_length=LONGEST_NAME, help_text="What annotators see.")
    dataset = forms.ModelChoiceField(Dataset.objects.all(), help_text="Every preference in every context.")
    overlap = forms.IntegerField(
        label="Labels an item",
        min_value=1,
        max_value=HIGHEST_OVERLAP,
        initial=3,
        help_text="Each by another annotator.",
    )
    annotators = forms.ModelMultipleChoiceField(
        User.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        help_text="At least as many as labels an item. Leads see all labels, so they cannot label.",
    )
    label_limit = forms.IntegerField(
        label="Most labels of one annotator",
        min_value=1,
        max_value=HIGHEST_LIMIT,
        required=False,
        help_text="Empty for no limit.",
    )
    guideline = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 14}),
        max_length=LONGEST_TEXT,
        initial=usual_guideline,
        strip=False,
        help_text="In Markdown. A later change becomes a new version.",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["annotators"].queryset = people_who_label()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ask for as many annotators as an item needs."""
        values = super().clean() or {}
        annotators, overlap = values.get("annotators"), values.get("overlap")
        if annotators is not None and overlap and annotators.count() < overlap:
            self.add_error(
                "annotators",
                f"{annotators.count()} chosen; {overlap} labels an item need at least {overlap}.",
            )
        return values


class NewReviewForm(forms.Form):
    """What a review needs to be opened; the seed is filled in, so that the sample shown is the one opened."""

    dataset = forms.ModelChoiceField(
        Dataset.objects.filter(pairs__isnull=False).distinct(), help_text="Datasets with contrast pairs."
    )
    sample = forms.IntegerField(
        label="Pairs in the sample", min_value=1, required=False, help_text="Empty for all of them."
    )
    stratum = forms.ChoiceField(
        choices=Review.Stratum,
        initial=Review.Stratum.CATEGORY,
        help_text="First one pair of each preference; the rest in proportion to this.",
    )
    seed = forms.IntegerField(
        min_value=0, max_value=2**SEED_BITS - 1, help_text="The same seed draws the same sample."
    )
    slug = forms.SlugField(
        label="Short name", max_length=LONGEST_SLUG, help_text="In addresses and commands, such as pairs-1."
    )
    name = forms.CharField(label="Title", max_length=LONGEST_NAME, help_text="What annotators see.")
    annotators = forms.ModelMultipleChoiceField(
        User.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        help_text="Two or more. Leads see all answers, so they cannot review.",
    )
    guideline = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 14}),
        max_length=LONGEST_TEXT,
        initial=usual_review_guideline,
        strip=False,
        help_text="In Markdown.",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["annotators"].queryset = people_who_label()  # type: ignore[attr-defined]


class NewReviewerForm(forms.Form):
    """Somebody who gets a seat in a review."""

    user = forms.ModelChoiceField(User.objects.none(), label="Annotator")

    def __init__(self, review: Review, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        without_seat = people_who_label().exclude(reviewer_seats__review=review)
        self.fields["user"].queryset = without_seat  # type: ignore[attr-defined]


class GuidelineForm(forms.Form):
    """A new text of the guideline."""

    text = forms.CharField(
        label="Guideline", widget=forms.Textarea(attrs={"rows": 18}), max_length=LONGEST_TEXT, strip=False
    )


class NewAnnotatorForm(forms.Form):
    """Somebody who gets a seat in a campaign."""

    user = forms.ModelChoiceField(User.objects.none(), label="Annotator")

    def __init__(self, campaign: Campaign, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        without_seat = people_who_label().exclude(annotator_seats__campaign=campaign)
        self.fields["user"].queryset = without_seat  # type: ignore[attr-defined]


class AnswerFlagForm(forms.Form):
    """A lead's answer to *cannot decide*."""

    answer = forms.CharField(widget=forms.Textarea(attrs={"rows": 2}), max_length=5_000)


class ReasonForm(forms.Form):
    """Why an item is set aside."""

    reason = forms.CharField(max_length=LONGEST_REASON)


class BorderlineForm(ReasonForm):
    """A whole context or a whole preference that is borderline as such."""

    context = forms.ModelChoiceField(Context.objects.none(), required=False)
    preference = forms.ModelChoiceField(Preference.objects.none(), required=False)

    field_order = ("context", "preference", "reason")

    def __init__(self, campaign: Campaign, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        dataset = campaign.dataset
        self.fields["context"].queryset = dataset.contexts.all()  # type: ignore[attr-defined]
        self.fields["preference"].queryset = dataset.preferences.all()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ask for one of the two."""
        values = super().clean() or {}
        if bool(values.get("context")) == bool(values.get("preference")):
            raise forms.ValidationError("Choose a context or a preference, one of the two.")
        return values
