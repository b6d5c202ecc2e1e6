"""Objects at a place of a picture, or in a part of it: by a small picture of numbers, as exactly as it is drawn.

Only the requested pixels are drawn and read back: cheap on a software renderer, and every visible object can be picked.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from tumble.physics.state.enums import mjtObj
from tumble.render.camera import View
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions
from tumble.render.passes.plain import SeenObjects
from tumble.render.picking.pick import Hit, Picker
from tumble.render.renderer import Renderer

SURFACES = (int(mjtObj.mjOBJ_GEOM), int(mjtObj.mjOBJ_SKIN), int(mjtObj.mjOBJ_FLEX))

_SOLID = (int(mjtObj.mjOBJ_GEOM), int(mjtObj.mjOBJ_FLEX))  # types with a body behind each pixel: a skin stands for others


class Eye:
    """Picks in the present model of one renderer, whose context must be current in every call."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer, self._picker = renderer, Picker(renderer.scene)

    def at(
        self,
        frame: Frame,
        view: View,
        options: RenderOptions,
        place: tuple[float, float],
        size: tuple[int, int],
        kinds: Collection[int] | None = SURFACES,
        reach: int = 0,
    ) -> Hit | None:
        """Object at a place (x, y) from the top left of a picture of this size [pixels]; None: nothing, or outside.

        kinds: of mjtObj, and CONTACT, that are looked for, through anything else; None: all. reach: where that is the world or
        nothing, what lies before it within so many pixels counts too, as the mouse cannot be right on a thread.
        """
        x, y = math.floor(place[0]), math.floor(place[1])
        if not (0 <= x < size[0] and 0 <= y < size[1]):
            return None
        left, top = max(0, x - reach), max(0, y - reach)
        box = left, top, min(size[0], x + reach + 1) - left, min(size[1], y + reach + 1) - top
        seen = self._renderer.look(frame, view, options, size, box, kinds)
        row, column = self._chosen(seen, y - top, x - left)
        what = int(seen.objtype[row, column]), int(seen.objid[row, column])
        if what[1] < 0:
            return None
        if (row, column) != (y - top, x - left):
            place = left + column + 0.5, top + row + 0.5
        origin, direction = view.ray(*place, *size)
        ahead = float(seen.depth[row, column]) / float(direction @ view.forward)
        return self._picker.touch(frame, options, what, (origin, direction), ahead)

    def whole(self, frame: Frame, view: View, options: RenderOptions, size: tuple[int, int]) -> SeenObjects:
        """Object in each pixel of a picture of this size."""
        return self._renderer.look(frame, view, options, size)

    def within(
        self, frame: Frame, view: View, options: RenderOptions, box: tuple[int, int, int, int], size: tuple[int, int]
    ) -> dict[tuple[int, int], int]:
        """The geoms and flexes that are seen in a box, through skins: how many pixels of each, by mjtObj and id.

        box: left, top, width and height; what of it is outside the picture shows nothing.
        """
        left, top = max(box[0], 0), max(box[1], 0)
        width, height = min(box[0] + box[2], size[0]) - left, min(box[1] + box[3], size[1]) - top
        if width <= 0 or height <= 0:
            return {}
        seen = self._renderer.look(frame, view, options, size, (left, top, width, height), _SOLID)
        shown = seen.objid >= 0
        objects, count = np.unique(np.stack([seen.objtype[shown], seen.objid[shown]]), axis=1, return_counts=True)
        return {(int(kind), int(number)): int(n) for (kind, number), n in zip(objects.T, count, strict=True)}

    def _chosen(self, seen: SeenObjects, row: int, column: int) -> tuple[int, int]:
        """The intended pixel: the one at the mouse, or where that shows the world at most, the nearest that shows more."""
        still = np.flatnonzero(np.asarray(self._renderer.scene.model.geom_bodyid) == 0)
        world = (seen.objtype == int(mjtObj.mjOBJ_GEOM)) & np.isin(seen.objid, still) | (seen.objid < 0)
        rows, columns = np.nonzero(~world)
        if not world[row, column] or not len(rows):
            return row, column
        nearest = int(np.argmin((rows - row) ** 2 + (columns - column) ** 2))
        return int(rows[nearest]), int(columns[nearest])
