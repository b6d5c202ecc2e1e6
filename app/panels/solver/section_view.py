"""The picture of a section: zones, contour lines with their costs, and the iterates of the solvers, which can be chosen."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PyQt6.QtWidgets import QSizePolicy, QWidget

from tumble.app.describe.numbers import short
from tumble.app.look import theme
from tumble.app.panels.solver.contact_sections import LEAST, MOST, PGS, PathPicture, SectionPicture
from tumble.app.panels.solver.section_canvas import Box, SectionGround
from tumble.app.widgets.time_view import ticks

TINT = 0.16  # share of a zone's colour in the ground
ZONE_INKS = ("dim", "warn", "good")  # by Zone: as contacts that are open, slip and stick
ALLOWED_INKS = ("field", "bad")
INKS = ("ink0", "ink1", "ink3")  # of Newton, CG and PGS
TWIN_INK = "ink5"  # of the contours of the other cone
RADIUS, LAST, RING, NEAR = 3.0, 4.5, 8.0, 9.0  # of marks, of the last of a solver, of the ring, and of a click at one [px]
ZOOM = 1.25  # of one notch of the wheel
NOTCH = 120.0  # eighths of a degree in it
LEFT, BOTTOM = 46.0, 17.0  # for the numbers of the axes, at the usual size of text [px]
# Of a key: to another iterate, and to another solver.
_STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
TIP = (
    "Wheel zooms, drag moves, a double click shows all. A click on an iterate, or arrow keys, have the sections go through it.\n"
    "Marks: the iterates of a solver, the larger one its last. Cross: where the section goes through"
)


class SectionView(QWidget):
    """Shows a SectionPicture. picked: solver and iterate of a clicked mark; reframed: another part of it is to be computed."""

    picked = pyqtSignal(int, int)
    reframed = pyqtSignal()

    def __init__(self, inks: tuple[str, ...], name: str) -> None:
        """inks: of the codes of its zones; name: for screen readers."""
        super().__init__()
        self._inks = inks
        self.picture: SectionPicture | None = None
        self.box: Box | None = None  # the part that the user looks at; None: all
        self.through: tuple[int, int] | None = None
        self.hidden_solvers: set[int] = set()
        self._ground: tuple[SectionGround, str, QImage] | None = None
        self._grip: QPointF | None = None
        self._moved = False
        self.setAccessibleName(name)
        self.setToolTip(TIP)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumSize(120, 70)

    def sizeHint(self) -> QSize:
        """Wide, and as low as a dock at the bottom is."""
        return QSize(380, 190)

    def show_picture(self, picture: SectionPicture | None) -> None:
        """Show another picture; None: nothing."""
        self.picture = picture
        self.update()

    def choose(self, through: tuple[int, int] | None) -> None:
        """Ring an iterate; None: none."""
        self.through = through
        self.update()

    def show_solver(self, solver: int, on: bool) -> None:
        """Show or hide the iterates of a solver."""
        (self.hidden_solvers.discard if on else self.hidden_solvers.add)(solver)
        self.update()

    @property
    def pixels(self) -> tuple[int, int]:
        """Size of the picture inside the axes [device pixels]."""
        inside, ratio = self._inside(), self.devicePixelRatioF()
        width, height = (min(max(round(ratio * side), LEAST), MOST) for side in (inside.width(), inside.height()))
        return width, height

    def _inside(self) -> QRectF:
        scale = theme.scale()
        return QRectF(self.rect()).adjusted(scale * LEFT, 2, -2, -scale * BOTTOM)

    def _shown(self) -> Box:
        picture = self.picture
        assert picture is not None
        return self.box or picture.box

    def _place(self, x: float, y: float) -> QPointF:
        inside, box = self._inside(), self._shown()
        across, up = (x - box[0]) / box[2], (y - box[1]) / box[3]
        return QPointF(inside.left() + inside.width() * across, inside.bottom() - inside.height() * up)

    def _value(self, where: QPointF) -> tuple[float, float]:
        inside, box = self._inside(), self._shown()
        return (
            box[0] + box[2] * (where.x() - inside.left()) / inside.width(),
            box[1] + box[3] * (inside.bottom() - where.y()) / inside.height(),
        )

    # ---- painting

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """The ground, which is an image, and on it lines and marks."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.colour("field"))
        picture = self.picture
        if picture is not None:
            inside = self._inside()
            painter.save()
            painter.setClipRect(inside)
            x, y, width, height = picture.box
            painter.drawImage(QRectF(self._place(x, y + height), self._place(x + width, y)), self._image(picture.canvas))
            self._paint_texts(painter, picture, inside)
            if picture.curve is not None:
                painter.setPen(QPen(theme.colour("text"), 1.5))
                painter.drawPolyline(QPolygonF([self._place(*point) for point in picture.curve.T.tolist()]))
            self._paint_paths(painter, picture)
            painter.restore()
            self._paint_axes(painter, inside)
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("accentdim"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _image(self, canvas: SectionGround) -> QImage:
        """The ground in the colours of the present theme."""
        if self._ground is None or self._ground[0] is not canvas or self._ground[1] != theme.name():
            field, line, rim, twin = (_rgb(ink) for ink in ("field", "edge", "text", TWIN_INK))
            zones = np.array([(1.0 - TINT) * field + TINT * _rgb(ink) for ink in self._inks], np.float32)
            pixels = zones[canvas.codes]
            for ink, cover in ((line, canvas.lines), (twin, canvas.twin), (rim, canvas.rim)):
                if cover.any():
                    share = (cover.astype(np.float32) / 255.0)[..., None]
                    pixels += share * (ink - pixels)
            flat = np.full((*canvas.codes.shape, 4), 255, np.uint8)
            flat[..., :3] = pixels
            flat = np.ascontiguousarray(flat[::-1])
            image = QImage(flat.tobytes(), flat.shape[1], flat.shape[0], QImage.Format.Format_RGBA8888).copy()
            self._ground = canvas, theme.name(), image
        return self._ground[2]

    def _paint_texts(self, painter: QPainter, picture: SectionPicture, inside: QRectF) -> None:
        painter.setPen(theme.colour("dim"))
        for font, texts, ink in (
            (theme.sans(7.5), picture.canvas.labels, "dim"), (theme.sans(8.5, bold=True), picture.canvas.words, "text"),
        ):  # fmt: skip
            painter.setFont(font)
            metrics = QFontMetricsF(font)
            for text, x, y in texts:
                place = self._place(x, y)
                box = QRectF(0, 0, metrics.horizontalAdvance(text) + 6, metrics.height())
                box.moveCenter(place)
                if inside.contains(box):
                    if ink == "dim":
                        painter.fillRect(box, theme.colour("field", 170))
                    painter.setPen(theme.colour(ink))
                    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)

    def _paint_paths(self, painter: QPainter, picture: SectionPicture) -> None:
        for solver, path in enumerate(picture.paths):
            if solver in self.hidden_solvers:
                continue
            ink = theme.colour(INKS[solver])
            places = [self._place(*point) for point in path.points.tolist()]
            if solver == PGS and len(picture.slices):
                self._paint_steps(painter, picture, ink)
            else:
                painter.setPen(QPen(ink, 1.2))
                painter.drawPolyline(QPolygonF(places))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            for k, place in enumerate(places):
                _mark(painter, place, LAST if k == len(places) - 1 else RADIUS, solver)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        base = self._place(*picture.base)
        painter.setPen(QPen(theme.colour("bright"), 1.3))
        painter.drawLine(base - QPointF(6, 0), base + QPointF(6, 0))
        painter.drawLine(base - QPointF(0, 6), base + QPointF(0, 6))
        ringed = self._chosen_place(picture)
        if ringed is not None:
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawEllipse(ringed, RING, RING)

    def _paint_steps(self, painter: QPainter, picture: SectionPicture, ink: QColor) -> None:
        """Draw the moves of PGS in each sweep: along the ray dotted, in the slice solid."""
        for segments, style in ((picture.slices, Qt.PenStyle.SolidLine), (picture.rays, Qt.PenStyle.DotLine)):
            painter.setPen(QPen(ink, 1.5, style))
            for start, end in segments.tolist():
                painter.drawLine(self._place(*start), self._place(*end))

    def _chosen_place(self, picture: SectionPicture) -> QPointF | None:
        if self.through is None or self.through[0] in self.hidden_solvers:
            return None
        path = picture.paths[self.through[0]]
        there = np.flatnonzero(path.iterate == self.through[1])
        return self._place(*path.points[there[0]]) if len(there) else None

    def _paint_axes(self, painter: QPainter, inside: QRectF) -> None:
        font = theme.sans(8)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        x, y, width, height = self._shown()
        painter.setPen(QPen(theme.colour("line"), 1))
        painter.drawRect(inside)
        painter.setPen(theme.colour("dim"))
        for value in _round(x, x + width, int(inside.width() / 64)):
            place = self._place(value, y).x()
            box = QRectF(place - 40, inside.bottom() + 1, 80, metrics.height())
            if box.center().x() + 0.5 * metrics.horizontalAdvance(_number(value, width)) <= self.width():
                painter.drawText(box, int(Qt.AlignmentFlag.AlignHCenter), _number(value, width))
        for value in _round(y, y + height, int(inside.height() / 26)):
            place = self._place(x, value).y()
            if place - 0.5 * metrics.height() >= 0:
                box = QRectF(0, place - 0.5 * metrics.height(), inside.left() - 4, metrics.height())
                painter.drawText(box, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), _number(value, height))

    # ---- the mouse

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Zoom around the mouse."""
        if event is None or self.picture is None:
            return
        factor = ZOOM ** (-event.angleDelta().y() / NOTCH)
        x, y, width, height = self._shown()
        px, py = self._value(event.position())
        self.box = (px + factor * (x - px), py + factor * (y - py), factor * width, factor * height)
        event.accept()
        self._reframe()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Grip the picture."""
        if event is not None and event.button() == Qt.MouseButton.LeftButton and self.picture is not None:
            self._grip, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Move the picture along."""
        if event is None or self._grip is None or self.picture is None:
            return
        if not self._moved and (event.position() - self._grip).manhattanLength() < 4:
            return
        before, now = self._value(self._grip), self._value(event.position())
        x, y, width, height = self._shown()
        self.box = (x + before[0] - now[0], y + before[1] - now[1], width, height)
        self._grip, self._moved = event.position(), True
        self._reframe()

    def mouseReleaseEvent(self, event: QMouseEvent | None) -> None:
        """A click without a move chooses the iterate there."""
        if event is None or self._grip is None:
            return
        if not self._moved:
            hit = self.mark_at(event.position())
            if hit is not None:
                self.picked.emit(*hit)
        self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:
        """Show all of it again."""
        if event is not None and self.mark_at(event.position()) is None:
            self.box = None
            self._reframe()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Left and right choose the iterate before and after, up and down another solver's, Home the solution."""
        if event is None or self.picture is None:
            return
        key, paths = Qt.Key(event.key()), self.picture.paths
        shown = [k for k, path in enumerate(paths) if k not in self.hidden_solvers and len(path.iterate)]
        if key == Qt.Key.Key_Home:
            self.picked.emit(-1, -1)
        elif key in _STEPS and shown:
            solver, iterate = self.through or (shown[0], int(paths[shown[0]].iterate[-1]))
            along, across = _STEPS[key]
            at = shown.index(solver) if solver in shown else 0
            solver = shown[(at + across) % len(shown)]
            of = paths[solver].iterate
            self.picked.emit(solver, int(np.clip(iterate + along, of[0], of[-1])))
        else:
            super().keyPressEvent(event)

    def mark_at(self, where: QPointF) -> tuple[int, int] | None:
        """Solver and iterate of the mark nearest to a place; None: none is near."""
        picture = self.picture
        if picture is None:
            return None
        near: list[tuple[float, int, int]] = []
        for solver, path in enumerate(picture.paths):
            if solver not in self.hidden_solvers:
                near += [(away, solver, iterate) for away, iterate in self._distances(path, where) if away <= NEAR]
        return min(near)[1:] if near else None

    def _distances(self, path: PathPicture, where: QPointF) -> list[tuple[float, int]]:
        apart = (self._place(*point) - where for point in path.points.tolist())
        return [(float(np.hypot(d.x(), d.y())), int(i)) for d, i in zip(apart, path.iterate, strict=True)]

    def _reframe(self) -> None:
        self.update()
        self.reframed.emit()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Another size in pixels: another ground."""
        super().resizeEvent(event)
        self.reframed.emit()

    def changeEvent(self, event: QEvent | None) -> None:
        """Another theme: other colours of the ground."""
        super().changeEvent(event)
        if event is not None and event.type() == QEvent.Type.PaletteChange:
            self.update()


def _mark(painter: QPainter, place: QPointF, radius: float, solver: int) -> None:
    """The mark of a solver: a circle, a triangle, a square."""
    x, y, r = place.x(), place.y(), radius
    if solver == 0:
        painter.drawEllipse(place, r, r)
    elif solver == 1:
        painter.drawPolygon(QPolygonF([QPointF(x - r, y - 0.8 * r), QPointF(x + r, y - 0.8 * r), QPointF(x, y + r)]))
    else:
        painter.drawRect(QRectF(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r))


def _round(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two others; none where rounding hides the difference."""
    if not high - low > 1e-9 * max(abs(low), abs(high)):
        return []
    unit = 10.0 ** math.floor(math.log10(high - low))
    return [unit * place for place in ticks(low / unit, high / unit, max(most, 2))[0]]


def _number(value: float, span: float) -> str:
    if 1000 <= abs(value) < 1e5:
        return f"{value:.0f}".replace("-", "\N{MINUS SIGN}")
    return short(value, least=1e-6 * span, figures=3 if abs(value) < 1000 * span else 6)


def _rgb(ink: str) -> NDArray[np.float32]:
    colour = theme.colour(ink)
    return np.array([colour.red(), colour.green(), colour.blue()], np.float32)
