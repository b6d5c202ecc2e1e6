"""`tumble models`: the models that can be opened by name; with --draw, pictures of them for the library of the window.

A request a line comes in, an answer a line goes out:

    {"model": "/home/me/robots/go1/scene.xml", "picture": "/home/me/.cache/tumble/pictures/5f3a.png"}
    {"reason": "", "lasting": false}

reason: why there is no picture; lasting: it is the model's own fault, so that trying again is useless.
"""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from tumble import physics
from tumble.app.base.files import FileError
from tumble.app.cli.common import FINE, Grammar, InputError, parser_for
from tumble.app.cli.output import show, tell
from tumble.app.film.camera_path import Still
from tumble.app.film.offline import FilmError, Studio, Take, save_png
from tumble.app.library import unpack
from tumble.app.library.lookup import shelves, stored_folders, table
from tumble.app.library.pictures import HEIGHT, WIDTH
from tumble.app.session.loader import LoadError, check_path, read_compiled
from tumble.physics.errors import PhysicsError
from tumble.render.camera import Camera, CameraKind, initial_camera
from tumble.render.gpu.quality import QualityLevel

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

LOST = 0.25  # share of the model's extent below which moving bodies would be lost in the picture
NEAR = 2.6  # distance of the camera then, in radii of the moving bodies


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "models",
        "List the models that can be opened by name, as in tumble humanoid: those of the folders in TUMBLE_MODELS and in the\n"
        "settings, the examples, and those that installed Python packages bring.",
        "models",
    )
    grammar.add_argument("--draw", action="store_true", help="draw the models named on standard input, for the model library")
    return grammar


def run(options: argparse.Namespace) -> int:
    """List the models, or draw requested pictures; returns the exit code."""
    if options.draw:
        if options.json:
            raise InputError("--draw answers every line of the standard input with one; it has no --json")
        _serve()
        return FINE
    known = shelves(stored_folders())
    for line in table(known):
        show(line, options)
    tell(options, models=[
        {"source": shelf.source.title, "name": model.names[0], "names": model.names, "file": model.path}
        for shelf in known for model in shelf.models if model.names and not model.part
    ])  # fmt: skip
    return FINE


# ---- pictures for the library


def _serve() -> None:
    """Draw requested pictures until the input ends. For a model that cannot be drawn the answer is the reason."""
    for line in sys.stdin:
        asked = json.loads(line)
        reason, lasting = "", False
        try:
            draw(Path(asked["model"]), Path(asked["picture"]))
        except (LoadError, PhysicsError) as error:
            reason, lasting = unpack.in_words(str(error)), True
        except (FilmError, FileError, OSError) as error:
            reason = str(error)
        sys.stdout.write(f"{json.dumps({'reason': reason, 'lasting': lasting})}\n")
        sys.stdout.flush()  # the reader waits for it


def draw(path: Path, picture: Path) -> None:
    """A picture of a model as it stands at first.

    Only positions are computed: no kernels are prepared that only a simulation would need.
    Raises LoadError, PhysicsError, FilmError, FileError.
    """
    file = unpack.file_of(path)
    check_path(file)
    model = read_compiled(file).model
    data = physics.MjData(model)
    for stage in (physics.mj_kinematics, physics.mj_comPos, physics.mj_camlight, physics.mj_tendon):
        stage(model, data)
    with Studio(model, Take(WIDTH, HEIGHT, Fraction(1), 0.0, samples=4, quality=QualityLevel.PLAIN)) as studio:
        pixels = studio.picture(data, Still(_camera(model, data), 0.0), 0.0, 0.0)
    save_png(pixels, picture)


def _camera(model: MjModel, data: MjData) -> Camera:
    """The window's first camera; nearer if moving bodies would be lost on a floor that makes the model large."""
    camera = initial_camera(model)
    moves = np.asarray(model.body_weldid)[np.asarray(model.geom_bodyid)] > 0
    if camera.kind == CameraKind.FIXED or not moves.any():
        return camera
    places, radii = np.asarray(data.geom_xpos)[moves], np.asarray(model.geom_rbound)[moves, None]
    low, high = (places - radii).min(axis=0), (places + radii).max(axis=0)
    radius = float(np.linalg.norm(high - low)) / 2
    if not 0 < radius < LOST * float(model.stat.extent):
        return camera
    x, y, z = ((low + high) / 2).tolist()
    return replace(camera, lookat=(x, y, z), distance=NEAR * radius)
