"""Rules mass-ratio, inertia-impossible and inertia-default: masses and inertias that no body has or no file states."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.physics.state.constants import mjMINVAL

RATIO = 1e4  # of the mass that hangs on a body to its own
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


def _inertia_impossible(case: Examination) -> Iterable[Finding]:
    """Inertias larger than those of the same mass at the farthest point of the body's geoms, from the centre of mass."""
    model, found = case.model, []
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
        gyration = float(np.sqrt(inertia / mass))
        if gyration > ROOM * reach:
            found.append((gyration / reach, gyration, reach, b))
    if found:
        found.sort(reverse=True)
        texts = [f"{case.name(OBJ.mjOBJ_BODY, b)} ({radius:.3g} m, geoms end at {reach:.3g} m)" for _, radius, reach, b in found]
        yield Finding(
            IMPOSSIBLE.id, Severity.WARNING, f"radii of gyration beyond the body's geoms: {listed(texts)}",
            "They turn as if their mass were outside of them: the inertia is likely in other units, or of another body.",
            tuple((OBJ.mjOBJ_BODY, b) for *_, b in found), {"gyration": found[0][1], "reach": found[0][2], "number": len(found)},
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
    "A moment of inertia is at most the mass times the square of the distance of its farthest part from the axis.",
    _inertia_impossible,
)  # fmt: skip
DEFAULT = DoctorRule(
    "inertia-default", "Mass that the file does not state",
    "Without <inertial> a body has the mass of its geoms, each of its volume times its density, 1000 kg/m^3 where none is "
    "given, whether it collides or is only seen.",
    _inertia_default,
)  # fmt: skip
