"""The world's axes in a corner of the view: a click looks along one, a drag orbits, the word below changes the projection."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from msgspec.structs import replace
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from tumble.app.look import theme
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool
from tumble.render.camera import Camera, CameraKind, orbit

CORNER, RADIUS, BALL = 58.0, 38.0, 9.0  # from the view's edges to the middle; of the disc; of an axis' end [px]
REACH = RADIUS + BALL + 3.0
AXIS_INKS = ("axis0", "axis1", "axis2")  # of x, y and z, wherever axes are drawn over the view
LEAST = 260, 200  # width and height of a view that has axes [px]
HALF_TURN = 180.0  # pixels dragged for half a turn
FLIPPED = 1.0  # a view along an axis to within this angle [deg] is turned round by another click

# Azimuth and elevation [deg] of a camera at each end that looks at the middle.
_ENDS = ((180.0, 0.0), (-90.0, 0.0), (90.0, -90.0), (0.0, 0.0), (90.0, 0.0), (90.0, 90.0))


class AxesPart(IntEnum):
    """Parts of the axes gizmo: an axis' end (x, y, z, -x, -y, -z), the disc, the label below, or nothing."""

    NOTHING = -1
    DISC = 6
    WORD = 7


def looking_along(camera: Camera, end: int) -> Camera:
    """The camera turned to look at the scene from an axis' end, 0 to 5; from the other one if it does so already."""
    azimuth, elevation = _ENDS[end]
    kind = CameraKind.FREE if camera.kind is CameraKind.FIXED else camera.kind
    if camera.kind is kind and _is_turned(camera, azimuth, elevation):
        azimuth, elevation = _ENDS[(end + 3) % 6]
    return replace(camera, kind=kind, azimuth=azimuth, elevation=elevation)


def _is_turned(camera: Camera, azimuth: float, elevation: float) -> bool:
    away = abs((camera.azimuth - azimuth + 180.0) % 360.0 - 180.0)
    return away < FLIPPED and abs(camera.elevation - elevation) < FLIPPED


class AxesTool(ViewTool):
    """The axes of one view."""

    hovers = True

    def __init__(self, viewport: ViewSurface) -> None:
        self._viewport = viewport
        self._over = int(AxesPart.NOTHING)
        self._pressed, self._last, self._moved = int(AxesPart.NOTHING), QPointF(), False

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Start a drag on the disc, or a click on the label."""
        left = mouse.button == Qt.MouseButton.LeftButton
        self._pressed = self._part(mouse.where, canvas) if left else int(AxesPart.NOTHING)
        self._last, self._moved = mouse.where, False
        return self._pressed != AxesPart.NOTHING

    def drag(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Orbit."""
        moved = mouse.where - self._last
        self._moved = self._moved or moved.manhattanLength() > 2.0
        if not self._moved or self._pressed == AxesPart.WORD:
            return
        self._last = mouse.where
        camera = self._viewport.camera
        if camera.kind is CameraKind.FIXED:
            camera = replace(camera, kind=CameraKind.FREE)
        self._viewport.set_camera(orbit(camera, moved.x() / HALF_TURN, moved.y() / HALF_TURN))

    def release(self, mouse: MouseAt, canvas: Canvas) -> None:
        """A press that went nowhere was a click."""
        if self._moved or self._part(mouse.where, canvas) != self._pressed:
            return
        if self._pressed == AxesPart.WORD:
            self._viewport.toggle_projection()
        elif self._pressed < AxesPart.DISC:
            self._viewport.glide_to(looking_along(self._viewport.camera, self._pressed))

    def hover(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Highlight the axis under the mouse."""
        before, self._over = self._over, self._part(mouse.where, canvas)
        if self._over != before:
            self._viewport.update()
        return self._over != AxesPart.NOTHING

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw the axes, the nearest end last; not over an error message."""
        if self._viewport.error or _narrow(canvas):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre, over = self._centre(canvas), self._over if canvas.hovered else int(AxesPart.NOTHING)
        if over not in (AxesPart.NOTHING, AxesPart.WORD):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("back", 110))
            painter.drawEllipse(centre, REACH, REACH)
        ends, depth = self._ends(canvas)
        for end in np.argsort(-depth):
            self._paint_end(painter, centre, ends[end], int(end), lit=over == end)
        self._paint_word(painter, canvas, lit=over == AxesPart.WORD)

    def _paint_end(self, painter: QPainter, centre: QPointF, at: QPointF, end: int, *, lit: bool) -> None:
        ink = theme.colour(AXIS_INKS[end % 3])
        if end < 3:
            painter.setPen(QPen(ink, 2.4, cap=Qt.PenCapStyle.RoundCap))
            painter.drawLine(centre, at)
        painter.setPen(QPen(theme.colour("bright") if lit else ink, 1.6))
        fill = QColor(ink) if end < 3 else theme.colour("back")
        fill.setAlpha(255 if end < 3 or lit else 150)
        painter.setBrush(fill)
        painter.drawEllipse(at, BALL - (0.0 if end < 3 else 1.5), BALL - (0.0 if end < 3 else 1.5))
        if end < 3 or lit:
            painter.setFont(theme.sans(8, bold=True))
            painter.setPen(theme.colour("onaxis") if end < 3 else theme.colour("bright"))
            box = QRectF(at.x() - 12, at.y() - 12, 24, 24)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), ("" if end < 3 else "-") + "XYZ"[end % 3])

    def _paint_word(self, painter: QPainter, canvas: Canvas, *, lit: bool) -> None:
        box = self._word(canvas)
        painter.setPen(Qt.PenStyle.NoPen)  # readable over anything
        painter.setBrush(theme.colour("back", 225 if lit else 170))
        painter.drawRoundedRect(box, 5, 5)
        painter.setFont(theme.sans(8))
        painter.setPen(theme.colour("bright" if lit else "text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), _word(canvas))

    def _centre(self, canvas: Canvas) -> QPointF:
        return QPointF(canvas.width - CORNER, CORNER)

    def _word(self, canvas: Canvas) -> QRectF:
        wide = QFontMetricsF(theme.sans(8)).horizontalAdvance(_word(canvas)) + 14
        return QRectF(canvas.width - CORNER - wide / 2, CORNER + REACH + 4, wide, 18)

    def _ends(self, canvas: Canvas) -> tuple[list[QPointF], np.ndarray]:
        """Positions of the six ends in the picture, and their depths."""
        view, centre = canvas.view, self._centre(canvas)
        axes = np.vstack([np.eye(3), -np.eye(3)])
        x, y = RADIUS * (axes @ view.right), -RADIUS * (axes @ view.up)
        return [QPointF(centre.x() + float(a), centre.y() + float(b)) for a, b in zip(x, y, strict=True)], axes @ view.forward

    def _part(self, where: QPointF, canvas: Canvas) -> int:
        if self._viewport.error or _narrow(canvas):
            return int(AxesPart.NOTHING)
        ends, depth = self._ends(canvas)
        for end in np.argsort(depth):
            away = where - ends[end]
            if away.x() ** 2 + away.y() ** 2 <= (BALL + 2.0) ** 2:
                return int(end)
        away = where - self._centre(canvas)
        if away.x() ** 2 + away.y() ** 2 <= REACH**2:
            return int(AxesPart.DISC)
        return int(AxesPart.WORD if self._word(canvas).contains(where) else AxesPart.NOTHING)


def _narrow(canvas: Canvas) -> bool:
    """True if the axes would hide too much of a small view."""
    return canvas.width < LEAST[0] or canvas.height < LEAST[1]


def _word(canvas: Canvas) -> str:
    return "Orthographic" if canvas.view.orthographic else "Perspective"
