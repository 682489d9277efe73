"""Addresses of the API of people's judgements, below /api/v1/."""

from django.urls import path
from rest_framework.routers import SimpleRouter

from annotate.api.pairs import PairViewSet
from annotate.api.reviews import ReviewViewSet
from annotate.api.tokens import SignIn
from annotate.api.validation import OwnAnswerViewSet, OwnSampleViewSet
from annotate.api.views import CampaignViewSet, CorpusViewSet, GoldViewSet, LabelViewSet, WorkViewSet

router = SimpleRouter()
router.register("corpora", CorpusViewSet, basename="api-corpus")
router.register("campaigns", CampaignViewSet, basename="api-campaign")
router.register("gold", GoldViewSet, basename="api-gold")
router.register("reviews", ReviewViewSet, basename="api-review")

MINE = "campaigns/<slug:campaign>/"
OWN = "own-validation/<slug:slug>/"
urlpatterns = [
    path("token/", SignIn.as_view(), name="api-sign-in"),
    path(f"{MINE}next/", WorkViewSet.as_view({"get": "next"}), name="api-next"),
    path(f"{MINE}items/<int:item>/skip/", WorkViewSet.as_view({"post": "skip"}), name="api-skip"),
    path(f"{MINE}items/<int:item>/flag/", WorkViewSet.as_view({"post": "flag"}), name="api-flag"),
    path(f"{MINE}labels/", LabelViewSet.as_view({"get": "list", "post": "create"}), name="api-labels"),
    path(
        f"{MINE}labels/<int:item>/",
        LabelViewSet.as_view({"get": "retrieve", "patch": "partial_update"}),
        name="api-label",
    ),
    path(
        "corpora/<slug:slug>/download.jsonl",
        CorpusViewSet.as_view({"get": "download"}),
        name="api-corpus-file",
    ),
    path("corpora/<slug:slug>/pairs/", PairViewSet.as_view({"get": "list"}), name="api-corpus-pairs"),
    path(
        "corpora/<slug:slug>/pairs/<str:identifier>/",
        PairViewSet.as_view({"get": "retrieve"}),
        name="api-corpus-pair",
    ),
    path(
        "corpora/<slug:slug>/pairs.jsonl",
        PairViewSet.as_view({"get": "download"}),
        name="api-corpus-pairs-file",
    ),
    path(
        "gold/<slug:name>/download.<str:suffix>",
        GoldViewSet.as_view({"get": "download"}),
        name="api-gold-file",
    ),
    path(
        "reviews/<slug:slug>/all-<str:what>.<str:suffix>",
        ReviewViewSet.as_view({"get": "answers"}),
        name="api-review-answers",
    ),
    path(
        "reviews/<slug:slug>/<str:what>-pairs.jsonl",
        ReviewViewSet.as_view({"get": "pairs"}),
        name="api-review-pairs",
    ),
    path("own-validation/", OwnSampleViewSet.as_view({"get": "list"}), name="api-own-samples"),
    path(OWN, OwnSampleViewSet.as_view({"get": "retrieve"}), name="api-own-sample"),
    path(f"{OWN}next/", OwnSampleViewSet.as_view({"get": "next"}), name="api-own-next"),
    path(
        f"{OWN}answers/",
        OwnAnswerViewSet.as_view({"get": "list", "post": "create"}),
        name="api-own-answers",
    ),
    path(f"{OWN}answers/<int:place>/", OwnAnswerViewSet.as_view({"get": "retrieve"}), name="api-own-answer"),
    *router.urls,
]
