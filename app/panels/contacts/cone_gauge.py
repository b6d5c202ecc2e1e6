"""The friction cone of one contact, cut at its normal force, with the friction force in it."""

from __future__ import annotations

import math

from PyQt6.QtCore import QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PyQt6.QtWidgets import QSizePolicy, QWidget

from tumble.app.describe.contacts import MODE_INKS, MODE_WORDS
from tumble.app.describe.numbers import fixed
from tumble.app.look import theme
from tumble.app.panels.contacts.columns import speed
from tumble.app.panels.contacts.state import ContactState, section_of
from tumble.physics import ContactMode

HINT = "Choose a row, or click a contact point in the view  (C shows them)"
HEIGHT = 148
PAD = 12.0
NUMBERS, VALUES = 138.0, 52.0  # pixels at the usual size of text: that the numbers next to the cone need, of their captions
LEAST = 5  # lines of numbers, which the gauge must have room for
TIP = (
    "The friction cone cut at the present normal force: a force inside it sticks, one on its rim slips.\n"
    "Arrow: friction force on the second geom. Dashes: where that geom slides to.\n"
    "Axes: the tangents of the contact frame. Inner rim: what torsion and rolling leave for sliding"
)


class ConeGauge(QWidget):
    """Paints one contact of a moment."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.spread(beside=False)
        self.setToolTip(TIP)
        self.pair = ""
        self.state: ContactState | None = None
        self.index = -1

    def spread(self, *, beside: bool) -> None:
        """Take the room next to the table, or only the needed height below it."""
        self._hint = QSize(330, 200) if beside else QSize(320, HEIGHT)
        self.setMaximumSize(*((330, 230) if beside else (16_777_215, HEIGHT)))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Wide and low below the table, larger next to it."""
        return self._hint

    def minimumSizeHint(self) -> QSize:
        """Room for the numbers, and a small cone."""
        title, line = (QFontMetricsF(font).height() for font in (theme.sans(9, bold=True), theme.mono(9)))
        return QSize(round(230 * theme.scale()), math.ceil(PAD + title + 12 + LEAST * line))

    def show_contact(self, pair: str, state: ContactState | None, index: int) -> None:
        """Show a contact; pair: its geoms, empty: none is chosen; index -1: the pair does not touch."""
        self.pair, self.state, self.index = pair, state, index
        self.update()

    def lines(self) -> list[tuple[str, str]]:
        """Captions and values next to the cone."""
        state, k = self.state, self.index
        if state is None or k < 0:
            return []
        rows = [
            ("used", f"{100 * state.used[k]:.1f} %"),
            ("normal", f"{fixed(state.normal[k], 2)} N"),
            ("friction", f"{fixed(state.tangential[k], 2)} N"),
            ("creep", f"{speed(state.creep[k])} mm/s"),
        ]
        if state.dim[k] > 1:
            first, second = state.friction[k, :2]
            rows.append(("\N{GREEK SMALL LETTER MU}", f"{first:.3g}" if first == second else f"{first:.3g}, {second:.3g}"))
        return rows

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """The cone at the left, numbers at the right."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.pair:
            painter.setFont(theme.sans(9))
            painter.setPen(theme.colour("dim"))
            area = QRectF(self.rect()).adjusted(PAD, PAD, -PAD, -PAD)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), HINT)
            painter.end()
            return
        font = theme.sans(9, bold=True)
        painter.setFont(font)
        painter.setPen(theme.colour("text"))
        state, k = self.state, self.index
        mode = ContactMode(int(state.mode[k])) if state is not None and k >= 0 else ContactMode.OPEN
        word = MODE_WORDS[mode] if k >= 0 else "apart"
        ink = theme.colour(MODE_INKS[mode])
        metrics = QFontMetricsF(font)
        used = metrics.horizontalAdvance(word) + 16
        title = metrics.elidedText(self.pair, Qt.TextElideMode.ElideMiddle, self.width() - 2 * PAD - used - 8)
        painter.drawText(QPointF(PAD, PAD + metrics.ascent() - 2), title)
        _badge(painter, QRectF(self.width() - PAD - used, PAD - 4, used, metrics.height() + 4), word, ink)
        top = PAD + metrics.height() + 6
        side = max(min(self.height() - top - 6, self.width() - 2 * PAD - 16 - NUMBERS * theme.scale()), 60.0)
        if state is not None and k >= 0:
            _cone(painter, QRectF(PAD, top, side, side), state, k, ink)
        else:
            painter.setPen(QPen(theme.colour("line"), 1.5, Qt.PenStyle.DashLine))
            painter.drawEllipse(QRectF(PAD, top, side, side).adjusted(12, 12, -12, -12))
        self._numbers(painter, PAD + side + 16, top, side)
        painter.end()

    def _numbers(self, painter: QPainter, x: float, top: float, tall: float) -> None:
        caption, value = theme.sans(8.5), theme.mono(9)
        rows = self.lines() or [("", "They do not touch now")]
        line = QFontMetricsF(value).height()
        step = max(line, min(1.4 * line, tall / max(len(rows), 1)))
        y = max(top, top + 0.5 * (tall - step * len(rows))) + 0.5 * step
        for name, text in rows:
            base = y + 0.3 * line
            painter.setFont(caption)
            painter.setPen(theme.colour("dim"))
            painter.drawText(QPointF(x, base), name)
            painter.setFont(value if name else caption)
            painter.setPen(theme.colour("text" if name else "dim"))
            painter.drawText(QPointF(x + (VALUES * theme.scale() if name else 0), base), text)
            y += step


def _badge(painter: QPainter, rect: QRectF, text: str, ink: QColor) -> None:
    soft = QColor(ink)
    soft.setAlpha(46)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(soft)
    painter.drawRoundedRect(rect, 4, 4)
    painter.setPen(ink)
    painter.setFont(theme.sans(8.5, bold=True))
    painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), text)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _rim(centre: QPointF, a: float, b: float, *, elliptic: bool) -> QPolygonF:
    """The cone's section: an ellipse, or the four facets of a pyramid."""
    count = 96 if elliptic else 4
    turns = [2 * math.pi * i / count for i in range(count)]
    return QPolygonF([QPointF(centre.x() + a * math.cos(t), centre.y() - b * math.sin(t)) for t in turns])


def _cone(painter: QPainter, rect: QRectF, state: ContactState, k: int, ink: QColor) -> None:
    """The section, its axes, the force and the sliding direction; the larger half axis fills the square."""
    first, second, left = section_of(state, k)
    centre, room = rect.center(), 0.5 * rect.width() - 8
    painter.setPen(QPen(theme.colour("line"), 1))
    painter.drawLine(QPointF(rect.left(), centre.y()), QPointF(rect.right(), centre.y()))
    painter.drawLine(QPointF(centre.x(), rect.top()), QPointF(centre.x(), rect.bottom()))
    largest = max(first, second)
    if largest <= 0:  # no force, or no friction: a point, drawn as a faint rim
        if state.dim[k] > 1:
            painter.setPen(QPen(theme.colour("disabled"), 1.2, Qt.PenStyle.DashLine))
            painter.drawPolygon(_rim(centre, room, room * _ratio(state, k), elliptic=state.elliptic))
        return
    scale = room / largest
    a, b = scale * first, scale * second
    painter.setBrush(_faint(ink, 30))
    painter.setPen(QPen(ink, 1.6))
    painter.drawPolygon(_rim(centre, a, b, elliptic=state.elliptic))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if left < 1:
        painter.setPen(QPen(ink, 1.0, Qt.PenStyle.DotLine))
        painter.drawPolygon(_rim(centre, left * a, left * b, elliptic=state.elliptic))
    _slide(painter, centre, room, state, k)
    tip = QPointF(centre.x() + scale * float(state.force[k, 1]), centre.y() - scale * float(state.force[k, 2]))
    _arrow(painter, centre, tip, theme.colour("bright"))


def _ratio(state: ContactState, k: int) -> float:
    first, second = (float(mu) for mu in state.friction[k, :2])
    return min(second / first, 1.0) if first > 0 else 1.0


def _faint(ink: QColor, alpha: int) -> QColor:
    result = QColor(ink)
    result.setAlpha(alpha)
    return result


def _slide(painter: QPainter, centre: QPointF, room: float, state: ContactState, k: int) -> None:
    """A dashed line towards where the second geom slides; its length has no meaning."""
    speed = float(state.creep[k])
    if speed < 1e-6:
        return
    x, y = float(state.velocity[k, 1]) / speed, float(state.velocity[k, 2]) / speed
    painter.setPen(QPen(theme.colour("accent"), 1.4, Qt.PenStyle.DashLine))
    painter.drawLine(centre, QPointF(centre.x() + room * x, centre.y() - room * y))


def _arrow(painter: QPainter, start: QPointF, tip: QPointF, ink: QColor) -> None:
    along = tip - start
    length = math.hypot(along.x(), along.y())
    painter.setPen(QPen(ink, 2.2, cap=Qt.PenCapStyle.RoundCap))
    painter.setBrush(ink)
    if length < 7:
        painter.drawEllipse(tip, 2.6, 2.6)
        return
    x, y = along.x() / length, along.y() / length
    painter.drawLine(start, tip - QPointF(5 * x, 5 * y))
    painter.setPen(Qt.PenStyle.NoPen)
    wing = QPointF(-3.6 * y, 3.6 * x)
    back = tip - QPointF(8 * x, 8 * y)
    painter.drawPolygon(QPolygonF([tip, back + wing, back - wing]))
