"""Looking at a place or a part of the active view, in the pixels that it is drawn with."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import TypeVar

import moderngl
from PyQt6.QtCore import QPointF, QRectF

from tumble.app.session.session import Session
from tumble.app.viewport.photo import PhotoError
from tumble.app.viewport.surface import ViewSurface
from tumble.render.camera import View, view_of
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions
from tumble.render.passes.plain import SeenObjects
from tumble.render.picking.pick import SURFACES, Eye, Hit, body_of

T = TypeVar("T")
Glance = tuple[Frame, View, RenderOptions, tuple[int, int]]  # the last: width and height [pixels]


class Looking:
    """Of one surface. eye: that of its renderer, None until created."""

    def __init__(self, viewport: ViewSurface, session: Session) -> None:
        self._viewport, self._session = viewport, session
        self.eye: Eye | None = None

    def pick(self, where: QPointF, kinds: Collection[int] | None = SURFACES, reach: int = 0) -> Hit | None:
        """Pick at a point of the active view; kinds and reach as in `Eye.at`."""
        ratio = self._viewport.devicePixelRatioF()
        place = ratio * where.x(), ratio * where.y()

        def ask(eye: Eye, glance: Glance) -> Hit | None:
            frame, view, options, size = glance
            return eye.at(frame, view, options, place, size, kinds, reach)

        return self._look(ask)

    def bodies_within(self, box: QRectF) -> set[int]:
        """The bodies with visible geoms in a box of the active view; 0 is the world."""
        part = _pixels_in(box, self._viewport.devicePixelRatioF())

        def ask(eye: Eye, glance: Glance) -> set[int]:
            frame, view, options, size = glance
            model = self._session.loaded_model
            return {body_of(model, *what) for what in eye.within(frame, view, options, part, size)}

        return (self._look(ask) or set()) - {-1}

    def measure(self, width: int, height: int) -> SeenObjects:
        """Object and distance for each pixel of the active view at this size. Raises PhotoError."""
        viewport, shown, eye = self._viewport, self._session.shown, self.eye
        if shown is None or eye is None or not viewport.is_drawn:
            raise PhotoError("there is nothing to see yet: open a model first")
        tile = viewport.tiles.current
        view = view_of(tile.camera, *shown, width / height)
        try:
            with viewport.current():
                return eye.whole(shown[1], view, tile.drawn_options(view), (width, height))
        except moderngl.Error as error:
            raise PhotoError(f"the graphics card draws no picture of {width} x {height} pixels: {error}") from error

    def _look(self, ask: Callable[[Eye, Glance], T]) -> T | None:
        """The answer of the eye for the active view's picture; None without one."""
        viewport, shown = self._viewport, self._session.shown
        view, ratio = viewport.view(), viewport.devicePixelRatioF()
        if shown is None or view is None or self.eye is None or not viewport.is_drawn:
            return None
        width, height = (round(ratio * side) for side in viewport.picture_size)
        with viewport.current():
            return ask(self.eye, (shown[1], view, viewport.tiles.current.drawn_options(view), (width, height)))


def _pixels_in(box: QRectF, ratio: float) -> tuple[int, int, int, int]:
    """Left, top, width and height [pixels of the picture] of a box in the view; ratio: of those to the view's."""
    left, top = math.floor(ratio * box.left()), math.floor(ratio * box.top())
    right, bottom = math.ceil(ratio * box.right()), math.ceil(ratio * box.bottom())
    return left, top, max(right - left, 1), max(bottom - top, 1)
