"""Answers in a validation sample that come by a file: all or none, nothing twice, changes on request."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotate.actions.validating import save_validation_label
from annotate.actions.validation import close_sample, end_rater, reopen_sample
from annotate.actions.validation_import import ValidationImport, import_validation_labels
from annotate.exporters.tabular import encode_rows
from annotate.exporters.validation import file_of
from annotate.importers.validation_labels import read_validation_labels
from annotate.models import Rater, ValidationLabel, ValidationLabelRevision
from annotate.problems import Problem
from tests.annotate.factories import make_user
from tests.annotate.validation_samples import exported, make_sample, read

pytestmark = pytest.mark.django_db
ROWS = [
    {"item": 1, "annotator": "C", "value": 1, "comment": "Plain."},
    {"item": 2, "annotator": "C", "value": "does not follow", "comment": ""},
    {"item": 1, "annotator": "D", "value": "cannot_tell", "comment": ""},
]


def done(**counts) -> ValidationImport:
    zeros = {"added": 0, "changed": 0, "unchanged": 0, "cannot_tell": 0, "unanswered": 0}
    return ValidationImport(**(zeros | {"new_label_sets": ()} | counts))


def everything() -> list[list[dict]]:
    kinds = (Rater, ValidationLabel, ValidationLabelRevision)
    return [list(kind.objects.order_by("pk").values()) for kind in kinds]


def given_answers(sample) -> set[tuple]:
    """Annotator, item, value, comment and version of the answers that hold."""
    columns = ("annotator", "item", "value", "comment", "version")
    return {tuple(row[name] for name in columns) for row in exported(sample, "labels") if row["is_present"]}


def test_answers_are_saved_with_their_words_comments_and_who_brought_them():
    sample, lead = make_sample(), make_user("lead", "lead")
    assert import_validation_labels(sample, read(ROWS), lead) == done(added=3, cannot_tell=1)
    assert given_answers(sample) == {
        ("C", 1, 1.0, "Plain.", 1),
        ("C", 2, 0.0, "", 1),
        ("D", 1, None, "", 1),
    }
    assert set(ValidationLabelRevision.objects.values_list("saved_by__username", "version")) == {("lead", 1)}


def test_the_same_file_again_changes_nothing():
    sample = make_sample()
    import_validation_labels(sample, read(ROWS))
    before = everything()
    again = import_validation_labels(sample, read(ROWS), new_label_sets=True, accept_changes=True)
    assert again == done(unchanged=3, cannot_tell=1)
    assert everything() == before


CHANGED = [
    ROWS[0] | {"value": 0},
    ROWS[1] | {"comment": "Hm."},
    ROWS[2] | {"value": 1, "comment": "Now I can."},
]


def test_changes_are_told_and_refused_until_they_are_accepted():
    sample = make_sample()
    import_validation_labels(sample, read(ROWS))
    before = everything()
    with pytest.raises(Problem) as problem:
        import_validation_labels(sample, read([*CHANGED, ROWS[0] | {"item": 3}]))
    assert str(problem.value) == (
        "3 answers differ from those saved: "
        "labels.jsonl, line 1, item 1 of C: Follows -> Does not follow; "
        "labels.jsonl, line 2, item 2 of C: comment '' -> 'Hm.'; "
        "labels.jsonl, line 3, item 1 of D: Cannot tell -> Follows, comment '' -> 'Now I can.'. "
        "Nothing was imported. "
        "Accept the changes (--accept-changes) to save them; the earlier answers are kept."
    )
    assert everything() == before


def test_accepted_changes_append_revisions():
    sample = make_sample()
    import_validation_labels(sample, read(ROWS))
    result = import_validation_labels(sample, read([ROWS[0], *CHANGED[1:]]), accept_changes=True)
    assert result == done(changed=2, unchanged=1)
    history = [
        (row["annotator"], row["item"], row["version"], row["value"], row["comment"], row["is_present"])
        for row in exported(sample, "labels")
    ]
    assert history == [
        ("C", 1, 1, 1.0, "Plain.", True),
        ("C", 2, 1, 0.0, "", False),
        ("C", 2, 2, 0.0, "Hm.", True),
        ("D", 1, 1, None, "", False),
        ("D", 1, 2, 1.0, "Now I can.", True),
    ]


def test_of_many_changes_the_first_are_told_and_the_rest_counted():
    sample = make_sample(messages=[f"Message {number}" for number in range(7)])
    rows = [{"item": number, "annotator": "C", "value": 1} for number in range(1, 8)]
    import_validation_labels(sample, read(rows))
    with pytest.raises(Problem, match=r"^7 answers differ .*item 5 of C: [^;]*; and 2 more\. Nothing"):
        import_validation_labels(sample, read([row | {"value": 0} for row in rows]))


def test_a_file_without_comments_leaves_them_as_they_are():
    sample = make_sample()
    import_validation_labels(sample, read(ROWS))
    bare = [{name: row[name] for name in ("item", "annotator", "value")} for row in ROWS]
    assert import_validation_labels(sample, read(bare)) == done(unchanged=3, cannot_tell=1)
    import_validation_labels(sample, read([bare[0] | {"value": 0}]), accept_changes=True)
    assert ("C", 1, 0.0, "Plain.", 2) in given_answers(sample)


def test_an_answer_given_on_the_page_is_changed_only_when_accepted():
    sample = make_sample(users=[make_user("ana", "annotator")])
    [rater] = sample.raters.exclude(user=None)
    item, token = sample.items.first(), "2f1b8a3e-9c84-4a55-8f5e-0d0d6f2a7c11"
    save_validation_label(rater, item, 1, comment="Mine.", version=0, token=token, saved_by=rater.user)
    row = {"item": item.number, "annotator": rater.pseudonym, "value": 0}
    with pytest.raises(Problem, match=f"item 1 of {rater.pseudonym}: Follows -> Does not follow"):
        import_validation_labels(sample, read([row]))
    assert import_validation_labels(sample, read([row]), accept_changes=True) == done(changed=1)
    assert given_answers(sample) == {(rater.pseudonym, 1, 0.0, "Mine.", 2)}


def test_unknown_annotators_get_seats_only_on_request():
    sample = make_sample(label_sets=["C"])
    rows = [ROWS[0], ROWS[0] | {"annotator": "New one"}]
    words = "line 2, field annotator: found 'New one'; expected a seat of sample sample-1: C; or --new-label-"
    with pytest.raises(Problem, match=words):
        import_validation_labels(sample, read(rows))
    assert list(sample.raters.values_list("pseudonym", flat=True)) == ["C"]
    result = import_validation_labels(sample, read(rows), new_label_sets=True)
    assert result == done(added=2, new_label_sets=("New one",))
    seat = sample.raters.get(pseudonym="New one")
    assert (seat.user, seat.labels.get().value) == (None, 1)


def test_rows_that_name_nobody_are_counted_and_leave_no_answer():
    sample = make_sample()
    rows = [ROWS[0], {"item": 2, "annotator": "", "value": ""}]
    assert import_validation_labels(sample, read(rows)) == done(added=1, unanswered=1)
    assert {item for _, item, *_ in given_answers(sample)} == {1}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"item": 4}, "field item: found the number 4; expected an item of sample sample-1, 1 to 3"),
        ({"sample": "other"}, "field sample: found 'other'; expected sample-1, the sample that was named"),
        (
            {"message": "Ahoy?"},
            "field message: found 'Ahoy\\?'; expected the text of item 2, or no field mes",
        ),
        ({"preference": "preference 1"}, "field preference: found 'preference 1'; expected the text of item"),
        (
            {"annotator": "E"},
            "field annotator: found 'E'; expected a seat of sample sample-1: C, D; or --new",
        ),
        (
            {"annotator": "", "value": "", "item": 4},
            "field item: found the number 4; expected an item of sam",
        ),
    ],
)
def test_one_bad_row_stops_the_import_before_anything_is_written(change, words):
    sample = make_sample()
    before = everything()
    rows = [ROWS[0], {"item": 2, "annotator": "D", "value": 1} | change, ROWS[0] | {"item": 3}]
    with pytest.raises(Problem, match=f"labels.jsonl, line 2, {words}"):
        import_validation_labels(sample, read(rows))
    assert everything() == before


def test_a_bad_row_after_a_new_name_leaves_no_seat_either():
    sample = make_sample()
    end_rater(sample.raters.get(pseudonym="D"))
    before = everything()
    rows = [ROWS[0] | {"annotator": "E"}, ROWS[2]]
    with pytest.raises(
        Problem, match="line 2, field annotator: found 'D', whose seat has ended; expected an"
    ):
        import_validation_labels(sample, read(rows), new_label_sets=True)
    assert everything() == before


def test_texts_may_differ_in_white_space_only():
    sample = make_sample(messages=["Dear Sir,\r\n\r\nno.  ", "Ahoy!"])
    rows = [{"item": 1, "annotator": "C", "value": 1, "message": "Dear Sir,\nno."}]
    assert import_validation_labels(sample, read(rows)) == done(added=1)


def test_a_closed_sample_takes_nothing():
    sample = make_sample()
    close_sample(sample)
    with pytest.raises(Problem, match="sample-1 is closed; expected one that is open"):
        import_validation_labels(sample, read(ROWS))
    assert not ValidationLabel.objects.exists()
    reopen_sample(sample)
    assert import_validation_labels(sample, read(ROWS)).added == 3


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0")) | st.text("'=+-@ \t\r\n\",x")
scale = st.sampled_from([None, 1.0, 2.0, 3.0, 4.0, 5.0])


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(answers=st.lists(st.tuples(texts, scale, texts), min_size=1, max_size=4))
@example(answers=[("=1+1", 3.0, "'=1+1"), ('\'=HYPERLINK("x")', None, "@SUM(A1)"), ("\r\n\t=1", 5.0, "")])
def test_items_that_go_out_come_back_filled_in_whatever_the_texts(suffix, answers):
    sample = make_sample("completeness", [text for text, *_ in answers], slug="round-trip")
    columns, rows = file_of(sample, "items")
    filled = [
        (*row[:-3], "C", "cannot_tell" if value is None else f"{value:g}", comment)
        for row, (_, value, comment) in zip(rows, answers, strict=True)
    ]
    content = io.BytesIO(b"".join(encode_rows(suffix, {**columns, "value": str}, filled)))
    brought = read_validation_labels(content, f"items{suffix}", sample.question)
    assert import_validation_labels(sample, brought).added == len(answers)
    assert [(row["item"], row["value"], row["comment"]) for row in exported(sample, "labels")] == [
        (number, value, comment.strip()) for number, (_, value, comment) in enumerate(answers, start=1)
    ]
    for kind in (ValidationLabelRevision, ValidationLabel, Rater):
        kind.objects.all().delete()
    sample.items.all().delete()
    sample.delete()


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_an_upload_is_read_as_a_file_is(suffix):
    sample = make_sample(messages=["Ahoy!"])
    columns, rows = file_of(sample, "items")
    filled = [(*row[:-3], "C", 1.0, "") for row in rows]
    upload = SimpleUploadedFile(f"items{suffix}", b"".join(encode_rows(suffix, columns, filled)))
    brought = read_validation_labels(upload, upload.name, sample.question)
    assert import_validation_labels(sample, brought) == done(added=1)
