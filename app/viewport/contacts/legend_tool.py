"""The handle in the legend of contacts."""

from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QToolTip

from tumble.app.session.session import Session
from tumble.app.viewport.contacts.legend import GRIP, ArrowLength, LegendLayout, lay_out
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool


class LegendTool(ViewTool):
    """The end of the arrow in the legend is a handle: dragged, it makes all arrows of forces longer or shorter."""

    hovers = True

    def __init__(self, viewport: ViewSurface, session: Session) -> None:
        self._viewport, self._length = viewport, session.part(ArrowLength)
        self._length.changed.connect(viewport.update)
        self._held: tuple[float, float, float] | None = None  # x of the press, the bar's length then [px], and the arrows'

    def _over(self, mouse: MouseAt, canvas: Canvas) -> LegendLayout | None:
        """The legend, if its handle is under the mouse."""
        legend = self._viewport.tiles.current.contacts.legend
        if legend is None or not legend.share:
            return None
        places = lay_out(legend, canvas.width, canvas.height)
        if places.end is None:
            return None
        off = mouse.where - places.end
        return places if abs(off.x()) <= 2.2 * GRIP and abs(off.y()) <= 2.2 * GRIP else None

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Start a drag of the handle."""
        places = self._over(mouse, canvas) if mouse.button == Qt.MouseButton.LeftButton else None
        if places is None or places.start is None or places.end is None:
            return False
        self._held = mouse.where.x(), places.end.x() - places.start.x(), self._length.value
        return True

    def drag(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Scale arrows with the length of the bar."""
        if self._held is not None:
            x, bar, value = self._held
            self._length.set(value * max((bar + mouse.where.x() - x) / bar, 0.01))

    def hover(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Show the purpose of the handle."""
        over = self._over(mouse, canvas) is not None
        if over:
            at = self._viewport.mapToGlobal(mouse.where.toPoint())
            QToolTip.showText(at, f"Drag: longer or shorter arrows ({self._length.words} now)", self._viewport)
        return over
