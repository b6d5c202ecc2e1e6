"""The plot of a section: zones, contour lines with their costs, and the iterates of the solvers, which can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PyQt6.QtCore import QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor

from tumble.app.look import theme
from tumble.app.panels.solver.contact_sections import SectionPicture, Segments
from tumble.app.panels.solver.contact_solves import SOLVERS
from tumble.app.widgets.plot import LowPlot, QuietAxis, style_axes

TINT = 46  # alpha of zones, 0..255
MARKS = ("o", "t", "s")  # of the iterates of each solver
SIZE, LAST_SIZE, RING = 7, 11, 17  # of marks, of the last one of each solver, and of the ring around the chosen one [px]
ZONE_INKS = ("dim", "warn", "good")  # by Zone: as contacts that are open, slip and stick
ALLOWED_INKS = (None, "bad")
LEFT_WIDTH = 52  # of the numbers of the vertical axis [px]


def solver_ink(solver: int) -> QColor:
    """Colour of a solver, by its place in SOLVERS."""
    return QColor(theme.INKS[(0, 1, 3)[solver]])


class SectionPlot(LowPlot):
    """Shows a SectionPicture. picked: solver and iterate of a clicked mark."""

    picked = pyqtSignal(int, int)

    def __init__(self, inks: Sequence[str | None], name: str) -> None:
        """inks: of the codes of its zones, None: untinted; name: for screen readers."""
        axes = {side: QuietAxis(side) for side in ("left", "bottom")}
        super().__init__(background=theme.colour("field"), axisItems=axes, enableMenu=False)
        self._inks = inks
        self.picture: SectionPicture | None = None
        self.setAccessibleName(name)
        self.setMinimumSize(150, 90)
        item = self.getPlotItem()
        style_axes(item)
        item.showGrid(x=False, y=False)
        item.getAxis("left").setWidth(LEFT_WIDTH)
        self.zones = pg.ImageItem(axisOrder="row-major")
        self.twin = _curve(theme.colour("ink0" if theme.name() == "dark" else "accent"), Qt.PenStyle.DashLine)
        self.lines = _curve(theme.colour("edge"))
        self.border = _curve(theme.colour("text"), width=1.6)
        self.cost = pg.PlotCurveItem(pen=pg.mkPen(theme.colour("dim"), width=1.6))
        self.rays = _curve(solver_ink(2), Qt.PenStyle.DotLine, 1.6)
        self.slices = _curve(solver_ink(2), width=1.6)
        self.paths = [pg.PlotCurveItem(pen=pg.mkPen(solver_ink(k), width=1.2)) for k in range(len(SOLVERS))]
        self.marks = [pg.ScatterPlotItem(symbol=mark, pen=None, brush=solver_ink(k)) for k, mark in enumerate(MARKS)]
        self.ring = pg.ScatterPlotItem(size=RING, pen=pg.mkPen(theme.colour("accent"), width=2), brush=None)
        self.base = pg.ScatterPlotItem(size=13, symbol="+", pen=pg.mkPen(theme.colour("bright"), width=1.2), brush=None)
        self.texts: list[pg.TextItem] = []
        for part in (self.zones, self.lines, self.twin, self.border, self.cost, *self.paths, self.slices, self.rays):
            self.addItem(part, ignoreBounds=True)
        for scatter in (*self.marks, self.base, self.ring):
            self.addItem(scatter, ignoreBounds=True)
        for scatter in self.marks:
            scatter.sigClicked.connect(self._click)

    def show_picture(self, picture: SectionPicture | None) -> None:
        """Show another picture; None: nothing."""
        before, self.picture = self.picture, picture
        for text in self.texts:
            self.removeItem(text)
        self.texts = []
        item = self.getPlotItem()
        for part in (self.zones, self.twin, self.lines, self.border, self.cost, self.rays, self.slices, *self.paths, *self.marks):
            part.setVisible(picture is not None)
        self.base.setVisible(picture is not None)
        self.ring.setVisible(False)
        if picture is None:
            return
        style = {"color": theme.colours()["dim"], "size": "8pt"}
        for side, name in zip(("bottom", "left"), picture.names, strict=True):
            item.setLabel(side, name, **style)
        item.getAxis("left").setWidth(LEFT_WIDTH + 14)
        self.zones.setImage(picture.codes, levels=(0, len(self._inks) - 1), lut=self._colours(), autoLevels=False)
        x, y, width, height = picture.box
        self.zones.setRect(QRectF(x, y, width, height))
        _set_segments(self.lines, picture.contours.lines)
        _set_segments(self.twin, picture.twin.lines)
        _set_segments(self.border, picture.border)
        _set_segments(self.rays, picture.rays)
        _set_segments(self.slices, picture.slices)
        self.cost.setData(*(([], []) if picture.curve is None else picture.curve))
        detailed = len(picture.slices) > 0
        for k, (path, line, marks) in enumerate(zip(picture.paths, self.paths, self.marks, strict=True)):
            places = path.points
            line.setData(*(([], []) if detailed and k == len(picture.paths) - 1 else (places[:, 0], places[:, 1])))
            sizes = np.where(path.iterate == path.iterate[-1], LAST_SIZE, SIZE)
            marks.setData(x=places[:, 0], y=places[:, 1], size=sizes, data=[(k, int(i)) for i in path.iterate])
        self.base.setData(x=[picture.base[0]], y=[picture.base[1]])
        for text, px, py in picture.words:
            self._add_text(text, px, py, "text", 8.5)
        for text, px, py in picture.contours.labels:
            self._add_text(text, px, py, "dim", 7.5)
        if before is None or before.names != picture.names or not _close(before.box, picture.box):
            self.show_whole()

    def show_whole(self) -> None:
        """Show all of the section."""
        if self.picture is not None:
            self.getPlotItem().getViewBox().setRange(QRectF(*self.picture.box), padding=0)

    def choose(self, through: tuple[int, int] | None) -> None:
        """Ring an iterate; None: none."""
        picture = self.picture
        self.ring.setVisible(picture is not None and through is not None)
        if picture is None or through is None:
            return
        path = picture.paths[through[0]]
        there = path.iterate == through[1]
        self.ring.setData(x=path.points[there, 0], y=path.points[there, 1])

    def show_solver(self, solver: int, on: bool) -> None:
        """Show or hide the iterates of a solver."""
        self.paths[solver].setOpacity(float(on))
        self.marks[solver].setOpacity(float(on))
        self.marks[solver].setAcceptedMouseButtons(Qt.MouseButton.LeftButton if on else Qt.MouseButton.NoButton)
        if solver == len(SOLVERS) - 1:
            self.rays.setOpacity(float(on))
            self.slices.setOpacity(float(on))

    def setBackground(self, background: object) -> None:
        """Take the ground of another theme, and with it the colours of the zones."""
        super().setBackground(background)
        if getattr(self, "picture", None) is not None:
            self.zones.setLookupTable(self._colours())

    def _colours(self) -> NDArray[np.uint8]:
        """Colours (zones, 4) of the zones."""
        inks = [QColor(0, 0, 0, 0) if ink is None else theme.colour(ink, TINT) for ink in self._inks]
        return np.array([ink.getRgb() for ink in inks], np.uint8)

    def _add_text(self, text: str, x: float, y: float, ink: str, points: float) -> None:
        label = pg.TextItem(text, color=theme.colour(ink), anchor=(0.5, 0.5), fill=theme.colour("field", 170))
        label.setFont(theme.sans(points))
        label.setPos(x, y)
        label.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.addItem(label, ignoreBounds=True)
        self.texts.append(label)

    def _click(self, item: object, points: Sequence[pg.SpotItem]) -> None:
        if len(points):
            self.picked.emit(*points[-1].data())


def _curve(ink: QColor, style: Qt.PenStyle = Qt.PenStyle.SolidLine, width: float = 1.0) -> pg.PlotCurveItem:
    return pg.PlotCurveItem(pen=pg.mkPen(ink, width=width, style=style), connect="pairs")


def _set_segments(curve: pg.PlotCurveItem, segments: Segments) -> None:
    ends = segments.reshape(-1, 2)
    curve.setData(ends[:, 0], ends[:, 1], connect="pairs")


def _close(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """True if two boxes differ by little: the view stays where the user moved it."""
    return bool(np.allclose(one, other, rtol=0.02, atol=0.02 * max(other[2:])))
