"""Flexes in the draw list: their skins, faces, edges and vertices, as the options ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.observe.soft_strain import flex_bodies
from tumble.physics.state.enums import mjtObj
from tumble.render.constants import Category, MeshId
from tumble.render.drawlist import DrawList
from tumble.render.frame import Ghost
from tumble.render.mesh.flex_mesh import CABLE, Sphere, layers, vertices_of
from tumble.render.options import RenderOptions, Selection, group_mask
from tumble.render.scene.paint import fade, paint
from tumble.render.scene.strokes import ALPHA, LEAST_ALPHA, MATERIAL, PARTED

if TYPE_CHECKING:
    from tumble.physics import MjModel

Floats = NDArray[np.float64]


def shown_parts(dim: int, radius: float, options: RenderOptions) -> tuple[MeshId, ...]:
    """Instances of a flex of a dimension: vertices and edges are as thick as its radius [m].

    A skin is shown alone; a cable, which has neither skin nor faces, by its edges and vertices.
    """
    parts: list[MeshId] = []
    if dim != CABLE and options.flex_skin:
        return (MeshId.FLEX_SKIN,)
    if options.flex_vert and radius > 0:
        parts.append(MeshId.FLEX_VERTICES)
    if options.flex_edge and radius > 0:
        parts.append(MeshId.FLEX_EDGES)
    if dim != CABLE and options.flex_face:
        parts.append(MeshId.FLEX_FACES)
    return tuple(parts)


class Flexes:
    """The flexes of one model. The number of a mesh is (which moment * layers + layer) * flexes + flex."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._count, self._layers = int(model.nflex), layers(model)
        self._vertices = [vertices_of(model, i) for i in range(self._count)]
        self._rows = DrawList.blank(self._count, mjtObj.mjOBJ_FLEX, Category.DYNAMIC)
        for i in range(self._count):
            self._rows.mesh[i] = int(MeshId.FLEX_SKIN) + i
            paint(model, self._rows, i, int(model.flex_matid[i]), model.flex_rgba[i], np.ones(3))
        tree = np.asarray(model.body_treeid, int)
        self._bodies = [flex_bodies(model, i) for i in range(self._count)]
        self._tree = np.array([max(tree[bodies], default=-1) for bodies in self._bodies], int)

    def visible(self, options: RenderOptions) -> NDArray[np.bool_]:
        """(nflex,) which flexes the options show at all."""
        return group_mask(self._model.flex_group, options.flex_group) & (self._rows.instances["rgba"][:, 3] > 0)

    def parts(
        self, points: Floats, options: RenderOptions, selection: Selection, islands: NDArray[np.float64] | None
    ) -> list[DrawList]:
        """The flexes where their vertices are (nflexvert, 3) [m]; islands: the colours of trees (ntree, 3), None: their own."""
        if not self._count or len(points) != self._model.nflexvert:
            return []
        result = []
        for flex in map(int, np.flatnonzero(self.visible(options))):
            part = self.part(flex, points, options, 0)
            if not len(part):
                continue
            if islands is not None and self._tree[flex] >= 0:
                part.instances["rgba"][:, :3], part.texture[:] = islands[self._tree[flex]], -1
            fade(self._model, part, options)
            if selection.body > 0 and selection.body in self._bodies[flex]:
                part.instances["extra"][:, 1] = float(self._model.vis.global_.glow)
            result.append(part)
        return result

    def ghosts(self, points: Floats, ghosts: tuple[Ghost, ...], options: RenderOptions) -> list[DrawList]:
        """The flexes where each ghost has them, but for those that are where the model's are."""
        result, here = [], points
        extent = float(self._model.stat.extent)
        for number, ghost in enumerate(ghosts):
            if len(ghost.flexvert_xpos) != self._model.nflexvert or len(here) != self._model.nflexvert:
                continue
            for flex in map(int, np.flatnonzero(self.visible(options))):
                own = self._vertices[flex]
                apart = float(np.abs(ghost.flexvert_xpos[own] - here[own]).max(initial=0.0))
                alpha = ALPHA * min(1.0, apart / (PARTED * extent))
                if not alpha > LEAST_ALPHA:
                    continue
                part = self.part(flex, ghost.flexvert_xpos, options, 1 + number)
                part.instances["rgba"][:, :3], part.instances["rgba"][:, 3] = ghost.rgb, alpha
                part.instances["material"], part.instances["extra"][:, :2], part.texture[:] = MATERIAL, 0.0, -1
                part.category[:], part.objtype[:] = int(Category.DECOR), int(mjtObj.mjOBJ_UNKNOWN)
                result.append(part)
        return result

    def part(self, flex: int, points: Floats, options: RenderOptions, moment: int) -> DrawList:
        """Instances of a flex at these points; moment: 0 for the model's own, 1 on for ghosts'."""
        model = self._model
        radius = float(model.flex_radius[flex])
        kinds = shown_parts(int(model.flex_dim[flex]), radius, options)
        part = self._rows.pick(np.full(len(kinds), flex))
        ball = Sphere(points[self._vertices[flex]], radius)
        part.instances["pos"], part.radius[:] = ball.centre, ball.radius
        for row, kind in enumerate(kinds):
            layer = int(np.clip(options.flex_layer, 0, self._layers - 1)) if kind is MeshId.FLEX_FACES else 0
            part.mesh[row] = int(kind) + (moment * self._layers + layer) * self._count + flex
            if kind in (MeshId.FLEX_EDGES, MeshId.FLEX_VERTICES):
                part.instances["scale"][row], part.texture[row] = (radius, radius, radius, 0.0), -1
        return part
