"""The camera path panel: key cameras on the timeline, an orbit in their place, and the view that follows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import QSignalBlocker, QSize, QStandardPaths, Qt, QTimer
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QGridLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from tumble.app.base import settings
from tumble.app.base.files import FileError
from tumble.app.film.camera_keys import SUFFIX, CameraGuide, CameraKeys, Motion, placed
from tumble.app.film.camera_path import CameraKey, PathError
from tumble.app.look import theme
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, make_button, make_label, present
from tumble.app.widgets.live_field import CalmCombo, CalmDoubleSpinBox, OwnKeys

TIME, DISTANCE, AZIMUTH, ELEVATION, TURNS = range(5)
FIELDS = ("time", "distance", "azimuth", "elevation", "turns")
HEADINGS = (
    ("time", "Simulated time on the timeline [s]; double click to change"),
    ("away", "Distance of the camera from the point it looks at [m]"),
    ("azim.", "Azimuth [deg]; 90 looks along +y"),
    ("elev.", "Elevation [deg]; -90 looks down"),
    ("turns", "Extra whole turns on the way to this key; negative: the other way"),
)
MOTIONS = ((Motion.NOTHING, "by mouse"), (Motion.PATH, "along the keys"), (Motion.ORBIT, "in an orbit"))
HINT = (
    "Find a view with the mouse and add it as a key; let the simulation run and add the next. “Along the keys” "
    "shows the way between them while it runs; Export video takes it."
)


class CameraPathPanel(Panel):
    """A list of keys with its buttons."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session = session = bench.session
        self._view, self._store = bench.viewport, session.store
        self.keys, self.guide = session.part(CameraKeys), session.part(CameraGuide)
        self.table = _make_table()
        self.table.itemChanged.connect(self._edit)
        OwnKeys(self.table, {Qt.Key.Key_Delete: self.delete_key})
        self.table.itemSelectionChanged.connect(self._show_enabled)
        self.note = make_label(HINT, ink="dim", wrap=True)
        tip = "Camera motion while the simulation runs; while paused, the mouse moves it"
        self.motion = CalmCombo("Camera motion", tip, ((words, motion) for motion, words in MOTIONS))
        self.motion.activated.connect(lambda k: self.guide.set_motion(self.motion.itemData(k)))
        self.speed = CalmDoubleSpinBox()
        self.speed.setAccessibleName("Speed of the orbit")
        self.speed.setRange(-720, 720)
        self.speed.setDecimals(1)
        self.speed.setSuffix(" °/s")
        self.speed.setValue(self.guide.speed)
        self.speed.setToolTip("Speed of the orbit; negative: the other way")
        self.speed.valueChanged.connect(self._set_speed)
        self.add = make_button("Add key", "A key at the present time, with the view's camera", lambda: self.add_key())
        self.change = make_button("Update", "Give the chosen key the view's camera", lambda: self.update_key())
        self.delete = make_button("Delete", "Remove the chosen key  (Del, in the list)", lambda: self.delete_key())
        self.visit = make_button("Go to", "Show the moment and the camera of the chosen key", lambda: self.go_to_key())
        self.load = make_button("Load…", "Load keys from a file, as used by tumble render --path", lambda: self.ask_load())
        self.save = make_button("Save…", "Save the keys to a file, for tumble render --path", lambda: self.ask_save())
        self.set_content(self._make_body())
        self.keys.changed.connect(self._rebuild)
        self.guide.changed.connect(self._show_motion)
        session.model_loaded.connect(self._show_enabled)
        self._rebuild()
        self._show_motion()

    def _make_body(self) -> QWidget:
        caption = make_label("Camera moves", ink="dim")
        head = hbox(caption, (self.motion, 1), self.speed)
        grid = QGridLayout()
        grid.setSpacing(6)
        for k, button in enumerate((self.add, self.change, self.delete, self.visit, self.load, self.save)):
            button.setMinimumWidth(40)
            grid.addWidget(button, k // 3, k % 3)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(8, 8, 8, 8)
        column.addLayout(head)
        column.addWidget(self.table, 1)
        column.addLayout(grid)
        column.addWidget(self.note)
        column.addStretch(0)  # takes the room that the list leaves while it is empty
        return body

    # ---- user input

    @property
    def chosen(self) -> int:
        """The index of the chosen key; -1: none."""
        item = self.table.currentItem()
        return self.table.indexOfTopLevelItem(item) if item is not None and item.isSelected() else -1

    def add_key(self) -> None:
        """A key at the present time from the view's camera."""
        session = self._session
        if session.snapshot is not None:
            camera = placed(self._view.camera, session.loaded_model, session.snapshot.frame)
            self._choose(self.keys.add(self._session.history.time, camera))

    def update_key(self) -> None:
        """The view's camera for the chosen key."""
        session, k = self._session, self.chosen
        if k >= 0 and session.snapshot is not None:
            self.keys.update(k, placed(self._view.camera, session.loaded_model, session.snapshot.frame))
            self._choose(k)

    def delete_key(self) -> None:
        """Remove the chosen key."""
        k = self.chosen
        if k >= 0:
            self.keys.remove(k)
            self._choose(min(k, len(self.keys.keys) - 1))

    def go_to_key(self) -> None:
        """Show the moment of the chosen key with its camera."""
        path = self.keys.path(self._view.camera)
        if self.chosen >= 0 and path is not None:
            time = self.keys.keys[self.chosen].time
            self._session.history.go_to(time)
            self._view.set_camera(path.at(time))

    def ask_load(self) -> None:
        """Let the user choose a file of keys."""
        name, _ = QFileDialog.getOpenFileName(
            self, "Load a camera path", self._folder(), f"Camera paths (*{SUFFIX});;All files (*)"
        )
        if name:
            self._try(lambda: self.keys.load(Path(name), self._view.camera))
            self._store.put(settings.VIDEOS, str(Path(name).parent))

    def ask_save(self) -> None:
        """Let the user choose a file for the keys."""
        wanted = str(Path(self._folder()) / f"{self._session.path.stem if self._session.path else 'camera'}-path{SUFFIX}")
        name, _ = QFileDialog.getSaveFileName(self, "Save the camera path", wanted, f"Camera paths (*{SUFFIX})")
        if name and self._try(lambda: self.keys.save(Path(name))):
            self._say(f"Saved {name}")
            self._store.put(settings.VIDEOS, str(Path(name).parent))

    def _folder(self) -> str:
        return self._store.get(settings.VIDEOS) or QStandardPaths.writableLocation(QStandardPaths.StandardLocation.MoviesLocation)

    def _set_speed(self, speed: float) -> None:
        self.guide.speed = speed

    def _edit(self, item: QTreeWidgetItem, column: int) -> None:
        k, text = self.table.indexOfTopLevelItem(item), item.text(column)
        QTimer.singleShot(0, lambda: self._apply(k, column, text))  # once Qt has closed its editor: rows are made again

    def _apply(self, k: int, column: int, text: str) -> None:
        try:
            value = float(text)
        except ValueError:
            self._rebuild()
            self._say(f"“{text}” is not a number", bad=True)
            return
        if column == TIME:
            moved: list[int] = []
            self._try(lambda: moved.append(self.keys.move(k, value)))
            self._choose(moved[0] if moved else k)
        else:
            self._try(lambda: self.keys.set_number(k, FIELDS[column], value))
            self._choose(k)

    def _try(self, act: Callable[[], None]) -> bool:
        """Run an action that may be refused; returns True if it was done."""
        try:
            act()
        except (PathError, FileError) as error:
            self._rebuild()  # show the true values again
            self._say(str(error), bad=True)
            return False
        return True

    # ---- visibility

    def _rebuild(self) -> None:
        chosen = self.chosen
        with QSignalBlocker(self.table):
            self.table.clear()
            self.table.addTopLevelItems([_row(key) for key in self.keys.keys])
        self.table.setVisible(bool(self.keys.keys))
        self._choose(min(chosen, len(self.keys.keys) - 1))
        self._say(HINT if not self.keys.keys else "")

    def _choose(self, k: int) -> None:
        if k >= 0:
            self.table.setCurrentItem(self.table.topLevelItem(k))
        self._show_enabled()

    def _show_enabled(self) -> None:
        loaded, chosen = self._session.model is not None, self.chosen >= 0
        self.add.setEnabled(loaded)
        for button in (self.change, self.visit):
            button.setEnabled(loaded and chosen)
        self.delete.setEnabled(chosen)
        self.save.setEnabled(bool(self.keys.keys))

    def _show_motion(self) -> None:
        self.motion.setCurrentIndex([motion for motion, _ in MOTIONS].index(self.guide.motion))
        self.speed.setVisible(self.guide.motion is Motion.ORBIT)

    def _say(self, text: str, *, bad: bool = False) -> None:
        self.note.setText(text)
        self.note.setStyleSheet(f"color: {theme.colours()['bad' if bad else 'dim']}")
        self.note.setVisible(bool(text))


def _make_table() -> QTreeWidget:
    table = QTreeWidget()
    table.setAccessibleName("Keys of the camera path")
    table.setHeaderLabels([name for name, _ in HEADINGS])
    table.setRootIsDecorated(False)
    table.setUniformRowHeights(True)
    table.setFont(theme.mono(8.5))
    table.setMinimumHeight(90)
    table.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed)
    head, header = present(table.headerItem()), present(table.header())
    header.setMinimumSectionSize(30)
    header.setStretchLastSection(True)
    for k, (_, tip) in enumerate(HEADINGS):
        head.setToolTip(k, tip)
        head.setFont(k, theme.sans(8.5))
        table.setColumnWidth(k, 66 if k == TIME else 54)
    return table


def _row(key: CameraKey) -> QTreeWidgetItem:
    numbers = (f"{key.time:.10g}", f"{key.distance:.4g}", f"{key.azimuth:.4g}", f"{key.elevation:.4g}", str(key.turns))
    item = QTreeWidgetItem([*numbers])
    item.setSizeHint(TIME, QSize(0, 22))
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
    item.setToolTip(TIME, "looks at {:.3g}, {:.3g}, {:.3g}".format(*key.lookat))
    return item
