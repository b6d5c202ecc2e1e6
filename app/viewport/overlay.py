"""The overlay over the picture: time and rate, messages, info and labels. Painted with QPainter, after OpenGL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QPainter, QPen

from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.names import bodies, body_name
from tumble.app.describe.numbers import TIMES, duration, moment, rate_text
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.viewport.contacts.legend import paint_legend
from tumble.app.viewport.contacts.mark import ContactMark, paint_mark
from tumble.app.viewport.figures import FlatFigure, paint_figures
from tumble.app.viewport.insets import BarInset, PlotInset, paint_insets
from tumble.app.viewport.plates import paint_labels, paint_plate, paint_text
from tumble.render.camera import Camera, CameraKind
from tumble.render.scene.contact_legend import ContactLegend
from tumble.render.scene.label_layout import PlacedLabel

if TYPE_CHECKING:
    from tumble.render.renderer import Renderer

MARGIN = 12.0
PAD = 9.0


class Overlay(Struct):
    """The words of one picture. Empty parts are not painted."""

    time: list[tuple[str, str]] = field(default_factory=list)  # caption, value
    slow: bool = False  # the rate reached is below the rate wanted
    paused: bool = False
    info: list[tuple[str, str]] = field(default_factory=list)
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


def paint(painter: QPainter, width: float, height: float, overlay: Overlay) -> None:
    """Paint over a picture of this size [device-independent pixels]."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    paint_figures(painter, overlay.figures)
    paint_labels(painter, overlay.labels)
    if overlay.marked is not None:
        paint_mark(painter, overlay.marked)
    paint_insets(painter, width, height, overlay.plots, overlay.bars, overlay.top)
    top = MARGIN + max(overlay.head, overlay.top)
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


LEFT_VIEW = with_keys("No moving body is in view: Backspace resets, Ctrl+A looks at the initial state")


def time_lines(session: Session, fps: float) -> list[tuple[str, str]]:
    """Time, rate (reached, and wanted if it differs), pictures a second, contacts."""
    snapshot = session.snapshot
    assert snapshot is not None
    if session.paused:
        rate = "paused"
    else:
        rate = f"{snapshot.measured:.2f}{TIMES}"
        if session.rate != 1.0 or snapshot.measured < 0.95 * session.rate:
            rate += f" of {rate_text(session.rate)}"
    lines = [("time", moment(snapshot.time, 2)), ("rate", rate)]
    if not session.paused:
        lines.append(("fps", f"{fps:.0f}"))
    return [*lines, ("contacts", str(snapshot.ncon))]


def hint(session: Session, camera: Camera | None, renderer: Renderer | None) -> str:
    """Advice for an empty view: no model is open, or everything that moves has left the only view; "" otherwise.

    camera: of the only view; None: there are several.
    """
    if session.snapshot is None:
        return "" if session.loads.busy else with_keys("Drop a model file (*.xml) here, or open one with Ctrl+O")
    gone = renderer is not None and not renderer.shows_motion
    return LEFT_VIEW if gone and camera is not None and camera.kind is CameraKind.FREE else ""


def info_lines(session: Session) -> list[tuple[str, str]]:
    """Sizes of the model and of the last step's problem."""
    snapshot, model = session.snapshot, session.loaded_model
    assert snapshot is not None
    lines = [
        ("timestep", duration(float(model.opt.timestep))),
        ("bodies", str(bodies(model))),
        ("dofs", str(model.nv)),
        ("actuators", str(model.nu)),
        ("contacts", str(snapshot.ncon)),
        ("constraint rows", str(snapshot.nefc)),
        ("solver iterations", str(snapshot.iterations)),
    ]
    if snapshot.energy.any():
        lines.append(("energy", f"{snapshot.energy.sum():.4g} J"))
    if session.selection > 0:
        lines.append(("selected", body_name(model, session.selection)))
    return lines
