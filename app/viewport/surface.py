"""The widget of the views as its tools know it: views with their cameras and options, and the mouse in a view's pixels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from msgspec.structs import replace
from PyQt6.QtCore import QPointF, pyqtSignal
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtOpenGLWidgets import QOpenGLWidget

from tumble.app.session.session import Session
from tumble.app.simulation.perturbation import Vector
from tumble.app.viewport.cameras import camera_name, next_camera
from tumble.app.viewport.photo import Onlooker
from tumble.app.viewport.tiles.tiles import Tile, Tiles
from tumble.render.camera import Camera, CameraKind, View, default_camera, free
from tumble.render.options import PictureMode, RenderOptions


class ViewSurface(QOpenGLWidget):
    """Views of the session's model; `Viewport` draws them. `camera` and `options` are those of the active one."""

    camera_changed = pyqtSignal()
    options_changed = pyqtSignal()  # the active view's options changed, or another view is active

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.tiles = Tiles(self, session)
        self.smooth = True  # the camera glides to where it is sent
        self.show_help = self.dropping = False
        self.error = ""
        self.onlooker: Onlooker | None = None  # receives every picture
        self.local_point: Vector = np.zeros(3)  # the selected point in its body's frame

    # ---- the picture

    @property
    def is_drawn(self) -> bool:
        """True once a picture of the session's current model has been drawn."""
        raise NotImplementedError

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make the OpenGL context current, outside of painting."""
        raise NotImplementedError

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the active view's picture [device-independent pixels]."""
        area = self.tiles.area(self.tiles.current).picture
        return area.width(), area.height()

    def view(self) -> View | None:
        """The pose and frustum of the active view's present picture; None before there is a model."""
        if self._session.shown is None:
            return None
        return self.tiles.current.view(self.tiles.area(self.tiles.current).picture)

    def mouse_at(self, event: QMouseEvent) -> QPointF:
        """Place of a mouse event in the active view [device-independent pixels]."""
        return event.position() - QPointF(self.tiles.area(self.tiles.current).picture.topLeft())

    # ---- the camera

    @property
    def camera(self) -> Camera:
        """Camera of the active view."""
        return self.tiles.current.camera

    def set_camera(self, camera: Camera, tile: Tile | None = None) -> None:
        """Set the camera of the active view or of this one."""
        (tile or self.tiles.current).camera = camera
        self.camera_changed.emit()
        self.update()

    def glide_to(self, camera: Camera) -> None:
        """Move the camera, smoothly if enabled and not recording."""
        smooth = self.smooth and self.is_drawn and self.onlooker is None and camera != self.camera
        seen = self.view() if smooth else None
        self.set_camera(camera)
        self.tiles.current.gliding.begin(seen)

    def align(self) -> None:
        """The camera the model starts with, looking at all of it."""
        if self._session.shown is not None:
            self.glide_to(default_camera(self._session.shown[0]))

    def toggle_projection(self) -> None:
        """Toggle between perspective and orthographic; a fixed camera keeps its own."""
        if self.camera.kind is not CameraKind.FIXED:
            self.glide_to(replace(self.camera, orthographic=not self.camera.orthographic))
        self.camera_changed.emit()

    def free_camera(self) -> None:
        """Leave a tracking or fixed camera."""
        if self._session.shown is not None:
            self.glide_to(free(self.camera, *self._session.shown))

    def cycle_camera(self, step: int) -> None:
        """The next or previous of: free, then the model's cameras."""
        if self._session.shown is not None:
            self.glide_to(next_camera(self.camera, *self._session.shown, step))

    def camera_name(self, tile: Tile | None = None) -> str:
        """The camera of the active view, or of this one, in words."""
        return camera_name((tile or self.tiles.current).camera, None if self._session.shown is None else self._session.shown[0])

    # ---- drawing

    @property
    def options(self) -> RenderOptions:
        """Render options of the active view."""
        return self.tiles.current.options

    def option(self, name: str) -> bool:
        """State of a visualization flag."""
        return self.options.is_on(name)

    def set_option(self, name: str, on: bool) -> None:
        """Turn a switch of the render options on or off."""
        self.options.switch(name, on)
        self.redraw()

    def set_mode(self, mode: PictureMode) -> None:
        """Draw the active view so."""
        self.options.mode = mode
        self.redraw()

    def redraw(self) -> None:
        """Draw with the render options as they have been set."""
        self.options_changed.emit()
        self.update()
