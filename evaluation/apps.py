"""Machines' answers: endpoints, runs, generations, verdicts, metrics, reports."""

from django.apps import AppConfig


class EvaluationConfig(AppConfig):
    """The app of machines' answers."""

    name = "evaluation"
    verbose_name = "Evaluation"

    def ready(self) -> None:
        """Register the checks of this app."""
        from evaluation import checks  # noqa: F401
