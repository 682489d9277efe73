"""The report of a run with its rates corrected by what people labelled, in every form."""

import csv
import json
from collections.abc import Callable, Iterable
from io import StringIO
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command

from annotate.problems import Problem
from evaluation.actions import draw_validation
from evaluation.models import Generation, Run, RunSample
from evaluation.reports import corrected_report
from evaluation.stored_run import record_of
from evaluation.targets import QUESTIONS_FOR_PEOPLE
from evaluation.validation.units import units_of
from tests.evaluation.validation.drawn import letters_run, say
from tests.evaluation.whole_runs import whole_benchpres_run, whole_pairpref_run

pytestmark = pytest.mark.django_db

type Says = Callable[[int], float | None]


def drawn(run: Run, target: str, says: Says | None = None) -> RunSample:
    """A sample of all that there is for a target; one person says what is given by the item's number."""
    size = len(units_of(record_of(run), QUESTIONS_FOR_PEOPLE[target]))
    sample = draw_validation(run, target=target, size=size, over=(), label_sets=["people"])
    for number in range(1, size + 1) if says else ():
        say(sample, sample.sample.raters.get().pseudonym, number, says(number))
    return sample


def messages() -> tuple[Run, list[RunSample]]:
    run = whole_benchpres_run()
    label = drawn(run, "label", lambda number: number % 2)
    return run, [label, drawn(run, "completeness", lambda number: 1 + number % 5)]


def pairs() -> tuple[Run, list[RunSample]]:
    run = whole_pairpref_run()
    uptake = drawn(run, "uptake", lambda number: (0, 0.5, 1)[number % 3])
    fit = drawn(run, "fit", lambda number: number % 2)
    return run, [uptake, fit, drawn(run, "hedging", lambda number: 0)]


BOTH = pytest.mark.parametrize("make", [messages, pairs])


def report(run: Run | int, samples: Iterable[RunSample], output_format: str = "json", *options: str) -> str:
    out, number = StringIO(), run.pk if isinstance(run, Run) else run
    named = [f"--corrected={sample.sample.slug}" for sample in samples]
    call_command("report", str(number), *named, *options, f"--format={output_format}", stdout=out)
    return out.getvalue()


def rates_of(text: str) -> dict[tuple[str, str], dict]:
    """Return the corrected rates by name and what they are of: arm, the arm it is compared with, judge."""
    arms = json.loads(text)["corrected"]["arms"]
    return {
        (arm["arm"], arm["against"], arm["judge"], name): rate
        for arm in arms
        for name, rate in arm["rates"].items()
    }


@BOTH
def test_raw_rates_are_those_of_the_report_beside_them(make):
    run, samples = make()
    text = report(run, samples)
    whole = json.loads(text)
    arms = whole["arms"] if run.benchmark == "pairpref" else whole["conditions"]
    compared = 0
    for (arm, _, judge, name), rate in rates_of(text).items():
        judges = {each.get("name", each["judge"]): each for each in arms[arm]["by_judge"]}
        of_report = judges.get(judge, arms[arm]).get(name)
        if of_report and name not in ("gap", "delta"):
            compared += 1
            assert rate["raw"]["numerator"] == (of_report["numerator"] or 0)
            assert rate["raw"]["denominator"] == of_report["denominator"]
    # Two rates of labels in three arms three times; six of pairs in two arms by two judges.
    assert compared == (6 * 2 * 2 if run.benchmark == "pairpref" else 2 * 3 * 3)


def test_where_all_is_labelled_the_corrected_rates_are_what_people_say():
    run, samples = messages()
    rates = rates_of(report(run, samples))
    for sample, names in zip(samples, ({"mr": "suppress", "aar": "apply"}, {"mean": ""}), strict=True):
        for name, part in names.items():
            units = sample.units.filter(generation__condition="mitigation", part=part)
            people = fmean(unit.item.labels.get().value for unit in units)
            judge = "third (completeness)" if name == "mean" else "all its judges, as the run counts them"
            found = rates["mitigation", "", judge, name]["prediction_powered"]
            assert found["value"] == pytest.approx(people)


def test_a_rate_of_what_people_never_say_is_refused_by_rogan_and_gladen_with_words():
    run, samples = pairs()
    found = [rate for (*_, name), rate in rates_of(report(run, samples)).items() if "hedging" in name]
    assert found
    for rate in found:
        assert rate["sensitivity"]["value"] is None
        assert rate["rogan_gladen"]["value"] is None
        assert "The correction by Rogan and Gladen is refused" in " ".join(rate["warnings"])


@BOTH
def test_every_warning_stands_in_every_form(make):
    run, samples = make()
    warnings = {warning for rate in rates_of(report(run, samples)).values() for warning in rate["warnings"]}
    assert any("too few" in warning for warning in warnings)
    text, latex = (report(run, samples, form) for form in ("text", "latex"))
    cells = [row["words"] for row in csv.DictReader(StringIO(report(run, samples, "csv")))]
    for warning in warnings:
        assert warning in text
        assert warning.replace("%", r"\%") in latex
        assert any(warning in cell for cell in cells)
    # Sentences run over several lines, so that the table stays on its page.
    assert r"p{6cm}}" in latex


@BOTH
def test_csv_and_latex_hold_raw_and_corrected_of_every_rate(make):
    run, samples = make()
    rates = rates_of(report(run, samples))
    rows = list(csv.DictReader(StringIO(report(run, samples, "csv"))))
    for column in ("raw", "prediction_powered"):
        found = [
            row
            for row in rows
            if row["section"] == "corrected" and row["metric"] == column and "Raw and" in row["table"]
        ]
        values = [rate[column]["value"] for rate in rates.values()]
        assert [float(row["value"]) if row["value"] else None for row in found] == pytest.approx(values)
    latex = report(run, samples, "latex")
    captions = latex.count(r"\caption{Raw and corrected, ")
    assert captions == len({tuple(place) for *place, _ in rates})


def test_a_report_without_samples_is_as_it_was():
    run = whole_benchpres_run()
    assert "corrected" not in json.loads(report(run, []))
    assert "Raw and corrected" not in report(run, [], "text")


def test_it_is_told_how_many_labels_more_an_interval_takes():
    run, samples = messages()
    text = report(run, samples, "text", "--width=0.9", "--score-width=3.5")
    assert "Labels to go until an interval is 0.9 (90 points) wide" in text
    assert "Labels to go until an interval is 3.5 wide" in text
    with pytest.raises(CommandError, match="expected a width above 0"):
        report(run, samples, "json", "--width=0")


def test_a_condition_of_which_the_sample_has_nothing_is_told():
    run = letters_run(conditions=("default", "mitigation"))
    sample = draw_validation(
        run, target="label", size=4, over=(), conditions=["default"], label_sets=["people"]
    )
    say(sample, sample.sample.raters.get().pseudonym, 1, 1)
    text = report(run, [sample], "text")
    assert "sample run-1-label, mitigation".replace("1", str(run.pk)) in text
    assert "no item of the sample is of this condition" in text


def test_that_labels_are_examples_is_told_in_every_form():
    run = letters_run()
    sample = drawn(run, "label", lambda number: 1)
    sample.sample.is_example = True
    sample.sample.save(update_fields=["is_example"])
    for form in ("text", "json", "csv", "latex"):
        assert sample.sample.example_notice in report(run, [sample], form)


def test_an_item_whose_text_the_run_has_read_differently_since_does_not_count():
    run = letters_run()
    sample = drawn(run, "label", lambda number: 1)
    changed = sample.units.first().generation
    Generation.objects.filter(pk=changed.pk).update(message="Read differently.")
    [arm] = corrected_report(run, [sample])["arms"]
    [labels] = arm["labels"]
    assert labels["changed"] == sample.units.filter(generation=changed).count() > 0
    assert arm["rates"]["gap"]["labelled"] == labels["labelled"] == labels["items"] - labels["changed"]


def test_intervals_draw_what_those_of_the_run_draw():
    run = letters_run(samples=2)
    sample = drawn(run, "label", lambda number: number % 2)
    methods = []
    for clusters in ("context", "profile"):
        rates = rates_of(report(run, [sample], "json", f"--resample={clusters}"))
        found = rates["default", "", "judge", "gap"]["prediction_powered"]
        methods.append(found["interval"]["method"])
    assert ["over 4 clusters" in methods[0], "over 2 clusters" in methods[1]] == [True, True]


def test_a_sample_of_another_run_is_refused_by_its_name():
    run = letters_run()
    sample = drawn(run, "label", lambda number: 1)
    other = Run.objects.get(pk=run.pk)
    other.pk = None
    other.save()
    with pytest.raises(CommandError, match=rf"Sample {sample.sample.slug} is of answers of run {run.pk}"):
        report(other, [sample])


def test_a_sample_without_a_label_is_refused_with_what_to_do():
    run = letters_run()
    with pytest.raises(CommandError, match="Nobody has labelled"):
        report(run, [drawn(run, "label")])
    with pytest.raises(Problem, match="import_validation_labels"):
        corrected_report(run, RunSample.objects.all())


def test_a_sample_that_there_is_not_is_refused():
    run = letters_run()
    with pytest.raises(CommandError, match="no validation sample 'nothing'"):
        call_command("report", str(run.pk), "--corrected=nothing")
