"""The program that runs, as a command line: for processes that work in the background."""

from __future__ import annotations

import sys


def command(*arguments: str) -> list[str]:
    """A command of the program, to be run in `tumble.ROOT`."""
    frozen = getattr(sys, "frozen", False)
    return [sys.executable, *([] if frozen else ["-m", "tumble"]), *arguments]
