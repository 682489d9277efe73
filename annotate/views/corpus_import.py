"""Import a corpus in the admin: upload, and where the file would change a dataset, look and accept."""

from contextlib import ExitStack
from typing import Any, BinaryIO, cast

from django import forms
from django.contrib import messages
from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from annotate import uploads
from annotate.actions.corpus import CorpusImport, UnacceptedChanges, import_corpus
from annotate.importers.files import read_corpus
from annotate.importers.formats import FORMATS
from annotate.models import Dataset
from annotate.problems import Problem

SALT = "corpus-import"
PAGE = "admin/annotate/dataset/import_corpus.html"


class CorpusForm(forms.Form):
    """Which file, in which form, into which dataset."""

    corpus_format = forms.ChoiceField(label="Format", choices=list(FORMATS.items()))
    slug = forms.SlugField(
        label="Dataset",
        max_length=50,
        help_text="A short name for addresses. A new one makes a dataset; a known one is brought up to date.",
    )
    file = forms.FileField(allow_empty_file=True, help_text="Large files are quicker by import_corpus.")
    preferences = forms.FileField(
        label="Preferences file",
        required=False,
        allow_empty_file=True,
        help_text="For CIMemories and BenchPreS: JSON lines of profile, category, text, nickname. For "
        "PairPref: of preference_key, domain, companions.",
    )
    field_map = forms.CharField(
        label="Field map",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="For PairPref: JSON that says what the fields of the file are called, where they differ.",
    )


def corpus_import(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Show the form, take an upload, or take the answer to what it would change.

    `context` is what the admin gives each of its pages.
    """
    if "asked" in request.POST:
        return take_answer(request, context)
    form = CorpusForm(request.POST or None, request.FILES or None)
    if not form.is_valid():
        return render(request, PAGE, {**context, "form": form})
    try:
        return tell(request, import_upload(request, form.cleaned_data))
    except UnacceptedChanges as asked:
        return render(request, PAGE, {**context, "asked": asked, "token": keep(form.cleaned_data, asked)})
    except Problem as problem:
        form.add_error(None, str(problem))
        return render(request, PAGE, {**context, "form": form})


def import_upload(request: HttpRequest, data: dict[str, Any]) -> CorpusImport:
    """Import what the form brought."""
    file: UploadedFile = data["file"]
    added: UploadedFile | None = data["preferences"]
    names = (str(file.name), str(added.name) if added else "")
    files = (cast(BinaryIO, file.file), cast(BinaryIO, added.file) if added else None)
    return bring(request, data, names, files, accept_changes=False)


def bring(
    request: HttpRequest,
    data: dict[str, Any],
    names: tuple[str, str],
    files: tuple[BinaryIO, BinaryIO | None],
    accept_changes: bool,
) -> CorpusImport:
    """Parse and import a corpus file and its preferences file."""
    read = read_corpus(data["corpus_format"], files[0], names[0], files[1], names[1], data["field_map"])
    return import_corpus(
        read.corpus,
        slug=data["slug"],
        file_name=read.name,
        file_hash=read.hash,
        user=request.user,  # type: ignore[arg-type]
        accept_changes=accept_changes,
    )


def keep(data: dict[str, Any], asked: UnacceptedChanges) -> str:
    """Keep the upload until the answer comes; return what the answer has to bring, signed."""
    added = data["preferences"]
    answer = {
        "corpus_format": data["corpus_format"],
        "slug": data["slug"],
        "field_map": data["field_map"],
        "version": asked.dataset.version,
        "names": (data["file"].name, added.name if added else ""),
        "kept": (uploads.keep(data["file"]), uploads.keep(added) if added else ""),
    }
    return signing.dumps(answer, salt=SALT)


def take_answer(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Import a kept upload whose changes were accepted."""
    try:
        return tell(request, import_accepted(request))
    except signing.BadSignature:
        problem = "This answer is too old or not from this page; upload the file again."
    except Problem as found:
        problem = str(found)
    messages.error(request, problem)
    return render(request, PAGE, {**context, "form": CorpusForm()})


def import_accepted(request: HttpRequest) -> CorpusImport:
    """Import the kept files, if the dataset is still the one whose changes were shown."""
    data = signing.loads(request.POST["asked"], salt=SALT, max_age=uploads.KEPT_FOR)
    if not Dataset.objects.filter(slug=data["slug"], version=data["version"]).exists():
        raise Problem(f"Dataset {data['slug']} was changed meanwhile; upload the file again.")
    kept, kept_preferences = data["kept"]
    with ExitStack() as stack:
        file = stack.enter_context(uploads.kept(kept))
        added = stack.enter_context(uploads.kept(kept_preferences)) if kept_preferences else None
        return bring(request, data, tuple(data["names"]), (file, added), accept_changes=True)


def tell(request: HttpRequest, done: CorpusImport) -> HttpResponse:
    """Say what was imported, on the dataset's page."""
    dataset = done.dataset
    if done.outcome == "unchanged":
        messages.info(request, f"Dataset {dataset} has this content already; nothing changed.")
    else:
        messages.success(request, f"Dataset {dataset}, version {dataset.version}: {done.outcome}.")
    if done.release:
        messages.info(request, f"Its labels are the gold release {done.release}, marked as imported.")
    return redirect("admin:annotate_dataset_change", dataset.pk)
