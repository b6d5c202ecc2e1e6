"""Rules inertia-impossible and inertia-shape: inertias that no body has, or none of this shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble.app.doctor.body_shape import box_around, gyration
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.contact_change import written
from tumble.app.doctor.finding import Finding, ModelChange, Severity, listed
from tumble.app.simulation.changes import Change
from tumble.physics.state.constants import mjMINVAL

if TYPE_CHECKING:
    from tumble.physics import MjModel

POINT = 5e-3  # radius of gyration of next to a point, in distances of the farthest point of the body's geoms
ROOM = 2.0  # by which a radius of gyration may exceed the farthest point of the body's geoms
OUTSIDE = 0.5  # distance of a centre of mass from the box around the body's geoms, in diagonals of the box
SMALLEST, LARGEST = 0.15, 6.0  # inertia over that of the shape: of real robots that are right it is 0.26 to 5.3
DIGITS = 4  # significant, of an inertia that is proposed


class Extent(Struct, frozen=True):
    """A jointed body with mass: its largest radius of gyration, and the farthest point of its geoms from its centre [m]."""

    body: int
    gyration: float
    reach: float

    @property
    def is_beyond(self) -> bool:
        """True if the body turns as if its mass were outside of its geoms."""
        return self.gyration > ROOM * self.reach

    @property
    def is_point(self) -> bool:
        """True if the body turns as if its mass were in a point."""
        return self.gyration < POINT * self.reach


def extents(model: MjModel) -> Iterable[Extent]:
    """Extents of jointed bodies with geoms of finite size."""
    for b in range(1, model.nbody):
        first, number = int(model.body_geomadr[b]), int(model.body_geomnum[b])
        mass, inertia = float(model.body_mass[b]), float(np.max(model.body_inertia[b]))
        if not number or mass <= mjMINVAL or not int(model.body_dofnum[b]):
            continue
        geoms = range(first, first + number)
        if any(float(model.geom_rbound[g]) <= 0 for g in geoms):
            continue  # a plane has no farthest point
        centre = np.asarray(model.body_ipos[b])
        reach = max(float(np.linalg.norm(np.asarray(model.geom_pos[g]) - centre)) + float(model.geom_rbound[g]) for g in geoms)
        yield Extent(b, float(np.sqrt(inertia / mass)), reach)


def _inertia_impossible(case: Examination) -> Iterable[Finding]:
    """Inertias larger than those of the same mass at the farthest point of the body's geoms, those of next to a point, and
    centres of mass far from the geoms.
    """
    bodies = list(extents(case.model))
    beyond = sorted((e for e in bodies if e.is_beyond), key=lambda e: e.reach / e.gyration)
    if beyond:
        yield _gyration(
            case, beyond, "radii of gyration beyond the body's geoms",
            "They turn as if their mass were outside of them: the inertia is likely in other units, or of another body.",
        )  # fmt: skip
    points = sorted((e for e in bodies if e.is_point), key=lambda e: e.gyration / e.reach)
    if points:
        yield _gyration(
            case, points, "radii of gyration of next to nothing",
            "They turn as if their mass were in a point: the inertia is likely in other units.",
        )  # fmt: skip


    yield from _outside(case)


def _outside(case: Examination) -> Iterable[Finding]:
    model, found = case.model, []
    for extent in extents(model):
        first = int(model.body_geomadr[extent.body])
        low, high = box_around(model, range(first, first + int(model.body_geomnum[extent.body])))
        centre = np.asarray(model.body_ipos[extent.body])
        away = float(np.linalg.norm(centre - np.clip(centre, low, high)))
        if away > OUTSIDE * float(np.linalg.norm(high - low)):
            found.append((away, extent.body))
    if found:
        found.sort(reverse=True)
        texts = [f"{case.name(OBJ.mjOBJ_BODY, b)} by {away:.3g} m" for away, b in found]
        yield Finding(
            IMPOSSIBLE.id, Severity.WARNING, f"centres of mass outside of the body's geoms: {listed(texts)}",
            "They swing as if their mass hung elsewhere: the place is likely in other units, or in another frame.",
            tuple((OBJ.mjOBJ_BODY, b) for _, b in found), {"away": found[0][0], "number": len(found)},
        )  # fmt: skip


def _gyration(case: Examination, bodies: Sequence[Extent], what: str, effect: str) -> Finding:
    texts = [f"{case.name(OBJ.mjOBJ_BODY, e.body)} ({e.gyration:.3g} m, geoms end at {e.reach:.3g} m)" for e in bodies]
    first = bodies[0]
    return Finding(
        IMPOSSIBLE.id, Severity.WARNING, f"{what}: {listed(texts)}", effect,
        tuple((OBJ.mjOBJ_BODY, e.body) for e in bodies),
        {"gyration": first.gyration, "reach": first.reach, "number": len(bodies)},
    )  # fmt: skip


class _Misfit(Struct, frozen=True):
    """A body whose inertia is not that of its shape: its inertia over that of a solid of its shape and mass."""

    body: int
    ratio: float


def _inertia_shape(case: Examination) -> Iterable[Finding]:
    """Stated inertias far from those of a solid of the same mass and shape, other than impossible ones."""
    model, misfits = case.model, []
    for extent in extents(model):
        if not extent.is_beyond and not extent.is_point:
            square = gyration(model, extent.body) ** 2
            ratios = [square / solid.square for solid in case.shapes.of_body(extent.body) if solid.square > 0]
            if ratios and not any(SMALLEST <= ratio <= LARGEST for ratio in ratios) and _is_stated(case, extent.body):
                misfits.append(_Misfit(extent.body, min(ratios, key=lambda ratio: max(ratio, 1 / ratio))))
    small = sorted((one for one in misfits if one.ratio < 1), key=lambda one: one.ratio)
    if small:
        yield _misfit(case, small, "smaller", "They turn more easily than they should: joints that move them swing and shake.")
    large = sorted((one for one in misfits if one.ratio > 1), key=lambda one: -one.ratio)
    if large:
        yield _misfit(case, large, "larger", "They turn as if they were heavier than they are: slower, and harder to stop.")


def _is_stated(case: Examination, body: int) -> bool:
    """False for an inertia that follows from the geoms, by masses that the file gives each of them."""
    return case.draft is None or body >= len(case.draft.bodies) or case.draft.bodies[body].inertial is not None


def _misfit(case: Examination, misfits: Sequence[_Misfit], what: str, effect: str) -> Finding:
    model, first = case.model, misfits[0]
    texts = [f"{case.name(OBJ.mjOBJ_BODY, one.body)} ({max(one.ratio, 1 / one.ratio):.3g} times {what})" for one in misfits]
    at = OBJ.mjOBJ_BODY, first.body
    before = [float(x) for x in model.body_inertia[first.body]]
    changes = tuple(_as_shape(model, one) for one in misfits)
    return Finding(
        SHAPE.id, Severity.WARNING, f"inertias {what} than a solid of the body's mass and shape has: {listed(texts)}", effect,
        tuple((OBJ.mjOBJ_BODY, one.body) for one in misfits),
        {"ratio": first.ratio, "mass": float(model.body_mass[first.body]), "number": len(misfits)},
        ModelChange(
            case.path_of(at, "inertia"), written(before), written(changes[0].value), "that of a solid of its shape", changes
        ),
    )  # fmt: skip


def _as_shape(model: MjModel, one: _Misfit) -> Change:
    numbers = tuple(float(f"{float(x) / one.ratio:.{DIGITS}g}") for x in model.body_inertia[one.body])
    return Change("body_inertia", one.body, numbers)


IMPOSSIBLE = DoctorRule(
    "inertia-impossible", "Inertias that no body of this shape has",
    "A moment of inertia is at most the mass times the square of the distance of its farthest part from the axis. It is next to "
    "nothing only where all mass is in a point, and the centre of mass lies among the parts.",
    _inertia_impossible,
)  # fmt: skip
SHAPE = DoctorRule(
    "inertia-shape", "Inertias that are not those of the body's shape",
    "A solid of the body's mass that fills its geoms has an inertia of mass times the square of its radius of gyration. Real "
    "parts are hollow here and heavy there: of the robots in the corpora nine of ten have 0.4 to 4 times that inertia. Six times "
    "more, or less than a seventh, comes from other units, a lost digit or another body. Geoms that are seen and geoms that "
    "collide are compared apart and together: a body is right if one of the three fits.",
    _inertia_shape,
)  # fmt: skip
