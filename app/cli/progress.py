"""How far a command is: a bar where somebody watches, plain lines where the output goes to a file."""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import TextIO

WIDTH = 28  # characters of the bar
INTERVAL = 0.1  # time between two drawings of it [s]
LINE_SHARE = 10  # percent between two lines where there is no terminal


class Progress:
    """Progress of one piece of work on the standard error.

    On a terminal one line is drawn over and over: `Rendering [#####----]  42 %  252/600  0:07 left`. Elsewhere there is a
    line each tenth, so that logs stay short. For programs there is a JSON object a line, ten a second at most:
    {"what": "Rendering", "done": 252, "total": 600, "seconds": 5.1, "left": 7.0}, times in wall seconds.
    """

    def __init__(self, what: str, *, quiet: bool = False, machine: bool = False, stream: TextIO | None = None) -> None:
        """what: is being done; quiet: say nothing; machine: a program reads."""
        self._what, self._quiet, self._machine = what, quiet, machine
        self._stream = stream if stream is not None else sys.stderr
        self._terminal = self._stream.isatty()
        self._begun = monotonic()
        self._drawn = -1.0
        self._told = 0
        self._shown = False

    def update(self, done: float, total: float, note: str = "") -> None:
        """So much is done of so much; note: at the end of the line."""
        if self._quiet or total <= 0:
            return
        if self._machine:
            self._report(done, total)
        elif self._terminal:
            self._draw(done, total, note)
        else:
            self._tell(done, total, note)

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

    def _draw(self, done: float, total: float, note: str) -> None:
        times = self._due(done, total)
        if times is None:
            return
        used, left = times
        share = min(done / total, 1.0)
        bar = "#" * round(share * WIDTH)
        time = f"{_clock(left)} left" if share < 1 else f"{_clock(used)}"
        self._stream.write(f"\r{self._what} [{bar:-<{WIDTH}}] {share:4.0%}  {done:g}/{total:g}  {time}  {note}\x1b[K")
        self._stream.flush()
        self._shown = True

    def _tell(self, done: float, total: float, note: str) -> None:
        percent = int(100 * min(done / total, 1.0))
        if percent < self._told + LINE_SHARE:
            return
        self._told = percent - percent % LINE_SHARE
        self._stream.write(f"{self._what}: {self._told} %{'  ' if note else ''}{note}\n")
        self._stream.flush()

    def close(self) -> None:
        """End the line."""
        if self._shown:
            self._stream.write("\n")
            self._stream.flush()
            self._shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
