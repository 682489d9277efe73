"""A progress line for the terminal: a bar, counts, rate and time left."""

from django.core.management.base import OutputWrapper

from evaluation.running.progress import Progress

WIDTH = 30


class ProgressLine:
    """Redraws one line on a terminal; elsewhere writes a line at each further tenth."""

    def __init__(self, stream: OutputWrapper) -> None:
        self.stream = stream
        self.is_terminal = stream.isatty()
        self.tenth = -1

    def show(self, progress: Progress) -> None:
        """Show how far a run is."""
        line = describe(progress)
        if self.is_terminal:
            self._write(f"\r{line:<79}")
            self.stream.flush()
        elif (tenth := int(progress.share * 10)) != self.tenth:
            self.tenth = tenth
            self._write(f"{line}\n")

    def end(self) -> None:
        """Leave the line standing."""
        if self.is_terminal:
            self._write("\n")

    def _write(self, text: str) -> None:
        """Write as it is: a command's standard error would be coloured as an error."""
        self.stream.write(text, style_func=str, ending="")


def describe(progress: Progress) -> str:
    """Return the line: share done, units, calls a second, time left where it is known."""
    full = round(progress.share * WIDTH)
    rate = f", {progress.per_second:.1f} calls/s" if progress.per_second else ""
    left = f", {in_words(progress.seconds_left)} left" if progress.seconds_left else ""
    return f"[{'#' * full}{'.' * (WIDTH - full)}] {progress.ended} of {progress.size.units}{rate}{left}"


def in_words(seconds: float) -> str:
    """Return a duration as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
