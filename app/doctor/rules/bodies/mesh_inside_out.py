"""Rule mesh-inside-out: meshes whose triangles face inward."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Severity, listed
from tumble.physics.query.geom_shapes import Facing, facing, is_closed, surface_of, triangles_of

_SOLID = (int(physics.mjtGeom.mjGEOM_MESH), int(physics.mjtGeom.mjGEOM_SDF))
FLAT = 1e-3  # share of its box below which what a mesh encloses is too little to have an inside
INWARD = -0.5  # how much a mesh with holes has to face inward
MORE = 1.1  # times the volume that its mass counts from which a mesh is too heavy


def _examine(case: Examination) -> Iterable[Finding]:
    """One finding for all meshes that are seen or collide on something that moves, or collide."""
    model = case.model
    geoms: dict[int, list[int]] = {}
    for g in np.flatnonzero(np.isin(model.geom_type, _SOLID)).tolist():
        collides = bool(model.geom_contype[g] or model.geom_conaffinity[g])
        if collides or int(model.body_weldid[model.geom_bodyid[g]]):  # a dome that is looked at from inside faces inward
            geoms.setdefault(int(model.geom_dataid[g]), []).append(g)
    shapes = [(mesh, own, facing(*surface_of(model, mesh))) for mesh, own in geoms.items()]
    found = [each for each in shapes if _inside_out(each[2], case, each[0])]
    if not found:
        return
    names = [f"{case.name(OBJ.mjOBJ_MESH, mesh)} ({shape.volume:.3g} m^3)" for mesh, _, shape in found]
    heavy = [f"{case.name(OBJ.mjOBJ_MESH, mesh)} {shape.unsigned / -shape.volume:.3g} times"
             for mesh, own, shape in found if _weighs(case, own) and shape.unsigned > -MORE * shape.volume]  # fmt: skip
    effect = 'They are lit as from inside, rays report normals that point inward, and inertia="exact" refuses them.'
    if heavy:
        effect += (
            f" Their mass is that of more than they enclose, as pyramids from the middle count without sign: {listed(heavy)}."
        )
    volumes = {case.name(OBJ.mjOBJ_MESH, mesh): shape.volume for mesh, _, shape in found}
    yield Finding(
        RULE.id, Severity.WARNING if heavy else Severity.ADVICE, f"meshes whose faces look inward: {listed(names)}", effect,
        (*((OBJ.mjOBJ_GEOM, g) for _, own, _ in found for g in own), *((OBJ.mjOBJ_MESH, mesh) for mesh, *_ in found)),
        {"volume": volumes, "number": len(found)},
        ModelChange(
            case.path_of((OBJ.mjOBJ_MESH, found[0][0]), "face"), "clockwise from outside", "counter-clockwise from outside",
            "turn the faces around in the program that made the mesh, or swap two corners of each",
        ),
    )  # fmt: skip


def _inside_out(shape: Facing, case: Examination, mesh: int) -> bool:
    first, count = int(case.model.mesh_vertadr[mesh]), int(case.model.mesh_vertnum[mesh])
    box = float(np.prod(np.ptp(np.asarray(case.model.mesh_vert[first : first + count], float), axis=0)))
    if shape.unsigned <= FLAT * box or shape.volume >= -FLAT * box:
        return False
    return shape.outward < INWARD or is_closed(triangles_of(case.model, mesh))


def _weighs(case: Examination, geoms: list[int]) -> bool:
    """True if the mass of a body comes from the mesh of one of the geoms, as the compiler does it by default."""
    if case.draft is None:
        return False
    own = [case.draft.geoms[g] for g in geoms if g < len(case.draft.geoms)]
    return any(g.mass > 0 and g.body.inertial is None and g.mesh is not None and g.mesh.element.get("inertia") == "legacy"
               for g in own)  # fmt: skip


RULE = DoctorRule(
    "mesh-inside-out", "Meshes that face inward",
    "A triangle faces the side from which its corners go counter-clockwise. The pyramids from a point to the triangles of "
    "a closed mesh add up to its volume, with a negative sign where it faces inward; of a mesh with holes the sum from "
    "its middle tells which way most of it faces. `inertia=\"legacy\"`, the default, counts all pyramids as positive: a "
    "mesh that faces inward has a mass all the same, but one with hollows more than it should.",
    _examine,
)  # fmt: skip
