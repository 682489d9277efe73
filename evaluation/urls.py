"""Addresses of machines' answers: runs and their reports."""

from django.urls import path

from evaluation.views import archive, comparison, generations, runs

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
]
