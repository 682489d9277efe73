"""The items of a validation sample to read again: a judge says other than people, or people are divided."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.pairs import SIDES, words_of
from annotate.validation import TEXTS
from evaluation.sample_records import sample_record
from evaluation.validation.disagreements import Disagreement, disagreements
from evaluation.validation.records import SampleRecord
from evaluation.views.validation import SAMPLES

ITEMS_A_PAGE = 10
# A text up to this long stands open on the page; a longer one is folded.
LONGEST_OPEN = 600
DIVIDED, BY_JUDGE = "people", "judge:"


@dataclass(frozen=True)
class Text:
    """A text of an item under its name on pages."""

    name: str
    text: str

    @property
    def is_long(self) -> bool:
        """Tell whether the text is folded."""
        return len(self.text) > LONGEST_OPEN


@dataclass(frozen=True)
class Said:
    """What a rater said of an item, in words; `differs` tells a judge that people do not agree with."""

    name: str
    words: str
    comment: str
    differs: bool


@lead_required
@never_cache
@require_safe
def disagreement_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Page through the items, those on which one judge differs or people are divided alone if so chosen."""
    run_sample = get_object_or_404(SAMPLES, sample__slug=slug)
    record = sample_record(run_sample)
    chosen, every = request.GET.get("differs", ""), disagreements(record)
    choices = _choices(record)
    if chosen not in choices:
        raise Http404(f"There is no {chosen!r} to choose; expected one of {', '.join(choices)}.")
    found = [row for row in every if _is_chosen(row, chosen)]
    page = Paginator(found, ITEMS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "run_sample": run_sample,
        "sample": run_sample.sample,
        "run": run_sample.run,
        "notices": record.notices,
        "items": len(record.items),
        "choices": choices,
        "chosen": chosen,
        "page": page,
        "shown": [_shown(record, row) for row in page],
    }
    return render(request, "evaluation/validation_disagreements.html", context)


def _choices(record: SampleRecord) -> dict[str, str]:
    """Return what can be chosen, in words."""
    judges = {f"{BY_JUDGE}{judge.name}": f"{judge.name} says other than people" for judge in record.judges}
    return {"": "a judge differs or people are divided", **judges, DIVIDED: "people are divided"}


def _is_chosen(row: Disagreement, chosen: str) -> bool:
    if chosen.startswith(BY_JUDGE):
        return chosen.removeprefix(BY_JUDGE) in row.disagreeing
    return row.reference is None if chosen == DIVIDED else True


def _shown(record: SampleRecord, row: Disagreement) -> dict[str, Any]:
    """Return an item with its answer in the run, its texts as people see them, and who said what."""
    answers = {item.number: item.unit.generation for item in record.items}
    return {
        "row": row,
        "about": "; ".join(filter(None, _about(row))),
        "answer": answers[row.number],
        "texts": [Text(TEXTS[name], row.texts[name]) for name in TEXTS if name in row.texts],
        "said": [
            Said(name, words, row.comments.get(name, ""), name in row.disagreeing)
            for name, words in {**row.people, **row.judges}.items()
        ],
    }


def _about(row: Disagreement) -> Iterator[str]:
    if row.part:
        yield f"{row.part} side" if row.part in SIDES else f"gold label {row.part}"
    if row.category:
        yield f"category {words_of(row.category)}"
    if row.domains:
        yield f"domain {', '.join(row.domains)}"
