"""The controls of a study as arrays: what each actuator is given in each step."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.replay.replay_file import load
from tumble.app.replay.state import INPUT, SPEC, ReplayError
from tumble.app.simulation.generators import Generator, NoisePath, Shape
from tumble.app.study.measured_csv import check_times, read_columns
from tumble.app.study.study_file import Control, Played, StudyError, Table
from tumble.physics.state.components import parts_of
from tumble.physics.state.named import KINDS, names_of

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[np.float64]
T = TypeVar("T", bound=Struct)

_ACTUATOR = next(kind for kind in KINDS.values() if kind.prefix == "actuator")


class Constant(Struct, frozen=True):
    """One value throughout."""

    value: float

    def at(self, time: Array, timestep: float) -> Array:
        """Controls (n,) at times (n,) [s] of steps of this length [s]."""
        return np.full(len(time), self.value)


class Interpolated(Struct, frozen=True):
    """Between rows (times [s], values) in proportion."""

    time: Array
    values: Array

    def at(self, time: Array, timestep: float) -> Array:
        """As Constant.at."""
        return np.interp(time, self.time, self.values)


class Waves(Struct, frozen=True):
    """As a signal generator of an actuator."""

    generator: Generator
    actuator: int

    def at(self, time: Array, timestep: float) -> Array:
        """As Constant.at."""
        wave = self.generator
        noise = NoisePath(wave.seed, self.actuator, timestep, wave.memory) if wave.shape is Shape.NOISE else None
        return np.array([wave.value(t, noise.at(k) if noise else 0.0) for k, t in enumerate(time.tolist())])


class Controls(Struct, frozen=True):
    """Controls of a model: courses of some actuators; others are as at the start, or as in a replay: played (steps, nu)."""

    courses: dict[int, Constant | Interpolated | Waves]
    played: Array | None

    def over(self, model: MjModel, steps: int, otherwise: Array) -> Array:
        """Controls (steps, nu) of a run, or (1, nu) where they stay; otherwise (nu,): of actuators that nothing drives."""
        if not self.courses and self.played is None:
            return otherwise[None]
        timestep = float(model.opt.timestep)
        time = np.asarray(np.arange(steps) * timestep, np.float64)
        ctrl = np.tile(otherwise, (steps, 1))
        if self.played is not None:
            ctrl[:] = self.played[np.minimum(np.arange(steps), len(self.played) - 1)]
        for actuator, course in self.courses.items():
            ctrl[:, actuator] = course.at(time, timestep)
            if model.actuator_ctrllimited[actuator]:
                ctrl[:, actuator] = np.clip(ctrl[:, actuator], *model.actuator_ctrlrange[actuator])
        return ctrl


def read(controls: Mapping[str, Control], model: MjModel, folder: Path, seed: int) -> Controls:
    """The controls of a study, whose files lie in `folder`. Raises StudyError."""
    names = names_of(model, _ACTUATOR)
    courses: dict[int, Constant | Interpolated | Waves] = {}
    played = None
    for pattern, control in controls.items():
        chosen = [k for k, name in enumerate(names) if fnmatchcase(name, pattern)]
        if not chosen and pattern.isdecimal() and int(pattern) < model.nu:
            chosen = [int(pattern)]
        if not chosen:
            raise StudyError(f"controls: there is no actuator {pattern!r}; there are {', '.join(filter(None, names)) or 'none'}")
        if isinstance(control, dict) and "replay" in control:
            played = _played(_table(Played, control, pattern).replay, folder, model)
            continue
        for k in chosen:
            courses[k] = _course(control, pattern, folder, seed, k)
    return Controls(courses, played)


def _table(kind: type[T], control: dict[str, object], pattern: str) -> T:
    try:
        return msgspec.convert(control, kind)
    except msgspec.ValidationError as error:
        raise StudyError(f"controls.{pattern}: {error}; a control is a number, a shape, a csv or a replay") from error


def _course(control: Control, pattern: str, folder: Path, seed: int, actuator: int) -> Constant | Interpolated | Waves:
    if not isinstance(control, dict):
        return Constant(float(control))
    if "csv" in control:
        table = _table(Table, control, pattern)
        time, values = _columns(folder / table.csv, table)
        return Interpolated(time + table.shift, values)
    shapes = {shape.value.lower(): shape.value for shape in Shape}
    if control.get("shape") not in shapes or "seed" in control:
        why = "the seed is that of the study" if "seed" in control else f"{control.get('shape')!r} is no shape"
        raise StudyError(f"controls.{pattern}: {why}; valid are {', '.join(shapes)}")
    words = {**control, "shape": shapes[str(control["shape"])], "seed": seed}
    return Waves(_table(Generator, words, pattern), actuator)


def _columns(path: Path, table: Table) -> tuple[Array, Array]:
    """Times and values of a CSV file with a head. Raises StudyError."""
    _, numbers = read_columns(path, lambda head: [table.time, table.column])
    if not len(numbers):
        raise StudyError(f"{path}: has no rows")
    holes = np.flatnonzero(~np.isfinite(numbers).all(axis=1))
    if holes.size:
        raise StudyError(f"{path}:{holes[0] + 2}: {table.column} is no finite number: a control has to be known at all times")
    check_times(numbers[:, 0], path)
    return numbers[:, 0], numbers[:, 1]


def _played(name: str, folder: Path, model: MjModel) -> Array:
    """The controls before each step of a replay (steps, nu). Raises StudyError."""
    try:
        line = load(folder / name).timeline
    except ReplayError as error:
        raise StudyError(f"controls: {error}") from error
    own = dict(parts_of(model, INPUT)).get("ctrl", slice(0, 0))
    first = dict(parts_of(model, SPEC)).get("ctrl", slice(0, 0))
    if own.stop - own.start != model.nu or line.jump_values.ndim != 2 or line.jump_values.shape[1] < first.stop:
        raise StudyError(f"controls: {name} was recorded with another model")
    ctrl = np.full((line.steps, model.nu), np.nan)
    ctrl[0] = line.jump_values[0, first]
    for step, values in zip(line.jump_step.tolist(), line.jump_values, strict=True):
        if step < line.steps:
            ctrl[step] = values[first]
    steps, index, value = (line.inputs[key] for key in ("step", "index", "value"))
    for at in np.flatnonzero((index >= own.start) & (index < own.stop) & (steps < line.steps)).tolist():
        ctrl[steps[at], index[at] - own.start] = value[at]
    kept = np.maximum.accumulate(np.where(np.isnan(ctrl), 0, np.arange(line.steps)[:, None]), axis=0)
    return np.take_along_axis(ctrl, kept, axis=0)
