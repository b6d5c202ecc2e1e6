"""`tumble convert`: a model as one MJCF file, or all numbers of the compiled model for other programs."""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tumble import __version__
from tumble.app.base import files
from tumble.app.cli.common import FINE, PROBLEMS, Grammar, InputError, add_model, load, parser_for
from tumble.app.cli.output import say, show, tell
from tumble.app.editing.whole_model import canonical, differences_of_text
from tumble.app.session.loader import is_compiled
from tumble.physics.state.export import saved
from tumble.physics.state.export.printed import model_text
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL

if TYPE_CHECKING:
    from tumble.physics.model import MjModel

XML, NPZ, TEXT = ".xml", ".npz", ".txt"
KINDS = (XML, saved.SUFFIX, NPZ, TEXT)
_INTERNAL = {f.name for f in MODEL_INTERNAL}


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "convert",
        "Write a model as one MJCF file (*.xml): includes in place and default classes resolved, so that each element\n"
        "lists all of its attributes. It is compiled before it is saved, and must give the same model, number by number. Or\n"
        "write the compiled model: *.tumble-model, one file that opens without its assets; *.npz, every field by its name, for\n"
        "numpy.load; or *.txt, every field for reading.",
        "convert model.xml flat.xml",
    )
    add_model(grammar)
    grammar.add_argument("output", type=Path, nargs="?", help="*.xml, *.tumble-model, *.npz or *.txt")
    grammar.add_argument("-o", "--output", dest="named_output", type=Path, metavar="FILE", help="output, as in other commands")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Convert; the exit code."""
    options.output = _output(options)
    suffix = options.output.suffix.lower()
    if suffix not in KINDS:
        raise InputError(f"{options.output}: the output ends in {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if suffix == XML and is_compiled(options.model):
        raise InputError(f"{options.model}: is a compiled model, which does not contain its MJCF text")
    model = load(options.model, options)
    if suffix != XML:
        contents = {saved.SUFFIX: saved.packed, NPZ: packed, TEXT: lambda m: model_text(m).encode()}[suffix](model)
        files.write_whole(options.output, contents)
    else:
        text = canonical(options.model, options.output)[0]
        different = differences_of_text(model, options.output, text)
        for line in different:
            show(line, options)
        tell(options, differences=different)
        if different:
            show(f"{options.output}: not written: the text would give a different model, see the lines above", options)
            return PROBLEMS
        files.write_whole(options.output, text)
    size = options.output.stat().st_size
    say(f"{options.output}: {size} bytes", options)
    tell(options, output=options.output, bytes=size)
    return FINE


def _output(options: argparse.Namespace) -> Path:
    """The file to write, as the second argument or with -o. Raises InputError unless it is named once."""
    outputs: list[Path] = [path for path in (options.output, options.named_output) if path is not None]
    if len(outputs) != 1:
        fault = "two outputs are named" if outputs else "no output is named"
        raise InputError(f"{fault}; expected tumble convert MODEL FILE, or tumble convert MODEL -o FILE")
    return outputs[0]


def packed(model: MjModel) -> bytes:
    """Every field of a compiled model, as the bytes of an npz file, with the version that compiled it."""
    buffer = io.BytesIO()
    plain = (f.name for f in MODEL if f.name not in _INTERNAL and f.name not in ("names", "paths"))
    arrays: dict[str, Any] = {name: np.asarray(getattr(model, name)) for name in plain}
    arrays |= {"tumble_version": np.array(__version__), "names": np.frombuffer(model.names, np.uint8)}
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()
