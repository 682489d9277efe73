"""How far judges are validated, as plain data and as a small table."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaluation.reporting.plain import plain
from evaluation.reporting.tables import Cell, Column, Report, Row, Table, Unit
from evaluation.validation.card import Card
from evaluation.validation.judge import Known

COLUMNS = (
    Column("agreement", "Agreement %"),
    Column("kappa", "Cohen's kappa", Unit.SCORE),
    Column("sensitivity", "Sensitivity %"),
    Column("specificity", "Specificity %"),
    Column("items", "Items", Unit.COUNT),
    Column("people", "People", Unit.COUNT),
    Column("sample", "Sample", Unit.TEXT),
    Column("dataset", "Dataset", Unit.TEXT),
    Column("state", "State", Unit.TEXT),
)
NOTE = (
    "Each judge against the median of people's answers, in every sample that the same judge has judged: the "
    "same address, model, parameters and prompt. Sensitivity is how often it says yes where people do, "
    "specificity how often no where they do; each item counts once, however many it stands for."
)


def described(found: Iterable[Known]) -> list[Report]:
    """Return what is known of judges, ready for JSON; rates go from 0 to 1."""
    return [
        {
            "judge": known.judge.name,
            "model": known.judge.endpoint.get("model"),
            "duty": known.judge.duty,
            "target": known.judge.target,
            "is_validated": known.is_validated,
            "words": known.words,
            "cards": [_card(card) for card in known.cards],
        }
        for known in found
    ]


def cards_table(named: Mapping[str, Iterable[Report]]) -> Table:
    """Return the table of judges as `described` has them, by the run that they are of, which may be empty."""
    rows = [row for run, judges in named.items() for judge in judges for row in _rows(run, judge)]
    return Table("judge_cards", "Judges against people", COLUMNS, rows, NOTE, is_detail=True)


def _card(card: Card) -> Report:
    return plain(card) | {"standing": card.standing, "words": card.words}


def _rows(run: str, judge: Report) -> Iterator[Row]:
    name = f"{f'{run}: ' if run else ''}{judge['judge']}, {judge['target']}"
    if not judge["cards"]:
        yield Row("", name, {"state": judge["words"]})
    for card in judge["cards"]:
        yield Row("", name, {**_cells(card, card["overall"]), "state": _state(card)})
        for part, found in card["by_part"].items():
            if found["items"]:
                yield Row("", f"{name}, {part}", _cells(card, found))


def _cells(card: Report, found: Report) -> dict[str, Cell]:
    return {**found, "people": card["people"], "sample": card["sample"], "dataset": card["dataset"]}


def _state(card: Mapping[str, Any]) -> str:
    return f"{card['standing']}{', labelling is open' if card['is_open'] else ''}"
