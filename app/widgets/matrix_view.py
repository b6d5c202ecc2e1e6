"""The picture of a matrix: zoomed by the wheel, with names along its sides, and a cell under the mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QFontMetricsF

from tumble.app.look import theme
from tumble.app.widgets.cell_image import WIDEST, ZERO, Image
from tumble.app.widgets.plot import LowPlot

NAMED_HEIGHT, NAMED_WIDTH = 13.0, 64.0  # of a cell [px] from which rows, and columns, are named; below that they are numbered
LEFT_WIDTH = 132  # of the names of rows [px]
POSITIVE, NEGATIVE = "ink1", "ink0"


def colour_table() -> NDArray[np.uint8]:
    """Colours (256, 3) of the present theme: negative numbers, the ground, positive numbers."""
    ground = _rgb("field")
    share = (np.arange(256) - ZERO) / 127.0
    ends = np.where(share[:, None] < 0, _rgb(NEGATIVE), _rgb(POSITIVE))
    return np.asarray(np.round(ground + np.clip(abs(share), 0, 1)[:, None] * (ends - ground)), np.uint8)


def _rgb(ink: str) -> NDArray[np.float64]:
    colour = theme.colour(ink)
    return np.array([colour.red(), colour.green(), colour.blue()], float)


class CellPicture(Protocol):
    """A matrix ready to be seen. kind: another one is shown whole; levels: images (h, w), each of half as many cells as the last.

    marks: places of rows and of columns at which lines are drawn.
    """

    @property
    def kind(self) -> object: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def levels(self) -> tuple[Image, ...]: ...
    @property
    def marks(self) -> tuple[list[int], list[int]]: ...


class NameAxis(pg.AxisItem):
    """An axis of cells: their names where there is room, else their numbers. clicked: the number of a cell."""

    def __init__(self, side: str, named_from: float, on_click: Callable[[int], None]) -> None:
        """named_from: size of a cell from which it has a name [px]."""
        super().__init__(side, maxTickLength=0)
        self._named_from, self._on_click = named_from, on_click
        self.names: Callable[[int], str] = str
        self.count = 0
        self.setPen(theme.colour("line"))
        self.setTextPen(theme.colour("dim"))
        self.setTickFont(theme.sans(8))

    def _cell(self) -> float:
        low, high = self.range
        size = self.height() if self.orientation == "left" else self.width()
        return float(size / max(abs(high - low), 1e-9))  # of an axis that points down, the first is the larger

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Middles of cells; low: the larger, of an axis that points down."""
        low, high = sorted((low, high))
        cell = size / max(high - low, 1e-9)
        room = NAMED_HEIGHT if self.orientation == "left" else 34.0
        step = max(1, int(np.ceil(room / max(cell, 1e-9)))) if cell < self._named_from else 1
        if step > 1:
            power = 10 ** int(np.floor(np.log10(step)))
            step = next(k * power for k in (1, 2, 5, 10) if k * power >= step)
        first = max(0, int(np.floor(low / step)) * step)
        return [(float(step), [k + 0.5 for k in range(first, min(self.count, int(np.ceil(high))), step)])]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Names, cut to the room that there is, or numbers."""
        cell = self._cell()
        numbers = [int(value) for value in values]
        if cell < self._named_from:
            return [str(k) for k in numbers]
        metrics = QFontMetricsF(self.style["tickFont"])
        room = LEFT_WIDTH - 12.0 if self.orientation == "left" else cell - 6.0
        return [metrics.elidedText(self.names(k), Qt.TextElideMode.ElideMiddle, room) for k in numbers]

    def mouseClickEvent(self, event: object) -> None:
        """Choose the row or column."""
        place = event.pos()  # type: ignore[attr-defined]
        low, high = self.range
        share = place.y() / max(self.height(), 1) if self.orientation == "left" else place.x() / max(self.width(), 1)
        cell = int(np.floor(low + share * (high - low)))
        if 0 <= cell < self.count:
            self._on_click(cell)


class MatrixView(LowPlot):
    """Shows a CellPicture. hovered: row and column under the mouse, -1 outside; picked: of a click, -1 for a whole line."""

    hovered = pyqtSignal(int, int)
    picked = pyqtSignal(int, int)
    _level = -1  # of the images, the one that is shown

    def __init__(self) -> None:
        self.rows = NameAxis("left", NAMED_HEIGHT, lambda row: self.picked.emit(row, -1))
        self.columns = NameAxis("bottom", NAMED_WIDTH, lambda column: self.picked.emit(-1, column))
        super().__init__(
            background=theme.colour("field"), axisItems={"left": self.rows, "bottom": self.columns}, enableMenu=False
        )
        self._picture: CellPicture | None = None
        self._lines: list[pg.InfiniteLine] = []
        item = self.getPlotItem()
        item.hideButtons()
        item.setMenuEnabled(False)
        self.rows.setWidth(LEFT_WIDTH)
        self.columns.setHeight(22)
        self.box = item.getViewBox()
        self.box.invertY(True)
        self.box.setDefaultPadding(0.0)
        self.image = pg.ImageItem(axisOrder="row-major")
        self.addItem(self.image)
        self.cell = pg.QtWidgets.QGraphicsRectItem()
        self.cell.setPen(pg.mkPen(theme.colour("text"), width=0))
        self.cell.hide()
        self.addItem(self.cell)
        self.setToolTip("Wheel zooms, drag moves; a click on a cell or a name chooses its element, with Shift that of the column")
        self.box.sigRangeChanged.connect(lambda: self._fit_level())
        self.scene().sigMouseMoved.connect(self._on_moved)
        self.scene().sigMouseClicked.connect(self._on_clicked)
        self.setMinimumSize(160, 80)

    def show_picture(self, picture: CellPicture | None, row: Callable[[int], str], column: Callable[[int], str]) -> None:
        """Show another picture, in the same part unless its size is another; None: nothing."""
        before, self._picture, self._level = self._picture, picture, -1
        self.cell.hide()
        self.image.setVisible(picture is not None)
        for line in self._lines:
            self.removeItem(line)
        self._lines = []
        if picture is None:
            self.rows.count = self.columns.count = 0
            return
        self.rows.names, self.columns.names = row, column
        self.rows.count, self.columns.count = picture.shape
        for axis in (self.rows, self.columns):
            axis.picture = None
            axis.update()
        pen = pg.mkPen(theme.colour("dim"), width=1)
        for angle, places in zip((0, 90), picture.marks, strict=True):
            self._lines += [pg.InfiniteLine(pos=place, angle=angle, pen=pen) for place in places]
        for line in self._lines:
            self.addItem(line, ignoreBounds=True)
        if before is None or before.shape != picture.shape or before.kind is not picture.kind:
            self.show_whole()
        self._fit_level()

    def setBackground(self, background: object) -> None:
        """Take the ground of another theme, and with it the colours of the picture."""
        super().setBackground(background)
        if self._level >= 0:
            self.image.setLookupTable(colour_table())

    def show_whole(self) -> None:
        """Show all of it."""
        if self._picture is not None:
            n, m = self._picture.shape
            self.box.setLimits(xMin=0, xMax=m, yMin=0, yMax=n, minXRange=min(2, m), minYRange=min(2, n))
            self.box.setRange(QRectF(0, 0, m, n), padding=0)

    def _fit_level(self) -> None:
        """Show the image whose cells the part in view has room for."""
        picture = self._picture
        if picture is None:
            return
        (left, right), (top, bottom) = self.box.viewRange()
        cells, level = max(right - left, bottom - top), 0
        while level + 1 < len(picture.levels) and cells / 2**level > WIDEST:
            level += 1
        if level != self._level:
            self._level = level
            image = picture.levels[level]
            self.image.setImage(image, levels=(0, 255), lut=colour_table(), autoLevels=False)
            self.image.setRect(QRectF(0, 0, image.shape[1] * 2**level, image.shape[0] * 2**level))

    def cell_at(self, where: QPointF) -> tuple[int, int]:
        """Row and column at a place of the scene; -1 outside."""
        picture = self._picture
        if picture is None or not self.box.sceneBoundingRect().contains(where):
            return -1, -1
        place = self.box.mapSceneToView(where)
        row, column = int(np.floor(place.y())), int(np.floor(place.x()))
        inside = 0 <= row < picture.shape[0] and 0 <= column < picture.shape[1]
        return (row, column) if inside else (-1, -1)

    def _on_moved(self, where: QPointF) -> None:
        row, column = self.cell_at(where)
        self.cell.setVisible(row >= 0)
        self.cell.setRect(QRectF(column, row, 1, 1))
        self.hovered.emit(row, column)

    def _on_clicked(self, event: object) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            return
        row, column = self.cell_at(event.scenePos())  # type: ignore[attr-defined]
        if row >= 0:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)  # type: ignore[attr-defined]
            self.picked.emit(*((-1, column) if shift else (row, -1)))
