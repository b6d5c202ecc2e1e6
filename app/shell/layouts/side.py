"""A side of the window whose docks fold to a strip of their tabs, and unfold from there."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from PyQt6.QtCore import QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import QMainWindow, QTabBar, QToolBar

from tumble.app.panels.table import BOTTOM, LEFT, RIGHT
from tumble.app.widgets.dock import Dock
from tumble.app.widgets.dock_tidying import is_along

NAMES = {LEFT: "left", RIGHT: "right", BOTTOM: "bottom"}
_STRIPS = {
    LEFT: (Qt.ToolBarArea.LeftToolBarArea, QTabBar.Shape.RoundedWest),
    RIGHT: (Qt.ToolBarArea.RightToolBarArea, QTabBar.Shape.RoundedEast),
    BOTTOM: (Qt.ToolBarArea.BottomToolBarArea, QTabBar.Shape.RoundedSouth),
}


class Folded(Struct, frozen=True):
    """State of a folded side: keys of its docks, the one in front, and its width or height [px]."""

    keys: list[str] = field(default_factory=list)
    front: str = ""
    size: int = 0


class Side(QObject):
    """One of three sides. changed: it was folded or unfolded."""

    changed = pyqtSignal()

    def __init__(self, window: QMainWindow, docks: Sequence[Dock], area: Qt.DockWidgetArea) -> None:
        """docks: all of the window, since the user moves them from side to side."""
        super().__init__(window)
        self._window, self._docks, self._area = window, {dock.objectName(): dock for dock in docks}, area
        self.folded: Folded | None = None
        self._restoring: tuple[Dock, int] | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._restore_size)
        where, shape = _STRIPS[area]
        self.tabs = QTabBar()
        self.tabs.setObjectName("folded")
        self.tabs.setShape(shape)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.tabs.setAccessibleName(f"Folded panels at the {NAMES[area]}")
        self.tabs.setToolTip("Click a name: the panels come back, with it in front")
        self.tabs.tabBarClicked.connect(self._pick)
        self.strip = QToolBar(f"Folded panels at the {NAMES[area]}")
        self.strip.setObjectName(f"folded_{NAMES[area]}")
        self.strip.setMovable(False)
        self.strip.setProperty("folded", True)
        self.strip.addWidget(self.tabs)
        window.addToolBar(where, self.strip)
        self.strip.hide()
        for dock in docks:
            dock.opened.connect(self._look)

    # ---- queries

    def open_docks(self) -> list[Dock]:
        """The open docks of this side, in front of their tabs or behind."""
        area = self._window.dockWidgetArea
        return [d for d in self._docks.values() if not d.isHidden() and not d.isFloating() and area(d) == self._area]

    def front(self) -> Dock | None:
        """The dock that is seen; None: the side is closed or folded."""
        there = self.open_docks()
        return next((dock for dock in there if not dock.visibleRegion().isEmpty()), there[0] if there else None)

    def size_of(self, dock: Dock) -> int:
        """Height at the bottom, with tabs, or width at the left and right [px], as `resizeDocks` counts."""
        if self._area != BOTTOM:
            return dock.width()
        bars = self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        own = (bar.height() for bar in bars if bar.isVisible() and is_along(bar.geometry(), dock.geometry()) and bar.count() > 1)
        return dock.height() + next(own, 0)

    @property
    def direction(self) -> Qt.Orientation:
        """Direction in which the side is resizable."""
        return Qt.Orientation.Vertical if self._area == BOTTOM else Qt.Orientation.Horizontal

    # ---- folding

    def fold(self) -> None:
        """Close the docks, and leave their tabs."""
        front, there = self.front(), self.open_docks()
        if front is None:
            return
        self.show_strip(Folded([dock.objectName() for dock in there], front.objectName(), self.size_of(front)))
        for dock in there:
            dock.hide()
        self.changed.emit()

    def show_strip(self, folded: Folded | None) -> None:
        """Show the tabs of docks that are closed already; None: show none."""
        self.folded = folded if folded is not None and any(key in self._docks for key in folded.keys) else None
        while self.tabs.count():
            self.tabs.removeTab(0)
        for key in self.folded.keys if self.folded is not None else []:
            if key in self._docks:
                self.tabs.setTabData(self.tabs.addTab(self._docks[key].windowTitle()), key)
        self.tabs.updateGeometry()  # Qt does not notify the tool bar of new tabs while they are hidden, as before the first show
        self.strip.setVisible(self.folded is not None)

    def unfold(self, front: str = "") -> None:
        """Unfold the docks, one of them in front."""
        if self.folded is None:
            return
        kept = self.folded
        self.show_strip(None)
        for key in kept.keys:
            if key in self._docks:
                self._docks[key].show()
        dock = self._docks.get(front or kept.front)
        if dock is not None:
            dock.raise_()
            self._restoring = dock, kept.size
            self._soon.start(0)  # the window must have laid them out
        self.changed.emit()

    def _restore_size(self) -> None:
        if self._restoring is not None and self.folded is None:
            dock, size = self._restoring
            self._window.resizeDocks([dock], [size], self.direction)
        self._restoring = None

    def toggle(self) -> None:
        """Fold open panels, unfold folded ones."""
        if self.folded is None:
            self.fold()
        else:
            self.unfold()

    def _pick(self, at: int) -> None:
        if at >= 0:  # the tab bar must not lose its tabs during its click signal
            key = str(self.tabs.tabData(at))
            QTimer.singleShot(0, lambda: self.unfold(key))

    def _look(self, shown: bool) -> None:
        """A dock that is opened by other means unfolds the others of its side."""
        dock = self.sender()
        if shown and self.folded is not None and isinstance(dock, Dock) and dock in self.open_docks():
            self.unfold(dock.objectName())
