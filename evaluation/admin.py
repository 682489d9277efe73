"""The admin of machines' answers: endpoints and runs for leads; what runs left behind, to read only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from annotate.access import is_lead
from annotate.admin import ReadOnly
from evaluation.forms import EndpointForm
from evaluation.models import Call, Endpoint, Generation, Verdict


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
    readonly_fields = ["capabilities", "created_at"]


@admin.register(Generation)
class GenerationAdmin(EvidenceAdmin):
    """Messages that models wrote."""

    list_display = ["id", "run", "condition", "profile", "context", "sample", "outcome", "reason"]
    list_filter = ["outcome", "condition"]
    list_select_related = ["run", "profile", "context"]
    search_fields = ["=run__id", "profile__key", "context__recipient"]
    search_help_text = "Number of a run, key of a profile, or recipient."


@admin.register(Verdict)
class VerdictAdmin(EvidenceAdmin):
    """Verdicts on messages."""

    list_display = ["id", "generation_id", "preference", "judge_name", "outcome", "value", "reason"]
    list_filter = ["outcome", "value"]
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
