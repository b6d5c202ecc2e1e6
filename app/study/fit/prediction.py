"""Windows simulated with some values of the unknowns, and how far they are from what was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.replay.bundle import LoadError
from tumble.app.study.fit.fit_section import FitSection
from tumble.app.study.fit.pieces import Piece, PieceLayout, measured_states
from tumble.app.study.fit.records import MeasuredRecord, corrected
from tumble.app.study.fit.unknowns import Unknowns
from tumble.app.study.study_file import StudyError
from tumble.physics.errors import PhysicsError
from tumble.physics.run.program import bind
from tumble.physics.run.rollout import Roller, RolloutBatch
from tumble.physics.state.enums import mjtState

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[np.float64]

MOST_NUMBERS = 2**26  # of all states of the windows
_CTRL = int(mjtState.mjSTATE_CTRL)
_FAR = 1e6  # difference, in deviations, of a simulation that blew up


class Predicted(Struct, frozen=True):
    """Windows (w), rows (r, padded), outputs (o): what was simulated, and measured; nan where nothing was.

    time (w, r), from each window's beginning, which begins (w,) has in the record's time [s].
    """

    simulated: Array
    measured: Array
    time: Array
    begins: Array

    @property
    def difference(self) -> Array:
        """Simulated less measured (w, r, o), quaternions on the same side."""
        return self.simulated - self.measured


class Predictor:
    """Simulates the windows of records."""

    def __init__(
        self, unknowns: Unknowns, layout: PieceLayout, records: Sequence[MeasuredRecord], windows: Sequence[Piece],
        fit: FitSection, base: Array,
    ) -> None:  # fmt: skip
        """base: the full state in which windows begin as far as nothing is measured."""
        self._unknowns, self._layout, self._fit, self._base = unknowns, layout, fit, base
        self.records = records
        self.windows = list(windows)
        self.rows = max(piece.last - piece.first + 1 for piece in windows)
        self.outputs = len(layout.outputs)
        self.time = np.full((len(windows), self.rows), np.nan)
        for w, piece in enumerate(windows):
            time = records[piece.record].time[piece.first : piece.last + 1]
            self.time[w, : len(time)] = time - time[0]
        self.begins = np.array([records[piece.record].time[piece.first] for piece in windows])
        self.seconds = float(np.nanmax(self.time))
        start = self._measurement(unknowns.changes(unknowns.start))
        self._fixed = None if fit.unknowns else start
        self.compared = int(np.isfinite(start[0][:, 1:]).sum())  # numbers that are compared

    def predict(self, shares: Array, states: Array | None = None) -> Predicted:
        """The windows with values of the unknowns; states (w, 2 nv): corrections of their beginnings, positions and velocities.

        A model that cannot be compiled, and a simulation that blows up, are far from everything.
        """
        measured, starts, inputs = self._fixed or self._measurement(self._unknowns.changes(shares))
        try:
            model = self._unknowns.model(shares)
            simulated = self._simulated(model, self._moved(model, starts, states), inputs)
        except (LoadError, PhysicsError):
            simulated = np.full_like(measured, math.inf)
        for four in self._layout.quaternions:
            same = np.sum(simulated[..., four] * np.nan_to_num(measured[..., four]), axis=-1, keepdims=True)
            simulated[..., four] *= np.where(same < 0, -1.0, 1.0)
        return Predicted(np.where(np.isfinite(simulated), simulated, _FAR), measured, self.time, self.begins)

    # ---- what was measured

    def _measurement(self, changes: dict[tuple[str, str], float]) -> tuple[Array, Array, list[tuple[Array, Array]]]:
        """Outputs (w, r, o), the states in which windows begin (w, n), and of each window its record's times and inputs."""
        model, names = self._unknowns.base, list(self._layout.outputs)
        measured = np.full((len(self.windows), self.rows, self.outputs), np.nan)
        starts = np.empty((len(self.windows), len(self._base)))
        tables = []
        for number, record in enumerate(self.records):
            chosen = [w for w, piece in enumerate(self.windows) if piece.record == number]
            values = np.stack([corrected(record, name, changes) for name in names], axis=1)
            driven = [corrected(record, name, changes) for name in self._layout.inputs]
            tables.append((record.time, np.stack(driven, axis=1) if driven else np.empty((len(record.time), 0))))
            first = np.array([self.windows[w].first for w in chosen], int)
            if first.size:
                starts[chosen] = measured_states(model, self._layout, self._base, values, record.time, first)
            for w in chosen:
                piece = self.windows[w]
                measured[w, : piece.last - piece.first + 1] = values[piece.first : piece.last + 1]
        return measured, starts, tables

    def _moved(self, model: MjModel, starts: Array, states: Array | None) -> Array:
        """Beginnings with their corrections, positions along the dofs."""
        if states is None:
            return starts
        moved, nq, nv = starts.copy(), model.nq, model.nv
        for w in range(len(moved)):
            qpos = moved[w, 1 : 1 + nq].copy()
            physics.mj_integratePos(model, qpos, np.ascontiguousarray(states[w, :nv]), 1.0)
            moved[w, 1 : 1 + nq] = qpos
            moved[w, 1 + nq : 1 + nq + nv] += states[w, nv:]
        return moved

    # ---- simulation

    def _simulated(self, model: MjModel, starts: Array, tables: list[tuple[Array, Array]]) -> Array:
        """Outputs (w, r, o) at the measured times, between steps in proportion."""
        timestep = float(model.opt.timestep)
        steps = max(1, math.ceil(self.seconds / timestep - 1e-9))
        size = starts.shape[1]
        if len(starts) * (steps + 1) * (size + model.nu + model.nsensordata) > MOST_NUMBERS:
            many = f"{len(starts)} windows of {steps} steps"
            raise StudyError(f"{many} do not fit in memory: use shorter ones, or a longer timestep")
        states = np.empty((len(starts), steps, size))
        read = self._layout.columns(model, "sensordata")[0].size > 0
        readings = np.empty((len(starts), steps, model.nsensordata)) if read else None
        controls = self._controls(model, steps, timestep, tables)
        bind(model)
        batch = RolloutBatch(len(starts), steps, np.ascontiguousarray(starts), controls, _CTRL, None, states, readings)
        Roller(physics.MjData(model), batch).roll(model, 0, len(starts))
        states = np.concatenate([starts[:, None], states], axis=1)
        return self._at_rows(model, states, readings, timestep)

    def _controls(self, model: MjModel, steps: int, timestep: float, tables: list[tuple[Array, Array]]) -> Array | None:
        """Controls (w, steps, nu) from the measured inputs."""
        if not self._layout.inputs:
            return None
        controls = np.zeros((len(self.windows), steps, model.nu))
        places = [place.index for place in self._layout.inputs.values()]
        for w, piece in enumerate(self.windows):
            time, values = tables[piece.record]
            at = time[piece.first] + timestep * np.arange(steps)
            for k, place in enumerate(places):
                controls[w, :, place] = np.interp(at, time, values[:, k])
        return controls

    def _at_rows(self, model: MjModel, states: Array, readings: Array | None, timestep: float) -> Array:
        at = np.nan_to_num(self.time) / timestep
        result = np.empty((len(states), self.rows, self.outputs))
        for field, begin in (("qpos", 1), ("qvel", 1 + model.nq), ("act", 1 + model.nq + model.nv)):
            numbers, places = self._layout.columns(model, field)
            if numbers.size:
                result[..., numbers] = _between(states[..., begin + places], at)
        numbers, places = self._layout.columns(model, "sensordata")
        if readings is not None:  # of a step are those of the state that it begins in
            result[..., numbers] = _between(readings[..., places], at)
        return result


def _between(values: Array, at: Array) -> Array:
    """Values (w, steps, k) at (w, r) in steps, in proportion: (w, r, k)."""
    low = np.clip(at.astype(int), 0, values.shape[1] - 1)
    high = np.minimum(low + 1, values.shape[1] - 1)
    share = (at - low)[..., None]
    row = np.arange(len(values))[:, None]
    return np.asarray(values[row, low] * (1 - share) + values[row, high] * share)

