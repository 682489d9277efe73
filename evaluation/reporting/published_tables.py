"""What the papers report, as tables to lay beside ours; never among them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.benchpres import published as benchpres
from evaluation.pairpref import published as pairpref
from evaluation.reporting.tables import Column, Row, Table, Unit
from evaluation.targets import Target


@dataclass(frozen=True)
class Published:
    """A table of a paper: its title, the heading of each field shown, its rows, and their digits."""

    title: str
    headings: Mapping[str, str]
    rows: Sequence[object]
    source: str
    digits: int = 1

    def as_table(self) -> Table:
        """Return the table with the numbers as published: counts whole, the rest with its digits."""
        columns = [Column(field, heading, Unit.TEXT) for field, heading in self.headings.items()]
        rows = [
            Row("", _name(row), {field: self._written(getattr(row, field)) for field in self.headings})
            for row in self.rows
        ]
        return Table("published", self.title, columns, rows, self.source)

    def _written(self, value: float | str | None) -> str | None:
        if isinstance(value, float):
            return f"{value:.{self.digits}f}"
        return f"{value:,}" if isinstance(value, int) else value


BENCHPRES = (
    Published(
        "Values that the paper reports",
        {"mr": "MR %", "aar": "AAR %", "gap": "Gap, points", "mr_mitigated": "MR % with mitigation"},
        benchpres.PUBLISHED,
        benchpres.SOURCE,
        digits=2,
    ),
    Published(
        "Reported: task completeness, 1 to 5",
        {"completeness_without": "Without preferences", "completeness_with": "With preferences"},
        benchpres.PUBLISHED,
        benchpres.SOURCE,
        digits=3,
    ),
)
PAIRPREF = (
    Published(
        "Values that the paper reports",
        {
            "use_positive": "Use+ %",
            "use_negative": "Use- %",
            "delta_with_interval": "Delta [95 %]",
            "pair_success": "Pair success %",
            "retained": "Retained pairs",
            "use_both": "Use both %",
            "generation_pair_success": "Gen-OK %",
            "generation_delta": "Generation Delta",
        },
        pairpref.PUBLISHED,
        pairpref.SOURCE,
    ),
    Published(
        "Reported: both tracks on the same pairs",
        {
            "common": "Common pairs",
            "selection_success": "Success in selection",
            "use_both": "Use both",
            "rate": "Rate %",
        },
        pairpref.MATCHES,
        pairpref.SOURCE,
    ),
    Published(
        "Reported: answer-free classifiers",
        {
            "use_positive": "Use+ %",
            "use_negative": "Use- %",
            "delta": "Delta",
            "both_relevant": "Both sides relevant %",
            "both_sufficient": "Both sides sufficient %",
        },
        pairpref.CLASSIFIERS,
        pairpref.SOURCE,
    ),
    Published(
        "Reported: wording",
        {
            "use_negative_nudge": "Use- % nudge",
            "use_negative_bare": "bare",
            "use_negative_mitigate": "mitigate",
            "use_both_nudge": "Use both % nudge",
            "use_both_mitigate": "mitigate",
            "generation_pair_success_mitigate": "Gen-OK % mitigate",
        },
        pairpref.WORDINGS,
        pairpref.SOURCE,
    ),
    Published(
        "Reported: presentation, Use- in selection %",
        {"system_list": "System list", "user_block": "User block", "dialog": "Dialog"},
        pairpref.PRESENTATIONS,
        pairpref.SOURCE,
    ),
)
JUDGES = Published(
    "Values that the paper reports: judges and a person",
    {"agreement": "Agreement %"},
    benchpres.AGREEMENTS,
    benchpres.AGREEMENT_SOURCE,
)
OF_BENCHMARKS: Mapping[str, Sequence[Published]] = {"benchpres": BENCHPRES, "pairpref": PAIRPREF}


def published_tables(benchmark: str) -> list[Table]:
    """Return what the paper of a benchmark reports; none where there is no paper."""
    return [published.as_table() for published in OF_BENCHMARKS.get(benchmark, ())]


def published_agreement(target: str) -> list[Table]:
    """Return what a paper reports of judges and people; none for a target that no paper validated."""
    return [JUDGES.as_table()] if target == Target.LABEL else []


def _name(row: object) -> str:
    """Return the model, the condition or the raters that a row is about."""
    return next(str(getattr(row, name)) for name in ("model", "condition", "raters") if hasattr(row, name))
