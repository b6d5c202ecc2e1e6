"""Stages that collide a model's flexes; imported only for a model with flexes."""

from __future__ import annotations

from tumble.physics.collision.flex import convex, primitive
from tumble.physics.collision.flex.flex_table import ELEMENTS, FLEXES, GEOMS, PAIRS, SEGMENTS
from tumble.physics.collision.flex.flexes import flex_flexes
from tumble.physics.collision.flex.geom_flex import flex_geoms
from tumble.physics.collision.pairs import hfield
from tumble.physics.kernel import Stage
from tumble.physics.state.enums import mjtDisableBit, mjtGeom
from tumble.physics.state.model import Model

_SPHERE, _CAPSULE, _ELLIPSOID = int(mjtGeom.mjGEOM_SPHERE), int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_ELLIPSOID)
_CYLINDER, _BOX, _MESH = int(mjtGeom.mjGEOM_CYLINDER), int(mjtGeom.mjGEOM_BOX), int(mjtGeom.mjGEOM_MESH)
_HFIELD, _SDF = int(mjtGeom.mjGEOM_HFIELD), int(mjtGeom.mjGEOM_SDF)

# Types with elements of flexes of each dimension; of a plane the vertices touch, and it has no element's stage.
ELEMENT_COLLIDERS: dict[tuple[int, int], Stage] = {
    (_SPHERE, 1): primitive.sphere_segment,
    (_CAPSULE, 1): primitive.capsule_segment,
    (_BOX, 1): primitive.box_segment,
    (_SPHERE, 2): primitive.sphere_triangle,
    (_CAPSULE, 2): primitive.capsule_triangle,
    (_BOX, 2): primitive.box_triangle,
    **{(kind, 3): convex.convex_element for kind in (_SPHERE, _CAPSULE, _BOX)},
    **{(kind, dim): convex.convex_element for kind in (_ELLIPSOID, _CYLINDER, _MESH, _SDF) for dim in (1, 2, 3)},
    **{(_HFIELD, dim): hfield.hfield_convex for dim in (1, 2, 3)},
}

# What takes their place if the flag nativeccd is disabled.
LEGACY: dict[Stage, Stage] = {
    convex.convex_element: convex.portal_element,
    hfield.hfield_convex: hfield.hfield_portal,
}


def soft_stages(m: Model) -> dict[int, Stage]:
    """The stages that the model's flexes need, by their places in collide_fn."""
    found: dict[int, Stage] = {GEOMS: flex_geoms, FLEXES: flex_flexes}
    dims, types = {int(dim) for dim in m.flex_dim}, {int(kind) for kind in m.geom_type}
    for (kind, dim), stage in ELEMENT_COLLIDERS.items():
        if kind in types and dim in dims:
            found[ELEMENTS + 3 * kind + dim - 1] = _present(m, stage)
    touching = m.nflex > 1 or any(m.flex_selfcollide)
    if touching and 1 in dims:
        found[SEGMENTS] = convex.segment_segment
    if touching and dims != {1}:
        found[PAIRS] = _present(m, convex.convex_element)
    return found


def _present(m: Model, stage: Stage) -> Stage:
    """A narrow phase, or what takes its place with the present flags."""
    return LEGACY.get(stage, stage) if m.opt_disableflags & mjtDisableBit.mjDSBL_NATIVECCD else stage
