"""Handles of a body: their places in the picture, picking, painting, and the effect of a drag on a pose.

Arrows move along an axis, small squares in a plane, rings turn about an axis. All of them have the same size in the picture.
"""

from __future__ import annotations

import math
from enum import Enum, auto

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from tumble.app.look import theme
from tumble.app.viewport.axes import AXIS_INKS
from tumble.app.viewport.gestures import seen_height
from tumble.app.viewport.tools import Canvas
from tumble.physics.algebra.quat import quat_axis_angle, quat_mul

Vector = NDArray[np.float64]

SIZE = 92.0  # length of an arrow in the picture [px]
RING = 1.16  # radius of a ring, in arrows
SQUARE = 0.26, 0.46  # where a square begins and ends along both of its axes, in arrows
CLOSE = 7.0  # from the mouse to the handle that it means [px]
POINTS = 65  # of a ring
HIDDEN_ARROW, HIDDEN_SQUARE = 0.97, 0.17  # an arrow toward the eye, a square seen from its edge
FLAT_RING = 0.12  # a ring seen from its edge turns by the way along it


class HandleKind(Enum):
    """Kinds of handles."""

    MOVE = auto()
    SLIDE = auto()  # in the plane across its axis
    TURN = auto()


class Handle(Struct, frozen=True):
    """One handle; axis: 0, 1, 2."""

    kind: HandleKind
    axis: int


class Handles(Struct, frozen=True):
    """The handles at a pose, for a picture: origin (3,) [m], axes (3, 3) in columns, scale [m]: the length of an arrow."""

    origin: Vector
    axes: Vector
    scale: float
    canvas: Canvas

    @staticmethod
    def at(origin: Vector, axes: Vector, canvas: Canvas) -> Handles | None:
        """The handles at a pose; None where it is behind the eye."""
        if (origin - canvas.view.eye) @ canvas.view.forward <= canvas.view.near:
            return None
        return Handles(origin, axes, SIZE * seen_height(canvas.view, origin) / canvas.height, canvas)

    def toward_eye(self) -> Vector:
        """The unit direction (3,) from the handles to the eye."""
        view = self.canvas.view
        away = -view.forward if view.orthographic else view.eye - self.origin
        return np.asarray(away / np.linalg.norm(away))

    def seen(self, points: Vector) -> Vector:
        """World points (n, 3) in the picture: (n, 2) [px]."""
        return self.canvas.view.project(points, self.canvas.width, self.canvas.height)[:, :2]

    def arrow(self, axis: int) -> Vector | None:
        """Both ends in the picture (2, 2); None if it points at the eye."""
        if abs(self.axes[:, axis] @ self.toward_eye()) > HIDDEN_ARROW:
            return None
        return self.seen(self.origin + self.scale * np.outer([0.12, 1.0], self.axes[:, axis]))

    def square(self, axis: int) -> Vector | None:
        """Corners in the picture (4, 2); None if seen edge-on."""
        if abs(self.axes[:, axis] @ self.toward_eye()) < HIDDEN_SQUARE:
            return None
        toward = self.toward_eye()  # on the side that faces the eye, where no arrow hides it
        a, b = (v if v @ toward >= 0 else -v for v in (self.axes[:, (axis + 1) % 3], self.axes[:, (axis + 2) % 3]))
        low, high = SQUARE
        corners = np.array([(low, low), (high, low), (high, high), (low, high)])
        return self.seen(self.origin + self.scale * (corners[:, :1] * a + corners[:, 1:] * b))

    def ring(self, axis: int) -> tuple[Vector, NDArray[np.bool_]]:
        """Points in the picture (POINTS, 2), and a mask of those on the near side."""
        a, b = self.axes[:, (axis + 1) % 3], self.axes[:, (axis + 2) % 3]
        angle = np.linspace(0.0, 2.0 * np.pi, POINTS)[:, None]
        around = np.cos(angle) * a + np.sin(angle) * b
        flat = abs(self.axes[:, axis] @ self.toward_eye()) > 1.0 - 1e-3
        near = np.ones(POINTS, bool) if flat else around @ self.toward_eye() > -0.02
        return self.seen(self.origin + RING * self.scale * around), near

    def pick(self, x: float, y: float) -> Handle | None:
        """The handle at a point of the picture: squares first, then the nearest of arrows and the near halves of rings."""
        where = np.array([x, y])
        candidates: list[tuple[float, Handle]] = []
        for axis in range(3):
            square, arrow = self.square(axis), self.arrow(axis)
            if square is not None and _inside(square, where):
                candidates.append((-1.0, Handle(HandleKind.SLIDE, axis)))
            if arrow is not None:
                candidates.append((_distance(arrow, where), Handle(HandleKind.MOVE, axis)))
            points, near = self.ring(axis)
            front = points.copy()
            front[~near] = np.inf
            candidates.append((_distance(front, where), Handle(HandleKind.TURN, axis)))
        best = min(candidates, key=lambda item: item[0])
        return best[1] if best[0] <= CLOSE else None


class HandleDrag(Struct, frozen=True):
    """A drag of a handle that began at a pose: pos (3,), quat (4,), with the mouse at `start` [px]."""

    handles: Handles
    handle: Handle
    pos: Vector
    quat: Vector
    start: Vector

    def amount(self, x: float, y: float, before: float = 0.0) -> Vector:
        """Displacement of the handle: [m] along an axis or both axes of a plane, or [rad] of a turn.

        before: the turn so far, so that it may continue beyond half a turn.
        """
        if self.handle.kind is HandleKind.MOVE:
            return np.array([self._along(x, y) - self._along(*self.start)])
        if self.handle.kind is HandleKind.SLIDE:
            moved = self._on_plane(x, y) - self._on_plane(*self.start)
            return np.array([moved @ self._axis(1), moved @ self._axis(2)])
        turn = self._turn(x, y)
        return np.array([turn + 2.0 * np.pi * np.round((before - turn) / (2.0 * np.pi))])

    def pose(self, amount: Vector) -> tuple[Vector, Vector]:
        """Position (3,) and quaternion (4,) after a motion by this amount."""
        if self.handle.kind is HandleKind.MOVE:
            return self.pos + amount[0] * self._axis(0), self.quat
        if self.handle.kind is HandleKind.SLIDE:
            return self.pos + amount[0] * self._axis(1) + amount[1] * self._axis(2), self.quat
        turned = np.array(quat_mul(quat_axis_angle(self._axis(0), float(amount[0])), self.quat))
        return self.pos, turned / np.linalg.norm(turned)

    def track(self, amount: float) -> Vector:
        """World points (n, 3) from where the drag began to where it is: of the line of a move, of the sector of a turn [m]."""
        origin, handles = self.handles.origin, self.handles
        if self.handle.kind is not HandleKind.TURN:
            return np.array([self.pos])
        axis = self._axis(0)
        first = self._axis(1)
        if abs(axis @ handles.toward_eye()) > FLAT_RING:
            first = self._on_plane(*self.start) - origin
            first = first / np.linalg.norm(first)
        angle = np.linspace(0.0, float(np.clip(amount, -2 * np.pi, 2 * np.pi)), POINTS)[:, None]
        around = np.cos(angle) * first + np.sin(angle) * np.cross(axis, first)
        return np.vstack([origin[None], origin + RING * handles.scale * around])

    def _axis(self, after: int) -> Vector:
        return self.handles.axes[:, (self.handle.axis + after) % 3]

    def _ray(self, x: float, y: float) -> tuple[Vector, Vector]:
        canvas = self.handles.canvas
        return canvas.view.ray(x, y, canvas.width, canvas.height)

    def _along(self, x: float, y: float) -> float:
        """Coordinate along the axis of the point nearest to the mouse's ray [m]."""
        eye, ray = self._ray(x, y)
        axis, apart = self._axis(0), eye - self.handles.origin
        across = float(axis @ ray)
        return float((apart @ axis - across * (apart @ ray)) / max(1.0 - across**2, 1e-3))

    def _on_plane(self, x: float, y: float) -> Vector:
        """The point of the plane across the axis that the mouse is at [m]; never beyond the horizon."""
        eye, ray = self._ray(x, y)
        origin, normal = self.handles.origin, self._axis(0)
        slope = float(ray @ normal)
        slope = math.copysign(max(math.fabs(slope), 1e-3), slope)
        return np.asarray(eye + ray * (((origin - eye) @ normal) / slope))

    def _turn(self, x: float, y: float) -> float:
        """The angle about the axis from where the drag began [rad]; by the way along a ring seen from its edge."""
        axis, origin = self._axis(0), self.handles.origin
        if abs(axis @ self.handles.toward_eye()) > FLAT_RING:
            first, now = (self._on_plane(*at) - origin for at in (self.start, (x, y)))
            return float(np.arctan2(axis @ np.cross(first, now), first @ now))
        along = np.cross(axis, self.handles.toward_eye())
        ends = self.handles.seen(np.array([origin, origin + RING * self.handles.scale * along]))
        way = ends[1] - ends[0]
        return float((np.array([x, y]) - self.start) @ way / (way @ way))


def snapped(amount: Vector, step: float) -> Vector:
    """The amount rounded to steps; unchanged for a step of 0 or less."""
    if step <= 0:
        return amount
    return np.asarray(np.round(amount / step) * step)


def _distance(points: Vector, where: Vector) -> float:
    """Distance from a point to a line through points (n, 2) [px]; infinite parts do not count."""
    start, end = points[:-1], points[1:]
    real = np.isfinite(start).all(axis=1) & np.isfinite(end).all(axis=1)
    if not real.any():
        return np.inf
    start, way = start[real], end[real] - start[real]
    share = np.clip(((where - start) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1e-12), 0.0, 1.0)
    return float(np.linalg.norm(start + share[:, None] * way - where, axis=1).min())


def _inside(corners: Vector, where: Vector) -> bool:
    """True if a point is in a convex polygon (n, 2)."""
    way, away = np.roll(corners, -1, axis=0) - corners, where - corners
    side = way[:, 0] * away[:, 1] - way[:, 1] * away[:, 0]
    return bool((side >= 0).all() or (side <= 0).all())


TIP = 13.0, 5.0  # length and half the width of an arrow's tip [px]
HELD = "held"  # of the handle under the mouse


def paint_handles(painter: QPainter, handles: Handles, lit: Handle | None, *, held: bool) -> None:
    """Rings, squares, arrows; while one is held, it alone."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for kind in (HandleKind.TURN, HandleKind.SLIDE, HandleKind.MOVE):
        for axis in range(3):
            handle = Handle(kind, axis)
            if not held or handle == lit:
                _paint(painter, handles, handle, lit=handle == lit)
    painter.setPen(QPen(theme.colour("back", 200), 1.2))
    painter.setBrush(theme.colour("bright"))
    at = handles.seen(handles.origin[None])[0]
    painter.drawEllipse(QPointF(*at), 3.6, 3.6)


def _paint(painter: QPainter, handles: Handles, handle: Handle, *, lit: bool) -> None:
    ink = theme.colour(HELD if lit else AXIS_INKS[handle.axis])
    if handle.kind is HandleKind.TURN:
        _ring(painter, *handles.ring(handle.axis), ink, lit)
    elif handle.kind is HandleKind.SLIDE:
        _square(painter, handles.square(handle.axis), ink, lit)
    else:
        _arrow(painter, handles.arrow(handle.axis), ink, lit)


def _ring(painter: QPainter, points: Vector, near: np.ndarray, ink: QColor, lit: bool) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    faint = QColor(ink)
    faint.setAlpha(70)
    for wanted, colour, width in ((False, faint, 1.2), (True, theme.colour("back", 120), 4.6), (True, ink, 3.2 if lit else 2.2)):
        painter.setPen(QPen(colour, width, cap=Qt.PenCapStyle.FlatCap))
        painter.drawPath(_path(points, near == wanted))


def _path(points: Vector, shown: np.ndarray) -> QPainterPath:
    """The pieces of a line with both ends visible."""
    path = QPainterPath()
    for i in range(len(points) - 1):
        if shown[i] and shown[i + 1]:
            if i == 0 or not shown[i - 1]:
                path.moveTo(*points[i])
            path.lineTo(*points[i + 1])
    return path


def _square(painter: QPainter, corners: Vector | None, ink: QColor, lit: bool) -> None:
    if corners is None:
        return
    fill = QColor(ink)
    fill.setAlpha(190 if lit else 90)
    painter.setPen(QPen(ink, 1.4))
    painter.setBrush(fill)
    painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))


def _arrow(painter: QPainter, ends: Vector | None, ink: QColor, lit: bool) -> None:
    if ends is None:
        return
    way = ends[1] - ends[0]
    length = float(np.linalg.norm(way))
    if length < 1.0:
        return
    way = way / length
    across = np.array([-way[1], way[0]])
    long, wide = (1.2 * v for v in TIP) if lit else TIP
    neck = ends[1] - min(long, length) * way
    for colour, width in ((theme.colour("back", 120), 5.4), (ink, 3.6 if lit else 2.8)):
        painter.setPen(QPen(colour, width, cap=Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(*ends[0]), QPointF(*neck))
    painter.setPen(QPen(theme.colour("back", 120), 1.0))
    painter.setBrush(ink)
    painter.drawPolygon(QPolygonF([QPointF(*p) for p in (ends[1], neck + wide * across, neck - wide * across)]))


def paint_track(painter: QPainter, handles: Handles, track: Vector) -> None:
    """Mark the start of a drag: a sector for a turn, else a dashed line to the handles; track: (n, 3) [m]."""
    if len(track) > 1:
        fill = theme.colour(HELD)
        fill.setAlpha(60)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF([QPointF(*p) for p in handles.seen(track)]))
        return
    ends = handles.seen(np.vstack([track, handles.origin[None]]))
    painter.setPen(QPen(theme.colour(HELD), 1.4, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(*ends[0]), QPointF(*ends[1]))
