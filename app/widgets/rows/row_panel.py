"""A panel whose rows scroll, and which says so when it has none."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel, QVBoxLayout, QWidget

from tumble.app.widgets.dock import Dock, Panel
from tumble.app.widgets.scroll_area import SteadyScrollArea


class RowsPanel(Panel):
    """A column of rows between a head and the bottom."""

    def __init__(self, dock: Dock, head: QWidget | None = None) -> None:
        super().__init__(dock)
        self._area = SteadyScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        if head is not None:
            column.addWidget(head)
        column.addWidget(self._area, 1)
        self.set_content(body, low=True)

    def set_rows(self, rows: Sequence[QWidget], otherwise: str, content: QWidget | None = None) -> None:
        """Show these rows in place of those before; `otherwise` if there are none. content: an empty widget for them."""
        content = content or QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(0)
        for row in rows:
            column.addWidget(row)
        if not rows:
            empty = QLabel(otherwise)
            empty.setObjectName("empty")
            empty.setWordWrap(True)
            empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(empty)
        column.addStretch(1)
        self._area.setWidget(content)  # the content before is deleted by Qt
