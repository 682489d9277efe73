"""Forms of the admin for endpoints and runs."""

from typing import Any

from django import forms

from annotate.models import Dataset, GoldRelease
from evaluation.actions.planning import HIGHEST_SEED, HIGHEST_TEMPERATURE, MOST_SAMPLES
from evaluation.benchpres.prompting import CONDITIONS
from evaluation.models import Endpoint


class EndpointForm(forms.ModelForm):
    """An endpoint. What was refused as a possible key is not sent back to the page."""

    class Meta:
        model = Endpoint
        fields = [
            "name",
            "base_url",
            "model",
            "key_env",
            "parameters",
            "concurrency",
            "deadline",
            "is_embedded",
        ]

    def full_clean(self) -> None:
        """Check all fields, then forget the values of those that may hold a key."""
        super().full_clean()
        refused = {"base_url", "key_env", "parameters"} & set(self.errors)
        if refused:
            self.data: Any = {name: value for name, value in self.data.items() if name not in refused}


class RunForm(forms.Form):
    """A run over one dataset. It has one field for judges of each category of that dataset."""

    release = forms.ModelChoiceField(GoldRelease.objects.none(), label="Gold release")
    endpoint = forms.ModelChoiceField(
        Endpoint.objects.all(), label="Model", help_text="The endpoint under test."
    )
    judges = forms.ModelMultipleChoiceField(
        Endpoint.objects.all(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="For every category without a judge of its own. Of several, the first by name counts.",
    )
    conditions = forms.MultipleChoiceField(
        choices=[(name, name) for name in CONDITIONS],
        initial=["default"],
        widget=forms.CheckboxSelectMultiple,
    )
    samples = forms.IntegerField(
        min_value=1,
        max_value=MOST_SAMPLES,
        initial=3,
        help_text="Messages for each profile, context and condition.",
    )
    temperature = forms.FloatField(min_value=0, max_value=HIGHEST_TEMPERATURE, initial=1.0)
    profiles = forms.IntegerField(
        min_value=1, required=False, help_text="How many, drawn by the seed; empty for all."
    )
    contexts = forms.IntegerField(
        min_value=1, required=False, help_text="How many, drawn by the seed; empty for all."
    )
    seed = forms.IntegerField(
        min_value=0, max_value=HIGHEST_SEED, initial=1, help_text="For the draws and for the intervals."
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dataset = dataset
        self.fields["release"].queryset = dataset.gold_releases.all()  # type: ignore[attr-defined]
        judged = dataset.preferences.filter(nickname="").order_by().values_list("category", flat=True)
        self.categories = [name for name in sorted(set(judged)) if name]
        for number, category in enumerate(self.categories):
            self.fields[f"judges_{number}"] = forms.ModelMultipleChoiceField(
                Endpoint.objects.all(),
                required=False,
                label=f"Judges of {category} alone",
                widget=forms.CheckboxSelectMultiple,
            )
        own = [f"judges_{number}" for number, _ in enumerate(self.categories)]
        self.order_fields(["release", "endpoint", "judges", *own])

    def named_judges(self) -> list[tuple[Endpoint, str]]:
        """Return (endpoint, category) of each judge; an empty category is all without one of their own."""
        named = [(endpoint, "") for endpoint in self.cleaned_data["judges"]]
        for number, category in enumerate(self.categories):
            named += [(endpoint, category) for endpoint in self.cleaned_data[f"judges_{number}"]]
        return named
