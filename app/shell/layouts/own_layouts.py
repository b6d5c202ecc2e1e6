"""Layouts that the user has saved by name, and the dialog that saves, shows, renames and deletes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QDialog, QGridLayout, QLabel, QLineEdit, QListWidget, QListWidgetItem, QPushButton, QWidget

from tumble.app.base import settings
from tumble.app.base.settings import Settings


class OwnLayout(Struct, frozen=True):
    """state: of docks and toolbars, as Qt saves it; folded: sides, from `Sides.to_json`; views: from `views_to`."""

    name: str
    state: bytes
    folded: list[dict[str, Any]] = field(default_factory=list)
    views: dict[str, Any] = field(default_factory=dict)


class OwnLayouts:
    """The saved layouts, in order of saving. Names are unique."""

    def __init__(self, store: Settings) -> None:
        self._store = store

    def all(self) -> list[OwnLayout]:
        """Every layout in the settings; of several with one name, as a file may have, the last."""
        stored = convert(self._store.get(settings.OWN_LAYOUTS), list[OwnLayout])
        return list({layout.name: layout for layout in stored}.values())

    def names(self) -> list[str]:
        """Names of the layouts."""
        return [layout.name for layout in self.all()]

    def get(self, name: str) -> OwnLayout | None:
        """The layout of a name."""
        return next((layout for layout in self.all() if layout.name == name), None)

    def save(self, layout: OwnLayout) -> None:
        """Save a layout; one of the same name is replaced."""
        kept = self.all()
        at = next((k for k, other in enumerate(kept) if other.name == layout.name), len(kept))
        self._put([*kept[:at], layout, *kept[at + 1 :]])

    def rename(self, name: str, new: str) -> None:
        """Call a layout otherwise. Raises ValueError, with a message for the user, if that cannot be."""
        if not new.strip():
            raise ValueError("A layout needs a name")
        if new != name and new in self.names():
            raise ValueError(f"There is a layout called {new} already")
        self._put([replace(o, name=new if o.name == name else o.name) for o in self.all()])

    def delete(self, name: str) -> None:
        """Discard a layout."""
        self._put([layout for layout in self.all() if layout.name != name])

    def _put(self, layouts: list[OwnLayout]) -> None:
        self._store.put(settings.OWN_LAYOUTS, to_builtins(layouts))


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
