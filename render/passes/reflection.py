"""The picture in a polished floor: the scene mirrored at one plane, in a texture that the plane's shader blends in."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tumble.render.camera import View
from tumble.render.constants import MeshId, is_floor
from tumble.render.drawlist import DrawList
from tumble.render.gpu.context import DrawTarget, Recent
from tumble.render.gpu.shaders import UNITS

Mat = NDArray[np.float64]


def find_mirror(drawlist: DrawList, view: View) -> int:
    """The index of the plane that reflects: the largest one with reflectance that the eye sees from above, or -1."""
    instances = drawlist.instances
    candidates = is_floor(drawlist.mesh) & (instances["material"][:, 3] > 0)
    candidates &= instances["rgba"][:, 3] > 0.99
    best, size = -1, 0.0
    for i in np.flatnonzero(candidates):
        normal, offset = plane_of(instances[i])
        above = view.forward @ normal < 0 if view.orthographic else normal @ view.eye + offset > 0
        area = np.inf if drawlist.mesh[i] == MeshId.HORIZON else float(instances["scale"][i, 0] * instances["scale"][i, 1])
        if above and area > size:
            best, size = int(i), area
    return best


def plane_of(instance: np.void) -> tuple[Mat, float]:
    """A plane instance's unit normal n and offset d: n . x + d is the height above it [m]."""
    normal = np.asarray(instance["mat"], float).reshape(3, 3)[:, 2]
    return normal, -float(normal @ np.asarray(instance["pos"], float))


def mirror_matrix(normal: Mat, offset: float) -> Mat:
    """(4, 4) reflection of world points at the plane n . x + d = 0: x - 2 (n . x + d) n."""
    matrix = np.eye(4)
    matrix[:3, :3] -= 2.0 * np.outer(normal, normal)
    matrix[:3, 3] = -2.0 * offset * normal
    return matrix


def mirrored(view: View, normal: Mat, offset: float) -> View:
    """The mirrored view from behind the plane n . x + d = 0; its axes are left-handed."""
    turn = np.eye(3) - 2.0 * np.outer(normal, normal)
    eye = turn @ view.eye - 2.0 * offset * normal
    return replace(view, eye=eye, right=turn @ view.right, up=turn @ view.up, forward=turn @ view.forward)


class Reflection:
    """The mirrored picture."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._targets = Recent(self._make)

    def begin(self, width: int, height: int) -> None:
        """Make the mirrored picture the target, cleared to transparent."""
        framebuffer = self._targets.get(width, height).framebuffer
        framebuffer.use()
        framebuffer.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        # Mirroring reverses the winding of a triangle.
        self._ctx.front_face = "cw"
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)

    def _make(self, width: int, height: int) -> DrawTarget:
        colour = self._ctx.texture((width, height), 4)
        colour.filter = (moderngl.LINEAR, moderngl.LINEAR)
        colour.repeat_x = colour.repeat_y = False
        target = DrawTarget(self._ctx, colour, self._ctx.depth_renderbuffer((width, height)))
        target.framebuffer.use()
        return target

    def end(self) -> None:
        """Back to the ordinary winding, and bind the picture for sampling."""
        self._ctx.front_face = "ccw"
        colour: Any = self._targets.last.colour
        colour.use(UNITS["u_reflection"])

    def release(self) -> None:
        """Release textures and framebuffers."""
        self._targets.release()
