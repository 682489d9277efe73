"""Make a run in the admin: first the corpus, then what depends on it."""

from typing import Any, cast

from django.contrib.admin.helpers import AdminForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from annotate.models import Dataset
from annotate.problems import Problem
from evaluation.actions import create_run
from evaluation.forms import RunForm
from evaluation.models import Run

PAGE = "evaluation/admin/new_run.html"


def new_run(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Ask for the corpus, then for the plan; lead to the page of the run, where it is started.

    `context` is what the admin gives each of its pages.
    """
    datasets = list(Dataset.objects.all())
    if len(datasets) == 1:
        dataset = datasets[0]
    elif "dataset" in request.GET:
        dataset = get_object_or_404(Dataset, slug=request.GET["dataset"])
    else:
        return render(request, PAGE, context | {"datasets": datasets})
    form = RunForm(dataset, request.POST or None)
    if form.is_valid() and (run := _make(request, form)):
        return redirect("run", run.pk)
    adminform = AdminForm(cast(Any, form), [(f"Over {dataset.name}", {"fields": list(form.fields)})], {})
    return render(request, PAGE, context | {"dataset": dataset, "adminform": adminform})


def _make(request: HttpRequest, form: RunForm) -> Run | None:
    """Make the run, or tell in the form why it cannot be made."""
    plan = {name: form.cleaned_data[name] for name in RunForm.base_fields if name != "judges"}
    try:
        return create_run(
            dataset=form.dataset, judges=form.named_judges(), created_by=cast(User, request.user), **plan
        )
    except Problem as problem:
        form.add_error(None, str(problem))
        return None
