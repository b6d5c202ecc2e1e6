"""The state of a recording in the status bar, which no video shows: a red dot, time, frames, and a click that stops it."""

from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QPushButton

from tumble.app.describe.numbers import moment
from tumble.app.film.recording import Recording, RecordingPhase
from tumble.app.look import theme


class RecordBadge(QPushButton):
    """Hidden while nothing is recorded."""

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
            self._say(f"ffmpeg takes no pictures for {recording.stuck:.0f} s", "bad")
            ends = "end it by force and keep what is done" if recording.phase is RecordingPhase.FINISHING else "stop"
            self.setToolTip(f"What is shown now is not in {recording.path.name}; the window can be used\nClick to {ends}")
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
