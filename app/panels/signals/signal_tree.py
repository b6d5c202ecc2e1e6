"""The tree of all numbers of model and data: browsed by group and field, searched by words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PyQt6.QtCore import QMimeData, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QLineEdit, QTreeWidget, QTreeWidgetItem, QWidget

from tumble.app.describe.signals import Catalogue, FieldInfo, ReadingGroup, Signal
from tumble.app.look import theme
from tumble.app.widgets.layout import make_timer, present, vbox

MOST_FOUND = 200  # results of a search that are listed
SEARCH_DELAY = 120  # time after the last key until the search begins [ms]
SIGNAL, FIELD, READINGS = (Qt.ItemDataRole.UserRole + k for k in range(3))


class _Tree(QTreeWidget):
    """A tree whose items are dragged by name."""

    wanted = pyqtSignal(str)

    def mimeData(self, items: Sequence[QTreeWidgetItem]) -> QMimeData:  # type: ignore[override]
        data = QMimeData()
        data.setText("\n".join(str(item.data(0, SIGNAL)) for item in items if item.data(0, SIGNAL)))
        return data

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        item = self.currentItem()
        if event is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and item and item.data(0, SIGNAL):
            self.wanted.emit(str(item.data(0, SIGNAL)))
        else:
            super().keyPressEvent(event)


class SignalTree(QWidget):
    """A search line over the tree. wanted: the name of a signal that was double-clicked or entered."""

    wanted = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self._catalogue: Catalogue | None = None
        self.search = QLineEdit()
        self.search.setAccessibleName("Search signals")
        self.search.setPlaceholderText("Search: knee, force z, qpos[3] …")
        self.search.setClearButtonEnabled(True)
        self.search.setToolTip("Words of a name or its meaning; Enter adds the first match")
        self.tree = _Tree()
        self.tree.setAccessibleName("Signals")
        self.tree.setHeaderHidden(True)
        self.tree.setColumnCount(2)
        self.tree.setUniformRowHeights(True)
        self.tree.setDragEnabled(True)
        self.tree.setIndentation(14)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # which number it is, stands at the end
        header = present(self.tree.header())
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, header.ResizeMode.Stretch)
        header.setSectionResizeMode(1, header.ResizeMode.ResizeToContents)
        vbox(self.search, (self.tree, 1), margins=(8, 8, 8, 8), spacing=6, inside=self)
        self._delay = make_timer(self, self._fill, SEARCH_DELAY)
        self.search.textChanged.connect(lambda text: self._delay.start())
        self.search.returnPressed.connect(self._add_first)
        self.tree.itemExpanded.connect(self._expand)
        self.tree.itemDoubleClicked.connect(lambda item, column: self._add(item))
        self.tree.itemActivated.connect(lambda item, column: self._add(item))  # by Enter; again changes nothing
        self.tree.wanted.connect(self.wanted)
        self._fill()

    def set_catalogue(self, catalogue: Catalogue | None) -> None:
        """Show the numbers of another model."""
        self._catalogue = catalogue
        self._fill()

    def _fill(self) -> None:
        self._delay.stop()
        self.tree.clear()
        text = self.search.text().strip()
        if self._catalogue is None:
            self._remark("Open a model to see its signals")
        elif text:
            matches, total = self._catalogue.search(text, MOST_FOUND)
            for signal in matches:
                self.tree.addTopLevelItem(self._item(signal, self._catalogue.field_of(signal).field.doc))
            if not matches:
                self._remark("Nothing matches all these words")
            elif total > len(matches):
                self._remark(f"and {total - len(matches)} more: type more of the name")
            first = self.tree.topLevelItem(0)
            if matches and first is not None:
                self.tree.setCurrentItem(first)
        else:
            for title, fields in self._catalogue.groups.items():
                group = QTreeWidgetItem([title])
                group.setFont(0, theme.sans(bold=True))
                self.tree.addTopLevelItem(group)
                _add_all(group, (self._field_item(info) for info in fields))
                group.setExpanded(title == "Sensors")

    def _field_item(self, info: FieldInfo) -> QTreeWidgetItem:
        assert self._catalogue is not None
        if info.field.shape == ():
            return self._item(next(self._catalogue.listed(info)), info.field.doc)
        item = QTreeWidgetItem([info.name, "grows" if info.grows else str(info.rows * info.width)])
        item.setForeground(1, theme.colour("disabled"))
        item.setToolTip(0, f"{info.field.doc}\n{info.field.unit}" if info.field.unit != "1" else info.field.doc)
        item.setData(0, FIELD, info.name)
        item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
        return item

    def _expand(self, item: QTreeWidgetItem) -> None:
        """Create the items of a field when it is expanded: large models have a million."""
        name = item.data(0, FIELD)
        if not name or item.childCount() or self._catalogue is None:
            return
        info, readings = self._catalogue.fields[name], item.data(0, READINGS)
        if readings is None:
            entries = self._catalogue.grouped(info)
            _add_all(item, (self._entry(info, entry) for entry in entries))
        else:
            rows = range(readings.first, readings.first + readings.count)
            _add_all(item, (self._within(signal, info) for row in rows for signal in self._catalogue.of_row(info, row)))

    def _entry(self, info: FieldInfo, entry: Signal | ReadingGroup) -> QTreeWidgetItem:
        if isinstance(entry, Signal):
            return self._item(entry, info.field.doc)
        item = QTreeWidgetItem([entry.name, str(entry.count)])
        item.setForeground(1, theme.colour("disabled"))
        item.setToolTip(0, f"{entry.name}: {info.field.doc}")
        item.setData(0, FIELD, info.name)
        item.setData(0, READINGS, entry)
        item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
        return item

    def _within(self, signal: Signal, info: FieldInfo) -> QTreeWidgetItem:
        """An item of a group of readings, whose name need not be repeated."""
        item = self._item(signal, info.field.doc)
        item.setText(0, signal.name.partition(", ")[2].rstrip("]") or signal.name)
        return item

    def _item(self, signal: Signal, doc: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([signal.name, signal.unit])
        item.setForeground(1, theme.colour("dim"))
        item.setData(0, SIGNAL, signal.name)
        item.setToolTip(0, f"{signal.name}: {doc}\nDouble click, or drag it to a plot")
        return item

    def _remark(self, text: str) -> None:
        item = QTreeWidgetItem([text])
        item.setForeground(0, theme.colour("dim"))
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.tree.addTopLevelItem(item)
        item.setFirstColumnSpanned(True)

    def _add(self, item: QTreeWidgetItem) -> None:
        if item.data(0, SIGNAL):
            self.wanted.emit(str(item.data(0, SIGNAL)))

    def _add_first(self) -> None:
        """Add the typed name as it is, else the first match."""
        if self._delay.isActive():
            self._fill()
        first = self.tree.topLevelItem(0)
        name = self.search.text().strip()
        if self._catalogue is not None and self._catalogue.knows(name):
            self.wanted.emit(name)
        elif first is not None:
            self._add(first)


def _add_all(parent: QTreeWidgetItem, children: Iterable[QTreeWidgetItem]) -> None:
    """One by one: addChildren never frees the list that PyQt 6.11 makes for it, 8 kB for each model that is read again."""
    for child in children:
        parent.addChild(child)
