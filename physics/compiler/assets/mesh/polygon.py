"""Polygons as triangles, by clipping ears: convex ones become fans about their first corner."""

from __future__ import annotations

import numpy as np


def triangles(vertices: np.ndarray, counts: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Triangles of polygons that follow each other, in their order.

    vertices: (nvert, 3); counts: corners of each polygon, 3 or more; corners: the vertex of each corner of all polygons.
    Returns (ntriangle, 3) indices into `corners`.
    """
    starts = np.cumsum(counts) - counts
    pieces = counts - 2
    polygon = np.repeat(np.arange(len(counts)), pieces)
    step = np.arange(len(polygon)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    first = starts[polygon]
    found = np.stack([first, first + step + 1, first + step + 2], axis=1)
    ends = np.cumsum(pieces)
    for i in np.flatnonzero(~_are_fans(vertices, counts, corners, starts)):
        inside = corners[starts[i] : starts[i] + counts[i]]
        found[ends[i] - pieces[i] : ends[i]] = starts[i] + _clip(_flat(vertices[inside].astype(float)))
    return found


def _are_fans(vertices: np.ndarray, counts: np.ndarray, corners: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Whether each polygon is a triangle, or is flat enough and convex, so that clipping its ears gives a fan."""
    fans = counts == 3
    for n in np.unique(counts[counts > 3]):
        which = np.flatnonzero(counts == n)
        points = vertices[corners[starts[which][:, None] + np.arange(n)]].astype(float)
        edges = np.roll(points, -1, axis=1) - points
        turns = np.cross(edges, np.roll(edges, -1, axis=1))
        normals = turns.sum(axis=1, keepdims=True)
        # Turning one way all the time, a polygon of more than four corners could still go round twice: add up the angles.
        along = (turns * normals).sum(axis=2)
        angles = np.arctan2(np.linalg.norm(turns, axis=2), (edges * np.roll(edges, -1, axis=1)).sum(axis=2)).sum(axis=1)
        fans[which] = (along > 0).all(axis=1) & (angles < 3 * np.pi)
    return fans


def _flat(points: np.ndarray) -> np.ndarray:
    """The two coordinates of a polygon across which it is widest: the largest of its normal is left out."""
    after = np.roll(points, -1, axis=0)
    normal = np.abs(np.cross(points - points[0], after - points[0]).sum(axis=0))
    keep = [axis for axis in range(3) if axis != int(np.argmax(normal))]
    return points[:, keep]


def _clip(points: np.ndarray) -> np.ndarray:
    """Triangles of a polygon in the plane, (n - 2, 3); corners that are no ears where it crosses itself are cut all the same."""
    rest, found, at, tries = list(range(len(points))), [], 0, 0
    x, y = points[:, 0], points[:, 1]
    area = float(np.dot(x, np.roll(y, -1)) - np.dot(np.roll(x, -1), y))
    while len(rest) > 3:
        at %= len(rest)
        ear = [rest[(at + k) % len(rest)] for k in range(3)]
        others = [rest[(at + k) % len(rest)] for k in range(3, len(rest))]
        if tries < len(rest) and not _is_ear(points, ear, others, area):
            at, tries = at + 1, tries + 1
            continue
        found.append(ear)
        del rest[(at + 1) % len(rest)]
        tries = 0
    found.append(rest)
    return np.array(found)


def _is_ear(points: np.ndarray, ear: list[int], others: list[int], area: float) -> bool:
    """Whether a corner turns the way that the polygon does, and no other corner lies in its triangle."""
    a, b, c = points[ear]
    turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    if turn * area < 0:
        return False
    inside = points[others]
    sides = [(q[0] - p[0]) * (inside[:, 1] - p[1]) - (q[1] - p[1]) * (inside[:, 0] - p[0]) for p, q in ((a, b), (b, c), (c, a))]
    return not ((np.array(sides) * np.sign(area) > 0).all(axis=0)).any()
