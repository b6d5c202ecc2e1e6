"""The convex hull of a mesh: its vertices, triangles and adjacency."""

from __future__ import annotations

import importlib
import sys
import threading
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.errors import PhysicsError

_SIMPLEX = 4  # vertices that Qhull starts from
_LIBRARY = "scipy.spatial"
_importing = threading.Event()
_LEVEL = 1e-6  # a triangle narrower than this is not trusted to say which side is out

Ints = NDArray[np.int32]
Reals = NDArray[np.float64]


class HullError(PhysicsError):
    """Points that have no hull: too few, flat, or not finite. The message says which, without file or element."""


class Hull(Struct, frozen=True, dict=True):
    """A convex hull.

    vertices: (n,) their numbers in the mesh. faces: (m, 3) the numbers of each triangle's corners, anticlockwise from outside.
    corners: (m, 3) the same triangles in the order in which neighbours are listed.
    """

    vertices: Ints
    faces: Ints
    corners: Ints

    @cached_property
    def neighbours(self) -> tuple[Ints, Ints]:
        """Start of each vertex's neighbours, (n,), and the neighbours as indices into `vertices`, -1 after each list."""
        local = np.empty(int(self.vertices.max()) + 1, np.int32)
        n = len(self.vertices)
        local[self.vertices] = np.arange(n)
        corners = local[self.corners]
        # each corner of a triangle, in the order of the triangles, has the two others for neighbours
        here = np.repeat(corners, 2, axis=1).ravel()
        there = corners[:, [1, 2, 0, 2, 0, 1]].ravel()
        _, first = np.unique(here.astype(np.int64) * n + there, return_index=True)
        first = first[np.lexsort((first, here[first]))]
        count = np.bincount(here[first], minlength=n)
        adr = np.concatenate(([0], np.cumsum(count[:-1] + 1))).astype(np.int32)
        edges = np.full(len(first) + n, -1, np.int32)
        edges[np.arange(len(first)) + here[first]] = there[first]
        return adr, edges

    def mirrored(self) -> Hull:
        """The same hull where the mesh is turned inside out, by a scale of which one or three numbers are negative."""
        return Hull(self.vertices, self.faces[:, [1, 0, 2]], self.corners)

    def graph(self) -> Ints:
        """The hull as `mesh_graph` holds it.

        Counts of vertices and faces; where each vertex's neighbours begin; the vertices' numbers in the mesh; the neighbours, by
        their place in that list; the faces, by numbers in the mesh.
        """
        adr, edges = self.neighbours
        counts = np.array([len(self.vertices), len(self.faces)], np.int32)
        return np.concatenate((counts, adr, self.vertices, edges, self.faces.ravel()))


def import_early() -> None:
    """Have what computes hulls imported in the background: it takes 0.3 s, in which other cores read meshes."""
    if _LIBRARY not in sys.modules and not _importing.is_set():
        _importing.set()
        threading.Thread(target=importlib.import_module, args=(_LIBRARY,), name="hulls").start()


def convex_hull(vert: Reals, maxhullvert: int = -1) -> Hull:
    """The convex hull of vertices, (nvert, 3), of which at most maxhullvert become its corners (-1: no limit).

    The reference takes the vertices of the file, before scale and shift, with 32 bits: give them so, and the hull has its
    vertices and triangles, in its order; that of neighbours is open where Qhull merged facets. Raises HullError.
    """
    if len(vert) < _SIMPLEX:
        raise HullError(f"at least 4 vertices are needed for a hull, there are {len(vert)}")
    if not np.isfinite(vert).all():
        raise HullError("a vertex is not finite")
    from scipy.spatial import ConvexHull, QhullError

    options = "Qt" if maxhullvert < 0 else f"Qt TA{max(maxhullvert - _SIMPLEX, 0)}"
    try:
        hull = ConvexHull(np.asarray(vert, np.float64), qhull_options=options)
    except QhullError as error:
        flat = "flat" in str(error) or "less than" in str(error)
        reason = "its vertices lie in a plane or on a line" if flat else "Qhull cannot tell its faces apart"
        raise HullError(f"there is no hull of volume: {reason}") from error
    corners = hull.simplices.astype(np.int32)
    faces = _oriented(np.asarray(vert, np.float64), corners, hull.equations[:, :3], hull.neighbors)
    return Hull(_ordered(corners, hull.equations), faces, corners)


def _oriented(vert: Reals, corners: Ints, normal: Reals, beside: Ints) -> Ints:
    """Triangles turned so that their corners go anticlockwise from outside.

    The facet's normal says which way, but not for a triangle without width: that goes along with one that it adjoins.
    """
    a, b, c = (vert[corners[:, k]] for k in range(3))
    cross = np.cross(b - a, c - a)
    side = np.einsum("ij,ij->i", cross, normal)
    longest = np.maximum.reduce([((p - q) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))])
    known = np.abs(side) > _LEVEL * longest
    flip = side < 0
    while not known.all():
        i, k = np.nonzero(~known[:, None] & known[beside])
        if len(i) == 0:
            break
        i, first = np.unique(i, return_index=True)
        j = beside[i, k[first]]
        alike = [_runs_alike(corners[p], corners[q]) for p, q in zip(i, j, strict=True)]
        flip[i] = flip[j] ^ np.array(alike)
        known[i] = True
    faces = corners.copy()
    faces[flip] = corners[flip][:, [1, 0, 2]]
    return faces


def _runs_alike(p: Ints, q: Ints) -> bool:
    """True if two triangles pass their common edge in the same direction."""
    mine = {(int(p[k]), int(p[k - 2])) for k in range(3)}
    return any((int(q[k]), int(q[k - 2])) in mine for k in range(3))


def _ordered(corners: Ints, equations: Reals) -> Ints:
    """The hull's vertices in Qhull's order, as far as the triangles tell it.

    Qhull puts vertices at the end of its list whenever it makes triangles of them: a cone of triangles about each point
    that it adds, and at last those that facets of more corners are cut into. So a vertex stands where it was in its
    last cone.
    """
    n = len(corners)
    cone = np.concatenate(([0], np.cumsum(corners[1:, 0] != corners[:-1, 0])))
    _, which, count = np.unique(equations, axis=0, return_inverse=True, return_counts=True)
    cut = np.flatnonzero(count[which.ravel()] > 1)  # triangles of one facet share its equation
    if len(cut):
        cone[cut[0] :] = n
    flat, cones = corners.ravel(), np.repeat(cone, 3)
    last = np.full(int(flat.max()) + 1, -1)
    np.maximum.at(last, flat, cones)
    place = np.flatnonzero(cones == last[flat])
    _, first = np.unique(flat[place], return_index=True)
    return flat[place[np.sort(first)]]
