"""Forces of the surrounding medium: which bodies it acts on, and by which of the two models.

Source: MuJoCo documentation, Computation, Fluid forces.
"""

from tumble.physics.dynamics.fluid.box import box_drag
from tumble.physics.dynamics.fluid.ellipsoid import ellipsoid_forces
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL


@stage
def fluid(m, d):
    """Reads cvel, x*, geom_x*; writes qfrc_fluid."""
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            d.qfrc_fluid[i] = 0.0
    for k in range(1, d.nbody_awake):
        b = d.body_awake_ind[k]
        if m.body_mass[b] >= mjMINVAL:
            if has_ellipsoids(m, b):
                for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
                    if m.geom_fluid[g, 0] != 0.0:
                        ellipsoid_forces(m, d, b, g)
            else:
                box_drag(m, d, b)


@kernel
def has_ellipsoids(m, b):
    """True if a geom of body b is an ellipsoid for the medium: the box of the body's inertia is then left out."""
    found = False
    for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
        found = found or m.geom_fluid[g, 0] > 0.0
    return found
