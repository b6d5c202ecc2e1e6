"""The page of keys: every action by its menu, with its keys; they are changed, removed, reset, exported and imported."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PyQt6.QtCore import QEvent, QItemSelectionModel, QKeyCombination, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PyQt6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from tumble.app.base import files
from tumble.app.look import theme
from tumble.app.look.actions import plain
from tumble.app.preferences.keys import KeyFileError, KeyMap

NAME = Qt.ItemDataRole.UserRole
FILTER = "Keys (*.json)"
_MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr, Qt.Key.Key_unknown)
_KEYPAD = Qt.KeyboardModifier.KeypadModifier


class KeyCapture(QPushButton):
    """taken: the key that was pressed while it waited, in Qt's portable form."""

    taken = pyqtSignal(str)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._text = text
        self.waits = False
        self.setAutoDefault(False)
        self.clicked.connect(self.wait)

    def wait(self) -> None:
        """Wait for the next key."""
        self.waits = True
        self.setText("Press a key…")
        self.setFocus()

    def event(self, event: QEvent | None) -> bool:
        """Receive a key before shortcuts, Tab and buttons."""
        if self.waits and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and Qt.Key(event.key()) not in _MODIFIERS:
                self._take(event)
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent | None) -> None:
        """Stop waiting."""
        self._stop()
        super().focusOutEvent(event)

    def _take(self, event: QKeyEvent) -> None:
        self._stop()
        self.taken.emit(portable(event))

    def _stop(self) -> None:
        self.waits = False
        self.setText(self._text)


def portable(event: QKeyEvent) -> str:
    """The key of an event as actions name it: without Shift where the character implies it, `+` and not `Shift+=`."""
    modifiers = event.modifiers() & ~_KEYPAD
    key = event.key()
    text = event.text()
    sign = len(text) == 1 and text.isprintable() and not text.isalnum() and text != " "
    if sign and modifiers == Qt.KeyboardModifier.ShiftModifier:
        return QKeySequence(text).toString(QKeySequence.SequenceFormat.PortableText)
    if key == Qt.Key.Key_Backtab:
        key = Qt.Key.Key_Tab
    return QKeySequence(QKeyCombination(modifiers, Qt.Key(key))).toString(QKeySequence.SequenceFormat.PortableText)


class KeysPage(QWidget):
    """Changes take effect at once. A key that another action has is only given after the user has agreed."""

    def __init__(self, keys: KeyMap, groups: Mapping[str, str]) -> None:
        """groups: of each action, by name, the path of its menu."""
        super().__init__()
        self._keys, self._groups = keys, groups
        self._wanted = ("", "")  # an action, and the key of another one that it is to get
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Actions and their keys")
        self.tree.setHeaderLabels(["Action", "Keys", "Default"])
        self.tree.setUniformRowHeights(True)
        self.tree.setColumnWidth(0, 330)
        self.tree.setColumnWidth(1, 150)
        self.change, self.more = KeyCapture("Change key"), KeyCapture("Add key")
        self.away, self.back, self.all = QPushButton("Remove keys"), QPushButton("Reset"), QPushButton("Reset all")
        self.save, self.load = QPushButton("Export…"), QPushButton("Import…")
        self.remark, self.take = QLabel(), QPushButton("Reassign it")
        self._items: dict[str, QTreeWidgetItem] = {}
        self._lay_out()
        self._connect()
        self._fill()

    def _lay_out(self) -> None:
        tips = {
            self.change: "Replace the keys of the chosen action by the next key pressed", self.more: "Give it a second key",
            self.away: "The chosen action has no key", self.back: "Reset the key of the chosen action",
            self.all: "Reset all keys", self.save: "Save the changed keys to a file", self.load: "Import keys from a file",
        }  # fmt: skip
        line, column = QHBoxLayout(), QVBoxLayout(self)
        for button, tip in tips.items():
            button.setToolTip(tip)
            button.setAutoDefault(False)
            if button is self.save:
                line.addStretch(1)
            line.addWidget(button)
        below = QHBoxLayout()
        self.remark.setWordWrap(True)
        self.take.setAutoDefault(False)
        self.take.hide()
        below.addWidget(self.remark, 1)
        below.addWidget(self.take)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.tree, 1)
        column.addLayout(below)
        column.addLayout(line)

    def _connect(self) -> None:
        self._keys.changed.connect(self._show)
        self.tree.currentItemChanged.connect(lambda now, before: self._show_choice())
        self.tree.itemActivated.connect(lambda item, column: self.change.wait() if item.data(0, NAME) else None)
        self.change.taken.connect(partial(self._give, False))
        self.more.taken.connect(partial(self._give, True))
        self.away.clicked.connect(lambda: self._keys.clear(self.chosen))
        self.back.clicked.connect(lambda: self._keys.reset([self.chosen]))
        self.all.clicked.connect(self._keys.reset_all)
        self.take.clicked.connect(self._agree)
        self.save.clicked.connect(self._export)
        self.load.clicked.connect(self._import)

    def _fill(self) -> None:
        heads: dict[str, QTreeWidgetItem] = {}
        for name in self._keys.names:
            group = self._groups.get(name, "Others")
            if group not in heads:
                heads[group] = QTreeWidgetItem([group])
                self.tree.addTopLevelItem(heads[group])
                heads[group].setExpanded(True)
            item = QTreeWidgetItem([plain(self._keys.action(name).text())])
            item.setData(0, NAME, name)
            heads[group].addChild(item)
            self._items[name] = item
        self._show()

    # ---- display

    @property
    def chosen(self) -> str:
        """The name of the chosen action; "" for none."""
        item = self.tree.currentItem()
        return str(item.data(0, NAME) or "") if item is not None else ""

    def choose(self, name: str) -> None:
        """Choose an action."""
        self.tree.setCurrentItem(self._items[name], 0, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _show(self) -> None:
        conflicts = {name for names in self._keys.conflicts().values() for name in names}
        for name, item in self._items.items():
            item.setText(1, _native(self._keys.keys(name)))
            item.setText(2, _native(self._keys.default(name)) if self._keys.is_changed(name) else "")
            ink = "bad" if name in conflicts else "accent" if self._keys.is_changed(name) else "text"
            item.setForeground(1, theme.colour(ink))
            item.setForeground(2, theme.colour("dim"))
            item.setToolTip(1, "Another action has this key too" if name in conflicts else "")
        self._show_choice()

    def _show_choice(self) -> None:
        name = self.chosen
        for button in (self.change, self.more):
            button.setEnabled(bool(name))
        self.away.setEnabled(bool(name) and bool(self._keys.keys(name)))
        self.back.setEnabled(bool(name) and self._keys.is_changed(name))
        self.all.setEnabled(any(self._keys.is_changed(other) for other in self._keys.names))
        if self._wanted[0] != name:
            self._say("")

    def _say(self, text: str, wanted: tuple[str, str] = ("", "")) -> None:
        self._wanted = wanted
        self.remark.setText(text)
        self.take.setVisible(bool(wanted[0]))

    @property
    def total(self) -> int:
        """Number of actions."""
        return len(self._items)

    def filter(self, typed: str) -> int:
        """Show the actions with all words in text, menu or key, or with this key; returns their number."""
        words = typed.lower().split()
        count = 0
        for name, item in self._items.items():
            keys = [_native((key,)).lower() for key in self._keys.keys(name)]
            text = f"{item.text(0)} {self._groups.get(name, '')}".lower()
            shown = " ".join(words) in keys or all(word in text for word in words)
            item.setHidden(not shown)
            count += shown
        for k in range(self.tree.topLevelItemCount()):
            head = self.tree.topLevelItem(k)
            assert head is not None
            head.setHidden(all(child.isHidden() for i in range(head.childCount()) if (child := head.child(i)) is not None))
        return count

    # ---- user input

    def _give(self, more: bool, key: str) -> None:
        name = self.chosen
        self.tree.setFocus()
        if not name or not key:
            return
        others = self._keys.users(key, name)
        if others:
            named = " and ".join(f"“{plain(self._keys.action(other).text())}”" for other in others)
            self._more = more
            self._say(f"{_native((key,))} is the key of {named}.", (name, key))
            self.take.setFocus()
            return
        self._set(name, key, more)

    def _set(self, name: str, key: str, more: bool) -> None:
        (self._keys.add if more else self._keys.replace)(name, key)
        self._say(f"{_native((key,))}: {plain(self._keys.action(name).text())}")

    def _agree(self) -> None:
        name, key = self._wanted
        if name:
            self._set(name, key, self._more)
            self.tree.setFocus()

    def _export(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export keys", "tumble-keys.json", FILTER)
        if name:
            try:
                files.write_whole(Path(name), self._keys.to_text().encode())
                self._say(f"Saved {name}")
            except files.FileError as error:
                self._say(f"Not saved: {error}")

    def _import(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, "Import keys", "", FILTER)
        if not name:
            return
        try:
            unknown = self._keys.from_text(Path(name).read_text("utf-8"))
        except (OSError, UnicodeDecodeError, KeyFileError) as error:
            self._say(f"Nothing is changed: {error}")
            return
        self._say(f"No such actions: {', '.join(unknown)}" if unknown else f"Keys of {name}")


def _native(keys: tuple[str, ...]) -> str:
    """Keys as the user reads them."""
    return ", ".join(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in keys)
