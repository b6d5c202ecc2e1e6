"""What is right, by neither engine: the signed distance of two convex shapes as the best axis that tells them apart.

separation(n) = n . (c2 - c1) - h1(n) - h2(-n) is the gap of the shapes' shadows on a unit axis n. Its greatest value is
their distance, or minus their depth; the axis of the greatest value is the contact's normal. Between shapes of
corners in a skin the greatest value is at one of finitely many axes, and all of them are tried: normals of faces, two
edges' cross products and, where the cores are apart, what joins corners with corners and edges. Of round shapes the
axes are searched: everywhere, along the circles on which a shape has a kink, at the crossings of these circles,
and from the axes that either engine found; the best are zoomed in on until the axis is known to 1e-11.

Every axis is a proof by itself that the distance is no less than its separation: an engine that claims less is wrong.
"""

import numpy as np

from tests.battery.cases import Case
from tests.battery.shapes import SMOOTH, Shape, unit

_SPOTS, _STARTS, _RAYS = 600, 10, 8
_ZOOMS, _ZOOM = 52, 0.62
_RINGS = np.array([0.15, 0.4, 0.7, 1.0])


def separation(case: Case, n: np.ndarray) -> np.ndarray:
    """Gap of the shadows [m] on unit axes (..., 3)."""
    offset = case.second.pos - case.first.pos
    return np.asarray(n @ offset - case.first.extent(n) - case.second.extent(-n))


def best_axis(case: Case, hints: np.ndarray) -> tuple[float, np.ndarray]:
    """The signed distance [m] and its axis. hints: axes (k, 3) that may be right."""
    if case.first.kind == "plane":
        n = case.first.mat[:, 2]
        return float(n @ (case.second.pos - case.first.pos) - case.second.extent(-n)), n
    smooth = case.first.kind in SMOOTH or case.second.kind in SMOOTH
    axes = np.concatenate([_enumerated(case.first, case.second, smooth), hints])
    values = separation(case, axes)
    at = values.argmax()
    best, axis = float(values[at]), axes[at]
    cores = best + case.first.skin + case.second.skin
    if not smooth and cores > 0:
        axes = np.concatenate([_apart(case), axis[None]])
        values = separation(case, axes)
        if values.max() > best:
            best, axis = float(values.max()), axes[values.argmax()]
    if smooth:
        best, axis = _searched(case, axes, values)
    return best, axis


def _enumerated(a: Shape, b: Shape, smooth: bool) -> np.ndarray:
    """Normals of flat sides, and cross products of edges and axes."""
    crossed = np.cross(a.kinks()[:, None], b.kinks()[None]).reshape(-1, 3)
    offset = unit((b.pos - a.pos)[None])
    axes = np.concatenate([a.normals(), -b.normals(), crossed, -crossed, offset, -offset])
    if smooth:
        axes = np.concatenate([axes, *(_perpendicular(s.kinks(), b.pos - a.pos) for s in (a, b))])
    return _proper(axes)


def _perpendicular(along: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """What of the offset is at right angles to each direction."""
    return np.asarray(offset - along * (along @ offset)[:, None])


def _proper(axes: np.ndarray) -> np.ndarray:
    """Of length 1, without those that have none."""
    length = np.linalg.norm(axes, axis=1)
    kept = length > 1e-13 * length.max(initial=0.0)
    return np.asarray(axes[kept] / length[kept, None])


def _apart(case: Case) -> np.ndarray:
    """Every axis along which two cores that are apart can be nearest, but for those that overlapping ones have too."""
    a, b = case.first.vertices(), case.second.vertices() + (case.second.pos - case.first.pos)
    e, f = case.first.edges(), case.second.edges()
    between = (b[None] - a[:, None]).reshape(-1, 3)
    found = [between]
    for points, others, edges in ((a, b, f), (b, a, e)):
        if len(edges):
            start, along = others[edges[:, 0]], unit(others[edges[:, 1]] - others[edges[:, 0]])
            way = start[None] - points[:, None]
            way = way - along[None] * np.einsum("pek,ek->pe", way, along)[..., None]
            found += [way.reshape(-1, 3), -way.reshape(-1, 3)]
    return _proper(np.concatenate(found))


def _searched(case: Case, axes: np.ndarray, values: np.ndarray) -> tuple[float, np.ndarray]:
    """The best axis of all, by zooming in from the best of many."""
    spots = _sphere(_SPOTS)
    circles = np.concatenate([_circle(k) for s in (case.first, case.second) for k in s.kinks()] or [np.zeros((0, 3))])
    more = np.concatenate([spots, circles])
    axes, values = np.concatenate([axes, more]), np.concatenate([values, separation(case, more)])
    n = axes[_spread(axes, values)]
    best = separation(case, n)
    kinks = np.concatenate([case.first.kinks(), case.second.kinks()])
    width = np.full(len(n), 0.2)
    for _ in range(_ZOOMS):
        tries = _around(n, width, kinks)
        found = np.where(np.abs(tries).sum(-1) > 0.5, separation(case, tries), -np.inf)
        at = found.argmax(1)
        better = found.max(1)
        moved = better > best
        n = np.where(moved[:, None], tries[np.arange(len(n)), at], n)
        best = np.maximum(best, better)
        width *= _ZOOM
    at = int(best.argmax())
    return float(best[at]), n[at]


def _spread(axes: np.ndarray, values: np.ndarray) -> list[int]:
    """The best axes that are not near to a better one."""
    chosen: list[int] = []
    for k in np.argsort(-values)[:400]:
        if all(axes[k] @ axes[j] < 0.995 for j in chosen):
            chosen.append(int(k))
        if len(chosen) == _STARTS:
            break
    best = int(values.argmax())
    return [*chosen, best] if best not in chosen else chosen


def _around(n: np.ndarray, width: np.ndarray, kinks: np.ndarray) -> np.ndarray:
    """Axes (k, tries, 3) about each of n: rings of the given width, and where the nearest kinks are."""
    helper = np.where(np.abs(n[:, :1]) < 0.5, np.array([[1.0, 0, 0]]), np.array([[0, 1.0, 0]]))
    u = unit(np.cross(n, helper))
    v = np.cross(n, u)
    angle = np.arange(_RAYS) * 2 * np.pi / _RAYS
    steps = (_RINGS[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], -1)[None]).reshape(-1, 2) * width[:, None, None]
    tries = n[:, None] + steps[..., :1] * u[:, None] + steps[..., 1:] * v[:, None]
    if not len(kinks):
        return unit(tries)
    # On the circle of the nearest kink, and along it.
    near = kinks[np.abs(n @ kinks.T).argmin(1)]
    on = unit(n - near * np.sum(n * near, -1, keepdims=True))
    side = np.cross(near, on)
    row = np.concatenate([-_RINGS, [0.0], _RINGS])
    along = on[:, None] + (row[None] * width[:, None])[..., None] * side[:, None]
    return unit(np.concatenate([tries, along], axis=1))


def _sphere(count: int) -> np.ndarray:
    """Points spread evenly over the unit sphere: Fibonacci's."""
    k = np.arange(count) + 0.5
    z, turn = 1 - 2 * k / count, k * np.pi * (1 + np.sqrt(5))
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(turn), r * np.sin(turn), z], axis=1)


def _circle(axis: np.ndarray) -> np.ndarray:
    """Points of the unit circle at right angles to an axis."""
    u = unit(np.cross(axis, [1.0, 0, 0] if abs(axis[0]) < 0.7 else [0, 1.0, 0]))
    angle = np.arange(32) * np.pi / 16
    return np.asarray(np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * np.cross(axis, u))
