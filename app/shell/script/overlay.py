"""What a script has written and drawn over the view: texts, pictures and figures, as `set_texts` and its like of a viewer say."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from tumble.app.look import theme
from tumble.app.remote.lines import Message
from tumble.app.remote.memory import taken_from_file
from tumble.app.shell.script.geoms import ScriptGeoms
from tumble.app.viewport.tools import Canvas, ViewTool
from tumble.physics.state.enums import mjtFont, mjtGridPos

log = logging.getLogger(__name__)

MARGIN, PAD, GAP = 10.0, 6.0, 14.0
_LEFT = {mjtGridPos.mjGRID_TOPLEFT, mjtGridPos.mjGRID_BOTTOMLEFT, mjtGridPos.mjGRID_LEFT}
_RIGHT = {mjtGridPos.mjGRID_TOPRIGHT, mjtGridPos.mjGRID_BOTTOMRIGHT, mjtGridPos.mjGRID_RIGHT}
_TOP = {mjtGridPos.mjGRID_TOPLEFT, mjtGridPos.mjGRID_TOPRIGHT, mjtGridPos.mjGRID_TOP}
_BOTTOM = {mjtGridPos.mjGRID_BOTTOMLEFT, mjtGridPos.mjGRID_BOTTOMRIGHT, mjtGridPos.mjGRID_BOTTOM}


@dataclass(frozen=True, slots=True)
class ScriptText:
    """Two columns of lines at a place of mjtGridPos."""

    font: int
    place: int
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class ScriptImage:
    """A picture; rect: left, bottom, width, height [pixels of the view], from its lower left corner."""

    rect: tuple[float, float, float, float]
    image: QImage


@dataclass(frozen=True, slots=True)
class ScriptFigure:
    """Lines in a frame; rect as of a picture. points: of each line; low, high: of x and y."""

    rect: tuple[float, float, float, float]
    title: str
    xlabel: str
    names: list[str]
    colours: list[QColor]
    points: list[list[tuple[float, float]]]
    low: tuple[float, float]
    high: tuple[float, float]
    back: QColor
    grid: tuple[int, int]


@dataclass
class ScriptOverlay(ViewTool):
    """Paints what was last set of each kind."""

    recorded = True
    texts: list[ScriptText] = field(default_factory=list)
    images: list[ScriptImage] = field(default_factory=list)
    figures: list[ScriptFigure] = field(default_factory=list)
    geoms: ScriptGeoms | None = None

    def take(self, message: Message) -> None:
        """Show what a message has of texts, images and figures; what it does not name stays."""
        if "texts" in message:
            self.texts = [ScriptText(int(f), int(g), str(a), str(b)) for f, g, a, b in message["texts"]]
        if "images" in message:
            self.images = [made for rect, size, path in message["images"] if (made := _image(rect, size, path)) is not None]
        if "figures" in message:
            self.figures = [_figure(rect, said) for rect, said in message["figures"]]

    def clear(self) -> None:
        """Show nothing."""
        self.texts, self.images, self.figures, self.geoms = [], [], [], None

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw over the picture: pictures, then figures, then texts."""
        device = painter.device()
        ratio = 1.0 if device is None else device.devicePixelRatioF()
        if self.geoms is not None:
            _paint_labels(painter, canvas, *self.geoms.labels())
        if not canvas.active:
            return  # the script was told the size of one view
        for picture in self.images:
            painter.drawImage(_placed(picture.rect, canvas, ratio), picture.image)
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


def _placed(rect: tuple[float, float, float, float], canvas: Canvas, ratio: float) -> QRectF:
    """A rectangle in the painter's units, from the upper left corner."""
    left, bottom, width, height = (v / ratio for v in rect)
    return QRectF(left, canvas.height - bottom - height, width, height)


def _image(rect: Sequence[float], size: Sequence[int], path: str) -> ScriptImage | None:
    height, width = (int(n) for n in size)
    try:
        data = taken_from_file(Path(path))
    except OSError as error:
        log.warning("a picture of the script was lost: %s", error)
        return None
    if len(data) != 3 * width * height or not data:
        return None
    image = QImage(data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
    left, bottom, w, h = (float(v) for v in rect)
    return ScriptImage((left, bottom, w, h), image)


def _figure(rect: Sequence[float], said: Message) -> ScriptFigure:
    points = [[(float(x), float(y)) for x, y in line] for line in said["lines"]]
    colours = [QColor.fromRgbF(*(min(max(float(v), 0.0), 1.0) for v in rgb)) for rgb in said["rgb"]]
    low, high = [0.0, 0.0], [1.0, 1.0]
    for k, (least, most) in enumerate(said["range"]):
        values = [point[k] for line in points for point in line]
        if least < most:
            low[k], high[k] = float(least), float(most)
        elif values:  # as wide as the data
            low[k], high[k] = min(values), max(values)
            if high[k] - low[k] < 1e-12:
                low[k], high[k] = low[k] - 0.5, high[k] + 0.5
    left, bottom, w, h = (float(v) for v in rect)
    back = QColor.fromRgbF(*(min(max(float(v), 0.0), 1.0) for v in said["rgba"]))
    names = [str(name) for name in said["names"]]
    grid = (max(2, int(said["grid"][0])), max(2, int(said["grid"][1])))
    return ScriptFigure((left, bottom, w, h), str(said["title"]), str(said["xlabel"]), names, colours, points,
                        (low[0], low[1]), (high[0], high[1]), back, grid)  # fmt: skip


def _paint_figure(painter: QPainter, rect: QRectF, figure: ScriptFigure) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(figure.back)
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
    for colour, points in zip(figure.colours, figure.points, strict=True):
        painter.setPen(QPen(colour, 1.6))
        painter.drawPolyline(QPolygonF([_at(inner, figure, x, y) for x, y in points]))
    painter.restore()
    top = inner.top() + 2
    for name, colour in zip(figure.names, figure.colours, strict=True):
        if name:
            painter.setPen(colour)
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
    across = (x - figure.low[0]) / (figure.high[0] - figure.low[0])
    up = (y - figure.low[1]) / (figure.high[1] - figure.low[1])
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
