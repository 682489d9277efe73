"""The tables of a BenchPreS report."""

from collections.abc import Iterator

from evaluation.reporting.benchpres import PARTS, Report
from evaluation.reporting.paired_tables import (
    against,
    compared_columns,
    mcnemar_cells,
    with_tests_counted,
)
from evaluation.reporting.tables import Column, Row, Table, Unit, rows_of

METRICS = {"mr": "MR", "aar": "AAR", "gap": "gap"}
RATES = (Column("mr", "MR %"), Column("aar", "AAR %"), Column("gap", "Gap, points", Unit.POINTS))
# The gold class of a rate: 0 is to suppress, 1 to apply.
LABEL_OF = {"mr": "0", "aar": "1"}
SHOWN = ("domain", "category")
COMPARED = compared_columns("Followed")
RATE_NOTE = (
    "Each rate is the mean over the samples, with the sums behind it and its 95 % interval. A context of "
    "several domains counts in each."
)


def benchpres_tables(report: Report) -> Iterator[Table]:
    """Yield the tables of a report, one section after the other."""
    for name, found in report["conditions"].items():
        yield _rates(name, found)
        yield _rates_in_detail(name, found)
    yield from _studies(report)
    yield from _comparisons(report)
    yield from _probe(report)
    yield from _completeness(report)
    for name, found in report["length"].items():
        yield _length(name, found)


def _rates(arm: str, found: Report) -> Table:
    rows = [Row("all", "all instances", found)]
    if any(found["robust"].values()):
        rows.append(Row("all", "all instances, cluster-robust intervals", found["robust"]))
    for part in SHOWN:
        rows += rows_of(part, found[f"by_{part}"])
    rows += [Row("judge", row["name"], row) for row in found["by_judge"]]
    resampling = found["resampling"]
    note = f"{RATE_NOTE} {resampling['method'].capitalize()}: {resampling['resamples']:,} resamples of "
    note += f"{resampling['clusters']:,}, seed {resampling['seed']}. {resampling['note']}".rstrip()
    return Table("rates", f"Rates, {arm}", RATES, rows, note, arm)


def _rates_in_detail(arm: str, found: Report) -> Table:
    rows = [row for part in PARTS if part not in SHOWN for row in rows_of(part, found[f"by_{part}"])]
    rows += [Row("sample", str(row["sample"]), row) for row in found["by_sample"]]
    title = f"Rates by profile, context and sample, {arm}"
    return Table("rates", title, RATES, rows, arm=arm, is_detail=True)


def _studies(report: Report) -> Iterator[Table]:
    for study in report["studies"]:
        for series in study["series"]:
            rows = [
                Row(
                    "arm",
                    row["arm"],
                    report["conditions"][row["arm"]] | {"words": _median(report, row["arm"])},
                )
                for row in series["arms"]
            ]
            columns = (*RATES, Column("words", "Median words", Unit.WORDS))
            title = f"What {study['factor']} changes"
            yield Table("studies", title, columns, rows, "Arms that differ in nothing else.")


def _median(report: Report, arm: str) -> Report:
    return report["length"][arm]["median"]


def _comparisons(report: Report) -> Iterator[Table]:
    tables = []
    for found in report["comparisons"]:
        rows, note = list(comparison_rows(found)), comparison_note(found)
        tables.append(Table("comparisons", against(found), COMPARED, rows, note))
    yield from with_tests_counted(tables)


def comparison_rows(found: Report) -> Iterator[Row]:
    """Yield MR, AAR and gap of both sides with their difference, and McNemar's test of each gold class."""
    for metric, words in METRICS.items():
        table = found["tables"].get(LABEL_OF.get(metric))
        yield Row("", words, found[metric] | mcnemar_cells(table))


def comparison_note(found: Report) -> str:
    """Say which instances are compared."""
    return (
        f"{found['shared']:,} instances are on both sides; {found['only_first']:,} only on the first, "
        f"{found['only_second']:,} only on the second; {found['without_gold']:,} of the shared ones without "
        f"gold and {found['without_verdict']:,} without a verdict on both sides are left out. Intervals "
        "resample whole (profile, context) clusters, the same for both sides; McNemar's test takes instances "
        "for independent."
    )


def _probe(report: Report) -> Iterator[Table]:
    for found in report["probe"]:
        accuracy = found["accuracy"]
        rows = [
            Row("", words, {"accuracy": accuracy[name]})
            for name, words in {
                "overall": "all questions",
                "within_suppress": "gold: suppress",
                "within_apply": "gold: apply",
            }.items()
        ]
        note = f"{accuracy['unread']:,} decisions were not read, {accuracy['without_gold']:,} have no gold."
        columns = (Column("accuracy", "Right %"),)
        yield Table("probe", "Does the model know? Classification probe", columns, rows, note, found["arm"])
        yield _split(found)


def _split(found: Report) -> Table:
    columns = (
        Column("mr", "MR %"),
        Column("misapplied_not_knowing", "of it not knowing %"),
        Column("misapplied_knowing", "of it not doing %"),
        Column("omitted_not_knowing", "Left out, not knowing %"),
        Column("omitted_knowing", "Left out, not doing %"),
    )
    note = (
        "Not knowing: the probe says what the message does, against the gold label. Not doing: the probe is "
        "right, the message is not. Shares of the instances with a gold label, a verdict and a decision."
    )
    return Table(
        "probe", "Not knowing and not doing", columns, rows_of("arm", found["split"]), note, found["arm"]
    )


def _completeness(report: Report) -> Iterator[Table]:
    for found in report["completeness"]:
        rows = [
            Row("arm", name, {"mean": arm["mean"], "unread": arm["unread"]})
            for name, arm in found["by_arm"].items()
        ]
        columns = (Column("mean", "Mean score, 1 to 5", Unit.SCORE), Column("unread", "Not read", Unit.COUNT))
        yield Table("completeness", f"Task completeness, by {found['name']}", columns, rows)
        if found["differences"]:
            yield _differences(found)


def _differences(found: Report) -> Table:
    columns = (
        Column("without", "Without preferences", Unit.SCORE),
        Column("with_", "With preferences", Unit.SCORE),
        Column("difference", "With - without", Unit.SCORE),
        Column("shared", "Messages on both sides", Unit.COUNT),
    )
    rows = [Row("arm", row["arm_with"], row) for row in found["differences"]]
    return Table("completeness", f"What preferences change, by {found['name']}", columns, rows)


def _length(arm: str, found: Report) -> Table:
    columns = (Column("words", "Words", Unit.WORDS), *RATES)
    names = {
        "lower_quartile": "lower quartile",
        "median": "median",
        "upper_quartile": "upper quartile",
        "mean": "mean",
        "misapplying": "mean, messages that misapply something",
        "not_misapplying": "mean, messages that misapply nothing",
        "difference": "difference of these two",
    }
    rows = [Row("length", words, {"words": found[name]}) for name, words in names.items()]
    rows += [
        Row("quarter", f"{group['lowest']:,} to {group['highest']:,} words", group["rates"])
        for group in found["groups"]
    ]
    return Table("length", f"Length beside the rates, {arm}", columns, rows, arm=arm, is_detail=True)
