"""A run as a zip to download."""

from django.contrib import messages
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.problems import Problem
from evaluation.models import Run
from evaluation.report_files import archive_of


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
