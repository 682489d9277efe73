"""An agreement report as text for a terminal."""

from collections.abc import Iterator
from typing import Any

from annotate.wording import COEFFICIENT_WORDS, estimate_line


def agreement_text(report: dict[str, Any]) -> str:
    """Return the report as plain text, with what entered, what was left out and every interval."""
    return "\n".join(_lines(report))


def _lines(report: dict[str, Any]) -> Iterator[str]:
    yield f"Campaign {report['campaign']}"
    if report["notice"]:
        yield f"Note: {report['notice']}"
    yield report["what_enters"]
    left_out = report["left_out"]
    yield (
        f"Complete: {report['complete']:,} of {report['items']:,} items ({report['overlap']} labels each); "
        f"left out as incomplete: {left_out['items']:,}, with {left_out['labels']:,} labels."
    )
    yield ""
    yield estimate_line("Yield (unanimous of complete)", report["yield"], rate=True)
    yield estimate_line("Percent agreement (pairs of labels)", report["percent_agreement"], rate=True)
    for name, words in COEFFICIENT_WORDS.items():
        yield estimate_line(words, report[name], rate=False)
    yield from _pair_lines(report["pairs"])
    yield ""
    for annotator in report["annotators"]:
        yield "  " + estimate_line(f"{annotator['pseudonym']} said apply", annotator["apply"], rate=True)


def _pair_lines(pairs: list[dict[str, Any]]) -> Iterator[str]:
    for pair in pairs:
        yield ""
        one, two, left_out = pair["first"], pair["second"], pair["left_out"]
        yield f"{one} and {two} (complete items not labelled by both: {left_out:,})"
        yield "  " + estimate_line("agreement", pair["agreement"], rate=True)
        yield "  " + estimate_line("Cohen's kappa", pair["cohen_kappa"], rate=False)
