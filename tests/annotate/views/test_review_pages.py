"""Who reaches the lead's pages of reviews, what they show and keep, and what each button does."""

import csv
import io
import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotate.actions.adjudicating import adjudicate
from annotate.actions.reviews import close_review, draw_pairs, end_reviewer
from annotate.models import Adjudication, Dataset, Review
from annotate.pairs import ROLES
from tests.annotate.factories import make_dataset, make_user
from tests.annotate.review_factories import answer, answer_all, make_pair_dataset, make_review

pytestmark = pytest.mark.django_db

FIRST = "M01-C1-s0"
PAGES = [
    ("review-list", []),
    ("review-new", []),
    ("review", ["review-1"]),
    ("review-disagreements", ["review-1"]),
    ("review-pair", ["review-1", FIRST]),
    ("review-answers", ["review-1", "answers", "jsonl"]),
    ("review-answers", ["review-1", "settled", "csv"]),
    ("review-answers", ["review-1", "settled", "parquet"]),
    ("review-set", ["review-1", "reviewed"]),
    ("review-set", ["review-1", "confirmed"]),
]
BUTTONS = ["review-close", "review-reopen", "reviewer-seat", "reviewer-end", "reviewer-take-up"]


@pytest.fixture
def review() -> Review:
    """Two pairs that both reviewers have finished; they differ on two questions of the first."""
    review = make_review(make_pair_dataset(preferences=2, pairs=1))
    number = review.reviewed_pairs.get(pair__identifier=FIRST).number
    first, second = review.reviewers.all()
    for each in (0, 1):
        answer(first, review.reviewed_pairs.get(number=each), "negative", {"applicability": "uncertain"})
    answer_all(first, {(n, "negative"): {"applicability": "no"} for n in (0, 1)})
    answer_all(
        second,
        {(n, "negative"): {"applicability": "no"} for n in (0, 1)}
        | {(number, ""): {"control": "no", ("acceptability", "positive"): "acknowledged+off_task"}},
    )
    return review


@pytest.fixture
def closed(review) -> Review:
    close_review(review)
    return review


@pytest.fixture
def lead(client: Client) -> Client:
    client.force_login(make_user("lena", "lead"))
    return client


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def pair_page(lead: Client) -> str:
    return text_of(lead.get(reverse("review-pair", args=["review-1", FIRST])))


def decide(lead: Client, **form) -> str:
    address = reverse("review-pair", args=["review-1", FIRST])
    return text_of(lead.post(address, {"question": "control", "side": ""} | form, follow=True))


@pytest.mark.parametrize(("view", "address"), PAGES)
def test_pages_are_for_leads_only_even_where_an_annotator_has_a_seat(closed, client, view, address):
    url = reverse(view, args=address)
    assert client.get(url).headers["Location"].startswith("/accounts/login/")
    for user in (closed.reviewers.first().user, make_user("stranger")):
        client.force_login(user)
        assert client.get(url).status_code == 403
    client.force_login(make_user("lena", "lead"))
    assert client.get(url).status_code == 200


@pytest.mark.parametrize("view", BUTTONS)
def test_buttons_are_for_leads_only_and_for_post(review, client, view):
    url = reverse(view, args=["review-1"])
    assert client.post(url).headers["Location"].startswith("/accounts/login/")
    client.force_login(review.reviewers.first().user)
    assert client.post(url).status_code == 403
    client.force_login(make_user("lena", "lead"))
    assert client.get(url).status_code == 405
    assert client.post(reverse(view, args=["review-2"])).status_code == 404


@pytest.mark.parametrize("who", ["visitor", "seated"])
def test_only_a_lead_settles(closed, client, who):
    if who == "seated":
        client.force_login(closed.reviewers.first().user)
    form = {"question": "control", "side": "", "answer": "no", "reason": "Why."}
    answer = client.post(reverse("review-pair", args=["review-1", FIRST]), form)
    assert answer.status_code == {"visitor": 302, "seated": 403}[who]
    assert not Adjudication.objects.exists()


@pytest.mark.parametrize(
    ("view", "address"),
    [
        ("review", ["review-2"]),
        ("review-disagreements", ["review-2"]),
        ("review-pair", ["review-1", "M99-C1-s9"]),
        ("review-pair", ["review-2", FIRST]),
        ("review-answers", ["review-1", "answers", "xlsx"]),
        ("review-answers", ["review-1", "secrets", "csv"]),
        ("review-set", ["review-1", "other"]),
    ],
)
def test_what_is_not_there_is_not_found(review, lead, view, address):
    assert lead.get(reverse(view, args=address)).status_code == 404


def test_a_pair_that_is_not_in_the_sample_has_no_page(lead):
    dataset = make_pair_dataset(preferences=1, pairs=2)
    form = {"sample": 1, "slug": "one"}
    seen = new_review(lead, dataset, preview="yes", **form).context["seen"]
    new_review(lead, dataset, create="yes", seen=seen, **form)
    drawn = Review.objects.get().reviewed_pairs.get().pair
    other = dataset.pairs.exclude(pk=drawn.pk).get()
    assert lead.get(reverse("review-pair", args=["one", drawn.identifier])).status_code == 200
    assert lead.get(reverse("review-pair", args=["one", other.identifier])).status_code == 404


def new_review(lead: Client, pairs: Dataset, **changes):
    names = ("ana", "ben", "cem")
    users = [User.objects.filter(username=name).first() or make_user(name, "annotator") for name in names]
    form = {
        "dataset": pairs.pk,
        "sample": 5,
        "stratum": "category",
        "seed": 12,
        "slug": "pairs-1",
        "name": "Pairs, round 1",
        "annotators": [user.pk for user in users],
        "guideline": "Be *fair*.",
    }
    return lead.post(reverse("review-new"), form | changes)


def test_the_preview_creates_nothing_and_shows_what_is_then_opened(lead):
    dataset = make_pair_dataset(preferences=3, pairs=4)
    shown = new_review(lead, dataset, preview="yes")
    assert (shown.status_code, Review.objects.count()) == (200, 0)
    drawn = draw_pairs(dataset, sample=5, stratum="category", seed=12)
    assert "The sample: 5 pairs" in text_of(shown)
    numbers = re.findall(r'<td class="number">(\d+)</td>', text_of(shown))
    assert [int(number) for number in numbers] == [
        number for row in drawn.strata for number in (row.pairs, row.first, row.rest, row.drawn)
    ]
    seen = {"create": "yes", "seen": shown.context["seen"]}
    assert new_review(lead, dataset, **seen).headers["Location"] == "/reviews/pairs-1/"
    review = Review.objects.get()
    assert list(review.reviewed_pairs.values_list("pair_id", flat=True)) == list(drawn.ids)
    assert (review.seed, review.guideline, review.created_by.username) == (12, "Be *fair*.", "lena")
    assert set(review.reviewers.values_list("user__username", flat=True)) == {"ana", "ben", "cem"}


@pytest.mark.parametrize("change", [{"seed": 13}, {"sample": 6}, {"stratum": "preference"}, {"seen": ""}])
def test_a_sample_that_the_lead_has_not_seen_is_shown_instead_of_opened(lead, change):
    dataset = make_pair_dataset(preferences=3, pairs=4)
    seen = new_review(lead, dataset, preview="yes").context["seen"]
    answer = new_review(lead, dataset, **{"create": "yes", "seen": seen} | change)
    assert (answer.status_code, Review.objects.count()) == (200, 0)
    assert "Nothing is created yet" in text_of(answer)
    form = {"create": "yes"} | change | {"seen": answer.context["seen"]}
    assert new_review(lead, dataset, **form).status_code == 302


def test_a_taken_name_is_refused_beside_the_sample(lead):
    make_review(make_pair_dataset(slug="other"), slug="pairs-1")
    dataset = make_pair_dataset(preferences=3, pairs=4)
    seen = new_review(lead, dataset, preview="yes").context["seen"]
    answer = new_review(lead, dataset, create="yes", seen=seen)
    assert (answer.status_code, Review.objects.count()) == (400, 1)
    assert "There is a review &#x27;pairs-1&#x27; already" in text_of(answer)


@pytest.mark.parametrize("button", ["preview", "create"])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"sample": 2}, "expected at least 3, one pair of each preference"),
        ({"sample": 13}, "at most the 12 pairs"),
        ({"sample": "x"}, "Enter a whole number."),
        ({"seed": -1}, "greater than or equal to 0"),
        ({"stratum": "tier"}, "Select a valid choice"),
        ({"dataset": 0}, "Select a valid choice"),
        ({"slug": "no spaces"}, "valid “slug”"),
    ],
)
def test_what_cannot_be_opened_is_said_in_words(lead, button, wrong, words):
    answer = new_review(lead, make_pair_dataset(preferences=3, pairs=4), **wrong, **{button: "yes"})
    assert (answer.status_code, Review.objects.count()) == (400, 0)
    assert words in text_of(answer)


def test_only_datasets_with_pairs_and_people_who_are_no_leads_are_offered(lead):
    make_dataset(slug="without")
    make_pair_dataset(slug="with")
    make_user("ana", "annotator")
    page = text_of(lead.get(reverse("review-new")))
    assert ("with</option>" in page, "without</option>" in page) == (True, False)
    assert re.findall(r"<input[^>]+annotators[^>]+>\s*([a-z]+)", page) == ["ana"]


def test_a_lead_sees_how_far_each_annotator_is_and_annotators_do_not(lead):
    review = make_review(make_pair_dataset(preferences=2, pairs=1))
    first, second = review.reviewers.all()
    answer_all(first)
    answer(second, review.reviewed_pairs.first(), "positive")
    page = text_of(lead.get(reverse("review", args=["review-1"])))
    assert re.findall(r'number">(\d+ of \d+)</td>', page) == ["4 of 4", "2 of 2", "1 of 4", "0 of 2"]
    lead.force_login(second.user)
    for own in ("home", "review-situations", "own-review"):
        address = reverse(own, args=[] if own == "home" else ["review-1"])
        assert first.user.username not in text_of(lead.get(address))


def test_buttons_do_what_they_say(review, lead):
    dora = make_user("dora", "annotator")

    def press(view: str, **form) -> str:
        return text_of(lead.post(reverse(view, args=["review-1"]), form, follow=True))

    assert "dora reviews as A3." in press("reviewer-seat", user=dora.pk)
    assert "A3 answers no more" in press("reviewer-end", pseudonym="A3")
    assert "A3 answers again." in press("reviewer-take-up", pseudonym="A3")
    assert "The review is closed" in press("review-close")
    assert "expected one that is open" in press("review-close")
    assert "The review is open again." in press("review-reopen")
    assert lead.post(reverse("reviewer-end", args=["review-1"]), {"pseudonym": "A9"}).status_code == 404


def test_before_closing_a_pair_shows_who_has_finished_and_no_answer(review, lead):
    page = pair_page(lead)
    assert "Advice 0p." in page
    assert "A1: finished" in page
    for words in ("uncertain", "acknowledged, off task", "Answers side by side"):
        assert words not in page
    assert "Close it first" in decide(lead, answer="no", reason="Why.")
    assert not Adjudication.objects.exists()


def test_after_closing_a_pair_shows_sides_roles_and_all_answers_side_by_side(closed, lead):
    page = pair_page(lead)
    for words in ("User holds preference 1.", "I am in situation 0x.", "I am in situation 0y.", "Request 0?"):
        assert words in page
    for role in ROLES:
        assert f"<dt>{role.replace('_', ' ').capitalize()}</dt>" in page
    assert "Companions, food, clean, distance 1" in page
    assert "<td><strong>memory</strong></td><td><strong>acknowledged, off task</strong></td>" in page
    assert "applicability (negative): uncertain" in page, "the history is shown"
    assert page.count("<form class=") == 2, "one form a disagreement"


def test_answers_of_an_ended_seat_are_not_among_those_that_differ(closed, lead):
    end_reviewer(closed.reviewers.get(pseudonym="A2"))
    page = pair_page(lead)
    assert "disagreements need two or more" in page
    assert "acknowledged, off task" not in page


def test_settling_keeps_the_decision_with_its_reason(closed, lead):
    page = decide(lead, answer="uncertain", reason="<b>Two</b> things differ.")
    assert "Settled: uncertain. The independent answers stay." in page
    assert "<strong>uncertain</strong>: &lt;b&gt;Two&lt;/b&gt; things differ." in page
    row = Adjudication.objects.get()
    assert (row.question, row.side, row.answer, row.decided_by.username) == (
        "control",
        "",
        "uncertain",
        "lena",
    )


def test_replies_are_settled_as_a_set(closed, lead):
    chosen = {"question": "acceptability", "side": "positive", "answer": ["plain", "memory"]}
    decide(lead, **chosen, reason="Both would do.")
    assert Adjudication.objects.get().answer == "memory+plain"


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"answer": "no", "reason": " "}, "The reason is empty"),
        ({"reason": "Why."}, "No answer is chosen"),
        ({"answer": "maybe", "reason": "Why."}, "expected yes, no, uncertain"),
        ({"question": "validity", "side": "positive", "answer": "no", "reason": "Why."}, "nothing to settle"),
        ({"answer": ["yes", "no"], "reason": "Why."}, "yes and no contradict each other"),
        (
            {"question": "acceptability", "side": "positive", "answer": ["pear", "plain"], "reason": "Why."},
            "There is no reply pear",
        ),
        (
            {"question": "acceptability", "side": "positive", "answer": ["none", "plain"], "reason": "Why."},
            "contradict each other",
        ),
    ],
)
def test_a_decision_that_cannot_be_is_refused_in_words(closed, lead, form, words):
    assert words in decide(lead, **form)
    assert not Adjudication.objects.exists()


def test_disagreements_are_listed_and_chosen_by_question_and_state(closed, lead):
    def listed(**choice) -> list[str]:
        page = text_of(lead.get(reverse("review-disagreements", args=["review-1"]), choice))
        return re.findall(rf"{FIRST}</a></th> <td>(\w+)", page)

    assert listed() == ["control", "acceptability"]
    pair = closed.reviewed_pairs.get(pair__identifier=FIRST)
    adjudicate(pair, "control", "", "no", "Two things differ.")
    assert listed(question="acceptability") == ["acceptability"]
    assert listed(state="settled") == ["control"]
    assert listed(state="open") == ["acceptability"]
    assert listed(question="control", state="open") == []


def test_disagreements_wait_for_closing(review, lead):
    page = text_of(lead.get(reverse("review-disagreements", args=["review-1"])))
    assert "Close it first" in page
    assert FIRST not in page


def test_downloads_hold_every_answer_and_the_settled_set(closed, lead):
    pair = closed.reviewed_pairs.get(pair__identifier=FIRST)
    adjudicate(pair, "control", "", "no", "=cmd|' /C calc'!A0")
    answers = b"".join(lead.get(reverse("review-answers", args=["review-1", "answers", "jsonl"])))
    rows = [json.loads(line) for line in answers.decode().splitlines()]
    assert len(rows) == 36 + 6
    assert sum(row["is_present"] for row in rows) == 36
    settled = lead.get(reverse("review-answers", args=["review-1", "settled", "csv"]))
    assert settled["Content-Disposition"] == 'attachment; filename="review-1-settled.csv"'
    table = list(csv.DictReader(io.StringIO(b"".join(settled).decode())))
    [decided] = [row for row in table if row["settled_by"] == "lead"]
    assert (decided["answer"], decided["reason"]) == ("no", "'=cmd|' /C calc'!A0")
    assert json.loads(decided["answers"]) == ["A1: yes", "A2: no"]
    [open_] = [row for row in table if not row["answer"]]
    assert (open_["question"], open_["side"], open_["settled_by"]) == ("acceptability", "positive", "")


def test_texts_of_people_are_escaped(lead):
    review = make_review(make_pair_dataset(preferences=1, pairs=1))
    first, second = review.reviewers.all()
    answer_all(first)
    answer(second, review.reviewed_pairs.get(), "positive", comment="<script>alert(1)</script>")
    answer_all(second)
    answer(second, review.reviewed_pairs.get(), "", comment="<img src=x>")
    close_review(review)
    page = pair_page(lead)
    assert "&lt;img src=x&gt;" in page
    assert "<img src=x>" not in page
    assert "<script>alert" not in page


def test_example_answers_are_called_so_on_every_page(closed, lead):
    Review.objects.update(is_example=True)
    for view, address in PAGES[:1] + PAGES[2:5]:
        assert "Example labels that no recruited person gave." in text_of(
            lead.get(reverse(view, args=address))
        )


def test_pages_take_few_queries_however_many_pairs_there_are(lead, django_assert_max_num_queries):
    review = make_review(make_pair_dataset(preferences=4, pairs=3))
    first, second = review.reviewers.all()
    answer_all(first)
    answer_all(second, {(n, ""): {"control": "no", "acceptability": "none"} for n in range(12)})
    close_review(review)
    for view, address in PAGES[:5]:
        with django_assert_max_num_queries(25):
            lead.get(reverse(view, args=address))
