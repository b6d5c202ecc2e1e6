"""The fields of one element as a table: name, numbers with their unit; editable ones are edited in place."""

from __future__ import annotations

from PyQt6.QtCore import QAbstractItemModel, QModelIndex, QPoint, Qt, pyqtSignal
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tumble.app.look import theme
from tumble.app.panels.inspector.inspection import EDITABLE_STATE, OTHERS, FieldEntry, Inspector
from tumble.app.widgets.layout import present
from tumble.app.widgets.tables import NUMBER

NAME, VALUE = range(2)
NAME_WIDTH = 112  # [px]
_ENTRY, _UNIT = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class _Typing(QStyledItemDelegate):
    """A line to type numbers in, at full precision, if they may be changed; behind numbers their unit, if there is room."""

    def __init__(self, table: FieldTable) -> None:
        super().__init__(table)
        self._table = table

    def paint(self, painter: QPainter | None, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        super().paint(painter, option, index)
        unit = index.data(_UNIT)
        if painter is None or not unit:
            return
        used = option.fontMetrics.horizontalAdvance(str(index.data())) + 16
        painter.save()
        painter.setFont(theme.sans(8))
        painter.setPen(theme.colour("dim"))
        if used + painter.fontMetrics().horizontalAdvance(unit) <= option.rect.width():
            painter.drawText(option.rect.adjusted(0, 0, -6, 0), NUMBER, unit)
        painter.restore()

    def createEditor(self, parent: QWidget | None, option: QStyleOptionViewItem, index: QModelIndex) -> QWidget | None:
        entry = index.siblingAtColumn(NAME).data(_ENTRY)
        if index.column() != VALUE or not isinstance(entry, FieldEntry):
            return None
        why = self._table.inspector.refusal(entry)
        if why:
            self._table.refused.emit(f"{entry.info.name} cannot be changed: {why}")
            return None
        line = QLineEdit(parent)
        line.setFont(theme.mono(9))
        line.setAccessibleName(entry.info.name)
        return line

    def setEditorData(self, editor: QWidget | None, index: QModelIndex) -> None:
        entry = index.siblingAtColumn(NAME).data(_ENTRY)
        if isinstance(editor, QLineEdit) and not editor.text() and not editor.isModified() and isinstance(entry, FieldEntry):
            editor.setText(self._table.inspector.text(entry, whole=True))
            editor.selectAll()

    def setModelData(self, editor: QWidget | None, model: QAbstractItemModel | None, index: QModelIndex) -> None:
        entry = index.siblingAtColumn(NAME).data(_ENTRY)
        if isinstance(editor, QLineEdit) and editor.isModified() and isinstance(entry, FieldEntry):
            self._table.typed.emit(entry, editor.text())


class FieldTable(QTreeWidget):
    """typed: the user entered a value for a field; refused: why a field cannot be edited;
    asked: context menu of a field, at a point of the screen."""

    typed = pyqtSignal(object, str)
    refused = pyqtSignal(str)
    asked = pyqtSignal(object, QPoint)

    def __init__(self, inspector: Inspector) -> None:
        super().__init__()
        self.inspector = inspector
        self._items: list[tuple[FieldEntry, QTreeWidgetItem]] = []
        self._closed = {OTHERS}  # groups that the user has closed
        self.setHeaderHidden(True)
        self.setColumnCount(2)
        self.setUniformRowHeights(True)
        self.setIndentation(8)
        self.setStyleSheet("QTreeWidget::item { padding: 1px 0; }")
        self.setRootIsDecorated(True)
        self.setItemDelegate(_Typing(self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = present(self.header())
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(30)
        header.setSectionResizeMode(NAME, header.ResizeMode.Interactive)
        header.setSectionResizeMode(VALUE, header.ResizeMode.Stretch)
        header.resizeSection(NAME, NAME_WIDTH)
        self.itemExpanded.connect(lambda item: self._closed.discard(item.text(NAME)))
        self.itemCollapsed.connect(lambda item: self._closed.add(item.text(NAME)))
        self.customContextMenuRequested.connect(self._ask)

    def build(self) -> None:
        """List the fields of the element that the inspector shows now."""
        closed = set(self._closed)
        self.clear()
        self._items = []
        group: QTreeWidgetItem | None = None
        for entry in self.inspector.entries:
            if group is None or group.text(NAME) != entry.group:
                group = QTreeWidgetItem([entry.group])
                group.setFont(NAME, theme.sans(9, bold=True))
                group.setFlags(Qt.ItemFlag.ItemIsEnabled)
                self.addTopLevelItem(group)
                group.setFirstColumnSpanned(True)
            item = QTreeWidgetItem([self.inspector.label(entry), ""])
            item.setData(NAME, _ENTRY, entry)
            item.setData(VALUE, _UNIT, entry.units)
            item.setFont(NAME, theme.sans(9))
            item.setFont(VALUE, theme.mono(8.5))
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable)
            group.addChild(item)
            self._items.append((entry, item))
        for k in range(self.topLevelItemCount()):
            head = present(self.topLevelItem(k))
            head.setExpanded(head.text(NAME) not in closed)
        self.show_rules()

    def show_rules(self) -> None:
        """Show the editable fields and the numbers."""
        for entry, item in self._items:
            fixed = bool(self.inspector.refusal(entry))
            item.setForeground(VALUE, theme.colour("disabled" if fixed else "text"))
            tip = self.inspector.tip(entry)
            item.setToolTip(NAME, tip)
            item.setToolTip(VALUE, tip)
        self.show_values()

    def show_values(self) -> None:
        """Show the present numbers."""
        for entry, item in self._items:
            text = self.inspector.text(entry)
            if text != item.text(VALUE):
                item.setText(VALUE, text)
            fixed = entry.own and entry.name not in EDITABLE_STATE
            ink = "accent" if self.inspector.is_changed(entry) else "dim" if fixed else "text"
            if item.foreground(NAME).color() != theme.colour(ink):
                item.setForeground(NAME, theme.colour(ink))

    def item_of(self, name: str) -> QTreeWidgetItem | None:
        """The row of a field by its name."""
        return next((item for entry, item in self._items if entry.info.name == name), None)

    def _ask(self, at: QPoint) -> None:
        item, port = self.itemAt(at), self.viewport()
        entry = item.data(NAME, _ENTRY) if item is not None else None
        if isinstance(entry, FieldEntry) and port is not None:
            self.asked.emit(entry, port.mapToGlobal(at))
