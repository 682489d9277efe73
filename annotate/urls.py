"""Addresses of people's work: labelling, campaigns, gold releases."""

from django.urls import URLPattern, path

from annotate.views import campaigns, corpora, gold, labelling, review_report, reviewing, settling

urlpatterns: list[URLPattern] = [
    path("corpora/", corpora.corpus_list, name="corpus-list"),
    path("corpora/<slug:slug>/", corpora.corpus, name="corpus"),
    path("corpora/<slug:slug>/download.jsonl", corpora.corpus_download, name="corpus-download"),
    path("", labelling.home, name="home"),
    path("campaigns/", campaigns.campaign_list, name="campaign-list"),
    path("new-campaign/", campaigns.campaign_new, name="campaign-new"),
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:slug>/settings/", campaigns.campaign_settings, name="campaign-settings"),
    path("campaigns/<slug:slug>/all-labels.<suffix>", campaigns.campaign_labels, name="campaign-labels"),
    path("campaigns/<slug:slug>/flags/<int:flag>/answer/", settling.answer_flag, name="flag-answer"),
    path("campaigns/<slug:slug>/items/<int:number>/set-aside/", settling.set_aside, name="item-set-aside"),
    path("campaigns/<slug:slug>/items/<int:number>/take-back/", settling.take_back, name="item-take-back"),
    path("campaigns/<slug:slug>/set-aside/", settling.set_aside_many, name="campaign-set-aside"),
    path("campaigns/<slug:slug>/held/<int:assignment>/release/", settling.release_held, name="held-release"),
    path("campaigns/<slug:slug>/freeze/", settling.freeze, name="campaign-freeze"),
    path("campaigns/<slug:slug>/guideline/", settling.revise, name="campaign-guideline"),
    path("campaigns/<slug:slug>/annotators/", settling.seat, name="campaign-annotators"),
    path("campaigns/<slug:slug>/annotators/end/", settling.end, name="seat-end"),
    path("campaigns/<slug:slug>/annotators/take-up/", settling.take_up, name="seat-take-up"),
    path("campaigns/<slug:slug>/close/", settling.close, name="campaign-close"),
    path("campaigns/<slug:slug>/reopen/", settling.reopen, name="campaign-reopen"),
    path("gold/", gold.gold_list, name="gold-list"),
    path("gold/<slug:name>/", gold.gold_release, name="gold-release"),
    path("gold/<slug:name>/verify/", gold.gold_verify, name="gold-verify"),
    path("gold/<slug:name>/download.<suffix>", gold.gold_download, name="gold-download"),
    path("reviews/<slug:slug>/report/", review_report.report, name="review-report"),
    path("reviews/<slug:slug>/report.<suffix>", review_report.report_file, name="review-report-file"),
    path(
        "reviews/<slug:slug>/disagreements-by-<str:part>-<str:theme>.svg",
        review_report.report_figure,
        name="review-figure",
    ),
    path("reviews/<slug:slug>/situations/", reviewing.situations, name="review-situations"),
    path("reviews/<slug:slug>/pairs/", reviewing.pairs, name="review-pairs"),
    path("reviews/<slug:slug>/own-answers/", reviewing.own_answers_page, name="own-review"),
    path("campaigns/<slug:slug>/label/", labelling.label, name="label"),
    path("campaigns/<slug:slug>/labels/", labelling.own_labels_page, name="own-labels"),
]
