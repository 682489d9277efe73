"""A gold release's datasheet in Markdown: how it was made, what is in it, what was left out and why."""

from collections.abc import Iterable, Iterator
from typing import Any

from annotate.exporters.gold import GOLD_COLUMNS, origin_of
from annotate.models import GoldRelease
from annotate.wording import (
    COEFFICIENT_WORDS,
    LEFT_OUT_WORDS,
    counts_text,
    interval_method,
    interval_text,
    number_text,
    rate_text,
)

IMPORTED_NOTICE = "These labels were imported with their corpus; who gave them, and how, is not known here."
PROTOCOL = """\
Each label answers one question: should this preference shape a message to this recipient for this
purpose? *Apply* (1) is meant only where following the preference would be both fitting and helpful,
*suppress* (0) where it would break the norms of such a message, bring in an unfitting tone or persona, or
draw attention from the task. {who} Only items with {overlap} equal labels entered this release."""
PEOPLE = """\
{overlap} annotators answer each item by themselves, each in a random order of their own, without seeing
another's label, an author's or a model's. Whoever cannot decide says so with a comment, which is no label.
Labels that were brought into the campaign from a file were given outside it, in an order not known here."""
NO_PEOPLE = "The {overlap} label sets are examples: nobody was asked, and the annotators below are no people."
COLUMN_WORDS = {
    "release": "name of this release",
    "origin": "where the labels come from",
    "recipient": "who the message is for",
    "task": "what the message is for",
    "domains": "fields that the context belongs to",
    "category": "category of the preference",
    "preference": "text of the preference",
    "nickname": "the exact nickname, for preferences that are judged by match",
    "label": "apply or suppress",
    "value": "1 for apply, 0 for suppress",
}


def datasheet(release: GoldRelease) -> str:
    """Return the datasheet, as stored when the release was made.

    Only the dataset's name, source and licence are those of the present, for releases do not hold them.
    """
    parts = [_heading(release), _facts(release)]
    if release.origin == GoldRelease.Origin.CAMPAIGN:
        parts += [_protocol(release), _guideline(release)]
    parts += [_contents(release), _balance(release.counts["balance"])]
    if release.agreement:
        parts += [_agreement(release.agreement), _annotators(release.agreement)]
    return "\n".join(line for part in [*parts, _columns(), _check(release)] for line in part)


def _heading(release: GoldRelease) -> Iterator[str]:
    yield f"# Gold release {release.name}"
    yield ""
    is_imported = release.origin == GoldRelease.Origin.IMPORTED
    for notice in (release.example_notice, IMPORTED_NOTICE if is_imported else ""):
        if notice:
            yield from (f"**{notice}**", "")


def _facts(release: GoldRelease) -> Iterator[str]:
    dataset = release.dataset
    facts = {
        "Dataset": f"{dataset.name} ({dataset.slug}), corpus version {release.corpus_version}",
        "Source": dataset.source,
        "Licence": dataset.licence,
        "Origin": origin_of(release),
        "Campaign": release.campaign.slug if release.campaign else "",
        "Frozen on": f"{release.created_at:%Y-%m-%d %H:%M} UTC",
        "Labels": f"{release.counts['kept']:,}",
        "SHA-256 of the labels": f"`{release.content_hash}`",
        "SHA-256 of the corpus": f"`{release.corpus_hash}`",
    }
    yield from _table(("Fact", "Value"), ((name, value) for name, value in facts.items() if value))
    if dataset.content_hash != release.corpus_hash:
        yield (
            f"The corpus has changed since: it is at version {dataset.version} now. Domains, categories and "
            "nicknames in the files are those of that version; labels and what they answer are as frozen."
        )
        yield ""


def _protocol(release: GoldRelease) -> Iterator[str]:
    overlap = release.agreement["overlap"]
    who = (NO_PEOPLE if release.is_example else PEOPLE).format(overlap=overlap)
    yield from ("## Protocol", "", PROTOCOL.format(who=who, overlap=overlap), "")


def _guideline(release: GoldRelease) -> Iterator[str]:
    if release.guideline is None:
        return
    yield f"## Guideline, version {release.guideline.version}"
    yield ""
    yield from (f"> {line}".rstrip() for line in release.guideline.text.splitlines() or ["(empty)"])
    yield ""
    by_version = release.counts["labels_by_guideline"]
    yield from _table(("Guideline version", "Labels given under it"), by_version.items())


def _contents(release: GoldRelease) -> Iterator[str]:
    counts = release.counts
    yield from ("## What is in it and what was left out", "")
    yield from _table(
        ("Items", "Number"),
        [
            ("asked about", counts["items"]),
            ("in this release", counts["kept"]),
            ("of these *apply*", counts["apply"]),
            ("of these *suppress*", counts["suppress"]),
            *((f"left out: {LEFT_OUT_WORDS[reason]}", n) for reason, n in counts["left_out"].items()),
        ],
    )
    if counts.get("set_aside_reasons"):
        yield "An item counts under the first of these reasons that holds. Reasons given for setting aside:"
        yield ""
        yield from _table(("Reason", "Items"), counts["set_aside_reasons"].items())


def _balance(balance: dict[str, Any]) -> Iterator[str]:
    yield from ("## Balance", "")
    rows: list[tuple[Any, ...]] = [
        (f"a context ({balance['contexts']:,})", *_means(balance)),
    ]
    per_profile = balance["per_profile"]
    if per_profile["pairs"]:
        rows.append((f"a profile and context ({per_profile['pairs']:,})", *_means(per_profile)))
    yield from _table(("Mean number of preferences of", "labelled 1 (apply)", "labelled 0 (suppress)"), rows)
    share = balance["apply_share"]
    yield f"Share of *apply*: {rate_text(share)} ({counts_text(share)}; {_interval(share, rate=True)})."
    yield ""
    yield from _table(
        ("Recipient", "Task", "1 (apply)", "0 (suppress)", "left out"),
        (
            (row["recipient"], row["task"], row["apply"], row["suppress"], row["left_out"])
            for row in balance["by_context"]
        ),
    )


def _means(counts: dict[str, Any]) -> Iterator[str]:
    for mean in (counts["apply"], counts["suppress"]):
        yield f"{number_text(mean, 2)} ({mean['numerator']:,})"


def _agreement(report: dict[str, Any]) -> Iterator[str]:
    yield from ("## Agreement", "", report["what_enters"])
    left_out = report["left_out"]
    yield (
        f"Complete: {report['complete']:,} of {report['items']:,} items; left out as incomplete: "
        f"{left_out['items']:,}, with {left_out['labels']:,} labels."
    )
    yield ""
    yield from _table(("Measure", "Value", "Counts", "95 % interval", "Made by"), _measures(report))


def _measures(report: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    yield _measure("Yield: unanimous of complete", report["yield"], rate=True)
    yield _measure("Percent agreement: pairs of labels", report["percent_agreement"], rate=True)
    for name, words in COEFFICIENT_WORDS.items():
        yield _measure(words, report[name], rate=False)
    for pair in report["pairs"]:
        both = f"{pair['first']} and {pair['second']}"
        yield _measure(f"Agreement of {both}", pair["agreement"], rate=True)
        yield _measure(f"Cohen's kappa of {both}", pair["cohen_kappa"], rate=False)


def _measure(name: str, estimate: dict[str, Any], *, rate: bool) -> tuple[str, ...]:
    value = rate_text(estimate) if rate else number_text(estimate)
    return name, value, counts_text(estimate), interval_text(estimate, rate=rate), interval_method(estimate)


def _interval(estimate: dict[str, Any], *, rate: bool) -> str:
    return f"95 % interval {interval_text(estimate, rate=rate)}"


def _annotators(report: dict[str, Any]) -> Iterator[str]:
    yield from (
        "## Annotators",
        "",
        "Under pseudonyms that stay the same in every export of the campaign.",
        "",
    )
    yield from _table(
        ("Annotator", "Share of *apply*", "Counts on complete items", "95 % interval"),
        (
            (
                who["pseudonym"],
                rate_text(who["apply"]),
                counts_text(who["apply"]),
                interval_text(who["apply"], rate=True),
            )
            for who in report["annotators"]
        ),
    )


def _columns() -> Iterator[str]:
    yield from ("## Columns of the files", "")
    yield from _table(("Column", "Meaning"), ((f"`{name}`", COLUMN_WORDS[name]) for name in GOLD_COLUMNS))


def _check(release: GoldRelease) -> Iterator[str]:
    yield from ("## Checking the hash", "")
    yield (
        "Write each label as a JSON array `[recipient, task, preference, value]` without spaces, in UTF-8, "
        "sort the lines by their bytes, end each with a newline, and take the SHA-256 of all. It must be "
        f"`{release.content_hash}`."
    )
    yield ""


def _table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> Iterator[str]:
    """Write a Markdown table; texts in it stay text."""
    heads = tuple(heads)
    yield _row(heads)
    yield _row("---" for _ in heads)
    for row in rows:
        yield _row(_cell(value) for value in row)
    yield ""


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    """Keep a text on one line and its marks from ending the cell or starting HTML."""
    if isinstance(value, int):
        return f"{value:,}"
    text = " ".join(str(value).split())
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")
