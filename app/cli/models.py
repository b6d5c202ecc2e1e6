"""`tumble models`: which models can be opened by name, and where they lie."""

from __future__ import annotations

import argparse

from app.cli.common import FINE, parser_for, show
from app.library.lookup import shelves, stored_folders, table


def parser() -> argparse.ArgumentParser:
    """The command's grammar."""
    return parser_for(
        "models",
        "List the models that can be opened by name, as in tumble humanoid: those of the folders in TUMBLE_MODELS and in the\n"
        "settings, the examples, and those that installed Python packages bring.",
        "models",
    )


def run(options: argparse.Namespace) -> int:
    """List them; the exit code."""
    for line in table(shelves(stored_folders())):
        show(line)
    return FINE
