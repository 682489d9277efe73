"""Addresses of the API of machines' answers, below /api/v1/."""

from django.urls import path
from rest_framework.routers import SimpleRouter

from evaluation.api.archive import ArchiveView
from evaluation.api.comparison import ComparisonView
from evaluation.api.generations import GenerationsView, MessagesView
from evaluation.api.validation import OffersView, RaterViewSet, SampleViewSet
from evaluation.api.views import AddedPromptViewSet, EndpointViewSet, RunViewSet

router = SimpleRouter()
router.register("endpoints", EndpointViewSet, basename="api-endpoint")
router.register("prompts", AddedPromptViewSet, basename="api-prompt")
router.register("runs", RunViewSet, basename="api-run")
router.register("validation", SampleViewSet, basename="api-sample")

RATERS = "validation/<slug:slug>/raters/"
urlpatterns = [
    path(
        "runs/<int:pk>/report.<str:suffix>",
        RunViewSet.as_view({"get": "report_file"}),
        name="api-run-report-file",
    ),
    path(
        "runs/<int:pk>/figures/<slug:name>-<slug:theme>.<slug:suffix>",
        RunViewSet.as_view({"get": "figure"}),
        name="api-run-figure",
    ),
    path("runs/<int:pk>/archive.zip", ArchiveView.as_view(), name="api-run-archive"),
    path("runs/<int:pk>/generations/", GenerationsView.as_view(), name="api-run-generations"),
    path("runs/<int:pk>/generations/<int:unit>/", MessagesView.as_view(), name="api-run-messages"),
    path(
        "runs/<int:first_run>/against/<int:second_run>/", ComparisonView.as_view(), name="api-run-comparison"
    ),
    path("runs/<int:pk>/offers/", OffersView.as_view(), name="api-run-offers"),
    path(
        "validation/<slug:slug>/report.<str:suffix>",
        SampleViewSet.as_view({"get": "report_file"}),
        name="api-sample-report-file",
    ),
    path(
        "validation/<slug:slug>/all-<str:what>.<str:suffix>",
        SampleViewSet.as_view({"get": "rows_file"}),
        name="api-sample-rows",
    ),
    path(RATERS, RaterViewSet.as_view({"post": "create"}), name="api-raters"),
    path(f"{RATERS}end/", RaterViewSet.as_view({"post": "end"}), name="api-rater-end"),
    path(f"{RATERS}take-up/", RaterViewSet.as_view({"post": "take_up"}), name="api-rater-take-up"),
    *router.urls,
]
