"""The admin of people's work: corpora, which only an import changes, and evidence, which nobody does."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from annotate.access import is_lead
from annotate.models import (
    Annotator,
    Campaign,
    Context,
    CorpusVersion,
    Dataset,
    Exclusion,
    Flag,
    GoldLabel,
    GoldRelease,
    Guideline,
    Item,
    Label,
    LabelRevision,
    Preference,
    Profile,
)
from annotate.views.corpus_import import corpus_import


class ReadOnly:
    """Leads look; nobody adds, changes or removes a row by hand."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the section to leads."""
        return is_lead(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let leads look."""
        return is_lead(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False

    has_change_permission = has_delete_permission = has_add_permission


class VersionInline(ReadOnly, admin.TabularInline):
    """The imports that made a dataset what it is."""

    model = CorpusVersion
    fields = ("version", "file_name", "file_hash", "changes", "imported_by", "imported_at")
    readonly_fields = fields
    verbose_name_plural = "Imports"


@admin.register(Dataset)
class DatasetAdmin(ReadOnly, admin.ModelAdmin):
    """Datasets; to add one is to import a corpus."""

    list_display = ["slug", "name", "version", "licence", "created_at"]
    search_fields = ["slug", "name"]
    inlines = [VersionInline]

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let leads import."""
        return is_lead(request.user)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Import a corpus, into a new dataset or a known one."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": "Import a corpus"}
        return corpus_import(request, context)


@admin.register(Profile)
class ProfileAdmin(ReadOnly, admin.ModelAdmin):
    """Users whose memory a model is given."""

    list_display = ["key", "name", "dataset"]
    list_filter = ["dataset"]
    list_select_related = ["dataset"]
    search_fields = ["key", "name"]


@admin.register(Preference)
class PreferenceAdmin(ReadOnly, admin.ModelAdmin):
    """Remembered preferences."""

    list_display = ["text", "category", "nickname", "dataset"]
    list_filter = ["dataset", "category"]
    list_select_related = ["dataset"]
    search_fields = ["text", "nickname"]


@admin.register(Context)
class ContextAdmin(ReadOnly, admin.ModelAdmin):
    """Recipients and tasks."""

    list_display = ["recipient", "task", "domains", "dataset"]
    list_filter = ["dataset"]
    list_select_related = ["dataset"]
    search_fields = ["recipient", "task"]


class GuidelineInline(ReadOnly, admin.TabularInline):
    """Every version of a campaign's guideline."""

    model = Guideline
    fields = ("version", "text", "created_by", "created_at")
    readonly_fields = fields


class AnnotatorInline(ReadOnly, admin.TabularInline):
    """The seats of a campaign."""

    model = Annotator
    fields = ("pseudonym", "user", "is_active")


@admin.register(Campaign)
class CampaignAdmin(ReadOnly, admin.ModelAdmin):
    """Campaigns; title and limit may change, what the labels rest on may not."""

    list_display = ["slug", "name", "dataset", "overlap", "state", "is_example", "created_at"]
    list_filter = ["state", "dataset"]
    list_select_related = ["dataset"]
    readonly_fields = ["slug", "dataset", "overlap", "state", "seed", "is_example", "created_by"]
    inlines = [GuidelineInline, AnnotatorInline]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let leads change the title and the limit."""
        return is_lead(request.user)


class LabelInline(ReadOnly, admin.TabularInline):
    """The labels of an item."""

    model = Label
    fields = ("annotator", "value", "version", "created_at", "changed_at")
    readonly_fields = fields


class ExclusionInline(ReadOnly, admin.TabularInline):
    """When, by whom and why an item was set aside or taken back."""

    model = Exclusion
    fields = ("reason", "decided_by", "decided_at")
    readonly_fields = fields


@admin.register(Item)
class ItemAdmin(ReadOnly, admin.ModelAdmin):
    """Items with their labels and the decisions on them."""

    list_display = ["number", "campaign", "context", "preference", "open_slots", "set_aside"]
    list_filter = ["campaign"]
    list_select_related = ["campaign", "context", "preference"]
    search_fields = ["context__recipient", "context__task", "preference__text"]
    show_full_result_count = False
    inlines = [LabelInline, ExclusionInline]


class RevisionInline(ReadOnly, admin.TabularInline):
    """Every answer that was saved."""

    model = LabelRevision
    fields = ("version", "value", "guideline", "saved_by", "saved_at")
    readonly_fields = fields


@admin.register(Label)
class LabelAdmin(ReadOnly, admin.ModelAdmin):
    """Labels with their whole history."""

    list_display = ["item", "annotator", "value", "version", "changed_at"]
    list_filter = ["item__campaign", "value"]
    list_select_related = ["item__campaign", "annotator__campaign"]
    show_full_result_count = False
    inlines = [RevisionInline]


@admin.register(Flag)
class FlagAdmin(ReadOnly, admin.ModelAdmin):
    """What annotators could not decide, and the answers."""

    list_display = ["item", "annotator", "comment", "created_at", "resolution", "resolved_by"]
    list_filter = ["item__campaign"]
    list_select_related = ["item__campaign", "annotator__campaign", "resolved_by"]


@admin.register(GoldRelease)
class GoldReleaseAdmin(ReadOnly, admin.ModelAdmin):
    """Gold releases, which never change."""

    list_display = ["__str__", "dataset", "origin", "campaign", "is_example", "content_hash", "created_at"]
    list_filter = ["dataset", "origin", "is_example"]
    list_select_related = ["dataset", "campaign"]


@admin.register(GoldLabel)
class GoldLabelAdmin(ReadOnly, admin.ModelAdmin):
    """The labels of gold releases, which never change."""

    list_display = ["release", "context", "preference", "value"]
    list_filter = ["release", "value"]
    list_select_related = ["release__dataset", "context", "preference"]
    show_full_result_count = False
