"""`tumble models`: which models can be opened by name, and where they lie."""

from __future__ import annotations

import argparse
import sys

from app.cli.common import FINE, parser_for, show
from app.gallery.draw import serve
from app.library.lookup import shelves, stored_folders, table


def parser() -> argparse.ArgumentParser:
    """The command's grammar."""
    made = parser_for(
        "models",
        "List the models that can be opened by name, as in tumble humanoid: those of the folders in TUMBLE_MODELS and in the\n"
        "settings, the examples, and those that installed Python packages bring.",
        "models",
    )
    made.add_argument("--draw", action="store_true", help="draw those that standard input asks for, as the model library does")
    return made


def run(options: argparse.Namespace) -> int:
    """List the models, or draw requested pictures; returns the exit code."""
    if options.draw:
        serve(sys.stdin, _answer)
        return FINE
    for line in table(shelves(stored_folders())):
        show(line)
    return FINE


def _answer(line: str) -> None:
    show(line)
    sys.stdout.flush()  # the reader waits for it
