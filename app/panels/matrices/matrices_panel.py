"""The matrices panel: a matrix of the equation of motion as a picture, its numbers under the mouse, and its export."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from PyQt6.QtCore import QStandardPaths, Qt
from PyQt6.QtWidgets import QFileDialog

from tumble.app.base import files
from tumble.app.base.background import Background
from tumble.app.describe.numbers import moment, short
from tumble.app.panels.matrices.matrix_picture import MOST_REFINED, MatrixPicture, has_condition, make_picture, refined
from tumble.app.panels.matrices.matrix_readings import READ_INTERVAL, MatrixKind, MatrixProbe, MatrixReading, ShownMatrix
from tumble.app.panels.matrices.names import AxisNames
from tumble.app.session.marking import mark
from tumble.app.simulation.commands import WatchProbe
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.matrix_view import MatrixView
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.app.widgets.tables import CsvButton

NPZ = ".npz"


class PictureStopped(Exception):
    """The picture is no longer wanted."""


class MatricesPanel(LivePanel[ShownMatrix]):
    """Pictures are made in the background while it can be seen."""

    probe: MatrixProbe

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock, bench.session, MatrixProbe(), READ_INTERVAL)
        self.picture: MatrixPicture | None = None
        self._names: AxisNames | None = None
        self._background = Background("matrices", self)
        self._wanted: MatrixReading | None = None  # the newest reading, which may still be made a picture of
        self._at_work = 0  # number of the reading that is, 0: none
        self._run = 0
        self.kind = CalmCombo("Matrix", "The matrix that is shown", ((kind.label, kind) for kind in MatrixKind))
        for k, kind in enumerate(MatrixKind):
            self.kind.setItemData(k, kind.tip, Qt.ItemDataRole.ToolTipRole)
        self.islands = make_check("By island", "Rows and dofs of an island together, with lines between islands")
        self.whole = make_button("Whole", "Show the whole matrix again", by_tab=True)
        self.csv = CsvButton(self.session, "matrix", self._rows, counted="rows")
        self.npz = make_button("Save NumPy…", "The matrix, and the names of its rows and columns, for numpy.load", self._save)
        for low in (self.kind, self.whole, self.csv, self.npz):
            low.setStyleSheet("min-height: 16px; padding: 1px 8px")
        self.view = MatrixView()
        self.cell = ElidedLabel("")
        self.properties = ElidedLabel("")
        self.properties.setProperty("dim", True)
        self.empty = make_label(wrap=True, name="Why there is no matrix")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setObjectName("empty")
        head = hbox(self.kind, self.islands, self.whole, (self.cell, 1), self.csv, self.npz, margins=(0, 0, 0, 0), spacing=8)
        column = vbox(head, (self.view, 1), (self.empty, 1), self.properties, margins=(8, 4, 8, 4), spacing=4)
        self.set_content(holder(column), low=True)
        self.kind.currentIndexChanged.connect(lambda i: self._choose())
        self.islands.toggled.connect(lambda on: self._make(again=True))
        self.whole.clicked.connect(self.view.show_whole)
        self.view.hovered.connect(self._tell)
        self.view.picked.connect(self._go)
        self.session.paused_changed.connect(self._pause)
        self.session.absence_changed.connect(lambda why: self.build())
        dock.in_sight.connect(self._on_sight)
        self._show_none("")

    # ---- readings and pictures

    def build(self) -> None:
        """Another model."""
        model = self.session.model
        self._names = None if model is None else AxisNames(model)
        self._run += 1
        self._wanted, self._at_work = None, 0
        self._show_none(self.session.absence)

    def show_reading(self, reading: ShownMatrix) -> None:
        """Make a picture of another moment."""
        newest = reading.reading
        if newest is None or newest.kind is not self.probe.kind or newest is self._wanted:
            return
        self._wanted = newest
        self._make()

    def _choose(self) -> None:
        self.probe.kind = self.kind.currentData()
        if self.live:
            self.session.send(WatchProbe(self.probe, True))  # known already: the simulation only publishes again

    def _make(self, *, again: bool = False) -> None:
        """Make a picture of the newest reading, unless one is being made: then once that is done."""
        reading = self._wanted
        if reading is None or not self.live or (self._at_work and not again):
            return
        if reading.matrix is None:
            self._show_none(reading.why)
            return
        self._run += 1
        self._at_work = reading.number
        run, by_island = self._run, self.islands.isChecked()

        def wanted() -> None:
            self._background.check()
            if run != self._run:
                raise PictureStopped

        self._background.run(
            lambda: make_picture(reading, by_island=by_island, wanted=wanted),
            lambda picture: self._show(picture, run),
            lambda why: self._fail(why, run),
            (PictureStopped, np.linalg.LinAlgError),
        )

    def _show(self, picture: MatrixPicture, run: int) -> None:
        if run != self._run:
            return
        self._at_work = 0
        names = self._names
        if names is None or picture.reading.kind is not self.probe.kind:
            return
        self.picture = picture
        self.view.show_picture(picture, lambda k: self._name(0, k), lambda k: self._name(1, k))
        self.properties.set_text(f"{moment(picture.reading.time)}: {picture.about}")
        self._show_view(there=True)
        if self._wanted is not None and self._wanted.number != picture.reading.number:
            self._make()
        elif self.session.paused:
            self._refine(picture)

    def _refine(self, picture: MatrixPicture) -> None:
        """Add the condition number of a larger matrix, while it stands."""
        if np.isnan(picture.condition) and max(picture.shape) <= MOST_REFINED and has_condition(picture):
            self._background.run(lambda: refined(picture), lambda result: self._show_refined(picture, result))

    def _show_refined(self, picture: MatrixPicture, result: MatrixPicture) -> None:
        if picture is self.picture:
            self.picture = result
            self.properties.set_text(f"{moment(result.reading.time)}: {result.about}")

    def _fail(self, why: str, run: int) -> None:
        if run == self._run:
            self._at_work = 0
            self._show_none(f"It cannot be computed: {why}")

    def _show_none(self, why: str) -> None:
        self.picture = None
        self.view.show_picture(None, str, str)
        self.empty.setText(why)
        self.properties.set_text("")
        self.cell.set_text("")
        self._show_view(there=False)

    def _show_view(self, *, there: bool) -> None:
        self.view.setVisible(there)
        self.empty.setVisible(not there)
        for button in (self.whole, self.npz):
            button.setEnabled(there)
        self.csv.allow(there)

    def _pause(self, paused: bool) -> None:
        self.probe.eager = paused
        if self.live and paused:
            self.session.send(WatchProbe(self.probe, True))  # publishes the moment that stands

    def _on_sight(self, visible: bool) -> None:
        if visible:
            self.probe.eager = self.session.paused
        else:
            self._run += 1  # a picture at work comes to nothing
            self._at_work = 0
            self._wanted = None

    # ---- the mouse

    def _name(self, side: int, place: int) -> str:
        """Name of the row (0) or column (1) at a place of the picture."""
        picture, names = self.picture, self._names
        if picture is None or names is None or not 0 <= place < picture.shape[side]:
            return ""
        index = int((picture.row, picture.column)[side][place])
        return names.name(picture.reading.kind.axes[side], index, picture.reading)

    def _tell(self, row: int, column: int) -> None:
        """Show the number under the mouse."""
        picture = self.picture
        if picture is None or row < 0:
            self.cell.set_text("")
            return
        value = float(picture.values[row, column])
        first, second = self._name(0, row), self._name(1, column)
        place = f"[{int(picture.row[row])}, {int(picture.column[column])}]"
        self.cell.set_text(f"{short(value, least=0.0, figures=6)}   {first} \N{MULTIPLICATION SIGN} {second}   {place}")

    def _go(self, row: int, column: int) -> None:
        """Mark the element of a row or column in the view."""
        picture, names = self.picture, self._names
        if picture is None or names is None:
            return
        side, place = (0, row) if row >= 0 else (1, column)
        index = int((picture.row, picture.column)[side][place])
        mark(self.session, names.subject(picture.reading.kind.axes[side], index, picture.reading))

    # ---- export

    def _labels(self, picture: MatrixPicture) -> tuple[list[str], list[str]]:
        names = self._names
        if names is None:
            return [], []
        axes, reading = picture.reading.kind.axes, picture.reading
        rows, columns = (
            [names.name(axis, int(index), reading) for index in order]
            for axis, order in zip(axes, (picture.row, picture.column), strict=True)
        )
        return rows, columns

    def _rows(self) -> Iterator[Sequence[str]]:
        """Lines of the CSV: the names of columns, then a line a row."""
        picture = self.picture
        if picture is None:
            return
        rows, columns = self._labels(picture)
        yield ["", *columns]
        for name, values in zip(rows, picture.values, strict=True):
            yield [name, *map(repr, values.tolist())]

    def _save(self) -> None:
        picture, model = self.picture, self.session.path
        if picture is None:
            return
        folder = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
        offered = folder / f"{'matrix' if model is None else model.stem}{NPZ}"
        name, _ = QFileDialog.getSaveFileName(self, "Save the matrix", str(offered), f"NumPy (*{NPZ})")
        if name:
            path = Path(name).with_suffix(NPZ)
            self._background.run(
                lambda: self._write(picture, path),
                lambda done: self.session.status.emit(f"Saved the matrix to {path}"),
                lambda why: self.session.status.emit(f"The matrix was not saved: {why}"),
                (files.FileError,),
            )

    def _write(self, picture: MatrixPicture, path: Path) -> None:
        rows, columns = self._labels(picture)
        with files.replacing(path) as target, target.open("wb") as file:
            np.savez_compressed(
                file, matrix=picture.values, rows=np.array(rows), columns=np.array(columns),
                name=np.array(picture.reading.kind.label), time=np.array(picture.reading.time),
            )  # fmt: skip
