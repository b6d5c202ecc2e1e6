"""Polygons as triangles, by clipping ears: convex ones become fans about their first corner.

Which triangles a polygon becomes decides the volume of a mesh whose polygons are not flat, so the order of the ears, the
plane they are looked at in and the rounding (single precision) are those of the reference.
"""

from __future__ import annotations

import numpy as np

_LEAST = np.finfo(np.float32).eps  # a corner whose edges span less does not say which way a polygon faces
_MANY = 24  # corners from which on polygons are looked at one by one: all ears against all corners would take much memory


def triangles(vertices: np.ndarray, counts: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Triangles of polygons that follow each other, in their order.

    vertices: (nvert, 3) f4; counts: corners of each polygon, 3 or more; corners: the vertex of each corner of all polygons.
    Returns (ntriangle, 3) indices into `corners`. What is left of a polygon that has no more ears is left out.
    """
    starts = np.cumsum(counts) - counts
    pieces = counts - 2
    polygon = np.repeat(np.arange(len(counts)), pieces)
    step = np.arange(len(polygon)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    first = starts[polygon]
    found = np.stack([first, first + step + 1, first + step + 2], axis=1)
    ends = np.cumsum(pieces)
    with np.errstate(all="ignore"):  # a number that is none makes no ear
        for i in np.flatnonzero(~_are_fans(vertices, counts, corners, starts)):
            x, y = _flat(vertices[corners[starts[i] : starts[i] + counts[i]]][None])
            ears = _clip(x[0], y[0])
            found[ends[i] - pieces[i] : ends[i]] = -1
            found[ends[i] - pieces[i] : ends[i] - pieces[i] + len(ears)] = starts[i] + ears
    return found[found[:, 0] >= 0]


def _are_fans(vertices: np.ndarray, counts: np.ndarray, corners: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Mask of polygons that are fans: clipping ears at the second corner leaves a triangle."""
    fans = counts == 3
    for n in np.unique(counts[(counts > 3) & (counts < _MANY)]):
        which = np.flatnonzero(counts == n)
        x, y = _flat(vertices[corners[starts[which][:, None] + np.arange(n)]])
        area = _area(x, y)
        fans[which] = True
        for k in range(1, n - 2):
            ear = [0, k, k + 1]
            fans[which] &= _are_ears(x[:, ear], y[:, ear], x[:, k + 2 :], y[:, k + 2 :], area)
    return fans


def _flat(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two coordinates, (n, corners) each, that polygons are looked at in; points: (n, corners, 3).

    What is left out is where the first corner faces whose edges are long enough to tell, x where none is.
    """
    edges = np.roll(points, -1, axis=1) - points
    after = np.roll(edges, -1, axis=1)
    facing = np.abs(np.cross(edges, after))
    n = np.arange(len(points))
    x, y, z = facing[n, np.argmax(np.max(facing, axis=2) > _LEAST, axis=1)].T
    is_x = (x > y) & (x > z) | (np.maximum(np.maximum(x, y), z) <= _LEAST)
    is_z = ~is_x & (z > x) & (z > y)
    return points[n, :, np.where(is_x, 1, 0)], points[n, :, np.where(is_z, 1, 2)]


def _area(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Twice the area of polygons, (n,), above 0 if they turn left; x, y: (n, corners)."""
    parts = x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)
    return np.cumsum(parts, axis=1)[:, -1]  # one after the other: what is nearly nothing has its sign from rounding


def _clip(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Triangles of a polygon in the plane, (n - 2, 3), or fewer where no corner is an ear any more."""
    rest, found, at, left = list(range(len(x))), [], 0, len(x)
    area = _area(x[None], y[None])
    while len(rest) > 3 and left > 0:
        left, at = left - 1, at % len(rest)
        order = rest[at:] + rest[:at]
        ear, others = order[:3], order[3:]
        if not _are_ears(x[None, ear], y[None, ear], x[None, others], y[None, others], area)[0]:
            at += 1
            continue
        found.append(ear)
        del rest[(at + 1) % len(rest)]
        if left > 0:  # an ear that the last try finds is the last one
            left = len(rest) + 1
    if len(rest) == 3:
        found.append(rest)
    return np.array(found, np.int64).reshape(-1, 3)


def _are_ears(x: np.ndarray, y: np.ndarray, px: np.ndarray, py: np.ndarray, area: np.ndarray) -> np.ndarray:
    """Mask of triangles that are ears: oriented like their polygons, with no other corner inside.

    x, y: (n, 3) of the triangle; px, py: (n, others) of the other corners; area: (n,) of the polygons. Returns (n,).
    """
    turn = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 1]) - (y[:, 1] - y[:, 0]) * (x[:, 2] - x[:, 1])
    inside = np.zeros(px.shape, bool)  # by the parity of how many edges a ray from the corner crosses
    for i, j in ((0, 2), (1, 0), (2, 1)):
        xi, yi, xj, yj = x[:, i, None], y[:, i, None], x[:, j, None], y[:, j, None]
        crossed = px < (xj - xi) * (py - yi) / (yj - yi) + xi
        inside ^= ((yi > py) != (yj > py)) & crossed
    return ~(turn * area < 0) & ~inside.any(axis=1)
