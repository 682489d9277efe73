"""What differs between two corpora is said row by row."""

from dataclasses import replace

from hypothesis import given

from annotate.importers.changes import changes_between
from annotate.importers.corpus import ContextRow, Fact, GoldRow, PreferenceRow
from tests.annotate.importers.corpora import SMALL, corpora

LANDLORD, TAX = SMALL.contexts
DRY, CAPTAIN = SMALL.preferences
ADA, BEN = SMALL.profiles


def changed(**fields):
    return changes_between(SMALL, replace(SMALL, **fields))


def test_nothing_differs_between_equal_corpora():
    assert not changed()
    assert changed().counts() == {}
    assert changed().lines() == []


def test_added_removed_and_changed_rows_are_named():
    found = changed(
        contexts=(replace(LANDLORD, domains=("housing", "legal")), ContextRow("Judge", "Plead", ())),
        preferences=(
            replace(DRY, category="style"),
            replace(CAPTAIN, nickname="Cap"),
            PreferenceRow("", "New."),
        ),
    )
    assert found.counts() == {
        "context": {"added": 1, "changed": 1, "removed": 1},
        "preference": {"added": 1, "changed": 2},
    }
    assert found.lines() == [
        "- context Tax Office / Ask for more time",
        "~ context Landlord / Ask for a repair: domains housing -> housing, legal",
        "+ context Judge / Plead",
        "~ preference Enjoys dry humour.: category tone -> style",
        "~ preference Wants to be called Captain.: nickname Captain -> Cap",
        "+ preference New.",
    ]


def test_a_profile_says_how_its_memory_changed():
    found = changed(
        profiles=(replace(ADA, name="Adah", memory=(*ADA.memory, Fact("Is new."))), replace(BEN, prompts=()))
    )
    assert found.lines() == [
        "~ profile p1: name Ada -> Adah; memory +1 -0",
        "~ profile p2: prompts +0 -1",
    ]
    reordered = changed(profiles=(replace(ADA, memory=ADA.memory[::-1]), BEN))
    assert reordered.lines() == ["~ profile p1: memory in another order"]


def test_order_is_content_except_for_labels():
    assert changed(contexts=(TAX, LANDLORD)).lines() == ["~ 2 context rows stand in another order"]
    gold = (GoldRow("a", "b", "c", 1), GoldRow("a", "b", "d", 0))
    assert not changes_between(replace(SMALL, gold=gold), replace(SMALL, gold=gold[::-1]))


def test_the_dataset_itself_is_compared():
    found = changed(licence="CC BY 4.0")
    assert found.lines() == ["~ dataset licence: 'CC0' -> 'CC BY 4.0'"]
    assert found.counts() == {"dataset": {"changed": 1}}


def test_labels_are_compared_only_where_the_new_corpus_brings_some():
    gold = (GoldRow("a", "b", "c", 1),)
    labelled = replace(SMALL, gold=gold)
    assert not changes_between(labelled, SMALL)
    found = changes_between(labelled, replace(SMALL, gold=(replace(gold[0], value=0),)))
    assert found.only_gold
    assert found.lines() == ["~ gold label a / b / c: apply -> suppress"]


def test_at_most_twenty_rows_of_a_kind_are_listed():
    many = tuple(ContextRow("Judge", f"Plead {number}", ()) for number in range(30))
    lines = changed(contexts=(*SMALL.contexts, *many)).lines()
    assert len(lines) == 21
    assert lines[-1] == "  and 10 more context rows"


@given(corpora(), corpora())
def test_there_are_changes_exactly_where_corpora_differ(one, other):
    assert bool(changes_between(one, other)) == (one != other)
