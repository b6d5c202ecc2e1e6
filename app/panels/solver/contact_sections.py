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
from tumble.app.panels.solver.section_canvas import Box, Bytes, Codes, SectionGround, Values, make_canvas, words_of
from tumble.physics.observe.optimization.contact_problem import ContactProblem, Zone
from tumble.physics.observe.optimization.sections import (
    Plane,
    SolverPath,
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

ABOVE = 0.25  # of the largest normal acceleration, that is in the picture above the tip of the cone
THINNEST = 0.3  # of the longer side of a picture, the other one
MARGIN = 0.08  # of the part that all iterates take, around it
LEAST, MOST = 40, 1200  # pixels of a side of a picture
WINDOW = (360, 160)  # of a picture without a size of its own [px]
PGS = list(SOLVERS).index("PGS")
NEWTON = list(SOLVERS).index("Newton")
ZONE_WORDS = {int(Zone.SEPARATED): "separated", int(Zone.SLIDING): "sliding", int(Zone.STICKING): "sticking"}
SMOOTH_WORDS = {int(Zone.SEPARATED): "separated", int(Zone.STICKING): "pressed"}  # of contacts without friction
ALLOWED_WORDS = {0: "allowed", 1: "not allowed"}
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
    """Cost that the first picture shows; the value is the label."""

    COST = "Cost of the step"
    PENALTY = "Penalty of the contact"


class SectionChoice(Struct, frozen=True):
    """Settings of the pictures. through: solver and iterate, None: the solution that Newton ends at.

    sizes: of the two pictures [px]; boxes: the parts of them that are in view, None: all iterates.
    """

    axes: SectionAxes = SectionAxes.SLIDE
    kind: SectionKind = SectionKind.COST
    through: tuple[int, int] | None = None
    sizes: tuple[tuple[int, int], tuple[int, int]] = (WINDOW, WINDOW)
    boxes: tuple[Box | None, Box | None] = (None, None)


class PathPicture(Struct, frozen=True, eq=False):
    """Iterates of a solver on a section: (n, 2), and the number of each (n,)."""

    points: Array
    iterate: NDArray[np.int64]


class SectionPicture(Struct, frozen=True, eq=False):
    """A section, drawn over x and y; where it has one axis, a curve over x.

    title: what it shows; names, units: of the axes, horizontal first; box: what it covers, whole: what all iterates take.
    paths: of the solvers; rays, slices: of PGS; base: where the section goes through; curve (2, n) or None.
    """

    title: str
    names: tuple[str, str]
    units: tuple[str, str]
    box: Box
    whole: Box
    canvas: SectionGround
    paths: tuple[PathPicture, ...]
    base: tuple[float, float]
    rays: Segments
    slices: Segments
    curve: Array | None = None


class ContactPicture(Struct, frozen=True, eq=False):
    """The pictures of a contact; remark: what is different from what was asked for."""

    solves: ContactSolves
    choice: SectionChoice
    primal: SectionPicture
    dual: SectionPicture
    remark: str


def make_pictures(solves: ContactSolves, choice: SectionChoice) -> ContactPicture:
    """The sections of a step that is solved."""
    columns = section_columns(solves, choice.axes)
    plane, remark = _moving_plane(solves.problem, columns)
    primal = _primal(solves, plane, choice)
    dual = _dual(solves, plane_of(solves.problem, columns), choice)
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


def _moving_plane(problem: ContactProblem, columns: Array) -> tuple[Plane, str]:
    """The plane of these directions, or of the one along which the bodies can move."""
    plane = plane_of(problem, columns)
    if plane.moves:
        return plane, ""
    for k in reversed(range(columns.shape[1])):
        one = plane_of(problem, columns[:, k : k + 1])
        if one.moves:
            return one, "the bodies move along this one only"
    return plane, "the bodies cannot move along these directions alone: the penalty of the contact"


def _axis_name(column: Array) -> str:
    used = np.flatnonzero(column)
    return "sliding" if len(used) > 1 else AXES[int(used[0])]


def _names(axes: Array) -> tuple[str, str]:
    """Names of the axes; the second is the cost, if there is only one."""
    names = [_axis_name(column) for column in axes.T]
    return names[0], names[1] if len(names) > 1 else "cost"


def _units(axes: Array, *, dual: bool) -> tuple[str, str]:
    """Their units; of costs, none."""
    units = [UNITS[bool(column[3:].any())][dual] for column in axes.T]
    return units[0], units[1] if len(units) > 1 else ""


# ---- the two sections


def _primal(solves: ContactSolves, plane: Plane, choice: SectionChoice) -> SectionPicture:
    problem, axes = solves.problem, plane.axes
    solver, iterate = choice.through or (NEWTON, -1)
    path = solves.paths[solver]
    w = path.motion[iterate]
    points = [each.motion @ axes for each in solves.paths]
    above = ABOVE * float(max(np.abs(each.motion[:, 0]).max() for each in solves.paths)) * axes[:1]
    whole = _box(np.concatenate([*points, np.zeros_like(above), above]), axes)
    box = choice.boxes[0] or whole
    cost = plane.moves and choice.kind is SectionKind.COST
    best = min(float(each.cost.min()) for each in solves.paths) if cost else 0.0

    def values(x: Array, y: Array) -> Array:
        if cost:
            return primal_section(problem, plane, path.qacc[iterate], x, y)
        return penalty_section(problem, plane, w, x, y)

    def zones(x: Array, y: Array) -> Bytes:
        return zone_section(problem, plane, w, x, y).astype(np.uint8)

    def twin(x: Array, y: Array) -> Array:
        return penalty_section(solves.twin, plane, w, x, y)

    title, here = "Primal cost" if cost else "Penalty", w @ axes
    heads = title, _names(axes), _units(axes, dual=False)
    if axes.shape[1] == 1:
        costs = [
            each.cost - best if cost else problem.penalty(w + (p - here) @ axes.T)
            for each, p in zip(solves.paths, points, strict=True)
        ]
        words = ZONE_WORDS if problem.dim > 1 else SMOOTH_WORDS
        frame = whole, choice.boxes[0], choice.sizes[0]
        return _curve(heads, frame, lambda x, y: values(x, y) - best, zones, points, costs, float(here[0]), words)
    canvas = make_canvas(box, choice.sizes[0], values, zones, best, here, ZONE_WORDS, exact=not cost, twin=None if cost else twin)
    paths = tuple(_path_picture(p) for p in points)
    return SectionPicture(*heads, box, whole, canvas, paths, (float(here[0]), float(here[1])), _NONE, _NONE)


def _dual(solves: ContactSolves, plane: Plane, choice: SectionChoice) -> SectionPicture:
    problem, axes = solves.problem, plane.axes
    solver, iterate = choice.through or (NEWTON, -1)
    path = solves.paths[solver]
    forces = path.rows[iterate]
    if solver == PGS and iterate > 0:
        forces = seen_by_pgs(problem, path.rows[iterate - 1], path.rows[iterate])
    points = [each.force @ axes for each in solves.paths]
    whole = _box(np.concatenate([*points, _rim(solves, axes, float(path.force[iterate, 0])), np.zeros((1, axes.shape[1]))]), axes)
    box = choice.boxes[1] or whole
    best = min(float(each.dual.min()) for each in solves.paths)

    def values(x: Array, y: Array) -> Array:
        return dual_section(problem, plane, forces, x, y)

    def room(x: Array, y: Array) -> Array:
        return room_section(problem, plane, forces, x, y)

    def outside(x: Array, y: Array) -> Bytes:
        return (room(x, y) < 0).astype(np.uint8)

    heads, here = ("Dual cost", _names(axes), _units(axes, dual=True)), problem.force(forces) @ axes
    if axes.shape[1] == 1:
        costs = [each.dual - best for each in solves.paths]
        frame = whole, choice.boxes[1], choice.sizes[1]
        return _curve(heads, frame, lambda x, y: values(x, y) - best, outside, points, costs, float(here[0]), ALLOWED_WORDS)
    canvas = make_canvas(box, choice.sizes[1], values, outside, best, here, ALLOWED_WORDS, room=room)
    rays, slices = _pgs_steps(problem, solves.paths[PGS], axes)
    paths = tuple(_path_picture(p) for p in points)
    return SectionPicture(*heads, box, whole, canvas, paths, (float(here[0]), float(here[1])), rays, slices)


def _rim(solves: ContactSolves, axes: Array, normal: float) -> Array:
    """Points of the cone at the largest normal force, so that it is in the picture; across the normal: at this one [N]."""
    problem = solves.problem
    if axes[0].any():
        normal = float(max(path.force[:, 0].max() for path in solves.paths))
    reach = normal * np.append(0.0, problem.friction)
    corners = np.concatenate([np.diag(reach), -np.diag(reach)])
    corners[:, 0] = normal
    return corners @ axes


def _pgs_steps(problem: ContactProblem, path: SolverPath, axes: Array) -> tuple[Segments, Segments]:
    """Moves of the contact's force in the sweeps of PGS: along rays, and in slices; a pyramid's edges count as slices."""
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


_NONE = np.zeros((0, 2, 2))


def _curve(
    heads: tuple[str, tuple[str, str], tuple[str, str]], frame: tuple[Box, Box | None, tuple[int, int]], values: Values,
    zones: Codes, points: list[Array], costs: list[Array], here: float, words: dict[int, str],
) -> SectionPicture:  # fmt: skip
    """A section with one axis: cost above the best over it; iterates that are beside the section lie above the curve.

    heads: title, names and units; frame: all that iterates take, the part in view, and its size.
    """
    whole, box, size = frame
    nothing = np.zeros(1)
    x = np.linspace(whole[0], whole[0] + whole[2], size[0])
    value = values(x, nothing)[0]
    top = max(float(value.max()), *(float(cost.max()) for cost in costs), 1e-12)
    low = min(0.0, float(value.min()))
    whole = (whole[0], low - 0.08 * (top - low), whole[2], 1.2 * (top - low))
    if box is not None:
        x = np.linspace(box[0], box[0] + box[2], size[0])
        value = values(x, nothing)[0]
    box = box or whole
    codes = np.repeat(zones(x, nothing), size[1], axis=0)
    blank = np.zeros_like(codes)
    canvas = SectionGround(codes, blank, blank, blank, words=words_of(codes, box, words))
    paths = tuple(_path_picture(np.stack([p[:, 0], cost], axis=1)) for p, cost in zip(points, costs, strict=True))
    at = float(values(np.array([here]), nothing)[0, 0])
    return SectionPicture(*heads, box, whole, canvas, paths, (here, at), _NONE, _NONE, np.stack([x, value]))


# ---- boxes, paths, numbers


def _box(points: Array, axes: Array) -> Box:
    """The box around points (n, 1 or 2); neither side is much thinner than another of the same unit."""
    points = points[np.isfinite(points).all(axis=1)]
    low, high = points.min(axis=0), points.max(axis=0)
    span, angular = high - low, np.abs(axes[3:]).sum(axis=0) > 0
    longest = span if len(set(angular.tolist())) > 1 else np.full_like(span, span.max())
    size = np.abs(points).max(axis=0)
    span = np.maximum.reduce([span, THINNEST * longest, 1e-6 * size, np.full_like(span, 1e-9)])
    middle = 0.5 * (low + high)
    start, size = middle - (0.5 + MARGIN) * span, (1 + 2 * MARGIN) * span
    if len(start) == 1:
        return float(start[0]), 0.0, float(size[0]), 1.0
    return float(start[0]), float(start[1]), float(size[0]), float(size[1])


def _path_picture(points: Array) -> PathPicture:
    kept = np.arange(len(points))
    if len(kept) > LONGEST:
        kept = np.append(kept[: LONGEST - 1], len(points) - 1)
    return PathPicture(points[kept], kept)


def iterate_text(solves: ContactSolves, solver: int, iterate: int, figures: int = 3) -> str:
    """Numbers of an iterate; costs are those above the best."""
    path = solves.paths[solver]
    primal, dual = (float(costs_above(solves, name)[solver][iterate]) for name in ("cost", "dual"))
    gap = max(0.0, float(path.cost[iterate] + path.dual[iterate]))
    costs = (("primal +", primal), ("dual +", dual), ("gap ", gap), ("gradient ", float(path.gradient[iterate])))
    words = [f"{name}{short(value, least=0.0, figures=figures)}" for name, value in costs]
    for name, values in (("a", path.motion[iterate]), ("force", path.force[iterate])):
        words.append(f"{name} ({', '.join(short(float(value), figures=figures) for value in values)})")
    return f"{path.solver} {iterate}/{len(path) - 1}:  {',  '.join(words)}"


def costs_above(solves: ContactSolves, quantity: str) -> list[Array]:
    """Primal or dual cost of each path above the lowest that any reached, at least the size of rounding, for a log axis."""
    values = [np.asarray(getattr(path, quantity), float) for path in solves.paths]
    best = min(float(each.min()) for each in values)
    size = max(float(np.abs(each).max()) for each in values)
    least = max(float(np.finfo(float).eps) * size, math.ulp(0.0))
    return [np.maximum(each - best, least) for each in values]
