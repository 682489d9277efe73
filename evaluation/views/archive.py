"""A run as a zip to download."""

from tempfile import TemporaryFile

from django.contrib import messages
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.problems import Problem
from evaluation.exporters.archive import export_run
from evaluation.models import Run


@lead_required
@never_cache
@require_safe
def run_archive(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Send the archive of a run, or say on its page why there can be none."""
    run = get_object_or_404(Run, pk=pk)
    try:
        return archive_of(run)
    except Problem as problem:
        messages.error(request, str(problem))
        return redirect("run", pk)


def archive_of(run: Run) -> FileResponse:
    """Return the archive as a file; it is written whole before the first byte is sent."""
    file = TemporaryFile()  # noqa: SIM115 - the response closes it
    try:
        export_run(run, file)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return FileResponse(
        file, as_attachment=True, filename=f"run-{run.pk}.zip", content_type="application/zip"
    )
