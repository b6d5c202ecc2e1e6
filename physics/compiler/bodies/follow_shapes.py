"""Numbers that follow from shape and place of geoms in a model that runs: bounds, trees, virtual masses, identical frames.

Not masses: the model does not know which of them were inferred from geoms. They follow when it is compiled again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tumble.physics.compiler.assets.hfield import bounds_of, box_of, radius_of
from tumble.physics.compiler.bodies.geoms import bounding_box, bounding_radius
from tumble.physics.compiler.bodies.shapes import added_mass
from tumble.physics.compiler.hierarchies import refit_geom_trees
from tumble.physics.dynamics.fluid.ellipsoid import semi_axes
from tumble.physics.state.enums import mjtGeom, mjtSameFrame
from tumble.physics.state.model import Model

_HFIELD = int(mjtGeom.mjGEOM_HFIELD)
_OF_MESH = (int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_SDF))


def follow_shapes(m: Model, geoms: Iterable[int], *, moved: bool) -> None:
    """Update what follows from the size of some geoms, or where they were moved from their position and orientation."""
    changed = np.unique(np.fromiter(geoms, np.int64))
    for g in changed.tolist():
        kind = mjtGeom(int(m.geom_type[g]))
        x, y, z = (float(v) for v in m.geom_size[g])
        if moved:
            m.geom_sameframe[g] = mjtSameFrame.mjSAMEFRAME_NONE  # if it is still the same, so are the results
        if m.geom_fluid[g, 0]:
            m.geom_fluid[g, 6:] = added_mass(semi_axes(kind, (x, y, z)))
        if kind not in _OF_MESH and kind != _HFIELD:
            m.geom_rbound[g], m.geom_aabb[g] = bounding_radius(kind, (x, y, z)), bounding_box(kind, (x, y, z))
        elif kind in _OF_MESH:
            m.geom_rbound[g] = math.hypot(x, y, z)
    refit_geom_trees(m, np.unique(m.geom_bodyid[changed]).tolist())


def follow_heights(m: Model) -> None:
    """Update the geoms of height fields, whose sizes or samples have changed."""
    geoms = np.flatnonzero((m.geom_type == _HFIELD) & (m.geom_dataid >= 0))
    for g in geoms.tolist():
        x, y, top, base = (float(v) for v in m.hfield_size[m.geom_dataid[g]])
        size = x, y, top, base
        m.geom_size[g], m.geom_rbound[g], m.geom_aabb[g] = box_of(size), radius_of(size), bounds_of(size)
    refit_geom_trees(m, np.unique(m.geom_bodyid[geoms]).tolist())
