"""Patches of pressure: where a pair of geoms touches at several points, the area between them and how hard it is pressed.

The engine's contacts are points; what they stand for is a force over an area. The area is that of the points' convex hull in
the plane of contact, the centre of pressure the mean of the points weighted with their normal forces, and the mean pressure the
sum of these forces over the area. Whether the pressure is even, the points do not tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Vec = NDArray[np.float64]
Point = tuple[float, float]

LEAST = 3  # contacts of a patch
ALIGNED = 0.94  # cosine: normals that are further apart than 20 degrees from their mean are of no common plane
_FLAT = 1e-9  # of the square of a hull's size: below it its points are on one line


class PressurePatch(Struct, frozen=True, eq=False):
    """The patch of one pair of geoms.

    outline: (k, 3) corners of the hull, counter-clockwise about the normal [m]; normal: (3,) towards the second geom; area
    [m^2], 0 where the points are on one line; force: the sum of the normal forces [N]; centre: (3,) of pressure [m], None
    without a force.
    """

    pair: tuple[int, int]
    outline: Vec
    normal: Vec
    area: float
    force: float
    centre: Vec | None

    @property
    def pressure(self) -> float:
        """The mean [Pa]; 0 where there is no area."""
        return self.force / self.area if self.area > 0 else 0.0


def convex_hull(points: Sequence[Point]) -> list[int]:
    """The corners of the convex hull of points of a plane, counter-clockwise, by their numbers; of points on a line its ends.

    Source: A. M. Andrew, Another efficient algorithm for convex hulls in two dimensions, 1979. Not-a-number gives any hull.
    """
    order = sorted(range(len(points)), key=points.__getitem__)
    if len(order) < 2:
        return order

    def half(way: list[int]) -> list[int]:
        chain: list[int] = []
        for i in way:
            x, y = points[i]
            while len(chain) > 1:
                (ax, ay), (bx, by) = points[chain[-2]], points[chain[-1]]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append(i)
        return chain

    return half(order)[:-1] + half(order[::-1])[:-1]


def pressure_patches(geoms: NDArray[Any], pos: Vec, axes: Vec, normal_force: Vec) -> list[PressurePatch]:
    """The patches of contacts: of each pair of geoms with at least LEAST of them, all facing about the same way.

    geoms: (n, 2), -1 where a side is none, which has no patch; pos: (n, 3) [m]; axes: (n, 9), the first three the normal;
    normal_force: (n,) [N].
    """
    count = len(pos)
    if count < LEAST or not len(geoms) == len(axes) == len(normal_force) == count:
        return []
    sides = np.asarray(geoms, np.int64)
    kinds, kind, sizes = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    wanted = np.flatnonzero((sizes >= LEAST) & (kinds >= 0).all(axis=1))
    if not len(wanted):
        return []
    order = np.argsort(kind.ravel(), kind="stable")
    order = order[np.isin(kind.ravel()[order], wanted)]
    first = np.concatenate([[0], np.cumsum(sizes[wanted])])
    begin, of = first[:-1], np.repeat(np.arange(len(wanted)), sizes[wanted])
    normals, points = np.asarray(axes, float).reshape(-1, 9)[order, :3], np.asarray(pos, float)[order]
    force = np.maximum(np.asarray(normal_force, float)[order], 0.0)
    total = np.add.reduceat(force, begin)
    mean = np.add.reduceat(normals, begin)
    mean /= np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-300)
    facing = np.minimum.reduceat(np.einsum("ij,ij->i", normals, mean[of]), begin)
    middle = np.add.reduceat(points, begin) / sizes[wanted][:, None]
    weighted = np.add.reduceat(points * force[:, None], begin)
    helper = np.where(np.abs(mean[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    along = np.cross(helper, mean)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
    across = np.cross(mean, along)
    off = points - middle[of]
    flat = np.stack([np.einsum("ij,ij->i", off, along[of]), np.einsum("ij,ij->i", off, across[of])], axis=1)
    level = middle[of] + flat[:, :1] * along[of] + flat[:, 1:] * across[of]  # the points in the plane
    found = []
    for g in np.flatnonzero(facing >= ALIGNED):
        low, high = first[g], first[g + 1]
        corners: list[Point] = [(x, y) for x, y in flat[low:high].tolist()]
        hull = convex_hull(corners)
        area = _area([corners[i] for i in hull])
        centre = weighted[g] / total[g] if total[g] > 0 else None
        pair = int(kinds[wanted[g], 0]), int(kinds[wanted[g], 1])
        found.append(PressurePatch(pair, level[low:high][hull], mean[g], area, float(total[g]), centre))
    return found


def _area(corners: Sequence[Point]) -> float:
    """The area of a convex polygon by the shoelace formula; 0 where it is a line."""
    twice = reach = 0.0
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        twice += ax * by - ay * bx
        reach = max(reach, (bx - ax) ** 2 + (by - ay) ** 2)
    return 0.5 * twice if twice > _FLAT * reach else 0.0
