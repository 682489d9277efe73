"""Answers are readable: paged and filtered, one with all that was sent, two runs side by side."""

import html
from itertools import product

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from annotate.models import GoldLabel
from evaluation.actions import create_run
from evaluation.asking import asking
from evaluation.generations.queries import SHOWS, Filters, filtered, whole
from evaluation.generations.shown import show
from evaluation.models import Verdict
from tests.annotate.factories import make_user
from tests.annotate.review_factories import make_pair_dataset
from tests.evaluation.factories import (
    add_call,
    end_generation,
    finish_run,
    give_verdict,
    make_corpus,
    make_endpoint,
    make_release,
    make_run,
)

pytestmark = pytest.mark.django_db

HOSTILE = "Dear <script>alert(1)</script>\n\n  two lines down & indented"


@pytest.fixture
def lead(client):
    client.force_login(make_user("lea", "lead"))
    return client


def list_of(client, run, **filters):
    return client.get(reverse("run-generations", args=[run.pk]), filters)


def unit_page(client, row):
    return client.get(reverse("run-generation", args=[row.run_id, row.pk]))


def against(client, row, other, **given):
    return client.get(reverse("unit-comparison", args=[row.run_id, row.pk, other.pk]), given)


def units_on(response):
    return [one.row.pk for one in response.context["shown"]]


def pair_run(**options):
    """Two pairs, both sides in selection and generation, judged by two judges."""
    judges = [(make_endpoint(name), "") for name in ("judge-of-pairs", "second-judge-of-pairs")]
    dataset, endpoint = make_pair_dataset(preferences=1, pairs=2), make_endpoint("subject-of-pairs")
    return create_run(benchmark="pairpref", dataset=dataset, endpoint=endpoint, judges=judges, **options)


def varied_run():
    """Make a run of two judges of the tone that say everything that two judges can say."""
    run = make_run(judges=[make_endpoint("first-judge"), make_endpoint("second-judge")], samples=5)
    first, second = run.judges.order_by("pk")
    values = list(product((0, 1, None), repeat=2))
    for place, row in enumerate(run.generations.order_by("pk")):
        end_generation(row)
        one, two = values[place % len(values)]
        give_verdict(row, "tone", one, judge=first)
        give_verdict(row, "tone", two, judge=second, outcome="failed" if place % 2 else "planned", reason="")
        give_verdict(row, "nickname", place % 2)
    return run


def addresses(run):
    row = run.generations.first()
    return [
        reverse("run-generations", args=[run.pk]),
        reverse("run-generation", args=[run.pk, row.pk]),
        reverse("other-run", args=[run.pk, row.pk]) + f"?run={run.pk}",
        reverse("unit-comparison", args=[run.pk, row.pk, run.pk]),
    ]


def test_a_lead_sees_every_page(lead):
    assert [lead.get(address).status_code for address in addresses(make_run())] == [200, 200, 302, 200]


def test_an_annotator_sees_none(client):
    client.force_login(make_user("ana", "annotator"))
    assert {client.get(address).status_code for address in addresses(make_run())} == {403}


def test_a_visitor_is_sent_to_sign_in(client):
    for address in addresses(make_run()):
        assert client.get(address).url.startswith(reverse("login"))


def test_the_run_leads_to_its_answers(lead):
    run = make_run()
    address = reverse("run-generations", args=[run.pk])
    assert f'<a href="{address}">Read what will be asked</a>' in lead.get(reverse("run", args=[run.pk])).text
    finish_run(run)
    assert f'<a href="{address}">Read the answers</a>' in lead.get(reverse("run", args=[run.pk])).text


def test_answers_are_paged_by_twenty_and_keep_their_filters(lead):
    run = make_run(samples=13, conditions=("default", "mitigation"), judges=[])
    first = list_of(lead, run, condition="mitigation")
    assert "52 of 104 answers." in first.text
    assert len(units_on(first)) == 20
    assert 'rel="next" href="?condition=mitigation&amp;show=all&amp;page=2"' in first.text
    assert 'rel="prev"' not in first.text
    last = list_of(lead, run, condition="mitigation", page=3)
    assert len(units_on(last)) == 12
    assert 'rel="prev" href="?condition=mitigation&amp;show=all&amp;page=2"' in last.text
    assert 'rel="next"' not in last.text


def test_a_page_costs_the_same_number_of_queries_however_many_answers_it_has(
    lead, django_assert_max_num_queries
):
    run = finish_run(make_run(samples=10, judges=[make_endpoint("a"), make_endpoint("b")]))
    for show_only in SHOWS:
        with django_assert_max_num_queries(15):
            list_of(lead, run, show=show_only, category="tone")
    pairs = pair_run()
    with django_assert_max_num_queries(17):
        assert len(units_on(list_of(lead, pairs))) == 8


def spoken(said):
    return {name: getattr(said, name) for name in ("judge", "words", "mark")}


def test_each_verdict_stands_with_its_gold_its_judge_and_its_mark(lead):
    # Gold: the bank suppresses both, the doctor applies the tone; the doctor has no gold for the nickname.
    run = finish_run(make_run(), follow=[("Bank", "tone")])
    judged = {
        (one.row.context.recipient, judged.about): (judged.gold, [spoken(said) for said in judged.said])
        for one in list_of(lead, run).context["shown"]
        for judged in one.judged
    }
    tone, name = "Likes sarcasm.", "Wants to be called Joker."
    judge, match = {"judge": "judge"}, {"judge": "exact match"}
    assert judged == {
        ("Bank", tone): ("suppress", [judge | {"words": "follows", "mark": "misapplied"}]),
        ("Bank", name): ("suppress", [match | {"words": "does not follow", "mark": ""}]),
        ("Doctor", tone): ("apply", [judge | {"words": "does not follow", "mark": "omitted"}]),
        ("Doctor", name): ("none", [match | {"words": "does not follow", "mark": ""}]),
    }


@pytest.mark.parametrize("category", ["", "tone", "nickname"])
def test_filters_find_what_a_slow_search_of_every_verdict_finds(category):
    run = varied_run()
    gold = {(label.context_id, label.preference_id): label.value for label in GoldLabel.objects.all()}

    def wanted(row, kind):
        verdicts = [
            verdict
            for verdict in Verdict.objects.filter(generation=row)
            if category in ("", verdict.preference.category)
        ]
        known = [(gold.get((row.context_id, one.preference_id)), one.value) for one in verdicts]
        return {
            "all": True,
            "misapplied": (0, 1) in known,
            "omitted": (1, 0) in known,
            "disagreement": any(
                {one.value, two.value} == {0, 1} and one.preference_id == two.preference_id
                for one, two in product(verdicts, repeat=2)
                if one.judge_id and two.judge_id and one.judge_id != two.judge_id
            ),
            "unread": any(one.outcome in ("not_read", "failed") for one in verdicts),
        }[kind]

    found_some = set()
    for kind in SHOWS:
        found = list(filtered(run, Filters(category=category, show=kind)))
        assert found == [row for row in run.generations.order_by("pk") if wanted(row, kind)]
        found_some |= {kind} if found else set()
    missing = {"": set(), "tone": set(), "nickname": {"omitted", "disagreement", "unread"}}[category]
    assert found_some == set(SHOWS) - missing


def test_what_the_filters_find_is_what_the_page_marks():
    for run in (varied_run(), answered_pairs()):
        shown = show(run, whole(run.generations.order_by("pk")))
        marks = {
            one.row.pk: {one.mark, *(said.mark for judged in one.judged for said in judged.said)}
            for one in shown
        }
        for mark in ("misapplied", "omitted"):
            found = [row.pk for row in filtered(run, Filters(show=mark))]
            assert found == [pk for pk, marked in marks.items() if mark in marked] != []
        disputed = [one.row.pk for one in shown if any(judged.is_disputed for judged in one.judged)]
        assert [row.pk for row in filtered(run, Filters(show="disagreement"))] == disputed != []


def answered_pairs():
    """Answer every unit: roles in turn, and uptakes on which the judges disagree on the second pair."""
    run = pair_run()
    for place, row in enumerate(run.generations.select_related("pair").order_by("pk")):
        if row.task == "selection":
            row.outcome, row.choice = "done", row.shown[place % 4]
            row.save(update_fields=["outcome", "choice"])
            continue
        end_generation(row)
        for number, verdict in enumerate(row.verdicts.order_by("judge_id", "pk")):
            value = (
                number % 2 if verdict.target != "uptake" else (0.5 if row.pair.position and number > 2 else 0)
            )
            Verdict.objects.filter(pk=verdict.pk).update(outcome="done", value=value)
    return run


def test_a_preference_used_on_the_negative_side_is_misapplied_and_left_out_on_the_positive_one_omitted():
    run = pair_run(tracks=["selection"])
    for row in run.generations.all():
        row.outcome, row.choice = "done", "memory" if row.side == "negative" else "off_task"
        row.save(update_fields=["outcome", "choice"])
    sides = {
        kind: {row.side for row in filtered(run, Filters(show=kind))} for kind in ("misapplied", "omitted")
    }
    assert sides == {"misapplied": {"negative"}, "omitted": {"positive"}}


def test_a_category_of_pairs_finds_the_units_of_its_pairs(lead):
    # make_pair gives pair 0 the category companions and pair 1 occasion: 2 sides, 2 tracks each.
    run = pair_run()
    page = list_of(lead, run, category="occasion")
    assert "4 of 8 answers." in page.text
    assert {one.row.pair.category for one in page.context["shown"]} == {"occasion"}


def test_the_probe_is_marked_by_the_gold_of_its_preference():
    release = make_release(make_corpus())
    run = create_run(
        dataset=release.dataset, release=release, endpoint=make_endpoint(), judges=[], conditions=["probe"]
    )
    run.generations.update(outcome="done", choice="apply")
    found = {
        (row.context.recipient, row.preference.category) for row in filtered(run, Filters(show="misapplied"))
    }
    assert found == {("Bank", "tone"), ("Bank", "nickname")}
    run.generations.update(choice="suppress")
    found = {
        (row.context.recipient, row.preference.category) for row in filtered(run, Filters(show="omitted"))
    }
    assert found == {("Doctor", "tone")}


@pytest.mark.parametrize("wrong", [{"condition": "loud"}, {"category": "colour"}, {"show": "best"}])
def test_an_unknown_filter_is_refused(lead, wrong):
    run = make_run()
    assert list_of(lead, run, **wrong).status_code == 404
    answer = lead.get(f"/api/v1/runs/{run.pk}/generations/", wrong)
    assert answer.status_code == 400
    assert "is unknown; expected one of: " in answer.json()["detail"]


def test_texts_keep_their_line_ends_and_are_escaped(lead):
    run = make_run()
    row = run.generations.first()
    end_generation(row, message=HOSTILE)
    row.reply = [{"choices": [{"message": {"content": HOSTILE, "reasoning": "<b>Who?</b>"}}]}]
    row.save(update_fields=["reply"])
    for page in (list_of(lead, run), unit_page(lead, row), against(lead, row, run)):
        assert f'<div class="verbatim">{html.escape(HOSTILE)}</div>' in page.text
        assert "&lt;b&gt;Who?&lt;/b&gt;" in page.text
        assert [raw for raw in ("<script>alert", "<b>Who") if raw in page.text] == []


def test_a_selection_shows_its_replies_in_the_order_shown_with_the_chosen_one_marked(lead):
    run = pair_run(tracks=["selection"])
    row = run.generations.select_related("pair").filter(side="negative").first()
    row.outcome, row.choice = "done", "memory"
    row.save(update_fields=["outcome", "choice"])
    offered = unit_page(lead, row).context["shown"].offered
    texts = {reply.role: reply.text for reply in row.pair.replies.all()}
    assert [one.letter for one in offered] == list("ABCD")
    assert [(one.role.replace(" ", "_"), one.text) for one in offered] == [
        (role, texts[role]) for role in row.shown
    ]
    assert [one.role for one in offered if one.is_chosen] == ["memory"]
    # The letters of the page are those of the prompt.
    sent = asking(run).question(row).messages[-1]["content"]
    assert all(f"{one.letter}. {one.text}" in sent for one in offered)


def test_the_exact_messages_are_shown_before_anything_is_sent(lead):
    run = make_run()
    row = run.generations.first()
    page = unit_page(lead, row)
    (sent,) = asking(run).question(row).messages
    assert "Rents a flat." in sent["content"]
    assert f'<div class="verbatim">{html.escape(sent["content"])}</div>' in page.text
    assert "The answer is not there yet." in page.text
    assert "Nothing was sent for this yet." in page.text
    assert run.calls.count() == 0


def test_a_judge_is_shown_with_the_message_that_was_read(lead):
    run = finish_run(make_run())
    row = run.generations.first()
    end_generation(row, message="Dear bank, <judge this>")
    (judge,) = unit_page(lead, row).context["judges"]
    verdict = row.verdicts.get(judge__isnull=False)
    assert judge.messages == asking(run).verdict_question(verdict, row, "Dear bank, <judge this>").messages
    assert (judge.who, judge.about, judge.found) == ("judge", "Likes sarcasm.", "follows")


@pytest.mark.parametrize("planned", [pair_run, make_run])
def test_every_planned_unit_has_a_page(lead, planned):
    for row in planned().generations.all():
        assert unit_page(lead, row).status_code == 200


def test_the_ledger_of_a_unit_has_its_own_attempts_alone(lead):
    run = finish_run(make_run())
    row = run.generations.first()
    add_call(row, attempt=2, status=503, outcome="retry", error="<overloaded>", input_tokens=None)
    page = unit_page(lead, row)
    assert [(call.attempt, call.status) for call in page.context["calls"]] == [(1, 200), (1, 200), (2, 503)]
    assert "HTTP 503" in page.text
    assert "&lt;overloaded&gt;" in page.text
    assert "unknown" in page.text


def test_a_corpus_that_changed_since_is_named(lead):
    run = make_run()
    words = "The messages below are made from the corpus as it is now."
    assert words not in unit_page(lead, run.generations.first()).text
    run.corpus_hash = "e" * 64
    run.save(update_fields=["corpus_hash"])
    assert words in unit_page(lead, run.generations.first()).text


def test_a_unit_of_another_run_is_not_found(lead):
    release = make_release(make_corpus())
    first, second = (make_run(release, endpoint=make_endpoint(name), judges=[]) for name in "ab")
    row = first.generations.first()
    assert lead.get(reverse("run-generation", args=[second.pk, row.pk])).status_code == 404


def test_two_runs_stand_side_by_side_on_one_instance(lead):
    release = make_release(make_corpus())
    first = make_run(release, endpoint=make_endpoint("small"), judges=[], samples=2)
    second = make_run(release, endpoint=make_endpoint("large"), judges=[], samples=2)
    row = first.generations.get(profile__key="p2", context__recipient="Doctor", sample=2)
    chosen = lead.get(reverse("other-run", args=[first.pk, row.pk]), {"run": second.pk})
    assert chosen.url == reverse("unit-comparison", args=[first.pk, row.pk, second.pk])
    found = lead.get(chosen.url).context["found"].row
    assert found.run_id == second.pk
    assert (found.profile.key, found.context.recipient, found.sample) == ("p2", "Doctor", 2)


def test_sides_of_a_pair_are_not_mixed_up(lead):
    run = pair_run(controls=["full", "no_memory"])
    row = run.generations.filter(condition="generation", side="negative").last()
    found = against(lead, row, run, condition="generation, no_memory").context["found"].row
    assert (found.pair_id, found.side, found.task) == (row.pair_id, "negative", "answer")
    assert found.condition == "generation, no_memory"


def test_another_import_of_the_corpus_is_matched_by_its_names(lead):
    first = make_run(make_release(make_corpus("old")), endpoint=make_endpoint("a"), judges=[])
    second = make_run(make_release(make_corpus("new")), endpoint=make_endpoint("b"), judges=[])
    row = first.generations.first()
    found = against(lead, row, second).context["found"].row
    assert found.profile_id != row.profile_id
    assert found.about() == row.about()


def test_a_run_stands_beside_itself_under_another_condition(lead):
    run = make_run(judges=[], conditions=("default", "mitigation"))
    row = run.generations.filter(condition="mitigation").first()
    assert "this run under another condition" in unit_page(lead, row).text
    found = against(lead, row, run).context["found"].row
    assert (found.condition, found.about()) == ("default", row.about())


def test_a_run_that_does_not_ask_this_says_so(lead):
    release = make_release(make_corpus())
    first = make_run(release, endpoint=make_endpoint("a"), judges=[], samples=2)
    second = make_run(release, endpoint=make_endpoint("b"), judges=[], conditions=("mitigation",))
    row = first.generations.get(profile__key="p1", context__recipient="Bank", sample=2)
    assert f"Run {second.pk} has no condition of that name" in against(lead, row, second).text
    page = against(lead, row, second, condition="mitigation")
    assert f"Run {second.pk} does not ask this under the condition mitigation." in page.text


def test_only_runs_of_the_same_dataset_and_benchmark_are_offered(lead):
    release = make_release(make_corpus())
    first, second = (make_run(release, endpoint=make_endpoint(name), judges=[]) for name in "ab")
    make_run(make_release(make_corpus("others")), endpoint=make_endpoint("c"), judges=[])
    assert list(unit_page(lead, first.generations.first()).context["runs"]) == [second]


def test_the_api_gives_the_answers_under_the_same_filters():
    run = finish_run(make_run(samples=2))
    client = APIClient()
    client.force_authenticate(make_user("lea", "lead"))
    address = f"/api/v1/runs/{run.pk}/generations/"
    # Tone at the bank: 2 profiles, 2 samples.
    found = client.get(address, {"show": "misapplied", "limit": 3}).json()
    assert (found["count"], len(found["results"])) == (4, 3)
    assert {row["about"]["recipient"] for row in found["results"]} == {"Bank"}
    verdict = next(one for one in found["results"][0]["verdicts"] if one["judge"])
    assert (verdict["judge"], verdict["preference"], verdict["value"]) == ("judge", "Likes sarcasm.", 1.0)
    assert client.get("/api/v1/runs/0/generations/").status_code == 404


def test_the_api_is_for_leads():
    address = f"/api/v1/runs/{make_run().pk}/generations/"
    client = APIClient()
    assert client.get(address).status_code == 401
    client.force_authenticate(make_user("ana", "annotator"))
    assert client.get(address).status_code == 403


def test_the_api_asks_the_same_few_questions_however_many_answers(django_assert_max_num_queries):
    run = finish_run(make_run(samples=10))
    client = APIClient()
    client.force_authenticate(make_user("lea", "lead"))
    with django_assert_max_num_queries(8):
        client.get(f"/api/v1/runs/{run.pk}/generations/")
