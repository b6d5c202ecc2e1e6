"""The dialog before a picture of the view is saved: file, size, background, and overlay."""

from __future__ import annotations

from PyQt6.QtCore import QStandardPaths
from PyQt6.QtWidgets import QCheckBox, QLabel, QWidget

from app.base import settings
from app.base.settings import Settings
from app.viewport.photo import Photo
from app.widgets.file_field import FileField
from app.widgets.form import ChoiceBox, FormDialog, beside, parse_size, size_text

SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))


class ScreenshotDialog(FormDialog):
    """`wanted` means: save the view as it is at that moment."""

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__("Save a picture", "Save", parent)
        self._store = store
        self.file = FileField("Save the picture", [("PNG", ".png")])
        self.size_box = ChoiceBox([], "Width by height in pixels; any size can be typed")
        self.transparent = QCheckBox("Transparent background")
        self.transparent.setToolTip("No sky and no background colour; D in the view hides the floor too")
        self.panels = QCheckBox("Include overlays")
        self.panels.setToolTip("Time, rate, labels, help and messages")
        self.all_views = QCheckBox("All views")
        self.all_views.setToolTip("All views as they lie; without it the active one alone")
        self.all_views.toggled.connect(self._offer_sizes)
        self._whole = self._active = (0, 0)
        unit = QLabel("pixels")
        unit.setProperty("dim", True)
        self.form.addRow("File", self.file)
        self.form.addRow("Size", beside(self.size_box, unit))
        self.form.addRow("", self.all_views)
        self.form.addRow("", self.transparent)
        self.form.addRow("", self.panels)

    def propose(
        self, stem: str, width: int, height: int, *, transparent: bool = False, active: tuple[int, int] | None = None
    ) -> None:
        """Offer a file, and the view's size; active: that of the active view, where there are several."""
        self._whole, self._active = (width, height), active or (width, height)
        self.form.setRowVisible(self.all_views, active is not None)
        self.all_views.setChecked(active is not None)
        self.file.propose(self._store.get(settings.SCREENSHOTS), stem, QStandardPaths.StandardLocation.PicturesLocation)
        self._offer_sizes()
        self.transparent.setChecked(transparent)
        self.appear()

    def _offer_sizes(self) -> None:
        size = self._whole if self.all_views.isChecked() else self._active
        self.size_box.clear()
        self.size_box.addItems([size_text(*size), *(size_text(*usual) for usual in SIZES)])

    def photo(self) -> Photo | None:
        """The order; None: the size is invalid, which the dialog then says."""
        size = parse_size(self.size_box.currentText())
        if size is None:
            self.refuse(f"“{self.size_box.currentText()}” is not a size; write it as 1280 x 720")
            return None
        return Photo(*size, self.transparent.isChecked(), self.panels.isChecked(), self.all_views.isChecked())

    def remember(self) -> None:
        """Keep the folder for the next time."""
        self._store.put(settings.SCREENSHOTS, str(self.file.path.parent))
