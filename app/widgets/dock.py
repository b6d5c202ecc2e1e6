"""A dock, and the panel in it, which is created when it is first visible: a closed dock costs neither imports nor widgets.

The dock itself exists from the start, so that layouts, tabs and the menu know it. What must work while a panel was never
seen (breakpoints, camera keys, generators, the past) is in parts of the session, which the panel only shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from msgspec import Struct
from PyQt6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, pyqtSignal, pyqtSlot
from PyQt6.QtGui import QAction, QKeyEvent, QResizeEvent
from PyQt6.QtWidgets import QDockWidget, QHeaderView, QMainWindow, QTabBar, QToolButton, QWidget

from tumble.app.base.log_relay import LogRelay
from tumble.app.look import theme
from tumble.app.look.panel_parts import show_part
from tumble.app.look.relook import grow_header
from tumble.app.session.requests import Request
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.layout import make_timer, present, vbox
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.tables import tip_where_cut

MINIMUM_WIDTH = 240
NO_PAGES: Mapping[str, str] = MappingProxyType({})
# Size of a dock whose panel was never visible, and so has no size hint yet: enough that others behind it fit.
FIRST_SIZE = QSize(362, 300)
LOW = 90  # a panel is scrolled rather than to need more height [px]
CHEVRON = QSize(20, 20)
_WAYS = {
    Qt.DockWidgetArea.LeftDockWidgetArea: "left",
    Qt.DockWidgetArea.RightDockWidgetArea: "right",
    Qt.DockWidgetArea.BottomDockWidgetArea: "down",
}  # to where a side folds, as the icon of the button


class Dock(QDockWidget):
    """A place for a panel.

    in_sight: the panel, which exists by then, has become visible or hidden; opened: the dock was opened or closed,
    open is one behind another tab too. That comes a moment later: to float, a dock is hidden and shown again. wanted: the user
    has opened it, so that other docks may make room; fold_wanted: the docks of its side are to fold to their tabs.
    """

    in_sight = pyqtSignal(bool)
    opened = pyqtSignal(bool)
    left = pyqtSignal()  # by Escape, which no control in it needed
    wanted = pyqtSignal()
    fold_wanted = pyqtSignal()

    def __init__(
        self, name: str, title: str, make: Callable[[Dock], Panel], words: str = "", pages: Mapping[str, str] = NO_PAGES
    ) -> None:
        """name: the key under which the layout is remembered; title: text for the user; make: makes the panel.

        words: by which the command palette finds it besides its title; pages: titles of pages with words of their own.
        """
        super().__init__(title)
        self.setObjectName(name)
        self.words, self.pages = words, pages
        self.setMinimumWidth(MINIMUM_WIDTH)
        self._make: Callable[[Dock], Panel] = make
        self._panel: Panel | None = None
        self._in_front = self._held = False
        self._take_over_switch()
        self._soon = make_timer(self, self._tell_opened)
        self.visibilityChanged.connect(self._see)
        self._chevron = self._make_chevron()

    def _make_chevron(self) -> QToolButton:
        """A button in the title, left of those that Qt puts there."""
        button = QToolButton(self)
        button.setObjectName("chevron")
        button.setAccessibleName("Fold to tabs")
        button.setToolTip("Fold the panels of this side to their tabs")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setFixedSize(CHEVRON)
        button.setIconSize(CHEVRON - QSize(6, 6))
        button.clicked.connect(self.fold_wanted)
        # Real slots: they end with the dock, where a lambda could still be called by a dock that is being destroyed.
        self.dockLocationChanged.connect(self._point_chevron)
        self.topLevelChanged.connect(self._hide_chevron)
        return button

    @pyqtSlot(Qt.DockWidgetArea)
    def _point_chevron(self, area: Qt.DockWidgetArea) -> None:
        self._chevron.setIcon(theme.icon(_WAYS.get(area, "down"), "dim"))

    @pyqtSlot(bool)
    def _hide_chevron(self, floating: bool) -> None:
        self._chevron.setVisible(not floating)

    @pyqtSlot()
    def _tell_opened(self) -> None:
        self.opened.emit(self.isVisible())

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep the button in its place."""
        super().resizeEvent(event)
        content = self.widget()
        title = CHEVRON.height() + 3 if content is None else max(content.y() - 1, CHEVRON.height())  # without the line below it
        self._chevron.move(self.width() - 3 * CHEVRON.width(), (title - CHEVRON.height()) // 2)
        self._chevron.raise_()

    @property
    def is_made(self) -> bool:
        """True once the panel has been created."""
        return self._panel is not None

    @property
    def panel(self) -> Panel:
        """The panel, created on first use."""
        if self._panel is None:
            self._panel = self._make(self)
            self._panel.catch_up()
            tip_where_cut(self._panel)
            if theme.scale() != 1.0:
                for header in self._panel.findChildren(QHeaderView):
                    grow_header(header, theme.scale())
            self.setWidget(self._panel)
            self._panel.show()  # now: Qt would do it with the next event
        return self._panel

    def sizeHint(self) -> QSize:
        """The room that it is given when it is first opened."""
        return super().sizeHint() if self.is_made else FIRST_SIZE

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Escape leaves the dock."""
        if event is not None and event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def bring(self, part: str = "") -> None:
        """Open it, in front of its tabs. part: the page, field or button to turn to, by its text."""
        self.show()
        self.raise_()
        self.wanted.emit()
        if part:
            QTimer.singleShot(0, partial(show_part, self, part))  # a panel is made when it is first visible

    def _take_over_switch(self) -> None:
        """The entry in menus closes only a panel in front of its tabs: Qt's own would close a hidden one."""
        switch = present(self.toggleViewAction())
        switch.triggered.disconnect()  # Qt's own way
        switch.triggered.connect(self._switch)

    def _switch(self) -> None:
        if self.isVisible() and self._in_front:
            self.close()
            return
        self.bring()
        switch = self.toggleViewAction()
        if switch is not None:
            switch.setChecked(True)  # a trigger has turned it over

    def hold(self, held: bool) -> None:
        """While docks are moved, Qt shows some briefly: no panel is created for that."""
        self._held = held
        if not held and self._in_front:
            self._see(True)

    def _see(self, visible: bool) -> None:
        self._in_front = visible
        if self._held:
            return
        if visible:
            self.panel  # noqa: B018  made now at the latest
        self.in_sight.emit(visible)
        self._soon.start(0)


class _Scroller(SteadyScrollArea):
    """Shows a panel whole where there is room, and in part where there is less: no panel keeps a side from being made small."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        self._content = content

    def minimumSizeHint(self) -> QSize:
        """As narrow as the content can be, and as low as it is still useful."""
        least = self._content.minimumSizeHint().expandedTo(self._content.minimumSize())
        return QSize(least.width(), min(least.height(), LOW))

    def sizeHint(self) -> QSize:
        """Preferred size of the content."""
        return self._content.sizeHint()


class _LowFrame(QWidget):
    """Gives a content the height that there is: its wrapped lines would ask a low dock for all that the content would like."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self._content = content
        content.setParent(self)

    def minimumSizeHint(self) -> QSize:
        """Minimum size of the content."""
        return self._content.minimumSizeHint().expandedTo(self._content.minimumSize())

    def sizeHint(self) -> QSize:
        """Preferred size of the content."""
        return self._content.sizeHint()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """All of it is the content's."""
        self._content.setGeometry(self.rect())

    def event(self, event: QEvent | None) -> bool:
        """The content needs more, or less: pass it on, as a layout would."""
        if event is not None and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


class Panel(QWidget):
    """The content of a dock. It may be created long after a model was loaded."""

    def __init__(self, dock: Dock) -> None:
        """dock: where it will be shown."""
        super().__init__()
        self.dock = dock
        self._whole = vbox(margins=(0, 0, 0, 0), inside=self)
        self.setMinimumWidth(MINIMUM_WIDTH)

    def set_content(self, widget: QWidget, *, low: bool = False) -> None:
        """Show a widget. low: it is useful at any height from its least; else it has the height that its lines ask for."""
        self._whole.addWidget(_Scroller(_LowFrame(widget) if low else widget))

    def catch_up(self) -> None:
        """Called once it is made: show the session's present state."""

    def answer(self, request: Request) -> None:
        """Do what `Session.ask` asks of it. A panel overrides this for its own requests; of all, it opens its dock."""
        self.dock.bring()


class Workbench(Struct, frozen=True):
    """Of one window. session: with the models, `session.part(Edits)`, and the settings; actions: of the window, by name."""

    session: Session
    viewport: Viewport
    relay: LogRelay
    actions: Mapping[str, QAction]


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
        self._soon = make_timer(self, self.tidy)
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
