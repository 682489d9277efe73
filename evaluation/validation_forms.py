"""Forms of validation samples: what is drawn, who labels, which judge is asked, labels of a file, widths."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import QueryDict

from annotate.access import people_who_label
from annotate.actions.campaigns import LONGEST_NAME
from annotate.actions.seating import SEED_BITS
from annotate.models import ValidationSample
from annotate.validation import QUESTIONS, Question
from evaluation.models import Endpoint, RunSample
from evaluation.reporting.correction import SCORE_WIDTH, WIDTH
from evaluation.targets import OF_ANSWERS, QUESTIONS_FOR_PEOPLE, Target
from evaluation.validation.offers import Offer

# What a sample is always spread over, and what a lead may add, in words.
ALWAYS_OVER = "part"
MAY_BE_OVER = {
    "category": "category",
    "domain": "domain",
    "verdict": "verdict of the run's first judge",
    "condition": "condition",
}


# What is said of the fields, which differs with what is drawn.
OF_LABELS = {"over": "Of labels, both gold labels come in equal numbers, as far as there are enough."}
OF_ANSWERS_TO_PAIRS = {
    "size": "An even number: both answers of a pair are drawn.",
    "seed": "The same seed draws the same pairs for uptake, fit and hedging.",
    "over": "Both sides always come in equal numbers.",
}
PAIRED = tuple(question for question, target in QUESTIONS_FOR_PEOPLE.items() if target in OF_ANSWERS)
USUAL_SIZE = 100


class DrawForm(forms.Form):
    """What is drawn from a run, and who labels it; of one condition alone nothing is asked about it."""

    target = forms.ChoiceField(label="Question", widget=forms.RadioSelect)
    size = forms.IntegerField(label="Items", min_value=1, initial=USUAL_SIZE)
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**SEED_BITS - 1,
        initial=1,
        help_text="The same seed draws the same items.",
    )
    conditions = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    over = forms.MultipleChoiceField(
        label="Spread evenly also over", required=False, widget=forms.CheckboxSelectMultiple
    )
    name = forms.CharField(
        label="Title",
        max_length=LONGEST_NAME,
        required=False,
        help_text="What annotators see: name no model, condition or gold label. Empty for a plain name.",
    )
    annotators = forms.ModelMultipleChoiceField(
        User.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Two or more tell how well people agree. More can be added later. Leads cannot label.",
    )

    def __init__(self, offers: Sequence[Offer], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        there = [offer for offer in offers if offer.total]
        arms = list(dict.fromkeys(arm for offer in there for arm, items in offer.items.items() if items))
        self._choose("target", {offer.question: _words(offer) for offer in there})
        if there:
            self.fields["target"].initial = there[0].question
            self.fields["size"].initial = min(USUAL_SIZE, there[0].total)
        self._choose("conditions", {arm: arm for arm in arms})
        self.fields["conditions"].initial = arms
        factors = dict(MAY_BE_OVER)
        if len(arms) < 2:
            del self.fields["conditions"], factors["condition"]
        self._choose("over", factors)
        for name, text in (
            OF_ANSWERS_TO_PAIRS if offers and offers[0].question in PAIRED else OF_LABELS
        ).items():
            self.fields[name].help_text = text
        self.fields["annotators"].queryset = people_who_label()  # type: ignore[attr-defined]

    def _choose(self, name: str, choices: dict[str, str]) -> None:
        self.fields[name].choices = list(choices.items())  # type: ignore[attr-defined]

    def plan(self) -> dict[str, Any]:
        """Return what `draw_validation` is asked."""
        values = dict(self.cleaned_data)
        users, over = list(values.pop("annotators")), (ALWAYS_OVER, *values.pop("over"))
        return {**values, "users": users, "over": over}


def _words(offer: Offer) -> str:
    return f"{offer.question.capitalize()}: {QUESTIONS[Question(offer.question)].words}"


class NewRaterForm(forms.Form):
    """Somebody who gets a seat in a validation sample."""

    user = forms.ModelChoiceField(User.objects.none(), label="Annotator")

    def __init__(self, sample: ValidationSample, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        without_seat = people_who_label().exclude(rater_seats__sample=sample)
        self.fields["user"].queryset = without_seat  # type: ignore[attr-defined]


class JudgeForm(forms.Form):
    """The endpoint that judges a sample."""

    endpoint = forms.ModelChoiceField(Endpoint.objects.all(), label="Judge it with")


class LabelsForm(forms.Form):
    """Labels that were given elsewhere."""

    file = forms.FileField(
        label="File with labels",
        allow_empty_file=True,
        help_text="The items file, filled in: .jsonl, .csv or .parquet.",
    )
    new_label_sets = forms.BooleanField(
        label="Give names without a seat a seat without an account", required=False
    )
    accept_changes = forms.BooleanField(
        label="Accept the changes: save labels that differ from those saved; the earlier ones are kept",
        required=False,
    )


class SampleChoice(forms.ModelMultipleChoiceField):
    """Boxes of samples, each with its name and its question."""

    def label_from_instance(self, obj: Any) -> str:
        """Name a sample as its page does."""
        return f"{obj.sample.name} ({obj.sample.question})"


class PlannerForm(forms.Form):
    """How narrow an interval is wished for, and which samples correct the rates beside the one shown.

    Unsent, or with a mistake, it stands for the usual: the newest sample of each other question.
    """

    width = forms.FloatField(label="Width of an interval, in points", min_value=0.1, max_value=100)
    also = SampleChoice(
        RunSample.objects.none(),
        required=False,
        label="Correct the rates also by",
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, target: str, also: QuerySet[RunSample], sent: QueryDict | None) -> None:
        self.is_of_scores = target == Target.COMPLETENESS
        super().__init__(sent, initial={"width": f"{100 * WIDTH:g}", "also": _newest(also)})
        self.fields["also"].queryset = also  # type: ignore[attr-defined]
        if not also:
            del self.fields["also"]
        if self.is_of_scores:
            steps = "Width of an interval, in steps of the scale"
            self.fields["width"] = forms.FloatField(label=steps, min_value=0.01, max_value=4)
            self.initial["width"] = f"{SCORE_WIDTH:g}"

    def widths(self) -> dict[str, Any]:
        """Return the width that `corrected_report` is asked for."""
        width = float(self._values()["width"])
        return {"score_width": width} if self.is_of_scores else {"width": width / 100}

    def beside(self) -> list[RunSample]:
        """Return the samples that correct beside the one shown."""
        return list(self._values().get("also", []))

    def _values(self) -> Mapping[str, Any]:
        return self.cleaned_data if self.is_valid() else self.initial


def _newest(samples: Iterable[RunSample]) -> list[RunSample]:
    """Return the first sample of each target."""
    found: dict[str, RunSample] = {}
    for sample in samples:
        found.setdefault(sample.target, sample)
    return list(found.values())
