"""How far a command is: a bar where somebody watches, plain lines where the output goes to a file."""

from __future__ import annotations

import sys
from time import monotonic
from typing import TextIO

WIDTH = 28  # characters of the bar
INTERVAL = 0.1  # time between two drawings of it [s]
LINE_SHARE = 10  # percent between two lines where there is no terminal


class Progress:
    """Progress of one piece of work on the standard error.

    On a terminal one line is drawn over and over: `Rendering [#####----]  42 %  252/600  0:07 left`. Elsewhere there is a
    line each tenth, so that logs stay short.
    """

    def __init__(self, what: str, *, quiet: bool = False, stream: TextIO | None = None) -> None:
        """what: is being done; quiet: say nothing."""
        self._what, self._quiet = what, quiet
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
        if self._terminal:
            self._draw(done, total, note)
        else:
            self._tell(done, total, note)

    def _draw(self, done: float, total: float, note: str) -> None:
        now = monotonic()
        if done < total and now - self._drawn < INTERVAL:
            return
        self._drawn = now
        share = min(done / total, 1.0)
        bar = "#" * round(share * WIDTH)
        used = now - self._begun
        left = used / share - used if share > 0 else 0.0
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
