"""The program that runs, as a command line: for processes that work in the background."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # where `-m app` finds the very program that runs


def command(*arguments: str) -> list[str]:
    """A command of the program, to be run in ROOT."""
    frozen = getattr(sys, "frozen", False)
    return [sys.executable, *([] if frozen else ["-m", "app"]), *arguments]
