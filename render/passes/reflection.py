"""The picture in a polished floor: the scene mirrored at one plane, in a texture that the plane's shader blends in."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
from numpy.typing import NDArray

from render.camera import View
from render.constants import MeshId
from render.drawlist import DrawList
from render.gpu.shaders import UNITS

Mat = NDArray[np.float64]


def find_mirror(drawlist: DrawList, view: View) -> int:
    """The index of the plane that reflects: the largest one with reflectance that the eye sees from above, or -1."""
    instances = drawlist.instances
    candidates = np.isin(drawlist.mesh, (int(MeshId.PLANE), int(MeshId.HORIZON))) & (instances["material"][:, 3] > 0)
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
    """The view from behind the plane n . x + d = 0 that sees what the plane shows; its axes are mirrored, and so left-handed."""
    turn = np.eye(3) - 2.0 * np.outer(normal, normal)
    eye = turn @ view.eye - 2.0 * offset * normal
    return replace(view, eye=eye, right=turn @ view.right, up=turn @ view.up, forward=turn @ view.forward)


class Reflection:
    """The mirrored picture's framebuffer, kept at the size asked for last."""

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._size = (0, 0)
        self._colour: moderngl.Texture | None = None
        self._depth: moderngl.Renderbuffer | None = None
        self._framebuffer: moderngl.Framebuffer | None = None

    def begin(self, width: int, height: int) -> None:
        """Make the mirrored picture the target, cleared to transparent."""
        if self._size != (width, height) or self._framebuffer is None:
            self.release()
            self._size = (width, height)
            self._colour = self._ctx.texture((width, height), 4)
            self._colour.filter = (moderngl.LINEAR, moderngl.LINEAR)
            self._colour.repeat_x = self._colour.repeat_y = False
            self._depth = self._ctx.depth_renderbuffer((width, height))
            self._framebuffer = self._ctx.framebuffer([self._colour], self._depth)
        self._framebuffer.use()
        self._framebuffer.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        # Mirroring reverses the winding of a triangle.
        self._ctx.front_face = "cw"
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)

    def end(self) -> None:
        """Back to the ordinary winding, and bind the picture for sampling."""
        self._ctx.front_face = "ccw"
        if self._colour is not None:
            self._colour.use(UNITS["u_reflection"])

    def release(self) -> None:
        """Release textures and framebuffer."""
        for resource in (self._framebuffer, self._colour, self._depth):
            if resource is not None:
                resource.release()
        self._framebuffer = self._colour = self._depth = None
