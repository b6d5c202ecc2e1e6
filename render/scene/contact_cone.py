"""The friction cone of the contact that is chosen: its tip at the contact, cut where the normal force ends.

It has the scale of the arrows, or a smaller one where it would be larger than the geoms. So the force ends in the plane of the
cut: inside the rim while the contact sticks, on it when the contact slips. Torsion and rolling leave a smaller rim for sliding,
which is drawn too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.dynamics.contact_force import ContactMode
from tumble.physics.observe.friction_cone import cone_section
from tumble.render.camera import View
from tumble.render.constants import MeshId
from tumble.render.frame import Frame
from tumble.render.scene.canvas import Decor
from tumble.render.scene.contact_legend import OF_MODE, is_elliptic, modes
from tumble.render.scene.contact_scale import Scale, height_at
from tumble.render.scene.strokes import loop, rods, solid, triangles

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]

SIDE, CUT = 0.18, 0.08  # alpha of the cone's side, and of the plane where a pyramid is cut
_CORNERS = 48  # of a round rim
_RIM, _INNER, _END = 0.0022, 0.0013, 0.0075  # of the picture's height: half the thickness of rims, radius of the force's end
_IDLE = 0.07  # of the picture's height: that of a cone without a force
_END_RGBA = (1.0, 1.0, 1.0, 1.0)


def rim(axes: Vec, first: float, second: float, *, elliptic: bool) -> Vec:
    """(n, 3) the rim of a cut about its middle, in the world's directions: an ellipse, or a rhombus with corners on the tangents.

    axes: (3, 3), rows normal and tangents; first, second: half axes along the tangents.
    """
    turn = np.linspace(0.0, 2.0 * math.pi, _CORNERS if elliptic else 4, endpoint=False)
    return np.asarray(first * np.cos(turn)[:, None] * axes[1] + second * np.sin(turn)[:, None] * axes[2])


def draw_cone(decor: Decor, model: MjModel, frame: Frame, view: View, contact: int, scale: Scale | None, most: float) -> None:
    """Draw the cone of a contact, and a ball where its force ends; nothing without friction.

    scale: of the arrows; None: no force is in view. Without its own force, the cone is small and shows its opening only.
    most: how high and wide it may be [m].
    """
    dim = int(frame.contact_dim[contact])
    if dim < 3 or not np.isfinite(frame.contact_force[contact]).all():
        return
    tip, axes = frame.contact_pos[contact], frame.contact_frame[contact].reshape(3, 3)
    force, friction = frame.contact_force[contact], frame.contact_friction[contact]
    elliptic, height = is_elliptic(model), float(height_at(view, tip[None])[0])
    pressed = scale is not None and force[0] > 0
    if not pressed:
        force = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    first, second, left = cone_section(force, friction, dim, elliptic=elliptic)
    length = scale.length if scale is not None and pressed else _IDLE * height
    length *= min(1.0, most / max(length * max(float(force[0]), 2.0 * first, 2.0 * second), 1e-300))
    depth, a, b = length * float(force[0]), length * first, length * second
    if min(a, b) <= 0:
        return
    rgb = OF_MODE[ContactMode(int(modes(model, frame)[contact])) if pressed else ContactMode.OPEN][:3]
    middle, edge = tip + depth * axes[0], rim(axes, a, b, elliptic=elliptic)
    if elliptic:
        # The mesh of a cone has its tip on its own z axis: here that is against the normal.
        turn = np.stack([axes[1], -axes[2], -axes[0]], axis=1)
        decor.extend(solid(MeshId.CONE, middle, turn, (a, b, depth), (*rgb, SIDE)))
    else:
        corners = middle + edge
        others = np.roll(corners, -1, axis=0)
        side = np.stack([np.broadcast_to(tip, corners.shape), corners, others], axis=1)
        decor.extend(triangles(side, (*rgb, SIDE)))
        decor.extend(triangles(np.stack([np.broadcast_to(middle, corners.shape), corners, others], axis=1), (*rgb, CUT)))
        decor.extend(rods(np.broadcast_to(tip, corners.shape), corners, _INNER * height, (*rgb, 1.0)))
    decor.extend(loop(middle + edge, _RIM * height, (*rgb, 1.0)))
    if left < 1.0 and pressed:
        decor.extend(loop(middle + left * edge, _INNER * height, (*rgb, 1.0)))
    if pressed:
        end = tip + length * force[:3] @ axes
        decor.extend(solid(MeshId.SPHERE, end, np.eye(3), (_END * height,) * 3, _END_RGBA))
