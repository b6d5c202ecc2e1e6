"""Flexes on the graphics card: constant data are uploaded once, positions of corners with each picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.render.constants import MeshId, index_of, kind_of
from tumble.render.gpu.shaders import UNITS
from tumble.render.mesh.flex_mesh import Rods, Sphere, Surface, layers, owners_of_rods, vertices_of
from tumble.render.mesh.primitives import TriangleMesh, capsule, sphere

if TYPE_CHECKING:
    from tumble.physics import MjModel

_SURFACE_LAYOUT = ("4f 3f", "in_position", "in_normal")
_UV_LAYOUT = ("2f", "in_uv")
_ROD_LAYOUT = ("3f 3f /i", "in_start", "in_end")
_VERTEX_LAYOUT = ("4f 3f 2f", "in_position", "in_normal", "in_uv")
SOFT = tuple(map(int, (MeshId.FLEX_SKIN, MeshId.FLEX_FACES, MeshId.FLEX_EDGES, MeshId.FLEX_VERTICES)))
HEAT_ROW = 1024  # texels a row of the colours of triangles or rods; geom.frag.glsl has the same number
# Slices and stacks of rods and balls, by how many there are: thousands of them are thin.
_FINE, _COARSE, _MANY = (12, 6), (6, 4), 1500


class Bent(Struct, frozen=True):
    """Poses of deformable objects in a picture: skins by their bones, flexes by their vertices.

    bones: the poses of each skin's, as `Bones.poses` gives them; none are needed if no skin is drawn.

    points: the vertices of all flexes (nflexvert, 3) [m], where they are first, then in each ghost; none if none are drawn.
    colours: (nflexelem, 4) 0..255 in which elements of flexes are drawn, in place of their paint; None: in their paint.
    """

    bones: Sequence[NDArray[np.float64]] = ()
    points: Sequence[NDArray[np.float64]] = ()
    colours: NDArray[np.uint8] | None = None


class SoftSolid:
    """One style of one flex on the card, at one moment of those that a picture shows.

    rods: how many instances of the mesh one instance of the flex is; 0: it is one mesh. heated: whether it has colours of
    its elements.
    """

    def __init__(self, ctx: moderngl.Context, model: MjModel, mesh: int) -> None:
        """mesh: a MeshId of the kinds SOFT."""
        self._ctx, self._model = ctx, model
        place, self._flex = divmod(index_of(mesh), max(int(model.nflex), 1))
        self._moment, layer = divmod(place, layers(model))
        style = MeshId(kind_of(mesh))
        self._own: Surface | Rods
        if style in (MeshId.FLEX_EDGES, MeshId.FLEX_VERTICES):
            self._own = Rods(model, self._flex, style)
            self._element = owners_of_rods(model, self._flex, style)
            self.rods = len(self._own.rows)
            shape = self._rod_mesh(style)
            self._rows = ctx.buffer(reserve=max(self._own.rows.nbytes, 4), dynamic=True)
            self.content: list[tuple[Any, ...]] = [
                (ctx.buffer(shape.vertices.tobytes()), *_VERTEX_LAYOUT), (self._rows, *_ROD_LAYOUT),
            ]  # fmt: skip
            indices = shape.indices
        else:
            self._own = Surface(model, self._flex, style, layer)
            own = self._own.layout
            self._element, indices, self.rods = own.element, own.triangles, 0
            self._rows = ctx.buffer(reserve=max(self._own.rows.nbytes, 4), dynamic=True)
            self.content = [(self._rows, *_SURFACE_LAYOUT), (ctx.buffer(own.uv.tobytes() or bytes(8)), *_UV_LAYOUT)]
        self.indices = ctx.buffer(np.ascontiguousarray(indices, np.uint32).tobytes() or bytes(12))
        self.empty = not self._own.rows.size or not len(indices)
        self._heat: moderngl.Texture | None = None
        self.heated = False

    def _rod_mesh(self, style: MeshId) -> TriangleMesh:
        slices, stacks = _FINE if self.rods <= _MANY else _COARSE
        return capsule(slices, stacks) if style is MeshId.FLEX_EDGES else sphere(slices, stacks)

    def bend(self, index: int, bent: Bent) -> None:
        """Send where its corners are, and the colours of its elements if they have any; index: of its mesh."""
        if self._moment >= len(bent.points):
            return
        points = bent.points[self._moment][vertices_of(self._model, self._flex)]
        points = np.ascontiguousarray(points, np.float64)
        self._rows.write(self._own.follow(points, Sphere(points, 0.0).centre))
        colours = bent.colours
        self.heated = colours is not None and len(colours) == self._model.nflexelem and self._moment == 0 and not self.empty
        if self.heated and colours is not None:
            self._paint(colours[int(self._model.flex_elemadr[self._flex]) + self._element])

    def _paint(self, colours: Any) -> None:  # noqa: ANN401  # bytes, four each
        if self._heat is None:
            height = -(-len(self._element) // HEAT_ROW)
            self._heat = self._ctx.texture((HEAT_ROW, height), 4)
            self._heat.filter = (moderngl.NEAREST, moderngl.NEAREST)
        table = np.zeros((self._heat.height * HEAT_ROW, 4), np.uint8)
        table[: len(colours)] = colours
        self._heat.write(table)

    def use(self) -> None:
        """Bind the shader's inputs."""
        if self.heated and self._heat is not None:
            self._heat.use(UNITS["u_heat"])

    def release(self) -> None:
        """Release all buffers and textures."""
        owned: list[Any] = [self.indices, *(part[0] for part in self.content), self._heat]
        for resource in owned:
            if resource is not None:
                resource.release()
