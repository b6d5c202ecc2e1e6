"""A scroll area whose layout converges for any content."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtWidgets import QScrollArea, QWidget

_DEEPEST = 3  # a bar that comes or goes can need a second look, and the other bar a third
_FOLLOWED = (QEvent.Type.Resize, QEvent.Type.LayoutRequest)


class SteadyScrollArea(QScrollArea):
    """Fits its content to its width, and follows when the content changes size.

    Qt follows each such change by another, without an end: where content of wrapped text is as high as its width asks for, a bar
    that appears can take the width that made it appear, and the recursion ends in a crash. Here it ends after a few.
    """

    def __init__(self, content: QWidget | None = None) -> None:
        """content: to be scrolled up and down only, without a focus for the area itself."""
        super().__init__()
        self._depth = 0
        if content is not None:
            self.setWidgetResizable(True)
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.setWidget(content)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Qt's, but for changes that it causes by itself again and again."""
        if event is None or event.type() not in _FOLLOWED:
            return super().eventFilter(watched, event)
        if self._depth >= _DEEPEST:
            return False
        self._depth += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._depth -= 1
