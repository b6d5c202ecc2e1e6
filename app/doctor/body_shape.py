"""Mass distribution that the geoms of a body would have if they were solid: its volume and radius of gyration.

What is seen and what collides are two models of the same part. Each, and both together, give a volume and a radius of gyration; a
body disagrees with its shape only where it disagrees with all of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.physics.compiler.assets.mesh.raw import MeshProblem
from tumble.physics.compiler.assets.mesh.solid import LEGACY, measure
from tumble.physics.compiler.bodies.geoms import solid_inertia, volume
from tumble.physics.query.geom_shapes import surface_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tumble.physics import MjModel

_MESH = physics.mjtGeom.mjGEOM_MESH
PART = 0.2  # share of the largest volume below which geoms are only a part of the body, as pads on a finger


class SolidShape(Struct, frozen=True):
    """A solid shape.

    volume [m^3]; centre: (3,) in the frame of the body, or of the geom [m]; square: of the radius of gyration about the centre,
    half the trace of the inertia for one unit of mass [m^2].
    """

    volume: float
    centre: NDArray[np.float64]
    square: float


class BodyShapes:
    """Solids of the bodies of a model; meshes are measured once each."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._meshes: dict[int, SolidShape | None] = {}

    @cached_property
    def _collides(self) -> NDArray[np.bool_]:
        return colliding(self._model)

    def of_body(self, body: int) -> list[SolidShape]:
        """Solids of all geoms of a body, of those that collide and of those that do not; [] where one geom has no volume.

        Without those that are only a part of the body.
        """
        first, number = int(self._model.body_geomadr[body]), int(self._model.body_geomnum[body])
        geoms = tuple(range(first, first + number))
        parts = {geom: self._of_geom(geom) for geom in geoms}
        if not geoms or None in parts.values():
            return []
        touching, seen = (tuple(g for g in geoms if self._collides[g] == collides) for collides in (True, False))
        groups = dict.fromkeys((geoms, touching, seen))
        solids = [_union([part for g in group if (part := parts[g]) is not None]) for group in groups if group]
        return [solid for solid in solids if solid.volume >= PART * max(each.volume for each in solids)]

    def _of_geom(self, geom: int) -> SolidShape | None:
        """A geom in the frame of its body; None for planes, height fields, signed distance fields and what has no volume."""
        model, kind = self._model, physics.mjtGeom(int(self._model.geom_type[geom]))
        if kind == _MESH:
            solid = self._of_mesh(int(model.geom_dataid[geom]))
        else:
            a, b, c = (float(x) for x in model.geom_size[geom])
            amount = volume(kind, (a, b, c))
            solid = SolidShape(amount, np.zeros(3), sum(solid_inertia(kind, (a, b, c))) / 2) if amount > 0 else None
        if solid is None:
            return None
        centre = np.zeros(3)
        physics.mju_rotVecQuat(centre, solid.centre, np.asarray(model.geom_quat[geom]))
        return SolidShape(solid.volume, centre + np.asarray(model.geom_pos[geom]), solid.square)

    def _of_mesh(self, mesh: int) -> SolidShape | None:
        if mesh not in self._meshes:
            try:
                enclosed = measure(*surface_of(self._model, mesh), LEGACY)
            except MeshProblem:
                self._meshes[mesh] = None
            else:
                square = sum(enclosed.inertia[:3]) / (2 * enclosed.amount)
                self._meshes[mesh] = SolidShape(enclosed.amount, np.array(enclosed.centre), square)
        return self._meshes[mesh]


def _union(parts: Sequence[SolidShape]) -> SolidShape:
    """Several solids of one density as one."""
    volumes = np.array([part.volume for part in parts])
    centres = np.array([part.centre for part in parts])
    total = float(volumes.sum())
    centre = volumes @ centres / total
    squares = np.array([part.square for part in parts]) + ((centres - centre) ** 2).sum(axis=1)
    return SolidShape(total, centre, float(volumes @ squares) / total)


def gyration(model: MjModel, body: int) -> float:
    """Radius of gyration of a body with mass about its centre: of half the trace of its inertia [m]."""
    return float(np.sqrt(np.sum(model.body_inertia[body]) / (2 * float(model.body_mass[body]))))


def jointed(model: MjModel) -> Iterator[int]:
    """Bodies that have joints of their own."""
    yield from np.flatnonzero(np.asarray(model.body_dofnum)).tolist()


def colliding(model: MjModel) -> NDArray[np.bool_]:
    """(ngeom,) mask of the geoms that can collide: by a bit of their masks or in a <pair>."""
    collides = (np.asarray(model.geom_contype) != 0) | (np.asarray(model.geom_conaffinity) != 0)
    for named in (model.pair_geom1, model.pair_geom2):
        collides[np.asarray(named)] = True
    return collides


def box_around(model: MjModel, geoms: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lowest and highest corner (3,) of the box around some geoms of a body, along the axes of its frame [m]."""
    lows, highs = [], []
    for geom in geoms:
        turn = np.zeros(9)
        physics.mju_quat2Mat(turn, np.asarray(model.geom_quat[geom], float))
        rotation, box = turn.reshape(3, 3), np.asarray(model.geom_aabb[geom], float)
        middle, half = np.asarray(model.geom_pos[geom]) + rotation @ box[:3], np.abs(rotation) @ box[3:]
        lows.append(middle - half)
        highs.append(middle + half)
    return np.min(lows, axis=0), np.max(highs, axis=0)
