"""The stage that follows the poses of bodies: where flexes are, and how long their edges."""

from tumble.physics.dynamics.flex.boxes import bound_elements, bound_volumes
from tumble.physics.dynamics.flex.edges import holds_strains, measure_edges
from tumble.physics.dynamics.flex.strain import measure_strain
from tumble.physics.dynamics.flex.vertices import place_vertices
from tumble.physics.kernel import stage


@stage
def flex_shape(m, d):
    """Reads xpos, xmat, cdof, subtree_com; writes flexvert_..., flexelem_aabb, flexedge_length, flexedge_J, bvh_aabb_dyn."""
    for f in range(m.nflex):
        place_vertices(m, d, f)
        bound_elements(m, d, f)
        bound_volumes(m, d, f)
        if not m.flex_rigid[f] and m.flex_interp[f] == 0:
            measure_edges(m, d, f)
            if holds_strains(m, f):
                measure_strain(m, d, f)
