"""Draws models for the library, in a separate process: a request a line comes in, an answer a line goes out.

    {"model": "/home/me/robots/go1/scene.xml", "picture": "/home/me/.cache/tumble/pictures/5f3a.png"}
    {"reason": ""}

The reason says why there is no picture; "lasting" whether that is the model's own fault, so that trying again is useless.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.base.files import FileError
from tumble.app.film.camera_path import Still
from tumble.app.film.offline import FilmError, Studio, Take
from tumble.app.film.screenshot import save_png
from tumble.app.library import unpack
from tumble.app.session.loader import LoadError, check_path, read_compiled
from tumble.physics.errors import PhysicsError
from tumble.render.camera import Camera, CameraKind, initial_camera
from tumble.render.gpu.quality import QualityLevel

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

WIDTH, HEIGHT = 384, 240  # pixels; they are shown at half that size
LOST = 0.25  # share of the model's extent below which what moves is lost in the picture
NEAR = 2.6  # distance of the camera then, in radii of what moves


def serve(requests: Iterable[str], answer: Callable[[str], None]) -> None:
    """Draw requested pictures until the input ends. For a model that cannot be drawn the answer is the reason."""
    for line in requests:
        asked = json.loads(line)
        reason, lasting = "", False
        try:
            draw(Path(asked["model"]), Path(asked["picture"]))
        except (LoadError, PhysicsError) as error:
            reason, lasting = unpack.in_words(str(error)), True
        except (FilmError, FileError, OSError) as error:
            reason = str(error)
        answer(json.dumps({"reason": reason, "lasting": lasting}))


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
    """That of the window; nearer where what moves would be lost on a floor that makes the model large."""
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
