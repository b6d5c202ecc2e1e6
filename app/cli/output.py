"""Output of commands: lines and a progress bar for people, JSON for programs."""

from __future__ import annotations

import argparse
import io
import json
import math
import os
import sys
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TextIO

import numpy as np

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

WIDTH = 28  # characters of the bar
INTERVAL = 0.1  # time between two drawings of it [s]
LINE_SHARE = 10  # percent between two lines if there is no terminal


def say(text: str, options: argparse.Namespace) -> None:
    """Print a line of summary to the standard error, unless quiet or for a program."""
    if not options.quiet and not options.json:
        sys.stderr.write(f"{text}\n")


def show(text: str, options: argparse.Namespace) -> None:
    """A line of the result, on the standard output, unless a program reads."""
    if not options.json:
        sys.stdout.write(f"{text}\n")


def tell(options: argparse.Namespace, **facts: object) -> None:
    """Parts of the result for programs, by name."""
    options.facts.update(facts)


def warn(lines: list[str], options: argparse.Namespace) -> None:
    """Print the engine's warnings, one line each."""
    tell(options, warnings=lines)
    if not options.json:
        for line in lines:
            sys.stderr.write(f"warning: {line}\n")


def fault(message: str) -> dict[str, object]:
    """An error for programs: message, its place in a file, and each line of a message of several lines."""
    from tumble.app.base.editor import place_in  # which imports Qt: only errors wait for it

    place = place_in(message)
    where = {} if place is None else {"file": place[0], "line": place[1], "column": place[2]}
    several = [line for line in message.splitlines() if place_in(line) is not None]
    return {"message": message, **where, **({"errors": [fault(line) for line in several]} if len(several) > 1 else {})}


def escape(*, for_program: bool) -> None:
    """Write characters that the encoding of the standard output lacks as \\uXXXX, valid in JSON too; programs get UTF-8.

    ASCII has no arrow, and no more has cp1252, to which Windows encodes what goes to a file. A file's name may be no text at all.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8" if for_program else None, errors="backslashreplace")


def keep_apart() -> TextIO:
    """Reserve the standard output for the JSON object: other prints from now on go to the standard error."""
    sys.stdout.flush()
    stream = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return stream


def write(command: str, code: int, facts: Mapping[str, object], stream: TextIO) -> None:
    """The JSON object of a command: its name, its exit code and its results."""
    answer = {"command": command, "exit_code": code, **facts}
    stream.write(f"{json.dumps(plain(answer), allow_nan=False, ensure_ascii=False)}\n")
    stream.flush()


def plain(value: object) -> object:
    """A value for JSON: numbers that are not finite become null, arrays lists, paths and words texts."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.name
    return str(value) if isinstance(value, Path) else value


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
        self._shown = 0
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
            self._print(done, total)

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

    def _print(self, done: float, total: float) -> None:
        percent = int(100 * min(done / total, 1.0))
        if percent < self._shown + LINE_SHARE:
            return
        self._shown = percent - percent % LINE_SHARE
        self._stream.write(f"{self._what}: {self._shown} %\n")
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
