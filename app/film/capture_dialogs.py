"""The dialogs before a recording of the view, and before a picture of it is saved; the status bar badge of a recording."""

from __future__ import annotations

from enum import Enum

from PyQt6.QtCore import QStandardPaths, Qt
from PyQt6.QtWidgets import QCheckBox, QComboBox, QLabel, QPushButton, QWidget

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.describe.numbers import moment
from tumble.app.film.offline import NPY, PNG
from tumble.app.film.recording import Recording, RecordingPhase
from tumble.app.film.video import GIF, GIF_LEAST, MP4
from tumble.app.look import theme
from tumble.app.viewport.photo import Photo
from tumble.app.widgets.form import ChoiceBox, FileField, FormDialog, beside, parse_size, size_text
from tumble.render.options import PictureMode

FORMATS = [("MP4 (H.264)", MP4), ("GIF", GIF)]
RATES = (15, 25, 30, 50, 60)  # frames per second
SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))


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


class PictureForm(Enum):
    """Contents of a picture file: label, suffix, and picture mode (None: unchanged)."""

    VIEW = "The view as shown", PNG, None
    DEPTH = "Depth, as grey", PNG, PictureMode.DEPTH
    MILLIMETRES = "Depth in millimetres, 16 bits", PNG, None
    METRES = "Depth in metres, as numbers", NPY, None
    SEGMENTATION = "Objects, one colour each", PNG, PictureMode.SEGMENTATION
    OBJECTS = "Objects, as numbers", NPY, None

    def __init__(self, words: str, suffix: str, mode: PictureMode | None) -> None:
        self.words, self.suffix, self.mode = words, suffix, mode

    @property
    def measured(self) -> bool:
        """True if the file holds numbers, not a picture."""
        return self in (PictureForm.MILLIMETRES, PictureForm.METRES, PictureForm.OBJECTS)


class ScreenshotDialog(FormDialog):
    """`wanted`: save the view as it is at that moment."""

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__("Save a picture", "Save", parent)
        self._store = store
        self.file = FileField("Save the picture", [("PNG", PNG), ("NumPy array", NPY)])
        self.file.format.hide()  # the content decides
        self.form_box = QComboBox()
        self.form_box.setAccessibleName("What")
        self.form_box.setToolTip("Depth along the view, 0 for the background; objects as ids and types, -1 for the background")
        for form in PictureForm:
            self.form_box.addItem(form.words, form)
        self.form_box.currentIndexChanged.connect(lambda k: self._show_form())
        self.size_box = ChoiceBox([], "Width by height in pixels; any size can be typed")
        self.transparent = QCheckBox("Transparent background")
        self.transparent.setToolTip("No sky and no background colour; D in the view hides the floor too")
        self.panels = QCheckBox("Include overlays")
        self.panels.setToolTip("Time, rate, labels, help and messages")
        self.all_views = QCheckBox("All views")
        self.all_views.setToolTip("All views in their arrangement; off: only the active one")
        self.all_views.toggled.connect(self._offer_sizes)
        self._whole = self._active = (0, 0)
        unit = QLabel("pixels")
        unit.setProperty("dim", True)
        self.form.addRow("File", self.file)
        self.form.addRow("What", self.form_box)
        self.form.addRow("Size", beside(self.size_box, unit))
        self.form.addRow("", self.all_views)
        self.form.addRow("", self.transparent)
        self.form.addRow("", self.panels)

    def propose(self, stem: str, width: int, height: int, *, active: tuple[int, int] | None = None) -> None:
        """Offer a file, and the view's size; active: that of the active view, where there are several."""
        self._whole, self._active = (width, height), active or (width, height)
        self.form.setRowVisible(self.all_views, active is not None)
        self.all_views.setChecked(active is not None)
        self.file.propose(self._store.get(settings.SCREENSHOTS), stem, QStandardPaths.StandardLocation.PicturesLocation)
        self._offer_sizes()
        self.transparent.setChecked(False)
        self.appear()

    @property
    def picture_form(self) -> PictureForm:
        """Selected contents of the file."""
        form: PictureForm = self.form_box.currentData()
        return form

    def _show_form(self) -> None:
        """Enable the options that fit the format: numbers have no overlay, no background, and are of one view."""
        form = self.picture_form
        for box in (self.transparent, self.panels, self.all_views):
            box.setEnabled(not form.measured)
        self.file.format.setCurrentIndex([PNG, NPY].index(form.suffix))
        self._offer_sizes()

    def _offer_sizes(self) -> None:
        size = self._whole if self.all_views.isChecked() and self.all_views.isEnabled() else self._active
        self.size_box.clear()
        self.size_box.addItems([size_text(*size), *(size_text(*usual) for usual in SIZES)])

    def photo(self) -> Photo | None:
        """The order; None if the size is invalid, with a message in the dialog."""
        size = parse_size(self.size_box.currentText())
        if size is None:
            self.refuse(f"“{self.size_box.currentText()}” is not a size; write it as 1280 x 720")
            return None
        boxes = self.transparent, self.panels, self.all_views
        transparent, panels, every = (box.isChecked() and box.isEnabled() for box in boxes)
        return Photo(*size, transparent, panels, every, self.picture_form.mode)

    def misfit(self) -> str:
        """Reason why the file type cannot hold the chosen content; "" if it can."""
        form, suffix = self.picture_form, self.file.path.suffix.lower()
        return "" if suffix == form.suffix else f"{form.words}: the file ends in {form.suffix}, not {suffix}"

    def remember(self) -> None:
        """Store the folder for the next time."""
        self._store.put(settings.SCREENSHOTS, str(self.file.path.parent))
