"""The page of a review's report: who reaches it, what it says, its files and figures."""

import json
import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Judgement, Review
from annotate.review_reports import review_report
from annotate.wording import counts_text
from tests.annotate.factories import make_user
from tests.annotate.review_factories import answer_all, make_review

pytestmark = pytest.mark.django_db

PAGES = [
    ("review-report", ["review-1"]),
    ("review-report-file", ["review-1", "json"]),
    ("review-report-file", ["review-1", "csv"]),
    ("review-report-file", ["review-1", "tex"]),
    ("review-figure", ["review-1", "category", "light"]),
    ("review-figure", ["review-1", "preference", "dark"]),
]


@pytest.fixture
def review() -> Review:
    """Six finished pairs: 0 as written, 1 the other way round, one uncertain answer, one empty set."""
    review = make_review()
    first, second = review.reviewers.all()
    shared = {
        (0, "negative"): {"applicability": "no"},
        (1, "positive"): {"applicability": "no"},
        (2, ""): {("acceptability", "positive"): "none"},
    }
    answer_all(first, {**shared, (3, "positive"): {"naturalness": "uncertain"}})
    answer_all(second, {**shared, (4, "negative"): {"naturalness": "no"}})
    return review


@pytest.fixture
def lead(client: Client) -> Client:
    client.force_login(make_user("lena", "lead"))
    return client


def identifier(review: Review, number: int) -> str:
    return review.reviewed_pairs.get(number=number).pair.identifier


def text_of(answer) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.mark.parametrize(("view", "address"), PAGES)
def test_pages_are_for_leads_only(review, client, view, address):
    url = reverse(view, args=address)
    assert client.get(url).status_code == 302
    client.force_login(review.reviewers.first().user)
    assert client.get(url).status_code == 403
    client.force_login(make_user("lena", "lead"))
    assert client.get(url).status_code == 200
    assert client.post(url).status_code == 405


@pytest.mark.parametrize(("view", "address"), PAGES)
def test_a_review_that_is_not_there_is_not_found(lead, view, address):
    assert lead.get(reverse(view, args=address)).status_code == 404


@pytest.mark.parametrize(
    ("view", "address"),
    [
        ("review-report-file", ["review-1", "xlsx"]),
        ("review-figure", ["review-1", "domain", "light"]),
        ("review-figure", ["review-1", "category", "blue"]),
    ],
)
def test_other_forms_and_figures_are_not_found(review, lead, view, address):
    assert lead.get(reverse(view, args=address)).status_code == 404


def test_the_page_explains_a_kappa_of_zero_at_high_agreement(review, lead):
    text = text_of(lead.get("/reviews/review-1/report/"))
    assert (
        "They agree on 83.33 %; 84.03 % would be expected from how often each gives each answer, "
        "so kappa is about zero. Answers other than yes: 1 and 1 of 12, 0 of them shared." in text
    )
    assert "A1: 11 yes, 0 no, 1 uncertain. A2: 11 yes, 1 no, 0 uncertain" in text
    assert "both annotators used only yes" in text


def test_the_lists_lead_to_their_pairs(review, lead):
    page = lead.get("/reviews/review-1/report/").content.decode()
    for number in (1, 2, 3):
        url = reverse("review-pair", args=["review-1", identifier(review, number)])
        assert f'href="{url}"' in page
        assert lead.get(url).status_code == 200


def test_an_unanswered_review_shows_reasons_in_place_of_numbers(lead):
    make_review()
    text = text_of(lead.get("/reviews/review-1/report/"))
    assert "no unit was rated by both annotators" in text
    assert "there is no pair that two annotators or more have all judged whole" in text
    assert "nan" not in text
    assert "None" not in text


def test_a_comment_is_text_and_never_markup(lead):
    review = make_review()
    first, second = review.reviewers.all()
    answer_all(second)
    answer_all(first, {(0, ""): {"control": "uncertain"}})
    Judgement.objects.filter(answer="uncertain").update(comment="<script>alert(1)</script>")
    page = lead.get("/reviews/review-1/report/").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page


def test_an_example_says_so(review, lead):
    Review.objects.update(is_example=True)
    notice = Review.objects.get().example_notice
    assert notice in text_of(lead.get("/reviews/review-1/report/"))


def test_files_are_saved_under_the_name_of_the_review(review, lead):
    for suffix in ("json", "csv", "tex"):
        answer = lead.get(f"/reviews/review-1/report.{suffix}")
        assert answer.headers["Content-Disposition"] == f'attachment; filename="review-1-report.{suffix}"'
    whole = json.loads(lead.get("/reviews/review-1/report.json").content)
    assert whole == json.loads(json.dumps(review_report(review)))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("part", "names"), [("category", "time constraint"), ("preference", "M03")])
def test_the_figure_is_well_formed_svg_with_the_counts(review, lead, part, names, theme):
    answer = lead.get(f"/reviews/review-1/disagreements-by-{part}-{theme}.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    words = [text.strip() for text in ElementTree.fromstring(answer.content).itertext()]
    assert names in words
    assert "applicability" in words
    rates = review_report(review)["disagreements"][part].values()
    counts = [counts_text(rate) for questions in rates for rate in questions.values()]
    assert sorted(word for word in words if " of " in word) == sorted(counts)


def test_the_figure_of_an_unanswered_review_says_that_there_is_nothing(lead):
    make_review()
    answer = lead.get("/reviews/review-1/disagreements-by-category-light.svg")
    assert "0 of 0" in answer.content.decode()
