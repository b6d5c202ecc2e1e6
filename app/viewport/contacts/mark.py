"""The mark of the chosen contact: a ring, a pointer at the edge towards one outside, boxes around geoms that are apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPolygonF

from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.viewport.figures import Figure, Stroke
from tumble.render.camera import View
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

RING = 9.0  # radius [px]
EDGE = 26.0  # of a pointer from the edge [px]


class ContactMark(Struct, frozen=True):
    """x, y: where it is painted [px]; way: the direction in which the contact lies outside the picture [rad, clockwise from the
    right]; None: it lies at x, y."""

    x: float
    y: float
    way: float | None = None


def contact_mark(session: Session, view: View, width: float, height: float) -> ContactMark | None:
    """The mark of the contact that is chosen; None: none is, or its geoms do not touch."""
    snapshot, index = session.snapshot, session.contact_choice.index
    if snapshot is None or not 0 <= index < snapshot.ncon:
        return None
    point = np.asarray(snapshot.contact("pos")[index], float)
    if not np.isfinite(point).all():
        return None
    x, y, depth = (float(v) for v in view.project(point, round(width), round(height))[0])
    if depth > 0 and 0 <= x <= width and 0 <= y <= height:
        return ContactMark(x, y)
    off = point - view.eye
    right, up = float(off @ view.right), float(off @ np.cross(view.right, view.forward))
    if depth > 0:
        right, up = x - 0.5 * width, 0.5 * height - y  # as the picture is, which need not have the eye's axis in its middle
    length = math.hypot(right, up)
    across, down = (right / length, -up / length) if length > 1e-9 else (0.0, 1.0)
    reach = min((0.5 * width - EDGE) / max(abs(across), 1e-9), (0.5 * height - EDGE) / max(abs(down), 1e-9))
    return ContactMark(0.5 * width + reach * across, 0.5 * height + reach * down, math.atan2(down, across))


def apart_figures(session: Session) -> list[Figure]:
    """Boxes around the two geoms that are chosen while they do not touch."""
    choice, model, snapshot = session.contact_choice, session.model, session.snapshot
    if choice.pair is None or choice.index >= 0 or model is None or snapshot is None:
        return []
    return boxes(model, snapshot.frame, [geom for geom in choice.pair if geom >= 0])


def paint_mark(painter: QPainter, mark: ContactMark) -> None:
    """A ring with four ticks, visible through objects in front of it; at the edge, a pointer."""
    at, shapes = QPointF(mark.x, mark.y), ((theme.colour("back", 200), 5.0), (theme.colour("accent"), 2.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, width in shapes:
        painter.setPen(QPen(ink, width, cap=Qt.PenCapStyle.RoundCap, join=Qt.PenJoinStyle.RoundJoin))
        if mark.way is None:
            painter.drawEllipse(at, RING, RING)
            for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                painter.drawLine(at + QPointF(RING * x, RING * y), at + QPointF((RING + 5) * x, (RING + 5) * y))
        else:
            _pointer(painter, at, mark.way, ink)


def _pointer(painter: QPainter, at: QPointF, way: float, ink: QColor) -> None:
    """A triangle that points to where the contact is."""
    corners = [(12.0, 0.0), (-7.0, 8.0), (-7.0, -8.0)]
    turned = [
        at + QPointF(math.cos(way) * x - math.sin(way) * y, math.sin(way) * x + math.cos(way) * y) for x, y in corners
    ]
    painter.setBrush(ink)
    painter.drawPolygon(QPolygonF(turned))
    painter.setBrush(Qt.BrushStyle.NoBrush)


MOST = 300  # geoms that are marked
# A line through all edges of a box, by its corners: bit 0 is x, bit 1 is y, bit 2 is z.
_PATH = np.array([0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4])
_CORNERS = np.array([[2.0 * (k >> axis & 1) - 1 for axis in range(3)] for k in range(8)])


def boxes(model: MjModel, frame: Frame, geoms: Sequence[int], ink: str = "accent") -> list[Figure]:
    """The bounding box of each geom in a frame; none for planes, which are infinite."""
    figures = []
    for geom in geoms[:MOST]:
        aabb = np.asarray(model.geom_aabb[geom]).reshape(6)
        if np.any(aabb[3:] <= 0) or np.any(aabb[3:] > 1e6):
            continue
        figures.append(Figure(_box(frame, geom, aabb), Stroke.LINE, ink, 1.4))
    return figures


def _box(frame: Frame, geom: int, aabb: NDArray[np.float64]) -> NDArray[np.float64]:
    corners = aabb[:3] + _CORNERS * aabb[3:]
    turn = np.asarray(frame.geom_xmat[geom]).reshape(3, 3)
    return np.asarray((corners @ turn.T + frame.geom_xpos[geom])[_PATH])


def geoms_of_bodies(model: MjModel, bodies: NDArray[np.bool_]) -> list[int]:
    """The geoms of bodies; bodies: (nbody,) mask."""
    return [int(g) for g in np.flatnonzero(bodies[np.asarray(model.geom_bodyid)])]
