"""The guideline of each question that comes with the project."""

from django.conf import settings

from annotate.validation import Question


def usual_guideline(question: str) -> str:
    """Return in Markdown what annotators are told about a question, to start from."""
    name = f"{Question(question).value}.md"
    return (settings.BASE_DIR / "fixtures" / "validation-guidelines" / name).read_text(encoding="utf-8")
