"""What of a run can be drawn: the answers that its rates count, and why there may be none."""

from dataclasses import replace

import pytest

from evaluation.pairpref.metrics import Pair
from evaluation.records import GenerationRecord, JudgeRecord, RunRecord, VerdictRecord
from evaluation.reporting.report import report_of
from evaluation.stored_run import record_of
from evaluation.targets import Target
from evaluation.validation.records import Unit
from evaluation.validation.units import judged_arms, units_of, unread_units, why_none
from tests.evaluation.whole_runs import whole_benchpres_run, whole_pairpref_run

BANK, DOCTOR = ("Bank", "Ask for a loan"), ("Doctor", "Move an appointment")
TONE, NAME = "Likes sarcasm.", "Wants to be called Joker."


def verdict(target: str, value: float | None, judge: int | None = 1, preference: str = "") -> VerdictRecord:
    outcome = "not_read" if value is None else "done"
    return VerdictRecord(target, preference, judge, 1, outcome, "", value)


def unit(number: int, *verdicts: VerdictRecord, outcome: str = "done", **about) -> GenerationRecord:
    usual = {
        "task": "message",
        "arm": "default",
        "sample": 1,
        "profile": "p1",
        "context": BANK,
        "preference": "",
        "pair": "",
        "side": "",
        "reason": "",
        "message": "Dear all, ...",
        "choice": "",
    }
    return GenerationRecord(id=number, outcome=outcome, verdicts=verdicts, **usual | about)


def of_labels(*rows: GenerationRecord, **known) -> RunRecord:
    """A run with the conditions *default*, *mitigation* and the probe, and two judges of labels."""
    arms = [{"name": name, "condition": name} for name in ("default", "mitigation", "probe")]
    judges = tuple(JudgeRecord(n, {"name": f"judge {n}"}, "labels", "", False) for n in (1, 2))
    usual = {
        "gold": {(BANK, TONE): 0, (BANK, NAME): 0, (DOCTOR, TONE): 1},
        "preferences": {TONE: "tone", NAME: "nickname"},
        "contexts": {BANK: ("finance", "legal"), DOCTOR: ()},
    }
    return RunRecord({"benchmark": "benchpres", "arms": arms}, judges, rows, **usual | known)


def of_pairs(*rows: GenerationRecord) -> RunRecord:
    arms = [{"name": name, "track": name} for name in ("selection", "generation")]
    judge = JudgeRecord(1, {"name": "judge"}, "answers", "", False)
    pairs = {f"c{n}": Pair(f"c{n}", "M01", "occasion", "food", "clean", 1) for n in (1, 2, 3)}
    return RunRecord({"benchmark": "pairpref", "arms": arms}, (judge,), rows, pairs=pairs)


def side(number: int, pair: str, name: str, *verdicts: VerdictRecord, **about) -> GenerationRecord:
    usual = {
        "task": "answer",
        "arm": "generation",
        "profile": "",
        "context": None,
        "pair": pair,
        "side": name,
    }
    return unit(number, *verdicts, **usual | about)


def both(number: int, pair: str, target: str = "uptake", positive=1.0, negative=0.0, **about):
    return [
        side(number, pair, "positive", verdict(target, positive), **about),
        side(number + 1, pair, "negative", verdict(target, negative), **about),
    ]


def test_a_label_is_drawn_with_its_gold_and_the_first_judges_verdict():
    record = of_labels(
        unit(
            7,
            verdict("label", 1, 1, TONE),
            verdict("label", 0, 2, TONE),
            verdict("label", 0, None, NAME),
            verdict("completeness", 4, 2),
        )
    )
    tone, name = units_of(record, Target.LABEL)
    assert tone == Unit(
        generation=7,
        preference=TONE,
        arm="default",
        part="suppress",
        together=tone.together,
        cluster=("p1", "Bank: Ask for a loan"),
        category="tone",
        domains=("finance", "legal"),
        verdict=1.0,
    )
    assert (name.preference, name.part, name.verdict) == (NAME, "suppress", 0.0)
    assert tone.together != name.together


def test_another_judges_verdicts_can_be_asked_for():
    record = of_labels(unit(7, verdict("label", 1, 1, TONE), verdict("label", 0, 2, TONE)))
    assert [one.verdict for one in units_of(record, Target.LABEL, judge=2)] == [0.0]
    assert [one.verdict for one in units_of(record, Target.LABEL, judge=3)] == []


def test_what_no_rate_counts_is_not_drawn_and_what_was_not_read_is_counted():
    record = of_labels(
        unit(1, verdict("label", None, 1, TONE), verdict("label", 1, 2, TONE)),
        unit(2, verdict("label", 1, None, NAME), context=DOCTOR),
        unit(3, verdict("label", None, 1, TONE), outcome="failed"),
        unit(4, verdict("label", 0, 1, TONE), context=DOCTOR, arm="mitigation"),
        unit(5, task="probe", arm="probe", preference=TONE),
    )
    [kept] = units_of(record, Target.LABEL)
    assert (kept.generation, kept.part, kept.domains) == (4, "apply", ("no domain",))
    assert unread_units(record, Target.LABEL) == 1
    assert unread_units(record, Target.LABEL, ["mitigation"]) == 0
    assert units_of(record, Target.LABEL, ["default"]) == []


def test_whole_profiles_are_the_clusters_where_the_run_resamples_those():
    record = of_labels(unit(7, verdict("label", 1, 1, TONE)), cluster_by="profile")
    assert [one.cluster for one in units_of(record, Target.LABEL)] == ["p1"]


def test_completeness_is_of_whole_messages():
    record = of_labels(
        unit(1, verdict("label", 1, 1, TONE), verdict("completeness", 4, 3)),
        unit(2, verdict("completeness", None, 3)),
        unit(3, verdict("label", 1, 1, TONE)),
    )
    [kept] = units_of(record, Target.COMPLETENESS)
    assert (kept.generation, kept.preference, kept.part, kept.category) == (1, "", "", "")
    assert (kept.cluster, kept.domains, kept.verdict) == (
        ("p1", "Bank: Ask for a loan"),
        ("finance", "legal"),
        4.0,
    )
    assert unread_units(record, Target.COMPLETENESS) == 1


def test_both_sides_of_a_pair_are_drawn_together_or_not_at_all():
    record = of_pairs(
        *both(1, "c1"),
        *both(3, "c2", negative=None),
        side(5, "c3", "positive", verdict("uptake", 1)),
        side(6, "c3", "negative", outcome="failed"),
        *both(7, "c1", sample=2),
        unit(9, task="selection", arm="selection", pair="c1", side="positive", choice="memory"),
    )
    found = units_of(record, Target.UPTAKE)
    assert [(one.generation, one.part, one.verdict) for one in found] == [
        (1, "positive", 1.0),
        (2, "negative", 0.0),
        (7, "positive", 1.0),
        (8, "negative", 0.0),
    ]
    assert {(one.cluster, one.category, one.domains) for one in found} == {("M01", "occasion", ("food",))}
    assert found[0].together == found[1].together != found[2].together == found[3].together
    assert unread_units(record, Target.UPTAKE) == 2


def test_the_same_pair_has_one_name_for_every_target_and_in_every_database():
    uptake = of_pairs(*both(1, "c1"), *both(3, "c2"))
    fit = of_pairs(*both(11, "c1", "fit", 1.0, 1.0), *both(13, "c2", "fit", 1.0, 1.0))
    names = [one.together for one in units_of(uptake, Target.UPTAKE)]
    assert [one.together for one in units_of(fit, Target.FIT)] == names
    assert len(set(names)) == 2


def test_only_conditions_with_judged_answers_are_drawn_from():
    assert judged_arms(of_labels(), Target.LABEL) == ["default", "mitigation"]
    assert judged_arms(of_pairs(), Target.HEDGE) == ["generation"]
    assert judged_arms(of_pairs(), Target.LABEL) == judged_arms(of_labels(), Target.FIT) == []


@pytest.mark.parametrize(
    ("record", "target", "why"),
    [
        (of_labels(unit(1)), Target.COMPLETENESS, "no judge of completeness is named in it"),
        (of_labels(unit(1, outcome="failed"), unit(2, outcome="not_read")), Target.LABEL, "none is done"),
        (of_labels(unit(1, verdict("label", 1, 1, TONE)), gold={}), Target.LABEL, "has a gold label"),
        (
            of_labels(unit(1, verdict("label", None, 1, TONE))),
            Target.LABEL,
            "of the 1 that could be",
        ),
        (of_pairs(side(1, "c1", "positive", verdict("fit", 1))), Target.FIT, "no pair has answers on both"),
        (replace(of_pairs(), plan={"benchmark": "pairpref", "arms": []}), Target.FIT, "no condition of it"),
    ],
)
def test_it_is_said_why_nothing_can_be_drawn(record, target, why):
    assert units_of(record, target) == []
    assert why in why_none(record, target)


@pytest.mark.django_db
def test_the_units_of_labels_are_what_the_rates_of_the_run_count():
    record = record_of(whole_benchpres_run())
    conditions = report_of(record)["conditions"]
    for arm in judged_arms(record, Target.LABEL):
        found, told = units_of(record, Target.LABEL, [arm]), conditions[arm]
        for part, rate in (("suppress", told["mr"]), ("apply", told["aar"])):
            of_part = [one for one in found if one.part == part]
            assert len(of_part) == rate["denominator"] > 0
            assert sum(one.verdict for one in of_part) == rate["numerator"]


@pytest.mark.django_db
def test_the_units_of_completeness_are_what_the_mean_of_the_run_counts():
    record = record_of(whole_benchpres_run())
    [told] = report_of(record)["completeness"]
    for arm in judged_arms(record, Target.COMPLETENESS):
        mean, found = told["by_arm"][arm]["mean"], units_of(record, Target.COMPLETENESS, [arm])
        assert len(found) == mean["denominator"]
        assert sum(one.verdict for one in found) == mean["numerator"]


@pytest.mark.django_db
def test_the_units_of_uptake_hold_all_pairs_that_the_rates_of_the_run_retain():
    record = record_of(whole_pairpref_run())
    for arm, told in report_of(record)["arms"].items():
        found = {target: units_of(record, target, [arm]) for target in (Target.UPTAKE, Target.HEDGE)}
        hedging = {one.together for one in found[Target.HEDGE] if one.verdict}
        judged = {one.together for one in found[Target.HEDGE]} - hedging
        retained = [one for one in found[Target.UPTAKE] if one.together in judged]
        if told["settings"]["track"] == "generation":
            assert len(retained) == 2 * told["retained"]
            used = sum(one.verdict for one in retained if one.part == "positive")
            assert used == (told["use_positive"]["numerator"] or 0)
        else:
            assert retained == []
