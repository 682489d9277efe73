"""The statements of a labelling step, written out.

One step, saving a label and handing out the next item, runs some fifteen statements. Building each of
them anew from querysets takes ten times as long as running it, so these few are kept as text. SQLite and
PostgreSQL both take them as they stand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import connection

from annotate.models import Annotator, Assignment, Campaign, Context, Item, Label, Preference

# What stands in the statements is the text of this file, never that of a user: hence the marks "S608".
ITEM_FIELDS = tuple(field.attname for field in Item._meta.concrete_fields)
ASSIGNMENT_FIELDS = ("id", "item_id", "annotator_id", "state", "held_until", "changed_at")
ANNOTATOR_FIELDS = tuple(field.attname for field in Annotator._meta.concrete_fields)
CAMPAIGN_FIELDS = tuple(
    field.attname for field in Campaign._meta.concrete_fields if field.name not in {"created_at"}
)
LABEL_FIELDS = ("id", "item_id", "annotator_id", "value", "version", "created_at", "changed_at")
CONTEXT_FIELDS = ("id", "recipient", "task")
PREFERENCE_FIELDS = ("id", "category", "text")
HIGHEST_NUMBER = 2**31 - 1  # that a column of numbers holds


def _columns(**tables: tuple[str, ...]) -> str:
    return ", ".join(f"{alias}.{field}" for alias, fields in tables.items() for field in fields)


ANNOTATOR = _columns(a=ANNOTATOR_FIELDS, c=CAMPAIGN_FIELDS)
ITEM = _columns(i=ITEM_FIELDS, x=CONTEXT_FIELDS, p=PREFERENCE_FIELDS)
TEXTS = "JOIN annotate_context x ON x.id = i.context_id JOIN annotate_preference p ON p.id = i.preference_id"


@dataclass(frozen=True)
class Seat:
    """An annotator's seat and campaign as they are at this moment."""

    pk: int
    campaign_id: int
    seed: int
    cursor: int
    is_active: bool
    state: str
    overlap: int
    label_limit: int | None
    guideline_id: int | None
    guideline_version: int
    item_count: int
    active_seats: int

    @property
    def is_over(self) -> bool:
        """Tell whether the annotator may no longer give or change labels."""
        return self.state == Campaign.State.CLOSED or not self.is_active


def find_seat(user_id: int, slug: str, unless_in: str) -> Annotator | None:
    """Return a user's seat in a campaign, with the campaign; none to members of the group `unless_in`."""
    statement = f"""
        SELECT {ANNOTATOR} FROM annotate_annotator a JOIN annotate_campaign c ON c.id = a.campaign_id
        WHERE a.user_id = %s AND c.slug = %s AND NOT EXISTS (
            SELECT 1 FROM auth_user_groups m JOIN auth_group g ON g.id = m.group_id
            WHERE m.user_id = a.user_id AND g.name = %s)"""  # noqa: S608
    for row in _rows(statement, user_id, slug, unless_in):
        annotator: Annotator = _instance(Annotator, ANNOTATOR_FIELDS, row[: len(ANNOTATOR_FIELDS)])
        annotator.campaign = _instance(Campaign, CAMPAIGN_FIELDS, row[len(ANNOTATOR_FIELDS) :])
        return annotator
    return None


def read_seat(annotator: Annotator, lock: bool = False) -> Seat:
    """Read a seat; with `lock`, let one transaction at a time act for its annotator.

    Items are counted by the highest number, which takes no longer with a million of them.
    """
    statement = """
        SELECT a.id, a.campaign_id, a.seed, a.cursor, a.is_active, c.state, c.overlap, c.label_limit,
               g.id, COALESCE(g.version, 0),
               (SELECT COALESCE(MAX(i.number) + 1, 0) FROM annotate_item i WHERE i.campaign_id = c.id),
               (SELECT COUNT(*) FROM annotate_annotator b WHERE b.campaign_id = c.id AND b.is_active)
        FROM annotate_annotator a
        JOIN annotate_campaign c ON c.id = a.campaign_id
        LEFT JOIN annotate_guideline g ON g.campaign_id = c.id AND g.version = (
            SELECT MAX(v.version) FROM annotate_guideline v WHERE v.campaign_id = c.id)
        WHERE a.id = %s"""
    return Seat(*_rows(_locked(statement, "a") if lock else statement, annotator.pk)[0])


def count_labelled(annotator_id: int) -> int:
    """Count what an annotator has labelled."""
    statement = "SELECT COUNT(*) FROM annotate_assignment WHERE annotator_id = %s AND state = 'labelled'"
    return _rows(statement, annotator_id)[0][0]


def last_labelled(annotator_id: int, count: int) -> list[tuple[datetime, int]]:
    """Return when the annotator last labelled which item numbers, the latest first."""
    statement = """
        SELECT s.changed_at, i.number FROM annotate_assignment s JOIN annotate_item i ON i.id = s.item_id
        WHERE s.annotator_id = %s AND s.state = 'labelled' ORDER BY s.changed_at DESC, s.id DESC LIMIT %s"""
    return [(_as_moment(at), number) for at, number in _rows(statement, annotator_id, count)]


def read_met(seat: Seat, item: Item) -> tuple[Assignment | None, Label | None]:
    """Read and lock the seat's assignment of an item; with it the label there may be."""
    statement = """
        SELECT s.id, s.item_id, s.annotator_id, s.state, l.id, l.item_id, l.annotator_id, l.value, l.version
        FROM annotate_assignment s
        LEFT JOIN annotate_label l ON l.item_id = s.item_id AND l.annotator_id = s.annotator_id
        WHERE s.item_id = %s AND s.annotator_id = %s"""
    for row in _rows(_locked(statement, "s"), item.pk, seat.pk):
        assignment = _instance(Assignment, ASSIGNMENT_FIELDS[:4], row[:4])
        label = _instance(Label, LABEL_FIELDS[:5], row[4:])
        return assignment, label if label.pk else None
    return None, None


def read_held(seat: Seat) -> Assignment | None:
    """Return the item in the annotator's hand."""
    statement = f"""
        SELECT s.id, {ITEM} FROM annotate_assignment s JOIN annotate_item i ON i.id = s.item_id {TEXTS}
        WHERE s.annotator_id = %s AND s.state = 'held'"""  # noqa: S608
    for pk, *item in _rows(statement, seat.pk):
        return _assignment(pk, seat.pk, item, state=Assignment.State.HELD)
    return None


def read_met_number(annotator: Annotator, number: int) -> Assignment | None:
    """Return the annotator's assignment of an item, by the item's number; `None` if they have not met it."""
    if not 0 <= number <= HIGHEST_NUMBER:
        return None
    statement = f"""
        SELECT s.id, s.state, s.changed_at, {ITEM}
        FROM annotate_assignment s JOIN annotate_item i ON i.id = s.item_id {TEXTS}
        WHERE i.campaign_id = %s AND i.number = %s AND s.annotator_id = %s"""  # noqa: S608
    for pk, state, changed_at, *item in _rows(statement, annotator.campaign_id, number, annotator.pk):
        return _assignment(pk, annotator.pk, item, state=state, changed_at=_as_moment(changed_at))
    return None


def find_met_item(annotator: Annotator, number: int) -> Item | None:
    """Return an item that the annotator has met, without its texts."""
    if not 0 <= number <= HIGHEST_NUMBER:
        return None
    statement = """
        SELECT i.id, i.campaign_id, i.number FROM annotate_item i
        JOIN annotate_assignment s ON s.item_id = i.id AND s.annotator_id = %s
        WHERE i.campaign_id = %s AND i.number = %s"""
    for row in _rows(statement, annotator.pk, annotator.campaign_id, number):
        return _instance(Item, ("id", "campaign_id", "number"), row)
    return None


def read_flag(annotator: Annotator, item: Item) -> tuple[str, str] | None:
    """Return the comment of the annotator's latest flag on an item, and the lead's answer or nothing."""
    statement = """
        SELECT comment, resolution FROM annotate_flag
        WHERE item_id = %s AND annotator_id = %s ORDER BY id DESC LIMIT 1"""
    return next(iter(_rows(statement, item.pk, annotator.pk)), None)


def read_unmet(seat: Seat, numbers: Sequence[int]) -> dict[int, Item]:
    """Return those of the numbered items that are open and that the annotator has not met, by number."""
    among = f"AND i.number IN ({', '.join(['%s'] * len(numbers))})"
    return {item.number: item for item in _unmet(among, seat, *numbers)}


def read_any_unmet(seat: Seat, count: int) -> list[Item]:
    """Return the first open items that the annotator has not met."""
    return _unmet("ORDER BY i.number LIMIT %s", seat, count)


def _unmet(end: str, seat: Seat, *values: int) -> list[Item]:
    statement = f"""
        SELECT {ITEM} FROM annotate_item i {TEXTS}
        WHERE i.campaign_id = %s AND i.open_slots > 0 AND i.set_aside = '' AND NOT EXISTS (
            SELECT 1 FROM annotate_assignment s WHERE s.item_id = i.id AND s.annotator_id = %s) {end}"""  # noqa: S608
    return [_item(row) for row in _rows(statement, seat.campaign_id, seat.pk, *values)]


def read_lapsed(annotator: Annotator, now: datetime) -> list[Assignment]:
    """Return what other annotators have held for longer than their lease."""
    statement = """
        SELECT id, item_id FROM annotate_assignment
        WHERE state = 'held' AND held_until <= %s AND annotator_id <> %s"""
    rows = _rows(statement, _moment(now), annotator.pk)
    return [_instance(Assignment, ("id", "item_id"), row) for row in rows]


def take_slot(item_id: int) -> bool:
    """Take one of the item's open slots; tell whether there was one."""
    statement = "UPDATE annotate_item SET open_slots = open_slots - 1 WHERE id = %s AND open_slots > 0"
    return _change(statement, item_id) == 1


def insert_held(seat: Seat, item: Item, until: datetime, now: datetime) -> Assignment:
    """Put an item that the annotator meets for the first time into the annotator's hand."""
    statement = """
        INSERT INTO annotate_assignment (item_id, annotator_id, state, held_until, changed_at)
        VALUES (%s, %s, 'held', %s, %s) RETURNING id"""
    [[pk]] = _rows(statement, item.pk, seat.pk, _moment(until), _moment(now))
    values = (pk, item.pk, seat.pk, Assignment.State.HELD, until, now)
    assignment = _instance(Assignment, ASSIGNMENT_FIELDS, values)
    assignment.item = item
    return assignment


def renew_lease(assignment: Assignment, until: datetime) -> None:
    """Let the annotator keep the item in hand until then."""
    _change("UPDATE annotate_assignment SET held_until = %s WHERE id = %s", _moment(until), assignment.pk)
    assignment.held_until = until


def move_cursor(seat: Seat, place: int) -> None:
    """Remember how far the walk through the annotator's order has come."""
    _change("UPDATE annotate_annotator SET cursor = %s WHERE id = %s", place, seat.pk)


def complete_held(assignment: Assignment, now: datetime) -> None:
    """Turn a hold into a label's assignment."""
    statement = """
        UPDATE annotate_assignment SET state = 'labelled', held_until = NULL, changed_at = %s WHERE id = %s"""
    _change(statement, _moment(now), assignment.pk)


def insert_label(seat: Seat, item: Item, value: int, now: datetime) -> Label:
    """Save a first answer."""
    statement = """
        INSERT INTO annotate_label (item_id, annotator_id, value, version, created_at, changed_at)
        VALUES (%s, %s, %s, 1, %s, %s) RETURNING id"""
    [[pk]] = _rows(statement, item.pk, seat.pk, value, _moment(now), _moment(now))
    label: Label = _instance(Label, LABEL_FIELDS, (pk, item.pk, seat.pk, value, 1, now, now))
    label.item = item
    return label


def insert_revision(label: Label, seat: Seat, token: UUID, saved_by_id: int | None, now: datetime) -> None:
    """Append an answer to the label's history."""
    statement = """
        INSERT INTO annotate_labelrevision
        (label_id, version, value, guideline_id, token, saved_by_id, saved_at)
        VALUES (%s, %s, %s, %s, %s, %s, %s)"""
    values = (label.pk, label.version, label.value, seat.guideline_id, token.hex, saved_by_id, _moment(now))
    _change(statement, *values)


def _assignment(pk: int, annotator_id: int, item: Sequence[Any], **known: Any) -> Assignment:
    fields, values = ("id", "annotator_id", *known), (pk, annotator_id, *known.values())
    assignment: Assignment = _instance(Assignment, fields, values)
    assignment.item = _item(item)
    return assignment


def _item(row: Sequence[Any]) -> Item:
    texts, end = len(ITEM_FIELDS), len(ITEM_FIELDS) + len(CONTEXT_FIELDS)
    item = _instance(Item, ITEM_FIELDS, row[:texts])
    item.context = _instance(Context, CONTEXT_FIELDS, row[texts:end])
    item.preference = _instance(Preference, PREFERENCE_FIELDS, row[end:])
    return item


def _instance(model: Any, fields: Sequence[str], values: Sequence[Any]) -> Any:
    return model.from_db(connection.alias, fields, values)


def _locked(statement: str, alias: str) -> str:
    """Lock the rows of one table. SQLite has no such clause, and its transactions begin with a lock."""
    can_lock = connection.features.has_select_for_update
    return f"{statement} FOR NO KEY UPDATE OF {alias}" if can_lock else statement


def _moment(moment: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)


def _as_moment(found: datetime) -> datetime:
    """Return a moment as Django reads it; SQLite keeps moments in UTC and does not say so."""
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _rows(statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def _change(statement: str, *values: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.rowcount
