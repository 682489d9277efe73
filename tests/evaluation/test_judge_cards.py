"""Wherever a judge's verdicts are used it is said how far it is validated, or that it is not."""

import html
import io
import json
import re
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.actions.validation import close_sample, end_rater
from annotate.models import ValidationLabel
from evaluation.actions import create_run, draw_validation
from evaluation.comparisons import compare_runs
from evaluation.exporters.archive import export_run
from evaluation.importers.archive import parse_archive
from evaluation.judge_cards import cards_of_endpoints, cards_of_run
from evaluation.models import Endpoint, Run, RunSample, Verdict
from evaluation.prompts import load
from evaluation.reporting.report import report_of
from evaluation.reports import report_with_cards, run_report
from evaluation.validation_reports import validation_report
from tests.annotate.factories import make_user
from tests.evaluation.factories import make_corpus, make_endpoint, make_release, make_run
from tests.evaluation.validation.drawn import judged_alone, pairs_run

pytestmark = pytest.mark.django_db
PROMPTS = {"benchpres-default-1": "a" * 64, "benchpres-judge-1": load("benchpres-judge-1").sha256}
ONLY_PROMPT = "not validated: validated only with another prompt"


@pytest.fixture
def lead(client):
    user = make_user("lea", "lead")
    user.is_staff = True
    user.save()
    client.force_login(user)
    return client


def done_run(release=None, **plan) -> Run:
    """A finished run in which judges say that every preference is followed; no message names a nickname."""
    run = make_run(release, **{"state": "done", "samples": 8, "prompt_hashes": PROMPTS, **plan})
    run.generations.update(outcome="done", message="Dear all, ...")
    verdicts = Verdict.objects.filter(generation__run=run)
    verdicts.filter(judge__isnull=False).update(outcome="done", value=1)
    verdicts.filter(judge=None).update(outcome="done", value=0)
    return run


def label(drawn: RunSample, says: Callable[[int, bool], float | None]) -> None:
    """Let one person answer every item: `says` takes a place among those of its kind, and its kind."""
    rater, places = drawn.sample.raters.first(), {False: 0, True: 0}
    labels = []
    for unit in drawn.units.select_related("preference").order_by("item__number"):
        is_nickname = bool(unit.preference and unit.preference.nickname)
        value = says(places[is_nickname], is_nickname)
        places[is_nickname] += 1
        labels.append(
            ValidationLabel(rater=rater, item_id=unit.item_id, question=drawn.sample.question, value=value)
        )
    ValidationLabel.objects.bulk_create(labels)


def drawn_from(run: Run, **more) -> RunSample:
    """Draw all 48 judgements with gold: 32 by judges, 16 of the nickname by match; nobody has answered."""
    return draw_validation(run, size=48, label_sets=["C"], **more)


def checked(run: Run, **more) -> RunSample:
    """One person agrees with the judge on 24 of 32 items, with the match on all 16."""
    drawn = drawn_from(run, **more)
    label(drawn, lambda place, is_nickname: 0 if is_nickname or place < 8 else 1)
    close_sample(drawn.sample)
    return drawn


def later_run(run: Run, name: str = "later", **plan) -> Run:
    """A further run of the same corpus by another model, with the judge of the first."""
    judges = list(Endpoint.objects.filter(name="judge"))
    return done_run(run.release, endpoint=make_endpoint(name), **{"judges": judges, "samples": 1, **plan})


def words_of(run: Run) -> dict[tuple[str, str], str]:
    return {(known.judge.name, known.judge.target): known.words for known in cards_of_run(run).values()}


def test_a_card_has_the_numbers_of_the_report_of_its_sample():
    drawn = checked(done_run())
    report = validation_report(drawn)
    judge, match = report_with_cards(drawn.run)["judge_cards"]
    for card, against in ((judge["cards"][0], report["judges"][0]), (match["cards"][0], report["judges"][1])):
        for name in ("items", "agreement", "kappa"):
            assert card["overall"][name] == against["overall"][name]
            for part, found in against["by_part"].items():
                assert card["by_part"].get(part, found)[name] == found[name]
    assert judge["cards"][0]["overall"]["sensitivity"]["value"] == 1
    assert judge["cards"][0]["overall"]["specificity"]["value"] == 0
    assert judge["cards"][0]["overall"]["specificity"]["denominator"] == 8
    assert judge["cards"][0]["dataset"] == "letters"
    assert judge["cards"][0]["people"] == 1


def test_a_judge_is_validated_wherever_the_same_one_judged():
    drawn = checked(done_run())
    words = f"validated: 75.0 %, 24 of 32, in {drawn.sample.slug}"
    of_match = f"validated on few labels: 100.0 %, 16 of 16, in {drawn.sample.slug}"
    expected = {("judge", "label"): words, ("exact match", "label"): of_match}
    assert words_of(drawn.run) == expected
    later = later_run(drawn.run)
    assert words_of(later) == expected
    Endpoint.objects.filter(name="judge").update(name="renamed", concurrency=1)
    again = later_run(drawn.run, "again", judges=[Endpoint.objects.get(name="renamed")])
    assert words_of(again)["renamed", "label"] == words


def test_another_prompt_or_other_parameters_are_not_what_was_validated():
    run = checked(done_run()).run
    prompts = PROMPTS | {"benchpres-judge-1": "e" * 64}
    other = later_run(run, prompt_hashes=prompts)
    assert words_of(other)["judge", "label"] == ONLY_PROMPT
    Endpoint.objects.filter(name="judge").update(parameters={"max_tokens": 9})
    changed = later_run(run, "changed")
    only = "not validated: validated only with other parameters"
    assert words_of(changed)["judge", "label"] == only
    Endpoint.objects.filter(name="judge").update(model="model-2")
    moved = later_run(run, "moved")
    assert words_of(moved)["judge", "label"] == "not validated"
    assert report_with_cards(moved)["judge_cards"][0]["is_validated"] is False


def test_a_judge_of_the_sample_alone_is_validated_too():
    drawn = checked(done_run())
    numbers = list(drawn.units.values_list("item__number", flat=True))
    judging = judged_alone(drawn, dict.fromkeys(numbers, "0"))
    [known] = cards_of_run(judging).values()
    assert known.words == f"validated: 50.0 %, 24 of 48, in {drawn.sample.slug}"
    assert (known.cards[0].judging_run, known.cards[0].kind) == (judging.pk, "judge of the sample")
    named = later_run(
        drawn.run,
        judges=[judging.endpoint],
        prompt_hashes=PROMPTS | {"benchpres-judge-1": "b" * 64},
    )
    assert words_of(named)["further", "label"] == known.words


@pytest.mark.parametrize("answers", ["none", "cannot tell", "ended"])
def test_without_a_label_of_people_nothing_is_validated(answers):
    drawn = drawn_from(done_run())
    if answers != "none":
        label(drawn, lambda *_: None if answers == "cannot tell" else 1)
    if answers == "ended":
        end_rater(drawn.sample.raters.get())
    assert set(words_of(drawn.run).values()) == {"not validated"}


def test_examples_and_open_samples_are_said():
    drawn = drawn_from(done_run(), is_example=True)
    label(drawn, lambda *_: 1)
    found = words_of(drawn.run)["judge", "label"]
    assert found == (
        f"validated on example labels: 100.0 %, 32 of 32, in {drawn.sample.slug}, where labelling is open"
    )


def test_each_target_of_a_judge_of_answers_has_a_card_of_its_own():
    run = pairs_run()
    drawn = draw_validation(run, target="fit", size=12, label_sets=["C"])
    label(drawn, lambda place, _: 1 if place else 0)
    assert words_of(run) == {
        ("judge", "uptake"): "not validated",
        ("judge", "fit"): f"validated on few labels: 91.7 %, 11 of 12, in {drawn.sample.slug}, where "
        "labelling is open",
        ("judge", "hedge"): "not validated",
    }


def test_cards_take_a_handful_of_queries_however_many_samples(django_assert_num_queries):
    run = checked(done_run()).run
    with CaptureQueriesContext(connection) as one:
        cards_of_run(Run.objects.get(pk=run.pk))
    for name in ("second", "third"):
        checked(run, slug=name, seed=5)
    judged_alone(RunSample.objects.get(sample__slug="third"), {1: "1"}, "further")
    run = Run.objects.get(pk=run.pk)
    with django_assert_num_queries(len(one)):
        assert len(next(iter(cards_of_run(run).values())).cards) == 3
    assert len(one) <= 10
    unchecked = later_run(run, judges=[make_endpoint("unchecked")])
    Verdict.objects.filter(generation__run=unchecked, judge=None).delete()
    with django_assert_num_queries(3):
        cards_of_run(unchecked)
    with django_assert_num_queries(9):
        cards_of_endpoints(list(Endpoint.objects.all()))


def pages_of(run: Run) -> dict[str, list]:
    row, again = run.generations.first(), later_run(run)
    return {
        "run": [run.pk],
        "run-generations": [run.pk],
        "run-generation": [run.pk, row.pk],
        "unit-comparison": [run.pk, row.pk, again.pk],
        "comparison": [again.pk, run.pk],
    }


PAGES = ["run", "run-generations", "run-generation", "unit-comparison", "comparison"]


@pytest.mark.parametrize("name", PAGES)
def test_every_page_with_verdicts_shows_the_card_or_that_there_is_none(lead, name):
    run = done_run()
    address = reverse(name, args=pages_of(run)[name])
    page = html.unescape(lead.get(address).text)
    assert "not validated" in page
    assert "validated:" not in page
    drawn = checked(run)
    page = html.unescape(lead.get(address).text)
    link = reverse("validation-sample", args=[drawn.sample.slug])
    assert f'<a href="{link}">validated: 75.0 %, 24 of 32, in {drawn.sample.slug}</a>' in page
    assert f">validated on few labels: 100.0 %, 16 of 16, in {drawn.sample.slug}<" in page
    assert "not validated" not in page


def test_beside_each_verdict_stands_the_card_of_its_judge(lead):
    run = done_run(judges=[make_endpoint("judge"), make_endpoint("second")])
    drawn = checked(run)
    Verdict.objects.filter(judge__endpoint__name="second").update(value=None, outcome="not_read")
    page = lead.get(reverse("run-generation", args=[run.pk, run.generations.first().pk]))
    said = {one.judge: one.known.words for judged in page.context["shown"].judged for one in judged.said}
    assert said == {
        "judge": f"validated: 75.0 %, 24 of 32, in {drawn.sample.slug}",
        "second": "not validated",
        "exact match": f"validated on few labels: 100.0 %, 16 of 16, in {drawn.sample.slug}",
    }


def test_the_pages_of_a_judging_run_show_the_card_of_its_judge(lead):
    drawn = checked(done_run())
    numbers = list(drawn.units.values_list("item__number", flat=True))
    judging = judged_alone(drawn, dict.fromkeys(numbers, "0"))
    judging.generations.update(condition="label")
    words = f"validated: 50.0 %, 24 of 48, in {drawn.sample.slug}"
    for address in (
        reverse("run", args=[judging.pk]),
        reverse("run-generation", args=[judging.pk, judging.generations.first().pk]),
    ):
        assert f">{words}<" in lead.get(address).text
    ValidationLabel.objects.all().delete()
    assert "not validated" in lead.get(address).text


def test_a_run_without_judges_has_no_section(lead):
    run = done_run(judges=[])
    Verdict.objects.all().delete()
    assert cards_of_run(run) == {}
    assert "How far the judges are validated" not in lead.get(reverse("run", args=[run.pk])).text


def test_judges_of_construction_cannot_be_validated():
    run = done_run()
    run.judges.update(duty="screening")
    assert words_of(run)["judge (screening)", "screening"] == "not validated"


def test_the_form_of_a_new_run_says_it_beside_each_judge(lead):
    drawn = checked(done_run())
    make_endpoint("other")
    page = html.unescape(lead.get(reverse("admin:evaluation_run_add"), {"dataset": "letters"}).text)
    options = re.findall(r'name="(\w*judges\w*)"[^>]*>\s*(.+?)</label>', page)
    words = f"judge: validated: 75.0 %, 24 of 32, in {drawn.sample.slug}"
    assert ("judges", words) in options
    assert ("judges", "other: not validated") in options
    assert ("judges_0", words) in options
    assert ("completeness_judges", "judge: not validated") in options


def test_the_form_of_a_new_pairpref_run_says_it_for_each_target(lead):
    run = pairs_run()
    drawn = draw_validation(run, target="fit", size=12, label_sets=["C"])
    label(drawn, lambda *_: 1)
    address = reverse("admin:evaluation_run_add")
    page = html.unescape(lead.get(address, {"dataset": run.dataset.slug, "benchmark": "pairpref"}).text)
    assert re.search(
        r"judge: uptake not validated; fit validated on few labels: 100\.0 %, 12 of 12, in "
        rf"{drawn.sample.slug}, where labelling is open; hedge not validated\s*</label>",
        page,
    )
    assert re.search(r"subject: not validated\s*</label>", page)


def test_an_endpoint_in_the_admin_has_the_cards_of_it_as_a_judge(lead):
    drawn = checked(done_run())
    judge = Endpoint.objects.get(name="judge")
    page = lead.get(reverse("admin:evaluation_endpoint_change", args=[judge.pk])).text
    assert f">validated: 75.0 %, 24 of 32, in {drawn.sample.slug}</a>" in page
    assert page.count("<dd>not validated</dd>") == 4
    assert lead.get(reverse("admin:evaluation_endpoint_add")).status_code == 200


def printed(*args: str) -> str:
    out = StringIO()
    call_command(*args, stdout=out)
    return out.getvalue()


def test_the_report_has_the_cards_in_every_format(lead, ask_as):
    drawn = checked(done_run())
    run = str(drawn.run_id)
    told = json.loads(printed("report", run, "--format=json"))
    assert [(one["judge"], one["duty"], one["is_validated"]) for one in told["judge_cards"]] == [
        ("judge", "labels", True),
        ("exact match", "labels", True),
    ]
    assert told["judge_cards"][0]["cards"][0]["overall"]["agreement"]["numerator"] == 24
    by_api = ask_as("lead").get(f"/api/v1/runs/{run}/report/").json()
    by_file = lead.get(reverse("run-report", args=[run, "json"])).json()
    assert by_api["judge_cards"] == by_file["judge_cards"] == told["judge_cards"]
    text = printed("report", run)
    assert re.search(r"Judges against people\n.*\n  judge, label\n +Agreement % +75\.00  24 of 32  \[", text)
    assert re.search(r"exact match, label\n(    .*\n)+ +State +validated on few labels\n", text)
    assert 'judge_cards,Judges against people,,,"judge, label",agreement,0.75,24,32,' in printed(
        "report", run, "--format=csv"
    )
    assert r"\caption{Judges against people}" in printed("report", run, "--format=latex")


def test_a_comparison_has_the_cards_of_both_runs():
    drawn = checked(done_run())
    later = later_run(drawn.run, prompt_hashes=PROMPTS | {"benchpres-judge-1": "e" * 64})
    report = compare_runs(drawn.run, later)
    assert report["first"]["judge_cards"][0]["is_validated"]
    assert report["second"]["judge_cards"][0]["words"] == ONLY_PROMPT
    text = printed("compare_runs", str(drawn.run_id), str(later.pk))
    assert re.search(rf"run {later.pk}: judge, label\n +State +{ONLY_PROMPT}", text)


def archived(run: Run) -> bytes:
    file = io.BytesIO()
    export_run(Run.objects.get(pk=run.pk), file)
    return file.getvalue()


def test_an_archive_and_its_report_do_not_change_with_the_cards(tmp_path):
    release = make_release(make_corpus())
    run = create_run(
        dataset=release.dataset,
        release=release,
        endpoint=make_endpoint(),
        judges=[(make_endpoint("judge"), "")],
        samples=8,
    )
    run.generations.update(outcome="done", message="Dear all, ...")
    Verdict.objects.filter(judge__isnull=False).update(outcome="done", value=1)
    Verdict.objects.filter(judge=None).update(outcome="done", value=0)
    Run.objects.update(state="done")
    run.refresh_from_db()
    before, path = archived(run), tmp_path / "run.zip"
    path.write_bytes(before)
    recomputed = printed("recompute", str(path))
    checked(run)
    assert report_with_cards(run)["judge_cards"][0]["is_validated"]
    assert archived(run) == before
    assert printed("recompute", str(path)) == recomputed
    assert "validated" not in recomputed
    found = report_of(parse_archive(io.BytesIO(before), "run.zip"))
    assert json.dumps(found, default=str) == json.dumps(run_report(run), default=str)
