"""The farthest vertex of a mesh's convex hull in a direction, by climbing from vertex to vertex of its graph.

`mesh_graph` holds for each hull: the number of its vertices and of its triangles; where each vertex's neighbours
begin; the mesh vertex of each; the neighbours, each list ended by -1; the triangles.
On a convex hull a vertex that is no lower than its neighbours is a highest one. Successive directions of a search
are near to each other, so that a climb that starts where the last one ended takes a few moves.
"""

import numpy as np

from tumble.physics.kernel import kernel

_FEW = 10  # vertices that are looked at one by one sooner than climbed


@kernel
def mesh_vertex(m, k):
    """Vertex k of all meshes, in its mesh frame."""
    return float(m.mesh_vert[k, 0]), float(m.mesh_vert[k, 1]), float(m.mesh_vert[k, 2])


@kernel
def _height(m, k, v):
    """Extent of vertex k of all meshes in a direction [m]."""
    a, k = m.mesh_vert, np.uint64(k)  # unsigned: no negative index to be turned round
    return a[k, 0] * v[0] + a[k, 1] * v[1] + a[k, 2] * v[2]


@kernel
def _highest(m, mesh, start, v):
    """The highest of all vertices of a mesh; of equal ones the start, else the first."""
    base = m.mesh_vertadr[mesh]
    best, at = _height(m, base + start, v), start
    for k in range(m.mesh_vertnum[mesh]):
        height = _height(m, base + k, v)
        if height > best:
            best, at = height, k
    return at


@kernel
def _climb(m, mesh, start, v):
    """The place in the graph of a highest vertex of the hull."""
    graph, base, adr = m.mesh_graph, m.mesh_vertadr[mesh], m.mesh_graphadr[mesh]
    n = graph[adr]
    first, name = adr + 2, adr + 2 + n
    neighbours = name + n
    at, best = start, _height(m, base + graph[np.uint64(name + start)], v)
    for _ in range(n):  # every move is upwards: no vertex is met twice
        here = at
        k = neighbours + graph[np.uint64(first + here)]
        other = graph[np.uint64(k)]
        while other >= 0:
            height = _height(m, base + graph[np.uint64(name + other)], v)
            if height > best:
                best, at = height, other + 0
            k += 1
            other = graph[np.uint64(k)]
        if at == here:
            break
    return at


@kernel
def highest_vertex(m, d, side, mesh, v):
    """The vertex, among all of all meshes, that is highest in a direction of the mesh frame.

    side: 0 or 1, whose place in d.ccd_start the search starts from and leaves where it ended; -1: no start.
    """
    base, adr = m.mesh_vertadr[mesh], m.mesh_graphadr[mesh]
    start = max(d.ccd_start[side], 0)
    if adr < 0 or m.mesh_vertnum[mesh] < _FEW:
        at = _highest(m, mesh, start, v)
        d.ccd_start[side] = at
        return base + at
    at = _climb(m, mesh, start, v)
    d.ccd_start[side] = at
    return base + m.mesh_graph[adr + 2 + m.mesh_graph[adr] + at]
