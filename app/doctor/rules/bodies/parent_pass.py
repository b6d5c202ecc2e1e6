"""Rule parent-pass: parts that pass deep through the part that carries them, which the parent filter does not test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.physics import MjData, MjModel
from tumble.physics.observe.pair_check import excluded_by
from tumble.physics.query.geom_shapes import hull_planes, inside_planes, inside_shape, surface_points

SAMPLES = 9  # positions of a joint over its range
POINTS = 100  # of a geom's surface that are looked at
DEEP = 0.5  # share of the surface of one inside of the other that is deep
CLEAR = 0.25  # ... and that another position of the joint has at most: what always overlaps is a housing
_DIRECT = (int(physics.mjtJoint.mjJNT_HINGE), int(physics.mjtJoint.mjJNT_SLIDE))
_MESH = int(physics.mjtGeom.mjGEOM_MESH)
_NO_CONTACT = int(physics.mjtDisableBit.mjDSBL_CONTACT | physics.mjtDisableBit.mjDSBL_FILTERPARENT)
Array = NDArray[np.float64]


class _Pass(Struct, frozen=True):
    """A joint that takes its body into the body above: joint, geom inside, geom around it, the share of its surface, position."""

    joint: int
    inner: int
    outer: int
    share: float
    position: float


def _examine(case: Examination) -> Iterable[Finding]:
    model = case.model
    if int(model.opt.disableflags) & _NO_CONTACT:
        return
    found = sorted(_passes(model), key=lambda one: -one.share)
    if found:
        texts = [
            f"{case.name(OBJ.mjOBJ_GEOM, one.inner)} in {case.name(OBJ.mjOBJ_GEOM, one.outer)} by {100 * one.share:.0f} % of its "
            f"surface where {case.name(OBJ.mjOBJ_JOINT, one.joint)} is {one.position:.3g}" for one in found
        ]  # fmt: skip
        yield Finding(
            RULE.id, Severity.ADVICE, f"parts that pass through the one that carries them: {listed(texts)}",
            "Parent and child never collide: a narrower range keeps them apart, a <pair> or the flag filterparent makes them "
            "touch.", tuple(at for one in found for at in ((OBJ.mjOBJ_JOINT, one.joint), (OBJ.mjOBJ_GEOM, one.inner),
                                                           (OBJ.mjOBJ_GEOM, one.outer))),
            {"share": found[0].share, "position": found[0].position, "number": len(found)},
        )  # fmt: skip


def _passes(model: MjModel) -> Iterator[_Pass]:
    """The deepest pass of each hinge and slide with limits, of parts whose geoms would collide were it not for the filter.

    Of two parts the shorter can be inside of the other by half, whichever carries it.
    """
    data, weld = MjData(model), np.asarray(model.body_weldid)
    shapes = _Shapes(model)
    for joint in np.flatnonzero(np.isin(model.jnt_type, _DIRECT) & (np.asarray(model.jnt_limited) != 0)).tolist():
        body = int(model.jnt_bodyid[joint])
        above = int(weld[model.body_parentid[body]])
        pairs = [both for pair in _pairs(model, int(weld[body]), above) for both in (pair, pair[::-1])] if above else []
        if not pairs:
            continue
        shares = np.zeros((SAMPLES, len(pairs)))
        low, high = (float(limit) for limit in model.jnt_range[joint])
        positions = np.linspace(low, high, SAMPLES)
        for k, position in enumerate(positions.tolist()):
            data.qpos[int(model.jnt_qposadr[joint])] = position
            physics.mj_kinematics(model, data)
            shares[k] = [shapes.share(data, inner, outer) for inner, outer in pairs]
        data.qpos[int(model.jnt_qposadr[joint])] = model.qpos0[int(model.jnt_qposadr[joint])]
        shares[:, shares.min(axis=0) > CLEAR] = 0.0
        deepest, pair = np.unravel_index(int(np.argmax(shares)), shares.shape)
        if shares[deepest, pair] >= DEEP:
            yield _Pass(joint, *pairs[pair], float(shares[deepest, pair]), float(positions[deepest]))


def _pairs(model: MjModel, child: int, parent: int) -> Iterator[tuple[int, int]]:
    """Geoms of two parts, the child's first, whose masks meet and that no <exclude> or <pair> names."""
    weld = np.asarray(model.body_weldid)[np.asarray(model.geom_bodyid)]
    types, affinities = np.asarray(model.geom_contype), np.asarray(model.geom_conaffinity)
    named = set(map(frozenset, np.stack([model.pair_geom1, model.pair_geom2], axis=-1).tolist()))
    for inner in np.flatnonzero(weld == child).tolist():
        meets = (types & affinities[inner]) | (affinities & types[inner])
        for outer in np.flatnonzero((weld == parent) & (meets != 0)).tolist():
            if excluded_by(model, inner, outer) < 0 and frozenset((inner, outer)) not in named:
                yield inner, outer


class _Shapes:
    """Surfaces and insides of geoms, looked at once each."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._points: dict[int, Array] = {}
        self._hulls: dict[int, tuple[Array, Array]] = {}

    def share(self, data: MjData, inner: int, outer: int) -> float:
        """Share of the surface of a geom that is inside of another one."""
        model = self._model
        offset = np.asarray(data.geom_xpos[inner]) - np.asarray(data.geom_xpos[outer])
        if np.linalg.norm(offset) > float(model.geom_rbound[inner] + model.geom_rbound[outer]):
            return 0.0
        turn, rotation = (np.asarray(data.geom_xmat[g]).reshape(3, 3) for g in (inner, outer))
        inside = self._inside(outer, (self._surface(inner) @ turn.T + offset) @ rotation)
        return float(inside.mean()) if len(inside) else 0.0

    def _surface(self, geom: int) -> Array:
        if geom not in self._points:
            points = surface_points(self._model, geom)
            self._points[geom] = points[:: max(1, len(points) // POINTS)]
        return self._points[geom]

    def _inside(self, geom: int, points: Array) -> NDArray[np.bool_]:
        if int(self._model.geom_type[geom]) != _MESH:
            return inside_shape(self._model, geom, points)
        mesh = int(self._model.geom_dataid[geom])
        if mesh not in self._hulls:
            self._hulls[mesh] = hull_planes(self._model, mesh)
        return inside_planes(points, *self._hulls[mesh])


RULE = DoctorRule(
    "parent-pass", "Parts that pass through the part that carries them",
    "A body and its parent are not tested for contacts, as their geoms overlap at the joint between them. Within the range of "
    "that joint a part may then pass through its parent unnoticed. Found are geoms whose masks meet, of which one is half inside "
    "of the other at some position of the joint, and mostly outside at another.",
    _examine,
)  # fmt: skip
