"""Find the run or the sample that a user names in a command, or say what there is."""

from annotate.problems import Problem
from evaluation.models import Run, RunSample

LONGEST_NUMBER = 18


def is_number(text: str) -> bool:
    """Tell whether a text is a number that a row can have."""
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER


def run_named(name: str) -> Run:
    """Return the run of that number, or the newest for `last`."""
    runs = Run.objects.select_related("dataset", "release__dataset", "endpoint").order_by("-pk")
    run = runs.first() if name == "last" else runs.filter(pk=name).first() if is_number(name) else None
    if run is None:
        newest = runs.first()
        found = f"the newest is {newest.pk}" if newest else "there is none yet; start one with run_benchmark"
        raise Problem(f"There is no run {name!r}; expected the number of a run ({found}).")
    return run


def samples_of(run: Run) -> list[RunSample]:
    """Return the validation samples that were drawn from a run, the newest first."""
    return list(run.validation_samples.select_related("sample"))


def sample_of(slug: str) -> RunSample:
    """Return the validation sample of that name, with the run that it was drawn from."""
    samples = RunSample.objects.select_related("sample", "run__dataset", "run__release")
    found = samples.filter(sample__slug=slug).first()
    if found is None:
        known = ", ".join(samples.order_by("sample__slug").values_list("sample__slug", flat=True))
        raise Problem(
            f"There is no validation sample {slug!r}; expected one of: "
            f"{known or 'none yet; draw one with draw_validation'}."
        )
    return found
