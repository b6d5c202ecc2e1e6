"""The profiler (F3) and the sensors (F4) over the view, as plots and bars: measured and read only while they are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.simulation.commands import WatchProbe
from tumble.app.viewport.plates import paint_plate, paint_text

if TYPE_CHECKING:
    from tumble.app.profile import Profiler
    from tumble.physics import MjData, MjModel

SPAN, POINTS = 3.0, 120  # simulated time that plots show [s], and points of a curve
MOST = 200  # numbers of sensors that are read
FADE = 0.995  # how fast the scale of a bar follows a smaller value, a picture
ROUNDING = 1e-9  # of the scale of a sensor: less is no reading of it
NAME = "view"
COLLISION, SOLVER = ("broad phase", "narrow phase"), ("constraint rows", "islands", "solver")
SIZES = (("nefc", "rows"), ("ncon", "contacts"), ("nv_awake", "dofs awake"))
MICRO = "\N{MICRO SIGN}s"
MARGIN, PAD, HEAD, LINE = 12.0, 7.0, 17.0, 14.0  # [px]
TOP = 132.0  # of the first plot: below the axes in the corner of the view
PLOT_WIDTH, PLOT_HEIGHT = 250.0, 104.0
BAR_WIDTH, BAR_SPAN = 290.0, 84.0
STRIP = 36.0  # of the time at the lower left, which bars leave free
PEAK = 3.0  # times the median that a plot of times shows at most
Floats = NDArray[np.float64]


class SensorProbe:
    """The first numbers of sensordata."""

    def room(self, model: MjModel, data: MjData) -> NDArray[np.float64]:
        """New storage for one snapshot."""
        return np.zeros(min(int(model.nsensordata), MOST))

    def take(self, model: MjModel, data: MjData, into: NDArray[np.float64]) -> None:
        """Fill the storage."""
        into[:] = data.sensordata[: len(into)]


class Insets:
    """Profiler and sensor insets of the view. update: repaints it."""

    def __init__(self, session: Session, update: Callable[[], None]) -> None:
        self._session, self._update = session, update
        self._profiler: Profiler | None = None  # while it is shown
        self._probe: SensorProbe | None = None  # while they are shown
        self._listed: list[tuple[str, str]] = []  # name and unit of each number of a sensor
        self._scale = np.zeros(0)
        self._first = np.zeros(0, int)  # of each number that is read: the first one of its sensor
        session.model_loaded.connect(self._follow)

    def show_profiler(self, on: bool) -> None:
        """Show or hide the profiler's plots."""
        from tumble.app.profile import Profiler

        profiler = self._session.part(Profiler)
        profiler.want(NAME, on)
        self._profiler = profiler if on else None
        self._update()

    def show_sensors(self, on: bool) -> None:
        """Show or hide sensor readings."""
        if on == (self._probe is not None):
            return
        if self._probe is not None:
            self._session.send(WatchProbe(self._probe, False))
        self._probe = SensorProbe() if on else None
        if self._probe is not None:
            self._session.send(WatchProbe(self._probe, True))
        self._follow()
        self._update()

    def _follow(self) -> None:
        """Another model: list its sensors."""
        model, self._listed = self._session.model, []
        if self._probe is None or model is None:
            return
        from tumble.app.describe.signals import Catalogue

        catalogue = Catalogue(model)
        field = catalogue.fields.get("sensordata")
        if field is not None and model.nsensordata:
            signals = islice(catalogue.listed(field), MOST)
            self._listed = [(signal.name.removeprefix("sensordata[").removesuffix("]"), signal.unit) for signal in signals]
        self._scale = np.zeros(len(self._listed))
        sensors = [name.rsplit(", ", 1)[0] for name, _ in self._listed]
        self._first = np.array([sensors.index(name) for name in sensors], int)

    def plots(self) -> list[PlotInset]:
        """Plots of the profiler, while it is on: time of a step, iterations, sizes."""
        profiler = self._profiler
        if profiler is None:
            return []
        names = profiler.costs.names
        end = profiler.costs.now.span[1]
        time, spent = profiler.bins(max(0.0, end - SPAN), end, POINTS)
        spent = 1e6 * spent
        stages = names[len(names) - spent.shape[1] :]
        part = [spent[:, [stages.index(name) for name in some]].sum(axis=1) for some in (COLLISION, SOLVER)]
        total = spent.sum(axis=1)
        inks = theme.INKS
        cost = [("step", inks[4], total), ("collision", inks[0], part[0]), ("constraints", inks[1], part[1])]
        moments, values = profiler.samples(max(0.0, end - SPAN))
        stride = max(1, len(moments) // POINTS)
        moments, values = moments[::-stride][::-1], values[::-stride][::-1]  # the newest is among them
        sizes = [(text, inks[k], values[:, names.index(name)]) for k, (name, text) in enumerate(SIZES)]
        most = [("of the island with most", inks[2], values[:, names.index("iterations")])]
        empty = "No steps yet: Space plays" if self._session.paused else "Waiting for a step"
        return [
            PlotInset("Time of a step", time, cost, MICRO, 1e6 * profiler.budget, empty),
            PlotInset("Solver iterations", moments, most, empty=empty),
            PlotInset("Sizes", moments, sizes, empty=empty),
        ]

    def bars(self) -> BarInset | None:
        """Bars of the sensors, while shown: each with the recent maximum of its sensor."""
        probe = self._probe
        if probe is None:
            return None
        values = self._session.reading(probe)
        if values is None or len(values) != len(self._listed):
            values = np.zeros(len(self._listed))
        if not self._listed:
            return BarInset("No sensors in this model", ())
        now = np.zeros(len(values))
        np.maximum.at(now, self._first, np.abs(np.nan_to_num(values)))  # the numbers of a sensor have one scale
        self._scale = np.maximum(FADE * self._scale, now[self._first])
        values = np.where(np.abs(values) < ROUNDING * self._scale, 0.0, values)
        shares = np.divide(values, self._scale, out=np.zeros(len(values)), where=self._scale > 0)
        rows = [
            (name, f"{value:.4g} {unit}".rstrip(), float(np.nan_to_num(share)))
            for (name, unit), value, share in zip(self._listed, values.tolist(), shares.tolist(), strict=True)
        ]
        return BarInset("Sensors", rows)


class PlotInset(Struct, frozen=True, eq=False):
    """Curves over time. curves: name, colour, values (n,) at `time` (n,) [s]; unit: of the values; limit: a line across;
    empty: placeholder while no curve has values."""

    title: str
    time: Floats
    curves: Sequence[tuple[str, str, Floats]]
    unit: str = ""
    limit: float | None = None
    empty: str = ""


class BarInset(Struct, frozen=True):
    """Numbers with bars. rows: name, value in words, length -1..1."""

    title: str
    rows: Sequence[tuple[str, str, float]]


def paint_insets(
    painter: QPainter, width: float, height: float, plots: Sequence[PlotInset], bars: BarInset | None, head: float = 0.0
) -> None:
    """Plots down the right edge; bars below them, or at the left edge. Those without room are omitted. head: of views."""
    top = TOP + head
    wide = min(PLOT_WIDTH, 0.45 * width)
    tall = min(PLOT_HEIGHT, (height - top - MARGIN) / max(len(plots), 1) - 4)
    for k, plot in enumerate(plots if tall > 40 else ()):
        _plot(painter, QRectF(width - MARGIN - wide, top + k * (tall + 4), wide, tall), plot)
    if bars is not None:
        below = top + len(plots) * (tall + 4) if plots else 0.0
        fits = HEAD + 6 + LINE * len(bars.rows) + below + MARGIN <= height
        right = width - MARGIN if fits else min(MARGIN + BAR_WIDTH, width - MARGIN - wide - 6)
        _bars(painter, right, height - (0 if fits else STRIP), bars)


def _back(painter: QPainter, rect: QRectF, title: str) -> None:
    paint_plate(painter, rect)
    paint_text(painter, rect.left() + PAD, rect.top() + HEAD / 2 + 1, title, theme.sans(8, bold=True), theme.colour("text"))


def _plot(painter: QPainter, rect: QRectF, plot: PlotInset) -> None:
    _back(painter, rect, plot.title)
    font = theme.sans(7.5)
    x, y = rect.left() + PAD, rect.top() + HEAD + LINE / 2
    for name, ink, values in plot.curves:
        last = f" {_short(values[-1])}" if len(values) and np.isfinite(values[-1]) else ""
        x += paint_text(painter, x, y, name + last, font, QColor(ink)) + 8
    room = rect.adjusted(PAD, HEAD + LINE + 2, -PAD, -5)
    if not any(np.isfinite(values).any() for _, _, values in plot.curves):
        paint_text(painter, rect.left() + PAD, room.center().y(), plot.empty, font, theme.colour("dim"))
        return
    top = max((float(np.nanquantile(v, 0.98)) for _, _, v in plot.curves if len(v) and np.isfinite(v).any()), default=0.0)
    if plot.limit is not None:  # a time: peaks in which the computer did something else may leave the picture
        top = min(top, PEAK * max((float(np.nanmedian(v)) for _, _, v in plot.curves if len(v)), default=0.0))
    near = plot.limit is not None and plot.limit < PEAK * top
    top = 1.1 * max(top, plot.limit if near and plot.limit is not None else 0.0, 1e-12)
    scale = f"{_short(top)} {plot.unit}".strip()
    paint_text(painter, room.right() - QFontMetricsF(font).horizontalAdvance(scale), rect.top() + HEAD / 2 + 1, scale, font,
           theme.colour("dim"))  # fmt: skip
    painter.save()
    painter.setClipRect(room)
    for _, ink, values in plot.curves:
        _curve(painter, room, plot.time, values / top, ink)
    if near and plot.limit is not None:
        painter.setPen(QPen(theme.colour("bad"), 1.0, Qt.PenStyle.DashLine))
        at = room.bottom() - room.height() * plot.limit / top
        painter.drawLine(QPointF(room.left(), at), QPointF(room.right(), at))
    painter.restore()


def _curve(painter: QPainter, room: QRectF, time: Floats, shares: Floats, ink: str) -> None:
    """shares: heights, 0..1."""
    good = np.isfinite(shares)
    if good.sum() < 2:
        return
    t, y = time[good], shares[good]
    x = room.left() + room.width() * (t - time[0]) / max(float(time[-1] - time[0]), 1e-12)
    down = room.bottom() - room.height() * y
    painter.setPen(QPen(QColor(ink), 1.2))
    painter.drawPolyline(QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), down.tolist(), strict=True)]))


def _bars(painter: QPainter, right: float, height: float, bars: BarInset) -> None:
    wide = min(BAR_WIDTH, right - MARGIN)
    fit = int((0.75 * height - HEAD - 8) / LINE)
    if wide < 150 or fit < 1:
        return
    rows = list(bars.rows[: fit - 1] if len(bars.rows) > fit else bars.rows)
    left_out = len(bars.rows) - len(rows)
    tall = HEAD + 6 + LINE * (len(rows) + (left_out > 0))
    rect = QRectF(right - wide, height - MARGIN - tall, wide, tall)
    _back(painter, rect, bars.title)
    name_font, value_font = theme.sans(7.5), theme.mono(7.5)
    names, middle = QFontMetricsF(name_font), rect.right() - PAD - BAR_SPAN / 2
    for k, (name, value, share) in enumerate(rows):
        y = rect.top() + HEAD + LINE * (k + 0.5) + 1
        used = QFontMetricsF(value_font).horizontalAdvance(value)
        edge = middle - BAR_SPAN / 2 - 6
        shown = names.elidedText(name, Qt.TextElideMode.ElideMiddle, edge - used - 6 - rect.left() - PAD)
        paint_text(painter, rect.left() + PAD, y, shown, name_font, theme.colour("dim"))
        paint_text(painter, edge - used, y, value, value_font, theme.colour("text"))
        long = BAR_SPAN / 2 * max(-1.0, min(1.0, share))
        painter.fillRect(QRectF(middle, y - 4, long, 8).normalized(), QColor(theme.INKS[0] if share >= 0 else theme.INKS[1]))
        painter.fillRect(QRectF(middle - 0.5, y - 5, 1, 10), theme.colour("dim"))
    if left_out:
        y = rect.top() + HEAD + LINE * (len(rows) + 0.5) + 1
        paint_text(painter, rect.left() + PAD, y, f"and {left_out} more: see Signals", name_font, theme.colour("dim"))


def _short(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
