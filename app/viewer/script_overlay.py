"""Texts, pictures, figures and geoms of a script, drawn over the view and with the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from tumble.app.look import theme
from tumble.app.viewer.connection import DrawOver, Rect, ScriptFigure, ScriptText
from tumble.app.viewport.tools import Canvas, ViewTool
from tumble.physics.state.enums import mjtFont, mjtGridPos
from tumble.render.camera import View
from tumble.render.drawlist import DrawList
from tumble.render.mjr.listing import Materials, listing_of
from tumble.render.mjv.scene import MjvScene

if TYPE_CHECKING:
    from tumble.physics import MjModel

MARGIN, PAD, GAP = 10.0, 6.0, 14.0
_LEFT = {mjtGridPos.mjGRID_TOPLEFT, mjtGridPos.mjGRID_BOTTOMLEFT, mjtGridPos.mjGRID_LEFT}
_RIGHT = {mjtGridPos.mjGRID_TOPRIGHT, mjtGridPos.mjGRID_BOTTOMRIGHT, mjtGridPos.mjGRID_RIGHT}
_TOP = {mjtGridPos.mjGRID_TOPLEFT, mjtGridPos.mjGRID_TOPRIGHT, mjtGridPos.mjGRID_TOP}
_BOTTOM = {mjtGridPos.mjGRID_BOTTOMLEFT, mjtGridPos.mjGRID_BOTTOMRIGHT, mjtGridPos.mjGRID_BOTTOM}


class ScriptGeoms:
    """Geoms of the script's `user_scn`, with their labels. rows: records of MjvGeom."""

    def __init__(self, model: MjModel) -> None:
        self._materials = Materials(model)
        self._scene = MjvScene(None, 0)

    def show(self, rows: NDArray[Any]) -> None:
        """Draw these from now on."""
        if len(rows) > self._scene.maxgeom:
            self._scene = MjvScene(None, 2 * len(rows))
        self._scene.ngeom = len(rows)
        self._scene.geoms.rows[: len(rows)] = rows

    def instances(self, view: View, height: int) -> DrawList:
        """Draw list of them; height: of the picture [pixels]."""
        return listing_of(self._scene, self._materials, view, height).instances

    def labels(self) -> tuple[NDArray[Any], list[str]]:
        """Places (n, 3) [m] and texts of those that have a label."""
        rows = self._scene.geoms.rows[: self._scene.ngeom]
        rows = rows[rows["label"] != b""]
        return rows["pos"].astype(float), [bytes(text).decode(errors="replace") for text in rows["label"]]


class ScriptOverlay(ViewTool):
    """Paints the last items of each kind."""

    recorded = True

    def __init__(self) -> None:
        self.texts: list[ScriptText] = []
        self.images: list[tuple[Rect, QImage]] = []
        self.figures: list[ScriptFigure] = []
        self.geoms: ScriptGeoms | None = None

    def take(self, shown: DrawOver) -> None:
        """Show texts, pictures and figures; kinds that are None stay."""
        if shown.texts is not None:
            self.texts = shown.texts
        if shown.pictures is not None:
            self.images = [(picture.rect, _image(picture.pixels)) for picture in shown.pictures if picture.pixels.size]
        if shown.figures is not None:
            self.figures = shown.figures

    def clear(self) -> None:
        """Remove all items."""
        self.texts, self.images, self.figures, self.geoms = [], [], [], None

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw over the picture: pictures, then figures, then texts."""
        device = painter.device()
        ratio = 1.0 if device is None else device.devicePixelRatioF()
        if self.geoms is not None:
            _paint_labels(painter, canvas, *self.geoms.labels())
        if not canvas.active:
            return  # the script knows the size of one view
        for rect, image in self.images:
            painter.drawImage(_placed(rect, canvas, ratio), image)
        for figure in self.figures:
            _paint_figure(painter, _placed(figure.rect, canvas, ratio), figure)
        below: dict[int, float] = {}
        for text in self.texts:
            below[text.place] = _paint_text(painter, canvas, text, below.get(text.place, 0.0))


def _paint_labels(painter: QPainter, canvas: Canvas, places: NDArray[Any], texts: list[str]) -> None:
    """Texts at points of the world, where those are in front of the eye."""
    if not texts:
        return
    painter.setFont(theme.sans(8.5))
    painter.setPen(theme.colour("bright"))
    for (x, y, depth), text in zip(canvas.view.project(places, canvas.width, canvas.height), texts, strict=True):
        if depth > 0:
            painter.drawText(QPointF(float(x), float(y)), text)


def _placed(rect: Rect, canvas: Canvas, ratio: float) -> QRectF:
    """A rectangle in the painter's units, from the upper left corner."""
    left, bottom, width, height = (v / ratio for v in rect)
    return QRectF(left, canvas.height - bottom - height, width, height)


def _image(pixels: NDArray[np.uint8]) -> QImage:
    height, width, _ = pixels.shape
    return QImage(pixels.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def _paint_figure(painter: QPainter, rect: QRectF, figure: ScriptFigure) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor.fromRgbF(*figure.back))
    painter.drawRect(rect)
    font = theme.sans(8)
    metrics = QFontMetricsF(font)
    line = metrics.height()
    ink = theme.colour("bright")
    inner = rect.adjusted(52, 8 + (line if figure.title else 0), -10, -(8 + line * (2 if figure.xlabel else 1)))
    painter.setFont(font)
    if inner.width() < 20 or inner.height() < 20:
        return
    painter.setPen(ink)
    painter.drawText(QRectF(rect.left(), rect.top() + 2, rect.width(), line), Qt.AlignmentFlag.AlignHCenter, figure.title)
    bottom = QRectF(rect.left(), rect.bottom() - line - 2, rect.width(), line)
    painter.drawText(bottom, Qt.AlignmentFlag.AlignHCenter, figure.xlabel)
    _paint_grid(painter, inner, figure, line)
    painter.save()
    painter.setClipRect(inner)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, points in zip(figure.colours, figure.lines, strict=True):
        painter.setPen(QPen(QColor.fromRgbF(*colour), 1.6))
        painter.drawPolyline(QPolygonF([_at(inner, figure, float(x), float(y)) for x, y in points]))
    painter.restore()
    top = inner.top() + 2
    for name, colour in zip(figure.names, figure.colours, strict=True):
        if name:
            painter.setPen(QColor.fromRgbF(*colour))
            painter.drawText(QRectF(inner.left(), top, inner.width() - 4, line), Qt.AlignmentFlag.AlignRight, name)
            top += line


def _paint_grid(painter: QPainter, inner: QRectF, figure: ScriptFigure, line: float) -> None:
    faint = QPen(theme.colour("dim"), 0.6)
    for axis, count in enumerate(figure.grid):
        for k in range(count):
            share = k / (count - 1)
            value = figure.low[axis] + share * (figure.high[axis] - figure.low[axis])
            painter.setPen(faint)
            if axis == 0:
                x = inner.left() + share * inner.width()
                painter.drawLine(QPointF(x, inner.top()), QPointF(x, inner.bottom()))
                where = QRectF(x - 30, inner.bottom() + 2, 60, line)
                flags = Qt.AlignmentFlag.AlignHCenter
            else:
                y = inner.bottom() - share * inner.height()
                painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y))
                where = QRectF(inner.left() - 50, y - line / 2, 46, line)
                flags = Qt.AlignmentFlag.AlignRight
            painter.setPen(theme.colour("bright"))
            painter.drawText(where, flags, f"{value:.3g}")


def _at(inner: QRectF, figure: ScriptFigure, x: float, y: float) -> QPointF:
    across, up = ((v - low) / (high - low) for v, low, high in zip((x, y), figure.low, figure.high, strict=True))
    return QPointF(inner.left() + across * inner.width(), inner.bottom() - up * inner.height())


def _font(kind: int) -> QFont:
    return theme.sans(14 if kind == mjtFont.mjFONT_BIG else 9.5, bold=kind == mjtFont.mjFONT_BIG)


def _paint_text(painter: QPainter, canvas: Canvas, text: ScriptText, used: float) -> float:
    """Two columns at their place, `used` pixels away from the edge; returns how many are used then."""
    font = _font(text.font)
    metrics = QFontMetricsF(font)
    left, right = text.left.split("\n"), text.right.split("\n") if text.right else []
    wide = max((metrics.horizontalAdvance(t) for t in left), default=0.0)
    second = max((metrics.horizontalAdvance(t) for t in right), default=0.0)
    rows = max(len(left), len(right))
    width = wide + (GAP + second if right else 0.0) + 2 * PAD
    height = rows * metrics.lineSpacing() + 2 * PAD
    place = text.place
    x = MARGIN if place in _LEFT else canvas.width - MARGIN - width if place in _RIGHT else (canvas.width - width) / 2
    middle = (canvas.height - height) / 2 + used
    y = MARGIN + used if place in _TOP else canvas.height - MARGIN - height - used if place in _BOTTOM else middle
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("back", 150))
    painter.drawRoundedRect(QRectF(x, y, width, height), 5, 5)
    painter.setFont(font)
    painter.setPen(theme.colour("bright"))
    for column, lines in ((x + PAD, left), (x + PAD + wide + GAP, right)):
        for k, words in enumerate(lines):
            painter.drawText(QPointF(column, y + PAD + k * metrics.lineSpacing() + metrics.ascent()), words)
    return used + height + 4.0
