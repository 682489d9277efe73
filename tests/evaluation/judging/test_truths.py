"""Yes and no are read from JSON and from prose, each under its own key, or not at all."""

import json
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.judging.answers import NotRead
from evaluation.judging.reading import read_truth
from evaluation.judging.truths import truth_value
from evaluation.llm.reply import Reply

KEYS = ["fit", "hedge", "apply", "relevant", "sufficient"]
YES, NO = ["true", "yes", "1"], ["false", "no", "0"]


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        (1, [True, 1, 1.0, "true", "TRUE", " Yes. ", "1", '"yes"', "'true'!"]),
        (0, [False, 0, 0.0, -0.0, "false", "False", "no", "0", "No."]),
        (
            None,
            [None, 2, -1, 0.5, float("nan"), float("inf"), 10**400, "", "maybe", "yes and no", "not true"],
        ),
        (None, [[], [True], {}, {"fit": True}, "t", "01", "1.0"]),
    ],
)
def test_a_json_value_says_yes_or_no_or_neither(expected, values):
    assert [truth_value(value) for value in values] == [expected] * len(values)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("words", "expected"), [(YES, 1), (NO, 0)])
@pytest.mark.parametrize(
    "form",
    [
        "{word}",
        "**{word}**.",
        "{key}: {word}",
        "**{key}:** {word}",
        "{key} = {word}, as it says",
        "I thought about it.\n\n{key} is {word}.",
        "Answer: {word}",
        "Verdict - {word}\nIt is short.",
        '{{"{key}": "{word}"}}',
        "```json\n{{'{key}': '{word}'}}\n```",
        "<think>{key}: maybe</think>{key}: {word}",
    ],
)
def test_an_answer_is_read_under_every_key_and_in_every_form(key, words, expected, form):
    for word in words:
        for written in (word, word.upper(), word.capitalize()):
            assert read_truth(Reply(form.format(key=key, word=written)), key).value == expected


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("fit", "Situational fit: no", 0),
        ("hedge", "Hedging: yes", 1),
        ("hedge", "The answer hedges: no", 0),
        ("apply", "Applicable: yes", 1),
        ("apply", "It applies: false", 0),
        ("apply", "Answer: yes\nVerdict: no", 0),
        ("apply", '{"relevant": true, "apply": false}', 0),
        ("apply", '{"apply": true}\n{"apply": false}', 0),
    ],
)
def test_cues_of_a_key_and_the_last_of_several_answers_count(key, text, expected):
    assert read_truth(Reply(text), key).value == expected


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("fit", "It is true that it ignores all."),
        ("fit", "yes and no"),
        ("fit", "yes/no"),
        ("fit", "Fit: 0.5"),
        ("fit", "Fit: 1,5"),
        ("fit", "Fit: 10"),
        ("fit", "unfit: yes"),
        ("sufficient", "insufficient: yes"),
        ("relevant", "irrelevant: true"),
        ("apply", "The answer is not yes."),
        ("apply", "Relevant: yes"),
        ("hedge", "Fit: yes"),
        ("hedge", '{"fit": true}'),
        ("apply", '{"apply": true | false}'),
        ("apply", '{"apply": true, "apply": false}'),
        ("apply", '{"apply": null}'),
    ],
)
def test_what_says_neither_or_speaks_of_something_else_is_not_read(key, text):
    found = read_truth(Reply(text), key)
    assert found.value is None
    assert found.reason in {NotRead.OFF_THE_MENU, NotRead.MALFORMED}


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("apply", "Apply: true or false"),
        ("apply", "apply: true | false"),
        ("fit", "Verdict: yes / no"),
        ("fit", "Answer: yes and no"),
        ("fit", "fit: 0 | 1"),
        ("fit", "fit: 1/5"),
        ("hedge", "hedge: no clear commitment is made"),
        ("fit", "fit: no idea"),
        ("apply", "Not applicable: true"),
        ("hedge", "Not hedged: yes"),
        ("relevant", "Not relevant: yes"),
        ("apply", "It would be wrong to say that the answer is yes."),
    ],
)
def test_a_menu_a_negation_or_a_no_that_goes_on_is_not_read_as_an_answer(key, text):
    assert read_truth(Reply(text), key).value is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"apply": false}', 0),
        ('{"apply": false, "reason": "the', 0),
        ("Apply: no.\n\nThe", 0),
        ("Apply: no", None),
        ("Apply:", None),
        ('{"apply": tr', None),
        ('{"reason": "long', None),
        ("I think that", None),
    ],
)
def test_an_answer_that_the_limit_cut_is_read_only_where_it_was_finished(text, expected):
    found = read_truth(Reply(text, "length"), "apply")
    assert (found.value, found.reason) == (expected, NotRead.TRUNCATED if expected is None else None)


@given(
    st.sampled_from(KEYS), st.booleans(), st.text(max_size=30), st.sampled_from(["{}", "```json\n{}\n```"])
)
def test_a_truth_in_json_survives_whatever_reason_stands_beside_it(key, truth, reason, form):
    text = form.replace("{}", json.dumps({"reason": reason, key: truth}))
    assert read_truth(Reply(text), key).value == truth


@given(st.sampled_from(KEYS), st.text(alphabet="abcdefghijklm {}:,.\n", max_size=60))
def test_no_truth_comes_from_a_text_without_its_word(key, text):
    # Without a letter beyond m there is no yes, no or true, and "false" needs its s.
    assert read_truth(Reply(text), key).value is None


def test_a_long_run_of_spaces_is_read_in_no_time():
    start = perf_counter()
    assert read_truth(Reply("fit:" + " " * 30_000 + "x"), "fit").value is None
    assert perf_counter() - start < 1
