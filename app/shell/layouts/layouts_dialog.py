"""Saved layouts: saves the present one by name; applies, renames and deletes others."""

from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QDialog, QGridLayout, QLabel, QLineEdit, QListWidget, QListWidgetItem, QPushButton, QWidget

from tumble.app.shell.layouts.own_layouts import OwnLayouts


class LayoutsDialog(QDialog):
    """A list of names with its buttons. A double click, or F2, renames."""

    def __init__(self, own: OwnLayouts, save: Callable[[str], None], show: Callable[[str], None], parent: QWidget) -> None:
        """save: keeps the present layout by a name; show: shows one."""
        super().__init__(parent)
        self.setWindowTitle("Saved layouts")
        self._own, self._keep, self._present = own, save, show
        self.name = QLineEdit()
        self.name.setPlaceholderText("Name of the present layout")
        self.name.setAccessibleName("Name of the present layout")
        self.name.returnPressed.connect(self._save)
        self.list = QListWidget()
        self.list.setAccessibleName("Saved layouts")
        self.list.itemChanged.connect(self._rename)
        self.list.currentItemChanged.connect(lambda now, before: self._enable())
        self.problem = QLabel()
        self.problem.setProperty("bad", True)
        self.problem.setWordWrap(True)
        self.save, self.show_it, self.delete = QPushButton("&Save"), QPushButton("Sho&w"), QPushButton("&Delete")
        for button, slot in ((self.save, self._save), (self.show_it, self._show_it), (self.delete, self._delete)):
            button.clicked.connect(slot)
            button.setAutoDefault(False)
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 14, 16, 14)
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.save, 0, 1)
        grid.addWidget(self.list, 1, 0, 3, 1)
        grid.addWidget(self.show_it, 1, 1)
        grid.addWidget(self.delete, 2, 1)
        grid.addWidget(self.problem, 4, 0, 1, 2)
        grid.setRowStretch(3, 1)

    def appear(self) -> None:
        """Show it, with the layouts there are."""
        self._list("")
        self.show()
        self.raise_()
        self.activateWindow()
        self.name.setFocus()

    def _list(self, chosen: str) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for name in self._own.names():
            entry = QListWidgetItem(name)
            entry.setData(Qt.ItemDataRole.UserRole, name)
            entry.setFlags(entry.flags() | Qt.ItemFlag.ItemIsEditable)
            entry.setToolTip("Double click: rename")
            self.list.addItem(entry)
            if name == chosen:
                self.list.setCurrentItem(entry)
        self.list.blockSignals(False)
        self.problem.clear()
        self._enable()

    def _enable(self) -> None:
        chosen = self.list.currentItem() is not None
        for button in (self.show_it, self.delete):
            button.setEnabled(chosen)
            button.setToolTip("" if chosen else "Choose a layout first")

    def _chosen(self) -> str:
        item = self.list.currentItem()
        return "" if item is None else str(item.data(Qt.ItemDataRole.UserRole))

    def _save(self) -> None:
        name = self.name.text().strip()
        if not name:
            self.problem.setText("A layout needs a name")
            return
        self._keep(name)
        self.name.clear()
        self._list(name)

    def _show_it(self) -> None:
        self._present(self._chosen())

    def _delete(self) -> None:
        self._own.delete(self._chosen())
        self._list("")

    def _rename(self, item: QListWidgetItem) -> None:
        old, new = str(item.data(Qt.ItemDataRole.UserRole)), item.text().strip()
        try:
            self._own.rename(old, new)
        except ValueError as error:
            self._list(old)
            self.problem.setText(str(error))
            return
        self._list(new)
