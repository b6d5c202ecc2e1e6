"""Bookmarks and branches of the timeline: a list of the ones, a bar for each of the others, to go there, rename and remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PyQt6.QtCore import QPoint, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QFocusEvent, QFontMetrics, QImage, QKeyEvent, QPixmap, QResizeEvent
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tumble.app.look import theme
from tumble.app.panels.timeline.strip import duration, moment
from tumble.app.replay.replay_view import Bookmark
from tumble.app.session.history import LeftBranch
from tumble.app.widgets.layout import popup_menu, present, vbox
from tumble.app.widgets.live_field import OwnKeys

STEP = Qt.ItemDataRole.UserRole


class BookmarkList(QTreeWidget):
    """Moments and names. chosen: a step to go to; renamed: a step and its new name; removed: a step."""

    chosen = pyqtSignal(int)
    renamed = pyqtSignal(int, str)
    removed = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)  # the time is not typed: see `rename`
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName("Bookmarks")
        self.setToolTip("Click: go there. F2: rename. Delete: remove")
        acts: dict[Qt.Key, Callable[[int], None]] = {
            Qt.Key.Key_Return: self.chosen.emit,
            Qt.Key.Key_Enter: self.chosen.emit,
            Qt.Key.Key_F2: self.rename,
            Qt.Key.Key_Delete: self.removed.emit,
        }
        OwnKeys(self, {key: partial(self._act_on_current, act) for key, act in acts.items()})
        self._shown: list[tuple[int, str]] = []
        self.itemClicked.connect(lambda item, column: self.chosen.emit(item.data(0, STEP)))
        self.itemChanged.connect(self._tell_name)
        self.customContextMenuRequested.connect(self._show_menu)

    def show_bookmarks(self, bookmarks: Sequence[Bookmark], timestep: float) -> None:
        """Show these; a name that is being typed is left alone."""
        wanted = [(mark.step, mark.text) for mark in bookmarks]
        if wanted == self._shown or self.state() == QAbstractItemView.State.EditingState:
            return
        self._shown = wanted
        current = self.currentItem()
        chosen = current.data(0, STEP) if current is not None else None
        with QSignalBlocker(self):
            self.clear()
            for mark in bookmarks:
                item = QTreeWidgetItem([moment(mark.step, timestep), mark.text])
                item.setData(0, STEP, mark.step)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                item.setFont(0, theme.mono(8.5))
                item.setForeground(0, theme.colour("dim"))
                self.addTopLevelItem(item)
                if mark.step == chosen:
                    self.setCurrentItem(item)
        self.resizeColumnToContents(0)

    def rename(self, step: int) -> None:
        """Let the user type the name of a bookmark."""
        items = [self.topLevelItem(row) for row in range(self.topLevelItemCount())]
        for item in items:
            if item is not None and item.data(0, STEP) == step:
                self.setFocus()
                self.setCurrentItem(item, 1)
                self.editItem(item, 1)

    def _act_on_current(self, act: Callable[[int], None]) -> None:
        item = self.currentItem()
        if item is not None:
            act(item.data(0, STEP))

    def _tell_name(self, item: QTreeWidgetItem, column: int) -> None:
        if column == 1:
            self.renamed.emit(item.data(0, STEP), item.text(1))

    def _show_menu(self, where: QPoint) -> None:
        item = self.itemAt(where)
        if item is not None:
            step = item.data(0, STEP)
            acts = ("Go there", self.chosen.emit), ("Rename", self.rename), ("Remove", self.removed.emit)
            popup_menu(self, present(self.viewport()).mapToGlobal(where), *((text, partial(act, step)) for text, act in acts))


WIDEST = 300  # pixels of text
LIFT = 8  # gap between it and its row [px]


class HoverCard(QFrame):
    """A card that takes neither focus nor mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.ToolTip | Qt.WindowType.WindowTransparentForInput)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setObjectName("card")
        self.picture, self.text = QLabel(), QLabel()
        self.text.setTextFormat(Qt.TextFormat.RichText)
        column = vbox(margins=(6, 6, 6, 6), spacing=5, inside=self)
        column.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.text)

    def show_at(self, where: QPoint, image: QImage | None, lines: list[str]) -> None:
        """Show it centred above a place on the screen, within the screen; the first line is emphasized."""
        self.picture.setVisible(image is not None)
        if image is not None:
            self.picture.setPixmap(QPixmap.fromImage(image))
        self.text.setWordWrap(False)
        self.text.setText("<br>".join([f"<b>{escape(line)}</b>" for line in lines[:1]] + [escape(line) for line in lines[1:]]))
        wide = self.text.sizeHint().width() > WIDEST
        self.text.setWordWrap(wide)
        self.text.setFixedWidth(WIDEST if wide else self.text.sizeHint().width())
        self.adjustSize()
        screen = self.screen()
        left, top = where.x() - self.width() // 2, where.y() - self.height() - LIFT
        if screen is not None:
            area = screen.availableGeometry()
            left = min(max(left, area.left()), area.right() - self.width())
            top = max(top, area.top())
        self.move(left, top)
        self.show()


LANE = 18  # pixels of a bar, and of the gap below it
MOST_LANES = 4  # bars at once; the others are in a menu
LEAST_WIDE = 120  # pixels of a bar, so that its name can be read
MORE_WIDE = 64
TIP = "{}: from {} to {}, {} long.\nClick: return to it; what is there now is kept as a branch. F2: rename. Delete: remove"


class BranchBar(QPushButton):
    """A branch. renamed, removed: requested by key or menu."""

    renamed = pyqtSignal()
    removed = pyqtSignal()

    def __init__(self, branch: LeftBranch, parent: QWidget) -> None:
        super().__init__(parent)
        self.branch = branch
        self.setFont(theme.sans(8))
        self.setStyleSheet("padding: 0px 6px; text-align: left; min-height: 0px")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        OwnKeys(self, {
            Qt.Key.Key_F2: self.renamed.emit,
            Qt.Key.Key_Delete: self.removed.emit,
            Qt.Key.Key_Return: self.click,
            Qt.Key.Key_Enter: self.click,
        })  # fmt: skip

    def show_branch(self, branch: LeftBranch, timestep: float) -> None:
        """Show name and position."""
        self.branch = branch
        start, end, long = moment(branch.fork, timestep), moment(branch.end, timestep), (branch.end - branch.fork) * timestep
        self.setToolTip(TIP.format(branch.name, start, end, duration(long)))
        self.setAccessibleName(f"Return to {branch.name}")
        room = self.width() - 16
        self.setText(QFontMetrics(self.font()).elidedText(f"↩ {branch.name}", Qt.TextElideMode.ElideRight, room))

    def _show_menu(self, where: QPoint) -> None:
        acts = ("Return to it", self.click), ("Rename", self.renamed.emit), ("Remove", self.removed.emit)
        popup_menu(self, self.mapToGlobal(where), *acts)


class BranchLanes(QWidget):
    """The bars below the strip, on its axis. chosen: a branch to return to; renamed: a branch and its new name; removed: one."""

    chosen = pyqtSignal(int)
    renamed = pyqtSignal(int, str)
    removed = pyqtSignal(int)

    def __init__(self, x_of: Callable[[float], float]) -> None:
        """x_of: where a moment [s] is."""
        super().__init__()
        self._x_of = x_of
        self._branches: list[LeftBranch] = []
        self._timestep = 1e-3
        self.bars: dict[int, BranchBar] = {}
        self.more = QToolButton(self)
        self.more.setFont(theme.sans(8))
        self.more.setStyleSheet("padding: 0px 4px; min-height: 0px")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.more.setAccessibleName("More branches")
        self.more.hide()
        self.name: BranchName | None = None  # while one is typed
        self.setAccessibleName("Branches")
        self.hide()

    def show_branches(self, branches: Sequence[LeftBranch], timestep: float) -> None:
        """Show these, the first ones as bars; a name that is being typed is left alone."""
        others = [branch.number for branch in branches] != [branch.number for branch in self._branches]
        self._branches, self._timestep = [*branches], timestep
        if others:
            self._make_bars(branches)
        self.setVisible(bool(branches))
        self._place()

    def rename(self, number: int) -> None:
        """Let the user type the name of a branch."""
        bar = self.bars.get(number)
        if bar is not None:
            self.name = BranchName(bar.branch.name, self)
            self.name.setGeometry(bar.geometry())
            self.name.typed.connect(partial(self.renamed.emit, number))
            self.name.show()
            self.name.setFocus()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Other places."""
        super().resizeEvent(event)
        self._place()

    def _make_bars(self, branches: Sequence[LeftBranch]) -> None:
        wanted = {branch.number: branch for branch in branches[:MOST_LANES]}
        for number in [number for number in self.bars if number not in wanted]:
            self.bars.pop(number).deleteLater()
        for number, branch in wanted.items():
            if number not in self.bars:
                self.bars[number] = self._make_bar(branch)
        menu = present(self.more.menu())
        menu.clear()
        for branch in branches[MOST_LANES:]:
            action = QAction(branch.name, menu)
            action.triggered.connect(lambda checked=False, number=branch.number: self.chosen.emit(number))
            menu.addAction(action)
        self.more.setText(f"{len(branches) - MOST_LANES} more")
        self.more.setVisible(len(branches) > MOST_LANES)
        self.setFixedHeight(LANE * len(wanted) + 2)

    def _make_bar(self, branch: LeftBranch) -> BranchBar:
        bar, number = BranchBar(branch, self), branch.number
        bar.clicked.connect(lambda: self.chosen.emit(number))
        bar.renamed.connect(lambda: self.rename(number))
        bar.removed.connect(lambda: self.removed.emit(number))
        bar.show()
        return bar

    def _place(self) -> None:
        """Span from the fork of a branch to its end, as far as they are in view."""
        right = self.width() - (MORE_WIDE if len(self._branches) > MOST_LANES else 0)
        for lane, branch in enumerate(self._branches[:MOST_LANES]):
            bar = self.bars[branch.number]
            start, end = (min(max(self._x_of(step * self._timestep), 0.0), right) for step in (branch.fork, branch.end))
            wide = max(end - start, min(LEAST_WIDE, right))
            bar.setGeometry(round(min(start, right - wide)), LANE * lane + 1, round(wide), LANE - 2)
            bar.show_branch(branch, self._timestep)
        self.more.setGeometry(right, 1, MORE_WIDE, LANE)


class BranchName(QLineEdit):
    """The field in which a name is typed, over its bar; Enter, or leaving it, takes the name, Escape leaves it."""

    typed = pyqtSignal(str)

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(name, parent)
        self.setFont(theme.sans(8))
        self.setStyleSheet("padding: 0px 4px; min-height: 0px")
        self.setAccessibleName("Name of the branch")
        self.selectAll()
        self._over = False

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Enter and Escape end it."""
        if event is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self._end(event.key() != Qt.Key.Key_Escape)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent | None) -> None:
        """Commit the typed name."""
        super().focusOutEvent(event)
        self._end(True)

    def _end(self, taken: bool) -> None:
        if self._over:
            return
        self._over = True
        if taken:
            self.typed.emit(self.text())
        self.hide()
        self.deleteLater()
