"""The toolbar: time, speed and keyframes; the rates of time that the speed menu and the keys offer."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker, QSize, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QAbstractButton, QComboBox, QLabel, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from tumble.app.describe.names import keyframes
from tumble.app.describe.numbers import rate_text
from tumble.app.editing.edits import Edits
from tumble.app.look import theme
from tumble.app.look.actions import show_keys
from tumble.app.session.session import Session

# Simulated seconds a wall second.
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
_SAME = 1e-4  # relative, by which rates that are the same may differ


class TimeBar(QToolBar):
    """Buttons for files and time, the speed, and the keyframes of the model."""

    def __init__(self, session: Session, actions: dict[str, QAction], cameras: QMenu) -> None:
        super().__init__("Toolbar")
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setIconSize(QSize(20, 20))
        self._session = session
        self._saved = False  # whether the keyframes listed are those of `Keyframes`, not only the file's
        self._pause = actions["pause"]
        self.addActions([actions["open"], actions["reload"]])
        self.addSeparator()
        self.addActions([actions["pause"], actions["step"], actions["reset"]])
        self.addSeparator()
        self.speed = self._add_box("Speed", "Simulated seconds per second  (- slower, = faster)", 86)
        for rate in RATES:
            self.speed.addItem(rate_text(rate), rate)
        self.speed.activated.connect(lambda i: session.set_rate(self.speed.itemData(i)))
        self.addSeparator()
        self.keys = self._add_box("Keyframe", "Reset to a keyframe of the model", 130)
        self.keys.activated.connect(self._go_to_key)
        self.addSeparator()
        self.addActions([actions["gizmo"], actions["measure"]])
        self._add_cameras(cameras)
        spring = QWidget()
        spring.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spring)
        self.addActions([actions["record"], actions["screenshot"], actions["info"], actions["help"]])
        for button in (*self.findChildren(QAbstractButton), self.speed, self.keys):  # a click leaves the focus in the view
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        session.paused_changed.connect(self._show_paused)
        session.rate_changed.connect(self._show_rate)
        session.model_loaded.connect(self._show_keys)
        session.part(Edits).keyframes_listed.connect(self._list_keys)
        self._show_paused(session.paused)
        self._show_rate(session.rate)
        self._show_keys()

    def _add_box(self, name: str, tip: str, width: int) -> QComboBox:
        label = QLabel(name)
        label.setProperty("dim", True)
        label.setContentsMargins(2, 0, 4, 0)
        self.addWidget(label)
        box = QComboBox()
        box.setAccessibleName(name)
        box.setToolTip(tip)
        box.setMinimumWidth(width)
        self.addWidget(box)
        return box

    def _add_cameras(self, cameras: QMenu) -> None:
        button = QToolButton()
        button.setIcon(theme.icon("view"))
        button.setToolTip("Cameras: free, following, those of the model, saved views")
        button.setAccessibleName("Cameras")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(cameras)
        self.addWidget(button)

    def _show_paused(self, paused: bool) -> None:
        self._pause.setIcon(theme.icon("play", "good") if paused else theme.icon("pause", "accent"))
        self._pause.setText("&Play" if paused else "&Pause")
        self._pause.setProperty("tip", "Play" if paused else "Pause")
        show_keys(self._pause)

    def _show_rate(self, rate: float) -> None:
        with QSignalBlocker(self.speed):
            index = self.speed.findData(rate)
            if index < 0:
                index = sum(1 for i in range(self.speed.count()) if self.speed.itemData(i) < rate)
                self.speed.insertItem(index, rate_text(rate), rate)
            self.speed.setCurrentIndex(index)

    def _show_keys(self) -> None:
        self._list_keys(keyframes(self._session.model) if self._session.model is not None else [], saved=False)

    def _list_keys(self, names: list[str], saved: bool = True) -> None:
        self._saved = saved
        with QSignalBlocker(self.keys):
            self.keys.clear()
            self.keys.addItems(names or ["none"])
            self.keys.setCurrentIndex(0 if not names else -1)
            self.keys.setPlaceholderText("choose…" if names else "")
            self.keys.setEnabled(bool(names))

    def _go_to_key(self, index: int) -> None:
        if self._saved:
            from tumble.app.editing.keyframes import Keyframes  # imported by the caller

            self._session.part(Keyframes).go(index)
        else:
            self._session.reset(index)
        self.keys.setCurrentIndex(-1)  # choosing the same again resets again


def faster(rate: float) -> float:
    """The next higher of the rates; the rate itself if it is the highest."""
    return min((r for r in RATES if r > rate * (1 + _SAME)), default=rate)


def slower(rate: float) -> float:
    """The next lower of the rates; the rate itself if it is the lowest."""
    return max((r for r in RATES if r < rate * (1 - _SAME)), default=rate)
