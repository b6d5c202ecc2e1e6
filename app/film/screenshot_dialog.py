"""The dialog before a picture of the view is saved: file, size, background, and overlay."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PyQt6.QtCore import QStandardPaths
from PyQt6.QtWidgets import QCheckBox, QComboBox, QLabel, QWidget

from tumble.app.base import files, settings
from tumble.app.base.settings import Settings
from tumble.app.film.offline import NPY, PNG
from tumble.app.viewport.photo import Photo
from tumble.app.widgets.form import ChoiceBox, FileField, FormDialog, beside, parse_size, size_text
from tumble.render.options import PictureMode

SIZES = ((1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))


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


Picture = NDArray[np.uint8]


def straight(pixels: Picture) -> Picture:
    """Colours as files hold them, from those multiplied by their alpha (height, width, 4) that a renderer leaves."""
    alpha = pixels[:, :, 3:].astype(np.float32) / 255
    colours = np.minimum(pixels[:, :, :3] / np.maximum(alpha, 1 / 255), 255).round().astype(np.uint8)
    return np.concatenate([colours, pixels[:, :, 3:]], axis=2)


def save_png(pixels: Picture, path: Path, *, transparent: bool = False) -> None:
    """Write a picture (height, width, 4), first row on top, whole or not at all. Raises FileError.

    transparent: it was drawn without a background; else alpha is omitted.
    """
    with files.replacing(path) as temporary:
        Image.fromarray(straight(pixels) if transparent else np.ascontiguousarray(pixels[:, :, :3])).save(temporary, "PNG")
