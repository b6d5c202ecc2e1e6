"""Tips for texts that a table or a list has no room for: what is cut can be read in full under the mouse."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, QModelIndex, QObject, Qt
from PyQt6.QtGui import QFont, QFontMetrics, QHelpEvent
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QToolTip, QWidget

AROUND = 12  # room that a cell keeps beside its text [px]


def tip_where_cut(widget: QWidget) -> None:
    """Have all tables and lists in a widget say what they cut."""
    for view in widget.findChildren(QAbstractItemView):
        viewport = view.viewport()
        if viewport is not None:
            viewport.installEventFilter(_Teller(view))


class _Teller(QObject):
    """Watches one view for the mouse that rests; a tip that the cell has of its own is left to the view."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Show the tip of a cut text."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        text = self._cut_header(event) if isinstance(self._view, QHeaderView) else self._cut_cell(event)
        if text:
            QToolTip.showText(event.globalPos(), text, self._view)
        return bool(text)

    def _cut_cell(self, event: QHelpEvent) -> str:
        index = self._view.indexAt(event.pos())
        if not index.isValid() or index.data(Qt.ItemDataRole.ToolTipRole):
            return ""
        return self._if_cut(index, index.data(Qt.ItemDataRole.DisplayRole), self._view.visualRect(index).width())

    def _cut_header(self, event: QHelpEvent) -> str:
        header, model = self._view, self._view.model()
        if not isinstance(header, QHeaderView) or model is None:
            return ""
        at = header.logicalIndexAt(event.pos())
        if at < 0 or model.headerData(at, header.orientation(), Qt.ItemDataRole.ToolTipRole):
            return ""
        return self._if_cut(None, model.headerData(at, header.orientation()), header.sectionSize(at))

    def _if_cut(self, index: QModelIndex | None, text: object, room: int) -> str:
        font = None if index is None else index.data(Qt.ItemDataRole.FontRole)
        metrics = QFontMetrics(font if isinstance(font, QFont) else self._view.font())
        return text if isinstance(text, str) and metrics.horizontalAdvance(text) + AROUND > room else ""
