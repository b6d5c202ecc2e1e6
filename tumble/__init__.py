"""Tumble: an interactive simulator of MJCF models; `from tumble import mujoco` gives a script MuJoCo's namespace on its engine.

In a checkout `tumble.app`, `tumble.physics`, `tumble.render` and `tumble.resources` are links to the folders at the top, which
setup.py makes: so Python, type checkers, editors and packagers find them alike, and without settings of their own.
"""

from __future__ import annotations

import sys
from pathlib import Path

__version__ = "0.1.0"
ROOT = Path(__file__).resolve().parents[1]  # where `import tumble` finds the very program that runs


def command_line(*arguments: str) -> list[str]:
    """A command of the program that runs, to be started in ROOT: for processes that work in the background."""
    return [sys.executable, *([] if getattr(sys, "frozen", False) else ["-m", "tumble"]), *arguments]
