"""Samples drawn from real runs: what is saved of them, what stays as it was drawn, what is refused."""

from collections import Counter

import pytest

from annotate.models import GoldRelease, ValidationItem, ValidationSample
from annotate.problems import Problem
from evaluation.actions import draw_validation
from evaluation.actions.rereading import store_rereading
from evaluation.models import Generation, RunSample, SampledUnit, Verdict
from evaluation.stored_run import record_of
from evaluation.targets import Target
from evaluation.validation.units import units_of
from tests.annotate.factories import make_user
from tests.evaluation.factories import make_corpus, make_endpoint
from tests.evaluation.pair_runs import planned_construction
from tests.evaluation.runs import planned_run
from tests.evaluation.validation.drawn import judged_alone, letters_run, pairs_run
from tests.evaluation.whole_runs import body, whole_benchpres_run, whole_pairpref_run

pytestmark = pytest.mark.django_db


def stored(drawn: RunSample) -> list[tuple]:
    """Everything of a sample that must stay."""
    drawn = RunSample.objects.get(pk=drawn.pk)
    units = drawn.units.order_by("item__number")
    columns = ("item__number", "item__texts", "generation", "preference", "part", "stratum", "together")
    return [drawn.strata, drawn.conditions, *units.values_list(*columns)]


def test_labels_of_a_run_are_drawn_with_equal_numbers_of_both_gold_labels():
    run = letters_run(samples=5)
    people = [make_user(name, "annotator") for name in ("ana", "ben")]
    drawn = draw_validation(run, size=16, seed=3, users=people, label_sets=["their file"], name="Round 1")
    sample = drawn.sample
    assert (sample.slug, sample.name, sample.question) == (f"run-{run.pk}-label", "Round 1", "label")
    assert sorted(sample.raters.values_list("pseudonym", flat=True)) == ["A1", "A2", "their file"]
    assert (drawn.run, drawn.target, drawn.seed) == (run, "label", 3)
    assert (drawn.conditions, drawn.over) == (["default"], ["part"])
    # 2 profiles x 5 samples, once at the doctor's and twice at the bank's.
    assert drawn.strata == [
        {"name": "apply", "size": 10, "drawn": 8},
        {"name": "suppress", "size": 20, "drawn": 8},
    ]
    units = list(drawn.units.select_related("item", "preference", "generation__context"))
    assert [unit.item.number for unit in units] == list(range(1, 17))
    gold = {("Bank", "tone"): "suppress", ("Bank", "nickname"): "suppress", ("Doctor", "tone"): "apply"}
    for unit in units:
        assert unit.part == gold[unit.generation.context.recipient, unit.preference.category]
        assert drawn.strata[unit.stratum]["name"] == unit.part
        assert unit.item.texts == {"preference": unit.preference.text, "message": unit.generation.message}
        assert unit.category == unit.preference.category
        assert unit.domains == unit.generation.context.domains
    assert {unit.category for unit in units} == {"tone", "nickname"}


def test_both_answers_of_pairs_are_drawn_and_the_same_pairs_for_uptake_fit_and_hedging():
    run = pairs_run()
    drawn = {target: draw_validation(run, target=target, size=6) for target in ("uptake", "fit", "hedging")}
    columns = ("item__number", "generation", "part", "together")
    rows = {target: list(sample.units.values_list(*columns)) for target, sample in drawn.items()}
    assert rows["uptake"] == rows["fit"] == rows["hedging"]
    assert Counter(part for _, _, part, _ in rows["fit"]) == {"positive": 3, "negative": 3}
    assert [sample.target for sample in drawn.values()] == ["uptake", "fit", "hedge"]
    assert drawn["uptake"].strata == [{"name": "all", "size": 6, "drawn": 3}]
    assert drawn["uptake"].conditions == ["generation"]
    for unit in drawn["fit"].units.select_related("item", "generation__pair"):
        pair, side = unit.generation.pair, unit.part
        assert unit.item.texts == {
            "situation": pair.situations.get(side=side).text,
            "request": pair.request,
            "message": f"The {side} answer.",
        }
        assert unit.item.texts["situation"].endswith("x." if side == "positive" else "y.")
    for unit in drawn["hedging"].units.select_related("item", "generation__pair__preference"):
        pair = unit.generation.pair
        assert unit.item.texts == {
            "preference": pair.preference.text,
            "request": pair.request,
            "message": f"The {unit.part} answer.",
        }
        assert (unit.preference, unit.category) == (None, pair.category)
        assert unit.domains == [pair.preference.domain]


def test_messages_are_drawn_whole_for_completeness():
    run = whole_benchpres_run()
    drawn = draw_validation(run, target="completeness", size=5, conditions=["mitigation", "default"])
    assert drawn.conditions == ["default", "mitigation"]
    assert set(drawn.units.values_list("generation__condition", flat=True)) <= {"default", "mitigation"}
    for unit in drawn.units.select_related("item", "generation__context"):
        context = unit.generation.context
        assert unit.item.texts == {
            "recipient": context.recipient,
            "task": context.task,
            "message": unit.generation.message,
        }
        assert (unit.preference, unit.part, unit.category) == (None, "", "")


def test_all_that_a_run_counts_can_be_drawn_and_nothing_else():
    run = whole_pairpref_run()
    units = units_of(record_of(run), Target.HEDGE)
    drawn = draw_validation(run, target="hedging", size=len(units), over=["condition", "verdict"])
    assert set(drawn.units.values_list("generation", flat=True)) == {unit.generation for unit in units}
    with pytest.raises(Problem, match=f"expected 1 to {len(units)}"):
        draw_validation(run, target="hedging", size=len(units) + 2)


def test_a_seed_and_a_size_draw_the_same_again_and_another_seed_does_not():
    run = letters_run(samples=5)
    first, again, other = (draw_validation(run, size=8, seed=seed) for seed in (1, 1, 2))
    assert stored(first) == stored(again) != stored(other)
    slugs = [drawn.sample.slug for drawn in (first, again, other)]
    assert slugs == [f"run-{run.pk}-label", f"run-{run.pk}-label-2", f"run-{run.pk}-label-3"]


def test_a_sample_stays_as_it_was_drawn_when_its_run_is_read_again_and_judged_further():
    run = letters_run(samples=2)
    run.generations.update(reply=[body("Dear all, now read differently.")])
    Verdict.objects.filter(judge__isnull=False).update(reply=[body('{"label": "do_not_follow"}')])
    drawn = draw_validation(run, size=8, over=["part", "verdict"])
    before = stored(drawn)
    found = store_rereading(run)
    assert len([unit for unit in found.to_store if unit.kind == "verdict"]) == 8
    judged_alone(drawn, dict.fromkeys(range(1, 9), "1"))
    # A message without verdicts is read anew; those on which there are verdicts stay as they were.
    changed = drawn.units.first().generation
    changed.verdicts.all().delete()
    store_rereading(run)
    changed.refresh_from_db()
    assert changed.message == "Dear all, now read differently."
    assert stored(drawn) == before
    # Drawn now, by the same seed, it would be another: the verdicts are.
    assert stored(draw_validation(run, size=8, over=["part", "verdict"])) != before


@pytest.mark.parametrize("state", ["planned", "running", "paused", "stopped", "cancelled"])
def test_a_run_that_is_not_done_is_refused(state):
    run = letters_run()
    run.state = state
    run.save()
    with pytest.raises(Problem, match=f"is {state}; a sample is drawn from a run that is done"):
        draw_validation(run, size=2)
    assert not ValidationSample.objects.exists()


def test_a_target_that_the_benchmark_does_not_judge_is_refused():
    run = letters_run()
    with pytest.raises(Problem, match="A benchpres run is not judged on uptake; expected one of label, com"):
        draw_validation(run, target="uptake")
    with pytest.raises(Problem, match="'hedge' is unknown; expected one of label, completeness, uptake"):
        draw_validation(run, target="hedge")


def test_a_run_without_answers_to_label_is_refused():
    with pytest.raises(Problem, match="A construction run is not judged on fit; draw from a run"):
        draw_validation(planned_construction("http://127.0.0.1:9/v1"), target="fit")


@pytest.mark.parametrize(
    ("plan", "target", "why"),
    [
        ({"tracks": ["selection"], "judges": []}, "fit", "no condition of it asks for answers"),
        ({"tracks": ["preference_only"], "judges": []}, "uptake", "no condition of it asks for answers"),
    ],
)
def test_a_run_of_selection_alone_has_nothing_to_draw(plan, target, why):
    with pytest.raises(Problem, match=rf"Nothing of run \d+ can be drawn for {target}: {why}"):
        draw_validation(pairs_run(**plan), target=target)


def test_a_run_without_a_judge_of_completeness_has_nothing_to_draw_for_it():
    with pytest.raises(Problem, match="for completeness: no judge of completeness is named in it"):
        draw_validation(letters_run(), target="completeness")


def test_a_probe_alone_has_no_labels_to_draw():
    run = planned_run("http://127.0.0.1:9/v1", conditions=["probe"])
    run.state = "done"
    run.save()
    with pytest.raises(Problem, match="no condition of it asks for answers"):
        draw_validation(run)


def test_a_release_without_labels_leaves_nothing_to_draw():
    dataset = make_corpus()
    release = GoldRelease.objects.create(
        dataset=dataset, number=1, origin="imported", corpus_version=1, counts={}
    )
    with pytest.raises(Problem, match="nothing that it measured has a gold label"):
        draw_validation(letters_run(release=release))


def test_a_condition_without_such_answers_is_refused_with_those_that_have_them():
    run = whole_benchpres_run()
    with pytest.raises(Problem, match=r"no condition 'probe' .*: default; mitigation; no_preferences"):
        draw_validation(run, conditions=["default", "probe"])
    with pytest.raises(Problem, match="each only once"):
        draw_validation(run, conditions=["default", "default"])


def test_pairs_of_a_corpus_that_has_changed_since_are_refused():
    run = pairs_run(pairs=1)
    run.dataset.content_hash = "e" * 64
    run.dataset.save()
    with pytest.raises(Problem, match="people would be shown other texts than its judges"):
        draw_validation(run, target="fit", size=2)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"size": 0}, "The sample is 0; expected 1 to 6"),
        ({"size": 7}, "The sample is 7; expected 1 to 6"),
        ({"over": ["part", "colour"]}, "'colour' is unknown"),
        ({"seed": -1}, "The seed is -1"),
        ({"slug": "no slug"}, "cannot stand in an address"),
        ({"label_sets": ["C", "C"]}, "is the name of another seat"),
    ],
)
def test_nothing_is_saved_where_something_is_wrong(wrong, words):
    run = letters_run()
    with pytest.raises(Problem, match=words):
        draw_validation(run, **{"size": 2, **wrong})
    for kind in (ValidationSample, ValidationItem, RunSample, SampledUnit):
        assert not kind.objects.exists()


def test_what_nobody_could_read_is_not_drawn():
    run = letters_run(judges=[make_endpoint("judge"), make_endpoint("second")])
    first = run.judges.order_by("pk").first()
    unread = Verdict.objects.filter(judge=first).first()
    Verdict.objects.filter(pk=unread.pk).update(outcome="not_read", value=None)
    drawn = draw_validation(run, size=5)
    kept = set(drawn.units.values_list("generation", "preference"))
    assert len(kept) == 5
    assert (unread.generation_id, unread.preference_id) not in kept


def test_few_queries_draw_a_sample_however_large(django_assert_max_num_queries):
    run = letters_run(samples=20)
    assert Generation.objects.count() == 80
    with django_assert_max_num_queries(45):
        draw_validation(run, size=100)
