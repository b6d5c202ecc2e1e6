"""The Minkowski difference of two geoms as the search knows it: its vertices, simplex or polytope, and the origin."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PyQt6.QtWidgets import QSizePolicy, QWidget

from tumble.app.describe.collision import without_steps
from tumble.app.look import theme
from tumble.app.panels.collision.look import FIRST, SECOND
from tumble.physics.observe.collision_steps import SearchKind

if TYPE_CHECKING:
    from tumble.physics.observe.collision_record import CollisionRecord
    from tumble.physics.observe.collision_steps import CollisionStep

Points = NDArray[np.float64]
PAD = 8.0
TURN = 0.01  # rad a pixel
TIP = (
    "The Minkowski difference: all points of the first geom minus all points of the second. Where it holds the origin (cross),\n"
    "the geoms overlap; else its nearest point to the origin tells how far apart they are. Shown is what the search has found\n"
    "of it so far: the newest vertex is large, the nearest face bright. Drag to turn it"
)
CLIP_TIP = "The two faces along the contact's normal: that of the first geom cuts that of the second; the dots are the contacts"


class DifferencePicture(QWidget):
    """Paints one step; faces that are clipped are seen along the normal."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumSize(176, 84)  # wide enough for the titles of its tabs
        self._record: CollisionRecord | None = None
        self._step: CollisionStep | None = None
        self._turn, self._tilt = 0.6, 0.5
        self._last = QPointF()
        self._size = 1.0  # half the visible size of the difference [m]: it still fits when turned

    def sizeHint(self) -> QSize:
        """A square as high as the panel at first."""
        return QSize(230, 220)

    def show_step(self, record: CollisionRecord | None, step: CollisionStep | None) -> None:
        """Show a step of a record; None clears the picture."""
        if record is not self._record and record is not None:
            reach = [float(np.linalg.norm(s.vertices, axis=1).max()) for s in record.steps if len(s.vertices)]
            self._size = max(reach, default=1.0) or 1.0
        self._record, self._step = record, step
        self.setToolTip(CLIP_TIP if step is not None and step.kind is SearchKind.CLIP else TIP)
        self.update()

    # ---- the mouse

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Begin to turn it."""
        if event is not None:
            self._last = event.position()

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Turn it."""
        if event is None:
            return
        moved, self._last = event.position() - self._last, event.position()
        self._turn += TURN * moved.x()
        self._tilt = min(max(self._tilt + TURN * moved.y(), -0.5 * math.pi), 0.5 * math.pi)
        self.update()

    # ---- painting

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """The step, or a placeholder text."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.colour("field"))
        record, step = self._record, self._step
        if record is None or step is None:
            painter.setPen(theme.colour("dim"))
            painter.setFont(theme.sans(8.5))
            text = "" if record is None else without_steps(record)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(QRectF(self.rect()).adjusted(PAD, 0, -PAD, 0), int(flags), text)
        elif step.kind is SearchKind.CLIP:
            self._paint_faces(painter, record, step)
        else:
            self._paint_difference(painter, step)
        painter.end()

    def _axes(self) -> Points:
        """(3, 3) rows: right, up and towards the eye."""
        c, s, t, u = math.cos(self._turn), math.sin(self._turn), math.cos(self._tilt), math.sin(self._tilt)
        return np.array([[c, s, 0.0], [s * u, -c * u, t], [s * t, -c * t, -u]])

    def _place(self, points: Points) -> tuple[list[QPointF], Points]:
        """Points of the difference in the picture, and how near to the eye they are."""
        seen = points @ self._axes().T
        scale = (0.5 * min(self.width(), self.height()) - PAD) / self._size
        centre = QRectF(self.rect()).center()
        return [QPointF(centre.x() + scale * x, centre.y() - scale * y) for x, y, _ in seen], seen[:, 2]

    def _paint_difference(self, painter: QPainter, step: CollisionStep) -> None:
        places, depth = self._place(step.vertices)
        if len(step.faces):
            self._paint_faces_of(painter, step, places, depth)
        else:
            rows = list(range(1, 4)) if step.kind is SearchKind.PORTAL and len(places) > 3 else list(range(len(places)))
            painter.setBrush(theme.colour("accent", 40))
            painter.setPen(QPen(theme.colour("accent"), 1.2))
            for i, a in enumerate(rows):
                for b in rows[i + 1 :]:
                    painter.drawLine(places[a], places[b])
            if len(rows) == 3:
                painter.drawPolygon(QPolygonF([places[r] for r in rows]))
        self._paint_points(painter, step, places)

    def _paint_faces_of(self, painter: QPainter, step: CollisionStep, places: list[QPointF], depth: Points) -> None:
        """The polytope, its farthest faces first."""
        order = np.argsort(depth[step.faces].sum(axis=1))
        for f in order:
            painter.setPen(QPen(theme.colour("dim", 120), 1))
            painter.setBrush(theme.colour("dim", 26))
            painter.drawPolygon(QPolygonF([places[r] for r in step.faces[f]]))
        if step.nearest >= 0:
            painter.setPen(QPen(theme.colour("accent"), 1.6))
            painter.setBrush(theme.colour("accent", 90))
            painter.drawPolygon(QPolygonF([places[r] for r in step.faces[step.nearest]]))

    def _paint_points(self, painter: QPainter, step: CollisionStep, places: list[QPointF]) -> None:
        """Vertices, the origin, and from it the way to the nearest point."""
        painter.setPen(Qt.PenStyle.NoPen)
        for row, place in enumerate(places):
            painter.setBrush(theme.colour("bright" if row == step.newest else "text"))
            painter.drawEllipse(place, *((4.5, 4.5) if row == step.newest else (2.2, 2.2)))
        ends, _ = self._place(np.array([np.zeros(3), step.foot]))
        painter.setPen(QPen(theme.colour("good"), 2))
        painter.drawLine(*ends)
        painter.setPen(QPen(theme.colour("bad"), 2))
        for dx, dy in ((5, 0), (0, 5)):
            painter.drawLine(ends[0] - QPointF(dx, dy), ends[0] + QPointF(dx, dy))

    def _paint_faces(self, painter: QPainter, record: CollisionRecord, step: CollisionStep) -> None:
        """The two faces and the clipped part of the second, along the normal."""
        faces = record.faces
        if faces is None:
            return
        x = np.cross(record.normal, np.eye(3)[int(np.argmin(np.abs(record.normal)))])
        axes = np.array([x / np.linalg.norm(x), np.cross(record.normal, x / np.linalg.norm(x))])
        middle = np.vstack([faces.face1, faces.face2]).mean(axis=0)
        shapes = [(points - middle) @ axes.T for points in (faces.face1, faces.face2, step.polygon, record.hit_pos)]
        reach = max(float(np.abs(shape).max()) for shape in shapes if len(shape)) or 1.0
        scale, centre = (0.5 * min(self.width(), self.height()) - PAD) / reach, QRectF(self.rect()).center()
        places = [[QPointF(centre.x() + scale * p[0], centre.y() - scale * p[1]) for p in shape] for shape in shapes]
        painter.setPen(QPen(theme.colour("good"), 1.4))
        painter.setBrush(theme.colour("good", 80))
        painter.drawPolygon(QPolygonF(places[2]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for polygon, ink in ((places[0], FIRST), (places[1], SECOND)):
            painter.setPen(QPen(QColor(ink), 1.6))
            painter.drawPolygon(QPolygonF(polygon))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("bright"))
        for place in places[3]:
            painter.drawEllipse(place, 3.0, 3.0)
