"""The surface of a box as points and elements, and the same drawn onto a cylinder or an ellipsoid.

Faces come in the order -z, +z, -y, +y, -x, +x, and points as the faces first have them. Solids (dim 3) have a point in the
middle, the first, with which every triangle makes a tetrahedron. Shells (dim 2) are open at the top, as in the reference.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from tumble.physics.compiler.flex.cloud import Cloud, Indices, Points, counts, require_points, rounded
from tumble.physics.mjcf.spec import Element

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
