"""Measures of a run that several rules predict."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from tumble import physics
from tumble.app.doctor.finding import Measure
from tumble.app.editing.dampers import dampers
from tumble.app.editing.stiffness import ElementAt, StiffnessWatch, servos
from tumble.physics import MjData, MjModel

_BAD = [int(physics.mjtWarning[name]) for name in ("mjWARN_BADQPOS", "mjWARN_BADQVEL", "mjWARN_BADQACC")]


def depth_at_rest(pair: tuple[int, int]) -> Measure:
    """How deep two geoms lie in each other at the end of a run [m]; 0 where they do not touch."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        depth = 0.0
        for data in steps:
            depth = _depth(data, pair)
        return depth

    return Measure("depth at rest", "m", of)


def _depth(data: MjData, pair: tuple[int, int]) -> float:
    geoms = np.asarray(data.contact_geom)[: data.ncon]
    ours = (geoms == pair).all(1) | (geoms == pair[::-1]).all(1)
    return float((-np.asarray(data.contact_dist)[: data.ncon])[ours].max(initial=0.0))


def diverges() -> Measure:
    """1 for a run in which a position, velocity or acceleration becomes huge or not a number, else 0."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        first: int | None = None
        for data in steps:
            count = resets(data)
            first = count if first is None else first
            if count > first or not np.isfinite(data.qvel).all():
                return 1.0
        return 0.0

    return Measure("divergence of the run", "", of)


def resets(data: MjData) -> int:
    """The number of times that a state became huge or not a number."""
    return int(np.asarray(data.warning.number)[_BAD].sum())


def servo_share(element: ElementAt, name: str) -> Measure:
    """Share of stability of a servo or spring at the end of a run; 0 where there is none."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        data = _last(steps)
        return 0.0 if data is None else next((s.share for s in servos(model, data) if s.element == element), 0.0)

    return Measure(f"share of stability of {name}", "", of)


def damper_share(element: ElementAt, name: str) -> Measure:
    """Share of stability of a damper that is taken explicitly at the end of a run; 0 where there is none."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        data = _last(steps)
        return 0.0 if data is None else next((s.share for s in dampers(model, data) if s.element == element), 0.0)

    return Measure(f"share of stability of {name}", "", of)


def constraint_share(kind: str) -> Measure:
    """The largest share of stability over a run of the constraints of a kind, as in `StiffnessWatch.groups`."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        watch = StiffnessWatch(1)
        for data in steps:
            watch.look(model, data)
        return watch.groups[kind].share if kind in watch.groups else 0.0

    return Measure(f"largest share of stability of a {kind}", "", of)


def actuator_offset(actuator: int, target: float) -> Measure:
    """Distance of an actuator's length from a target at the end of a run [m or rad]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        data = _last(steps)
        return 0.0 if data is None else abs(float(data.actuator_length[actuator]) - target)

    return Measure("distance from the target after the run", "m or rad", of)


def actuator_speed(actuator: int) -> Measure:
    """Speed of an actuator's length at the end of a run [m/s or rad/s]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        data = _last(steps)
        return 0.0 if data is None else abs(float(data.actuator_velocity[actuator]))

    return Measure("speed after the run", "m/s or rad/s", of)


def ringing(actuator: int, seconds: float) -> Measure:
    """Length [m or rad] between the extremes of an actuator's motion over the last part of a run, `seconds` long."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        lengths: deque[float] = deque(maxlen=max(2, round(seconds / float(model.opt.timestep))))
        for data in steps:
            lengths.append(float(data.actuator_length[actuator]))
        return max(lengths) - min(lengths) if lengths else 0.0

    return Measure("swing at the end of the run", "m or rad", of)


def _last(steps: Iterator[MjData]) -> MjData | None:
    """The data after the last step of a run."""
    last = deque(steps, maxlen=1)
    return last[0] if last else None
