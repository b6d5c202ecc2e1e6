"""Targets of symbols: the window's draw list, or the geoms of an MjvScene; each with its own look of arrows and lines."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtGeom, mjtObj
from tumble.render.constants import MESH_OF_TYPE, Category, MeshId
from tumble.render.drawlist import DrawList, frame_along

_UPRIGHT = np.eye(3)
Size = float | tuple[float, float, float] | NDArray[np.float64]


class Mark(NamedTuple):
    """The colour of a symbol, the element it belongs to, and the text next to it, where a canvas holds texts."""

    rgba: ArrayLike
    objtype: int = 0
    objid: int = -1
    label: str = ""


class SymbolCanvas(Protocol):
    """Places are (3,) [m], rotations 9 numbers."""

    def shape(self, kind: mjtGeom, pos: ArrayLike, mat: ArrayLike, size: Size, mark: Mark) -> None:
        """A primitive at a pose. size: radii along all axes but the last, then half the length [m]; one number for all three."""

    def rod(self, start: ArrayLike, end: ArrayLike, radius: float, mark: Mark, *, flat: bool = False) -> None:
        """A capsule between two points; flat: a cylinder."""

    def line(self, start: ArrayLike, end: ArrayLike, mark: Mark) -> None:
        """A line between two points."""

    def arrow(self, start: ArrayLike, vector: ArrayLike, radius: float, mark: Mark, *, barbed: bool = True) -> None:
        """An arrow as long as a vector [m]; barbed: its head is wider than its shaft, where a canvas makes the difference."""


class Decor:
    """The canvas of the window. line: half the width of its lines [m]."""

    def __init__(self, line: float) -> None:
        self._rows: list[tuple[MeshId, ArrayLike, NDArray[np.float64], tuple[float, ...], Mark, bool]] = []
        self._lists: list[DrawList] = []
        self._line = line

    def extend(self, made: DrawList) -> None:
        """Instances that were made together."""
        self._lists.append(made)

    def _add(
        self, mesh: MeshId, pos: ArrayLike, mat: ArrayLike, scale: tuple[float, ...], mark: Mark, *, through: bool = False
    ) -> None:
        self._rows.append((mesh, pos, np.asarray(mat).ravel(), scale, mark, through))

    def shape(self, kind: mjtGeom, pos: ArrayLike, mat: ArrayLike, size: Size, mark: Mark) -> None:
        """A primitive at a pose; nothing for planes and height fields."""
        x, y, z = (size, size, size) if isinstance(size, float) else size
        mesh = MESH_OF_TYPE.get(kind, MeshId.PLANE)
        if mesh is not MeshId.PLANE:
            scale = (x, x, x, z) if mesh is MeshId.CAPSULE else (x, y, 1.0 if mesh is MeshId.TRIANGLE else z, 0.0)
            self._add(mesh, pos, _UPRIGHT if kind == mjtGeom.mjGEOM_SPHERE else mat, scale, mark)

    def rod(self, start: ArrayLike, end: ArrayLike, radius: float, mark: Mark, *, flat: bool = False) -> None:
        """A capsule or cylinder between two points; skipped if they coincide."""
        start, end = np.asarray(start, float), np.asarray(end, float)
        length = float(np.linalg.norm(end - start))
        if length > 1e-9:
            mesh, along = (MeshId.CYLINDER, (0.5 * length, 0.0)) if flat else (MeshId.CAPSULE, (radius, 0.5 * length))
            self._add(mesh, 0.5 * (start + end), frame_along((end - start) / length), (radius, radius, *along), mark)

    def line(self, start: ArrayLike, end: ArrayLike, mark: Mark) -> None:
        """A thin rod between two points."""
        self.rod(start, end, self._line, mark)

    def arrow(
        self, start: ArrayLike, vector: ArrayLike, radius: float, mark: Mark, *, barbed: bool = True, through: bool = False
    ) -> None:
        """A shaft with a head; short arrows shrink as a whole, so that they stay arrows; skipped without length."""
        start, vector = np.asarray(start, float), np.asarray(vector, float)
        length = float(np.linalg.norm(vector))
        if length <= 1e-9:
            return
        direction = vector / length
        axes = frame_along(direction)
        radius = min(radius, 0.12 * length)
        head = min(6.0 * radius, 0.5 * length)
        shaft, wide = length - head, 2.2 * radius
        middle = start + 0.5 * shaft * direction
        self._add(MeshId.CYLINDER, middle, axes, (radius, radius, 0.5 * shaft, 0.0), mark, through=through)
        self._add(MeshId.CONE, start + shaft * direction, axes, (wide, wide, head, 0.0), mark, through=through)

    def to_list(self) -> DrawList:
        """The collected instances."""
        if not self._rows and self._lists:
            return DrawList.join(self._lists)
        part = DrawList.blank(len(self._rows), mjtObj.mjOBJ_UNKNOWN, Category.DECOR)
        for i, (mesh, pos, mat, scale, mark, through) in enumerate(self._rows):
            row = part.instances[i]
            row["pos"], row["mat"], row["scale"], row["rgba"] = pos, mat, scale, mark.rgba
            part.mesh[i], part.objtype[i], part.objid[i] = int(mesh), int(mark.objtype), mark.objid
            part.radius[i], part.through[i] = max(scale[:3]) + scale[3], through
        return DrawList.join([part, *self._lists]) if self._lists else part
