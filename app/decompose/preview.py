"""The parts of a mesh where its geom has them: as the compiler moves, scales and turns the mesh itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tumble.app.decompose.parts import ConvexPart
from tumble.physics.compiler.assets.mesh.asset import recipe
from tumble.physics.compiler.assets.mesh.process import placed, turned
from tumble.render.scene.scene import Pieces, flat_mesh

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.compiler.pose import Quat
    from tumble.physics.mjcf.spec import Element


def pieces(model: MjModel, geom: int, mesh: Element, parts: Sequence[ConvexPart]) -> Pieces:
    """The parts of the <mesh> of a geom of a compiled model, to be drawn instead of it."""
    asked, index = recipe(mesh, hull=False), int(model.geom_dataid[geom])
    w, x, y, z = (float(v) for v in model.mesh_quat[index])
    frame: Quat = (w, x, y, z)
    mirrored = float(np.prod(asked.scale)) < 0
    made = []
    for part in parts:
        points = turned(placed(part.vertices, asked) - model.mesh_pos[index], frame)
        made.append(flat_mesh(points, part.faces[:, ::-1] if mirrored else part.faces))
    return Pieces(geom, tuple(made))
