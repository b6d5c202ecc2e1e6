"""The 3D view: draws the session's snapshot, and turns the mouse into cameras, selections and pulls."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import moderngl
import numpy as np
from PyQt6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QWheelEvent

from tumble.app.editing.edits import OF_HFIELD, OF_SHAPE, EditPlace
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.simulation.perturbation import GripMode
from tumble.app.viewport import insets, overlay
from tumble.app.viewport.axes import AxesTool
from tumble.app.viewport.cameras import followed
from tumble.app.viewport.choosing import BodyDragTool, BoxTool, Chooser, ContactPickTool, FoundBodies
from tumble.app.viewport.contacts.legend_tool import LegendTool
from tumble.app.viewport.figures import Drawing
from tumble.app.viewport.gestures import Drag, click_of, drag_camera, drag_of, is_click
from tumble.app.viewport.hovering import HoverTool
from tumble.app.viewport.looking import Looking
from tumble.app.viewport.overlay import hint, info_lines, time_lines
from tumble.app.viewport.photo import Photo, pixels_of
from tumble.app.viewport.picture_pace import PictureRate, Stillness, ViewQuality, pose_of
from tumble.app.viewport.plates import forget_texts
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.thumbnails import Darkroom, fits
from tumble.app.viewport.tiles.collage import Collage, Drawn, draw_views, fill, painted_inside, write_views
from tumble.app.viewport.tiles.heads import TileHeads
from tumble.app.viewport.tools import Tools
from tumble.render.camera import scroll
from tumble.render.constants import MeshId
from tumble.render.frame import Frame
from tumble.render.gpu.context import Anchor, current_context
from tumble.render.options import Selection
from tumble.render.picking.pick import Eye
from tumble.render.renderer import Renderer
from tumble.render.scene.scene import Pieces

if TYPE_CHECKING:
    from tumble.physics import MjModel

log = logging.getLogger(__name__)

WHEEL_CLICK = 120.0  # wheel units of one click, by Qt's convention


class Viewport(ViewSurface):
    """Draws the views, with their overlay."""

    broken = pyqtSignal(str)  # why the model cannot be drawn
    lost = pyqtSignal()  # the graphics driver was reset: no picture can be drawn any more

    def __init__(self, session: Session, samples: int | None = None) -> None:
        """samples: multisamples per pixel; None: as the graphics card allows."""
        super().__init__(session)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 180)
        self._detected: moderngl.Framebuffer | None = None
        self._screen_key: tuple[int, int, int] | None = None
        self.show_time, self.show_info = True, False
        self.error_title = ""
        self.head = 0.0  # height at the top that a banner of the window takes [px]
        self.progress: tuple[str, float] | None = None
        self.pieces: Pieces | None = None  # the parts into which a geom of this model could be cut
        self.quality = ViewQuality(session.store, samples)
        self._ctx: moderngl.Context | None = None
        self._anchor = Anchor()
        self._renderer: Renderer | None = None
        self.looking = Looking(self, session)
        self._model: MjModel | None = None  # whose pictures the renderer draws
        self._broken = ""  # why this model cannot be drawn
        self._stale = False  # whether colours, sizes and the like changed since it was read
        self._uneven = False  # whether height fields did
        self._path: Path | None = None
        self._rate, self._stillness = PictureRate(), Stillness(self.update)
        self._closed = False
        self.heads = TileHeads(self, self.tiles, self.camera_name)
        self.tools = Tools(self)
        self.axes = AxesTool(self)
        self.hover = HoverTool(self, session, self.looking)
        self._chooser = Chooser(self, session, self.looking)
        for tool in (
            BoxTool(self, session, self.looking), ContactPickTool(self, session, self.looking), LegendTool(self, session),
            BodyDragTool(self, session, self._chooser), self.axes, self.hover,
        ):  # fmt: skip
            self.tools.add(tool)
        self.tiles.activated.connect(self._show_active)
        self.tiles.changed.connect(self._show_active)
        self._darkroom = Darkroom()
        self._drag = Drag.NOTHING  # of the camera
        self._last = self._pressed = QPointF()
        self.insets = insets.Insets(session, self.update)
        session.model_loaded.connect(self._new_model)
        session.model_seen.connect(self._take_first_look)
        session.selection_changed.connect(self._new_selection)
        session.paused_changed.connect(lambda paused: self.update())
        for changed in (session.advanced, session.forces_changed, session.contact_choice.changed, session.part(Drawing).changed):
            changed.connect(self.update)
        session.part(FoundBodies).changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """A landscape picture."""
        return QSize(960, 640)

    # ---- drawing

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make the OpenGL context current, outside of painting."""
        self.makeCurrent()
        self._anchor.use()
        try:
            yield
        finally:
            self.doneCurrent()

    def initializeGL(self) -> None:
        """Called by Qt with the context current."""
        self._ctx = current_context()
        self._screen_key = None
        self._anchor.make(self._ctx)
        log.info("OpenGL: %s", self._ctx.info["GL_RENDERER"])

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """Paint, and report a context that is lost: Qt then draws nothing, and calls nothing here."""
        super().paintEvent(event)
        if self._ctx is not None and not self._closed and not self.isValid():
            self._closed = True
            self._ctx, self._anchor = None, Anchor()
            self._renderer = self.looking.eye = None  # with the context went all that they would release
            QTimer.singleShot(0, self.lost.emit)  # not while painting

    def _screen(self, ctx: moderngl.Context, width: int, height: int) -> moderngl.Framebuffer:
        """Qt's framebuffer, which Qt replaces when the size changes.

        Asked for only then: moderngl keeps what it has once detected for good, which a frame after the other adds up.
        """
        key = (self.defaultFramebufferObject(), width, height)
        if self._screen_key != key:
            self._detected, self._screen_key = ctx.detect_framebuffer(key[0]), key
        assert self._detected is not None
        return self._detected

    def paintGL(self) -> None:
        """Called by Qt with the context current: the picture, then the overlay."""
        if self._ctx is None or self._closed:
            return
        self._anchor.use()  # the last framebuffer may be gone: Qt's, or that of a screenshot taken since
        self._rate.count()
        ratio = self.devicePixelRatioF()
        width, height = round(self.width() * ratio), round(self.height() * ratio)
        screen = self._screen(self._ctx, width, height)
        drawn, session = self._draw(screen, height), self._session
        if drawn is None:
            fill(screen, "view")
        self._show_to_onlooker(screen, (width, height), panels=False)
        self._hand_over()
        painter = QPainter(self)
        write_views(painter, drawn or (), self.tiles, self.tools, session, self._selection())
        for tile in self.tiles.shown() if self.tiles.several else ():
            self.heads.paint(painter, tile, self.tiles.area(tile).head)
        overlay.paint(painter, self.width(), self.height(), self._overlay())
        painter.end()
        self._show_to_onlooker(screen, (width, height), panels=True)
        painter.begin(self)
        self.heads.paint_edge(painter)
        for _, canvas in painted_inside(painter, () if self.show_help else drawn or (), self.tiles):
            self.tools.paint(painter, canvas, recorded=False)
        painter.end()

    def _show_to_onlooker(self, screen: moderngl.Framebuffer, size: tuple[int, int], *, panels: bool) -> None:
        """Offer the picture as painted so far to the recorder."""
        if self.onlooker is not None and self.onlooker.panels == panels:
            self.onlooker.look(lambda: pixels_of(screen, *size))

    def _hand_over(self) -> None:
        """Restore the OpenGL state that QPainter expects."""
        assert self._ctx is not None
        self._ctx.enable_only(0)
        self._ctx.clear_samplers()
        self._anchor.set_rows_of_words()

    def _draw(self, screen: moderngl.Framebuffer, height: int) -> list[Drawn] | None:
        session = self._session
        if session.shown is None or (self._broken and self._model is session.shown[0]):
            return None
        model = session.shown[0]
        try:
            self._follow_model(model)
            assert self._renderer is not None
            assert self._ctx is not None
            ratio = self.devicePixelRatioF()
            still = self._stillness.look(pose_of(*session.shown, self.tiles.views()))
            self._renderer.full_detail = still or (self.onlooker is not None and self.onlooker.active)
            with self.quality.timing(self._ctx, steady=self.onlooker is not None):
                return draw_views(self._renderer, screen, session, self.tiles, self._selection(), ratio, height)
        except Exception as error:  # a model that cannot be drawn must not take the window with it, 60 times a second
            log.exception("this model cannot be drawn")
            self._model, self._broken = model, f"{type(error).__name__}: {error}"
            self._release_renderer()
            QTimer.singleShot(0, lambda: self.broken.emit(self._broken))  # not while painting
            return None

    def note_edit(self, place: EditPlace) -> None:
        """Numbers of the model are about to change: perhaps a colour or the like, which is then read again."""
        from tumble.physics import changes  # brings the compiler, which a window without a model does not need

        if place.field in OF_HFIELD:
            self._uneven = True
        if changes.rule(place.field).effect is changes.Effect.QUIET or place.field in OF_SHAPE | OF_HFIELD:
            self._stale = True
            self.update()

    def read_again(self) -> None:
        """Meshes, height fields or textures of the model were changed."""
        self._model = None
        self.update()

    def _follow_model(self, model: MjModel) -> None:
        """Set the renderer's model and quality."""
        assert self._ctx is not None
        quality = self.quality.now(self._ctx)
        if self._renderer is not None and self._renderer.quality != quality:
            self._release_renderer()
        if self._renderer is None:
            self._renderer = Renderer(self._ctx, model, quality=quality)
        elif model is not self._model:
            self._renderer.set_model(model)
        if self._stale:  # in a drag the next change is on its way before this one is drawn
            self._renderer.scene.refresh()
            for field in range(model.nhfield if self._uneven else 0):
                self._renderer.forget(mesh=int(MeshId.HFIELD) + field)
                self.looking.eye = None
            if self._session.is_obeyed:
                self._stale = self._uneven = False
        back = theme.colour("view")
        self._renderer.plain = (back.redF(), back.greenF(), back.blueF())
        if model is not self._model or self.looking.eye is None:
            self.looking.eye, self.pieces = Eye(self._renderer), None
        self._renderer.show_pieces(self.pieces)
        self._model, self._broken = model, ""

    def _selection(self) -> Selection:
        session = self._session
        contact = session.contact_choice.index
        if session.selection <= 0:
            return Selection(contact=contact, others=session.part(FoundBodies).bodies)
        grip = session.grip
        x, y, z = (float(v) for v in self.local_point)
        target = None if grip is None or session.paused else tuple(float(v) for v in grip.target)
        turns = grip is not None and grip.mode is GripMode.ROTATE
        return Selection(session.selection, (x, y, z), target, turns, contact)  # type: ignore[arg-type]

    def _overlay(self) -> overlay.Overlay:
        """Overlay of the whole viewport, independent of its views."""
        session = self._session
        result = overlay.Overlay(head=self.head, top=self.tiles.head, progress=self.progress, dropping=self.dropping)
        result.hint = hint(session, None if self.tiles.several else self.camera, self._renderer)
        if session.snapshot is None:
            return result
        snapshot = session.snapshot
        if self.show_time:
            result.time = time_lines(session, self.fps)
            result.paused = session.paused
            result.slow = snapshot.measured < 0.95 * session.rate
        if self.show_info:
            result.info = info_lines(session)
        result.plots, result.bars = self.insets.plots(), self.insets.bars()
        return result

    @property
    def is_drawn(self) -> bool:
        """True once a picture of the session's current model has been drawn."""
        return self._renderer is not None and self._model is self._session.model

    @property
    def card_bytes(self) -> tuple[int, int]:
        """Memory of meshes and of textures on the graphics card [bytes]."""
        return (0, 0) if self._renderer is None else self._renderer.card_bytes

    @property
    def fps(self) -> float:
        """Pictures drawn in the last second."""
        return self._rate.fps

    def thumbnail(self, frame: Frame, width: int, height: int) -> QImage | None:
        """A small picture of another moment, as the first view looks; None: the model is not drawn, or the frame not of it."""
        if self._ctx is None or self._closed or not self.is_drawn or self._model is None or not fits(frame, self._model):
            return None
        assert self._renderer is not None
        with self.current():
            return self._darkroom.draw(self._ctx, self._renderer, frame, self.tiles.all[0].look, (width, height))

    def photograph(self, photo: Photo) -> QImage:
        """The active view, or all, in any size, with or without background and overlay. Raises PhotoError."""
        over = self.tiles, self.heads, self.tools
        size = (self.width(), self.height()) if photo.all_views else self.picture_size
        with self.current():
            renderer = self._renderer if self.is_drawn else None
            return Collage(self._ctx, renderer, self._session, *over, self._selection(), self._overlay).take(photo, size)

    # ---- views and models

    def _show_active(self) -> None:
        self._drag = Drag.NOTHING
        self.tools.refresh()
        self.camera_changed.emit()
        self.options_changed.emit()
        self.update()

    def _new_model(self) -> None:
        session = self._session
        forget_texts()
        for tile in self.tiles.all:
            if session.kept is not None:
                tile.camera = followed(tile.camera, session.kept)
            if session.path != self._path or tile.camera.fixed >= session.loaded_model.ncam:
                tile.start(session.loaded_model)
        self._path = session.path
        self.quality.begin()
        self._stillness.begin()
        self._drag = Drag.NOTHING
        self.camera_changed.emit()
        self.update()

    def _take_first_look(self) -> None:
        """Show a model that does not run yet; the camera, if moved, stays when it does."""
        look = self._session.first_look
        assert look is not None
        self._path = look.path
        for tile in self.tiles.all:
            tile.start(look.model)
        self.camera_changed.emit()
        self.update()

    # ---- the mouse: the view under it becomes the active one, and headers, tools and the camera have it in turn

    def _go_to(self, where: QPointF) -> bool:
        """Make the view at a point the active one; returns True if there is one."""
        tile = self.tiles.at(where)
        if tile is not None:
            self.tiles.activate(tile)
        return tile is not None

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Begin a drag."""
        if event is None:
            return
        where = event.position()
        self._last = self._pressed = where
        if self._go_to(where) and not self.heads.press(where, event.button()) and not self.tools.press(event):
            self._drag = drag_of(event.button(), event.modifiers(), selected=False)

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Go on with a drag."""
        shown = self._session.shown
        if event is None or self.heads.drag(event.position()) or shown is None:
            return
        if not event.buttons():
            self._hover(event)
        elif not self.tools.move(event) and self._drag is not Drag.NOTHING:
            moved = (event.position() - self._last) / max(self.picture_size[1], 1)
            self._last = event.position()
            self.set_camera(drag_camera(self.camera, shown[0], self._drag, moved.x(), moved.y()))

    def _hover(self, event: QMouseEvent) -> None:
        """The mouse moves without a button: notify the tools of the view under it."""
        tiles, before = self.tiles, self.tiles.under
        tiles.under = None if self.heads.hover(event.position()) else tiles.at(event.position())
        if before not in (None, tiles.under):
            self.tools.leave()
        if tiles.under is None:
            self.setCursor(Qt.CursorShape.ArrowCursor)
            return
        with tiles.aiming(tiles.under):
            self.tools.move(event)

    def leaveEvent(self, event: QEvent | None) -> None:
        """The mouse has left the viewport."""
        self.heads.hover(None)
        self.tiles.under = None
        self.tools.leave()

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """End a drag; one that went nowhere is a click."""
        if event is None or self.heads.release(event.position()) or self.tools.release(event):
            return
        if self._drag is Drag.ORBIT and is_click(self._pressed, event.position()):
            self.tools.click(event)
        self._drag = Drag.NOTHING
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:
        """Select, centre or track the object under the mouse; on a header maximize its view."""
        if event is not None and self._go_to(event.position()) and not self.heads.double_click(event.position()):
            self._chooser.double_click(self.mouse_at(event), click_of(event.button(), event.modifiers()))

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Zoom."""
        shown = self._session.shown
        if event is None or shown is None or not self._go_to(event.position()):
            return
        clicks = event.angleDelta().y() / WHEEL_CLICK
        if math.isfinite(clicks) and clicks:
            self.set_camera(scroll(self.camera, shown[0], clicks))
        event.accept()

    def _new_selection(self, body: int) -> None:
        self.local_point = np.zeros(3)  # the body's origin, until a point of it is picked
        self.update()

    # ---- end

    def _release_renderer(self) -> None:
        if self._renderer is not None:
            self._renderer.release()
            self._renderer = self.looking.eye = None

    def cleanup(self) -> None:
        """Release all OpenGL objects; to be called before the window closes, while the context still lives."""
        if self._closed:
            return
        self._closed = True
        self._stillness.begin()
        if self._ctx is None:
            return
        self.makeCurrent()
        self._release_renderer()
        self._darkroom.release()
        self._anchor.release()
        self._ctx.release()
        self._ctx = None
        self.doneCurrent()
