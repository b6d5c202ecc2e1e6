"""Figures that panels draw over the view: points, lines and areas in world coordinates, projected, never occluded."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, QPointF, Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QPen, QPolygonF

from tumble.app.look import theme
from tumble.render.camera import View

if TYPE_CHECKING:
    from tumble.app.session.session import Session

BEHIND = 1e-6  # m: nearer to the eye than this a point has no place in the picture


class Stroke(Enum):
    """Kinds of figures: dots, a line through points, an area with its outline."""

    DOTS = auto()
    LINE = auto()
    AREA = auto()


class Figure(Struct, frozen=True, eq=False):
    """points (n, 3) of the world [m]; ink: a colour of the theme, or #rrggbb; size: radius of dots, width of lines [px]."""

    points: NDArray[np.float64]
    stroke: Stroke
    ink: str
    size: float = 1.6


class Drawing(QObject):
    """Current figures; changed: emitted when they change."""

    changed = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.figures: tuple[Figure, ...] = ()
        session.model_loaded.connect(self.clear)

    def show(self, figures: Sequence[Figure]) -> None:
        """Draw these in place of those before."""
        if figures or self.figures:
            self.figures = tuple(figures)
            self.changed.emit()

    def clear(self) -> None:
        """Draw none."""
        self.show(())


FlatFigure = tuple[Figure, list[QPointF]]  # a figure, and its points in the picture


def flatten(figures: Sequence[Figure], view: View, width: int, height: int) -> list[FlatFigure]:
    """Figures as they are seen. A line or an area that reaches behind the eye is omitted, and so are such dots."""
    result = []
    for figure in figures:
        if len(figure.points) == 0 or not np.isfinite(figure.points).all():
            continue
        seen = view.project(figure.points, width, height)
        front = seen[:, 2] > BEHIND
        if figure.stroke is not Stroke.DOTS and not front.all():
            continue
        points = [QPointF(float(x), float(y)) for x, y, _ in seen[front]]
        result.append((figure, points))
    return result


def paint_figures(painter: QPainter, figures: Sequence[FlatFigure]) -> None:
    """Paint areas, then lines, then dots, each with a dark rim, readable over any background."""
    for stroke in (Stroke.AREA, Stroke.LINE, Stroke.DOTS):
        for figure, points in figures:
            if figure.stroke is stroke:
                _paint(painter, figure, points)


def _paint(painter: QPainter, figure: Figure, points: list[QPointF]) -> None:
    back, ink = theme.colour("back", 190), theme.ink(figure.ink)
    if figure.stroke is Stroke.DOTS:
        painter.setPen(QPen(back, 1.4))
        painter.setBrush(ink)
        for point in points:
            painter.drawEllipse(point, figure.size, figure.size)
        return
    polygon = QPolygonF(points)
    if figure.stroke is Stroke.AREA:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.ink(figure.ink, 70))
        painter.drawPolygon(polygon)
        polygon.append(points[0])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((back, figure.size + 1.6), (ink, figure.size)):
        painter.setPen(QPen(colour, width, cap=Qt.PenCapStyle.RoundCap, join=Qt.PenJoinStyle.RoundJoin))
        painter.drawPolyline(polygon)
