"""A plane against a mesh: the lowest vertex of its hull, and up to two of that vertex's neighbours.

Three points carry what stands on a face of many vertices. Neighbours are found without a search; those near to the lowest
would not tell how it is tilted.

With the flag multiccd four corners of a face that lies on the plane: a brick on three of its four corners has its centre above
the border of what carries it, and rocks from one three to another, which fells a stack.
"""

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.vec3 import add3, add_scaled3, dot3, load3, norm3, scale3, sub3
from tumble.physics.collision.convex.faces import pick4, spread_face
from tumble.physics.collision.convex.hull import highest_vertex, mesh_vertex
from tumble.physics.collision.convex.perturb import MULTICCD
from tumble.physics.collision.hit import touch
from tumble.physics.kernel import kernel, stage

_MOST = 3
_APART = 0.3  # of the radius of the bounding sphere: points nearer to each other count as one


@kernel
def _touch_vertex(m, d, k, apart):
    """Report vertex k of all meshes if it is within the margin, and its distance from the first point is no less than asked."""
    g, h = d.hit_geom1, d.hit_geom2
    normal = column(load9(d.geom_xmat, g), 2)
    point = add3(load3(d.geom_xpos, h), mat_vec(load9(d.geom_xmat, h), mesh_vertex(m, k)))
    dist = dot3(sub3(point, load3(d.geom_xpos, g)), normal)
    if dist <= d.hit_margin and (d.hit_num == 0 or norm3(sub3(load3(d.hit_pos, 0), point)) >= apart):
        touch(d, dist, add_scaled3(point, -0.5 * dist, normal), normal)


@kernel
def _touch_lying_face(m, d):
    """Report the corners of a face that lies on the plane; returns whether there are three at least."""
    g, h = d.hit_geom1, d.hit_geom2
    normal, origin = column(load9(d.geom_xmat, g), 2), load3(d.geom_xpos, g)
    d.ccd_start[0] = -1
    n, chosen = spread_face(m, d, h, scale3(-1.0, normal))
    for k in range(n):
        corner = load3(d.ccd_foot, pick4(chosen, k))
        dist = dot3(corner, normal)
        if dist <= d.hit_margin:
            touch(d, dist, add3(origin, add_scaled3(corner, -0.5 * dist, normal)), normal)
    if d.hit_num >= 3:
        return True
    d.hit_num = 0
    return False


@kernel
def touch_lowest(m, d):
    """Report up to three points; a mesh without a graph is all its vertices."""
    g, h = d.hit_geom1, d.hit_geom2
    down = mat_t_vec(load9(d.geom_xmat, h), scale3(-1.0, column(load9(d.geom_xmat, g), 2)))
    mesh = m.geom_dataid[h]
    d.ccd_start[0] = -1
    lowest = highest_vertex(m, d, 0, mesh, down)
    _touch_vertex(m, d, lowest, 0.0)
    if d.hit_num == 0:
        return
    apart = _APART * m.geom_rbound[h]
    base, adr, graph = m.mesh_vertadr[mesh], m.mesh_graphadr[mesh], m.mesh_graph
    if adr < 0:
        for k in range(m.mesh_vertnum[mesh]):
            if d.hit_num < _MOST:
                _touch_vertex(m, d, base + k, apart)
        return
    name = adr + 2 + graph[adr]
    place = 0
    while place < graph[adr] - 1 and base + graph[name + place] != lowest:
        place += 1
    k = name + graph[adr] + graph[adr + 2 + place]
    while graph[k] >= 0 and d.hit_num < _MOST:
        _touch_vertex(m, d, base + graph[name + graph[k]], apart)
        k += 1


@stage
def plane_mesh(m, d):
    """Up to three points, four with multiccd."""
    d.ccd_start[0] = -1
    if not m.opt_enableflags & MULTICCD or not _touch_lying_face(m, d):
        touch_lowest(m, d)
