"""The items to read again, in the order in which they are worth reading."""

from hypothesis import strategies as st

from evaluation.reporting.validation import sample_report
from evaluation.reporting.validation_tables import disagreement_table
from evaluation.validation.disagreements import disagreements
from tests.annotate.agreement.examples import for_examples
from tests.evaluation.validation.labelled import MISSING, labelled


def test_those_that_most_judges_differ_on_come_first_then_by_number():
    people = {"A": [1, 1, 1, 1, 0, 1], "B": [1, 1, 1, 0, 0, None]}
    judges = {"one": [1, 0, 0, 1, 0, 0], "two": [1, 1, 0, 1, None, 1]}
    found = disagreements(labelled(people, judges))
    assert [(row.number, row.disagreeing) for row in found] == [
        (3, ("one", "two")),
        (2, ("one",)),
        (6, ("one",)),
        (4, ()),
    ]
    assert [row.reference for row in found] == ["Follows", "Follows", "Follows", None]


def test_an_item_comes_with_all_that_is_known_of_it():
    record = labelled(
        {"A": [None, 1], "B": [1, 1]},
        {"judge": [0, None], "silent": [MISSING, MISSING]},
        parts=["apply", "suppress"],
        categories=["tone", "role"],
        domains=[["finance", "legal"], []],
        comments={1: {"A": "Hard.", "B": ""}},
    )
    [found] = disagreements(record)
    assert (found.number, found.part, found.category, found.domains) == (
        1,
        "apply",
        "tone",
        ("finance", "legal"),
    )
    assert found.texts == {"preference": "Preference 1.", "message": "Message 1."}
    assert found.people == {"A": "Cannot tell", "B": "Follows"}
    assert found.judges == {"judge": "Does not follow"}
    assert found.comments == {"A": "Hard."}


def test_what_a_judge_could_not_say_is_shown_but_no_difference():
    people = {"A": [1], "B": [0]}
    [found] = disagreements(labelled(people, {"judge": [None]}))
    assert (found.judges, found.disagreeing, found.reference) == ({"judge": "Not read"}, (), None)
    assert disagreements(labelled({"A": [1]}, {"judge": [None]})) == []


@for_examples(
    columns=st.integers(0, 6).flatmap(
        lambda size: st.lists(
            st.lists(st.sampled_from([0, 1, None, MISSING]), min_size=size, max_size=size),
            min_size=4,
            max_size=4,
        )
    )
)
def test_the_list_and_the_confusion_tables_tell_of_the_same_items(columns):
    people, judges = {"A": columns[0], "B": columns[1]}, {"one": columns[2], "two": columns[3]}
    report = sample_report(labelled(people, judges))
    listed = report["disagreements"]
    for judge in report["judges"]:
        (a, b), (c, d) = judge["overall"]["table"]
        assert b + c == sum(judge["rater"] in row["disagreeing"] for row in listed)
        assert a + d == judge["overall"]["agreement"]["numerator"]
    assert sum(row["reference"] is None for row in listed) == report["counts"]["divided"]


def test_as_a_table_it_has_a_column_for_each_text():
    record = labelled({"A": [1], "B": [0]}, {"judge": [1]}, comments={1: {"B": "No."}})
    table = disagreement_table(sample_report(record))
    [row] = table.rows
    shown = {column.heading: row.cells[column.key] for column in table.columns if row.cells[column.key]}
    assert shown == {
        "People say": "divided",
        "Who said what": "A: Follows; B: Does not follow; judge: Follows",
        "Comments": "B: No.",
        "Preference": "Preference 1.",
        "Text": "Message 1.",
    }
