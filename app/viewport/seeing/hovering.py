"""The name of the object under the mouse, once it rests: a plate next to it, until it moves on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QPointF, Qt, QTimer
from PyQt6.QtGui import QPainter

from tumble.app.describe.contacts import Names
from tumble.app.session.session import Session
from tumble.app.viewport.plates import paint_lines
from tumble.app.viewport.seeing.choosing import REACH
from tumble.app.viewport.seeing.looking import Looking
from tumble.app.viewport.seeing.words import seen_words
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool

if TYPE_CHECKING:
    from tumble.physics import MjModel

REST, AGAIN = 500, 250  # delay before it appears; interval of updates while the simulation runs [ms]
STEADY = 3.0  # pixels that a resting hand may move


class HoverTool(ViewTool):
    """Hover of one viewport. It picks once when the mouse rests, and again only if the simulation has advanced."""

    hovers = True

    def __init__(self, viewport: ViewSurface, session: Session, looking: Looking) -> None:
        self._viewport, self._session, self._looking = viewport, session, looking
        self._where, self._tile = QPointF(), viewport.tiles.under
        self._names: tuple[MjModel, Names] | None = None
        self.lines: list[str] = []  # displayed text
        self._timer = QTimer(viewport)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._look)
        session.advanced.connect(self._go_on)
        session.model_loaded.connect(self._hide)

    def hover(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Wait for the mouse to rest."""
        moved = (mouse.where - self._where).manhattanLength() > STEADY or self._viewport.tiles.under is not self._tile
        if moved or (not self._timer.isActive() and not self.lines):
            self._where, self._tile = mouse.where, self._viewport.tiles.under
            self._hide()
            self._timer.start(REST)
        return False

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """A press ends the hover."""
        self._hide()
        return False

    def leave_view(self) -> None:
        """The mouse has gone."""
        self._hide()

    def _hide(self) -> None:
        self._timer.stop()
        if self.lines:
            self.lines = []
            self._viewport.update()

    def _go_on(self) -> None:
        if self.lines and not self._timer.isActive():
            self._timer.start(AGAIN)

    def _look(self) -> None:
        before, self.lines = self.lines, self._found()
        if self.lines != before:
            self._viewport.update()

    def _found(self) -> list[str]:
        """The lines about the object under the mouse; none while something more important is there."""
        view, session, model = self._viewport, self._session, self._session.model
        busy = view.cursor().shape() is not Qt.CursorShape.ArrowCursor or view.show_help or view.dropping
        if busy or model is None or session.snapshot is None:
            return []
        if self._tile not in view.tiles.shown():
            return []
        with view.tiles.aiming(self._tile):
            hit = self._looking.pick(self._where, None, REACH)
        if hit is None:
            return []
        if self._names is None or self._names[0] is not model:
            self._names = model, Names(model)
        return seen_words(model, self._names[1], session.snapshot, hit)

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw the plate in the view that the mouse is over."""
        if self.lines and canvas.hovered:
            paint_lines(painter, self._where, self.lines, (canvas.width, canvas.height))
