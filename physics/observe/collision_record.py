"""The narrow phase of two geoms once more, with every step of its search: on a copy of the data, by the same code.

    record = record_collision(m, physics.fork(m, d)[1], g1, g2)
    print(record.ended, record.dist, [step.low for step in record.steps])

Nothing is recorded while a simulation runs: the kernels of this pair are run as Python functions when someone looks. They
round as written there, compiled ones as the processor likes best, so that the last digits can differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum, auto
from itertools import product

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.physics.collision.contact import pair_margin
from tumble.physics.collision.convex.distance import geom_distance, is_convex
from tumble.physics.collision.convex.pair import convex_contact
from tumble.physics.collision.convex.portal import touch_portal
from tumble.physics.collision.dispatch import collider
from tumble.physics.collision.filter import place
from tumble.physics.collision.pairs.hfield import load_prism
from tumble.physics.errors import ModelError
from tumble.physics.kernel import Stage
from tumble.physics.observe.collision_steps import CollisionStep, Numbers, SearchKind, SearchWatch
from tumble.physics.query.distances import mj_geomDistance
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit, mjtGeom
from tumble.physics.state.model import Model

HFIELD = int(mjtGeom.mjGEOM_HFIELD)
_PLAIN = ("tumble.physics.collision.convex.", "tumble.physics.collision.pairs.")  # modules whose stages run as Python functions
_FAR = 1e10  # m: where a distance is looked for
_ROOM = 133  # vertices that a polytope has room for
_NEAR = 10.0  # times the tolerance: bounds of the distance this near to each other have met


class CollisionEnd(IntEnum):
    """Why a search ended.

    NO_SEARCH: a closed form, or a search that takes no such steps; CONVERGED: the bounds of the distance met; APART: a direction
    was found along which the shapes are farther apart than what makes a contact; LIMIT: as many iterations as are allowed;
    REFINED: it ended before, and the normal was sharpened by moving the shapes apart; STALLED: no better point was found, for
    rounding or because the boundary was reached before the bounds met.
    """

    NO_SEARCH = auto()
    CONVERGED = auto()
    APART = auto()
    REFINED = auto()
    LIMIT = auto()
    STALLED = auto()


class CollisionRecord(Struct, frozen=True):
    """Record of a collision of two geoms.

    geom1, geom2: as a contact names them; types: theirs; collides: whether there is a narrow phase for these. margin: within
    which there are contacts [m].
    hit_dist (n,), hit_pos, hit_normal (n, 3): the contacts found [m]; chosen: which of them is looked at, -1: there is none.
    dist, normal (3,), point1, point2 (3,): the answer: signed distance [m], direction from geom1 to geom2, nearest or deepest
    points of the surfaces; without contacts those of the distance, not numbers where that is not known.
    steps: of the search; ended: why it did; iterations: of its longest kind; limit: that are allowed; tolerance [m].
    prism (6, 3): of the height field that was collided [m], None: none; faces: that met, None: the geoms have none, or one point
    is all.
    """

    geom1: int
    geom2: int
    types: tuple[int, int]
    collides: bool
    margin: float
    hit_dist: Numbers
    hit_pos: Numbers
    hit_normal: Numbers
    chosen: int
    dist: float
    normal: Numbers
    point1: Numbers
    point2: Numbers
    steps: tuple[CollisionStep, ...]
    ended: CollisionEnd
    limit: int
    tolerance: float
    prism: Numbers | None
    faces: FaceClip | None

    @property
    def kinds(self) -> tuple[SearchKind, ...]:
        """The kinds of its steps, in the order of the first of each."""
        return tuple(dict.fromkeys(step.kind for step in self.steps))

    @property
    def gap(self) -> float:
        """Between the bounds of the distance [m] at the end of the search; infinite: one is not known."""
        searched = [step for step in self.steps if step.kind is not SearchKind.CLIP]
        return searched[-1].high - searched[-1].low if searched else np.inf


def record_collision(m: Model, d: Data, g1: int, g2: int, near: Numbers | None = None) -> CollisionRecord:
    """Collide two geoms in the poses of `d`, whose scratch memory is used: give it a copy.

    near (3,): the contact that is nearest to this place is looked at [m]; None: the deepest. Raises ModelError for a geom
    that does not exist, or one and the same.
    """
    if not (0 <= g1 < m.ngeom and 0 <= g2 < m.ngeom) or g1 == g2:
        raise ModelError(f"two different geoms of {m.ngeom} collide, not {g1} and {g2}")
    a, b, pair = as_named(m, g1, g2)
    margin = float(pair_margin(m, a, b, pair))
    watch = SearchWatch(m, d)
    hits = _collide(m, d, watch, a, b, margin)
    chosen = _choose(hits, near)
    prism = None
    if chosen >= 0:
        dist, normal, pos = float(hits[0][chosen]), hits[2][chosen], hits[1][chosen]
        point1, point2 = pos - 0.5 * dist * normal, pos + 0.5 * dist * normal
        if int(m.geom_type[a]) == HFIELD:
            watch, prism = _collide_prism(m, d, a, b, margin, dist, pos)
    else:
        watch, dist, normal, point1, point2 = _distance(m, d, a, b)
    faces = clip_faces(m, d, a, b, normal) if len(hits[0]) > 1 else None
    steps = (*watch.steps, *_clip_steps(watch.steps, faces, normal, point1, point2, dist))
    types = int(m.geom_type[a]), int(m.geom_type[b])
    return CollisionRecord(
        a, b, types, _narrow_phase(m, a, b) is not None, margin, *hits, chosen, dist, normal, point1, point2, steps,
        _end(m, watch.steps, chosen >= 0, dist), int(m.opt_ccd_iterations), float(m.opt_ccd_tolerance), prism, faces,
    )  # fmt: skip


def as_named(m: Model, g1: int, g2: int) -> tuple[int, int, int]:
    """Two geoms in the order in which a contact names them, and their explicit pair or -1."""
    pair = -1
    for k in range(m.npair):
        if {int(m.pair_geom1[k]), int(m.pair_geom2[k])} == {g1, g2}:
            pair = k
    a, b = (int(m.pair_geom1[pair]), int(m.pair_geom2[pair])) if pair >= 0 else (min(g1, g2), max(g1, g2))
    return (b, a, pair) if m.geom_type[a] > m.geom_type[b] else (a, b, pair)


Hits = tuple[Numbers, Numbers, Numbers]  # dist (n,), pos (n, 3), normal (n, 3)


def _collide(m: Model, d: Data, watch: SearchWatch, a: int, b: int, margin: float) -> Hits:
    """The points of two geoms, by the narrow phase of their types."""
    stage = _narrow_phase(m, a, b)
    if stage is None or not stage.function.__module__.startswith(_PLAIN):
        return _present(d, a, b)  # signed distances, and what users have made: it may be Python, which is not run for a display
    d.inner.hit_geom1, d.inner.hit_geom2, d.hit_margin, d.inner.hit_num = a, b, margin, 0
    if int(m.geom_type[a]) == HFIELD:
        stage(m, d)  # thousands of prisms: too many for Python, and one of them is to be shown
    else:
        watch.run(lambda: stage.interpret(m, d))
    n = int(d.hit_num)
    return np.array(d.hit_dist[:n]), np.array(d.hit_pos[:n]), np.array(d.hit_frame[:n, :3])


def _narrow_phase(m: Model, a: int, b: int) -> Stage | None:
    """Collider of two geoms; None if there is none."""
    types = int(m.geom_type[a]), int(m.geom_type[b])
    return None if m.collide_fn[place(*types)] == -1 else collider(m, types)


def _present(d: Data, a: int, b: int) -> Hits:
    """The contacts of two geoms that the data have."""
    own = np.flatnonzero((np.array(d.contact_geom[: d.ncon]).reshape(-1, 2) == (a, b)).all(axis=1))
    return np.array(d.contact_dist)[own], np.array(d.contact_pos)[own], np.array(d.contact_frame)[own].reshape(-1, 9)[:, :3]


def _choose(hits: Hits, near: Numbers | None) -> int:
    """Index of the selected point; -1 without one."""
    if len(hits[0]) == 0:
        return -1
    return int(np.argmin(hits[0] if near is None else ((hits[1] - near) ** 2).sum(axis=1)))


def _distance(m: Model, d: Data, a: int, b: int) -> tuple[SearchWatch, float, Numbers, Numbers, Numbers]:
    """The distance of two geoms that make no contact, with the steps that found it."""
    watch, unknown = SearchWatch(m, d), np.full(3, np.nan)
    d.inner.hit_num = 0
    if is_convex(m, a) and is_convex(m, b):
        dist, p1, p2 = watch.run(lambda: geom_distance(m, d, a, b, _FAR))
        point1, point2 = np.array(p1, float), np.array(p2, float)
    else:
        ends = np.zeros(6)
        dist = mj_geomDistance(m, d, a, b, _FAR, ends)
        point1, point2 = ends[:3], ends[3:]
    if not dist < _FAR:
        return watch, np.nan, unknown, unknown, unknown
    return watch, float(dist), _unit(point2 - point1, dist), point1, point2


def _unit(offset: Numbers, dist: float) -> Numbers:
    length = float(np.linalg.norm(offset))
    return np.full(3, np.nan) if length == 0 else np.copysign(1.0, dist) * offset / length


# ---- height fields


def _collide_prism(
    m: Model, d: Data, a: int, b: int, margin: float, dist: float, pos: Numbers
) -> tuple[SearchWatch, Numbers | None]:
    """Collide the one prism of a height field that made a point, and tell where it is."""
    best, error = (SearchWatch(m, d), None), np.inf
    field = int(m.geom_dataid[a])
    for row, col, half in _prisms_about(m, d, field, a, pos):
        load_prism(m, d, field, row, col, half)
        prism, watch = np.array(d.ccd_prism), SearchWatch(m, d)
        d.inner.ccd_start[...] = -1
        d.inner.hit_num = 0
        found, middle = _meet_prism(m, d, watch, a, margin)
        if found >= 1e300:
            continue
        off = abs(found - dist) + float(np.linalg.norm(middle - pos))
        if off < error:
            axes = np.array(d.geom_xmat[a]).reshape(3, 3)
            best, error = (watch, np.array(d.geom_xpos[a]) + prism @ axes.T), off
    return best


def _meet_prism(m: Model, d: Data, watch: SearchWatch, a: int, margin: float) -> tuple[float, Numbers]:
    """Distance and point [m] of the prism that is loaded and the other geom; 1e300: they do not meet."""
    if m.opt_disableflags & mjtDisableBit.mjDSBL_NATIVECCD:
        d.hit_margin = margin
        return float(watch.run(lambda: touch_portal(m, d))), np.array(d.hit_pos[0])
    found, _, p1, p2 = watch.run(lambda: convex_contact(m, d, margin))
    return float(found), np.array(d.geom_xpos[a]) + 0.5 * (np.array(p1) + np.array(p2))


def _prisms_about(m: Model, d: Data, field: int, a: int, pos: Numbers) -> Iterator[tuple[int, int, int]]:
    """Row, column and half of the prisms of the cells around a place: a deep point can be of a cell next to the one above it."""
    local = (pos - np.array(d.geom_xpos[a])) @ np.array(d.geom_xmat[a]).reshape(3, 3)
    counts = int(m.hfield_ncol[field]), int(m.hfield_nrow[field])
    cells = []
    for k in range(2):
        half = float(m.hfield_size[field, k])
        cells.append(int(np.clip((local[k] + half) / (2 * half) * (counts[k] - 1), 0, counts[k] - 2)))
    col, row = cells
    rows = range(max(0, row - 1), min(counts[1] - 1, row + 2))
    cols = range(max(0, col - 1), min(counts[0] - 1, col + 2))
    return product(rows, cols, range(2))


# ---- faces, and the end


def _clip_steps(
    searched: list[CollisionStep], faces: FaceClip | None, normal: Numbers, point1: Numbers, point2: Numbers, dist: float
) -> list[CollisionStep]:
    """A step for each side that a face is cut along; the answer is known by then."""
    if faces is None:
        return []
    none, nothing = np.empty((0, 3)), np.empty((0, 3), np.int64)
    low, high = (searched[-1].low, searched[-1].high) if searched else (dist, dist)
    first = CollisionStep(
        SearchKind.CLIP, 0, low, high, normal, point1, point2, np.zeros(3), np.zeros(3), none, none, none, -1, nothing, -1,
        faces.face2,
    )  # fmt: skip
    return [first, *(replace(first, number=k, polygon=cut) for k, cut in enumerate(faces.cuts, start=1))]


def _end(m: Model, steps: list[CollisionStep], touches: bool, dist: float) -> CollisionEnd:
    """Why a search of these steps ended, with a distance as its answer."""
    searched = [step for step in steps if step.kind is not SearchKind.REFINE]
    if not searched:
        return CollisionEnd.NO_SEARCH
    last, near = searched[-1], float(_NEAR * m.opt_ccd_tolerance)
    alike = sum(step.kind is last.kind for step in searched)
    if not touches and last.low > 0 and not last.high - last.low <= near:
        return CollisionEnd.APART
    portal = last.kind is SearchKind.PORTAL
    if _portal_is_reached(last, m.opt_ccd_tolerance) if portal else max(last.high, dist) - min(last.low, dist) <= near:
        return CollisionEnd.CONVERGED
    if alike >= int(m.opt_ccd_iterations) or len(last.vertices) >= _ROOM:
        return CollisionEnd.LIMIT
    return CollisionEnd.REFINED if len(searched) < len(steps) else CollisionEnd.STALLED


def _portal_is_reached(step: CollisionStep, tolerance: float) -> bool:
    """True if the newest vertex is beyond the portal by no more than the tolerance: the portal is then in the boundary."""
    beyond = step.vertices @ step.direction
    return bool(len(beyond) > 4 and beyond[4] - beyond[1:4].max() <= tolerance)


# The two faces with which boxes and hulls of meshes meet: a face of geom2 is cut along the sides of a face of geom1, seen along
# the contact's normal. Where several points carry a contact of flat faces, they are corners of what is left.
# Source: I. Sutherland, G. Hodgman, Reentrant polygon clipping, 1974.
_ALIGNED = 0.99999  # cosine: faces that are turned no more than 4.5e-3 rad against the normal meet
BOX, MESH = int(mjtGeom.mjGEOM_BOX), int(mjtGeom.mjGEOM_MESH)


class FaceClip(Struct, frozen=True):
    """Two faces that meet.

    face1, face2 (n, 3): the faces of the geoms [m], in world axes, counterclockwise from outside; cuts: what is left of face2
    after each side of face1, the last is what they have in common.
    """

    face1: Numbers
    face2: Numbers
    cuts: tuple[Numbers, ...]


def clip_faces(m: Model, d: Data, g1: int, g2: int, normal: Numbers) -> FaceClip | None:
    """The faces of two geoms that meet along a normal (3,) from the first to the second; None: no flat faces do."""
    face1, face2 = face_along(m, d, g1, normal), face_along(m, d, g2, -normal)
    if face1 is None or face2 is None or min(_flatness(face1, normal), _flatness(face2, -normal)) < _ALIGNED:
        return None
    left, cuts = face2, []
    for a, b in zip(face1, np.roll(face1, -1, axis=0), strict=True):
        left = _cut(left, a, np.cross(normal, b - a))
        cuts.append(left)
    return FaceClip(face1, face2, tuple(cuts))


def _flatness(face: Numbers, way: Numbers) -> float:
    """Cosine between the outward normal of a face and a direction."""
    outward = np.cross(face[1] - face[0], face[2] - face[1])
    return float(outward @ way) / max(float(np.linalg.norm(outward)), 1e-300)


def face_along(m: Model, d: Data, g: int, way: Numbers) -> Numbers | None:
    """The face (n, 3) of a box or of a mesh's hull whose outward normal is nearest to a direction; None: it has no faces."""
    axes, place = np.array(d.geom_xmat[g]).reshape(3, 3), np.array(d.geom_xpos[g])
    local = way @ axes
    kind = int(m.geom_type[g])
    if kind == BOX:
        return place + _box_face(np.array(m.geom_size[g]), local) @ axes.T
    mesh = int(m.geom_dataid[g])
    if kind != MESH or mesh < 0 or int(m.mesh_polynum[mesh]) == 0:
        return None
    first = int(m.mesh_polyadr[mesh])
    face = first + int(np.argmax(m.mesh_polynormal[first : first + int(m.mesh_polynum[mesh])] @ local))
    begin = int(m.mesh_polyvertadr[face])
    corners = m.mesh_polyvert[begin : begin + int(m.mesh_polyvertnum[face])]
    return place + np.array(m.mesh_vert[int(m.mesh_vertadr[mesh]) + corners], float) @ axes.T


def _box_face(size: Numbers, way: Numbers) -> Numbers:
    """The face of a box, in its frame, that looks in a direction."""
    k = int(np.argmax(np.abs(way)))
    sign = 1.0 if way[k] > 0 else -1.0
    i, j = (k + 1) % 3, (k + 2) % 3
    corners = np.empty((4, 3))
    corners[:, k] = sign * size[k]
    corners[:, i] = size[i] * np.array([-1, 1, 1, -1])
    corners[:, j] = size[j] * np.array([-1, -1, 1, 1]) * sign
    return corners


def _cut(polygon: Numbers, point: Numbers, inward: Numbers) -> Numbers:
    """Part of a polygon on the inner side of a plane through a point."""
    height = (polygon - point) @ inward
    kept = []
    for k in range(len(polygon)):
        a, b = height[k], height[(k + 1) % len(polygon)]
        if a >= 0:
            kept.append(polygon[k])
        if a * b < 0:
            kept.append(polygon[k] + a / (a - b) * (polygon[(k + 1) % len(polygon)] - polygon[k]))
    return np.array(kept).reshape(-1, 3)
