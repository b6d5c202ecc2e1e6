"""The points of a <flexcomp> and the elements between them, by its type.

A grid has its points in the order of x, then y, then z, around the origin. Its squares are cut into two triangles, its cubes
into six tetrahedra. A disc is a square grid drawn into an ellipse, whose squares are cut so that no triangle has its three
corners on the rim.

A box is its surface, and a cylinder or an ellipsoid the same, drawn onto that shape. Faces come in the order -z, +z, -y, +y, -x,
+x, and points as the faces first have them. Solids (dim 3) have a point in the middle, the first, with which every triangle makes
a tetrahedron. Shells (dim 2) are open at the top, as in the reference.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.mjcf.spec import Element

Points = NDArray[np.float64]
Indices = NDArray[np.int64]
Pins = NDArray[np.bool_]

MOST_POINTS = 60_000  # of one flexcomp if each of them is a body, of which a model has at most 65,536
MOST_VERTICES = 1_000_000  # if they are not
_SQUARE = (((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 1), (0, 1)))
_OTHER_WAY = (((0, 0), (1, 0), (0, 1)), ((1, 0), (1, 1), (0, 1)))
# Tetrahedra of a cube, by the corners 4 x + 2 y + z.
_CUBE = ((0, 2, 4, 3), (0, 4, 1, 3), (4, 2, 6, 3), (4, 6, 7, 3), (4, 5, 1, 3), (4, 7, 5, 3))


class Cloud(Struct, eq=False):
    """Points (n, 3) [m], elements (k, dim + 1) of points, and texture coordinates (n, 2), none: (0, 2)."""

    points: Points
    elements: Indices
    texcoord: Points

    def without_loose(self) -> Cloud:
        """The same without points that no element has, which would be bodies that nothing holds."""
        used = np.zeros(len(self.points), bool)
        used[self.elements] = True
        if used.all():
            return self
        place = np.cumsum(used) - 1
        texcoord = self.texcoord[used] if len(self.texcoord) == len(used) else self.texcoord
        return Cloud(self.points[used], place[self.elements], texcoord)


def counts(element: Element, dim: int) -> tuple[int, int, int]:
    """The counts of a generated shape, 1 along axes that it does not have. Raises MjcfError for what gives no element."""
    written = [int(v) for v in element.get("count")]
    if min(written) < 1:
        raise element.error(f"count must be 1 or more, is {' '.join(map(str, written))}")
    kind = element.get("type")
    if dim == 2 and kind in ("grid", "square", "disc", "circle") and written[2] > 1:
        raise element.error(f"count of a {kind} of dim 2 must end in 1, is {' '.join(map(str, written))}")
    x, y, z = (n if k < dim else 1 for k, n in enumerate(written))
    least = 3 if kind == "circle" and dim == 1 else 2
    if min((x, y, z)[:dim]) < least:
        raise element.error(f"count must be {least} or more along {'xyz'[:dim]}, is {' '.join(map(str, written))}: "
                            "there would be no element")  # fmt: skip
    return x, y, z


def require_points(element: Element, number: int) -> None:
    """Raise MjcfError for more points than can be bodies, or vertices where the points do not become bodies."""
    most = MOST_VERTICES if element.get("rigid") or element.get("dof") in ("trilinear", "quadratic") else MOST_POINTS
    if number > most:
        raise element.error(f"would have {number} points; {most} are the most")


def grid(element: Element, dim: int) -> Cloud:
    """A grid of one, two or three dimensions."""
    number = counts(element, dim)
    require_points(element, math.prod(number))
    cells = _cells(number, dim)
    if dim == 1:
        elements = cells[:, None] + np.array((0, 1))
    elif dim == 2:
        elements = _squares(number[1], cells, np.zeros(len(cells), bool))
    else:
        x, y, z = np.array(list(product((0, 1), repeat=3))).T
        corners = (x * number[1] + y) * number[2] + z
        elements = (cells[:, None, None] + corners[np.array(_CUBE)]).reshape(-1, 4)
    return Cloud(_lattice(number, element.get("spacing")), elements, texture(element, number))


def disc(element: Element) -> Cloud:
    """A square grid drawn into an ellipse."""
    number = counts(element, 2)
    require_points(element, math.prod(number))
    half = 0.5 * np.asarray(element.get("spacing"), float) * (np.array(number) - 1)
    cells = _cells(number, 2)
    low = np.stack(np.divmod(cells, number[1]), axis=1) < 0.5 * (np.array(number[:2]) - 1)
    elements = _squares(number[1], cells, low[:, 0] != low[:, 1])
    return Cloud(rounded(_lattice(number, element.get("spacing"))) * half, elements, texture(element, number))


def circle(element: Element) -> Cloud:
    """A closed line, its pieces as long as the spacing; the last of the count is the first again."""
    number = counts(element, 1)[0] - 1
    require_points(element, number)
    turn = 2 * math.pi / number
    radius = 0.5 * float(element.get("spacing")[0]) / math.sin(0.5 * turn)
    angle = turn * np.arange(number)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(number)], axis=1)
    first = np.arange(number)
    return Cloud(points, np.stack([first, (first + 1) % number], axis=1), np.empty((0, 2)))


def direct(element: Element, dim: int) -> Cloud:
    """Points and elements as they are written."""
    points, elements = (np.atleast_1d(np.asarray(element.get(name, ()))) for name in ("point", "element"))
    if not points.size or not elements.size:
        raise element.error("needs both point and element for type direct")
    if points.size % 3:
        raise element.error(f"point needs three numbers for each, has {points.size}")
    if elements.size % (dim + 1):
        raise element.error(f"element needs {dim + 1} points for each of dim {dim}, has {elements.size} numbers")
    require_points(element, points.size // 3)
    wrong = elements[(elements < 0) | (elements >= points.size // 3)]
    if wrong.size:
        raise element.error(f"element has point {wrong[0]}; there are points 0 to {points.size // 3 - 1}")
    whole = Cloud(points.reshape(-1, 3).astype(float), elements.reshape(-1, dim + 1).astype(np.int64), np.empty((0, 2)))
    return whole.without_loose()


def rounded(points: Points) -> Points:
    """Points of a square drawn into a circle, along rays: the rim of a square of half side r becomes a circle of radius r."""
    reach, length = np.abs(points).max(axis=1), np.linalg.norm(points, axis=1)
    return points * np.divide(reach, length, out=np.zeros_like(length), where=length > 0)[:, None]


def texture(element: Element, number: tuple[int, int, int]) -> Points:
    """Texture coordinates from 0 to 1 along x and y, if there is a material to need them and two dimensions."""
    if not element.get("material") or number[1] < 2:
        return np.empty((0, 2))
    x, y, _ = np.meshgrid(*(np.arange(n) / max(1, n - 1) for n in number), indexing="ij")
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _lattice(number: tuple[int, int, int], spacing: Points) -> Points:
    axes = (float(step) * (np.arange(n) - 0.5 * (n - 1)) for n, step in zip(number, spacing, strict=True))
    return np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")], axis=1)


def _cells(number: tuple[int, int, int], dim: int) -> Indices:
    """The first corner of each cell of a grid."""
    x, y, z = (range(n - 1) if k < dim else range(1) for k, n in enumerate(number))
    return np.array([(i * number[1] + j) * number[2] + k for i, j, k in product(x, y, z)])


def _squares(columns: int, cells: Indices, other_way: NDArray[np.bool_]) -> Indices:
    """Two triangles for each square, those that are marked cut along their other diagonal."""
    cuts = np.array([[[i * columns + j for i, j in triangle] for triangle in cut] for cut in (_SQUARE, _OTHER_WAY)])
    return (cells[:, None, None] + cuts[other_way.astype(int)]).reshape(-1, 3)


Corner = tuple[int, int, int]

# Of each face: its normal axis, whether it is the far one, the two axes along it.
_FACES = ((2, 0, 0, 1), (2, 1, 0, 1), (1, 0, 0, 2), (1, 1, 0, 2), (0, 0, 1, 2), (0, 1, 1, 2))
_SOLID = (((0, 0), (1, 0), (1, 1)), ((0, 0), (0, 1), (1, 1)))
# How the squares of a shell are cut, so that all triangles face outwards, face by face.
_FORWARD = (((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 1), (0, 1)))
_BACK = (((0, 0), (1, 1), (1, 0)), ((0, 0), (0, 1), (1, 1)))
_ACROSS = (((1, 0), (0, 0), (0, 1)), ((1, 0), (0, 1), (1, 1)))
_SHELL = (_BACK, _FORWARD, _FORWARD, _ACROSS, _ACROSS, _FORWARD)


def box(element: Element, dim: int) -> Cloud:
    """A box, cylinder or ellipsoid. Raises MjcfError for a count without elements."""
    number = counts(element, 3)
    x, y, z = number
    require_points(element, 2 * (x * y + y * z + x * z))
    ids: dict[Corner, int] = {}
    uses = list[tuple[int, int]]()  # for texture coordinates: the axes along the face that first has a point
    elements = list[list[int]]()
    for face, (normal, far, u, v) in enumerate(_FACES):
        if dim == 2 and (normal, far) == (2, 1):
            continue

        def point(i: int, j: int, normal: int = normal, far: int = far, u: int = u, v: int = v) -> int:
            corner = [0, 0, 0]
            corner[normal], corner[u], corner[v] = far * (number[normal] - 1), i, j
            return _added(ids, uses, (corner[0], corner[1], corner[2]), (u, v))

        for i, j in product(range(number[u]), range(number[v])):
            point(i, j)
        for i, j in product(range(number[u] - 1), range(number[v] - 1)):
            for triangle in _SOLID if dim == 3 else _SHELL[face]:
                elements.append([point(i + a, j + b) for a, b in triangle])
    points = _placed(element, number, np.array(list(ids), float))
    made = _texture(element, number, ids, uses)
    triangles: Indices = np.array(elements)
    if dim == 3:
        solid = np.concatenate([np.zeros((len(triangles), 1), np.int64), 1 + triangles], axis=1)
        return Cloud(np.concatenate([np.zeros((1, 3)), points]), solid, np.concatenate([np.zeros((min(1, len(made)), 2)), made]))
    if triangles.size % (dim + 1):
        raise element.error(f"dim {dim} cannot be made of the {len(triangles)} triangles of a {element.get('type')}; valid: 2, 3")
    return Cloud(points, triangles.reshape(-1, dim + 1), made)


def _added(ids: dict[Corner, int], uses: list[tuple[int, int]], corner: Corner, along: tuple[int, int]) -> int:
    if corner not in ids:
        uses.append(along)
    return ids.setdefault(corner, len(ids))


def _placed(element: Element, number: Corner, corners: Points) -> Points:
    """Corners of the lattice on the surface of the shape."""
    half = 0.5 * np.asarray(element.get("spacing"), float) * (np.array(number) - 1)
    unit = 2 * corners / (np.array(number) - 1) - 1
    kind = element.get("type")
    if kind == "cylinder":
        unit[:, :2] = rounded(unit[:, :2])
    elif kind == "ellipsoid":
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    return unit * half


def _texture(element: Element, number: Corner, ids: dict[Corner, int], uses: list[tuple[int, int]]) -> Points:
    """Texture coordinates from 0 to 1 over the face that first has a point, if there is a material to need them."""
    if not element.get("material"):
        return np.empty((0, 2))
    return np.array([[corner[axis] / (number[axis] - 1) for axis in along] for corner, along in zip(ids, uses, strict=True)])


def pinned(element: Element, number: int, dim: int) -> Pins:
    """Mask (number,) of pinned points. Raises MjcfError, at the <pin>, for points that do not exist."""
    pins = np.full(number, bool(element.get("rigid")))
    for pin in element.all("pin"):
        asked = ("id", "range", "grid", "gridrange")
        written = {name: np.atleast_1d(pin.get(name)).astype(int) for name in asked if np.size(pin.get(name, ()))}
        for name, width in (("range", 2), ("grid", dim), ("gridrange", 2 * dim)):
            if name in written and written[name].size % width:
                raise pin.error(f"{name} needs {width} numbers for each, has {written[name].size}")
            if name.startswith("grid") and name in written and element.get("type") != "grid":
                raise pin.error(f"{name} goes with type grid alone; use id or range")
        for one in written.get("id", ()):
            _pin(pins, pin, "id", int(one), int(one))
        for first, last in written.get("range", np.empty(0, int)).reshape(-1, 2):
            _pin(pins, pin, "range", int(first), int(last))
        for at in written.get("grid", np.empty(0, int)).reshape(-1, dim):
            _pin_grid(pins, pin, "grid", element, at, at)
        for low_high in written.get("gridrange", np.empty(0, int)).reshape(-1, 2 * dim):
            _pin_grid(pins, pin, "gridrange", element, low_high[:dim], low_high[dim:])
    return pins


def _pin(pins: Pins, pin: Element, name: str, first: int, last: int) -> None:
    for end in (first, last):
        if not 0 <= end < len(pins):
            raise pin.error(f"{name} has point {end}; there are points 0 to {len(pins) - 1}")
    pins[first : last + 1] = True


def _pin_grid(pins: Pins, pin: Element, name: str, element: Element, low: NDArray[np.int64], high: NDArray[np.int64]) -> None:
    count = [int(n) for n in element.get("count")][: len(low)]
    for end in (low, high):
        for axis, (at, most) in enumerate(zip(end, count, strict=True)):
            if not 0 <= at < most:
                raise pin.error(f"{name} has {at} along {'xyz'[axis]}; there are 0 to {most - 1}")
    ranges = (range(int(a), int(b) + 1) for a, b in zip(low, high, strict=True))
    for place in product(*ranges):
        index = 0
        for at, most in zip(place, count, strict=True):
            index = index * most + at
        pins[index] = True
