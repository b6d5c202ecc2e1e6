"""The tree of a model's elements with a search line over it; only visible rows are computed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PyQt6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPoint, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QIcon, QPainter, QPixmap
from PyQt6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from tumble.app.look import theme
from tumble.app.panels.inspector.element_tree import BODY, OF_BODY, ModelTree, TreeNode, above
from tumble.app.widgets.layout import make_timer, present, vbox
from tumble.app.widgets.tables import FilterField

if TYPE_CHECKING:
    from tumble.physics import MjModel

SEARCH_DELAY = 120  # time after the last key until the search begins [ms]
MOST_OPENED = 300  # found nodes that are made visible: more are listed where their parents are open
_INKS = dict(zip([BODY, *OF_BODY], ("accent", "good", "text", "warn", "dim", "dim"), strict=True))


@lru_cache(maxsize=64)
def _mark(letter: str, value: str, size: float) -> QIcon:
    """A letter in a frame: the kind of an element; the same where the row is selected. value: #rrggbb; size: of the letter."""
    icon, pixmap = QIcon(), QPixmap(32, 32)
    pixmap.setDevicePixelRatio(2.0)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(theme.ink(value, 120))
    painter.drawRoundedRect(QRectF(1, 1, 14, 14), 3, 3)
    painter.setPen(theme.ink(value))
    painter.setFont(theme.sans(7.5 / size, bold=True))
    painter.drawText(QRectF(0, 0, 16, 16), Qt.AlignmentFlag.AlignCenter, letter)
    painter.end()
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        icon.addPixmap(pixmap, mode)
    return icon


class _Rows(QAbstractItemModel):
    """Visible nodes: a name, with the detail next to it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.tree = ModelTree(None)

    def show_tree(self, tree: ModelTree) -> None:
        self.beginResetModel()
        self.tree = tree
        self.endResetModel()

    def filter(self, text: str) -> list[TreeNode]:
        self.beginResetModel()
        matches = self.tree.filter(text)
        self.endResetModel()
        return matches

    def node(self, index: QModelIndex) -> TreeNode | None:
        return self.tree.nodes[index.internalId()] if index.isValid() else None

    def place(self, node: TreeNode) -> QModelIndex:
        return self.createIndex(node.row, 0, node.number)

    def index(self, row: int, column: int, parent: QModelIndex = QModelIndex()) -> QModelIndex:  # noqa: B008
        nodes = self._below(parent)
        return self.createIndex(row, column, nodes[row].number) if 0 <= row < len(nodes) else QModelIndex()

    def parent(self, index: QModelIndex) -> QModelIndex:  # type: ignore[override]
        node = self.node(index)
        over = next(above(node), None) if node is not None else None
        return self.place(over) if over is not None else QModelIndex()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return len(self._below(parent)) if parent.column() <= 0 else 0

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 2

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        node = self.node(index)
        if node is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return node.name if index.column() == 0 else self.tree.detail(node)
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == 1:
            return theme.colour("dim")
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return _mark(node.kind.letter, theme.colours()[_INKS.get(node.kind, "dim")], theme.scale())
        if role == Qt.ItemDataRole.ToolTipRole:
            number = f" {node.index}" if node.index >= 0 else ""
            return f"{node.kind.title}{number}: {node.name}" if node.is_element else node.name
        return None

    def _below(self, parent: QModelIndex) -> list[TreeNode]:
        node = self.node(parent)
        return self.tree.roots if node is None else node.shown


class ModelView(QWidget):
    """chosen: the user selected another element or branch: its node; asked: context menu: (node, position)."""

    chosen = pyqtSignal(object)
    asked = pyqtSignal(object, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.search = FilterField(
            "Search elements", "Search: torso, hinge, geom 12 …",
            "Words of a name, a kind or a shape; Enter chooses the first match",
        )  # fmt: skip
        self.tree = QTreeView()
        self.tree.setAccessibleName("Elements of the model")
        self._rows = _Rows(self)
        self.tree.setModel(self._rows)
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(14)
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = present(self.tree.header())
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(40)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        header.setSectionResizeMode(1, header.ResizeMode.Interactive)
        header.resizeSection(1, 84)
        vbox(self.search, self.search.hidden, (self.tree, 1), margins=(8, 8, 8, 4), spacing=6, inside=self)
        self._found: list[TreeNode] = []
        self._quiet = False
        self._delay = make_timer(self, self._filter, SEARCH_DELAY)
        self.search.textChanged.connect(lambda text: self._delay.start())
        self.search.returnPressed.connect(self._choose_first)
        present(self.tree.selectionModel()).currentChanged.connect(self._tell)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._ask)

    @property
    def nodes(self) -> ModelTree:
        """The tree that is shown."""
        return self._rows.tree

    @property
    def current(self) -> TreeNode | None:
        """The node that is chosen."""
        return self._rows.node(self.tree.currentIndex())

    def set_model(self, model: MjModel | None) -> None:
        """Show the elements of another model."""
        self._rows.show_tree(ModelTree(model))
        self._filter()

    def reveal(self, node: TreeNode) -> None:
        """Choose a node and make it visible, without telling; a search that hides it ends."""
        parent = node.parent
        if parent is not None and node not in parent.shown:
            self.search.clear()
            self._filter()
        self._quiet = True
        place = self._rows.place(node)
        self.tree.setCurrentIndex(place)
        self._quiet = False
        self.tree.scrollTo(place)

    def _tell(self, current: QModelIndex) -> None:
        node = self._rows.node(current)
        if node is not None and not self._quiet:
            self.chosen.emit(node)

    def _ask(self, at: QPoint) -> None:
        node, viewport = self._rows.node(self.tree.indexAt(at)), self.tree.viewport()
        if node is not None and viewport is not None:
            self.asked.emit(node, viewport.mapToGlobal(at))

    def _filter(self) -> None:
        self._delay.stop()
        kept = self.current
        self._found = self._rows.filter(self.search.text())
        self.search.show_hidden(self.nodes.hidden if self.search.words else 0)
        for node in self.nodes.roots[:1]:
            self.tree.expand(self._rows.place(node))  # the world
        opened = {over for node in self._found[:MOST_OPENED] for over in above(node)}
        for over in opened:
            self.tree.expand(self._rows.place(over))
        if kept is not None and kept in self.nodes.nodes and kept.parent is not None and kept in kept.parent.shown:
            self.reveal(kept)

    def _choose_first(self) -> None:
        if self._delay.isActive():
            self._filter()
        if self._found:
            self.reveal(self._found[0])
            self.chosen.emit(self._found[0])
