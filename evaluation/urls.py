"""Addresses of machines' answers: runs, their reports, and judges against people."""

from django.urls import path

from evaluation.views import (
    archive,
    comparison,
    generations,
    runs,
    validation,
    validation_actions,
    validation_disagreements,
    validation_drawing,
)

urlpatterns = [
    path("runs/", runs.run_list, name="run-list"),
    path("runs/<int:pk>/", runs.run_page, name="run"),
    path("runs/<int:pk>/report.<str:suffix>", runs.run_report_file, name="run-report"),
    path("runs/<int:pk>/archive.zip", archive.run_archive, name="run-archive"),
    path("runs/<int:pk>/figures/<slug:name>-<slug:theme>.<slug:suffix>", runs.run_figure, name="run-figure"),
    path("runs/<int:pk>/generations/", generations.generation_list, name="run-generations"),
    path("runs/<int:pk>/generations/<int:unit>/", generations.generation, name="run-generation"),
    path("runs/<int:pk>/generations/<int:unit>/against/", generations.other_run, name="other-run"),
    path(
        "runs/<int:pk>/generations/<int:unit>/against/<int:other>/",
        generations.unit_comparison,
        name="unit-comparison",
    ),
    path("runs/<int:first>/against/", comparison.choose_comparison, name="choose-comparison"),
    path("runs/<int:first>/against/<int:second>/", comparison.comparison_page, name="comparison"),
    path(
        "runs/<int:first>/against/<int:second>/comparison.<str:suffix>",
        comparison.comparison_file,
        name="comparison-file",
    ),
    path(
        "runs/<int:first>/against/<int:second>/figures/<slug:name>-<slug:theme>.<slug:suffix>",
        comparison.comparison_figure,
        name="comparison-figure",
    ),
    path("runs/<int:pk>/limits/", runs.run_limits, name="run-limits"),
    path("runs/<int:pk>/collect/", runs.collect, name="run-collect"),
    path("runs/<int:pk>/<slug:verb>/", runs.run_control, name="run-control"),
    path("runs/<int:pk>/validation/new/", validation_drawing.validation_new, name="validation-new"),
    path("validation/", validation.sample_list, name="validation-samples"),
    path("validation/<slug:slug>/", validation.sample_page, name="validation-sample"),
    path("validation/<slug:slug>/report.<str:suffix>", validation.report_file, name="validation-report"),
    path(
        "validation/<slug:slug>/corrected.<str:suffix>",
        validation.corrected_rates_file,
        name="validation-corrected",
    ),
    path("validation/<slug:slug>/all-<str:what>.<str:suffix>", validation.rows_file, name="validation-rows"),
    path(
        "validation/<slug:slug>/disagreements/",
        validation_disagreements.disagreement_list,
        name="validation-disagreements",
    ),
    path("validation/<slug:slug>/close/", validation_actions.close, name="validation-close"),
    path("validation/<slug:slug>/reopen/", validation_actions.reopen, name="validation-reopen"),
    path("validation/<slug:slug>/raters/", validation_actions.seat, name="validation-seat"),
    path("validation/<slug:slug>/raters/end/", validation_actions.end, name="validation-end"),
    path("validation/<slug:slug>/raters/take-up/", validation_actions.take_up, name="validation-take-up"),
    path("validation/<slug:slug>/import/", validation_actions.import_labels, name="validation-import"),
    path("validation/<slug:slug>/judge/", validation_actions.judge, name="validation-judge"),
]
