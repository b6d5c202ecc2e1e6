"""`tumble decompose`: a mesh file as convex parts, with the lines of MJCF that use them."""

from __future__ import annotations

import argparse
from pathlib import Path

from tumble.app.base import files
from tumble.app.cli.common import FINE, Grammar, InputError, count, parser_for, positive
from tumble.app.cli.output import say, show, tell
from tumble.app.decompose.parts import USUAL, DecomposeError, Fineness, decompose, obj, part_names, summary, tag
from tumble.physics.compiler.assets.mesh.raw import MeshProblem
from tumble.physics.compiler.assets.mesh.read import read_triangles
from tumble.physics.mjcf.document import FileProblem


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "decompose",
        "Cut a mesh into convex parts. Engines collide the convex hull of a mesh: that of a cup is a full cylinder, and nothing\n"
        "can lie in it. The parts are written as OBJ files if a folder is named, and printed as the lines that use them\n"
        "in a model. In the window: Decompose... on a mesh geom shows them before it writes, into the model's own file.",
        "decompose cup.obj -o parts",
    )
    grammar.add_argument("mesh", type=Path, help="mesh file (*.obj, *.stl, *.msh)")
    grammar.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="folder for the parts; created if it does not exist")
    grammar.add_argument("--concavity", type=positive, default=USUAL, metavar="C",
                      help="how far a part may be from convex, 0.01 (fine) to 1 (default %(default)s)")  # fmt: skip
    grammar.add_argument("--parts", type=count, default=0, metavar="N", help="largest number of parts")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Decompose; the exit code."""
    try:
        vertices, faces = read_triangles(options.mesh)
        parts = decompose(vertices, faces, Fineness(options.concavity, options.parts))
    except (DecomposeError, MeshProblem, FileProblem) as error:
        raise InputError(f"{options.mesh}: {error}") from error
    stem = options.mesh.stem
    named = dict(zip(part_names(stem, len(parts)), parts, strict=True))
    say(f"{options.mesh}: {summary(parts, vertices, faces)}", options)
    if options.output is not None:
        options.output.mkdir(parents=True, exist_ok=True)
        for name, part in named.items():
            files.write_whole(options.output / f"{name}.obj", obj(part))
        say(f"{options.output}: {len(named)} files", options)
    lines = [tag("mesh", {"name": name, "file": f"{name}.obj"}) for name in named]
    lines += [tag("geom", {"type": "mesh", "mesh": name, "group": "3", "mass": "0"}) for name in named]
    for line in lines:
        show(line, options)
    tell(
        options, parts=[{"name": name, "volume": part.volume} for name, part in named.items()], mjcf=lines, folder=options.output
    )
    return FINE
