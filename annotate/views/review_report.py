"""The lead's report of a review: agreement, joint confirmation, what to look at, and its files."""

import json

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotate.access import lead_required
from annotate.charts import disagreement_figure
from annotate.exporters.review_report import COLUMNS, report_latex, report_rows
from annotate.figures import THEMES
from annotate.models import Review
from annotate.review_reports import PARTS, QUESTION_WORDS, disagreements, read_answers, review_report
from annotate.views.downloads import download, download_text

FORMS = ("json", "csv", "tex")


@require_safe
@lead_required
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the report."""
    found = _review(slug)
    context = {
        "review": found,
        "report": review_report(found),
        "questions": QUESTION_WORDS,
        "forms": FORMS,
    }
    return render(request, "annotate/review_report.html", context)


@require_safe
@lead_required
def report_file(request: HttpRequest, slug: str, suffix: str) -> HttpResponseBase:
    """Download the report."""
    found = _review(slug)
    name, whole = f"{found.slug}-report", review_report(found)
    match suffix:
        case "json":
            text = json.dumps(whole, indent=2, ensure_ascii=False)
            return download_text(name, suffix, "application/json", text)
        case "csv":
            return download(name, suffix, COLUMNS, report_rows(whole))
        case "tex":
            return download_text(name, suffix, "application/x-tex; charset=utf-8", report_latex(whole))
    raise Http404(f"There is no form {suffix!r}; expected one of {', '.join(FORMS)}.")


@require_safe
@lead_required
def report_figure(request: HttpRequest, slug: str, part: str, theme: str) -> HttpResponse:
    """Send the figure of disagreements by category or preference, for a light or a dark page."""
    if part not in PARTS or theme not in THEMES:
        raise Http404(f"There is no figure by {part!r} for {theme!r} pages.")
    rates = disagreements(read_answers(_review(slug)), part)
    return HttpResponse(disagreement_figure(rates, part, THEMES[theme]), content_type="image/svg+xml")


def _review(slug: str) -> Review:
    return get_object_or_404(Review.objects.select_related("dataset"), slug=slug)
