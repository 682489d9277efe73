"""Make a run in the admin: first the corpus and the benchmark, then what depends on them."""

from typing import Any, cast

from django.contrib.admin.helpers import AdminForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotate.models import Dataset
from annotate.problems import Problem
from evaluation.actions import create_run
from evaluation.forms import PlanForm, forms_for
from evaluation.models import Run

PAGE = "evaluation/admin/new_run.html"


def new_run(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Ask for corpus and benchmark, then for the plan; lead to the page of the run, where it is started.

    `context` is what the admin gives each of its pages.
    """
    choices = [
        (dataset, benchmark, form)
        for dataset in Dataset.objects.all()
        for benchmark, form in forms_for(dataset).items()
    ]
    wanted = [
        choice
        for choice in choices
        if request.GET.get("dataset", choice[0].slug) == choice[0].slug
        and request.GET.get("benchmark", choice[1]) == choice[1]
    ]
    if len(wanted) != 1:
        return render(request, PAGE, context | {"choices": choices})
    dataset, benchmark, make_form = wanted[0]
    form = make_form(dataset, request.POST or None)
    if form.is_valid() and (run := _make(request, form)):
        return redirect("run", run.pk)
    heading = f"{benchmark} over {dataset.name}"
    adminform = AdminForm(cast(Any, form), [(heading, {"fields": list(form.fields)})], {})
    return render(request, PAGE, context | {"dataset": dataset, "adminform": adminform})


def _make(request: HttpRequest, form: PlanForm) -> Run | None:
    """Make the run, or tell in the form why it cannot be made."""
    try:
        return create_run(created_by=cast(User, request.user), **form.plan())
    except Problem as problem:
        form.add_error(None, str(problem))
        return None
