"""`tumble models`: which models can be opened by name, and where they lie."""

from __future__ import annotations

import argparse
import sys

from tumble.app.cli.answer import show, tell
from tumble.app.cli.common import FINE, Grammar, InputError, parser_for
from tumble.app.gallery.draw import serve
from tumble.app.library.lookup import shelves, stored_folders, table


def parser() -> Grammar:
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
        if options.json:
            raise InputError("--draw answers every line of the standard input with one; it has no --json")
        serve(sys.stdin, _answer)
        return FINE
    known = shelves(stored_folders())
    for line in table(known):
        show(line, options)
    tell(options, models=[
        {"source": shelf.source.title, "name": model.names[0], "names": model.names, "file": model.path}
        for shelf in known for model in shelf.models if model.names and not model.part
    ])  # fmt: skip
    return FINE


def _answer(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()  # the reader waits for it
