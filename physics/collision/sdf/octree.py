"""The signed distance that a mesh's octree holds: trilinear between the eight corners of a leaf.

Outside the root's box it is the value at the nearest point of the box, and the distance to there.
"""

import math

from tumble.physics.kernel import exact
from tumble.physics.state.constants import mjMINVAL

_DEEPEST = 64  # levels: what no octree has


@exact
def _clamped(m, node, p, k):
    """Coordinate k of the point of a node's box that is nearest to p."""
    middle, half = m.oct_aabb[node, k], m.oct_aabb[node, 3 + k]
    return min(max(p[k], middle - half), middle + half)


@exact
def _leaf(m, root, p):
    """The leaf that holds a point of the root's box."""
    node = root
    for _ in range(_DEEPEST):
        box = m.oct_aabb
        k = (p[0] >= box[node, 0]) + 2 * (p[1] >= box[node, 1]) + 4 * (p[2] >= box[node, 2])
        child = m.oct_child[node, k]
        if child < 0:
            return node
        node = root + child
    return node


@exact
def _corners(m, leaf, p):
    """Trilinear value and gradient at a point of a leaf."""
    box, c = m.oct_aabb, m.oct_coeff
    hx, hy, hz = 2.0 * box[leaf, 3], 2.0 * box[leaf, 4], 2.0 * box[leaf, 5]
    x = (p[0] - box[leaf, 0]) / hx + 0.5
    y = (p[1] - box[leaf, 1]) / hy + 0.5
    z = (p[2] - box[leaf, 2]) / hz + 0.5
    # along x first: the four edges, then along y the two faces
    e0, e1 = c[leaf, 0] + x * (c[leaf, 1] - c[leaf, 0]), c[leaf, 2] + x * (c[leaf, 3] - c[leaf, 2])
    e2, e3 = c[leaf, 4] + x * (c[leaf, 5] - c[leaf, 4]), c[leaf, 6] + x * (c[leaf, 7] - c[leaf, 6])
    low, high = e0 + y * (e1 - e0), e2 + y * (e3 - e2)
    bottom = (1.0 - y) * (c[leaf, 1] - c[leaf, 0]) + y * (c[leaf, 3] - c[leaf, 2])
    top = (1.0 - y) * (c[leaf, 5] - c[leaf, 4]) + y * (c[leaf, 7] - c[leaf, 6])
    gx = (1.0 - z) * bottom + z * top
    gy = (1.0 - z) * (e1 - e0) + z * (e3 - e2)
    return low + z * (high - low), (gx / hx, gy / hy, (high - low) / hz)


@exact
def octree(m, mesh, p):
    """Signed distance [m] and gradient (3,) at a point p in the frame of a mesh that has an octree."""
    root = m.mesh_octadr[mesh]
    q = (_clamped(m, root, p, 0), _clamped(m, root, p, 1), _clamped(m, root, p, 2))
    value, slope = _corners(m, _leaf(m, root, q), q)
    out = (p[0] - q[0], p[1] - q[1], p[2] - q[2])
    away = math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2])
    if away < mjMINVAL:
        return value, slope
    gx = out[0] / away if out[0] != 0.0 else slope[0]
    gy = out[1] / away if out[1] != 0.0 else slope[1]
    gz = out[2] / away if out[2] != 0.0 else slope[2]
    return value + away, (gx, gy, gz)
