"""A campaign's reports: counts that add up, Table 5's form, agreement before the filter."""

import json
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from annotate.actions.settling import set_aside_item
from annotate.agreement.tables import Labels
from annotate.models import Campaign, Profile, ProfilePreference
from annotate.ratings import CATEGORIES, complete_only
from annotate.reports import agreement_report, balance, consensus_counts, open_flags, progress
from tests.annotate.factories import give_labels, make_campaign, raise_flag

pytestmark = pytest.mark.django_db
ROWS = ["111", "000", "110", "11-", "000", "101"]


@pytest.fixture
def campaign() -> Campaign:
    campaign = make_campaign(contexts=2, preferences=3)
    give_labels(campaign, ROWS)
    return campaign


def test_progress_counts_labels_by_annotator(campaign):
    raise_flag(campaign, 3, "A3")
    report = progress(campaign)
    assert (report["labels"]["numerator"], report["labels"]["denominator"]) == (17, 18)
    assert [(seat["pseudonym"], seat["labels"], seat["flagged"]) for seat in report["annotators"]] == [
        ("A1", 6, 0),
        ("A2", 6, 0),
        ("A3", 5, 1),
    ]


def test_a_seat_outlives_its_account(campaign):
    campaign.annotators.get(pseudonym="A1").user.delete()
    assert progress(campaign)["annotators"][0] | {"last_label_at": None} == {
        "pseudonym": "A1",
        "account": None,
        "is_active": True,
        "labels": 6,
        "skipped": 0,
        "flagged": 0,
        "last_label_at": None,
    }


def test_consensus_counts_add_up(campaign):
    set_aside_item(campaign.items.get(number=2), "Borderline.")
    raise_flag(campaign, 0, "A1")
    raise_flag(campaign, 0, "A2")
    counts = consensus_counts(campaign)
    assert (counts["unanimous"], counts["split"], counts["incomplete"]) == (3, 2, 1)
    assert (counts["set_aside"], counts["flagged"]) == (1, 1)
    assert counts["left_out"] == {"set_aside": 1, "flagged": 1, "incomplete": 1, "split": 1}
    assert counts["kept"] + sum(counts["left_out"].values()) == counts["items"]


def test_balance_is_the_mean_over_contexts(campaign):
    found = balance(campaign)
    assert [(row["apply"], row["suppress"], row["left_out"]) for row in found["by_context"]] == [
        (1, 1, 1),
        (0, 1, 2),
    ]
    assert (found["apply"]["value"], found["suppress"]["value"]) == (0.5, 1.0)
    assert (found["apply"]["numerator"], found["apply"]["denominator"]) == (1, 2)
    assert found["per_profile"]["apply"]["undefined_reason"] == "the corpus has no profile"


def test_balance_of_a_profile_and_context_counts_shared_preferences_once_a_holder(campaign):
    dataset = campaign.dataset
    first, second, _ = dataset.preferences.all()
    for number, held in enumerate([(first, second), (first,)]):
        profile = Profile.objects.create(dataset=dataset, key=f"p{number}", name="P", position=number)
        for position, preference in enumerate(held):
            ProfilePreference.objects.create(profile=profile, preference=preference, position=position)
    per_profile = balance(campaign)["per_profile"]
    # Context 0: preference 0 is 1 (2 holders), preference 1 is 0 (1 holder). Context 1: preference 1 is 0.
    assert per_profile["pairs"] == 4
    assert (per_profile["apply"]["numerator"], per_profile["suppress"]["numerator"]) == (2, 2)


def test_agreement_is_taken_before_the_unanimity_filter_with_the_yield_beside_it(campaign):
    report = agreement_report(campaign)
    complete = np.array([[int(mark) for mark in row] for row in ROWS if "-" not in row])
    counts = np.stack([(complete == 0).sum(axis=1), (complete == 1).sum(axis=1)], axis=1)
    assert report["left_out"] == {"items": 1, "labels": 2}
    assert (report["yield"]["numerator"], report["yield"]["denominator"]) == (3, 5)
    assert (report["percent_agreement"]["numerator"], report["percent_agreement"]["denominator"]) == (11, 15)
    assert report["fleiss_kappa"]["value"] == pytest.approx(fleiss_kappa(counts))
    alpha = krippendorff.alpha(reliability_data=complete.T, level_of_measurement="nominal")
    assert report["krippendorff_alpha"]["value"] == pytest.approx(alpha)
    for pair, (one, two) in zip(report["pairs"], combinations(range(3), 2), strict=True):
        assert (pair["first"], pair["second"]) == (f"A{one + 1}", f"A{two + 1}")
        assert pair["cohen_kappa"]["value"] == pytest.approx(
            cohen_kappa_score(complete[:, one], complete[:, two])
        )
    assert json.loads(json.dumps(report)) == report


def test_items_set_aside_stay_in_the_agreement(campaign):
    before = agreement_report(campaign)
    set_aside_item(campaign.items.get(number=2), "Borderline.")
    assert agreement_report(campaign) == before


def test_two_annotators_with_one_answer_leave_kappa_undefined_in_words():
    campaign = make_campaign(overlap=2, annotators=2)
    give_labels(campaign, ["11", "11"])
    report = agreement_report(campaign)
    assert report["pairs"][0]["cohen_kappa"]["value"] is None
    assert report["pairs"][0]["cohen_kappa"]["undefined_reason"] == "both annotators used only apply"
    assert report["fleiss_kappa"]["undefined_reason"] == "all annotators used only apply"


def test_a_campaign_without_labels_has_reasons_instead_of_numbers():
    report = agreement_report(make_campaign())
    assert report["yield"]["undefined_reason"] == "no item is complete"
    assert report["percent_agreement"]["value"] is None
    assert report["pairs"] == []


def test_one_label_an_item_cannot_show_agreement():
    campaign = make_campaign(overlap=1, annotators=2)
    give_labels(campaign, ["1", "-0"])
    report = agreement_report(campaign)
    assert report["complete"] == 2
    assert report["percent_agreement"]["undefined_reason"] == "no unit was rated by two or more annotators"


def test_more_annotators_than_the_overlap_say_how_many_items_they_do_not_share():
    campaign = make_campaign(overlap=2, annotators=3)
    give_labels(campaign, ["11-", "1-0", "-00"])
    assert [
        (pair["first"], pair["second"], pair["left_out"]) for pair in agreement_report(campaign)["pairs"]
    ] == [
        ("A1", "A2", 2),
        ("A1", "A3", 2),
        ("A2", "A3", 2),
    ]


def test_open_flags_wait_for_an_answer(campaign):
    flag = raise_flag(campaign, 3, "A3")
    assert list(open_flags(campaign)) == [flag]


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 1)), unique_by=lambda row: row[:2]
    ),
    st.integers(1, 4),
)
@settings(deadline=None)
def test_complete_only_keeps_whole_units(rows, overlap):
    rows = sorted(rows)
    units = sorted({unit for unit, _, _ in rows})
    labels = Labels(
        np.array([units.index(unit) for unit, _, _ in rows], dtype=np.int64),
        np.array([rater for _, rater, _ in rows], dtype=np.int64),
        np.array([value for _, _, value in rows], dtype=np.int64),
        np.array(units, dtype=np.int64),
        ("a", "b", "c", "d"),
        CATEGORIES,
    )
    found = complete_only(labels, overlap)
    whole = [unit for unit in units if sum(row[0] == unit for row in rows) >= overlap]
    assert found.units.tolist() == whole
    columns = zip(found.units[found.unit].tolist(), found.rater.tolist(), found.value.tolist(), strict=True)
    assert list(columns) == [row for row in rows if row[0] in whole]
