"""The overlay over the picture: time and rate, messages, info and labels. Painted with QPainter, after OpenGL."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QPainter, QPen

from tumble.app.look import theme
from tumble.app.viewport.contacts.legend import paint_legend
from tumble.app.viewport.contacts.mark import ContactMark, paint_mark
from tumble.app.viewport.figures import FlatFigure, paint_figures
from tumble.app.viewport.insets import BarInset, PlotInset, paint_insets
from tumble.app.viewport.plates import paint_labels, paint_plate, paint_text
from tumble.render.scene.contact_legend import ContactLegend
from tumble.render.scene.label_layout import PlacedLabel

MARGIN = 12.0
PAD = 9.0


class Overlay(Struct):
    """The words of one picture. Empty parts are not painted."""

    time: list[tuple[str, str]] = field(default_factory=list)  # caption, value
    slow: bool = False  # the rate reached is below the rate wanted
    paused: bool = False
    info: list[tuple[str, str]] = field(default_factory=list)
    error: str = ""
    error_title: str = ""
    head: float = 0.0  # height at the top that a banner of the window takes
    top: float = 0.0  # and that the headers of views take
    progress: tuple[str, float] | None = None  # running task, and the share that is done, 0..1
    hint: str = ""
    dropping: bool = False
    labels: Sequence[PlacedLabel] = ()
    marked: ContactMark | None = None  # the contact that is chosen
    legend: ContactLegend | None = None  # of contacts
    figures: Sequence[FlatFigure] = ()  # of panels
    plots: Sequence[PlotInset] = ()  # of the profiler
    bars: BarInset | None = None  # of sensors


def paint(painter: QPainter, width: float, height: float, overlay: Overlay) -> QRectF:
    """Paint over a picture of this size [device-independent pixels]; returns where the error's closing cross is."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    paint_figures(painter, overlay.figures)
    paint_labels(painter, overlay.labels)
    if overlay.marked is not None:
        paint_mark(painter, overlay.marked)
    paint_insets(painter, width, height, overlay.plots, overlay.bars, overlay.top)
    cross, top = QRectF(), MARGIN + max(overlay.head, overlay.top)
    if overlay.error:
        cross, top = _error(painter, width, overlay.error_title, overlay.error)
    if overlay.progress is not None:
        top = _progress(painter, width, top, *overlay.progress)
    if overlay.time:
        _strip(painter, height, overlay)
    if overlay.legend is not None:
        paint_legend(painter, overlay.legend, width, height)
    if overlay.info:
        _table(painter, QPointF(MARGIN, top), overlay.info)
    if overlay.hint:
        _hint(painter, width, height, overlay.hint)
    if overlay.dropping:
        _drop(painter, width, height)
    return cross


def _strip(painter: QPainter, height: float, overlay: Overlay) -> None:
    """Time, rate and counts in one line at the lower left."""
    caption, value = theme.sans(8), theme.mono(9.5)
    gap, between, tall = 5.0, 15.0, 30.0 * theme.scale()
    captions, values = QFontMetricsF(caption), QFontMetricsF(value)
    widths = [captions.horizontalAdvance(c) + gap + values.horizontalAdvance(v) for c, v in overlay.time]
    rect = QRectF(MARGIN, height - MARGIN - tall, sum(widths) + between * (len(widths) - 1) + 2 * PAD + 4, tall)
    paint_plate(painter, rect)
    x, y = rect.left() + PAD + 2, rect.center().y()
    for (name, text), wide in zip(overlay.time, widths, strict=True):
        ink = theme.colour("text")
        if name == "rate":
            ink = theme.colour("dim" if overlay.paused else "warn" if overlay.slow else "good")
        used = paint_text(painter, x, y, name, caption, theme.colour("dim"))
        paint_text(painter, x + used + gap, y, text, value, ink)
        x += wide + between


def _table(painter: QPainter, corner: QPointF, rows: Sequence[tuple[str, str]]) -> None:
    """Captions and values in two columns."""
    caption, value = theme.sans(8.5), theme.mono(9)
    left = max(QFontMetricsF(caption).horizontalAdvance(c) for c, _ in rows) + 16
    right = max(QFontMetricsF(value).horizontalAdvance(v) for _, v in rows)
    line = 19.0 * theme.scale()
    rect = QRectF(corner.x(), corner.y(), left + right + 2 * PAD + 4, len(rows) * line + 2 * PAD - 2)
    paint_plate(painter, rect)
    for i, (name, text) in enumerate(rows):
        y = rect.top() + PAD + (i + 0.5) * line - 1
        paint_text(painter, rect.left() + PAD + 2, y, name, caption, theme.colour("dim"))
        paint_text(painter, rect.left() + PAD + 2 + left, y, text, value, theme.colour("text"))


def _error(painter: QPainter, width: float, title: str, message: str) -> tuple[QRectF, float]:
    """A banner along the top; returns its closing cross and where the room below it begins."""
    head, body = theme.sans(9.5, bold=True), theme.mono(9)
    metrics = QFontMetricsF(body)
    inner = width - 2 * MARGIN - 64
    flags = int(Qt.TextFlag.TextWrapAnywhere | Qt.TextFlag.TextWordWrap)
    needed = metrics.boundingRect(QRectF(0, 0, inner, 1e5), flags, message)
    tall = min(needed.height(), 8 * metrics.lineSpacing())
    rect = QRectF(MARGIN, MARGIN, width - 2 * MARGIN, tall + 44)
    paint_plate(painter, rect, theme.colour("errorback", 238))
    painter.setBrush(theme.colour("bad"))
    painter.drawRoundedRect(QRectF(rect.left(), rect.top(), 5, rect.height()), 2.5, 2.5)
    paint_text(painter, rect.left() + 20, rect.top() + 19, title, head, theme.colour("bright"))
    painter.setFont(body)
    painter.setPen(theme.colour("errortext"))
    painter.drawText(QRectF(rect.left() + 20, rect.top() + 34, inner, tall), flags, message)
    cross = QRectF(rect.right() - 32, rect.top() + 8, 22, 22)
    painter.setPen(QPen(theme.colour("errortext"), 1.8, cap=Qt.PenCapStyle.RoundCap))
    c, r = cross.center(), 4.5
    painter.drawLine(QPointF(c.x() - r, c.y() - r), QPointF(c.x() + r, c.y() + r))
    painter.drawLine(QPointF(c.x() - r, c.y() + r), QPointF(c.x() + r, c.y() - r))
    return cross, rect.bottom() + 8


def _progress(painter: QPainter, width: float, top: float, text: str, share: float) -> float:
    """Draw the progress of preparations, with a bar, at the top centre; returns where the space below begins."""
    font = theme.sans(9)
    wide = min(max(320.0, QFontMetricsF(font).horizontalAdvance(text) + 36), width - 2 * MARGIN)
    rect = QRectF((width - wide) / 2, top, wide, 46)
    paint_plate(painter, rect, theme.colour("back", 225))
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, wide - 32)
    paint_text(painter, rect.left() + 16, rect.top() + 17, shown, font, theme.colour("text"))
    bar = QRectF(rect.left() + 16, rect.bottom() - 14, wide - 32, 4)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("hover"))
    painter.drawRoundedRect(bar, 2, 2)
    painter.setBrush(theme.colour("accent"))
    painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(4.0, bar.width() * share), 4), 2, 2)
    return rect.bottom() + 8


def _hint(painter: QPainter, width: float, height: float, text: str) -> None:
    font = theme.sans(11)
    wide = QFontMetricsF(font).horizontalAdvance(text)
    paint_text(painter, (width - wide) / 2, height / 2, text, font, theme.colour("dim"))


def _drop(painter: QPainter, width: float, height: float) -> None:
    """A frame that marks the drop target."""
    painter.setBrush(theme.colour("accent", 26))
    painter.setPen(QPen(theme.colour("accent"), 2.0, Qt.PenStyle.DashLine))
    painter.drawRoundedRect(QRectF(8, 8, width - 16, height - 16), 10, 10)
    font = theme.sans(13, bold=True)
    text = "Drop the model to run it"
    wide = QFontMetricsF(font).horizontalAdvance(text)
    paint_plate(painter, QRectF((width - wide) / 2 - 22, height / 2 - 24, wide + 44, 48))
    paint_text(painter, (width - wide) / 2, height / 2, text, font, theme.colour("bright"))


