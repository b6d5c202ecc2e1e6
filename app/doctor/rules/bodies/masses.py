"""Rules mass-ratio, density-impossible, inertia-default: masses that no body has or no file states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.app.doctor.rules.bodies.inertias import extents
from tumble.physics.state.constants import mjMINVAL

RATIO = 1e4  # of the mass that hangs on a body to its own
DENSEST = 3e4  # [kg/m^3]
AIR = 1.3  # [kg/m^3]
STRONG = 100.0  # gravity of a model whose lengths are not in metres: 981 cm/s^2
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


def _density_impossible(case: Examination) -> Iterable[Finding]:
    yield from _dense(case)
    if float(np.linalg.norm(case.model.opt.gravity)) < STRONG:
        yield from _light(case)


def _dense(case: Examination) -> Iterable[Finding]:
    """Bodies that are denser than any material even if they fill the boxes around their geoms.

    Where the inertia reaches beyond the geoms, those are stand-ins smaller than the body: nothing follows from their volume.
    """
    model, found = case.model, []
    for extent in extents(model):
        b, first = extent.body, int(model.body_geomadr[extent.body])
        boxes = np.asarray(model.geom_aabb)[first : first + int(model.body_geomnum[b]), 3:]
        volume = float(8 * boxes.prod(axis=1).sum())
        if extent.gyration <= extent.reach and float(model.body_mass[b]) > DENSEST * volume > 0:
            found.append((float(model.body_mass[b]) / volume, b))
    if found:
        found.sort(reverse=True)
        yield _density(case, found, Severity.ADVICE, "denser than any material", "Their mass or the size of their geoms is")


def _light(case: Examination) -> Iterable[Finding]:
    """Bodies lighter than the air in the smaller of the shapes that are seen and that collide."""
    model, found = case.model, []
    for extent in extents(model):
        mass = float(model.body_mass[extent.body])
        volume = min((solid.volume for solid in case.shapes.of_body(extent.body)), default=0.0)
        if mass < AIR * volume:
            found.append((mass / volume, extent.body))
    if found:
        found.sort()
        effect = "Contacts throw them about and solvers converge slowly: their mass or the size of their geoms is"
        yield _density(case, found, Severity.WARNING, "lighter than air", effect)


def _density(case: Examination, found: Sequence[tuple[float, int]], severity: Severity, what: str, effect: str) -> Finding:
    """A finding about bodies, each with its density [kg/m^3]."""
    mass = case.model.body_mass
    texts = [f"{case.name(OBJ.mjOBJ_BODY, b)} ({float(mass[b]):.3g} kg, {dense:.2g} kg/m^3)" for dense, b in found]
    return Finding(
        DENSITY.id, severity, f"bodies {what}: {listed(texts)}", f"{effect} likely in other units.",
        tuple((OBJ.mjOBJ_BODY, b) for _, b in found), {"density": found[0][0], "number": len(found)},
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
DENSITY = DoctorRule(
    "density-impossible", "Bodies that are denser than any material, or lighter than air",
    "The densest element, osmium, has 22 600 kg/m^3; the volume of a body is at most that of the boxes around its geoms. Air has "
    "1.2 kg/m^3: even a body of foam weighs ten times more than the air in its place.",
    _density_impossible,
)  # fmt: skip
DEFAULT = DoctorRule(
    "inertia-default", "Mass that the file does not state",
    "Without <inertial> a body has the mass of its geoms, each of its volume times its density, 1000 kg/m^3 where none is "
    "given, whether it collides or is only seen.",
    _inertia_default,
)  # fmt: skip
