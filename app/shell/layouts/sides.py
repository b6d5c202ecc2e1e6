"""The three sides of the window: docks fold to a strip of their tabs and unfold from there, and the view keeps enough room."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict
from PyQt6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtWidgets import QApplication, QMainWindow, QTabBar, QToolBar, QWidget

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.look import theme
from tumble.app.panels.table import BOTTOM, LEFT, RIGHT, Panels
from tumble.app.widgets.dock import Dock, is_along

SHARE = 0.453  # of the window's area that the view keeps when a panel is opened at the bottom
LOWEST = 190  # of a panel at the bottom, with its title [px]: less shows nothing; more where text is larger
PASSES = 8  # folding, sizes, and their consequences
LAID_OUT = 20  # until the window has laid out its docks [ms]
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


class Sides(QObject):
    """Folding sides and making room. Docks report when the user opens them (`Dock.wanted`)."""

    def __init__(self, window: QMainWindow, panels: Panels, store: Settings) -> None:
        super().__init__(window)
        docks = panels.docks
        self._window = window
        self._docks = docks
        self.sides = {area: Side(window, docks, area) for area in (LEFT, RIGHT, BOTTOM)}
        self.heights = PanelHeights(window, panels, store, self.sides[BOTTOM].front)
        self._raised: Dock | None = None  # opened at the bottom, and to be given its height
        self._passes = 0  # how often room may still be looked for
        self._made_room = False  # whether the left side is folded only because a panel was opened at the bottom
        self._keeps_left = False  # whether a panel of the left side was opened since one was at the bottom
        self._pressed: tuple[QTabBar, int, QPoint] | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.make_room)
        self.heights.grasped.connect(self._stop)
        for dock in docks:
            dock.wanted.connect(partial(self._note_wanted, dock))
            dock.opened.connect(self._note_closed)
            dock.fold_wanted.connect(partial(self.fold_dock, dock))
        window.installEventFilter(self)

    def of(self, area: Qt.DockWidgetArea) -> Side:
        """A side."""
        return self.sides[area]

    def fold_dock(self, dock: Dock) -> None:
        """Fold the side on which a dock is."""
        side = self.sides.get(self._window.dockWidgetArea(dock))
        if side is not None and not dock.isFloating():
            side.fold()
            self._made_room = self._made_room and side is not self.sides[LEFT]

    # ---- room for the view

    def _note_wanted(self, dock: Dock) -> None:
        """A dock was opened: others make room, but the left side does not fold away from under one that was opened there."""
        area = self._window.dockWidgetArea(dock)
        if area in (LEFT, BOTTOM):
            self._keeps_left = area == LEFT
        self.make_room_soon(dock if area == BOTTOM else None)

    def make_room_soon(self, opened: Dock | None = None) -> None:
        """`make_room`, once the window is laid out. opened: a dock at the bottom that is to have its height."""
        self._passes, self._raised = PASSES, opened or self._raised
        self._soon.start(LAID_OUT)

    def _note_closed(self, shown: bool) -> None:
        """When the last panel at the bottom is closed, unfold the side that was folded for it."""
        if not shown and self._made_room and not self.sides[BOTTOM].open_docks():
            self._made_room = False
            self.sides[LEFT].unfold()

    def _stop(self) -> None:
        """Leave sizes as they are."""
        self._soon.stop()
        self._passes, self._raised = 0, None

    def make_room(self) -> None:
        """Give the bottom the height of the opened panel, if the view can spare it; else fold the left side.

        A height that the user has given the panel is not lowered. Looks again after each change: sizes go to the window,
        which lays out its docks a moment later.
        """
        side, left = self.sides[BOTTOM], self.sides[LEFT]
        bottom = side.front()
        view = self._window.centralWidget()
        if bottom is None or view is None or self._passes <= 0:
            self._raised = None
            return
        self._passes -= 1
        size, lowest = side.size_of(bottom), round(LOWEST * max(1.0, theme.scale()))
        tabs, chosen = size - bottom.height(), self.heights.chosen(bottom)
        spare = self._spare(size, view)
        most = max(spare, lowest)
        if chosen is not None:
            most = max(most, min(chosen + tabs, size + view.height() - LOWEST))
        target = min(self.heights.of(bottom) + tabs if bottom is self._raised else size, most)
        if spare < lowest and left.front() is not None and not self._keeps_left:
            left.fold()
            self._made_room = True
        elif size != target:
            self._window.resizeDocks([bottom], [target], Qt.Orientation.Vertical)
        else:
            self._raised = None
            return
        self._soon.start(LAID_OUT)

    def _spare(self, size: int, view: QWidget) -> int:
        """The height that a dock at the bottom may have so that the view keeps its share [px]."""
        wanted = SHARE * self._window.width() * self._window.height() / max(view.width(), 1)
        return int(view.height() + size - wanted)

    # ---- a click at the tab in front

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Watch the tab bars that the window makes."""
        kind = None if event is None else event.type()
        if watched is self._window and kind == QEvent.Type.ChildPolished:
            for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
                bar.removeEventFilter(self)
                bar.installEventFilter(self)
                bar.setToolTip("Click the front one: the panels fold to their tabs")
        elif isinstance(watched, QTabBar) and isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            self._watch_click(watched, event)
        return False

    def _watch_click(self, bar: QTabBar, event: QMouseEvent) -> None:
        where = event.position().toPoint()
        at = bar.tabAt(where)
        if event.type() == QEvent.Type.MouseButtonPress:
            self._pressed = (bar, at, where) if at >= 0 and at == bar.currentIndex() else None
        elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
            pressed, self._pressed = self._pressed, None
            near = (where - pressed[2]).manhattanLength() < QApplication.startDragDistance()
            if near and pressed[:2] == (bar, at):
                dock = self._dock_of(bar.tabText(at))
                if dock is not None:
                    QTimer.singleShot(0, partial(self.fold_dock, dock))

    def _dock_of(self, title: str) -> Dock | None:
        plain = title.replace("&", "")
        return next((dock for dock in self._docks if dock.windowTitle() == plain and not dock.isFloating()), None)

    # ---- stored between starts

    def to_json(self) -> list[dict[str, Any]]:
        """Folded sides."""
        return [{"side": NAMES[area]} | asdict(side.folded) for area, side in self.sides.items() if side.folded is not None]

    def from_json(self, entries: Iterable[dict[str, Any]]) -> None:
        """Fold the sides from `to_json`; invalid entries are omitted. The docks are closed already."""
        kept = {entry["side"]: Folded(entry["keys"], entry["front"], entry["size"]) for entry in entries}
        for area, side in self.sides.items():
            side.show_strip(kept.get(NAMES[area]))
        self._stop()  # this layout is as saved
        self._made_room = False

    def unfold_all(self) -> None:
        """Clear the folded sides: another layout follows."""
        self.from_json([])



LEAST, MOST = 60, 4000  # of a height that is kept [px]


class PanelHeights(QObject):
    """Remembers a height when the user drags the separator over the panel that is in front at the bottom.

    grasped: a separator between docks was pressed.
    """

    grasped = pyqtSignal()

    def __init__(self, window: QMainWindow, panels: Panels, store: Settings, front: Callable[[], Dock | None]) -> None:
        """front: the dock that is seen at the bottom."""
        super().__init__(window)
        self._window, self._panels, self._store, self._front = window, panels, store, front
        self._pressed: tuple[Dock, int] | None = None  # the dock at the bottom when a button went down, and its height
        self._chosen = {key: px for key, px in store.get(settings.PANEL_HEIGHTS).items() if LEAST <= px <= MOST}
        window.installEventFilter(self)

    def chosen(self, dock: Dock) -> int | None:
        """The height that the user has given a panel [px]; None: none."""
        return self._chosen.get(dock.objectName())

    def of(self, dock: Dock) -> int:
        """The height in which a panel is opened [px]."""
        return self.chosen(dock) or round(self._panels.height(dock.objectName()) * max(1.0, theme.scale()))

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """A button that goes down on the window itself is on a separator between docks."""
        if watched is self._window and isinstance(event, QMouseEvent):
            front = self._front()
            if event.type() == QEvent.Type.MouseButtonPress:
                self._pressed = None if front is None else (front, front.height())
                self.grasped.emit()
            elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
                QTimer.singleShot(0, self._compare)  # the window follows the mouse a moment later
        return False

    def _compare(self) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return
        dock, before = pressed
        at_bottom = self._window.dockWidgetArea(dock) == BOTTOM and dock.isVisible() and not dock.isFloating()
        if at_bottom and dock.height() != before:
            self._chosen[dock.objectName()] = min(max(dock.height(), LEAST), MOST)
            self._store.put(settings.PANEL_HEIGHTS, self._chosen)
