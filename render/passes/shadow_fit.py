"""Area that each map of shadows covers: as little as holds every shadow that the picture can show, so that its texels are small.

In the map of a light, caster and shadow lie in the same place. So a map needs only the casters whose
places are seen, wherever in the scene they are. Where near and distant casters are seen at once, a light from far away gets two
maps: a fine one of the near, and one of all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.render.camera import View
from tumble.render.constants import Category, MeshId
from tumble.render.drawlist import DrawList, frame_along

Mat = NDArray[np.float64]

# Maps grow in steps, so that a moving scene does not make every shadow's edge swim.
_STEPS_PER_OCTAVE = 8
_WIDEST = math.radians(70.0)  # from the middle of a lamp's map to its edge
_NEAREST = 0.01  # of a lamp's map, in the distance of the farthest caster
# No caster needs more texels than this many across: large objects do not make the map of near ones coarse.
_TEXELS_ACROSS = 64.0
_FINER = 0.6  # a second map is worth its time if it makes the coarsest texels finer by this
# Clip space to texture space.
_TO_TEXTURE = np.array([[0.5, 0, 0, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0, 0, 1.0]])


class Fit(Struct, frozen=True):
    """matrix: (4, 4) world to the light's clip space; texel: the size of one of the map's at the scene [m].

    softness: how wide the edge of a shadow is, in the map's width, where the gap to its caster is all the depth of the map.
    """

    matrix: Mat
    texel: float
    softness: float

    def texture_matrix(self) -> Mat:
        """(4, 4) world to texture coordinates and depth, all in [0, 1]."""
        return _TO_TEXTURE @ self.matrix


class Casters(Struct, frozen=True):
    """Casters of shadows: rows (n,) of a draw list, their centres (n, 3) and bounding radii (n,) [m]."""

    drawlist: DrawList
    rows: NDArray[Any]
    pos: Mat
    radius: Mat

    def __len__(self) -> int:
        return len(self.pos)

    @staticmethod
    def of(drawlist: DrawList, casting: NDArray[np.bool_]) -> Casters:
        """The casters of a draw list, by a mask."""
        rows = np.flatnonzero(casting)
        return Casters(drawlist, rows, np.asarray(drawlist.instances["pos"][rows], float), drawlist.radius[rows])

    def extents(self, axes: Mat) -> Mat:
        """(n, 3) half extents along the columns of `axes`: the box's, or the bounding sphere's where that is smaller."""
        instances = self.drawlist.instances
        scale = np.asarray(instances["scale"][self.rows], float)
        half = scale[:, :3] + np.array([0.0, 0.0, 1.0]) * scale[:, 3:]
        # The model's own meshes have no half sizes.
        half[self.drawlist.mesh[self.rows] >= int(MeshId.MODEL_MESH)] = np.inf
        mat = np.asarray(instances["mat"][self.rows], float).reshape(-1, 3, 3)
        with np.errstate(invalid="ignore"):
            box = np.einsum("naj,nj->na", np.abs(np.einsum("ka,nkj->naj", axes, mat)), half)
        return np.fmin(box, self.radius[:, None])

    def pick(self, index: NDArray[Any]) -> Casters:
        """A subset, by an index or a mask."""
        return Casters(self.drawlist, self.rows[index], self.pos[index], self.radius[index])


def casters(drawlist: DrawList) -> NDArray[np.bool_]:
    """(n,) shadow casters: opaque, bounded, placed where numbers are finite, and no decoration."""
    placed = np.isfinite(drawlist.instances["pos"].sum(axis=1)) & np.isfinite(drawlist.instances["mat"].sum(axis=1))
    opaque = drawlist.instances["rgba"][:, 3] > 0.99
    return np.asarray(np.isfinite(drawlist.radius) & placed & opaque & (drawlist.category != Category.DECOR))


def fits(light: np.void, found: Casters, floors: Sequence[tuple[Mat, float]], views: Sequence[View], size: int) -> list[Fit]:
    """The maps of one light (a LIGHT row), the finest first; none where no shadow can be seen.

    floors: planes without an edge, as unit normal and offset, on which shadows fall at any distance; views: whose pictures the
    maps are for, the size of the first one's pixels decides; size: texels a side.
    """
    if not len(found):
        return []
    if light["position"][3] > 0.5:
        return _of_lamp(light, found, floors, views, size)
    return _of_sun(light, found, floors, views, size)


# ---- light from one place


def _of_lamp(
    light: np.void, found: Casters, floors: Sequence[tuple[Mat, float]], views: Sequence[View], size: int
) -> list[Fit]:
    """One map along the middle of the shadow casters in the light's cone, as far as visible."""
    eye, along = np.asarray(light["position"][:3], float), np.asarray(light["direction"][:3], float)
    offset = found.pos - eye
    distance = np.maximum(np.sqrt(np.einsum("ni,ni->n", offset, offset)), 1e-12)
    rays = offset / distance[:, None]
    if light["direction"][3] >= -1.0:
        cone = math.acos(min(float(light["direction"][3]), 1.0))
        away = np.arccos(np.minimum(np.maximum(rays @ along, -1.0), 1.0))
        lit = away - np.arcsin(np.minimum(found.radius / distance, 1.0)) < cone
        if not lit.any():
            return []
        if not lit.all():
            found, offset, distance, rays = found.pick(lit), offset[lit], distance[lit], rays[lit]
    axes = frame_along(-_middle(rays, along))
    to_light = axes * (1.0, 1.0, -1.0)
    place = offset @ to_light
    depth = place[:, 2]
    low, high = _tangents(place[:, :2], depth[:, None], found.radius[:, None])
    seen = np.concatenate([_seen(view, found, rays, floors) for view in views]) - eye
    seen, radius = seen @ to_light, found.radius
    if seen[:, 2].min() > 1e-9:  # else a part of the visible scene lies next to the light or behind it
        directions = seen[:, :2] / seen[:, 2:]
        seen_low, seen_high = directions.min(axis=0), directions.max(axis=0)
        inside = np.all((low < seen_high) & (high > seen_low), axis=1)
        if not inside.any():
            return []
        low, high = np.maximum(low[inside], seen_low), np.minimum(high[inside], seen_high)
        radius, distance, depth = radius[inside], distance[inside], depth[inside]
    low, high = low.min(axis=0), high.max(axis=0)
    far = float(np.max(distance + radius))
    near = max(float(np.min(depth - radius)), _NEAREST * far)
    wide = _step(1.04 * 0.5 * float(max(high - low)))
    middle = 0.5 * (low + high)
    rotation = np.eye(4)
    rotation[:3, :3] = axes.T
    rotation[:3, 3] = -axes.T @ eye
    project = np.array(
        [
            [1 / wide, 0, middle[0] / wide, 0],
            [0, 1 / wide, middle[1] / wide, 0],
            [0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)],
            [0, 0, -1.0, 0],
        ]
    )
    # A lamp may be in the middle of the objects that it lights.
    away = float(np.sort(np.maximum(distance, radius))[len(distance) // 2])
    softness = float(light["ambient"][3]) * (far - near) / (near * far) / (2.0 * wide)
    return [Fit(project @ rotation, 2.0 * wide * away / size, softness)]


def _middle(rays: Mat, along: Mat) -> Mat:
    """The unit direction to the middle of the lit objects; along, without any."""
    total = rays.sum(axis=0)
    length = math.hypot(*total)
    return total / length if length > 1e-6 else along


def _tangents(x: Mat, depth: Mat, radius: Mat) -> tuple[Mat, Mat]:
    """(n, k) least and greatest tangents of the directions to spheres at (x, depth), within the limits of a map."""
    angle = np.arctan2(x, depth)
    spread = np.arcsin(np.minimum(radius / np.maximum(np.hypot(x, depth), 1e-12), 1.0))
    low, high = (np.minimum(np.maximum(end, -_WIDEST), _WIDEST) for end in (angle - spread, angle + spread))
    return np.tan(low), np.tan(high)


# ---- light from far away


def _of_sun(
    light: np.void, found: Casters, floors: Sequence[tuple[Mat, float]], views: Sequence[View], size: int
) -> list[Fit]:
    along = np.asarray(light["direction"][:3], float)
    axes = frame_along(-along)
    place, half = found.pos @ axes, found.extents(axes)
    low, high = place - half, place + half
    seen = np.concatenate([_seen(view, found, np.broadcast_to(along, found.pos.shape), floors) for view in views]) @ axes
    seen_low, seen_high = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
    inside = np.all((low[:, :2] < seen_high) & (high[:, :2] > seen_low), axis=1)
    if not inside.any():
        return []
    low, high = low[inside], high[inside]
    front, back = float(high[:, 2].max()), float(low[:, 2].min())
    low, high = np.maximum(low[:, :2], seen_low), np.minimum(high[:, :2], seen_high)
    wanted = np.maximum(_pixel(views[0], found.pos[inside]), np.max(high - low, axis=1) / _TEXELS_ACROSS)
    order = np.argsort(wanted, kind="stable")
    low, high, wanted = low[order], high[order], wanted[order]
    lows, highs = np.minimum.accumulate(low), np.maximum.accumulate(high)
    texels = np.max(highs - lows, axis=1) / size  # of a map of the first so many
    coarse = float(texels[-1] / wanted[0])
    near = np.maximum(texels[:-1] / wanted[0], texels[-1] / wanted[1:])
    boxes = [(lows[-1], highs[-1])]
    if len(near) and near.min() < _FINER * coarse and coarse > 1.0:
        best = int(np.argmin(near))
        boxes.insert(0, (lows[best], highs[best]))
    return [_sun_map(axes, box, (front, back), size, float(light["ambient"][3])) for box in boxes]


def _seen(view: View, found: Casters, rays: Mat, floors: Sequence[tuple[Mat, float]]) -> Mat:
    """(8, 3) corners of the visible volume, as deep as the farthest caster, or its shadow on a floor. rays: (n, 3) of light."""
    depth = (found.pos - view.eye) @ view.forward
    deepest = float(np.max(depth + found.radius))
    for normal, offset in floors:
        sinks = -rays @ normal
        falls = sinks > 1e-3
        if falls.any():
            ray, radius = rays[falls] / sinks[falls, None], found.radius[falls] / sinks[falls]
            height = np.maximum(found.pos[falls] @ normal + offset, 0.0)
            deepest = max(deepest, float(np.max(depth[falls] + height * (ray @ view.forward) + 2.0 * radius)))
    deepest = min(max(deepest, view.near), view.far)
    grown = 1.0 if view.orthographic else deepest / view.near
    corners = [(wide * x, wide * y, depth) for wide, depth in ((1.0, view.near), (grown, deepest))
               for x in (view.left_side, view.right_side) for y in (view.bottom, view.top)]  # fmt: skip
    return view.eye + np.array(corners) @ np.stack([view.right, view.up, view.forward])


def _pixel(view: View, pos: Mat) -> Mat:
    """(n,) sizes in proportion to that of a pixel at each place."""
    height = (view.top - view.bottom) / 1000.0
    if view.orthographic:
        return np.full(len(pos), height)
    return height * np.maximum((pos - view.eye) @ view.forward, view.near) / view.near


def _sun_map(axes: Mat, box: tuple[Mat, Mat], depth: tuple[float, float], size: int, width: float) -> Fit:
    (low, high), (front, back) = box, depth
    wide = _step(1.04 * 0.5 * float(max(*(high - low), 1e-6)))
    texel = 2.0 * wide / size
    # Snapped to whole texels, so that a shadow's edge stands still while its caster does.
    x, y = np.round(0.5 * (low + high) / texel) * texel
    margin = 0.02 * (front - back) + texel
    near, far = front + margin, back - margin
    rotation = np.eye(4)
    rotation[:3, :3] = axes.T
    project = np.array(
        [
            [1 / wide, 0, 0, -x / wide],
            [0, 1 / wide, 0, -y / wide],
            [0, 0, -2 / (near - far), (near + far) / (near - far)],
            [0, 0, 0, 1.0],
        ]
    )
    return Fit(project @ rotation, texel, width * (near - far) / (2.0 * wide))


def _step(value: float) -> float:
    return float(2.0 ** (math.ceil(math.log2(max(value, 1e-9)) * _STEPS_PER_OCTAVE) / _STEPS_PER_OCTAVE))
