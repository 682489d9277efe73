"""Forms of the admin for endpoints and for runs of each benchmark."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms

from annotate.models import Dataset, GoldRelease, Review
from annotate.pairs import CATEGORIES, TIERS, words_of
from annotate.problems import Problem
from evaluation.benchpres import arms as benchpres
from evaluation.judge_cards import cards_of_endpoints
from evaluation.models import AddedPrompt, Endpoint
from evaluation.pairpref import arms as pairpref
from evaluation.planning.plan import HIGHEST_SEED, MOST_SAMPLES
from evaluation.prompts import Prompt
from evaluation.spending import MOST_MONEY, MOST_TOKENS
from evaluation.targets import OF_ANSWERS, Target
from evaluation.validation.judge import Known

REASONING = {"as it is": None, "on": True, "off": False}
AS_IT_IS = ("as it is",)


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
            "reasoning_switch",
            "prices",
            "concurrency",
            "deadline",
            "is_embedded",
        ]

    def full_clean(self) -> None:
        """Check all fields, then forget the values of those that may hold a key."""
        super().full_clean()
        refused = {"base_url", "key_env", "parameters", "reasoning_switch", "prices"} & set(self.errors)
        if refused:
            self.data: Any = {name: value for name, value in self.data.items() if name not in refused}


class AddedPromptForm(forms.ModelForm):
    """A prompt of a lead, with the places that are filled."""

    class Meta:
        model = AddedPrompt
        fields = ["name", "text"]

    def clean_text(self) -> str:
        """Keep the text as typed but for its line ends; refuse one with other places."""
        text = self.cleaned_data["text"].replace("\r\n", "\n")
        try:
            benchpres.check_added(Prompt.of("of this text", text))
        except Problem as problem:
            raise forms.ValidationError(str(problem)) from problem
        return text


class NumbersField(forms.CharField):
    """Numbers with commas between them; None where none is given."""

    def __init__(self, read: Callable[[str], float], usual: Sequence[Any], **options: Any) -> None:
        super().__init__(required=False, **options)
        self.read, self.usual = read, usual

    def clean(self, value: Any) -> list[Any]:
        """Return the numbers, or the usual ones where the field is empty."""
        parts = [part.strip() for part in super().clean(value).split(",") if part.strip()]
        try:
            return [self.read(part) for part in parts] or list(self.usual)
        except ValueError as error:
            raise forms.ValidationError(f"Found {value!r}; expected numbers with commas between.") from error


def several(names: Sequence[str], initial: Sequence[str], help_text: str = "") -> forms.MultipleChoiceField:
    """Return a field of boxes to tick."""
    return forms.MultipleChoiceField(
        choices=[(name, words_of(name)) for name in names],
        initial=list(initial),
        widget=forms.CheckboxSelectMultiple,
        help_text=help_text,
    )


class JudgesField(forms.ModelMultipleChoiceField):
    """Judges to tick, each with how far it is validated on what it would be asked."""

    def __init__(self, *targets: Target, **options: Any) -> None:
        super().__init__(
            Endpoint.objects.all(), required=False, widget=forms.CheckboxSelectMultiple, **options
        )
        self.targets = targets
        self.known: Mapping[tuple[int, str], Known] = {}

    def label_from_instance(self, endpoint: Any) -> str:
        """Name the endpoint, and say of each target, or of all alike, how far it is validated."""
        known = [self.known[endpoint.pk, target] for target in self.targets]
        alike = {one.words for one in known}
        said = alike if len(alike) == 1 else [f"{one.judge.target} {one.words}" for one in known]
        return f"{endpoint}: {'; '.join(said)}"


class LimitsForm(forms.Form):
    """What a run may spend in all."""

    cost_limit = forms.DecimalField(
        min_value=0, max_digits=12, decimal_places=4, required=False, label="US dollars"
    )
    token_limit = forms.IntegerField(min_value=1, max_value=MOST_TOKENS, required=False, label="Tokens")


class PlanForm(forms.Form):
    """What every run over a dataset is asked."""

    endpoint = forms.ModelChoiceField(
        Endpoint.objects.all(), label="Model", help_text="The endpoint under test."
    )
    judges = JudgesField(
        Target.LABEL, help_text="Of several, the first by name counts; the report shows each."
    )
    reasoning = several(
        list(REASONING), AS_IT_IS, "On and off need an endpoint that names its reasoning switch."
    )
    samples = forms.IntegerField(min_value=1, max_value=MOST_SAMPLES, help_text="Answers to each prompt.")
    seed = forms.IntegerField(
        min_value=0,
        max_value=HIGHEST_SEED,
        initial=1,
        help_text="For the draws, the orders and the intervals.",
    )
    cost_limit = forms.DecimalField(
        min_value=0,
        max_value=MOST_MONEY,
        max_digits=12,
        decimal_places=4,
        required=False,
        label="Limit, US dollars",
        help_text="The run does not start above it.",
    )
    token_limit = forms.IntegerField(
        min_value=1, max_value=MOST_TOKENS, required=False, label="Limit, tokens"
    )

    benchmark = ""

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dataset = dataset

    def tell_of_judges(self) -> None:
        """Let every field of judges say how far each is validated, from one look for all."""
        fields = [field for field in self.fields.values() if isinstance(field, JudgesField)]
        targets = {target for field in fields for target in field.targets}
        known = cards_of_endpoints(Endpoint.objects.all(), sorted(targets))
        for field in fields:
            field.known = known

    def plan(self) -> dict[str, Any]:
        """Return what `create_run` is asked."""
        given = dict(self.cleaned_data)
        if "reasoning" in given:
            given["reasoning"] = [REASONING[name] for name in given["reasoning"]]
        if "judges" in given:
            given["judges"] = self.named_judges()
        return given | {"benchmark": self.benchmark, "dataset": self.dataset}

    def named_judges(self) -> list[tuple[Endpoint, str]]:
        """Return (endpoint, category) of each judge; an empty category is all without one of their own."""
        return [(endpoint, "") for endpoint in self.cleaned_data["judges"]]


class BenchPreSForm(PlanForm):
    """A BenchPreS run. It has one field for judges of each category of the dataset."""

    benchmark = "benchpres"

    release = forms.ModelChoiceField(GoldRelease.objects.none(), label="Gold release")
    completeness_judges = JudgesField(Target.COMPLETENESS, label="Judges of task completeness")
    conditions = several(benchpres.CONDITIONS, ["default"])
    temperatures = NumbersField(
        float, [benchpres.PAPER_TEMPERATURE], initial="1", help_text="One or several: 0, 0.5, 1"
    )
    densities = NumbersField(
        int, [None], help_text="Preferences in memory: 1, 5, 10, 20, 50. Empty for those of the profile."
    )
    ratios = NumbersField(
        float, [None], help_text="Facts for each preference in memory. Empty for all facts."
    )
    orders = several(benchpres.ORDERS, [benchpres.CORPUS], "Order of the statements in memory.")
    profiles = forms.IntegerField(
        min_value=1, required=False, help_text="How many, drawn by the seed; empty for all."
    )
    contexts = forms.IntegerField(
        min_value=1, required=False, help_text="How many, drawn by the seed; empty for all."
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(dataset, *args, **kwargs)
        self.fields["samples"].initial = 3
        self.fields["release"].queryset = dataset.gold_releases.all()  # type: ignore[attr-defined]
        names = [*benchpres.CONDITIONS, *map(str, AddedPrompt.objects.all())]
        self.fields["conditions"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        judged = dataset.preferences.filter(nickname="").order_by().values_list("category", flat=True)
        self.categories = [name for name in sorted(set(judged)) if name]
        own = [f"judges_{number}" for number, _ in enumerate(self.categories)]
        for name, category in zip(own, self.categories, strict=True):
            self.fields[name] = JudgesField(Target.LABEL, label=f"Judges of {category} alone")
        self.tell_of_judges()
        self.order_fields(["release", "endpoint", "judges", *own, "completeness_judges", "conditions"])

    def named_judges(self) -> list[tuple[Endpoint, str]]:
        """Return also the judges of single categories."""
        named = super().named_judges()
        for number, category in enumerate(self.categories):
            named += [(endpoint, category) for endpoint in self.cleaned_data[f"judges_{number}"]]
        return named

    def plan(self) -> dict[str, Any]:
        """Return the plan without the fields of single categories, which are in its judges."""
        own = {f"judges_{number}" for number, _ in enumerate(self.categories)}
        return {name: value for name, value in super().plan().items() if name not in own}


class PairPrefForm(PlanForm):
    """A PairPref run."""

    benchmark = "pairpref"

    judges = JudgesField(*OF_ANSWERS, help_text="Of uptake, fit and hedging; for the generation track.")
    tracks = several(pairpref.TRACKS, [pairpref.SELECTION, pairpref.GENERATION])
    controls = several(pairpref.CONTROLS, [pairpref.FULL])
    presentations = several(pairpref.PRESENTATIONS, [pairpref.SYSTEM_LIST])
    wordings = several(pairpref.WORDINGS, [pairpref.NUDGE])
    procedures = several(pairpref.PROCEDURES, [pairpref.DIRECT], "How an answer is come to; generation only.")
    review = forms.ModelChoiceField(
        Review.objects.none(),
        required=False,
        label="Only pairs confirmed in",
        help_text="Pairs whose original direction every reviewer confirmed; empty for all pairs.",
    )
    pairs = forms.IntegerField(
        min_value=1, required=False, help_text="How many, drawn by the seed; empty for all."
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(dataset, *args, **kwargs)
        self.fields["samples"].initial = 1
        self.fields["review"].queryset = dataset.reviews.all()  # type: ignore[attr-defined]
        self.tell_of_judges()
        self.order_fields(["tracks", "endpoint", "judges"])


class ConstructionForm(PlanForm):
    """A construction run: who writes, verifies and screens new pairs."""

    benchmark = "construction"

    judges = None  # type: ignore[assignment]
    reasoning = None  # type: ignore[assignment]
    verifier = forms.ModelChoiceField(Endpoint.objects.all(), help_text="The second model, which verifies.")
    screener = forms.ModelChoiceField(
        Endpoint.objects.all(), help_text="The third model, which sees request and replies alone."
    )
    categories = several(CATEGORIES, CATEGORIES, "Of the situations.")
    tiers = several(TIERS, TIERS, "Of the positive situation.")
    preferences = forms.IntegerField(
        min_value=1, required=False, help_text="How many, drawn by the seed; empty for all."
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(dataset, *args, **kwargs)
        self.fields["endpoint"].label = "Generator"
        self.fields["endpoint"].help_text = "The endpoint that writes."
        self.fields["samples"].initial = 1
        self.fields["samples"].help_text = "Candidates of each preference, category and tier."
        self.order_fields(["endpoint", "verifier", "screener"])


def forms_for(dataset: Dataset) -> dict[str, type[PlanForm]]:
    """Return the forms of the benchmarks that can be run over a dataset, by name."""
    found: dict[str, type[PlanForm]] = {}
    if dataset.contexts.exists():
        found["benchpres"] = BenchPreSForm
    if dataset.pairs.exists():
        found["pairpref"] = PairPrefForm
    if dataset.preferences.exclude(key="").exists():
        found["construction"] = ConstructionForm
    return found
