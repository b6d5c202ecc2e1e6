"""The stage that follows the poses of bodies: where flexes are, and how long their edges."""

from physics.dynamics.flex.boxes import bound_elements, bound_volumes
from physics.dynamics.flex.vertices import place_vertices
from physics.kernel import stage


@stage
def flex_shape(m, d):
    """Reads xpos, xmat; writes flexvert_xpos, flexelem_aabb, bvh_aabb_dyn."""
    for f in range(m.nflex):
        place_vertices(m, d, f)
        bound_elements(m, d, f)
        bound_volumes(m, d, f)
