"""The admin of people's work: corpora, which only an import changes, and evidence, which nobody does."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse

from annotate.access import is_lead
from annotate.models import (
    Adjudication,
    Annotator,
    Campaign,
    Companion,
    Context,
    ContrastPair,
    CorpusVersion,
    Dataset,
    Exclusion,
    Flag,
    GoldLabel,
    GoldRelease,
    Guideline,
    Item,
    Judgement,
    Label,
    LabelRevision,
    Preference,
    Profile,
    Rater,
    Reply,
    Review,
    ReviewedPair,
    Reviewer,
    Sheet,
    SheetRevision,
    Situation,
    ValidationItem,
    ValidationLabel,
    ValidationLabelRevision,
    ValidationSample,
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


class CompanionInline(ReadOnly, admin.TabularInline):
    """The other memories that stand beside a preference."""

    model = Companion
    fields = ("kind", "text")


@admin.register(Preference)
class PreferenceAdmin(ReadOnly, admin.ModelAdmin):
    """Remembered preferences."""

    list_display = ["text", "key", "category", "nickname", "dataset"]
    list_filter = ["dataset", "category", "domain"]
    list_select_related = ["dataset"]
    search_fields = ["text", "key", "nickname"]
    inlines = [CompanionInline]


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


class SituationInline(ReadOnly, admin.TabularInline):
    """The two sides of a pair."""

    model = Situation
    fields = ("side", "text")


class ReplyInline(ReadOnly, admin.TabularInline):
    """The four replies of a pair."""

    model = Reply
    fields = ("role", "text")


@admin.register(ContrastPair)
class ContrastPairAdmin(ReadOnly, admin.ModelAdmin):
    """Contrast pairs, which only an import changes."""

    list_display = ["identifier", "dataset", "preference", "category", "tier", "distance"]
    list_filter = ["dataset", "category", "tier", "distance"]
    list_select_related = ["dataset", "preference"]
    search_fields = ["identifier", "request", "preference__text"]
    inlines = [SituationInline, ReplyInline]


class ReviewerInline(ReadOnly, admin.TabularInline):
    """The seats of a review."""

    model = Reviewer
    fields = ("pseudonym", "user", "is_active")


@admin.register(Review)
class ReviewAdmin(ReadOnly, admin.ModelAdmin):
    """Reviews; the title may change, what the answers rest on may not."""

    list_display = ["slug", "name", "dataset", "corpus_version", "state", "is_example", "created_at"]
    list_filter = ["state", "dataset"]
    list_select_related = ["dataset"]
    readonly_fields = [
        "slug",
        "dataset",
        "corpus_version",
        "corpus_hash",
        "stratum",
        "seed",
        "guideline",
        "state",
        "is_example",
        "created_by",
    ]
    inlines = [ReviewerInline]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let leads change the title."""
        return is_lead(request.user)


class SheetInline(ReadOnly, admin.TabularInline):
    """The pages of a pair, by reviewer and side."""

    model = Sheet
    fields = ("reviewer", "side", "place", "version", "created_at", "changed_at")
    readonly_fields = fields
    show_change_link = True


class AdjudicationInline(ReadOnly, admin.TabularInline):
    """Every decision on a pair; the latest on a question holds."""

    model = Adjudication
    fields = ("question", "side", "answer", "reason", "decided_by", "decided_at")
    readonly_fields = fields


@admin.register(ReviewedPair)
class ReviewedPairAdmin(ReadOnly, admin.ModelAdmin):
    """Pairs of a sample with their pages and the decisions on them."""

    list_display = ["number", "review", "pair"]
    list_filter = ["review"]
    list_select_related = ["review", "pair"]
    search_fields = ["pair__identifier"]
    inlines = [SheetInline, AdjudicationInline]


class SheetRevisionInline(ReadOnly, admin.TabularInline):
    """Every save of a page."""

    model = SheetRevision
    fields = ("version", "saved_by", "saved_at")
    readonly_fields = fields
    show_change_link = True


@admin.register(Sheet)
class SheetAdmin(ReadOnly, admin.ModelAdmin):
    """Pages of reviewers with their whole history."""

    list_display = ["pair", "reviewer", "side", "place", "version", "changed_at"]
    list_filter = ["reviewer__review", "side"]
    list_select_related = ["pair__review", "pair__pair", "reviewer__review"]
    search_fields = ["pair__pair__identifier"]
    show_full_result_count = False
    inlines = [SheetRevisionInline]


class JudgementInline(ReadOnly, admin.TabularInline):
    """The answers of one save."""

    model = Judgement
    fields = ("question", "side", "answer", "comment")


@admin.register(SheetRevision)
class SheetRevisionAdmin(ReadOnly, admin.ModelAdmin):
    """Saves of pages with their answers, none of which is ever edited."""

    list_display = ["sheet", "version", "saved_by", "saved_at"]
    list_filter = ["sheet__reviewer__review"]
    list_select_related = ["sheet__pair__review", "sheet__pair__pair", "sheet__reviewer__review", "saved_by"]
    show_full_result_count = False
    inlines = [JudgementInline]


@admin.register(Adjudication)
class AdjudicationAdmin(ReadOnly, admin.ModelAdmin):
    """What leads decided where reviewers differed."""

    list_display = ["pair", "question", "side", "answer", "reason", "decided_by", "decided_at"]
    list_filter = ["pair__review", "question"]
    list_select_related = ["pair__review", "pair__pair", "decided_by"]


class RaterInline(ReadOnly, admin.TabularInline):
    """The seats of a validation sample."""

    model = Rater
    fields = ("pseudonym", "user", "is_active")


@admin.register(ValidationSample)
class ValidationSampleAdmin(ReadOnly, admin.ModelAdmin):
    """Validation samples; the title may change, what the answers rest on may not."""

    list_display = ["slug", "name", "question", "state", "is_example", "created_at"]
    list_filter = ["question", "state"]
    readonly_fields = ["slug", "question", "guideline", "state", "is_example", "created_by"]
    inlines = [RaterInline]

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let leads change the title."""
        return is_lead(request.user)


class ValidationLabelInline(ReadOnly, admin.TabularInline):
    """The answers on an item."""

    model = ValidationLabel
    fields = ("rater", "value", "comment", "version", "created_at", "changed_at")
    readonly_fields = fields
    show_change_link = True


@admin.register(ValidationItem)
class ValidationItemAdmin(ReadOnly, admin.ModelAdmin):
    """Items, as people see them, with the answers on them."""

    list_display = ["number", "sample"]
    list_filter = ["sample"]
    list_select_related = ["sample"]
    inlines = [ValidationLabelInline]


class ValidationLabelRevisionInline(ReadOnly, admin.TabularInline):
    """Every answer that was saved."""

    model = ValidationLabelRevision
    fields = ("version", "value", "comment", "saved_by", "saved_at")
    readonly_fields = fields


@admin.register(ValidationLabel)
class ValidationLabelAdmin(ReadOnly, admin.ModelAdmin):
    """Answers of raters with their whole history."""

    list_display = ["item", "rater", "value", "version", "changed_at"]
    list_filter = ["item__sample", "value"]
    list_select_related = ["item__sample", "rater__sample"]
    show_full_result_count = False
    inlines = [ValidationLabelRevisionInline]
