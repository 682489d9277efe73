"""A run is planned whole, before anything is sent."""

import pytest

from annotate.problems import Problem
from evaluation.actions import create_run
from evaluation.models import Generation, Run, Verdict
from tests.evaluation.factories import make_corpus, make_endpoint, make_release

pytestmark = pytest.mark.django_db


@pytest.fixture
def parts():
    dataset = make_corpus()
    subject, judge = make_endpoint("subject"), make_endpoint("judge")
    return {
        "dataset": dataset,
        "release": make_release(dataset),
        "endpoint": subject,
        "judges": [(judge, "")],
        "samples": 2,
    }


def test_every_unit_of_the_plan_is_there_once(parts):
    run = create_run(**parts)
    assert run.generations.count() == 2 * 2 * 2
    verdicts = Verdict.objects.filter(generation__run=run)
    assert verdicts.count() == 16
    assert verdicts.filter(judge=None, preference__nickname="Joker").count() == 8
    assert verdicts.filter(judge__endpoint__name="judge", preference__category="tone").count() == 8
    assert set(verdicts.values_list("outcome", flat=True)) == {"planned"}
    assert len(set(run.generations.values_list("key", flat=True))) == 8
    assert len(set(verdicts.values_list("key", flat=True))) == 16
    assert run.state == Run.State.PLANNED


def test_all_contexts_of_a_profile_stand_next_to_each_other(parts):
    run = create_run(**parts)
    profiles = list(run.generations.order_by("pk").values_list("profile__key", flat=True))
    assert profiles == ["p1"] * 4 + ["p2"] * 4
    assert {shard.generations.values("profile").distinct().count() for shard in run.shards.all()} == {1}


def test_keys_change_with_everything_that_changes_what_is_asked(parts):
    def keys(**changes):
        run = create_run(**{**parts, **changes})
        return set(run.generations.values_list("key", flat=True))

    first = keys()
    assert keys() == first
    assert keys(seed=9) == first
    other_model = make_endpoint("other", model="another")
    other_parameters = make_endpoint("longer", model=parts["endpoint"].model, parameters={"max_tokens": 9})
    for changed in (
        keys(temperatures=[0.3]),
        keys(conditions=["mitigation"]),
        keys(endpoint=other_model),
        keys(endpoint=other_parameters),
    ):
        assert not changed & first


def test_run_keeps_what_explains_it(parts):
    run = create_run(**parts, seed=5, temperatures=[0.5])
    assert (run.seed, run.arms[0]["temperature"], run.conditions) == (5, 0.5, ["default, temperature 0.5"])
    assert run.corpus_hash == parts["dataset"].content_hash
    assert run.endpoint_snapshot["model"] == "model-of-subject"
    assert set(run.prompt_hashes) == {"benchpres-default-1", "benchpres-judge-1"}
    assert len(run.code_version) == 64


def test_judge_of_a_category_goes_before_the_judge_of_all(parts):
    special = make_endpoint("special")
    run = create_run(**{**parts, "judges": [*parts["judges"], (special, "tone")]})
    judges = Verdict.objects.filter(generation__run=run, judge__isnull=False)
    assert set(judges.values_list("judge__endpoint__name", flat=True)) == {"special"}


def test_several_judges_judge_the_same_messages(parts):
    run = create_run(**{**parts, "judges": [*parts["judges"], (make_endpoint("second"), "")]})
    assert Verdict.objects.filter(generation__run=run, judge__isnull=False).count() == 16


def test_judge_that_is_the_subject_is_marked(parts):
    run = create_run(**{**parts, "judges": [(parts["endpoint"], "")]})
    assert run.judges.get().is_subject


def test_some_profiles_and_contexts_can_be_chosen(parts):
    by_key = create_run(**parts, profiles=["p2"], contexts=1)
    assert set(by_key.generations.values_list("profile__key", flat=True)) == {"p2"}
    assert by_key.generations.values("context").distinct().count() == 1
    assert create_run(**parts, profiles=1).generations.values("profile").distinct().count() == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"benchmark": "other"}, "'other' is unknown; expected one of benchpres"),
        ({"conditions": ["loud"]}, "'loud' is unknown"),
        ({"conditions": []}, "at least one condition"),
        ({"conditions": ["default", "default"]}, "only once"),
        ({"samples": 0}, "number of samples is 0; expected 1 to 1000"),
        ({"samples": 1001}, "number of samples is 1001; expected 1 to 1000"),
        ({"contexts": -1}, "number of contexts is -1"),
        ({"profiles": 0}, "number of profiles is 0"),
        ({"profiles": ["p9"]}, "no profile p9; expected some of p1, p2"),
        ({"seed": -1}, "The seed is -1"),
        ({"seed": 2**63}, "The seed is 9223372036854775808"),
        ({"temperatures": [2.1]}, "The temperature is 2.1; expected a number from 0 to 2"),
        ({"temperatures": [float("nan")]}, "The temperature is nan"),
        ({"judges": []}, "No judge is named for tone"),
    ],
)
def test_plan_that_cannot_be_is_refused_before_anything_is_written(parts, changes, words):
    with pytest.raises(Problem, match=words):
        create_run(**{**parts, **changes})
    assert not Run.objects.exists()
    assert not Generation.objects.exists()


def test_judge_of_a_category_that_there_is_not_is_refused(parts):
    with pytest.raises(Problem, match="no preferences to judge in category nickname; expected one of tone"):
        create_run(**{**parts, "judges": [*parts["judges"], (parts["endpoint"], "nickname")]})


def test_release_of_another_dataset_is_refused(parts):
    other = make_release(make_corpus("other"))
    with pytest.raises(Problem, match="is of dataset other"):
        create_run(**{**parts, "release": other})
