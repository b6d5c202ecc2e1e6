"""The keyframes panel: a list with pictures; a double click loads one, F2 renames, Delete removes."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

from PyQt6.QtCore import QPoint, QSignalBlocker, QSize, Qt, QTimer
from PyQt6.QtGui import QIcon, QImage, QPainter, QPen, QPixmap
from PyQt6.QtWidgets import QListView, QListWidget, QListWidgetItem, QPushButton, QWidget

from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.numbers import moment
from tumble.app.editing import keyframe_patch
from tumble.app.editing.keyframes import Keyframes, SavedPose
from tumble.app.editing.patch import Patch
from tumble.app.look import theme
from tumble.app.session.requests import Request, SaveKeyframe, WriteKeyframes
from tumble.app.session.session import Session
from tumble.app.viewport.thumbnails import HEIGHT, WIDTH, Gallery
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, holder, make_label, popup_menu, present, vbox
from tumble.app.widgets.live_field import OwnKeys
from tumble.app.widgets.patch_writing import PatchSubject, PatchWriting


class KeyframeWriting(PatchWriting):
    """Writes the keyframes of a session."""

    def __init__(self, session: Session, keyframes: Keyframes, parent: QWidget) -> None:
        super().__init__(session, parent, "keyframe patch")
        self._keyframes = keyframes

    def ask(self, then: Callable[[bool], None] | None = None) -> None:
        """Show the patch; then: called at the end with whether it was saved."""
        keyframes, known, wanted = self._keyframes, [*self._keyframes.known], self._keyframes.wanted()
        names: list[str] = []

        def make(path: Path) -> Patch:
            patch, names[:] = keyframe_patch.make(path, known, wanted)
            return patch

        self.propose(make, PatchSubject("keyframes", lambda: keyframes.written(names), keyframes.copied), then)


PICTURE = QSize(96, 64)
DEVELOP = 40  # between two pictures that are drawn [ms]
EMPTY = with_keys("No keyframes: Save as keyframe (Ctrl+Shift+K) keeps the present state.")
KEY = Qt.ItemDataRole.UserRole


class KeyframesPanel(Panel):
    """Keyframes are saved, loaded, renamed and removed here, and written to the file."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session, self._viewport = bench.session, bench.viewport
        self.keyframes = bench.session.part(Keyframes)
        self.writing = KeyframeWriting(self._session, self.keyframes, self)
        viewport = bench.viewport
        self.gallery = Gallery(
            lambda frame: viewport.thumbnail(frame, WIDTH, HEIGHT), lambda: deepcopy(viewport.tiles.all[0].look)
        )
        self.list = QListWidget()
        self.list.setViewMode(QListView.ViewMode.ListMode)
        self.list.setIconSize(PICTURE)
        self.list.setSpacing(2)
        self.list.setAccessibleName("Keyframes")
        self.list.setToolTip("Double click: load it. F2: rename. Delete: remove")
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.note = make_label(ink="dim", wrap=True)
        self._develop = QTimer(self)
        self._develop.setInterval(DEVELOP)
        self._develop.timeout.connect(self._draw_picture)
        self._turn = self._session.frame_budget.new_turn(0.5)
        self.set_content(self._make_body())
        OwnKeys(self.list, {
            Qt.Key.Key_Return: self._load,
            Qt.Key.Key_Enter: self._load,
            Qt.Key.Key_F2: self._rename,
            Qt.Key.Key_Delete: self._remove,
        })  # fmt: skip
        self.list.itemDoubleClicked.connect(lambda item: self._load())
        self.list.itemChanged.connect(lambda item: self.keyframes.rename(item.data(KEY), item.text()))
        self.list.currentRowChanged.connect(lambda row: self._show_state())
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.keyframes.changed.connect(self._show)
        self.writing.told.connect(self._tell)
        self._session.model_loaded.connect(self.gallery.clear)
        self._session.model_loaded.connect(self._show)
        dock.in_sight.connect(lambda seen: self._want_pictures() if seen else self._develop.stop())
        self._show()

    def _make_body(self) -> QWidget:
        self.save, self.load = QPushButton("Save"), QPushButton("Load")
        self.save.setAccessibleName("Save the present state as a keyframe")
        self.load.setAccessibleName("Load the chosen keyframe")
        self.write = QPushButton("Write to file…")
        self.save.setToolTip(with_keys("Save the present state as a keyframe  (Ctrl+Shift+K)"))
        self.load.setToolTip("Continue from the chosen keyframe (double click)")
        self.write.setToolTip("Show what would change in the MJCF file, and save it there")
        self.save.clicked.connect(lambda: self.save_present())
        self.load.clicked.connect(lambda: self._load())
        self.write.clicked.connect(lambda: self.writing.ask())
        return holder(vbox((self.list, 1), self.note, hbox(self.save, self.load, self.write), margins=(8, 6, 8, 8)))

    def answer(self, request: Request) -> None:
        """Save the present state, or show the patch."""
        super().answer(request)
        if isinstance(request, SaveKeyframe):
            self.save_present()
        elif isinstance(request, WriteKeyframes):
            self.writing.ask(request.then)

    def save_present(self) -> None:
        """Save the present state; its name can be typed with F2."""
        pose = self.keyframes.save()
        if pose is not None:
            self.list.setCurrentRow(self.list.count() - 1)
            self._session.status.emit(f"Saved {pose.name}: F2 renames it; Write to file puts it into the model's file")

    # ---- display

    def _show(self) -> None:
        row = self.list.currentRow()
        with QSignalBlocker(self.list):
            self.list.clear()
            for key in self.keyframes.all:
                item = QListWidgetItem(self.keyframes.title(key))
                item.setData(KEY, key)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                item.setToolTip(moment(key.time) + ("" if key.origin is not None else "; not in the file yet"))
                font = item.font()
                font.setItalic(key.origin is None)
                item.setFont(font)
                item.setIcon(self._icon(key))
                self.list.addItem(item)
            self.list.setCurrentRow(min(row, self.list.count() - 1))
        self._show_state()
        self._tell("")
        self._want_pictures()

    def _show_state(self) -> None:
        self.save.setEnabled(self._session.model is not None)
        self.load.setEnabled(self.list.currentRow() >= 0)
        self.write.setEnabled(self.keyframes.waiting > 0)

    def _tell(self, what: str) -> None:
        """Show the running task, or the number of unsaved changes."""
        waiting = self.keyframes.waiting
        some = f"{waiting} change{'s' if waiting != 1 else ''} not in the file yet"
        state = some if waiting else "" if self.keyframes.all else EMPTY
        self.note.setText(what or state)
        self.note.setVisible(bool(what or state))

    # ---- pictures

    def _icon(self, key: SavedPose) -> QIcon:
        image = self.gallery.picture(key.frame) if key.frame is not None else None
        pixmap = _placeholder() if image is None else QPixmap.fromImage(_small(image))
        icon = QIcon(pixmap)
        icon.addPixmap(pixmap, QIcon.Mode.Selected)  # else Qt tints it
        return icon

    def _want_pictures(self) -> None:
        if not self.list.isVisible():
            return
        if any(key.frame is None for key in self.keyframes.all):
            self.keyframes.draw()
        self.gallery.want([key.frame for key in self.keyframes.all if key.frame is not None])
        if self.gallery.waiting:
            self._develop.start()

    def _draw_picture(self) -> None:
        """Draw a picture, if there is time for one in this frame, and once the view has drawn the model."""
        if not self._viewport.is_drawn:
            return
        drawn = self.gallery.drawn
        self._turn.take(self.gallery.draw_next)
        if self.gallery.drawn > drawn:
            with QSignalBlocker(self.list):
                for item in (self.list.item(row) for row in range(self.list.count())):
                    if item is not None:
                        item.setIcon(self._icon(item.data(KEY)))
        if not self.gallery.waiting:
            self._develop.stop()

    # ---- user input

    def _chosen(self) -> SavedPose | None:
        item = self.list.currentItem()
        return None if item is None else item.data(KEY)

    def _load(self) -> None:
        key = self._chosen()
        if key is not None:
            self.keyframes.load(key)

    def _rename(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.list.editItem(item)

    def _remove(self) -> None:
        key = self._chosen()
        if key is not None:
            self.keyframes.remove(key)

    def _show_menu(self, where: QPoint) -> None:
        if self.list.itemAt(where) is not None:
            at = present(self.list.viewport()).mapToGlobal(where)
            popup_menu(self, at, ("Load", self._load), ("Rename", self._rename), ("Remove", self._remove))


def _placeholder() -> QPixmap:
    """Placeholder for a picture that is not drawn yet; no picture of a scene looks like it."""
    pixmap = QPixmap(PICTURE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setPen(QPen(theme.colour("line"), 1.0, Qt.PenStyle.DashLine))
    painter.drawRect(pixmap.rect().adjusted(0, 0, -1, -1))
    painter.setPen(theme.colour("dim"))
    painter.setFont(theme.sans(8))
    painter.drawText(pixmap.rect(), Qt.AlignmentFlag.AlignCenter, "drawing…")
    painter.end()
    return pixmap


def _small(image: QImage) -> QImage:
    return image.scaled(PICTURE, transformMode=Qt.TransformationMode.SmoothTransformation)
