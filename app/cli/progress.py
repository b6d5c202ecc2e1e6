"""Progress of a command: a bar on a terminal, plain lines if the output goes to a file."""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

WIDTH = 28  # characters of the bar
INTERVAL = 0.1  # time between two drawings of it [s]
LINE_SHARE = 10  # percent between two lines if there is no terminal


class Progress:
    """Progress of one piece of work on the standard error.

    On a terminal one line is drawn over and over: `Rendering ━━━━━────  42% 252/600 0:00:07`, with the time that is left, at
    the end the time it took. Elsewhere there is a line each tenth, so that logs stay short. For programs there is a JSON
    object a line, ten a second at most: {"what": "Rendering", "done": 252, "total": 600, "seconds": 5.1, "left": 7.0}, times
    in wall seconds.
    """

    def __init__(self, what: str, *, quiet: bool = False, machine: bool = False, stream: TextIO | None = None) -> None:
        """what: the task; quiet: no output; machine: output for a program."""
        self._what, self._quiet, self._machine = what, quiet, machine
        self._stream = stream if stream is not None else sys.stderr
        self._terminal = self._stream.isatty()
        self._begun = monotonic()
        self._drawn = -1.0
        self._told = 0
        self._bar: tuple[RichProgress, TaskID] | None = None

    def update(self, done: float, total: float) -> None:
        """Report that `done` of `total` is finished."""
        if self._quiet or total <= 0:
            return
        if self._machine:
            self._report(done, total)
        elif self._terminal:
            self._draw(done, total)
        else:
            self._tell(done, total)

    def _due(self, done: float, total: float) -> tuple[float, float] | None:
        """Wall time used and left [s]; None: too little has passed since the last line."""
        now = monotonic()
        if done < total and now - self._drawn < INTERVAL:
            return None
        self._drawn = now
        share, used = min(done / total, 1.0), now - self._begun
        return used, used / share - used if share > 0 else 0.0

    def _report(self, done: float, total: float) -> None:
        times = self._due(done, total)
        if times is not None:
            seconds, left = (round(time, 2) for time in times)
            line = {"what": self._what, "done": done, "total": total, "seconds": seconds, "left": left}
            self._stream.write(f"{json.dumps(line)}\n")
            self._stream.flush()

    def _draw(self, done: float, total: float) -> None:
        if self._bar is None:
            bar = _bar_on(self._stream)
            self._bar = bar, bar.add_task(self._what, total=total, count="")
            bar.start()
        bar, task = self._bar
        bar.update(task, completed=done, total=total, count=f"{done:g}/{total:g}")
        if self._due(done, total) is not None:
            bar.refresh()

    def _tell(self, done: float, total: float) -> None:
        percent = int(100 * min(done / total, 1.0))
        if percent < self._told + LINE_SHARE:
            return
        self._told = percent - percent % LINE_SHARE
        self._stream.write(f"{self._what}: {self._told} %\n")
        self._stream.flush()

    def close(self) -> None:
        """End the line."""
        if self._bar is not None:
            self._bar[0].stop()
            self._bar = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _bar_on(stream: TextIO) -> RichProgress:
    """A progress bar that draws on request and leaves other output alone."""
    from rich import progress  # 0.03 s that no other output needs
    from rich.console import Console

    class Bare(Console):
        """A console that never hides its cursor: a killed command cannot show it again."""

        def show_cursor(self, show: bool = True) -> bool:
            return False

    return progress.Progress(
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(bar_width=WIDTH),
        progress.TaskProgressColumn(),
        progress.TextColumn("{task.fields[count]}"),
        progress.TimeRemainingColumn(elapsed_when_finished=True),
        console=Bare(file=stream),
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
