"""A review's report as text, as rows for CSV, and as two LaTeX tables."""

from collections.abc import Iterator
from typing import Any

from annotate.exporters.latex import latex_table
from annotate.wording import counts_text, estimate_line, interval_text, number_text

Report = dict[str, Any]

# The measures of a dimension that stand beside kappa, with whether each is a rate.
MEASURES = {
    "agreement": ("agreement", True),
    "kappa": ("Cohen's kappa", False),
    "expected": ("agreement expected by chance", True),
    "gwet_ac1": ("Gwet's AC1", False),
    "positive": ("agreement on the first answer", True),
    "negative": ("agreement on the second answer", True),
    "prevalence_index": ("prevalence index", False),
}
COLUMNS: dict[str, type] = {
    "table": str,
    "annotators": str,
    "row": str,
    "measure": str,
    "value": float,
    "numerator": float,
    "denominator": float,
    "interval_low": float,
    "interval_high": float,
    "interval_method": str,
    "undefined_reason": str,
    "explanation": str,
}


def report_rows(report: Report) -> Iterator[list[Any]]:
    """Yield one row of `COLUMNS` a number: agreement of each two, joint confirmation, disagreements."""
    for both in report["agreement"]:
        names = f"{both['first']} and {both['second']}"
        for row in both["dimensions"]:
            for measure in MEASURES:
                told = row["explanation"] if measure == "kappa" else ""
                yield ["agreement", names, row["question"], measure, *_numbers(row[measure]), told]
            yield from _used_rows(both, row)
        for measure in ("whole_set", "jaccard"):
            yield ["agreement", names, "acceptability", measure, *_numbers(both["sets"][measure]), ""]
    everybody = ", ".join(report["reviewers"])
    for row in report["confirmation"]["rates"]:
        yield ["confirmation", everybody, row["criterion"], "rate", *_numbers(row["rate"]), row["words"]]
    for part, names_of_part in report["disagreements"].items():
        for name, questions in names_of_part.items():
            for question, rate in questions.items():
                yield [f"disagreements by {part}", everybody, name, question, *_numbers(rate), ""]


def _used_rows(both: Report, row: Report) -> Iterator[list[Any]]:
    """Yield how often each annotator gave each answer: the margins that kappa rests on."""
    for place in ("first", "second"):
        for answer, times in row[f"{place}_used"].items():
            share = times / row["judgements"] if row["judgements"] else None
            rest = [None, None, "", "" if row["judgements"] else row["kappa"]["undefined_reason"], ""]
            measure = f"answered {answer}"
            yield ["agreement", both[place], row["question"], measure, share, times, row["judgements"], *rest]


def report_text(report: Report) -> str:
    """Return the report as plain text for a terminal."""
    return "\n".join(_lines(report))


def _lines(report: Report) -> Iterator[str]:
    yield f"Review {report['review']} of {report['dataset']} version {report['corpus_version']}"
    if report["notice"]:
        yield f"Note: {report['notice']}"
    yield report["what_enters"]
    yield f"Annotators: {', '.join(report['reviewers']) or 'none'}"
    yield f"Pairs: {report['pairs']:,}; judged whole by every annotator: {report['complete_pairs']:,}."
    for both in report["agreement"]:
        yield ""
        yield f"Agreement of {both['first']} and {both['second']}"
        for row in both["dimensions"]:
            yield from _dimension_lines(row)
        yield from _set_lines(both["sets"])
    if not report["agreement"]:
        yield "Agreement needs two annotators or more."
    yield ""
    confirmed = report["confirmation"]
    yield f"Confirmed by every annotator: {confirmed['pairs']:,} pairs, {confirmed['left_out']:,} left out"
    for row in confirmed["rates"]:
        yield "  " + estimate_line(row["words"], row["rate"], rate=True)
    yield ""
    yield f"Confirmed in the opposite direction: {', '.join(report['opposite']) or 'none'}"
    empty = ", ".join(f"{row['pair']} ({row['side']})" for row in report["no_reply"])
    yield f"No acceptable reply: {empty or 'none'}"
    yield f"Questions that somebody was uncertain about: {len(report['uncertain']):,}"
    for row in report["uncertain"]:
        where = f"{row['pair']}, {row['side']} side" if row["side"] else row["pair"]
        yield f"  {where}: {row['question']} ({', '.join(row['reviewers'])})"


def _dimension_lines(row: Report) -> Iterator[str]:
    yield f"  {row['words']}: {row['judgements']:,} judgements, {row['pairs_left_out']:,} pairs left out"
    for measure, (words, is_rate) in MEASURES.items():
        yield "    " + estimate_line(words, row[measure], rate=is_rate, digits=2)
    for place in ("first", "second"):
        used = ", ".join(f"{times:,} {answer}" for answer, times in row[f"{place}_used"].items())
        yield f"    the {place} one's answers: {used}"
    if row["explanation"]:
        yield f"    {row['explanation']}"


def _set_lines(sets: Report) -> Iterator[str]:
    yield (
        f"  sets of replies: {sets['situations']:,} situations; {sets['uncertain']:,} uncertain for "
        f"one of them, which replies and Jaccard leave out; both accept none in {sets['both_empty']:,}"
    )
    yield "    " + estimate_line("agreement on the whole set", sets["whole_set"], rate=True)
    yield "    " + estimate_line("mean Jaccard index", sets["jaccard"], rate=False)


def report_latex(report: Report) -> str:
    """Return both tables as LaTeX, each ready to be put into a document."""
    tables = [_latex_agreement(report, both) for both in report["agreement"]]
    return "\n\n".join([*tables, _latex_confirmation(report)]) + "\n"


def _latex_agreement(report: Report, both: Report) -> str:
    rows = [
        [
            row["words"],
            f"{row['judgements']:,}",
            _per_cent(row["agreement"], digits=2),
            _ends(row["agreement"], rate=True),
            _number(row["kappa"]),
            _ends(row["kappa"], rate=False),
            _number(row["gwet_ac1"]),
            _per_cent(row["positive"], digits=1),
            _per_cent(row["negative"], digits=1),
            _number(row["prevalence_index"]),
        ]
        for row in both["dimensions"]
    ]
    between = "95 % interval"
    head = ["Dimension", "Judgements", "Agreement (%)", between, "Cohen's kappa", between, "Gwet's AC1"]
    head += ["Positive (%)", "Negative (%)", "Prevalence index"]
    caption = f"Agreement of {both['first']} and {both['second']}. A dash is an undefined value."
    caption = f"{caption} {report['notice']}".strip()
    return latex_table(caption, "lrrrrrrrrr", head, rows, list(_latex_notes(report, both)))


def _latex_notes(report: Report, both: Report) -> Iterator[str]:
    yield report["what_enters"]
    yield f"Intervals: 95 %, {report['resamples']:,} resamples of complete pairs, seed {report['seed']}."
    for row in both["dimensions"]:
        if row["explanation"]:
            yield f"{row['words']}: {row['explanation']}"
        for name, (words, _) in MEASURES.items():
            interval = row[name]["interval"]
            if interval and interval["note"]:
                yield f"{row['words']}, {words}: {interval['note']}."
    sets = both["sets"]
    yield (
        f"Situations uncertain for either: {sets['uncertain']:,} of {sets['situations']:,}, left out of the "
        "replies and of the Jaccard index."
    )
    yield estimate_line("Whole set of replies the same", sets["whole_set"], rate=True) + "."
    yield estimate_line("Mean Jaccard index", sets["jaccard"], rate=False) + "."


def _latex_confirmation(report: Report) -> str:
    rows = [
        [
            row["words"],
            counts_text(row["rate"]),
            _per_cent(row["rate"], digits=1),
            _ends(row["rate"], rate=True),
        ]
        for row in report["confirmation"]["rates"]
    ]
    caption = f"Joint confirmation by {' and '.join(report['reviewers'])}. {report['notice']}".strip()
    left_out = f"Pairs not yet judged by all, left out: {report['confirmation']['left_out']:,}."
    notes = [left_out, "The last row is over situations, two a pair. Intervals: Wilson."]
    return latex_table(caption, "lrrr", ["Criterion", "Count", "Rate (%)", "95 % interval"], rows, notes)


def _ends(estimate: Report, *, rate: bool) -> str:
    return interval_text(estimate, rate=rate) if estimate["interval"] else "--"


def _number(estimate: Report) -> str:
    return "--" if estimate["value"] is None else number_text(estimate)


def _per_cent(rate: Report, digits: int) -> str:
    return "--" if rate["value"] is None else f"{100 * rate['value']:.{digits}f}"


def _numbers(estimate: Report) -> list[Any]:
    interval = estimate["interval"] or {"low": None, "high": None, "method": ""}
    return [
        estimate["value"],
        estimate["numerator"],
        estimate["denominator"],
        interval["low"],
        interval["high"],
        interval["method"],
        estimate["undefined_reason"] or estimate["no_interval_reason"],
    ]
