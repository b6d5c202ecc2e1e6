"""The keyframes that a path runs through, and when."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import QTreeWidget, QTreeWidgetItem

from tumble.app.editing.keyframes import SavedPose
from tumble.app.widgets.layout import present
from tumble.app.widgets.tables import NUMBER, set_headings
from tumble.physics.observe.motion.inverse_motion import KeyPath

APART = 1.0  # times of keyframes whose own do not rise [s]


def first_times(times: Sequence[float]) -> list[float]:
    """Times of keyframes [s]: their own, where those rise; else one after the other."""
    if all(after > before for before, after in pairwise(times)):
        return list(times)
    return [APART * k for k in range(len(times))]


def path_of(poses: Sequence[tuple[SavedPose, float]], *, stops: bool) -> KeyPath:
    """The path through poses at times [s], in the order of these."""
    ordered = sorted(poses, key=lambda pose: pose[1])

    def rows(name: str) -> np.ndarray:
        return np.array([pose.values[name].ravel() for pose, _ in ordered], float).reshape(len(ordered), -1)

    count = len(ordered)
    places, turns = rows("mpos").reshape(count, -1, 3), rows("mquat").reshape(count, -1, 4)
    mocap = np.concatenate([places, turns], axis=2).reshape(count, -1)
    return KeyPath(np.array([time for _, time in ordered]), rows("qpos"), mocap, stops)


class KeyTimes(QTreeWidget):
    """Keyframes with a tick and a time each. changed: by the user."""

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Keyframes of the path")
        self.setRootIsDecorated(False)
        self.setMinimumSize(150, 50)
        tips = ("Ticked ones are on the path", "When the path is there [s]: double click to change")
        set_headings(self, ("Keyframe", "at s"), tips, numbers=True)
        self.itemChanged.connect(self._check)
        self.itemDoubleClicked.connect(lambda item, column: self.editItem(item, 1))
        self.setEditTriggers(QTreeWidget.EditTrigger.NoEditTriggers)
        self._poses: list[SavedPose] = []
        self._times: list[float] = []

    def show_keys(self, poses: Sequence[SavedPose], titles: Sequence[str]) -> None:
        """List keyframes; those listed before keep their times and ticks."""
        before = {
            titles_of.text(0): (titles_of.checkState(0), time)
            for k, time in enumerate(self._times)
            if (titles_of := self.topLevelItem(k)) is not None
        }
        self._poses, self._times = list(poses), first_times([pose.time for pose in poses])
        with QSignalBlocker(self):
            self.clear()
            for k, title in enumerate(titles):
                ticked, self._times[k] = before.get(title, (Qt.CheckState.Checked, self._times[k]))
                item = QTreeWidgetItem(self, [title, f"{self._times[k]:g}"])
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(0, ticked)
                item.setTextAlignment(1, NUMBER)

    @property
    def chosen(self) -> list[tuple[SavedPose, float]]:
        """Ticked keyframes with their times [s]."""
        ticked = Qt.CheckState.Checked
        rows = zip(self._poses, self._times, strict=True)
        return [pose for k, pose in enumerate(rows) if present(self.topLevelItem(k)).checkState(0) == ticked]

    def _check(self, item: QTreeWidgetItem, column: int) -> None:
        row = self.indexOfTopLevelItem(item)
        if column == 1:
            try:
                time = float(item.text(1).replace(",", "."))
            except ValueError:
                time = np.nan
            if np.isfinite(time):
                self._times[row] = time
            with QSignalBlocker(self):
                item.setText(1, f"{self._times[row]:g}")
        self.changed.emit()
