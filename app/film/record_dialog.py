"""The dialog before a recording of the view: file, frames per second, and whether to include the overlay."""

from __future__ import annotations

from PyQt6.QtCore import QStandardPaths, Qt
from PyQt6.QtWidgets import QCheckBox, QComboBox, QLabel, QPushButton, QWidget

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.describe.numbers import moment
from tumble.app.film.recording import Recording, RecordingPhase
from tumble.app.film.video import GIF, GIF_LEAST, MP4
from tumble.app.look import theme
from tumble.app.widgets.form import FileField, FormDialog, size_text

FORMATS = [("MP4 (H.264)", MP4), ("GIF", GIF)]
RATES = (15, 25, 30, 50, 60)  # frames per second


class RecordDialog(FormDialog):
    """Dialog for a recording; `wanted` starts it as filled in. The video has the view's size at that time."""

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__("Record video", "Record", parent)
        self._store = store
        self.file = FileField("Record into", FORMATS)
        self.fps = QComboBox()
        self.fps.setAccessibleName("Frames per second")
        for rate in RATES:
            self.fps.addItem(f"{rate} frames per second", rate)
        self.fps.setCurrentIndex(max(0, self.fps.findData(store.get(settings.RECORD_FPS))))
        self.panels = QCheckBox("Include overlays")
        self.panels.setToolTip("Time, rate, labels, help and messages")
        self.panels.setChecked(store.get(settings.RECORD_PANELS))
        self.size_label = QLabel()
        self.size_label.setProperty("dim", True)
        self.size_label.setWordWrap(True)
        self.form.addRow("File", self.file)
        self.form.addRow("Rate", self.fps)
        self.form.addRow("", self.panels)
        self.form.addRow("Size", self.size_label)
        self.file.changed.connect(self._bound)

    def propose(self, stem: str, width: int, height: int) -> None:
        """Suggest a file, and show the size."""
        self.file.propose(self._store.get(settings.VIDEOS), stem, QStandardPaths.StandardLocation.MoviesLocation)
        self.size_label.setText(
            f"{size_text(width, height)} pixels, the size of the view. If the view is resized, its picture is scaled to this."
        )
        self.appear()

    @property
    def rate(self) -> int:
        """Frames a second."""
        return int(self.fps.currentData())

    def remember(self) -> None:
        """Store the answers for the next time."""
        self._store.put(settings.VIDEOS, str(self.file.path.parent))
        self._store.put(settings.RECORD_FPS, self.rate)
        self._store.put(settings.RECORD_PANELS, self.panels.isChecked())

    def _bound(self) -> None:
        """A GIF shows no more than 50 frames per second."""
        if self.file.path.suffix.lower() == GIF and self.rate > 1 / GIF_LEAST:
            self.fps.setCurrentIndex(self.fps.findData(int(1 / GIF_LEAST)))


class RecordBadge(QPushButton):
    """Status bar badge, hidden without a recording."""

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self._recording = recording
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Stop the recording")
        self.setFont(theme.mono(8.5))
        self.setIcon(theme.icon("record", "bad"))
        self.clicked.connect(recording.stop)
        recording.changed.connect(self.refresh)
        self.hide()

    def refresh(self) -> None:
        """Show the present numbers."""
        recording = self._recording
        self.setVisible(recording.phase is not RecordingPhase.IDLE)
        if recording.stuck:
            self._say(f"ffmpeg has accepted no frames for {recording.stuck:.0f} s", "bad")
            ends = "stop ffmpeg by force and keep the finished part" if recording.phase is RecordingPhase.FINISHING else "stop"
            self.setToolTip(f"The present view is not recorded in {recording.path.name}; the window can be used\nClick to {ends}")
            return
        if recording.phase is RecordingPhase.FINISHING:
            self._say(f"finishing {recording.path.name}: {recording.waiting} frames left", "text")
            self.setToolTip("The video is being encoded; the window can be used")
            return
        dropped = f"  {recording.dropped} dropped" if recording.dropped else ""
        self._say(f"{moment(recording.seconds, 1)}  {recording.frames} frames{dropped}", "warn" if recording.dropped else "text")
        self.setToolTip(f"Recording {recording.path}\n{recording.summary()}\nClick to stop")

    def _say(self, text: str, colour: str) -> None:
        self.setText(text)
        self.setStyleSheet(f"color: {theme.colours()[colour]}")
