"""Rules mass-ratio, inertia-impossible, density-impossible, inertia-default: masses that no body has or no file states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.physics.state.constants import mjMINVAL

if TYPE_CHECKING:
    from tumble.physics import MjModel

RATIO = 1e4  # of the mass that hangs on a body to its own
POINT = 5e-3  # radius of gyration of next to a point, in distances of the farthest point of the body's geoms
DENSEST = 3e4  # [kg/m^3]
ROOM = 2.0  # by which a radius of gyration may exceed the farthest point of the body's geoms
ALIKE = 0.4  # ratio of the masses of what is seen and what collides from which both are the same part
WATER = 1000.0  # default density [kg/m^3]


def _mass_ratio(case: Examination) -> Iterable[Finding]:
    """Light bodies between joints that carry heavy ones: without armature their dofs have next to no inertia of their own."""
    model = case.model
    mass, subtree = np.asarray(model.body_mass), np.asarray(model.body_subtreemass)
    jointed = np.flatnonzero(model.body_dofnum)
    carried = np.bincount(np.asarray(model.body_parentid)[jointed], subtree[jointed], model.nbody)
    for b in range(1, model.nbody):
        dofs = range(int(model.body_dofadr[b]), int(model.body_dofadr[b]) + int(model.body_dofnum[b]))
        hung = float(carried[b])
        if not dofs or mass[b] <= mjMINVAL or hung < RATIO * mass[b] or all(float(model.dof_armature[i]) > 0 for i in dofs):
            continue
        yield Finding(
            MASS_RATIO.id, Severity.WARNING,
            f"body {case.name(OBJ.mjOBJ_BODY, b)} of {float(mass[b]):.3g} kg carries {hung:.3g} kg on joints of its own",
            "The matrix of inertia is ill conditioned: iterative solvers converge slowly and small forces give large "
            "accelerations.",
            ((OBJ.mjOBJ_BODY, b),), {"mass": float(mass[b]), "carried": hung, "ratio": hung / float(mass[b])},
        )  # fmt: skip


class _Extent(Struct, frozen=True):
    """A jointed body with mass: its largest radius of gyration, and the farthest point of its geoms from its centre [m]."""

    body: int
    gyration: float
    reach: float


def _extents(model: MjModel) -> Iterable[_Extent]:
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
        yield _Extent(b, float(np.sqrt(inertia / mass)), reach)


def _inertia_impossible(case: Examination) -> Iterable[Finding]:
    """Inertias larger than those of the same mass at the farthest point of the body's geoms, and those of next to a point."""
    extents = list(_extents(case.model))
    beyond = sorted((e for e in extents if e.gyration > ROOM * e.reach), key=lambda e: e.reach / e.gyration)
    if beyond:
        yield _gyration(
            case, beyond, "radii of gyration beyond the body's geoms",
            "They turn as if their mass were outside of them: the inertia is likely in other units, or of another body.",
        )  # fmt: skip
    points = sorted((e for e in extents if e.gyration < POINT * e.reach), key=lambda e: e.gyration / e.reach)
    if points:
        yield _gyration(
            case, points, "radii of gyration of next to nothing",
            "They turn as if their mass were in a point: the inertia is likely in other units.",
        )  # fmt: skip


def _gyration(case: Examination, extents: Sequence[_Extent], what: str, effect: str) -> Finding:
    texts = [f"{case.name(OBJ.mjOBJ_BODY, e.body)} ({e.gyration:.3g} m, geoms end at {e.reach:.3g} m)" for e in extents]
    first = extents[0]
    return Finding(
        IMPOSSIBLE.id, Severity.WARNING, f"{what}: {listed(texts)}", effect,
        tuple((OBJ.mjOBJ_BODY, e.body) for e in extents),
        {"gyration": first.gyration, "reach": first.reach, "number": len(extents)},
    )  # fmt: skip


def _density_impossible(case: Examination) -> Iterable[Finding]:
    """Bodies that are denser than any material even if they fill the boxes around their geoms.

    Where the inertia reaches beyond the geoms, those are stand-ins smaller than the body: nothing follows from their volume.
    """
    model, found = case.model, []
    for extent in _extents(model):
        b, first = extent.body, int(model.body_geomadr[extent.body])
        boxes = np.asarray(model.geom_aabb)[first : first + int(model.body_geomnum[b]), 3:]
        volume = float(8 * boxes.prod(axis=1).sum())
        if extent.gyration <= extent.reach and float(model.body_mass[b]) > DENSEST * volume > 0:
            found.append((float(model.body_mass[b]) / volume, b))
    if found:
        found.sort(reverse=True)
        texts = [f"{case.name(OBJ.mjOBJ_BODY, b)} ({float(model.body_mass[b]):.3g} kg, {dense:.2g} kg/m^3)" for dense, b in found]
        yield Finding(
            DENSITY.id, Severity.ADVICE, f"bodies denser than any material: {listed(texts)}",
            "Their mass or the size of their geoms is likely in other units.", tuple((OBJ.mjOBJ_BODY, b) for _, b in found),
            {"density": found[0][0], "number": len(found)},
        )  # fmt: skip


def _inertia_default(case: Examination) -> Iterable[Finding]:
    """Bodies whose mass counts both what is seen and what collides, each at the density that is the default."""
    if case.draft is None:
        return
    bodies, twice = [], 0.0
    for b, body in enumerate(case.draft.bodies):
        if b == 0 or body.inertial is not None or not case.model.body_dofnum[b]:
            continue
        weighed = [geom for geom in body.geoms if geom.mass > 0]
        seen = [g for g in weighed if not g.element.get("contype") and not g.element.get("conaffinity")]
        if not seen or len(seen) == len(weighed):
            continue
        stated = [g for g in seen if {"mass", "density"} & g.element.given]
        if stated:
            continue
        spare, total = sum(g.mass for g in seen), sum(g.mass for g in weighed)
        if not ALIKE * (total - spare) < spare < (total - spare) / ALIKE:
            continue
        bodies.append((b, f"{case.name(OBJ.mjOBJ_BODY, b)} ({spare:.3g} of {total:.3g} kg)"))
        twice += spare
    if bodies:
        yield Finding(
            DEFAULT.id, Severity.WARNING,
            f"geoms that are only seen weigh as much as those that collide: {listed([text for _, text in bodies])}",
            "Mass is counted twice: give what is only seen mass=\"0\", or the body an <inertial>.",
            tuple((OBJ.mjOBJ_BODY, b) for b, _ in bodies), {"visual": twice, "density": WATER},
        )  # fmt: skip


MASS_RATIO = DoctorRule(
    "mass-ratio", "Light bodies that carry heavy ones",
    "The ratio of masses along a chain bounds the condition of its matrix of inertia. Real drives have rotors, whose inertia "
    "`armature` adds.",
    _mass_ratio,
)  # fmt: skip
IMPOSSIBLE = DoctorRule(
    "inertia-impossible", "Inertias that no body of this shape has",
    "A moment of inertia is at most the mass times the square of the distance of its farthest part from the axis. It is next to "
    "nothing only where all mass is in a point.",
    _inertia_impossible,
)  # fmt: skip
DENSITY = DoctorRule(
    "density-impossible", "Bodies that are denser than any material",
    "The densest element, osmium, has 22 600 kg/m^3. The volume of a body is at most that of the boxes around its geoms.",
    _density_impossible,
)  # fmt: skip
DEFAULT = DoctorRule(
    "inertia-default", "Mass that the file does not state",
    "Without <inertial> a body has the mass of its geoms, each of its volume times its density, 1000 kg/m^3 where none is "
    "given, whether it collides or is only seen.",
    _inertia_default,
)  # fmt: skip
