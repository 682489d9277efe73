"""Making a run in the admin, and starting, holding and ending it from its page and from the admin."""

import pytest
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Run
from tests.annotate.factories import make_user
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.factories import finish_run, make_corpus, make_endpoint, make_release, make_run

pytestmark = pytest.mark.django_db
ADD = "admin:evaluation_run_add"


@pytest.fixture
def lead(client):
    user = make_user("lea", "lead")
    user.is_staff = True
    user.save()
    client.force_login(user)
    return client


def plan(release, endpoint, /, **changes):
    fields = {
        "release": release.pk,
        "endpoint": endpoint.pk,
        "judges": [endpoint.pk],
        "conditions": ["default"],
        "samples": 2,
        "temperatures": "1",
        "reasoning": ["as it is"],
        "orders": ["corpus"],
        "profiles": "",
        "contexts": "",
        "seed": 5,
    }
    return fields | changes


def press(client, run, verb):
    return client.post(reverse("run-control", args=[run.pk, verb]), follow=True)


def test_a_lead_makes_a_run_and_sees_its_calls_before_anything_is_asked(lead):
    release, endpoint = make_release(make_corpus()), make_endpoint()
    page = lead.post(reverse(ADD), plan(release, endpoint), follow=True)
    run = Run.objects.get()
    assert page.redirect_chain[0][0] == reverse("run", args=[run.pk])
    assert (run.state, run.samples, run.seed, run.created_by.username) == ("planned", 2, 5, "lea")
    assert (
        "Starting makes 16 calls: 8 to the model and\n          8 for verdicts. 8 more verdicts" in page.text
    )
    assert run.calls.count() == 0


def test_profiles_and_contexts_can_be_fewer(lead):
    release, endpoint = make_release(make_corpus()), make_endpoint()
    lead.post(reverse(ADD), plan(release, endpoint, profiles=1, contexts=1, samples=1))
    assert Run.objects.get().generations.count() == 1


def test_a_category_can_have_judges_of_its_own(lead):
    release, endpoint, judge = make_release(make_corpus()), make_endpoint(), make_endpoint("judge")
    lead.post(reverse(ADD), plan(release, endpoint, judges=[], judges_0=[judge.pk]))
    assert list(Run.objects.get().judges.values_list("endpoint__name", "category")) == [("judge", "tone")]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"judges": []}, "No judge is named for tone"),
        ({"conditions": []}, "This field is required"),
        ({"samples": 0}, "greater than or equal to 1"),
        ({"samples": 1001}, "less than or equal to 1000"),
        ({"seed": 2**63}, "less than or equal to 9223372036854775807"),
        ({"release": 999}, "Select a valid choice"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_words_and_nothing_is_made(lead, changes, words):
    release, endpoint = make_release(make_corpus()), make_endpoint()
    assert words in lead.post(reverse(ADD), plan(release, endpoint, **changes)).text
    assert not Run.objects.exists()


def test_with_several_corpora_the_first_question_is_which(lead):
    make_release(make_corpus("one"))
    make_release(make_corpus("two"))
    assert 'href="?dataset=two&amp;benchmark=benchpres"' in lead.get(reverse(ADD)).text
    page = lead.get(reverse(ADD), {"dataset": "two"}).text
    assert "two-1" in page
    assert "one-1" not in page


def test_without_a_corpus_the_page_says_what_comes_first(lead):
    assert "There is no corpus yet" in lead.get(reverse(ADD)).text


def test_a_run_is_started_paused_resumed_and_cancelled_from_its_page(lead):
    run = make_run()
    for verb, state in [
        ("start", "running"),
        ("pause", "paused"),
        ("resume", "running"),
        ("cancel", "cancelled"),
    ]:
        press(lead, run, verb)
        run.refresh_from_db()
        assert run.state == state


def test_a_page_offers_what_the_state_allows(lead):
    offered = {}
    for state in Run.State:
        page = lead.get(reverse("run", args=[make_run_in(state).pk])).text
        offered[state.value] = [
            verb for verb in ("start", "pause", "resume", "cancel") if f"/{verb}/" in page
        ]
    assert offered == {
        "planned": ["start", "cancel"],
        "running": ["pause", "resume", "cancel"],
        "paused": ["resume", "cancel"],
        "stopped": ["resume", "cancel"],
        "cancelled": [],
        "done": [],
    }


def test_a_running_run_is_resumed_only_where_nobody_works_on_it(lead):
    run = make_run(state="running")
    run.shards.update(state="running", heartbeat_at=timezone.now())
    assert "/resume/" not in lead.get(reverse("run", args=[run.pk])).text


def make_run_in(state):
    release = make_release(make_corpus(f"corpus-{state}"))
    return make_run(release, endpoint=make_endpoint(f"m-{state}"), judges=[], state=state)


def test_a_button_that_came_too_late_says_so_and_changes_nothing(lead):
    run = finish_run(make_run())
    assert f"Run {run.pk} is done; expected one that is" in press(lead, run, "pause").text
    run.refresh_from_db()
    assert run.state == "done"


def test_a_link_cannot_start_a_run(lead):
    run = make_run()
    assert lead.get(reverse("run-control", args=[run.pk, "start"])).status_code == 405


def test_an_unknown_control_is_not_found(lead):
    assert press(lead, make_run(), "explode").status_code == 404


def test_an_annotator_can_neither_make_nor_start_a_run(client):
    user = make_user("ana", "annotator")
    user.is_staff = True
    user.save()
    client.force_login(user)
    run = make_run()
    assert client.get(reverse(ADD)).status_code == 403
    assert press(client, run, "start").status_code == 403
    run.refresh_from_db()
    assert run.state == "planned"


def test_the_admin_starts_the_selected_runs_and_leads_to_their_pages(lead):
    run = make_run()
    listing = reverse("admin:evaluation_run_changelist")
    assert f'href="{reverse("run", args=[run.pk])}"' in lead.get(listing).text
    page = lead.post(listing, {"action": "start_runs", "_selected_action": [run.pk]}, follow=True)
    run.refresh_from_db()
    assert run.state == "running"
    assert f"Run {run.pk} is running." in page.text


def test_a_run_cannot_be_edited_or_removed_in_the_admin(lead):
    run = make_run()
    assert lead.get(reverse("admin:evaluation_run_change", args=[run.pk])).status_code == 200
    assert lead.post(reverse("admin:evaluation_run_change", args=[run.pk]), {"samples": 9}).status_code == 403
    assert (
        lead.post(reverse("admin:evaluation_run_delete", args=[run.pk]), {"post": "yes"}).status_code == 403
    )


def test_a_lead_makes_a_pairpref_run_in_the_admin(lead):
    dataset, endpoint = make_pair_dataset(), make_endpoint()
    fields = {
        "endpoint": endpoint.pk,
        "judges": [endpoint.pk],
        "tracks": ["selection", "preference_only"],
        "controls": ["full"],
        "presentations": ["system_list"],
        "wordings": ["nudge"],
        "procedures": ["direct"],
        "reasoning": ["as it is"],
        "samples": 1,
        "seed": 3,
        "pairs": 2,
    }
    address = f"{reverse(ADD)}?dataset={dataset.slug}&benchmark=pairpref"
    assert "Only pairs confirmed in" in lead.get(address).text
    page = lead.post(address, fields, follow=True)
    run = Run.objects.get()
    assert (run.benchmark, run.generations.count()) == ("pairpref", 2 * 2 + 2)
    assert "Starting makes 6 calls" in page.text


def test_a_lead_makes_a_construction_run_in_the_admin(lead):
    dataset, endpoint = make_pair_dataset(preferences=1), make_endpoint()
    fields = {
        "endpoint": endpoint.pk,
        "verifier": endpoint.pk,
        "screener": endpoint.pk,
        "categories": ["occasion"],
        "tiers": ["clean"],
        "samples": 2,
        "seed": 3,
    }
    address = f"{reverse(ADD)}?dataset={dataset.slug}&benchmark=construction"
    assert "which verifies" in lead.get(address).text
    lead.post(address, fields, follow=True)
    run = Run.objects.get()
    assert (run.benchmark, run.generations.count()) == ("construction", 2)


def test_numbers_with_commas_are_several_and_words_are_refused(lead):
    release, endpoint = make_release(make_corpus()), make_endpoint()
    page = lead.post(reverse(ADD), plan(release, endpoint, densities="1, many"))
    assert "expected numbers with commas between" in page.text
    lead.post(reverse(ADD), plan(release, endpoint, densities="1, 2", temperatures="0,1"))
    assert len(Run.objects.get().arms) == 4
