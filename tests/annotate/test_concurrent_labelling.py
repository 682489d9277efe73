"""Many annotators at once, in real threads on a real database: never one label too many, none lost."""

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from threading import Barrier
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Count, F, Q
from django.test import Client
from django.utils import timezone

from annotate.actions.assigning import next_item
from annotate.actions.label_import import import_labels
from annotate.actions.labelling import (
    AlreadyLabelled,
    ItemCompleted,
    StaleLabel,
    flag_item,
    skip_item,
    submit_label,
)
from annotate.actions.slots import LEASE
from annotate.importers.labels import LabelRow
from annotate.models import Annotator, Assignment, Campaign, Item, Label, LabelRevision
from annotate.problems import Problem
from tests.annotate.factories import make_campaign

pytestmark = pytest.mark.django_db(transaction=True)

FIELD = re.compile(r'name="(item|version|token|guideline)" value="([^"]*)"')
ALL_LEASES_ENDED = LEASE + timedelta(minutes=1)


def at_once[T](work: Callable[[T], object], things: Sequence[T]) -> list[object]:
    """Run the work on every thing in a thread of its own, all beginning at the same moment."""
    start = Barrier(len(things))

    def run(thing: T) -> object:
        start.wait()
        try:
            return work(thing)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(things)) as pool:
        return list(pool.map(run, things))


def check_counts(campaign: Campaign) -> None:
    """Hold the slots against the assignments and labels that they stand for."""
    taking = Q(assignments__state__in=["held", "labelled"])
    items = campaign.items.annotate(taken=Count("assignments", filter=taking))
    assert not items.exclude(open_slots=F("overlap") - F("taken")).exists()
    assert not campaign.items.annotate(given=Count("labels")).filter(given__gt=F("overlap")).exists()
    labelled = Assignment.objects.filter(annotator__campaign=campaign, state="labelled")
    assert labelled.count() == Label.objects.filter(annotator__campaign=campaign).count()
    assert LabelRevision.objects.filter(version=F("label__version")).count() == Label.objects.count()


def label_everything(seat: Annotator) -> int:
    count = 0
    while assignment := next_item(seat):
        submit_label(seat, assignment.item, count % 2, version=0, token=uuid4())
        count += 1
    return count


def test_eight_annotators_fill_every_item_exactly():
    campaign = make_campaign(contexts=5, preferences=6, overlap=3, annotators=8)
    counts = at_once(label_everything, list(campaign.annotators.all()))
    assert sum(counts) == 5 * 6 * 3
    check_counts(campaign)
    assert not campaign.items.exclude(open_slots=0).exists()


def label_everything_by_forms(seat: Annotator) -> int:
    """Send each form twice, as a double click does, until the page shows none."""
    client = Client()
    client.force_login(seat.user)
    page = client.get("/campaigns/round-1/label/").content.decode()
    count = 0
    while form := dict(FIELD.findall(page)):
        for _ in range(2):
            answer = client.post(
                "/campaigns/round-1/label/", form | {"answer": "apply"}, headers={"HX-Request": "true"}
            )
            assert answer.status_code == 200
        page, count = answer.content.decode(), count + 1
    return count


def test_eight_annotators_who_click_twice_fill_every_item_exactly():
    campaign = make_campaign(contexts=4, preferences=5, overlap=3, annotators=8)
    counts = at_once(label_everything_by_forms, list(campaign.annotators.all()))
    assert sum(counts) == LabelRevision.objects.count() == 4 * 5 * 3
    check_counts(campaign)


def test_ten_annotators_on_one_item():
    campaign = make_campaign(contexts=1, preferences=1, overlap=3, annotators=10)
    assignments = at_once(next_item, list(campaign.annotators.all()))
    assert sum(assignment is not None for assignment in assignments) == 3
    check_counts(campaign)


def label_restlessly(seat: Annotator) -> None:
    """Label with double submits, skips, flags, walks away from leases, and forms that come too late."""
    chance = random.Random(seat.pk)
    late: list[Item] = []
    while assignment := next_item(seat, timezone.now() + chance.choice([timedelta(), ALL_LEASES_ENDED])):
        item, token = assignment.item, uuid4()
        with suppress(AlreadyLabelled):  # where an import came first
            match chance.randrange(6):
                case 0:
                    skip_item(seat, item)
                case 1:
                    skip_item(seat, item)
                    late.append(item)
                case 2 if chance.random() < 0.3:
                    flag_item(seat, item, "Hard to say.", token)
                case _:
                    submit_twice(seat, item, token)
        if late and chance.random() < 0.5:
            submit_twice(seat, late.pop(), uuid4())


def submit_twice(seat: Annotator, item: Item, token) -> None:
    """Send a form two times, as a double click does; it may come too late."""
    for _ in range(2):
        try:
            submit_label(seat, item, 1, version=0, token=token)
        except (ItemCompleted, StaleLabel):
            return


def test_restless_annotators_never_exceed_the_overlap_and_leave_nothing_undone():
    campaign = make_campaign(contexts=4, preferences=5, overlap=3, annotators=9)
    at_once(label_restlessly, list(campaign.annotators.all()))
    check_counts(campaign)
    for seat in campaign.annotators.all():  # what the last to leave gave back is still to be had
        label_everything(seat)
    check_counts(campaign)
    unfinished = campaign.items.exclude(open_slots=0)
    flags = Counter(Assignment.objects.filter(state="flagged").values_list("item_id", flat=True))
    assert all(flags[item.pk] >= 9 - 3 for item in unfinished)


def import_what_is_held(campaign: Campaign) -> None:
    """Bring in labels on what annotators hold at the moment; a file that comes too late is refused."""
    for _ in range(60):
        held = Assignment.objects.filter(annotator__campaign=campaign, state="held")
        held = held.select_related("annotator", "item__context", "item__preference")
        rows = [
            LabelRow(
                found.annotator.pseudonym, context.recipient, context.task, found.item.preference.text, 1
            )
            for found in held
            for context in [found.item.context]
        ]
        with suppress(Problem):
            import_labels(campaign, rows)


def test_imports_beside_restless_annotators_never_exceed_the_overlap():
    campaign = make_campaign(contexts=5, preferences=8, overlap=3, annotators=6)
    annotators = [partial(label_restlessly, seat) for seat in campaign.annotators.all()]
    at_once(lambda work: work(), [*annotators, *[partial(import_what_is_held, campaign)] * 2])
    check_counts(campaign)


def test_one_annotator_in_many_windows_holds_one_item():
    campaign = make_campaign(contexts=3, preferences=3, overlap=3, annotators=1)
    seat = campaign.annotators.get()
    assignments = at_once(next_item, [seat] * 8)
    assert len({assignment.pk for assignment in assignments}) == 1
    check_counts(campaign)


def test_one_form_sent_eight_times_at_once_saves_once():
    campaign = make_campaign(contexts=1, preferences=1, overlap=3, annotators=1)
    seat, token = campaign.annotators.get(), uuid4()
    item = next_item(seat).item
    labels = at_once(lambda _: submit_label(seat, item, 1, version=0, token=token), range(8))
    assert len({label.pk for label in labels}) == 1
    assert LabelRevision.objects.count() == 1
    check_counts(campaign)


def test_eight_windows_with_different_answers_save_one_and_tell_the_others():
    campaign = make_campaign(contexts=1, preferences=1, overlap=3, annotators=1)
    seat = campaign.annotators.get()
    item = next_item(seat).item

    def answer(window: int) -> bool:
        try:
            submit_label(seat, item, window % 2, version=0, token=uuid4())
        except StaleLabel:
            return False
        return True

    assert sum(at_once(answer, range(8))) == 1
    assert LabelRevision.objects.count() == 1
    check_counts(campaign)
