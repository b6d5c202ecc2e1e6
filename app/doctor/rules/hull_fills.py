"""Rule hull-fills: meshes whose convex hull fills a cavity in which something else touches it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.doctor.case import ENERGY_GROWS, OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Severity, listed
from tumble.physics import MjData, MjModel
from tumble.physics.observe.thickness import DEEP, thickness_of
from tumble.physics.query.geom_shapes import (
    Array,
    distance,
    hull_filling,
    inside_shape,
    is_closed,
    is_inside,
    surface_points,
    triangles_of,
)

_MESH = int(physics.mjtGeom.mjGEOM_MESH)
FILLED = 1.15  # volume of a hull over its mesh's from which a contact may lie in a cavity
MOST = 40  # pairs of geoms that are looked at in one state


class _Phantom(Struct, frozen=True):
    """A contact with a hull where its mesh is not: distance of the contact from the mesh [m]; moment: "at the start"."""

    geom: int
    other: int
    distance: float
    moment: str


class _Meshes:
    """Meshes of a model whose hulls have cavities, looked at once each."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._triangles: dict[int, Array | None] = {}
        self.thickness = thickness_of(model)

    def hollow(self, geom: int) -> Array | None:
        """Triangles of a geom's mesh (n, 3, 3), None for what fills its hull, is no mesh, or is not closed."""
        mesh = int(self._model.geom_dataid[geom])
        if int(self._model.geom_type[geom]) != _MESH:
            return None
        if mesh not in self._triangles:
            triangles = triangles_of(self._model, mesh) if hull_filling(self._model, mesh) > FILLED else None
            self._triangles[mesh] = triangles if triangles is not None and is_closed(triangles) else None
        return self._triangles[mesh]


def _phantoms(case: Examination, meshes: _Meshes, data: MjData, moment: str) -> Iterator[_Phantom]:
    """Contacts of a state that touch a hull farther from its mesh than a tenth of its thickness, the deepest of each pair."""
    deepest: dict[tuple[int, int], int] = {}
    for k in range(int(data.ncon)):
        pair = (int(data.contact_geom[k, 0]), int(data.contact_geom[k, 1]))
        if min(pair) < 0 or int(data.contact_efc_address[k]) < 0 or all(meshes.hollow(g) is None for g in pair):
            continue
        if pair not in deepest or data.contact_dist[k] < data.contact_dist[deepest[pair]]:
            deepest[pair] = k
    for pair, k in list(deepest.items())[:MOST]:
        for geom, other in (pair, pair[::-1]):
            triangles = meshes.hollow(geom)
            if triangles is None:
                continue
            rotation = np.asarray(data.geom_xmat[geom]).reshape(3, 3)
            point = (np.asarray(data.contact_pos[k]) - np.asarray(data.geom_xpos[geom])) @ rotation
            away = distance(triangles, point)
            if away <= DEEP * float(meshes.thickness[geom]) or is_inside(triangles, point):
                continue
            if not _reaches(case.model, data, geom, other, triangles):
                yield _Phantom(geom, other, away, moment)
                break


def _reaches(model: MjModel, data: MjData, geom: int, other: int, triangles: Array) -> bool:
    """True if the other geom is in the mesh itself too: a point of its surface inside, or of the mesh's surface inside of it."""
    rotation = np.asarray(data.geom_xmat[geom]).reshape(3, 3)
    turn = np.asarray(data.geom_xmat[other]).reshape(3, 3)
    offset = np.asarray(data.geom_xpos[other]) - np.asarray(data.geom_xpos[geom])
    points = (surface_points(model, other) @ turn.T + offset) @ rotation
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    near = points[((points > low) & (points < high)).all(axis=1)]
    if any(is_inside(triangles, point) for point in near):
        return True
    points = (surface_points(model, geom) @ rotation.T - offset) @ turn
    if int(model.geom_type[other]) != _MESH:
        return bool(inside_shape(model, other, points).any())
    others = triangles_of(model, int(model.geom_dataid[other]))
    low, high = others.min(axis=(0, 1)), others.max(axis=(0, 1))
    near = points[((points > low) & (points < high)).all(axis=1)]
    return any(is_inside(others, point) for point in near)


def _found(case: Examination) -> Iterator[_Phantom]:
    model, meshes = case.model, _Meshes(case.model)
    if not any(meshes.hollow(g) is not None for g in range(model.ngeom) if model.geom_contype[g] or model.geom_conaffinity[g]):
        return
    yield from _phantoms(case, meshes, case.start, "at the start")
    data = MjData(model)
    for key in range(model.nkey):
        physics.mj_resetDataKeyframe(model, data, key)
        physics.mj_forward(model, data)
        yield from _phantoms(case, meshes, data, f"in keyframe {case.name(OBJ.mjOBJ_KEY, key)}")
    physics.mj_copyData(data, model, case.data)
    physics.mj_forward(model, data)
    yield from _phantoms(case, meshes, data, f"after {float(case.data.time):g} s")


def _examine(case: Examination) -> Iterable[Finding]:
    """One finding for each mesh."""
    model = case.model
    groups: dict[int, dict[tuple[int, int], _Phantom]] = {}
    for phantom in _found(case):
        groups.setdefault(int(model.geom_dataid[phantom.geom]), {}).setdefault((phantom.geom, phantom.other), phantom)
    for mesh, pairs in groups.items():
        worst = max(pairs.values(), key=lambda one: one.distance)
        filling, name = hull_filling(model, mesh), case.name(OBJ.mjOBJ_GEOM, worst.geom)
        others = list(dict.fromkeys(case.name(OBJ.mjOBJ_GEOM, one.other) for one in pairs.values()))
        yield Finding(
            RULE.id, Severity.WARNING,
            f"{name} collides as the convex hull of its mesh, of {filling:.3g} times the volume: {listed(others)} "
            f"touch{'es' * (len(others) == 1)} it {worst.moment} {1e3 * worst.distance:.3g} mm away from the mesh itself",
            "Its cavity is solid: what is in it is pushed out, and what falls on it lies on a lid that is not there.",
            tuple(dict.fromkeys((OBJ.mjOBJ_GEOM, g) for one in (worst, *pairs.values()) for g in (one.geom, one.other))),
            {"hull_to_mesh": filling, "distance": worst.distance, "thickness": float(thickness_of(model)[worst.geom]),
             "pairs": len(pairs)},
            ModelChange(
                case.path_of((OBJ.mjOBJ_GEOM, worst.geom), "mesh"), "one convex hull", "convex parts",
                "it collides as it looks: Decompose… in the Model panel, or tumble decompose, cuts the mesh",
            ),
            (worst.geom, worst.other),
        )  # fmt: skip


RULE = DoctorRule(
    "hull-fills", "Meshes whose hull fills a cavity",
    "A mesh collides as its convex hull, in which its hollows are solid. Found is a contact, at the start, in a keyframe "
    "or at the end of the run, that lies outside of the mesh by more than a tenth of its thickness. The mesh has to be "
    "closed, so that inside and outside are known, and its hull to have 1.15 times its volume. Convex parts collide as "
    "the mesh looks ([decompose](command-line.md#decompose)).",
    _examine,
    explains=ENERGY_GROWS | {"overlap-start", "keyframe-start"},
)  # fmt: skip
