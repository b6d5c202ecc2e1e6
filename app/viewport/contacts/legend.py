"""The legend of contacts at the lower right of the view: colours, an arrow with its force, whose end is a handle, a pressure."""

from __future__ import annotations

import math

from msgspec import Struct, field
from PyQt6.QtCore import QObject, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter, QPen

from tumble.app.base import settings
from tumble.app.describe.contacts import MODE_WORDS, area_words
from tumble.app.describe.numbers import metric
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.viewport.plates import paint_plate, paint_text
from tumble.render.scene.contact_legend import FORCE, FRICTION, PRESSURE, ContactLegend

MARGIN, PAD = 12.0, 9.0  # as in the overlay [px]
DOT, GAP, LEAD, TALL = 9.0, 14.0, 5.0, 30.0
RAMP, GRIP = 84.0, 4.5  # width of the bar of pressures; radius of the handle [px]
STRIP = 400.0  # of the time at the lower left, which the legend leaves free [px]


class LegendLayout(Struct):
    """Rectangles of the legend's parts [px], from the bottom up, and the end of the arrow's bar, None without one."""

    keys: QRectF = field(default_factory=QRectF)
    pressure: QRectF = field(default_factory=QRectF)
    start: QPointF | None = None
    end: QPointF | None = None


def key_words(legend: ContactLegend) -> list[tuple[str, QColor, bool]]:
    """Texts of the first row with their colours, and whether each is for a line rather than a disc."""
    words = [(MODE_WORDS[mode], QColor.fromRgbF(*rgba), False) for mode, rgba in legend.modes]
    if legend.split:
        words += [("normal", QColor.fromRgbF(*FORCE), True), ("friction", QColor.fromRgbF(*FRICTION), True)]
    return words


def pressure_text(legend: ContactLegend) -> str:
    """The numbers of a patch: its force, area and mean pressure."""
    patch = legend.patch
    if patch is None:
        return ""
    if patch.area <= 0:
        return f"{metric(patch.force, 'N')} on a line"
    return f"{metric(patch.force, 'N')} on {area_words(patch.area)}: {metric(patch.pressure, 'Pa')}"


def lay_out(legend: ContactLegend, width: float, height: float) -> LegendLayout:
    """The places of a legend in a view of this size."""
    small, number = QFontMetricsF(theme.sans(8.5)), QFontMetricsF(theme.mono(9.5))
    tall, layout = TALL * theme.scale(), LegendLayout()
    words = key_words(legend)
    wide = sum(DOT + LEAD + small.horizontalAdvance(word) + GAP for word, _, _ in words)
    bar = legend.share * height
    before = wide
    if bar:
        wide += bar + GRIP + LEAD + number.horizontalAdvance(f"{legend.newtons:g} N") + GAP
    bottom = height - MARGIN
    long = legend.pascals > 0 or legend.patch is not None
    text = number.horizontalAdvance(pressure_text(legend))
    ramp = number.horizontalAdvance("0") + RAMP + number.horizontalAdvance(metric(legend.pascals, "Pa")) + 2 * LEAD
    second = text + (ramp + GAP if legend.pascals > 0 else 0.0)
    if max(wide if words or bar else 0.0, second if long else 0.0) > width - STRIP * theme.scale():
        bottom -= tall + 6.0  # above the time
    if words or bar:
        left = width - MARGIN - wide - 2 * PAD + GAP
        layout.keys = QRectF(left, bottom - tall, wide + 2 * PAD - GAP, tall)
        if bar:
            layout.start = QPointF(left + PAD + before, layout.keys.center().y())
            layout.end = layout.start + QPointF(bar, 0.0)
        bottom -= tall + 6.0
    if long:
        layout.pressure = QRectF(width - MARGIN - second - 2 * PAD, bottom - tall, second + 2 * PAD, tall)
    return layout


def paint_legend(painter: QPainter, legend: ContactLegend, width: float, height: float) -> None:
    """Paint it."""
    places = lay_out(legend, width, height)
    if not places.keys.isEmpty():
        paint_plate(painter, places.keys)
        _paint_keys(painter, places, legend)
    if not places.pressure.isEmpty():
        paint_plate(painter, places.pressure)
        _paint_pressure(painter, places.pressure, legend)


def _paint_keys(painter: QPainter, places: LegendLayout, legend: ContactLegend) -> None:
    x, y = places.keys.left() + PAD, places.keys.center().y()
    for word, colour, line in key_words(legend):
        if line:
            painter.setPen(QPen(colour, 3.0, cap=Qt.PenCapStyle.FlatCap))
            painter.drawLine(QPointF(x, y), QPointF(x + DOT, y))
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawEllipse(QRectF(x, y - 0.5 * DOT, DOT, DOT))
        x += DOT + LEAD
        x += _text(painter, x, y, word, small=True) + GAP
    if places.start is None or places.end is None:
        return
    painter.setPen(QPen(QColor.fromRgbF(*FORCE), 2.0))
    painter.drawLine(places.start, places.end)
    painter.drawLine(places.start - QPointF(0.0, 4.0), places.start + QPointF(0.0, 4.0))
    painter.setBrush(QColor.fromRgbF(*FORCE))
    painter.drawEllipse(places.end, GRIP, GRIP)
    _text(painter, places.end.x() + GRIP + LEAD, y, f"{legend.newtons:g} N", small=False)


def _paint_pressure(painter: QPainter, rect: QRectF, legend: ContactLegend) -> None:
    x, y = rect.left() + PAD, rect.center().y()
    if legend.pascals > 0:
        x += _text(painter, x, y, "0", small=False) + LEAD
        bar = QRectF(x, y - 5.0, RAMP, 10.0)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for k, rgb in enumerate(PRESSURE):
            gradient.setColorAt(k / (len(PRESSURE) - 1), QColor.fromRgbF(*rgb))
        painter.fillRect(bar, gradient)
        x += RAMP + LEAD
        x += _text(painter, x, y, metric(legend.pascals, "Pa"), small=False) + GAP
    _text(painter, x, y, pressure_text(legend), small=False)


def _text(painter: QPainter, x: float, y: float, text: str, *, small: bool) -> float:
    return paint_text(painter, x, y, text, theme.sans(8.5) if small else theme.mono(9.5), theme.colour("text"))


LEAST, MOST = settings.FORCE_SIZES.low, settings.FORCE_SIZES.high  # of the usual length
STEPS = 40  # of a slider: the same factor each


class ArrowLength(QObject):
    """value: a factor, 1 where the strongest force in view is a third of the picture; changed: a new value."""

    changed = pyqtSignal(float)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._store = session.store
        self.value = self._store.get(settings.FORCE_SIZE)

    def set(self, value: float) -> None:
        """Set the length factor of arrows, within the limits."""
        value = _within(value)
        if value != self.value:
            self.value = value
            self._store.put(settings.FORCE_SIZE, value)
            self.changed.emit(value)

    def stretch(self, factor: float) -> None:
        """Multiply the length factor."""
        self.set(self.value * factor)

    @property
    def words(self) -> str:
        """The length as text."""
        return f"{100 * self.value:.0f} %"

    @property
    def step(self) -> int:
        """Slider position, 0 to STEPS; the middle is the default length."""
        return round(STEPS * math.log(self.value / LEAST) / math.log(MOST / LEAST))

    def set_step(self, step: int) -> None:
        """A slider was moved."""
        if step != self.step:
            self.set(LEAST * (MOST / LEAST) ** (step / STEPS))


def _within(value: float) -> float:
    return min(max(value, LEAST), MOST) if math.isfinite(value) else 1.0
