"""The list of bookmarks: click to go there, F2 to rename, Delete to remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PyQt6.QtCore import QPoint, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QImage, QPixmap
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLabel,
    QMenu,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tumble.app.look import theme
from tumble.app.panels.timeline.strip import moment
from tumble.app.session.history import Bookmark
from tumble.app.widgets.layout import vbox
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
        viewport = self.viewport()
        if item is None or viewport is None:
            return
        step = item.data(0, STEP)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, act in (("Go there", self.chosen.emit), ("Rename", self.rename), ("Remove", self.removed.emit)):
            action = QAction(text, menu)
            action.triggered.connect(lambda checked=False, act=act: act(step))
            menu.addAction(action)
        menu.popup(viewport.mapToGlobal(where))


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
