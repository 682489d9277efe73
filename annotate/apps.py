"""People's judgements: corpora, campaigns, labels, consensus, gold releases, agreement."""

from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    """The app of people's judgements."""

    name = "annotate"
    verbose_name = "Annotation"

    def ready(self) -> None:
        """Register the checks of this app."""
        from annotate import checks  # noqa: F401
