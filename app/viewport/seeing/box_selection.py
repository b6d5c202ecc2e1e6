"""A box drawn with the mouse: every body that is seen in it is found, and the geoms of all are edited together."""

from __future__ import annotations

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QPainter, QPen

from tumble.app.describe.names import body_name
from tumble.app.look import theme
from tumble.app.session.requests import EditTogether
from tumble.app.session.session import Session
from tumble.app.viewport.gestures import is_click
from tumble.app.viewport.seeing.choosing import FoundBodies
from tumble.app.viewport.seeing.looking import Looking
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool

NAMED = 3  # bodies that the status line names


class BoxTool(ViewTool):
    """Shift and a drag of the left button, where no other mode has the mouse."""

    def __init__(self, viewport: ViewSurface, session: Session, looking: Looking) -> None:
        self._viewport, self._session, self._looking = viewport, session, looking
        self._found = session.part(FoundBodies)
        self._from: QPointF | None = None
        self._to = QPointF()

    @property
    def box(self) -> QRectF:
        """The rubber band in the view's pixels; empty if missing."""
        return QRectF() if self._from is None else QRectF(self._from, self._to).normalized()

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Begin at a corner."""
        shift = mouse.modifiers & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.ShiftModifier
        free = self._viewport.cursor().shape() is Qt.CursorShape.ArrowCursor and self._session.model is not None
        if not (shift and free and mouse.button == Qt.MouseButton.LeftButton):
            return False
        self._from = self._to = mouse.where
        return True

    def drag(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Draw it to where the mouse is, within the view."""
        self._to = QPointF(min(max(mouse.where.x(), 0.0), canvas.width), min(max(mouse.where.y(), 0.0), canvas.height))

    def release(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Find the bodies in it."""
        box, begun = self.box, self._from
        self._from = None
        if begun is not None and not is_click(begun, self._to):
            self._find(box)

    def _find(self, box: QRectF) -> None:
        session, model = self._session, self._session.loaded_model
        seen = self._looking.bodies_within(box)
        bodies = tuple(sorted(seen - {0}))
        if not bodies:
            session.select(0)
            self._found.clear()
            session.status.emit("No body is seen in the box")
            return
        geoms = tuple(int(g) for g in np.flatnonzero(np.isin(model.geom_bodyid, bodies)))
        session.select(bodies[0] if len(bodies) == 1 else 0)
        self._found.show(bodies)
        session.ask(EditTogether(geoms))
        names = ", ".join(body_name(model, b) for b in bodies[:NAMED])
        more = f" and {len(bodies) - NAMED} more" if len(bodies) > NAMED else ""
        session.status.emit(f"Found {names}{more}: {len(geoms)} geoms, edited together in the Parameters panel")

    def cancel(self) -> bool:
        """Discard the drawn box, or the bodies found."""
        had = self._from is not None or bool(self._found.bodies)
        self._from = None
        self._found.clear()
        return had

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw it."""
        if self._from is not None and canvas.active:
            painter.setPen(QPen(theme.colour("accent"), 1.4, Qt.PenStyle.DashLine))
            painter.setBrush(theme.colour("accent", 38))
            painter.drawRect(self.box)
