"""The admin of people's work: corpora, which only an import changes."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from annotate.access import is_lead
from annotate.models import Context, CorpusVersion, Dataset, Preference, Profile
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
