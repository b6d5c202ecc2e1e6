"""The polygons of a hull: coplanar triangles merged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.compiler.assets.mesh.normal_tree import NormalTree
from physics.compiler.progress import asking
from physics.state.constants import mjMINVAL

Ints = NDArray[np.int32]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Polygons:
    """The polygons of a hull.

    normal: (npoly, 3) outward. vertadr, vertnum: (npoly,) where each one's corners are in vert, anticlockwise from outside.
    mapadr, mapnum: (nvert,) where the polygons that meet in each vertex of the mesh are in map.
    """

    normal: Reals
    vertadr: Ints
    vertnum: Ints
    vert: Ints
    mapadr: Ints
    mapnum: Ints
    map: Ints


def polygons(vert: Reals, faces: Ints, placed: Reals | None = None, mirrored: bool = False) -> Polygons:
    """Put faces, (nface, 3), together: those that adjoin and whose normals differ by less than 0.0016.

    vert: (nvert, 3) vertices of the file, as convex_hull takes them; normals are compared there. placed: (nvert, 3) the
    same in the frame in which normals are wanted, None: in that of vert; a polygon's is that of its first three corners.
    mirrored: whether placing them turns the mesh inside out.
    """
    normals = face_normals(vert, faces)
    tree = NormalTree()
    groups: list[list[int]] = []
    for k, normal in enumerate(asking(normals.tolist())):
        group = tree.find_or_add((normal[0], normal[1], normal[2]))
        if group == len(groups):
            groups.append([])
        groups[group].append(k)
    triangles = faces.tolist()
    loops = [loop for group in asking(tree.ordered()) for loop in _outlines([triangles[k] for k in groups[group]])]
    if mirrored:
        loops = [[loop[0], *reversed(loop[1:])] for loop in loops]
    first = np.array([loop[:3] for loop in loops], np.int32).reshape(-1, 3)
    return _collect(face_normals(vert if placed is None else placed, first), loops, len(vert))


def face_normals(vert: Reals, faces: Ints) -> Reals:
    """Unit normals of triangles, (nface, 3); x if one has no area."""
    a, b, c = (vert[faces[:, k]].astype(np.float64) for k in range(3))
    u, v = b - a, c - a
    cross = np.stack([u[:, i] * v[:, j] - u[:, j] * v[:, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=1)
    length = np.sqrt((cross[:, 0] * cross[:, 0] + cross[:, 1] * cross[:, 1]) + cross[:, 2] * cross[:, 2])
    tiny = length < mjMINVAL
    cross /= np.where(tiny, 1.0, length)[:, None]  # the order of normals hangs on the last bit: divide, as is
    cross[tiny] = (1.0, 0.0, 0.0)
    return cross


def _outlines(triangles: list[list[int]]) -> list[list[int]]:
    """The closed lines about triangles of one plane: edges that two of them pass in both directions are inside.

    Lines that do not close are left out: those of faces that are not consistent, which a hull has not.
    """
    if len(triangles) == 1:
        return triangles
    edges: dict[tuple[int, int], None] = {}
    for a, b, c in triangles:
        for p, q in ((a, b), (b, c), (c, a)):
            if (q, p) in edges:
                del edges[q, p]
            else:
                edges[p, q] = None
    after: dict[int, list[int]] = {}
    for p, q in edges:
        after.setdefault(p, []).append(q)
    loops = []
    for start in list(after):
        while after[start]:
            path, seen = [start], {start: 0}
            while after.get(path[-1]):
                v = after[path[-1]].pop(0)
                if v in seen:  # closed: where it met itself in one corner, what hangs there is a polygon of its own
                    loops.append(path[seen[v] :])
                    for w in path[seen[v] + 1 :]:
                        del seen[w]
                    del path[seen[v] + 1 :]
                else:
                    seen[v] = len(path)
                    path.append(v)
    return loops


def _collect(normal: Reals, loops: list[list[int]], nvert: int) -> Polygons:
    num = np.array([len(loop) for loop in loops], np.int32)
    vert = np.array([v for loop in loops for v in loop], np.int32)
    order = np.argsort(vert, kind="stable")
    mapnum = np.bincount(vert, minlength=nvert).astype(np.int32)
    owner = np.repeat(np.arange(len(loops), dtype=np.int32), num)
    return Polygons(normal, _begin(num), num, vert, _begin(mapnum), mapnum, owner[order])


def _begin(num: Ints) -> Ints:
    return (np.cumsum(num) - num).astype(np.int32)
