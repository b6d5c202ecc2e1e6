"""Rule collision-apart: bodies that collide elsewhere than they are seen."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from tumble.app.doctor.body_shape import box_around, colliding
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.physics import MjModel

FAR = 0.75  # distance of the middles in diagonals of the larger box; of real robots that have an offset it is up to 0.71


class _Apart(Struct, frozen=True):
    """A geom that collides, its body, and its distance from what is seen of that [m]."""

    body: int
    geom: int
    distance: float


def _examine(case: Examination) -> Iterable[Finding]:
    found = sorted(_apart(case.model), key=lambda one: -one.distance)
    if found:
        texts = [f"{case.name(OBJ.mjOBJ_GEOM, one.geom)} of {case.name(OBJ.mjOBJ_BODY, one.body)} by {one.distance:.3g} m" for one in found]
        yield Finding(
            RULE.id, Severity.WARNING, f"bodies collide where they are not seen: {listed(texts)}",
            "They touch what they do not reach, and pass through what they are in.",
            tuple(dict.fromkeys(at for one in found for at in ((OBJ.mjOBJ_BODY, one.body), (OBJ.mjOBJ_GEOM, one.geom)))),
            {"distance": found[0].distance, "number": len(found)},
        )  # fmt: skip


def _apart(model: MjModel) -> Iterable[_Apart]:
    """Geoms of bodies that move whose box lies far from the one around what is seen of the body."""
    collides = colliding(model)
    for body in np.flatnonzero(np.asarray(model.body_weldid) != 0).tolist():
        first, number = int(model.body_geomadr[body]), int(model.body_geomnum[body])
        own = np.arange(first, first + number)
        touching, seen = own[collides[own]].tolist(), own[~collides[own]].tolist()
        if not touching or not seen or not (np.asarray(model.geom_rbound)[own] > 0).all():
            continue
        low, high = box_around(model, seen)
        for geom in touching:
            bottom, top = box_around(model, [geom])
            distance = float(np.linalg.norm(low + high - bottom - top)) / 2
            overlaps = bool(((low < top) & (bottom < high)).all())
            if not overlaps and distance > FAR * max(float(np.linalg.norm(size)) for size in (high - low, top - bottom)):
                yield _Apart(body, geom, distance)


RULE = DoctorRule(
    "collision-apart", "Bodies that collide elsewhere than they are seen",
    "What is seen and what collides are two models of the same part: they lie at the same place. Found is what collides "
    "where its box does not overlap the one around what is seen, and their middles are farther apart than three quarters of the "
    "larger one's diagonal.",
    _examine,
)  # fmt: skip
