"""What a judging run found: which value the judge gave to how many items of its sample."""

from collections import Counter
from typing import Any

from annotate.validation import QUESTIONS, Question, words_of
from evaluation.records import RunRecord
from evaluation.reporting.counts import DONE

Report = dict[str, Any]


def validation_run_sections(record: RunRecord) -> Report:
    """Return the sections of the report that a judging run has of its own.

    `sample` says what was judged, and that another report compares the judge with people. `values` holds
    each answer of the menu, from the lowest, with the number of items that have it.
    """
    sample = record.plan["validation"]
    read = Counter(float(row.choice) for row in record.generations if row.outcome == DONE)
    return {
        "sample": sample,
        "values": [
            {"value": value, "words": words_of(sample["question"], value), "items": read[value]}
            for value in QUESTIONS[Question(sample["question"])].values
        ],
    }
