"""Answers of a review that were given elsewhere, brought in by a file: all of them or none."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from annotate.actions.reviewing import append_revision, checked_answers
from annotate.blinding import ReviewOrder
from annotate.importers.fields import Seen
from annotate.importers.reviews import AnswerRow
from annotate.judgements import SITUATION_QUESTIONS, Key, questions_on
from annotate.models import Judgement, Review, ReviewedPair, Reviewer, Sheet
from annotate.problems import Problem
from annotate.sheets import Given, Page

type Answers = dict[Key, tuple[str, str]]  # answer and comment by question and side
type PageKey = tuple[str, str, str]  # annotator, pair, side (empty for a pair of the second pass)
type SheetKey = tuple[int, int, str]  # the same by ids of reviewer and reviewed pair


@dataclass(frozen=True)
class ReviewImport:
    """What an import of answers did, in pages."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0


@dataclass(frozen=True)
class FilePage:
    """A page as the file has it: every save, oldest first, with the row that a problem would name."""

    seat: Reviewer
    page: Page
    versions: list[dict[Key, Given]]
    rows: list[AnswerRow]

    @property
    def key(self) -> SheetKey:
        """Return what a stored sheet of the same page is known by."""
        return self.seat.pk, self.page.pair.pk, self.page.side

    @property
    def plain(self) -> list[Answers]:
        """Return the answers of each save."""
        return [{key: (each.answer, each.comment) for key, each in given.items()} for given in self.versions]


@dataclass
class Saved:
    """What the review holds already: the sheets, and the answers of each save, oldest first."""

    sheets: dict[SheetKey, Sheet]
    answers: dict[SheetKey, list[Answers]] = field(default_factory=dict)


@transaction.atomic
def import_reviews(
    review: Review, rows: Sequence[AnswerRow], saved_by: User | None = None, *, accept_changes: bool = False
) -> ReviewImport:
    """Save the answers of a file in the review; the same file again changes nothing.

    1. Every row must name an active seat and a pair of the review; each save of a page has its three
       questions. Where the reviewer has an account, places and orders must be the reviewer's own.
    2. Of pages that are there already, saves that the file adds after the present one are appended; of
       pages that the file has otherwise, its last save is.
    3. Both are changes, refused unless `accept_changes`; the earlier answers are kept.
    4. Nobody may end up with a pair of the second pass before the first is whole.
    """
    # Seats before the review, as in closing it, so that neither waits for the other.
    seats = {seat.pseudonym: seat for seat in review.reviewers.select_for_update(no_key=True).order_by("pk")}
    _refuse_closed(review)
    pages = list(_pages(review, rows, seats))
    saved = _saved(review)
    _refuse_places_given_twice(pages, saved)
    outcomes = Counter(_bring(page, saved, saved_by, accept_changes) for page in pages)
    _refuse_second_pass_first(review, {page.seat.pk for page in pages})
    return ReviewImport(**outcomes)


def _refuse_closed(review: Review) -> None:
    if Review.objects.select_for_update().get(pk=review.pk).state == Review.State.CLOSED:
        raise Problem(f"Review {review} is closed; answers can no longer be given or changed.")


def _pages(review: Review, rows: Sequence[AnswerRow], seats: dict[str, Reviewer]) -> Iterator[FilePage]:
    """Group the rows into pages, in the order in which they first stand in the file."""
    pairs = {row.pair.identifier: row for row in review.reviewed_pairs.select_related("pair")}
    found: dict[PageKey, list[AnswerRow]] = {}
    for row in rows:
        _refuse_unknown(review, row, "annotator", row.annotator, seats)
        _refuse_unknown(review, row, "pair", row.pair, pairs)
        side = row.side if row.question in SITUATION_QUESTIONS else ""
        found.setdefault((row.annotator, row.pair, side), []).append(row)
    orders = {name: OwnOrder(seat, len(pairs)) for name, seat in seats.items() if seat.user_id}
    for (annotator, pair, side), of_page in found.items():
        if not seats[annotator].is_active:
            expected = f"an active seat; take up that of {annotator} first"
            of_page[0].at.refuse("field annotator", f"{annotator!r}, whose seat has ended", expected)
        yield _file_page(seats[annotator], pairs[pair], side, of_page, orders.get(annotator))


def _refuse_unknown(
    review: Review, row: AnswerRow, name: str, found: str, known: Mapping[str, object]
) -> None:
    if found not in known:
        listed = ", ".join(sorted(known)[:5]) + (", ..." if len(known) > 5 else "")
        row.at.refuse(f"field {name}", repr(found), f"one of review {review}: {listed}")


class OwnOrder:
    """The places at which a reviewer with an account meets each page, and the orders on it."""

    def __init__(self, seat: Reviewer, pairs: int) -> None:
        self.order = ReviewOrder(seat.seed, pairs)
        self.places: dict[tuple[int, str], int] = {
            **{self.order.situation_at(place): place for place in range(2 * pairs)},
            **{(self.order.pair_at(place), ""): place for place in range(pairs)},
        }

    def page(self, pair: ReviewedPair, side: str) -> Page:
        """Return the page as the reviewer meets it."""
        shown = {} if side else self.order.shown(pair.number)
        return Page(pair, side, self.places[pair.number, side], shown)


def _file_page(
    seat: Reviewer, pair: ReviewedPair, side: str, rows: list[AnswerRow], own: OwnOrder | None
) -> FilePage:
    """Read a page: its saves, and place and orders as the file gives them or as they are the reviewer's."""
    by_version = groupby(sorted(rows, key=lambda row: row.version), key=lambda row: row.version)
    saves = [list(save) for _, save in by_version]
    page = own.page(pair, side) if own else _page_of_file(pair, side, rows)
    _refuse_superseded(saves[-1])
    now = timezone.now()
    for row in rows:
        if row.saved_at and row.saved_at > now:
            row.at.refuse("field saved_at", row.saved_at.isoformat(), "a time that has passed")
        place = None if page.place is None else page.place + 1
        if row.place not in (None, place):
            row.at.refuse("field place", str(row.place), f"{place}, where {seat.pseudonym} has the page")
        shown = page.shown.get(row.side or "sides", ())
        if row.shown and tuple(shown) != row.shown:
            row.at.refuse(
                "field shown", ", ".join(row.shown), f"{', '.join(shown)}, as {seat.pseudonym} saw it"
            )
    return FilePage(seat, page, [_answers(side, save) for save in saves], [save[0] for save in saves])


def _refuse_superseded(last: Sequence[AnswerRow]) -> None:
    """Refuse a page of which the file leaves out the answers that hold at present."""
    for row in last:
        if row.is_present is False:
            found = f"only answers that {row.annotator} changed later"
            row.at.refuse("field is_present", found, "the answers that hold as well")


def _page_of_file(pair: ReviewedPair, side: str, rows: list[AnswerRow]) -> Page:
    """Return the page with the place and the orders that its rows give first."""
    place = next((row.place for row in rows if row.place is not None), None)
    shown: dict[str, Sequence[str]] = {}
    for row in rows:
        if row.shown:
            shown.setdefault(row.side or "sides", row.shown)
    return Page(pair, side, None if place is None else place - 1, shown)


def _answers(side: str, rows: Sequence[AnswerRow]) -> dict[Key, Given]:
    """Return the answers of one save of a page; refuse one that is not whole."""
    found: dict[Key, AnswerRow] = {}
    for row in rows:
        key = (row.question, row.side)
        if key in found:
            twice = f"{row.question} again, as in {found[key].at}"
            row.at.refuse("field question", twice, "each question once a version")
        found[key] = row
    if missing := [key for key in questions_on(side) if key not in found]:
        names = ", ".join(" ".join(part for part in key if part) for key in missing)
        page = f"a page of {rows[0].annotator} on {rows[0].pair} without {names}"
        rows[0].at.refuse("", page, "all three questions")
    given = [Given(row.question, row.side, row.answer, row.comment) for row in found.values()]
    return checked_answers(side, given)


def _saved(review: Review) -> Saved:
    """Read every sheet of a review with the answers of each save."""
    sheets = Sheet.objects.filter(reviewer__review=review).select_related("reviewer")
    saved = Saved({(sheet.reviewer_id, sheet.pair_id, sheet.side): sheet for sheet in sheets})
    judgements = Judgement.objects.filter(revision__sheet__reviewer__review=review)
    sheet_of = ("revision__sheet__reviewer_id", "revision__sheet__pair_id", "revision__sheet__side")
    values = judgements.order_by("revision__version").values_list(
        *sheet_of, "revision__version", "question", "side", "answer", "comment"
    )
    saves: dict[SheetKey, dict[int, Answers]] = {}
    for reviewer, pair, side, version, question, about, answer, comment in values:
        answers = saves.setdefault((reviewer, pair, side), {}).setdefault(version, {})
        answers[question, about] = (answer, comment)
    saved.answers = {key: list(versions.values()) for key, versions in saves.items()}
    return saved


def _refuse_places_given_twice(pages: Sequence[FilePage], saved: Saved) -> None:
    """Refuse a place that an annotator has another page at, in the file or saved, in the same pass."""
    taken = {(sheet.reviewer_id, bool(sheet.side), sheet.place): key for key, sheet in saved.sheets.items()}
    seen: Seen[tuple[str, str, int]] = Seen("place", lambda key: f"{key[2]} of {key[0]}")
    for one in pages:
        place, row, which = one.page.place, one.rows[0], "situation" if one.page.side else "pair"
        if place is None:
            continue
        _refuse_beyond(one, place)
        seen.add((one.seat.pseudonym, which, place + 1), row.at)
        if taken.get((one.seat.pk, bool(one.page.side), place), one.key) != one.key:
            row.at.refuse("field place", str(place + 1), "a place without another page saved at it")


def _refuse_beyond(one: FilePage, place: int) -> None:
    """Refuse a place that the pass does not have."""
    pairs = one.page.pair.review.reviewed_pairs.count()
    total = 2 * pairs if one.page.side else pairs
    if place >= total:
        one.rows[0].at.refuse("field place", str(place + 1), f"at most {total}, the pages of the pass")


def _bring(one: FilePage, saved: Saved, saved_by: User | None, accept_changes: bool) -> str:
    """Bring one page to what the file says; tell whether it was added, changed or unchanged."""
    there, new = saved.answers.get(one.key, []), one.plain
    if there and new[-1] == there[-1]:
        return "unchanged"
    if there and not accept_changes:
        found = f"other answers than those saved for {one.seat.pseudonym} on {one.page.pair.pair}"
        one.rows[-1].at.refuse("", found, "the same ones, or --accept-changes")
    first = len(there) if new[: len(there)] == there else len(new) - 1
    sheet = saved.sheets.get(one.key)
    for given, row in list(zip(one.versions, one.rows, strict=True))[first:]:
        at = row.saved_at or timezone.now()
        sheet = append_revision(one.seat, one.page, given, sheet, uuid4(), saved_by, at)
    return "changed" if there else "added"


def _refuse_second_pass_first(review: Review, seats: set[int]) -> None:
    """Refuse pairs of the second pass whose reviewer has not judged every situation by itself before."""
    situations = 2 * review.reviewed_pairs.count()
    counted = review.reviewers.filter(pk__in=seats).annotate(
        first=Count("sheets", filter=~Q(sheets__side="")), second=Count("sheets", filter=Q(sheets__side=""))
    )
    for seat in counted:
        if seat.second and seat.first < situations:
            raise Problem(
                f"With this file {seat.pseudonym} would have {seat.second} pairs of the second pass and "
                f"{seat.first} of {situations} situations of the first; expected all situations before "
                "any pair. Nothing was imported."
            )
