"""The profiler (F3) and the sensors (F4) over the view: measured and read only while they are shown."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.simulation.commands import WatchProbe
from tumble.app.viewport.inset_paint import BarInset, PlotInset

if TYPE_CHECKING:
    from tumble.app.profile.profiler import Profiler
    from tumble.physics import MjData, MjModel

SPAN, POINTS = 3.0, 120  # simulated time that plots show [s], and points of a curve
MOST = 200  # numbers of sensors that are read
FADE = 0.995  # how fast the scale of a bar follows a smaller value, a picture
ROUNDING = 1e-9  # of the scale of a sensor: less is no reading of it
NAME = "view"
COLLISION, SOLVER = ("broad phase", "narrow phase"), ("constraint rows", "islands", "solver")
SIZES = (("nefc", "rows"), ("ncon", "contacts"), ("nv_awake", "dofs awake"))
MICRO = "\N{MICRO SIGN}s"


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
        from tumble.app.profile.profiler import Profiler

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
