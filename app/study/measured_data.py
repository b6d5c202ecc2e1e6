"""A measured record that is laid over the simulation: its curves in plots, and its pose in the view, as a ghost."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from tumble import physics
from tumble.app.base.background import Background
from tumble.app.base.traces import Run
from tumble.app.describe.signals import Catalogue
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.study.fit.fit_section import FitColumn, FitSection
from tumble.app.study.measured_csv import check_times, read_columns
from tumble.app.study.study_file import StudyError
from tumble.physics.errors import PhysicsError
from tumble.render.frame import Ghost

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[np.float64]

CLOCKS = ("t", "time")
OWN_CLOCK = "time [s]"  # of files that the Signals panel has saved: simulated time
NEAR = 1.0  # a clock that begins within so many seconds of 0 is the simulation's
GAP = 5.0  # times the median step: no pose is shown within a longer hole
_UNIT = re.compile(r"\s\[[^\[\]]*\]$")  # as CSV files of the Signals panel have it behind the name


class MeasuredCurves(Struct, frozen=True):
    """A record as it was read: its file, times (n,) [s] from 0 on, values (n, signals), and the names of the signals.

    begin: the simulated time of its first row [s], unless it is shifted: as its clock says, or 0 for another clock. run: the
    same for drawing.
    """

    path: Path
    time: Array
    values: Array
    names: tuple[str, ...]
    begin: float
    run: Run


class Pose:
    """The measured positions of a model, in data of their own."""

    def __init__(self, model: MjModel, record: MeasuredCurves) -> None:
        catalogue = Catalogue(model)
        signals = [catalogue.scalar(name) for name in record.names]
        columns = {signal.start: k for k, signal in enumerate(signals) if signal.field == "qpos"}
        self._quaternions = [span for span in _quaternions(model) if all(i in columns for i in span)]
        partly = {i for span in _quaternions(model) for i in span} - {i for span in self._quaternions for i in span}
        self._places = np.array([i for i in columns if i not in partly], int)
        self._columns = np.array([columns[i] for i in self._places.tolist()], int)
        self._record, self._model = record, model.twin()
        self._data: MjData = physics.MjData(self._model)
        step = np.median(np.diff(record.time)) if len(record.time) > 1 else 0.0
        self._gap = GAP * float(step)
        if len(self._places):
            self._place(np.array(model.qpos0))

    @property
    def measured(self) -> bool:
        """True if the record has positions."""
        return len(self._places) > 0

    def ghost(self, time: float, qpos: Array, rgb: tuple[float, float, float]) -> Ghost | None:
        """The pose at a time of the record [s]; what was not measured is as in qpos (nq,). None: nothing was measured there."""
        clock, at = self._record.time, int(np.searchsorted(self._record.time, time, "right"))
        if not len(clock) or not clock[0] <= time <= clock[-1]:
            return None
        before, after = max(0, at - 1), min(at, len(clock) - 1)
        span = float(clock[after] - clock[before])
        if span > self._gap:
            return None
        share = (time - float(clock[before])) / span if span > 0 else 0.0
        first, last = (np.array(qpos, float) for _ in range(2))
        first[self._places], last[self._places] = (self._record.values[k, self._columns] for k in (before, after))
        pose = (1 - share) * first + share * last
        for quaternion in self._quaternions:
            one, two = first[quaternion], last[quaternion]
            mixed = (1 - share) * one + share * (two if one @ two >= 0 else -two)
            pose[quaternion] = mixed / max(float(np.linalg.norm(mixed)), 1e-9)
        if not np.isfinite(pose).all():
            return None
        self._place(pose)
        data = self._data
        flex = np.array(data.flexvert_xpos, float).reshape(-1, 3)
        return Ghost(np.array(data.geom_xpos), np.array(data.geom_xmat).reshape(-1, 9), rgb, flex)

    def _place(self, qpos: Array) -> None:
        self._data.qpos[:] = qpos
        physics.mj_kinematics(self._model, self._data)
        if self._model.nflex:
            physics.mj_flex(self._model, self._data)


def _quaternions(model: MjModel) -> list[list[int]]:
    """Places in qpos of each orientation."""
    starts = {int(physics.mjtJoint.mjJNT_FREE): 3, int(physics.mjtJoint.mjJNT_BALL): 0}
    return [
        list(range(int(at) + starts[int(kind)], int(at) + starts[int(kind)] + 4))
        for kind, at in zip(model.jnt_type, model.jnt_qposadr, strict=True)
        if int(kind) in starts
    ]


def read_curves(
    path: Path, knows: Callable[[str], bool], section: FitSection | None, on_progress: Callable[[float], None]
) -> MeasuredCurves:
    """The columns of a file that are signals of a model: those that a study's [fit] maps, else those that have their names.

    Raises StudyError.
    """
    mapping: dict[str, FitColumn] = {}
    clock = scale = None

    def choose(head: Sequence[str]) -> list[str]:
        nonlocal clock, scale, mapping
        mapped = {} if section is None else {n: c for n, c in section.columns().items() if c.column in head and knows(n)}
        named = {name: FitColumn(column) for column in head if knows(name := _UNIT.sub("", column)) and name not in CLOCKS}
        mapping = mapped or named
        times = [section.time] if section is not None and section.time in head else []
        times += [column for column in head if _UNIT.sub("", column) in CLOCKS]
        if not times:
            raise StudyError(f"{path}: there is no column of times, {' or '.join(CLOCKS)}; there are {', '.join(head[:20])}")
        if not mapping:
            raise StudyError(
                f"{path}: no column has the name of a signal, as qpos[0]; there are {', '.join(head[:20])}. "
                "[fit.signals] of a study that is open says which column is which"
            )
        clock = times[0]
        scale = section.time_scale if section is not None and clock == section.time else 1.0
        return list(dict.fromkeys([clock, *(one.column for one in mapping.values())]))

    columns, numbers = read_columns(path, choose, on_progress)
    if not len(numbers):
        raise StudyError(f"{path}: has no rows")
    check_times(numbers[:, 0], path)
    time = numbers[:, 0] * (scale or 1.0)
    values = np.stack([c.scale * numbers[:, columns.index(c.column)] + c.offset for c in mapping.values()], axis=1)
    begin = float(time[0]) if clock == OWN_CLOCK or 0 <= time[0] < NEAR else 0.0
    return _curves(path, time - time[0], values, tuple(mapping), begin)


def _curves(path: Path, time: Array, values: Array, names: tuple[str, ...], begin: float) -> MeasuredCurves:
    run = Run(len(names), max(1, len(time)))
    run.feed(time, values)
    return MeasuredCurves(path, time, values, names, begin, run)


class MeasuredData(QObject):
    """One record at a time. changed: another record, shift or ghost, or another remark.

    section: of the study that is open, which says what the columns of its files are. shift: the simulated time of the record's
    first row [s]. remark: progress of reading, or why there is no record.
    """

    changed = pyqtSignal()
    _went_on = pyqtSignal(int, float)  # from the thread that reads: which opening, share

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.section: FitSection | None = None
        self.record: MeasuredCurves | None = None
        self.pose: Pose | None = None
        self.ghost, self.shift, self.remark = True, 0.0, ""
        self._number = 0
        self._follows = False
        self._background = Background("measured data", self)
        self._went_on.connect(self._show_progress)
        session.model_loaded.connect(self._renew)

    def open(self, path: Path) -> None:
        """Read a file, and lay it over."""
        if self._session.model is None:
            self._refuse("Open a model first: measured data are laid over one")
            return
        self.close_record()
        self._number += 1
        number, section, model = self._number, self.section, self._session.loaded_model
        knows = Catalogue(model).knows

        def report(share: float) -> None:
            self._background.check()
            self._went_on.emit(number, share)

        def read() -> tuple[MeasuredCurves, Pose]:
            record = read_curves(path, knows, section, report)
            return record, Pose(model, record)

        self._background.run(
            read, lambda found: self._show(number, *found), lambda why: self._refuse(why, number), (StudyError, PhysicsError)
        )

    def close_record(self) -> None:
        """Show no record."""
        self._number += 1
        self.record = self.pose = None
        self.remark, self.shift = "", 0.0
        self._follow()
        self.changed.emit()

    def set_shift(self, shift: float) -> None:
        """Move the record in time."""
        if shift != self.shift and math.isfinite(shift):
            self.shift = shift
            self._draw_again()
            self.changed.emit()

    def set_ghost(self, on: bool) -> None:
        """Show the measured pose in the view, or not."""
        if on != self.ghost:
            self.ghost = on
            self._follow()
            self.changed.emit()

    def curve(self, name: str, start: float, end: float, most: int) -> tuple[Array, Array]:
        """The times and values of a signal between two simulated times; empty without any."""
        if self.record is None or name not in self.record.names:
            return np.empty(0), np.empty(0)
        column = self.record.names.index(name)
        x, y = self.record.run.curve(column, start - self.shift, end - self.shift, most)
        return x + self.shift, y

    def close(self, timeout: float = 10.0) -> bool:
        """End the threads; returns True if they have ended."""
        return self._background.close(timeout)

    def _show(self, number: int, record: MeasuredCurves, pose: Pose) -> None:
        if number == self._number:
            if self.record is None:
                self.shift = record.begin
                self._say_if_over(record)
            self.record, self.pose, self.remark = record, pose, ""
            self._follow()
            self.changed.emit()

    def _say_if_over(self, record: MeasuredCurves) -> None:
        """Tell why nothing is to be seen, where the simulation is past the record's end."""
        snapshot, end = self._session.snapshot, record.begin + float(record.time[-1])
        if snapshot is not None and snapshot.time > end:
            self._session.status.emit(f"{record.path.name} ends at {end:.4g} s: Reset, or set where it is from, to see it")

    def _refuse(self, why: str, number: int = -1) -> None:
        if number in (-1, self._number):
            self.remark = why
            self._session.status.emit(why)
            self.changed.emit()

    def _show_progress(self, number: int, share: float) -> None:
        if number == self._number and self.record is None:
            self.remark = f"Reading, {100 * share:.0f} %"
            self.changed.emit()

    def _renew(self) -> None:
        """Another model: the record stays as far as that has its signals."""
        record, model = self.record, self._session.loaded_model
        if record is None:
            return
        knows = Catalogue(model).knows
        kept = [k for k, name in enumerate(record.names) if knows(name)]
        if not kept:
            self.close_record()
            return
        if len(kept) < len(record.names):
            record = _curves(record.path, record.time, record.values[:, kept], tuple(record.names[k] for k in kept), record.begin)
        self._number += 1
        number, self.pose = self._number, None
        self._background.run(lambda: Pose(model, record), lambda pose: self._show(number, record, pose))

    def _follow(self) -> None:
        """Follow the simulation while there is a pose to show, and not otherwise."""
        wanted = self.ghost and self.pose is not None and self.pose.measured
        if wanted != self._follows:
            self._follows = wanted
            if wanted:
                self._session.advanced.connect(self._advance)
            else:
                self._session.advanced.disconnect(self._advance)
        self._draw_again()

    def _draw_again(self) -> None:
        self._advance()
        self._session.forces_changed.emit()

    def _advance(self) -> None:
        snapshot, found = self._session.snapshot, None
        if self._follows and self.pose is not None and snapshot is not None:
            colour = theme.colour("good")
            found = self.pose.ghost(snapshot.time - self.shift, snapshot.qpos, (colour.redF(), colour.greenF(), colour.blueF()))
        self._session.extras.measured = () if found is None else (found,)
