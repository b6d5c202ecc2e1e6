"""The dialog for exporting a video at exact frame times, with progress. The window stays usable."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

from msgspec import Struct
from PyQt6.QtCore import QStandardPaths, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QFileDialog, QLabel, QProgressBar, QPushButton, QWidget

from tumble.app.base import settings
from tumble.app.base.files import FileError
from tumble.app.base.settings import Settings
from tumble.app.describe.numbers import TIMES, moment
from tumble.app.film import capture_dialogs
from tumble.app.film.capture_dialogs import FORMATS
from tumble.app.film.export import Export, ExportPhase
from tumble.app.film.video import VideoError, check_format
from tumble.app.replay.replay_file import SUFFIX
from tumble.app.widgets.form import ChoiceBox, FileField, FormDialog, beside, parse_size, size_text
from tumble.render.options import PictureMode

SIZES = (*capture_dialogs.SIZES, (640, 360))
WHOLE, LAST, FILE = range(3)
VIEW, PATH = -1, -2  # cameras that are not the model's


class Wish(Struct, frozen=True):
    """The values of the form. source: WHOLE, LAST so many seconds, or FILE; camera: VIEW, PATH, or an index."""

    source: int
    seconds: float
    file: Path
    output: Path
    size: tuple[int, int]
    fps: str
    speed: float
    overlay: bool
    camera: int
    orbit: float
    mode: PictureMode = PictureMode.SHADED


class ExportDialog(FormDialog):
    """`ordered` is emitted with the order; `say` shows the outcome."""

    ordered = pyqtSignal(Wish)

    def __init__(self, export: Export, store: Settings, parent: QWidget) -> None:
        super().__init__("Export video", "Export", parent)
        self._export, self._store = export, store
        self._recorded, self._turns = 0.0, True
        self._replay = Path()
        self.file = FileField("Export into", FORMATS)
        self.source = QComboBox()
        self.source.setAccessibleName("Source of the video")
        self.source.addItems(["Everything recorded", "The last seconds", "A replay file"])
        self.seconds = QDoubleSpinBox()
        self.seconds.setAccessibleName("Seconds")
        self.seconds.setRange(0.1, 1e6)
        self.seconds.setSuffix(" s")
        self.seconds.setValue(10.0)
        self.pick = QPushButton("Choose…")
        self.pick.setAutoDefault(False)
        self.pick.clicked.connect(self._choose_replay)
        self.size_box = ChoiceBox([], "Width by height in pixels; any size can be typed")
        self.fps = ChoiceBox(["60", "30", "50", "25", "24", "30000/1001"], "Frames per second; any can be typed", width=110)
        self.speed = ChoiceBox(
            ["1", "0.5", "0.25", "0.1", "0.01", "2", "5"], "Simulated seconds per second of video; any can be typed", width=110
        )
        self.camera = QComboBox()
        self.camera.setAccessibleName("Camera")
        self.orbit = QDoubleSpinBox()
        self.orbit.setAccessibleName("Orbit")
        self.orbit.setRange(-720, 720)
        self.orbit.setDecimals(1)
        self.orbit.setSuffix(" °/s")
        self.orbit.setToolTip("The camera orbits its target, in degrees per second of the video")
        self.turning = QLabel("orbit")
        self.overlay = QCheckBox("Show the time in the picture")
        self.mode = QComboBox()
        self.mode.setAccessibleName("Picture")
        self.mode.setToolTip("Depth: bright where near, scaled to what each picture shows. Segmentation: one colour per object")
        for mode in PictureMode:
            self.mode.addItem(mode.name.capitalize(), mode)
        self.about, self.state = QLabel(), QLabel()
        self.about.setProperty("dim", True)
        self.state.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.stop = QPushButton("Stop, keep the finished part")
        self.stop.setAutoDefault(False)
        self.stop.clicked.connect(export.cancel)
        self.away.setText("Close")
        self._lay_out()
        self.go.clicked.connect(self._order)
        for box in (self.source, self.camera):
            box.currentIndexChanged.connect(lambda k: self._show_choice())
        for text in (self.size_box, self.fps, self.speed):
            text.currentTextChanged.connect(lambda t: self._show_choice())
        self.seconds.valueChanged.connect(lambda value: self._show_choice())
        export.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        self.form.addRow("What", beside(self.source, self.seconds, self.pick))
        self.form.addRow("Size", beside(self.size_box, QLabel("pixels")))
        self.form.addRow("Rate", beside(self.fps, QLabel("frames per second")))
        self.form.addRow("Speed", beside(self.speed, QLabel(f"{TIMES} real time")))
        self.form.addRow("Camera", beside(self.camera, self.turning, self.orbit))
        self.form.addRow("Picture", self.mode)
        self.form.addRow("", self.overlay)
        self.form.addRow("File", self.file)
        self.form.addRow("", self.about)
        self.column.insertWidget(1, self.bar)
        self.column.insertWidget(2, self.state)
        self.buttons.insertWidget(0, self.stop)

    def propose(
        self, stem: str, size: tuple[int, int], seconds: float, cameras: list[str], keys: int, turns: bool, mode: PictureMode
    ) -> None:
        """Show the choices; while an export runs, its state.

        stem: of the proposed file; size: of the view [pixels]; seconds: that are recorded, 0: nothing is; cameras: of the model;
        keys: of the camera path; turns: whether the view's camera can orbit; mode: how the view is drawn.
        """
        if self._export.phase is ExportPhase.IDLE:
            self._recorded, self._turns = seconds, turns
            self.file.propose(self._store.get(settings.VIDEOS), stem, QStandardPaths.StandardLocation.MoviesLocation)
            kept = self.size_box.currentText()
            self.size_box.clear()
            self.size_box.addItems([*(size_text(*usual) for usual in SIZES), f"{size_text(*size)} (as the view)"])
            self.size_box.setCurrentText(kept or size_text(*SIZES[0]))
            self._offer_cameras(cameras, keys)
            self.mode.setCurrentIndex(int(mode))
            self.source.setCurrentIndex(FILE if seconds <= 0 else min(self.source.currentIndex(), LAST))
            self.seconds.setMaximum(max(0.1, seconds))
            self.state.clear()
        self.appear()
        self._show_choice()

    def _offer_cameras(self, cameras: list[str], keys: int) -> None:
        self.camera.clear()
        self.camera.addItem("as in the view", VIEW)
        for k, name in enumerate(cameras):
            self.camera.addItem(name or f"camera {k}", k)
        if keys:
            self.camera.addItem(f"along the camera path ({keys} key{'s' if keys > 1 else ''})", PATH)

    def say(self, text: str, *, bad: bool) -> None:
        """Show how the export ended, or why it does not begin."""
        self.refuse(text if bad else "")
        self.state.setText("" if bad else text)

    def refresh(self) -> None:
        """Show how far it is."""
        export = self._export
        idle = export.phase is ExportPhase.IDLE
        self.go.setVisible(idle)
        self.stop.setVisible(not idle)
        self.stop.setEnabled(export.phase is not ExportPhase.STOPPING)
        self.bar.setVisible(not idle)
        for k in range(self.form.rowCount()):
            for role in (self.form.ItemRole.FieldRole, self.form.ItemRole.LabelRole):
                item = self.form.itemAt(k, role)
                if item is not None and (widget := item.widget()) is not None:
                    widget.setEnabled(idle)
        if not idle:
            self.bar.setMaximum(round(export.total))  # 0: busy, without a known share
            self.bar.setValue(round(export.done))
            self.state.setText(progress_text(export))

    # ---- form values

    def _order(self) -> None:
        wish = self._wish()
        self.state.clear()
        if isinstance(wish, str):
            self.refuse(wish)
            return
        self.refuse("")
        self._store.put(settings.VIDEOS, str(wish.output.parent))
        try:
            check_format(wish.output, *wish.size, Fraction(wish.fps))
            self.ordered.emit(wish)
        except (VideoError, FileError) as error:
            self.refuse(str(error))

    def _wish(self) -> Wish | str:
        """The order, or an error message."""
        size, fps, speed = parse_size(self.size_box.currentText()), self._rate(), _number(self.speed.currentText())
        if size is None:
            return f"“{self.size_box.currentText()}” is not a size; write it as 1280 x 720"
        if fps is None:
            return f"“{self.fps.currentText()}” is not a number of frames per second"
        if speed is None:
            return f"“{self.speed.currentText()}” is not a speed; 1 is real time"
        if self.source.currentIndex() == FILE and not self._replay.name:
            return "Choose a replay file first"
        if not self.file.text.text().strip():
            return "Choose a file for the video"
        return Wish(
            self.source.currentIndex(), self.seconds.value(), self._replay, self.file.path, size, self.fps.currentText().strip(),
            speed,
            self.overlay.isChecked(), int(self.camera.currentData()), self.orbit.value() if self.orbit.isVisible() else 0.0,
            PictureMode(self.mode.currentIndex()),
        )  # fmt: skip

    def _rate(self) -> Fraction | None:
        try:
            rate = Fraction(self.fps.currentText().strip())
        except (ValueError, ZeroDivisionError):
            return None
        return rate if 0 < rate <= 1000 else None

    def _choose_replay(self) -> None:
        folder = self._store.get(settings.VIDEOS)
        name, _ = QFileDialog.getOpenFileName(self, "Choose a replay", folder, f"Replays (*{SUFFIX})")
        if name:
            self._replay = Path(name)
            self._show_choice()

    def _show_choice(self) -> None:
        """Show only the fields for the present choices, and their results."""
        source = self.source.currentIndex()
        self.seconds.setVisible(source == LAST)
        self.pick.setVisible(source == FILE)
        self.pick.setText(self._replay.name or "Choose…")
        turns = self.camera.currentData() == VIEW and self._turns
        self.orbit.setVisible(turns)
        self.turning.setVisible(turns)
        fps, speed = self._rate(), _number(self.speed.currentText())
        length = min(self._recorded, self.seconds.value()) if source == LAST else self._recorded
        if source == FILE or fps is None or speed is None:
            self.about.setText("")
        else:
            self.about.setText(f"{moment(length / speed, 1)} of video, {max(1, round(length / speed * fps))} frames")


def progress_text(export: Export) -> str:
    """The progress of an export, in words."""
    if export.phase is ExportPhase.STOPPING:
        return "Stopping: the finished part is being kept"
    if not export.total:
        return f"{export.what}…"
    return f"{export.what}: {export.done:g} of {export.total:g}, {moment(export.left, 0)} left"


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value > 0 else None
