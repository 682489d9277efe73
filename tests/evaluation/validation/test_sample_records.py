"""A sample's rows as its record: what each rater says of each item, and what must be known beside it."""

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.actions.validation import close_sample, end_rater
from annotate.problems import Problem
from evaluation.actions import draw_validation
from evaluation.actions.running import cancel_run
from evaluation.models import Generation, Run, RunSample, Verdict
from evaluation.names import sample_of, samples_of
from evaluation.sample_records import sample_record, sample_records
from evaluation.stored_run import record_of
from evaluation.targets import QUESTIONS_FOR_PEOPLE
from evaluation.validation.counts import counts_of
from evaluation.validation.records import EXACT_MATCH, RUN_JUDGE, SAMPLE_JUDGE, Stratum
from evaluation.validation.units import units_of
from tests.annotate.factories import make_user
from tests.evaluation.factories import add_judge, make_corpus, make_endpoint, make_release
from tests.evaluation.validation.drawn import judged_alone, letters_run, pairs_run, say
from tests.evaluation.whole_runs import whole_benchpres_run, whole_pairpref_run

pytestmark = pytest.mark.django_db

OPEN = "Labelling is open: what stands here can still change."


def said(record, name: str) -> dict[int, float | None]:
    """Return what a rater says, by item number."""
    return {item.number: item.given[name] for item in record.items if name in item.given}


def numbers_of(drawn: RunSample, **about) -> set[int]:
    return set(drawn.units.filter(**about).values_list("item__number", flat=True))


@pytest.fixture
def drawn() -> RunSample:
    """All six judgements of a run with gold: by a judge of tone, and by match of the nickname."""
    return draw_validation(letters_run(), size=6, label_sets=["C", "D"], name="Round 1")


def test_the_frame_of_a_record_is_what_was_drawn(drawn):
    record = sample_record(drawn)
    assert (record.slug, record.name, record.run) == (drawn.sample.slug, "Round 1", drawn.run_id)
    assert (record.target, record.state, record.seed) == ("label", "open", 1)
    assert (record.arms, record.over) == (("default",), ("part",))
    assert record.strata == (Stratum("apply", 2, 2), Stratum("suppress", 4, 4))
    assert (record.values, record.value_words) == ((0, 1), ("Does not follow", "Follows"))
    assert record.is_ordered is False
    assert [item.number for item in record.items] == [1, 2, 3, 4, 5, 6]
    for item in record.items:
        assert record.strata[item.stratum].name == item.unit.part
        assert item.texts["preference"] == item.unit.preference
        assert not item.is_changed
    assert record.notices == (OPEN,)


def test_people_say_what_they_said_last_or_nothing(drawn):
    say(drawn, "C", 1, 1, "Plainly.")
    say(drawn, "C", 2, 0)
    say(drawn, "C", 3, None, "Torn.")
    record = sample_record(drawn)
    assert record.people == ("C", "D")
    assert said(record, "C") == {1: 1, 2: 0, 3: None}
    assert said(record, "D") == {}
    comments = {item.number: item.comments for item in record.items if item.comments}
    assert comments == {1: {"C": "Plainly."}, 3: {"C": "Torn."}}


def test_a_seat_that_has_ended_is_left_out(drawn):
    say(drawn, "C", 1, 1)
    end_rater(drawn.sample.raters.get(pseudonym="C"))
    assert sample_record(drawn).people == ("D",)
    assert "C" not in sample_record(drawn).items[0].given


def test_a_judge_of_the_run_and_the_match_are_raters_of_what_they_judged(drawn):
    Verdict.objects.filter(generation=drawn.units.first().generation, judge__isnull=False).update(
        outcome="failed", value=None
    )
    record = sample_record(drawn)
    judge, match = record.judges
    assert (judge.name, judge.kind, judge.judge, judge.run) == ("judge", RUN_JUDGE, 1, None)
    assert judge.endpoint["model"] == "model-of-judge"
    assert (match.name, match.kind, match.judge, match.endpoint) == (EXACT_MATCH, EXACT_MATCH, None, {})
    of_match = numbers_of(drawn, preference__nickname="Joker")
    assert said(record, EXACT_MATCH) == dict.fromkeys(of_match, 0)
    unread = numbers_of(drawn, generation=drawn.units.first().generation) - of_match
    assert said(record, "judge") == {
        number: None if number in unread else 1 for number in set(range(1, 7)) - of_match
    }


def test_judges_come_in_the_order_of_the_run_and_one_that_judged_nothing_is_left_out():
    run = letters_run(judges=[make_endpoint("judge"), make_endpoint("second")])
    add_judge(run, make_endpoint("idle"))
    second = run.judges.get(endpoint__name="second")
    Verdict.objects.filter(judge=second).update(value=0)
    record = sample_record(draw_validation(run, size=6))
    assert [(judge.name, judge.judge) for judge in record.judges] == [
        ("judge", 1),
        ("second", 2),
        (EXACT_MATCH, None),
    ]
    for item in record.items:
        if item.unit.category == "tone":
            assert (item.given["judge"], item.given["second"]) == (1, 0)


def test_judges_of_the_sample_alone_have_the_number_of_their_run(drawn):
    one = judged_alone(drawn, {1: "1", 2: "0", 3: None}, "further")
    judged_alone(drawn, {}, "not-begun")
    record = sample_record(drawn)
    judge = record.judges[-1]
    assert (judge.name, judge.kind, judge.run) == (f"further (run {one.pk})", SAMPLE_JUDGE, one.pk)
    assert (judge.judge, judge.prompt_hash) == (None, "b" * 64)
    assert judge.endpoint["model"] == "model-of-further"
    assert said(record, judge.name) == {1: 1, 2: 0, 3: None}
    assert len(record.judges) == 3


def test_what_a_judge_was_not_asked_is_not_given_and_what_failed_could_not_be_read(drawn):
    run = judged_alone(drawn, {1: "1", 2: None})
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING)
    run.generations.filter(sampled__item__number=3).update(outcome="failed")
    cancel_run(Run.objects.get(pk=run.pk))
    tone = drawn.units.exclude(preference__nickname="Joker").first()
    Verdict.objects.filter(generation=tone.generation, preference=tone.preference).update(
        outcome="skipped", value=None
    )
    record = sample_record(drawn)
    assert said(record, record.judges[-1].name) == {1: 1, 2: None, 3: None}
    assert tone.item.number not in said(record, "judge")
    counts = {one.rater: one for one in counts_of(record).raters}
    of_sample, of_run = counts[record.judges[-1].name], counts["judge"]
    assert (of_sample.answered, of_sample.no_answer, of_sample.not_given) == (1, 2, 3)
    assert (of_run.answered, of_run.no_answer, of_run.not_given) == (3, 0, 3)


def test_half_a_value_is_read_from_a_judge_of_the_sample():
    drawn = draw_validation(pairs_run(), target="uptake", size=4)
    judged_alone(drawn, {1: "0.5", 2: "1"})
    record = sample_record(drawn)
    assert said(record, record.judges[-1].name) == {1: 0.5, 2: 1}
    assert record.judges[-1].prompt_hash == "c" * 64
    assert (record.is_ordered, record.values) == (True, (0, 0.5, 1))
    assert {item.unit.part: item.given["judge"] for item in record.items} == {"positive": 1, "negative": 0}


def test_the_prompt_of_a_judge_is_that_which_the_run_used():
    run = pairs_run()
    record = sample_record(draw_validation(run, target="fit", size=2))
    assert record.judges[0].prompt_hash == run.prompt_hashes["pairpref-fit-1"] != ""


def test_where_the_answer_was_read_differently_since_the_run_has_nothing_to_say(drawn):
    say(drawn, "C", 1, 1)
    judged_alone(drawn, {1: "0"})
    changed = drawn.units.get(item__number=1)
    Generation.objects.filter(pk=changed.generation_id).update(message="Something else.")
    record = sample_record(drawn)
    numbers = numbers_of(drawn, generation=changed.generation)
    assert {item.number for item in record.items if item.is_changed} == numbers
    first = record.items[0]
    assert first.texts["message"] != "Something else."
    assert first.given == {"C": 1, record.judges[-1].name: 0}
    assert any(f"in {len(numbers)} of its items" in notice for notice in record.notices)


def test_raters_of_one_name_are_told_apart():
    run = letters_run()
    drawn = draw_validation(run, size=6, label_sets=["judge", "exact match"])
    names = [rater.name for rater in sample_record(drawn).raters]
    assert names == ["judge", "exact match", "judge (judge of the run)", "exact match (exact match)"]
    say(drawn, "judge", 1, 0)
    assert sample_record(drawn).items[0].given["judge"] == 0


def test_examples_of_people_and_of_gold_are_named():
    release = make_release(make_corpus(), is_example=True)
    drawn = draw_validation(letters_run(release=release), size=6, is_example=True)
    close_sample(drawn.sample)
    assert sample_record(sample_of(drawn.sample.slug)).notices == (
        "Example labels that no recruited person gave.",
        "The gold labels of the run come from example labels that no recruited person gave.",
        "Labelling has ended.",
    )


@pytest.mark.parametrize(
    ("make", "question"),
    [
        (whole_benchpres_run, "label"),
        (whole_benchpres_run, "completeness"),
        (whole_pairpref_run, "uptake"),
        (whole_pairpref_run, "fit"),
        (whole_pairpref_run, "hedging"),
    ],
)
def test_the_units_of_a_record_are_those_of_the_run(make, question):
    """Read back from its rows, a unit is what the run's own record says, without the verdict of the run."""
    run, target = make(), QUESTIONS_FOR_PEOPLE[question]
    units = units_of(record_of(run), target)
    of_run = {unit.key: replace(unit, cluster=None, verdict=None) for unit in units}
    record = sample_record(draw_validation(run, target=question, size=len(of_run)))
    assert {item.unit.key: item.unit for item in record.items} == of_run


def test_a_record_takes_a_handful_of_queries_whatever_the_size():
    run, counts = letters_run(samples=5), []
    for size in (2, 30):
        drawn = draw_validation(run, size=size, users=[make_user(f"person-{size}", "annotator")])
        judged_alone(drawn, {1: "1"}, f"further-{size}")
        say(drawn, "A1", 1, 1)
        with CaptureQueriesContext(connection) as queries:
            sample_record(RunSample.objects.get(pk=drawn.pk))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12


def test_samples_are_found_by_run_and_by_name(drawn):
    other = draw_validation(drawn.run, size=2, slug="second")
    assert samples_of(drawn.run) == [other, drawn]
    assert sample_of("second") == other
    with pytest.raises(Problem, match=r"sample 'third'; expected one of: run-\d+-label, second"):
        sample_of("third")


def test_where_no_sample_is_there_it_is_said_how_to_draw_one():
    with pytest.raises(Problem, match="none yet; draw one with draw_validation"):
        sample_of("first")


def test_many_records_are_those_of_each_in_no_more_queries(django_assert_num_queries):
    """Two samples of one run share answers; a third is of another run, with a judge of its own."""
    run = whole_benchpres_run()
    drawn = [draw_validation(run, target=name, size=4, seed=2) for name in ("label", "completeness")]
    release = make_release(make_corpus("others"))
    other = letters_run(release=release, endpoint=make_endpoint("o1"), judges=[make_endpoint("o2")])
    drawn += [draw_validation(run, size=8, label_sets=["C"]), draw_validation(other, size=2)]
    judged_alone(drawn[0], {1: "1"})
    say(drawn[2], "C", 1, 1, "Plainly.")
    samples = list(RunSample.objects.select_related("sample", "run__dataset", "run__release"))
    assert len(samples) == len(drawn)
    with django_assert_num_queries(7):
        found = sample_records(samples)
    assert found == [sample_record(RunSample.objects.get(pk=sample.pk)) for sample in samples]
