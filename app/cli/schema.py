"""`tumble schema`: the grammar of MJCF, by which editors complete and check model files."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from tumble.app.base import files
from tumble.app.cli.common import FINE, Grammar, parser_for
from tumble.app.cli.output import say, show, tell


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "schema",
        "Write the RELAX NG grammar of MJCF, by which an editor completes elements, attributes and words, explains them,\n"
        'and marks mistakes while they are typed. A model names it in its first line: <?xml-model href="mjcf.rng"?>',
        "schema mjcf.rng",
    )
    grammar.add_argument("output", type=Path, nargs="?", help="*.rng; without it the grammar goes to the standard output")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Write it; the exit code."""
    text = (resources.files("tumble.resources") / "mjcf.rng").read_bytes()
    if options.output is None:
        show(text.decode("utf-8").rstrip("\n"), options)
        tell(options, grammar=text.decode("utf-8"))
        return FINE
    files.write_whole(options.output, text)
    tell(options, output=options.output, bytes=len(text))
    say(f'{options.output}: name it in the first line of a model: <?xml-model href="{options.output.name}"?>', options)
    return FINE
