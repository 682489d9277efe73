"""What a lead does to a validation sample: each button is one action, then back with what came of it."""

from typing import BinaryIO, cast

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from annotate.access import lead_required
from annotate.actions.validation import add_rater, close_sample, end_rater, reopen_sample, take_up_rater
from annotate.actions.validation_import import import_validation_labels
from annotate.importers.validation_labels import read_validation_labels
from annotate.models import ValidationSample
from annotate.problems import Problem
from annotate.views.settling import Request, action, checked, named_seat
from evaluation.actions.validation_judging import judge_sample
from evaluation.models import RunSample
from evaluation.validation_forms import JudgeForm, LabelsForm, NewRaterForm

PAGE = "validation-sample"
seat_action = action(PAGE, "people", ValidationSample)
file_action = action(PAGE, "files", ValidationSample)


@seat_action
def seat(request: Request, sample: ValidationSample) -> str:
    """Give an annotator a seat."""
    user = checked(NewRaterForm(sample, request.POST)).cleaned_data["user"]
    return f"{user} labels as {add_rater(sample, user).pseudonym}."


@seat_action
def end(request: Request, sample: ValidationSample) -> str:
    """End a seat."""
    rater = named_seat(request, sample.raters)
    end_rater(rater)
    return f"{rater.pseudonym} labels no more; reports do without those labels, exports keep them."


@seat_action
def take_up(request: Request, sample: ValidationSample) -> str:
    """Let somebody go on whose seat was ended."""
    rater = named_seat(request, sample.raters)
    take_up_rater(rater)
    return f"{rater.pseudonym} labels again."


@seat_action
def close(request: Request, sample: ValidationSample) -> str:
    """End labelling."""
    close_sample(sample)
    return "Labelling is closed; the labels stay as they are."


@seat_action
def reopen(request: Request, sample: ValidationSample) -> str:
    """Let labels be given again."""
    reopen_sample(sample)
    return "Labelling is open again."


@file_action
def import_labels(request: Request, sample: ValidationSample) -> str:
    """Bring labels from a file: all of them or none."""
    values = checked(LabelsForm(request.POST, request.FILES)).cleaned_data
    file: UploadedFile = values.pop("file")
    rows = read_validation_labels(cast(BinaryIO, file.file), str(file.name), sample.question)
    done = import_validation_labels(sample, rows, request.user, **values)
    seats = f" New seats without an account: {', '.join(done.new_label_sets)}." if done.new_label_sets else ""
    return (
        f"Labels added: {done.added}; changed: {done.changed}; there already: {done.unchanged}. Of these, "
        f"cannot tell: {done.cannot_tell}. Rows without an answer: {done.unanswered}.{seats}"
    )


@require_POST
@lead_required
def judge(request: Request, slug: str) -> HttpResponse:
    """Plan the judging of a sample by an endpoint, and lead on to its run, where it is started."""
    run_sample = get_object_or_404(RunSample, sample__slug=slug)
    try:
        endpoint = checked(JudgeForm(request.POST)).cleaned_data["endpoint"]
        run = judge_sample(run_sample, endpoint, created_by=request.user)
    except Problem as problem:
        messages.error(request, str(problem))
        return redirect(PAGE, slug)
    messages.success(request, "Planned; nothing is asked yet. See what it takes, then start it.")
    return redirect("run", run.pk)
