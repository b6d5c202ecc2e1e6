"""Corrections of Qt's layout after docks move."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PyQt6.QtWidgets import QDockWidget, QMainWindow, QTabBar

FLOATING_AT = QPoint(80, 80)  # of the window, where a dock is brought that floats unseen
PADDINGS = (9, 6, 4)  # left and right of a tab's text [px]; the first is that of the style sheet
SLACK = 2  # that Qt adds to the width of a text [px]
EDGE = 4  # a tab bar lies so close to the dock that it belongs to [px]


def keep_in_sight(dock: QDockWidget) -> None:
    """Move a dock back to the window whenever it floats outside every screen.

    Tabs keep the docks behind the front one at a place outside of every screen, and there they float; Qt goes by that place
    when it reports whether a dock is visible.
    """

    def look(floating: bool) -> None:
        parent = dock.parentWidget()
        if floating and parent is not None and (dock.geometry().right() < 0 or dock.geometry().bottom() < 0):
            shown = dock.isVisible()
            dock.hide()
            dock.setGeometry(QRect(parent.mapToGlobal(FLOATING_AT), dock.size().expandedTo(dock.sizeHint())))
            dock.setVisible(shown)  # and visibilityChanged reports the truth

    dock.topLevelChanged.connect(look)


class TabBarTidier(QObject):
    """Moves tab bars out of sight that belong to no docks any more, whenever a window is laid out.

    Qt keeps a tab bar too many when docks are put into tabs, or a layout is restored, before the window is shown. It stays
    where it was, over whatever is there now. One that is in use lies along its front dock, where Qt puts it. They are moved, not
    hidden: Qt shows every bar again when it lays the window out, and hiding one has it laid out, forever.
    """

    def __init__(self, window: QMainWindow, docks: Sequence[QDockWidget]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.tidy)
        window.installEventFilter(self)
        for dock in docks:
            dock.visibilityChanged.connect(self._wait)
            dock.dockLocationChanged.connect(self._wait)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Check again after the window was shown or resized."""
        if event is not None and event.type() in (QEvent.Type.Show, QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._wait()
        return False

    def _wait(self) -> None:
        self._soon.start(0)

    def tidy(self) -> None:
        """Move bars without a dock away, and make the tabs of the others fit."""
        fronts = [d.geometry() for d in self._docks if d.isVisible() and not d.isFloating() and d.geometry().right() > 0]
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            used = bar.count() > 1 and any(is_along(bar.geometry(), front) for front in fronts)
            if used:
                fit_tabs(bar)
            elif bar.geometry().intersects(self._window.rect()):
                bar.move(-bar.width(), -bar.height())


def fit_tabs(bar: QTabBar) -> None:
    """Make all tabs visible: with less padding if there are many, and then the longest elided, with the full text as tip."""
    metrics = bar.fontMetrics()
    widths = [metrics.horizontalAdvance(bar.tabText(k).replace("&", "")) + SLACK for k in range(bar.count())]
    for padding in PADDINGS:
        room = bar.width() - 2 * padding * len(widths)
        if sum(widths) <= room:
            style = f"QTabBar::tab {{ padding: 4px {padding}px; }}"
            break
    else:
        style = f"QTabBar::tab {{ padding: 4px {PADDINGS[-1]}px; max-width: {level(widths, room)}px; }}"
    if bar.styleSheet() != style:
        bar.setStyleSheet(style)


def level(widths: Sequence[int], room: int) -> int:
    """The width to which the widest are cut so that all of them have room."""
    left = room
    for k, width in enumerate(sorted(widths)):
        if width * (len(widths) - k) > left:
            return max(left // (len(widths) - k), 1)
        left -= width
    return max(widths, default=0)


def is_along(bar: QRect, dock: QRect) -> bool:
    """True if a tab bar lies below a dock, as its own tabs do."""
    return abs(bar.left() - dock.left()) <= EDGE and 0 <= bar.top() - dock.bottom() <= EDGE
