"""Flexes as they are drawn: triangles on both sides of a cloth, the skin of a solid, rods along edges, balls at vertices.

What never changes (which corners make which triangles) is found once; what does, the place of each corner, is written
for each picture by compiled functions, into memory that is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.query.compiled import (
    ROD_WIDTH,
    SURFACE_WIDTH,
    flat_corners,
    rim_corners,
    rod_ends,
    smooth_corners,
    vertex_normals,
)  # fmt: skip
from tumble.render.constants import MeshId

if TYPE_CHECKING:
    from tumble.physics import MjModel

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

CABLE, CLOTH = 1, 2  # of flex_dim
# The faces of a tetrahedron, seen from outside.
_TETRAHEDRON = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))


def _part(model: MjModel, what: str, flex: int) -> slice:
    first = int(getattr(model, f"flex_{what}adr")[flex])
    return slice(first, first + int(getattr(model, f"flex_{what}num")[flex]))


def vertices_of(model: MjModel, flex: int) -> slice:
    """The vertices of a flex, among those of all flexes."""
    return _part(model, "vert", flex)


def element_vertices(model: MjModel, flex: int) -> Ints:
    """(n, dim + 1) vertices of each element, counted from the flex's first."""
    return _of_elements(model, model.flex_elem, flex)


def _of_elements(model: MjModel, numbers: NDArray[np.int32], flex: int) -> Ints:
    width, first = int(model.flex_dim[flex]) + 1, int(model.flex_elemdataadr[flex])
    return np.asarray(numbers)[first : first + width * int(model.flex_elemnum[flex])].reshape(-1, width)


def shell(model: MjModel, flex: int) -> Ints:
    """(n, dim) vertices of each fragment of a flex's border: the rim of a cloth, the skin of a solid."""
    width, first = int(model.flex_dim[flex]), int(model.flex_shelldataadr[flex])
    return np.asarray(model.flex_shell)[first : first + width * int(model.flex_shellnum[flex])].reshape(-1, width)


def layers(model: MjModel) -> int:
    """Number of layers of the flexes' elements: at least one."""
    return int(np.max(model.flex_elemlayer, initial=0)) + 1


class FlexLayout(Struct, frozen=True):
    """Constant part of a flex's surface.

    corners: (n, 2) vertex, counted from the flex's first, and side. smooth: so many of them, the first ones, have the normals
    of their vertices; the others are triangles' own, three by three, those from `rim` on at a cloth's rim. faces: (m, 3)
    triangles that the vertices' normals come from. triangles: (k, 3) corners. uv: (n, 2). element: (k,) the element that each
    triangle belongs to. lifted: corners lie off their vertices along the triangle's normal.
    """

    corners: Ints
    smooth: int
    rim: int
    faces: Ints
    triangles: NDArray[np.uint32]
    uv: NDArray[np.float32]
    element: Ints
    lifted: bool


def layout(model: MjModel, flex: int, style: MeshId, layer: int = 0) -> FlexLayout:
    """The surface of a flex of dimension 2 or 3; layer: the elements that are shown of a solid drawn by its faces."""
    elements, places = element_vertices(model, flex), _of_elements(model, model.flex_elemtexcoord, flex)
    number = np.arange(len(elements), dtype=np.int32)
    cloth = int(model.flex_dim[flex]) == CLOTH
    border = shell(model, flex)
    if style is MeshId.FLEX_FACES and not cloth:
        number = number[np.asarray(model.flex_elemlayer)[_part(model, "elem", flex)] == layer]
        turned = np.array(_TETRAHEDRON)
        faces, uv = elements[number][:, turned].reshape(-1, 3), places[number][:, turned].reshape(-1, 3)
        owner, side = np.repeat(number, len(turned)), np.ones(len(faces), np.int32)
        return _flat(model, flex, _corners(faces, side), uv, owner, faces, lifted=True)
    if not cloth:
        owner, side = _owners(elements, border), np.ones(len(border), np.int32)
        lay_out = _flat if model.flex_flatskin[flex] else _smooth
        return lay_out(model, flex, _corners(border, side), border, owner, border)
    both = np.concatenate([elements, elements[:, ::-1]])
    uv, owner = np.concatenate([places, places[:, ::-1]]), np.tile(number, 2)
    side = np.repeat(np.array([1, -1], np.int32), len(elements))
    if style is MeshId.FLEX_FACES:
        return _flat(model, flex, _corners(both, side), uv, owner, elements, lifted=True)
    rim, rim_uv = _rim(border)
    lay_out = _flat if model.flex_flatskin[flex] else _smooth
    return lay_out(model, flex, _corners(both, side), uv, owner, elements, rim, rim_uv, np.repeat(_owners(elements, border), 2))


def _corners(faces: Ints, side: Ints) -> Ints:
    """(3 n, 2) corners of triangles (n, 3) on the same side each."""
    return np.stack([faces.ravel(), np.repeat(side, 3)], axis=1).astype(np.int32)


def _rim(border: Ints) -> tuple[Ints, Ints]:
    """Two triangles between both sides at each piece of a cloth's rim: corners (6 n, 2), and their texture coordinates."""
    a, b = border[:, 0], border[:, 1]
    one = np.ones_like(a)
    rim = np.stack([a, one, b, -one, b, one, b, -one, a, one, a, -one], axis=1).reshape(-1, 2)
    return rim.astype(np.int32), rim[:, 0].reshape(-1, 3)


_NONE = np.zeros((0, 2), np.int32)
_NO_UV, _NO_OWNER = np.zeros((0, 3), np.int32), np.zeros(0, np.int32)


def _flat(
    model: MjModel, flex: int, corners: Ints, uv: Ints, owner: Ints, faces: Ints,
    rim: Ints = _NONE, rim_uv: Ints = _NO_UV, rim_owner: Ints = _NO_OWNER, *, lifted: bool = False,
) -> FlexLayout:  # fmt: skip
    """Every triangle with its own corners."""
    points, places = np.concatenate([corners, rim]), np.concatenate([uv, rim_uv]).ravel()
    triangles = np.arange(len(points), dtype=np.uint32).reshape(-1, 3)
    element, uvs = np.concatenate([owner, rim_owner]).astype(np.int32), _uv(model, flex, points[:, 0], places)
    return FlexLayout(points, 0, len(corners), faces, triangles, uvs, element, lifted)


def _smooth(
    model: MjModel, flex: int, corners: Ints, uv: Ints, owner: Ints, faces: Ints,
    rim: Ints = _NONE, rim_uv: Ints = _NO_UV, rim_owner: Ints = _NO_OWNER,
) -> FlexLayout:  # fmt: skip
    """Triangles that share corners where these agree in vertex, side and texture coordinate; the rim's do not."""
    rows = np.concatenate([corners, uv.reshape(-1, 1)], axis=1)
    shared, which = np.unique(rows, axis=0, return_inverse=True)
    points = np.concatenate([shared[:, :2], rim]).astype(np.int32)
    triangles = np.concatenate([which.ravel(), len(shared) + np.arange(len(rim))]).astype(np.uint32).reshape(-1, 3)
    places = np.concatenate([shared[:, 2], rim_uv.ravel()])
    element = np.concatenate([owner, rim_owner]).astype(np.int32)
    uvs = _uv(model, flex, points[:, 0], places)
    return FlexLayout(points, len(shared), len(shared), faces, triangles, uvs, element, lifted=False)


def _uv(model: MjModel, flex: int, vertex: Ints, place: Ints) -> NDArray[np.float32]:
    """(n, 2) texture coordinates of corners; of a flex without any, where its vertices lay in its box."""
    first = int(model.flex_texcoordadr[flex])
    if first < 0:
        return np.asarray(model.flex_vert0)[vertices_of(model, flex)][vertex, :2].astype(np.float32)
    known = np.asarray(model.flex_texcoord)[first:]
    return np.ascontiguousarray(known[np.clip(place, 0, len(known) - 1)], np.float32)


def _owners(elements: Ints, border: Ints) -> Ints:
    """(n,) the element that each fragment of the border belongs to."""
    width = border.shape[1]
    sides = np.concatenate([np.delete(elements, k, axis=1) for k in range(elements.shape[1])])
    keys, wanted = (_key(np.sort(rows, axis=1)) for rows in (sides[:, :width], border))
    order = np.argsort(keys, kind="stable")
    owner = order[np.clip(np.searchsorted(keys[order], wanted), 0, max(len(order) - 1, 0))] if len(order) else wanted
    return np.asarray(owner % max(len(elements), 1), np.int32)


def _key(rows: Ints) -> NDArray[np.int64]:
    """One number for each row of up to three vertices."""
    key = np.zeros(len(rows), np.int64)
    for column in rows.T:
        key = (key << 21) + column
    return key


class Sphere:
    """A box's centre as the graphics card has it, and the distance of the points around it."""

    def __init__(self, points: Floats, radius: float) -> None:
        """points: (n, 3) [m]; radius: thickness around them [m]."""
        low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))
        # Rounded as instances are: decoration is then in the right place, however far from the origin.
        self.centre = (0.5 * (low + high)).astype(np.float32).astype(np.float64)
        self.radius = 0.5 * float(np.linalg.norm(high - low)) + radius


class Surface:
    """The triangles of a flex: `follow` writes their corners, (n, SURFACE_WIDTH), for other points."""

    def __init__(self, model: MjModel, flex: int, style: MeshId, layer: int = 0) -> None:
        self.layout = layout(model, flex, style, layer)
        self._faces = np.ascontiguousarray(self.layout.faces, np.int32)
        self._model, self._flex = model, flex
        self._normals = np.zeros((int(model.flex_vertnum[flex]), 3))
        self.rows = np.zeros((len(self.layout.corners), SURFACE_WIDTH), np.float32)

    def follow(self, points: Floats, centre: Floats) -> NDArray[np.float32]:
        """The corners, written to `rows`. points: (n, 3) of the flex's vertices [m], of 8 bytes and in a row; centre: (3,)."""
        own, rows, normals = self.layout, self.rows, self._normals.ctypes.data
        place, count, middle = points.ctypes.data, len(points), centre.ctypes.data
        radius = float(self._model.flex_radius[self._flex])
        if not own.lifted:
            vertex_normals.call(place, count, self._faces.ctypes.data, len(self._faces), normals)
        if own.smooth:
            smooth_corners.call(place, normals, count, own.corners.ctypes.data, own.smooth, radius, middle, rows.ctypes.data)
        if own.smooth < own.rim:
            part, to = own.corners[own.smooth : own.rim], rows[own.smooth : own.rim].ctypes.data
            lifted = int(own.lifted)
            flat_corners.call(place, normals, count, part.ctypes.data, len(part), radius, lifted, middle, to)
        if own.rim < len(rows):
            part, to = own.corners[own.rim :], rows[own.rim :].ctypes.data
            rim_corners.call(place, normals, count, part.ctypes.data, len(part), radius, middle, to)
        return rows


class Rods:
    """The edges of a flex as rods, or its vertices as balls: `follow` writes their ends, (n, ROD_WIDTH), for other points."""

    def __init__(self, model: MjModel, flex: int, style: MeshId) -> None:
        if style is MeshId.FLEX_EDGES:
            ends = np.asarray(model.flex_edge)[_part(model, "edge", flex)]
        else:
            ends = np.repeat(np.arange(int(model.flex_vertnum[flex]), dtype=np.int32)[:, None], 2, axis=1)
        self.ends = np.ascontiguousarray(ends, np.int32)
        self.rows = np.zeros((len(ends), ROD_WIDTH), np.float32)

    def follow(self, points: Floats, centre: Floats) -> NDArray[np.float32]:
        """The ends, written to `rows`. points: (n, 3) of the flex's vertices [m], of 8 bytes and in a row; centre: (3,)."""
        rod_ends.call(
            points.ctypes.data, len(points), self.ends.ctypes.data, len(self.ends), centre.ctypes.data, self.rows.ctypes.data
        )
        return self.rows


def owners_of_rods(model: MjModel, flex: int, style: MeshId) -> Ints:
    """(n,) an element that each edge or vertex of a flex belongs to."""
    elements = element_vertices(model, flex)
    if style is MeshId.FLEX_EDGES:
        dim, first = int(model.flex_dim[flex]), int(model.flex_elemedgeadr[flex])
        width = dim * (dim + 1) // 2
        parts = np.asarray(model.flex_elemedge)[first : first + width * len(elements)].reshape(-1, width)
        owner = np.zeros(int(model.flex_edgenum[flex]), np.int32)
    else:
        parts, owner = elements, np.zeros(int(model.flex_vertnum[flex]), np.int32)
    owner[parts.ravel()] = np.repeat(np.arange(len(elements), dtype=np.int32), parts.shape[1])
    return owner
