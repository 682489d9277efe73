"""The guideline of each question that comes with the project, in Markdown."""

from pathlib import Path

from annotate.validation import Question

FOLDER = Path(__file__).parent


def usual_guideline(question: str) -> str:
    """Return what annotators are told about a question, to start from.

    Raises:
        ValueError: if there is no such question.
    """
    return (FOLDER / f"{Question(question).value}.md").read_text(encoding="utf-8")
