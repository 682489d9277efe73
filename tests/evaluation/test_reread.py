"""Stored replies read again: what differs is listed, stored on demand, held back where it does not fit."""

import pytest

from annotate.problems import Problem
from evaluation.actions.rereading import store_rereading
from evaluation.judging.answers import NotRead
from evaluation.judging.reading import VERSION, Reading
from evaluation.models import Generation, Verdict
from evaluation.reports import run_report
from evaluation.running.rereading import OTHER_MESSAGE, OTHER_ORDER, reread
from tests.evaluation.factories import finish_run
from tests.evaluation.fake_endpoint import FOLLOW, fake_endpoint, says
from tests.evaluation.runs import planned_run, work
from tests.evaluation.whole_runs import body, whole_pairpref_run

pytestmark = pytest.mark.django_db

ROWS = (
    "id", "outcome", "reason", "reply",
)  # fmt: skip


def stored(run):
    """Everything that a reading could change."""
    generations = run.generations.order_by("pk").values(*ROWS, "message", "choice")
    verdicts = Verdict.objects.filter(generation__run=run).order_by("pk")
    run.refresh_from_db()
    return (
        list(generations),
        list(verdicts.values(*ROWS, "value", "details", "raw_match")),
        run.reader_version,
    )


@pytest.fixture
def run():
    """A finished run whose replies say what is stored: no message names Joker, the tone is followed."""
    run = finish_run(planned_run("http://127.0.0.1:9/v1"), follow=[("Bank", "tone"), ("Doctor", "tone")])
    run.generations.update(reply=[body("Dear all, ...")])
    Verdict.objects.filter(judge__isnull=False).update(reply=[body("unsure"), body('{"label": "follow"}')])
    Verdict.objects.filter(judge=None).update(raw_match=False)
    run.reader_version = VERSION - 1
    run.save()
    return run


def differing(run):
    return [(unit.kind, unit.row.pk, unit.held_back) for unit in reread(run).differences]


def test_replies_that_say_what_is_stored_do_not_differ(run):
    before = stored(run)
    found = reread(run)
    assert found.differences == []
    assert found.read == {"answer": 4, "verdict": 4, "match": 4}
    assert (found.stored_reader, found.reader, found.note) == (VERSION - 1, VERSION, "")
    assert stored(run) == before


def test_what_a_worker_read_is_read_again_alike():
    """Messages, one of them cut and one empty; verdicts at once, at the third time, and never."""

    def behave(asked, times):
        if not asked.is_judging:
            replies = {"p1": says("Hi, Joker", "length"), "p2": says("", "stop")}
            return replies["p1" if "Has 1 cats" in asked.prompt else "p2"]
        return says(FOLLOW if "cats" in asked.prompt or times else "Hm.")

    with fake_endpoint(behave) as server:
        run = planned_run(server.url, samples=2)
        work(run)
    outcomes = set(run.generations.values_list("outcome", "reason"))
    assert outcomes == {("done", "cut by the length limit"), ("not_read", "empty")}
    found = reread(run)
    assert (found.differences, found.read) == ([], {"answer": 8, "verdict": 4, "match": 4})


def test_the_decisions_of_a_probe_are_read_again_alike():
    def behave(asked, times):
        return says('{"apply": true}' if "Bank" in asked.prompt else '{"apply": false}')

    with fake_endpoint(behave) as server:
        run = planned_run(server.url, conditions=["probe"])
        work(run)
    assert set(run.generations.values_list("context__recipient", "choice")) == {
        ("Bank", "apply"),
        ("Doctor", "suppress"),
    }
    found = reread(run)
    assert (found.differences, found.read) == ([], {"answer": 4, "verdict": 0, "match": 0})
    run.generations.update(choice="suppress")
    assert len(store_rereading(run).to_store) == 2
    assert run.generations.filter(choice="apply").count() == 2


def test_all_tracks_of_pairpref_are_read_again_alike():
    run = whole_pairpref_run()
    answers = {
        "selection": "memory",
        "preference_only": "yes",
        "relevant": "yes",
        "sufficient": "yes",
        "apply": "yes",
    }
    contents = {
        "preference_only": '{"apply": true}',
        **{head: f'{{"{head}": true}}' for head in ("relevant", "sufficient", "apply")},
    }
    for row in run.generations.all():
        row.outcome, row.reason, row.choice, row.message = "done", "", answers.get(row.task, ""), ""
        if row.task == "selection":
            content = "ABCD"[row.shown.index("memory")]
        elif "applicability" in row.condition:
            content, row.message, row.choice = "DECISION: APPLY\nANSWER: Go.", "Go.", "apply"
        else:
            content = contents.get(row.task, "Go.")
            row.message = "" if row.task in contents else content
        row.reply = [body(content)]
        row.save()
    values = {"uptake": ('{"uptake": 0.5}', 0.5), "fit": ('{"fit": 1}', 1), "hedge": ('{"hedge": false}', 0)}
    verdicts = Verdict.objects.filter(generation__run=run)
    for target, (content, value) in values.items():
        read = {"outcome": "done", "reason": "", "value": value, "details": None}
        verdicts.filter(target=target).update(reply=[body(content)], **read)
    found = reread(run)
    assert found.differences == []
    assert found.read["answer"] == run.generations.count()
    assert found.read["verdict"] == verdicts.count() > 0


def test_a_stored_value_that_the_last_reply_does_not_say_is_listed_and_stored_on_demand(run):
    wrong = Verdict.objects.filter(judge__isnull=False).first()
    Verdict.objects.filter(pk=wrong.pk).update(outcome="not_read", reason="off the menu", value=None)
    before, rates = stored(run), run_report(run)["conditions"]["default"]["mr"]
    assert rates["denominator"] == 3
    [unit] = reread(run).differences
    assert (unit.kind, unit.row.pk) == ("verdict", wrong.pk)
    assert unit.stored == {"outcome": "not_read", "reason": "off the menu", "value": None, "details": None}
    assert unit.now == {"outcome": "done", "reason": "", "value": 1.0, "details": None}
    assert unit.name.endswith("/ label / Likes sarcasm. / judge")
    assert stored(run) == before
    assert store_rereading(run).to_store == [unit]
    wrong.refresh_from_db()
    assert (wrong.outcome, wrong.reason, wrong.value) == ("done", "", 1)
    assert run.reader_version == stored(run)[2] == VERSION
    assert reread(run).differences == []
    assert run_report(run)["conditions"]["default"]["mr"]["denominator"] == 4


def test_a_reader_that_got_worse_is_seen_and_can_be_gone_back_from(run, monkeypatch):
    before = stored(run)
    with monkeypatch.context() as worse:
        worse.setattr(
            "evaluation.benchpres.prompting.read_follows", lambda reply: Reading(None, NotRead.OFF_THE_MENU)
        )
        found = store_rereading(run)
        assert found.counts["verdict"] == {"read_again": 4, "differ": 4, "held_back": 0}
        judged = Verdict.objects.filter(judge__isnull=False)
        assert set(judged.values_list("outcome", "reason", "value")) == {("not_read", "off the menu", None)}
        assert run_report(run)["conditions"]["default"]["without_verdict"] == 4
    assert len(store_rereading(run).to_store) == 4
    assert stored(run)[:2] == before[:2]


def test_a_message_that_differs_is_held_back_and_the_rest_is_stored(run, monkeypatch):
    row = run.generations.first()
    wrong = row.verdicts.get(judge__isnull=False)
    Generation.objects.filter(pk=row.pk).update(reply=[body("Dear none.")])
    Verdict.objects.filter(pk=wrong.pk).update(value=0)
    expected = [("answer", row.pk, OTHER_MESSAGE), ("verdict", wrong.pk, "")]
    assert differing(run) == expected
    before = stored(run)
    found = store_rereading(run)
    assert [unit.row.pk for unit in found.to_store] == [wrong.pk]
    assert found.counts["answer"] == {"read_again": 4, "differ": 1, "held_back": 1}
    assert stored(run)[0] == before[0]
    assert Verdict.objects.get(pk=wrong.pk).value == 1
    assert differing(run) == expected[:1]


@pytest.mark.parametrize("outcome", ["not_read", "failed"])
def test_a_message_that_is_read_only_now_is_held_back_while_it_has_verdicts(run, outcome):
    row = run.generations.first()
    Generation.objects.filter(pk=row.pk).update(outcome=outcome, reason="empty", message="")
    row.verdicts.update(outcome="skipped", reason="no message", value=None)
    assert differing(run) == [("answer", row.pk, OTHER_MESSAGE)]
    row.verdicts.all().delete()
    assert differing(run) == [("answer", row.pk, "")]
    store_rereading(run)
    row.refresh_from_db()
    assert (row.outcome, row.reason, row.message) == ("done", "", "Dear all, ...")


def test_that_a_message_was_cut_is_stored_without_touching_the_message(run):
    row = run.generations.first()
    Generation.objects.filter(pk=row.pk).update(reply=[body("Dear all, ...", "length")])
    assert differing(run) == [("answer", row.pk, "")]
    store_rereading(run)
    row.refresh_from_db()
    assert (row.outcome, row.reason, row.message) == ("done", "cut by the length limit", "Dear all, ...")


def test_exact_matches_are_made_again_on_the_stored_message(run):
    # Joker's: a word of its own, and a substring. Jokers: a substring alone.
    words = {"Joker's hat": (1, True), "Jokers": (0, True), "joker": (0, False), "Ace": (0, False)}
    rows = list(run.generations.order_by("pk"))
    for row, message in zip(rows, words, strict=True):
        Generation.objects.filter(pk=row.pk).update(message=message, reply=[body(message)])
    changed = [row.verdicts.get(judge=None).pk for row in rows[:2]]
    assert differing(run) == [("match", pk, "") for pk in changed]
    store_rereading(run)
    found = [row.verdicts.get(judge=None) for row in rows]
    assert [(match.value, match.raw_match) for match in found] == list(words.values())


def test_nicknames_of_another_corpus_are_not_matched(run):
    run.dataset.preferences.filter(nickname="Joker").update(nickname="all")
    assert len(reread(run).differences) == 4
    run.dataset.content_hash = "e" * 64
    run.dataset.save()
    found = reread(run)
    assert (found.differences, found.read["match"]) == ([], 0)
    assert "exact matches were not made again" in found.note


def test_a_letter_is_not_read_in_another_order_than_it_was_shown_in():
    run = whole_pairpref_run()
    row = run.generations.filter(task="selection", outcome="done").first()
    Generation.objects.filter(pk=row.pk).update(shown=row.shown[::-1], reply=[body("A")])
    [unit] = [unit for unit in reread(run).differences if unit.row == row]
    assert (unit.held_back, unit.now) == (OTHER_ORDER, unit.stored)
    store_rereading(run)
    assert Generation.objects.get(pk=row.pk).choice == row.choice


def test_a_failure_after_an_unreadable_reply_is_no_news(run):
    verdict = Verdict.objects.filter(judge__isnull=False).first()
    failed = {"outcome": "failed", "reason": "HTTP 400: no", "value": None}
    Verdict.objects.filter(pk=verdict.pk).update(reply=[body("unsure")], **failed)
    assert differing(run) == []
    Verdict.objects.filter(pk=verdict.pk).update(reply=[body(FOLLOW)])
    assert differing(run) == [("verdict", verdict.pk, "")]


@pytest.mark.parametrize("outcome", ["planned", "skipped"])
def test_what_is_planned_or_skipped_is_not_read(run, outcome):
    Verdict.objects.filter(generation__run=run).update(outcome=outcome, value=None)
    run.generations.update(outcome=outcome, message="")
    assert reread(run).read == {"answer": 0, "verdict": 0, "match": 0}


def test_a_running_run_is_listed_and_not_changed(run):
    Verdict.objects.filter(judge__isnull=False).update(value=0)
    run.state = "running"
    run.save()
    before = stored(run)
    assert len(reread(run).differences) == 4
    with pytest.raises(Problem, match=f"Run {run.pk} is running; pause it"):
        store_rereading(run)
    assert stored(run) == before


def test_all_is_stored_or_nothing(run, monkeypatch):
    Verdict.objects.filter(judge__isnull=False).update(value=0)
    before, saved = stored(run), []

    def save(self, **options):
        saved.append(self.pk)
        if len(saved) == 3:
            raise RuntimeError("the disk is full")
        super(Verdict, self).save(**options)

    monkeypatch.setattr(Verdict, "save", save)
    with pytest.raises(RuntimeError):
        store_rereading(run)
    assert stored(run) == before


def test_reading_again_asks_the_database_few_questions_however_many_units(run, django_assert_max_num_queries):
    with django_assert_max_num_queries(25):
        reread(run)
