"""What commands share that wait for a run: the progress line, the report, what an interruption means."""

from annotate.management.command import TactCommand
from annotate.problems import Problem
from evaluation.exporters.report import report_text
from evaluation.management.progress_line import ProgressLine
from evaluation.management.watching import work_and_watch
from evaluation.models import Run
from evaluation.reports import report_with_cards


def wait_for(run: Run, command: TactCommand, output_format: str) -> None:
    """Work on the run until it ends, with the progress on standard error; then print its report.

    Raises `Problem`, which becomes exit status 1, where the run did not end as done.
    """
    line = ProgressLine(command.stderr)
    try:
        work_and_watch(run, line.show)
    except KeyboardInterrupt as interrupt:
        raise Problem(
            f"Run {run.pk} is paused. Go on with: manage.py resume_run {run.pk} --wait"
        ) from interrupt
    finally:
        line.end()
    report = report_with_cards(run)
    if output_format == "json":
        command.write_json(report)
    else:
        command.stdout.write(report_text(report))
    refuse_unfinished(run)


def refuse_unfinished(run: Run) -> None:
    """Raise `Problem` where the run did not end as done, with its reason and how to go on."""
    if run.state != Run.State.DONE:
        raise Problem(
            f"Run {run.pk} is {run.get_state_display()}: {run.state_reason or 'no reason given'}. "
            f"Go on with: manage.py resume_run {run.pk} --wait"
        )
