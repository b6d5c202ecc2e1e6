"""Pictures of a contact's problem: sections with their contour lines and zones, and the iterates on them. No Qt here."""

from __future__ import annotations

import math
from enum import Enum
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.describe.numbers import short
from tumble.app.panels.solver.contact_solves import SOLVERS, ContactSolves
from tumble.physics.observe.contact_problem import (
    ContactProblem,
    Plane,
    SolverPath,
    Zone,
    dual_section,
    penalty_section,
    pgs_update,
    plane_of,
    primal_section,
    room_section,
    seen_by_pgs,
    zone_section,
)

Array = NDArray[np.float64]
Segments = NDArray[np.float64]  # (n, 2, 2): ends, x and y

FINE, COARSE = 193, 49  # points along a side, of zones, and of costs
LEVELS = 9
LABELLED = (0, 2, 4, 6, 8)  # of the levels
MARGIN = 0.14  # of the part that all iterates take, around it
PGS = list(SOLVERS).index("PGS")
NEWTON = list(SOLVERS).index("Newton")
ZONE_WORDS = {Zone.SEPARATED: "separated", Zone.SLIDING: "sliding", Zone.STICKING: "sticking"}
LONGEST = 60  # iterates that are drawn of a path: the first of them, and the last
AXES = ("normal", "tangent 1", "tangent 2", "torsion", "rolling 1", "rolling 2")
UNITS = ("m/s²", "N"), ("rad/s²", "N m")


class SectionAxes(Enum):
    """Directions of a section; the value is the label."""

    SLIDE = "Normal and sliding"
    FIRST = "Normal and tangent 1"
    SECOND = "Normal and tangent 2"
    BOTH = "Both tangents"
    TORSION = "Normal and torsion"


class SectionKind(Enum):
    """What the first picture shows; the value is the label."""

    COST = "Cost of the step"
    PENALTY = "Penalty of the contact"


class SectionChoice(Struct, frozen=True):
    """What to draw. through: solver and iterate, None: the solution that Newton ends at."""

    axes: SectionAxes = SectionAxes.SLIDE
    kind: SectionKind = SectionKind.COST
    through: tuple[int, int] | None = None


class Contours(Struct, frozen=True, eq=False):
    """Lines of equal cost, and labels (text, x, y)."""

    lines: Segments
    labels: tuple[tuple[str, float, float], ...] = ()


class PathPicture(Struct, frozen=True, eq=False):
    """Iterates of a solver on a section: (n, 2), and the number of each (n,)."""

    points: Array
    iterate: NDArray[np.int64]


class SectionPicture(Struct, frozen=True, eq=False):
    """A section, drawn over x and y; where it has one axis, a curve over x.

    title: what it shows; names: of the axes; box: x, y, width, height; codes (FINE, FINE): Zone, or of the dual 0 allowed, 1 not.
    words: labels of the zones (text, x, y); twin: contours of the other cone; border: of what is allowed; curve (2, n) or None.
    paths: of the solvers; rays, slices: of PGS; chosen, base: where the chosen iterate is, and where the section goes through.
    """

    title: str
    names: tuple[str, str]
    box: tuple[float, float, float, float]
    codes: NDArray[np.int64]
    words: tuple[tuple[str, float, float], ...]
    contours: Contours
    twin: Contours
    border: Segments
    curve: Array | None
    paths: tuple[PathPicture, ...]
    rays: Segments
    slices: Segments
    base: tuple[float, float]


class ContactPicture(Struct, frozen=True, eq=False):
    """The pictures of a contact; remark: what is different from what was asked for."""

    solves: ContactSolves
    choice: SectionChoice
    primal: SectionPicture
    dual: SectionPicture
    remark: str


def make_pictures(solves: ContactSolves, choice: SectionChoice) -> ContactPicture:
    """The sections of a step that is solved."""
    problem = solves.problem
    solver, iterate = choice.through or (NEWTON, -1)
    path = solves.paths[solver]
    wanted = section_columns(solves, choice.axes)
    plane, columns, remark = _moving_plane(problem, wanted)
    kind = choice.kind
    if not plane.moves:
        kind = SectionKind.PENALTY
    names = tuple(_axis_name(column, choice.axes) for column in columns.T)
    primal = _primal(solves, plane, kind, path, iterate, names)
    dual_plane = plane_of(problem, wanted)
    dual = _dual(solves, dual_plane, path, iterate, solver, tuple(_axis_name(column, choice.axes) for column in wanted.T))
    return ContactPicture(solves, choice, primal, dual, remark)


def section_columns(solves: ContactSolves, axes: SectionAxes) -> Array:
    """Directions (dim, 1 or 2) of a section, horizontal first; of a contact without friction its normal."""
    problem = solves.problem
    unit = np.eye(problem.dim)
    if problem.dim == 1:
        return unit
    slide = unit[1].copy()
    for tangents in (solves.paths[NEWTON].motion[-1, 1:3], solves.paths[NEWTON].force[-1, 1:3]):
        length = float(np.hypot(*tangents))
        if length > 1e-9:
            slide[1:3] = tangents / length
            break
    across = {
        SectionAxes.SLIDE: slide, SectionAxes.FIRST: unit[1], SectionAxes.SECOND: unit[2], SectionAxes.BOTH: unit[1],
        SectionAxes.TORSION: unit[3] if problem.dim > 3 else slide,
    }[axes]  # fmt: skip
    return np.stack([across, unit[2] if axes is SectionAxes.BOTH else unit[0]], axis=1)


def _moving_plane(problem: ContactProblem, columns: Array) -> tuple[Plane, Array, str]:
    """The plane of these directions, or of the one along which the bodies can move."""
    plane = plane_of(problem, columns)
    if plane.moves or columns.shape[1] == 1:
        return plane, columns, "" if plane.moves else "The bodies cannot move so: the penalty of the contact is shown"
    for k in (1, 0):
        one = plane_of(problem, columns[:, k : k + 1])
        if one.moves:
            return one, columns[:, k : k + 1], "The bodies can move along one of the two directions only"
    return plane, columns, "The bodies cannot move along these directions alone: the penalty of the contact is shown"


def _axis_name(column: Array, axes: SectionAxes) -> str:
    used = np.flatnonzero(column)
    if len(used) > 1 or (axes is SectionAxes.SLIDE and used[0] in (1, 2)):
        return "sliding"
    return AXES[int(used[0])]


def _titled(name: str, dual: bool) -> str:
    angular = name in AXES[3:]
    if dual:
        return f"{name} {'torque' if angular else 'force'} [{UNITS[angular][1]}]"
    return f"{name} acceleration \N{MINUS SIGN} reference [{UNITS[angular][0]}]"


# ---- the two sections


def _primal(
    solves: ContactSolves, plane: Plane, kind: SectionKind, path: SolverPath, iterate: int, names: tuple[str, ...]
) -> SectionPicture:
    problem, axes = solves.problem, plane.axes
    w = path.motion[iterate]
    points = [each.motion @ axes for each in solves.paths]
    box = _box(np.concatenate([*points, np.zeros((1, axes.shape[1]))]))
    x, y = _sides(box, COARSE)
    cost = kind is SectionKind.COST
    value = primal_section(problem, plane, path.qacc[iterate], x, y) if cost else penalty_section(problem, plane, w, x, y)
    best = _best(solves) if cost else 0.0
    fine = _sides(box, FINE)
    codes = zone_section(problem, plane, w, *fine)
    title = "Primal cost" if cost else "Penalty"
    if axes.shape[1] == 1:
        costs = [each.cost - best if cost else problem.penalty(w + (p - w @ axes) @ axes.T) for each, p in zip(solves.paths, points, strict=True)]
        return _curve(title, _titled(names[0], False), box, x, value[0] - best, codes, points, costs, float(w @ axes[:, 0]), ZONE_WORDS)
    levels = _levels(value, best)
    twin = Contours(np.zeros((0, 2, 2)))
    if not cost:
        other = penalty_section(solves.twin, plane, w, x, y)
        twin = Contours(_all_lines(x, y, other, levels))
    here = w @ axes
    return SectionPicture(
        title, (_titled(names[0], False), _titled(names[1], False)), box, codes, _words(codes, fine, ZONE_WORDS),
        _contours(x, y, value, levels, best, here), twin, np.zeros((0, 2, 2)), None,
        tuple(_path_picture(p) for p in points), np.zeros((0, 2, 2)), np.zeros((0, 2, 2)), (float(here[0]), float(here[1])),
    )  # fmt: skip


def _best(solves: ContactSolves) -> float:
    return float(min(path.cost.min() for path in solves.paths))


def _dual(
    solves: ContactSolves, plane: Plane, path: SolverPath, iterate: int, solver: int, names: tuple[str, ...]
) -> SectionPicture:
    problem, axes = solves.problem, plane.axes
    forces = path.rows[iterate]
    if solver == PGS and iterate > 0:
        forces = seen_by_pgs(problem, path.rows[iterate - 1], path.rows[iterate])
    points = [each.force @ axes for each in solves.paths]
    box = _box(np.concatenate([*points, _rim(solves, axes), np.zeros((1, axes.shape[1]))]))
    x, y = _sides(box, COARSE)
    value = dual_section(problem, plane, forces, x, y)
    fine = _sides(box, FINE)
    codes = (room_section(problem, plane, forces, *fine) < 0).astype(np.int64)
    words = {0: "allowed", 1: "not allowed"}
    best = float(min(each.dual.min() for each in solves.paths))
    here = problem.force(forces) @ axes
    if axes.shape[1] == 1:
        costs = [each.dual - best for each in solves.paths]
        return _curve("Dual cost", _titled(names[0], True), box, x, value[0] - best, codes, points, costs, float(here[0]), words)
    room = room_section(problem, plane, forces, x, y)
    levels = _levels(value[room >= 0] if (room >= 0).any() else value, best)
    rays, slices = _pgs_steps(problem, solves.paths[PGS], axes)
    return SectionPicture(
        "Dual cost", (_titled(names[0], True), _titled(names[1], True)), box, codes, _words(codes, fine, words),
        _contours(x, y, value, levels, best, here), Contours(np.zeros((0, 2, 2))), contour(x, y, room, 0.0), None,
        tuple(_path_picture(p) for p in points), rays, slices, (float(here[0]), float(here[1])),
    )  # fmt: skip


def _rim(solves: ContactSolves, axes: Array) -> Array:
    """Points of the cone at the largest normal force, so that it is in the picture."""
    problem = solves.problem
    if problem.dim == 1:
        return np.zeros((0, axes.shape[1]))
    normal = float(max(path.force[:, 0].max() for path in solves.paths))
    reach = normal * np.append(0.0, problem.friction)
    corners = np.concatenate([np.diag(reach), -np.diag(reach)])
    corners[:, 0] = normal
    return corners @ axes


def _pgs_steps(problem: ContactProblem, path: SolverPath, axes: Array) -> tuple[Segments, Segments]:
    """What PGS does to the contact's force in its sweeps: along rays, and in slices; a pyramid's edges count as slices."""
    rays, slices = [], []
    for before, after in pairwise(path.rows[:LONGEST]):
        steps = pgs_update(problem, before, after) @ problem.to_force.T @ axes
        ends = list(pairwise(steps))
        if len(ends) == 2 and problem.elliptic:
            rays.append(ends[0])
            slices.append(ends[1])
        else:
            slices += ends
    return np.array(rays).reshape(-1, 2, 2), np.array(slices).reshape(-1, 2, 2)


def _curve(
    title: str,
    name: str,
    box: tuple[float, float, float, float],
    x: Array,
    value: Array,
    codes: NDArray[np.int64],
    points: list[Array],
    costs: list[Array],
    here: float,
    words: dict[int, str] | dict[Zone, str],
) -> SectionPicture:
    """A section with one axis: cost above the best over it; iterates that are beside the section lie above the curve."""
    top = max(float(value.max()), *(float(cost.max()) for cost in costs), 1e-12)
    low = min(0.0, float(value.min()))
    shown = (box[0], low - 0.06 * (top - low), box[2], 1.16 * (top - low))
    paths = tuple(_path_picture(np.stack([p[:, 0], cost], axis=1)) for p, cost in zip(points, costs, strict=True))
    none = np.zeros((0, 2, 2))
    fine = _sides(shown, FINE)
    at = float(np.interp(here, x, value))
    return SectionPicture(
        title, (name, "cost \N{MINUS SIGN} best"), shown, np.repeat(codes[:1], FINE, axis=0),
        _words(np.repeat(codes[:1], FINE, axis=0), fine, words), Contours(none), Contours(none), none,
        np.stack([x, value]), paths, none, none, (here, at),
    )  # fmt: skip


# ---- boxes, contours, words


def _box(points: Array) -> tuple[float, float, float, float]:
    """x, y, width and height around points (n, 1 or 2); neither side is much thinner than the other."""
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    span = high - low
    least = max(0.3 * float(span.max()), 1e-6 * float(np.abs(points).max(initial=0.0)), 1e-9)
    span = np.maximum(span, least)
    middle = 0.5 * (low + high)
    start, size = middle - (0.5 + MARGIN) * span, (1 + 2 * MARGIN) * span
    if len(start) == 1:
        return float(start[0]), 0.0, float(size[0]), 1.0
    return float(start[0]), float(start[1]), float(size[0]), float(size[1])


def _sides(box: tuple[float, float, float, float], count: int) -> tuple[Array, Array]:
    return np.linspace(box[0], box[0] + box[2], count), np.linspace(box[1], box[1] + box[3], count)


def _levels(value: Array, best: float) -> Array:
    """Costs of the contour lines: closer to each other near the best."""
    height = float(np.percentile(value, 92)) - best
    return best + max(height, 1e-300) * ((1 + np.arange(LEVELS)) / LEVELS) ** 2


def _contours(x: Array, y: Array, value: Array, levels: Array, best: float, here: Array) -> Contours:
    lines, labels = [], []
    taken: list[Array] = []
    size = np.array([x[-1] - x[0], y[-1] - y[0]])
    for k, level in enumerate(levels):
        line = contour(x, y, value, float(level))
        lines.append(line)
        if k in LABELLED and len(line):
            middle = line.mean(axis=1)
            place = _label_place((middle - [x[0], y[0]]) / size, (here - [x[0], y[0]]) / size, taken)
            if place >= 0:
                taken.append((middle[place] - [x[0], y[0]]) / size)
                labels.append((short(float(level - best), least=0.0, figures=2), float(middle[place][0]), float(middle[place][1])))
    return Contours(np.concatenate(lines) if lines else np.zeros((0, 2, 2)), tuple(labels))


def _label_place(points: Array, here: Array, taken: list[Array]) -> int:
    """The point for a label, in shares of the picture: to the lower right of the solution, away from others; -1: none."""
    away = points - here
    turn = np.arctan2(away[:, 1], away[:, 0])
    score = np.abs(np.angle(np.exp(1j * (turn + 0.5))))
    score += 10.0 * ((points < 0.06) | (points > 0.94)).any(axis=1)
    for other in taken:
        apart = np.abs(points - other)
        score += 20.0 * ((apart[:, 0] < 0.14) & (apart[:, 1] < 0.09))
    best = int(np.argmin(score))
    return best if score[best] < 10.0 else -1


def _all_lines(x: Array, y: Array, value: Array, levels: Array) -> Segments:
    return np.concatenate([contour(x, y, value, float(level)) for level in levels])


def contour(x: Array, y: Array, value: Array, level: float) -> Segments:
    """Line where the values of a grid (ny, nx) are at a level, in pieces: each cell is two triangles, linear in each."""
    over = value - level
    left, down = np.meshgrid(np.arange(len(x) - 1), np.arange(len(y) - 1))
    a, b = left.ravel(), down.ravel()
    corners = np.stack([
        np.stack([b * len(x) + a, b * len(x) + a + 1, (b + 1) * len(x) + a]),
        np.stack([(b + 1) * len(x) + a + 1, (b + 1) * len(x) + a, b * len(x) + a + 1]),
    ], axis=2).reshape(3, -1)  # fmt: skip
    flat = over.ravel()
    above = flat[corners] > 0
    crossed = above.any(axis=0) & ~above.all(axis=0)
    corners, above = corners[:, crossed], above[:, crossed]
    # The corner that is on a side of its own: the line crosses the two edges from it.
    lone = np.where(above.sum(axis=0) == 1, above.argmax(axis=0), (~above).argmax(axis=0))
    at = np.arange(corners.shape[1])
    tip = corners[lone, at]
    ends = []
    for k in (1, 2):
        other = corners[(lone + k) % 3, at]
        with np.errstate(invalid="ignore"):
            share = flat[tip] / (flat[tip] - flat[other])
        px = x[tip % len(x)] + share * (x[other % len(x)] - x[tip % len(x)])
        py = y[tip // len(x)] + share * (y[other // len(x)] - y[tip // len(x)])
        ends.append(np.stack([px, py], axis=1))
    return np.stack(ends, axis=1).reshape(-1, 2, 2)


def _words(
    codes: NDArray[np.int64], sides: tuple[Array, Array], words: dict[int, str] | dict[Zone, str]
) -> tuple[tuple[str, float, float], ...]:
    """A word for each zone, at the place in it that is furthest from the others and the rim."""
    step = 10
    rough = codes[::step, ::step]
    rows, columns = np.indices(rough.shape)
    rim = np.minimum.reduce([rows, columns, rough.shape[0] - 1 - rows, rough.shape[1] - 1 - columns]) + 0.5
    places = []
    for code, word in words.items():
        inside = np.argwhere(rough == code)
        if len(inside) == 0:
            continue
        outside = np.argwhere(rough != code)
        room = rim[rough == code]
        if len(outside):
            apart = np.sqrt(((inside[:, None] - outside[None]) ** 2).sum(axis=2)).min(axis=1)
            room = np.minimum(room, apart)
        row, column = inside[int(np.argmax(room))]
        if room.max() >= 1.5:
            places.append((word, float(sides[0][column * step]), float(sides[1][row * step])))
    return tuple(places)


def _path_picture(points: Array) -> PathPicture:
    kept = np.arange(len(points))
    if len(kept) > LONGEST:
        kept = np.append(kept[: LONGEST - 1], len(points) - 1)
    if points.shape[1] == 1:
        points = np.concatenate([points, np.zeros_like(points)], axis=1)
    return PathPicture(points[kept], kept)


def iterate_text(solves: ContactSolves, solver: int, iterate: int) -> str:
    """Numbers of an iterate."""
    path = solves.paths[solver]
    best = _best(solves)
    motion, force = (", ".join(short(float(v), figures=4) for v in values[iterate]) for values in (path.motion, path.force))
    gap = float(path.cost[iterate] + path.dual[iterate])
    return (
        f"{path.solver} {iterate} of {len(path) - 1}   primal {short(float(path.cost[iterate]), figures=8)}"
        f" = best + {short(max(0.0, float(path.cost[iterate]) - best), least=0.0)}"
        f"   dual {short(float(path.dual[iterate]), figures=8)}   gap {short(gap, least=0.0)}"
        f"   gradient {short(float(path.gradient[iterate]), least=0.0)}"
        f"   J a \N{MINUS SIGN} aref = ({motion})   force ({force})"
    )


def costs_above(solves: ContactSolves, quantity: str) -> list[Array]:
    """Primal or dual cost of each path above the lowest that any reached, at least the size of rounding, for a log axis."""
    values = [np.asarray(getattr(path, quantity), float) for path in solves.paths]
    best = min(float(each.min()) for each in values)
    size = max(float(np.abs(each).max()) for each in values)
    least = max(float(np.finfo(float).eps) * size, math.ulp(0.0))
    return [np.maximum(each - best, least) for each in values]
