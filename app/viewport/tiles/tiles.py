"""The views of a viewport: each with its camera and drawing options; one is active, and all or some are shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, QPointF, QRect, pyqtSignal
from PyQt6.QtWidgets import QWidget

from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.viewport.cameras import Gliding, first_camera
from tumble.app.viewport.contacts.legend import ArrowLength
from tumble.app.viewport.contacts.view import ContactView
from tumble.app.viewport.tiles.arrangement import EMPTY, Arrangement, Corner, TileArea, areas
from tumble.render.camera import Camera, CameraKind, View
from tumble.render.options import RenderOptions
from tumble.render.scene.label_layout import LabelLayout

if TYPE_CHECKING:
    from tumble.physics import MjModel

MOST = 4
HEAD = 24  # height of a header at the usual size of text [px]
PLAIN_ASPECT = 1.5  # width of the inset view, where the model does not specify its camera's resolution
NARROWEST, WIDEST = 0.5, 3.0


class Tile:
    """One view: its camera, drawing options, camera motion, and contact display."""

    def __init__(self, parent: QWidget, session: Session, index: int) -> None:
        self.index = index
        self.camera, self.options = Camera(), RenderOptions()
        self.gliding, self.contacts = Gliding(parent, session), ContactView(session)
        self.layout = LabelLayout()
        length = session.part(ArrowLength)
        self.options.force_size = length.value
        length.changed.connect(self._stretch)
        self.gliding.timer.timeout.connect(parent.update)

    def _stretch(self, value: float) -> None:
        self.options.force_size = value

    def start(self, model: MjModel) -> None:
        """Reset to the initial view of a model."""
        self.camera = first_camera(model, self.index)
        self.gliding.begin(None)

    @property
    def look(self) -> tuple[Camera, RenderOptions]:
        """Camera and render options."""
        return self.camera, self.options

    def view(self, size: QRect) -> View | None:
        """The pose and frustum of its present picture of this size; None: there is no model, or no room."""
        if size.isEmpty():
            return None
        return self.gliding.view(self.camera, size.width() / size.height())

    def drawn_options(self, view: View | None) -> RenderOptions:
        """Render options of the current picture."""
        return self.contacts.options(self.options, view)


class Tiles(QObject):
    """changed: visible views or their areas changed; activated: another one is active."""

    changed = pyqtSignal()
    activated = pyqtSignal()

    def __init__(self, viewport: QWidget, session: Session) -> None:
        super().__init__(viewport)
        self._viewport, self._session = viewport, session
        self.all = [Tile(viewport, session, index) for index in range(MOST)]
        self.active = self.all[0]
        self.arrangement, self.corner = Arrangement.ONE, Corner.BOTTOM_RIGHT
        self.only = False  # the active one has the whole viewport for a while
        self.under: Tile | None = None  # the mouse
        self._aimed: Tile | None = None
        self._laid: tuple[object, list[TileArea]] = (None, [])

    # ---- which

    @property
    def current(self) -> Tile:
        """The view that queries refer to: the one under the mouse while a mouse event is handled, else the active one."""
        return self._aimed or self.active

    @contextmanager
    def aiming(self, tile: Tile | None) -> Iterator[None]:
        """Make queries refer to this view meanwhile."""
        before, self._aimed = self._aimed, tile
        try:
            yield
        finally:
            self._aimed = before

    @property
    def several(self) -> bool:
        """True if views have headers: there are several, even if one is maximized."""
        return self.arrangement is not Arrangement.ONE

    def shown(self) -> list[Tile]:
        """The visible views, in drawing order."""
        return [self.active] if self.only else self.all[: self.arrangement.count]

    def views(self) -> list[View]:
        """The poses and frustums of those that are seen, as far as there is room for them."""
        views = (tile.view(self.area(tile).picture) for tile in self.shown())
        return [view for view in views if view is not None]

    def activate(self, tile: Tile) -> None:
        """Make this the view that keys and menus act on."""
        if tile is self.active:
            return
        self.active = tile
        if tile not in self.shown():
            self.active = self.all[0]
        self.activated.emit()

    def activate_next(self, step: int = 1) -> None:
        """The next one, or the previous."""
        count = self.arrangement.count
        self.activate(self.all[(self.active.index + step) % count])

    def arrange(self, arrangement: Arrangement) -> None:
        """Set number and arrangement of views."""
        self.arrangement, self.only = arrangement, False
        if self.active.index >= arrangement.count:
            self.activate(self.all[0])
        self.changed.emit()

    def set_only(self, on: bool) -> None:
        """Maximize the active view, or restore all."""
        self.only = on and self.several
        self.changed.emit()

    def set_corner(self, corner: Corner) -> None:
        """Set the corner of the inset view."""
        if corner is not self.corner:
            self.corner = corner
            self.changed.emit()

    # ---- where

    def areas_in(self, width: int, height: int, head: int) -> list[TileArea]:
        """Areas of the visible views, in a picture of this size; head: height of a header."""
        if self.only:
            return [TileArea(QRect(0, 0, width, head), QRect(0, head, width, height - head))]
        return areas(self.arrangement, width, height, head, self.corner, self._aspect())

    def _aspect(self) -> float:
        """Width over height of the view in the picture: as the model's camera takes pictures."""
        camera, shown = self.all[1].camera, self._session.shown
        if shown is None or camera.kind is not CameraKind.FIXED or not 0 <= camera.fixed < shown[0].ncam:
            return PLAIN_ASPECT
        wide, high = (int(v) for v in shown[0].cam_resolution[camera.fixed])
        return min(max(wide / high, NARROWEST), WIDEST) if wide > 1 and high > 1 else PLAIN_ASPECT

    @property
    def head(self) -> int:
        """The height of a header [px]; 0 without headers."""
        return round(HEAD * max(1.0, theme.scale())) if self.several else 0

    def area(self, tile: Tile) -> TileArea:
        """Rectangle of a view in the viewport; empty if it is not shown."""
        width, height = self._viewport.width(), self._viewport.height()
        inset = self._aspect() if self.arrangement is Arrangement.INSET else 0.0
        key = width, height, self.arrangement, self.only, self.corner, self.head, inset
        if self._laid[0] != key:
            self._laid = key, self.areas_in(width, height, self.head)
        shown = self.shown()
        return self._laid[1][shown.index(tile)] if tile in shown else TileArea(EMPTY, EMPTY)

    def at(self, where: QPointF) -> Tile | None:
        """The view at a point of the viewport, its header included; None: it is between them."""
        if len(self.shown()) == 1:
            return self.shown()[0]
        point = where.toPoint()
        for tile in reversed(self.shown()):
            area = self.area(tile)
            if area.picture.contains(point) or area.head.contains(point):
                return tile
        return None
