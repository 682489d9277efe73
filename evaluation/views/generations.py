"""The pages of single answers, for leads: a list, one unit with all that is sent, two runs side by side."""

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.problems import Problem
from evaluation.generations.asked import PLACEHOLDER, asked_of_judges, asked_of_model, calls_of
from evaluation.generations.queries import (
    SHOWS,
    Filters,
    categories_of,
    comparable_runs,
    counterpart,
    filtered,
    whole,
)
from evaluation.generations.shown import Shown, show
from evaluation.judge_cards import cards_of_run, described_cards
from evaluation.models import Generation, Run
from evaluation.names import is_number

ANSWERS_A_PAGE = 20
RUNS = Run.objects.select_related("dataset", "release")


@lead_required
@never_cache
@require_safe
def generation_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Page through the answers of a run, of a condition and category, or only those that went wrong."""
    run = get_object_or_404(RUNS, pk=pk)
    try:
        filters = Filters.read(run, request.GET)
    except Problem as problem:
        raise Http404(str(problem)) from problem
    rows = whole(filtered(run, filters))
    page = Paginator(rows, ANSWERS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "run": run,
        "filters": filters,
        "categories": categories_of(run),
        "shows": SHOWS,
        "page": page,
        "shown": show(run, page),
        "judge_cards": described_cards(run),
        "total": run.generations.count(),
        "query": urlencode({name: value for name, value in vars(filters).items() if value}),
    }
    return render(request, "evaluation/generations.html", context)


@lead_required
@never_cache
@require_safe
def generation(request: HttpRequest, pk: int, unit: int) -> HttpResponse:
    """Show one unit: the exact messages, before and after they are sent, the raw replies, the attempts."""
    row = _unit(pk, unit)
    context = {
        "run": row.run,
        "shown": _shown(row),
        "asked": asked_of_model(row),
        "judges": asked_of_judges(row),
        "placeholder": PLACEHOLDER,
        "calls": calls_of(row),
        "runs": comparable_runs(row.run),
        "is_changed": row.run.dataset.content_hash != row.run.corpus_hash,
    }
    return render(request, "evaluation/generation.html", context)


@lead_required
@require_safe
def other_run(request: HttpRequest, pk: int, unit: int) -> HttpResponse:
    """Lead on to the comparison with the run that was chosen."""
    number = request.GET.get("run", "")
    if not is_number(number):
        raise Http404(f"There is no run {number!r}; expected its number.")
    return redirect("unit-comparison", pk, unit, int(number))


@lead_required
@never_cache
@require_safe
def unit_comparison(request: HttpRequest, pk: int, unit: int, other: int) -> HttpResponse:
    """Show what two runs, or two conditions of one, made of the same instance and sample."""
    row, run = _unit(pk, unit), get_object_or_404(RUNS, pk=other)
    condition = request.GET.get("condition") or _usual_condition(row, run)
    found = counterpart(row, run, condition)
    context = {
        "run": row.run,
        "other": run,
        "condition": condition,
        "shown": _shown(row),
        "found": _shown(found) if found else None,
    }
    return render(request, "evaluation/unit_comparison.html", context)


def _unit(run: int, pk: int) -> Generation:
    rows = Generation.objects.select_related("run__dataset", "run__release")
    return get_object_or_404(whole(rows, with_replies=True), pk=pk, run=run)


def _usual_condition(row: Generation, run: Run) -> str:
    """Return the condition of the same name, or beside the run itself the first other one."""
    others = [name for name in run.conditions if name != row.condition]
    return others[0] if run.pk == row.run_id and others else row.condition


def _shown(row: Generation) -> Shown:
    return show(row.run, [row], cards_of_run(row.run))[0]
