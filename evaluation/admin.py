"""The admin of machines' answers: endpoints and runs for leads; what runs left behind, to read only."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html

from annotate.access import is_lead
from annotate.admin import ReadOnly
from annotate.problems import Problem
from evaluation.actions import add_prompt
from evaluation.controls import CONTROLS, Control
from evaluation.forms import AddedPromptForm, EndpointForm
from evaluation.judge_cards import cards_of_endpoints
from evaluation.models import (
    AddedPrompt,
    Call,
    Endpoint,
    Generation,
    Run,
    RunJudge,
    RunSample,
    SampledUnit,
    Verdict,
)
from evaluation.reporting.judge_cards import described
from evaluation.views.new_run import new_run


class LeadAdmin(admin.ModelAdmin):
    """Open to leads, whatever single permissions they hold."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the section to leads."""
        return is_lead(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let leads look."""
        return is_lead(request.user)

    has_add_permission = has_module_permission
    has_change_permission = has_delete_permission = has_view_permission


class EvidenceAdmin(ReadOnly, admin.ModelAdmin):
    """What a run left behind; there may be very much of it."""

    show_full_result_count = False
    list_per_page = 50


@admin.register(Endpoint)
class EndpointAdmin(LeadAdmin):
    """Endpoints: where a model is asked. The key stays in the environment."""

    form = EndpointForm
    list_display = ["name", "model", "base_url", "key_env", "concurrency", "is_embedded"]
    search_fields = ["name", "model"]
    readonly_fields = ["as_a_judge", "capabilities", "created_at"]

    @admin.display(description="as a judge")
    def as_a_judge(self, endpoint: Endpoint) -> str:
        """Tell how far the endpoint, as it is saved, is validated as a judge of each kind."""
        if endpoint.pk is None:
            return ""
        judges = described(cards_of_endpoints([endpoint]).values())
        return render_to_string("evaluation/judge_cards.html", {"judges": judges})


@admin.register(AddedPrompt)
class AddedPromptAdmin(LeadAdmin):
    """Prompts of leads: made once, never changed; a new wording is a new number."""

    form = AddedPromptForm
    list_display = ["__str__", "sha256", "created_by", "created_at"]

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: a run names a prompt by its name and number."""
        return False

    has_delete_permission = has_change_permission

    def save_model(self, request: HttpRequest, obj: AddedPrompt, form: Any, change: bool) -> None:
        """Give it the next number of its name."""
        added = add_prompt(obj.name, obj.text, cast(User, request.user))
        obj.pk, obj.number = added.pk, added.number


class JudgeInline(ReadOnly, admin.TabularInline):
    """The judges of a run."""

    model = RunJudge
    fields = ["endpoint", "duty", "category", "is_subject"]
    verbose_name_plural = "Judges"


def control_action(verb: str, control: Control) -> Any:
    """Make an admin action that applies a control to each selected run."""

    @admin.action(description=f"{control.label} the selected runs", permissions=["view"])
    def act(model_admin: admin.ModelAdmin, request: HttpRequest, runs: QuerySet[Run]) -> None:
        for run in runs:
            try:
                control.act(run)
            except Problem as problem:
                model_admin.message_user(request, str(problem), messages.ERROR)
            else:
                model_admin.message_user(request, f"Run {run.pk} is {run.get_state_display()}.")

    act.__name__ = f"{verb}_runs"
    return act


@admin.register(Run)
class RunAdmin(ReadOnly, admin.ModelAdmin):
    """Runs: made by a form, then only started, paused, resumed, cancelled; watched on their own page."""

    list_display = [
        "id", "page", "benchmark", "endpoint", "dataset", "release", "state", "created_by", "created_at",
    ]  # fmt: skip
    list_filter = ["benchmark", "state", "dataset"]
    list_select_related = ["endpoint", "dataset", "release__dataset", "created_by"]
    inlines = [JudgeInline]
    actions = [control_action(verb, control) for verb, control in CONTROLS.items()]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Let leads make a run."""
        return is_lead(request.user)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Make a run over a corpus."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": "New run"}
        return new_run(request, context)

    def view_on_site(self, run: Run) -> str:
        """Lead to the run's own page."""
        return reverse("run", args=[run.pk])

    @admin.display(description="progress and report")
    def page(self, run: Run) -> str:
        """Link to the run's own page."""
        return format_html('<a href="{}">Watch run {}</a>', self.view_on_site(run), run.pk)


@admin.register(Generation)
class GenerationAdmin(EvidenceAdmin):
    """Answers that models gave."""

    list_display = [
        "id", "run", "task", "condition", "profile", "context", "pair", "side", "sample", "outcome", "reason",
    ]  # fmt: skip
    list_filter = ["task", "outcome"]
    list_select_related = ["run", "profile", "context", "pair", "preference"]
    search_fields = ["=run__id", "profile__key", "context__recipient", "pair__identifier"]
    search_help_text = "Number of a run, key of a profile, recipient, or identifier of a pair."


@admin.register(Verdict)
class VerdictAdmin(EvidenceAdmin):
    """Verdicts on messages."""

    list_display = ["id", "generation_id", "target", "preference", "judge_name", "outcome", "value", "reason"]
    list_filter = ["target", "outcome", "value"]
    list_select_related = ["preference", "judge__endpoint"]
    search_fields = ["=generation__run__id", "=generation__id"]
    search_help_text = "Number of a run or of a generation."

    @admin.display(description="judge")
    def judge_name(self, verdict: Verdict) -> str:
        """Name the judge, or the exact match."""
        return verdict.judge.endpoint.name if verdict.judge else "exact match"


@admin.register(Call)
class CallAdmin(EvidenceAdmin):
    """The ledger of HTTP attempts."""

    list_display = ["id", "run", "attempt", "status", "outcome", "seconds", "input_tokens", "output_tokens"]
    list_filter = ["outcome", "status"]
    list_select_related = ["run"]
    search_fields = ["=run__id", "error"]
    search_help_text = "Number of a run, or words of an error."


@admin.register(RunSample)
class RunSampleAdmin(EvidenceAdmin):
    """How validation samples were drawn from runs."""

    list_display = ["__str__", "run", "target", "seed", "over"]
    list_filter = ["target"]
    list_select_related = ["sample", "run"]
    search_fields = ["=run__id", "sample__slug"]
    search_help_text = "Number of a run, or name of a sample."

    def view_on_site(self, drawn: RunSample) -> str:
        """Lead to the sample's own page."""
        return reverse("validation-sample", args=[drawn.sample.slug])


@admin.register(SampledUnit)
class SampledUnitAdmin(EvidenceAdmin):
    """What each item of a validation sample is, which people who label must not see."""

    list_display = ["__str__", "generation_id", "preference", "part", "stratum", "category"]
    list_filter = ["part"]
    list_select_related = ["item__sample", "preference"]
    search_fields = ["run_sample__sample__slug", "=generation__id"]
    search_help_text = "Name of a sample, or number of a generation."
