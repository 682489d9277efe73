"""Handing out items and saving what annotators answer, without a browser."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.actions.assigning import next_item
from annotate.actions.campaigns import close_campaign, revise_guideline
from annotate.actions.labelling import (
    LONGEST_COMMENT,
    AlreadyLabelled,
    ItemCompleted,
    StaleLabel,
    flag_item,
    skip_item,
    submit_label,
)
from annotate.actions.settling import resolve_flag, set_aside_item
from annotate.actions.slots import LEASE, release_item
from annotate.models import Annotator, Assignment, Campaign, Flag, Item, Label, LabelRevision
from annotate.own_work import minutes_left, progress_of
from annotate.problems import Problem
from tests.annotate.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(contexts=2, preferences=3, overlap=2, annotators=3)


@pytest.fixture
def ana(campaign) -> Annotator:
    return campaign.annotators.get(pseudonym="A1")


@pytest.fixture
def ben(campaign) -> Annotator:
    return campaign.annotators.get(pseudonym="A2")


@pytest.fixture
def cem(campaign) -> Annotator:
    return campaign.annotators.get(pseudonym="A3")


def answer(annotator: Annotator, item: Item, value: int = 1, version: int = 0) -> Label:
    return submit_label(annotator, item, value, version=version, token=uuid4())


def label_next(annotator: Annotator, value: int = 1) -> Item | None:
    assignment = next_item(annotator)
    if assignment is None:
        return None
    answer(annotator, assignment.item, value)
    return assignment.item


def open_slots(item: Item) -> int:
    return Item.objects.get(pk=item.pk).open_slots


class TestNextItem:
    def test_gives_every_item_once_and_then_nothing(self, ana):
        numbers = [item.number for item in iter(lambda: label_next(ana), None)]
        assert sorted(numbers) == [0, 1, 2, 3, 4, 5]
        assert next_item(ana) is None

    def test_gives_the_same_item_until_it_is_answered(self, ana):
        first, again = next_item(ana), next_item(ana)
        assert first == again
        assert open_slots(first.item) == 1

    def test_renews_the_lease_of_the_item_in_hand(self, ana):
        first = next_item(ana)
        later = timezone.now() + LEASE
        assert next_item(ana, later).held_until == later + LEASE
        assert first.held_until < later + LEASE

    def test_leaves_out_what_is_full(self, ana, ben, cem):
        done = {label_next(ana).number for _ in range(6)} and {label_next(ben).number for _ in range(6)}
        assert done == {0, 1, 2, 3, 4, 5}
        assert next_item(cem) is None

    def test_comes_back_to_an_item_that_was_full_when_passed(self, ana, ben, cem):
        for annotator in (ana, ben):
            while label_next(annotator):
                pass
        assert next_item(cem) is None
        held = Assignment.objects.filter(annotator=ben, item__number=3)
        held.update(state="held", held_until=timezone.now())
        release_item(held.get())
        assert next_item(cem).item.number == 3

    def test_ends_the_leases_of_others(self, ana, ben, cem):
        while label_next(cem):
            pass
        taken = next_item(ana)
        later = timezone.now() + LEASE + timedelta(seconds=1)
        next_item(ben, later)
        taken.refresh_from_db()
        assert (taken.state, taken.held_until) == ("skipped", None)

    def test_brings_skipped_items_last_and_the_oldest_first(self, ana):
        skipped = []
        for _ in range(2):
            item = next_item(ana).item
            skip_item(ana, item)
            skipped.append(item.number)
        rest = [label_next(ana).number for _ in range(4)]
        assert not set(rest) & set(skipped)
        assert [label_next(ana).number for _ in range(2)] == skipped

    def test_leaves_out_what_is_set_aside_even_in_hand(self, ana):
        in_hand = next_item(ana).item
        set_aside_item(in_hand, "borderline")
        assert next_item(ana).item != in_hand
        assert open_slots(in_hand) == 2
        numbers = [item.number for item in iter(lambda: label_next(ana), None)]
        assert len(numbers) == 5

    def test_stops_at_the_limit(self, campaign, ana):
        campaign.label_limit = 2
        campaign.save()
        assert [label_next(ana) is None for _ in range(3)] == [False, False, True]

    def test_stops_in_a_closed_campaign_and_without_a_seat(self, campaign, ana, ben):
        ben.is_active = False
        ben.save()
        assert next_item(ben) is None
        close_campaign(campaign)
        assert next_item(ana) is None

    def test_finds_the_last_open_items_of_a_long_campaign(self):
        """The walk in the own order gives up after some thousand full items; the rest is found anyway."""
        campaign = make_campaign(contexts=70, preferences=50, overlap=1, annotators=2, slug="long")
        campaign.items.exclude(number__in=[17, 2718]).update(open_slots=0)
        seat = campaign.annotators.get(pseudonym="A1")
        assert {label_next(seat).number, label_next(seat).number} == {17, 2718}
        assert next_item(seat) is None

    def test_gives_annotators_different_orders_that_can_be_recovered(self, ana, ben):
        orders = []
        for annotator in (ana, ben):
            shown = [item.number for item in iter(lambda seat=annotator: label_next(seat), None)]
            met = annotator.assignments.order_by("pk").values_list("item__number", flat=True)
            assert list(met) == shown
            orders.append(shown)
        assert orders[0] != orders[1]


class TestSubmitLabel:
    def test_saves_the_answer_with_its_trail(self, campaign, ana):
        revise_guideline(campaign, "A clearer text.")
        item = next_item(ana).item
        label = submit_label(ana, item, 0, version=0, token=uuid4(), saved_by=ana.user)
        revision = label.revisions.get()
        assert (label.value, label.version) == (0, 1)
        assert (revision.value, revision.version, revision.saved_by) == (0, 1, ana.user)
        assert revision.guideline.version == 2
        assert item.assignments.get().state == "labelled"
        assert open_slots(item) == 1

    def test_a_form_sent_twice_saves_once(self, ana):
        item, token = next_item(ana).item, uuid4()
        labels = [submit_label(ana, item, 1, version=0, token=token) for _ in range(2)]
        assert labels[0] == labels[1]
        assert LabelRevision.objects.count() == 1
        assert open_slots(item) == 1

    def test_a_form_sent_twice_with_another_answer_is_refused(self, ana):
        item, token = next_item(ana).item, uuid4()
        submit_label(ana, item, 1, version=0, token=token)
        with pytest.raises(Problem, match="sent before"):
            submit_label(ana, item, 0, version=0, token=token)
        assert Label.objects.get().value == 1

    def test_a_token_of_another_item_is_refused(self, ana):
        item, token = next_item(ana).item, uuid4()
        submit_label(ana, item, 1, version=0, token=token)
        with pytest.raises(Problem, match="sent before"):
            submit_label(ana, next_item(ana).item, 1, version=0, token=token)

    def test_a_change_keeps_the_earlier_answer(self, ana):
        item = next_item(ana).item
        answer(ana, item, 1)
        label = answer(ana, item, 0, version=1)
        assert (label.value, label.version) == (0, 2)
        assert list(label.revisions.values_list("version", "value")) == [(1, 1), (2, 0)]
        assert open_slots(item) == 1

    @pytest.mark.parametrize("version", [0, 2])
    def test_a_stale_form_is_told_so(self, ana, version):
        item = next_item(ana).item
        answer(ana, item, 1)
        with pytest.raises(StaleLabel, match="your answer is 'apply'"):
            answer(ana, item, 0, version=version)
        assert Label.objects.get().value == 1

    def test_a_form_that_shows_a_label_where_there_is_none_is_stale(self, ana):
        with pytest.raises(StaleLabel, match="no answer of yours"):
            answer(ana, next_item(ana).item, 1, version=1)

    def test_after_the_lease_ran_out_an_open_slot_is_taken_again(self, ana, ben):
        assignment = next_item(ana)
        next_item(ben, timezone.now() + LEASE + timedelta(seconds=1))
        answer(ana, assignment.item)
        assignment.refresh_from_db()
        assert assignment.state == "labelled"

    def test_after_the_lease_ran_out_no_label_goes_beyond_the_overlap(self, ana, ben, cem):
        assignment = next_item(ana)
        release_item(assignment)
        for annotator in (ben, cem):
            answer(annotator, assignment.item)
        with pytest.raises(ItemCompleted, match="others have completed it"):
            answer(ana, assignment.item)
        assert assignment.item.labels.count() == 2

    def test_an_answer_that_is_none_is_refused(self, ana):
        with pytest.raises(Problem, match="expected 1"):
            answer(ana, next_item(ana).item, 2)

    def test_a_closed_campaign_takes_neither_labels_nor_changes(self, campaign, ana, ben):
        item = next_item(ana).item
        answer(ana, item)
        close_campaign(campaign)
        for annotator, version in ((ana, 1), (ben, 0)):
            with pytest.raises(Problem, match="closed"):
                answer(annotator, item, 0, version=version)

    def test_the_limit_holds_for_an_old_form_too(self, campaign, ana):
        campaign.label_limit = 1
        campaign.save()
        first = next_item(ana)
        release_item(first)
        answer(ana, next_item(ana).item)
        with pytest.raises(Problem, match="most that one annotator gives"):
            answer(ana, first.item)

    def test_removing_an_account_keeps_its_labels(self, ana):
        answer(ana, next_item(ana).item)
        ana.user.delete()
        label = Label.objects.get()
        assert label.annotator.pseudonym == "A1"
        assert label.revisions.get().saved_by is None

    def test_the_database_itself_refuses_one_label_too_many(self, campaign):
        item = campaign.items.first()
        for slots in (-1, 3):
            with pytest.raises(IntegrityError), transaction.atomic():
                Item.objects.filter(pk=item.pk).update(open_slots=slots)


class TestSkipAndFlag:
    def test_skipping_gives_the_slot_back_once(self, ana):
        item = next_item(ana).item
        for _ in range(2):
            skip_item(ana, item)
        assert open_slots(item) == 2

    def test_a_flag_is_no_label_and_gives_the_slot_back(self, ana):
        item, token = next_item(ana).item, uuid4()
        flags = [flag_item(ana, item, "  Is a clerk formal? ", token) for _ in range(2)]
        assert flags[0] == flags[1]
        assert Flag.objects.get().comment == "Is a clerk formal?"
        assert open_slots(item) == 2
        assert not Label.objects.exists()
        assert item not in list(iter(lambda: label_next(ana), None))

    def test_a_flag_needs_a_comment(self, ana):
        item = next_item(ana).item
        with pytest.raises(Problem, match="comment is empty"):
            flag_item(ana, item, " \n", uuid4())
        assert open_slots(item) == 1

    def test_a_flagged_item_may_be_labelled_after_all(self, ana):
        item = next_item(ana).item
        flag_item(ana, item, "Hard.", uuid4())
        answer(ana, item)
        assert open_slots(item) == 1
        assert item.assignments.get().state == "labelled"

    def test_an_answered_flag_brings_the_item_back(self, ana):
        item = next_item(ana).item
        resolve_flag(flag_item(ana, item, "Hard.", uuid4()), "Think of the reader.")
        assert item in list(iter(lambda: label_next(ana), None))

    def test_a_label_is_neither_skipped_nor_flagged_away(self, ana):
        item = next_item(ana).item
        answer(ana, item)
        for act in (lambda: skip_item(ana, item), lambda: flag_item(ana, item, "Hard.", uuid4())):
            with pytest.raises(AlreadyLabelled):
                act()
        assert open_slots(item) == 1


class TestOwnWork:
    def test_progress_counts_the_own_share(self, ana):
        label_next(ana)
        progress = progress_of(ana)
        assert (progress.done, progress.share) == (1, 4)  # 6 items x 2 labels / 3 annotators
        assert progress.minutes_left is None

    def test_time_left_follows_the_median_and_forgets_pauses(self):
        now = timezone.now()
        seconds = [0, 10, 20, 4000, 4012]  # gaps 10, 10, a pause, 12
        times = [now - timedelta(seconds=second) for second in seconds]
        assert minutes_left(times, 60) == 10
        assert minutes_left(times, 0) is None
        assert minutes_left(times[:2], 60) is None


class TestPages:
    @pytest.fixture
    def client(self, client, ana):
        client.force_login(ana.user)
        return client

    def form(self, client, **changes):
        context = client.get("/campaigns/round-1/label/").context
        return {
            "item": context["item"].number,
            "version": context["version"],
            "token": context["token"],
            "guideline": context["seat"].guideline_version,
            "answer": "apply",
        } | changes

    @pytest.mark.parametrize("number", ["9" * 10, "9" * 30, "9" * 5_000, "-1", "\u00b2", "\u0661"])
    def test_no_item_has_such_a_number(self, client, number):
        assert client.get("/campaigns/round-1/label/", {"item": number}).status_code == 404

    @pytest.mark.parametrize("number", ["9" * 10, "9" * 30, f"-{'9' * 30}"])
    def test_no_answer_is_on_an_item_of_such_a_number(self, client, number):
        form = self.form(client, item=number)
        assert client.post("/campaigns/round-1/label/", form).status_code == 404

    def test_a_comment_that_is_too_long_is_refused_in_words(self, client):
        form = self.form(client, answer="flag", comment="x" * (LONGEST_COMMENT + 1))
        response = client.post("/campaigns/round-1/label/", form)
        assert (response.status_code, Flag.objects.count()) == (409, 0)
        assert "The comment has 5,001 characters; expected 5,000 at most." in response.content.decode()

    def test_a_comment_is_kept_without_what_a_database_cannot_hold(self, client):
        form = self.form(client, answer="flag", comment="Hard\0 to say.")
        assert client.post("/campaigns/round-1/label/", form).status_code == 302
        assert Flag.objects.get().comment == "Hard to say."

    def test_without_javascript_an_answer_leads_to_the_next_item(self, client):
        form = self.form(client)
        response = client.post("/campaigns/round-1/label/", form)
        assert (response.status_code, response["Location"]) == (302, "/campaigns/round-1/label/")
        page = client.get("/campaigns/round-1/label/")
        assert page.context["item"].number != form["item"]
        assert "1 of 4" in page.content.decode()

    def test_with_htmx_the_next_item_comes_at_once_and_is_small(self, client):
        form = self.form(client)
        response = client.post("/campaigns/round-1/label/", form, headers={"HX-Request": "true"})
        assert response.status_code == 200
        assert len(response.content) < 8_000
        assert "<html" not in response.content.decode()
        assert response.context["item"].number != form["item"]

    def test_pages_are_never_stored(self, client):
        for path in ("label/", "labels/"):
            assert client.get(f"/campaigns/round-1/{path}")["Cache-Control"] == "no-store"
        assert client.get("/")["Cache-Control"] == "no-store"

    def test_a_stale_form_shows_the_item_as_it_stands(self, client, ana):
        form = self.form(client)
        client.post("/campaigns/round-1/label/", form)
        response = client.post("/campaigns/round-1/label/", form | {"token": uuid4(), "answer": "suppress"})
        assert response.status_code == 409
        assert response.context["item"].number == form["item"]
        assert response.context["version"] == 1
        assert "Not saved: this form was out of date" in response.content.decode()
        assert Label.objects.get().value == 1

    @pytest.mark.parametrize("htmx", [False, True])
    def test_an_ended_session_leads_to_sign_in_and_says_what_was_not_saved(self, client, htmx):
        form = self.form(client)
        client.logout()
        headers = {"HX-Request": "true"} if htmx else {}
        response = client.post("/campaigns/round-1/label/", form, headers=headers)
        address = response["HX-Redirect" if htmx else "Location"]
        assert address == "/accounts/login/?next=/campaigns/round-1/label/"
        page = client.get(address)
        assert "Not saved: your session had ended" in page.content.decode()
        assert not Label.objects.exists()

    def test_an_item_not_met_cannot_be_opened_or_answered(self, client, campaign):
        form = self.form(client)
        other = campaign.items.exclude(number=form["item"]).first().number
        assert client.get(f"/campaigns/round-1/label/?item={other}").status_code == 404
        assert client.get("/campaigns/round-1/label/?item=x").status_code == 404
        assert client.post("/campaigns/round-1/label/", form | {"item": other}).status_code == 404

    def test_a_form_of_another_making_is_refused(self, client):
        assert client.post("/campaigns/round-1/label/", {"answer": "apply"}).status_code == 400

    def test_a_stranger_finds_no_campaign(self, client, campaign):
        client.force_login(make_user("stranger"))
        for path in ("label/", "labels/"):
            assert client.get(f"/campaigns/round-1/{path}").status_code == 404

    def test_a_new_guideline_is_shown_with_the_next_item(self, client, campaign):
        form = self.form(client)
        revise_guideline(campaign, "A **clearer** <b>text</b>.")
        response = client.post("/campaigns/round-1/label/", form, headers={"HX-Request": "true"})
        page = response.content.decode()
        assert "The guideline has changed. This is version 2." in page
        assert "A <strong>clearer</strong> &lt;b&gt;text&lt;/b&gt;." in page

    def test_skip_and_flag_work_as_forms(self, client, ana):
        first = self.form(client, answer="skip")
        client.post("/campaigns/round-1/label/", first)
        second = self.form(client, answer="flag", comment="Which clerk?")
        client.post("/campaigns/round-1/label/", second)
        third = client.get("/campaigns/round-1/label/").context["item"].number
        states = ana.assignments.order_by("pk").values_list("item__number", "state")
        assert list(states) == [(first["item"], "skipped"), (second["item"], "flagged"), (third, "held")]
        assert "Which clerk?" in client.get("/campaigns/round-1/labels/").content.decode()

    def test_texts_of_the_corpus_are_never_markup(self, client, campaign):
        text = "<script>alert(1)</script>"
        campaign.dataset.preferences.filter(position=0).update(text=text)
        while (assignment := next_item(campaign.annotators.get(pseudonym="A1"))) is not None:
            page = client.get("/campaigns/round-1/label/").content.decode()
            assert text not in page
            answer(assignment.annotator, assignment.item)
        assert text not in client.get("/campaigns/round-1/labels/").content.decode()
        assert "&lt;script&gt;" in client.get("/campaigns/round-1/labels/").content.decode()

    def test_home_shows_the_own_work(self, client):
        client.post("/campaigns/round-1/label/", self.form(client))
        page = client.get("/").content.decode()
        assert "1 of 4" in page
        assert "Go on labelling" in page

    def test_the_done_page_says_so(self, client, campaign):
        close_campaign(campaign)
        page = client.get("/campaigns/round-1/label/").content.decode()
        assert "Done for today" in page
        assert "The campaign is closed." in page
