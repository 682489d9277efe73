"""Storing what the current reader makes of a run's replies."""

from django.db import transaction

from annotate.problems import Problem
from evaluation.models import Run
from evaluation.running.rereading import Rereading, reread


@transaction.atomic
def store_rereading(run: Run) -> Rereading:
    """Read the replies of a run again and store what differs, but for what is held back.

    Raises `Problem` while the run is running: its units are being written.
    """
    locked = Run.objects.select_for_update().get(pk=run.pk)
    if locked.state == Run.State.RUNNING:
        raise Problem(f"Run {run.pk} is running; pause it, or wait for its end, before its readings change.")
    found = reread(locked)
    for unit in found.to_store:
        for column, value in unit.now.items():
            setattr(unit.row, column, value)
        unit.row.save(update_fields=list(unit.now))
    locked.reader_version = found.reader
    locked.save(update_fields=["reader_version"])
    run.refresh_from_db(fields=["reader_version"])
    return found
