"""Machines' answers: endpoints, runs, generations, verdicts, metrics, reports."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """The app of machines' answers."""

    name = "evaluation"
    verbose_name = "Evaluation"
