"""Readings of one actuator from the live data: its chain, and what its transmission holds."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble import physics
from tumble.physics.query.actuator_chain import (
    ActuatorChain,
    Crank,
    Sticking,
    actuator_chain,
    adhesion_contacts,
    past_controls,
    slider_crank,
)

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

READ_INTERVAL = 0.1  # wall time between two readings while time runs [s]
Floats = NDArray[np.float64]


class ActuatorReading(Struct, frozen=True, eq=False):
    """An actuator at one moment. index: -1 for none; sticking: of adhesion; crank: of a slider-crank; past: of a delay.

    past: times before now [s] and controls; time [s].
    """

    index: int = -1
    chain: ActuatorChain | None = None
    sticking: Sticking | None = None
    crank: Crank | None = None
    past: tuple[Floats, Floats] | None = None
    time: float = 0.0


class ShownActuator(Struct):
    """The newest reading in a snapshot."""

    reading: ActuatorReading = field(default_factory=ActuatorReading)


class ActuatorProbe:
    """Reads the actuator `index` a few times a second, each time while `eager`."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.index = 0
        self.eager = True
        self.taken = 0  # readings so far
        self._now = now
        self._read_at = -READ_INTERVAL
        self._last = ActuatorReading()

    def room(self, model: MjModel, data: MjData) -> ShownActuator:
        return ShownActuator()

    def take(self, model: MjModel, data: MjData, into: ShownActuator) -> None:
        now = self._now()
        due = self.eager or now - self._read_at >= READ_INTERVAL or self._last.index != self.index
        if due and 0 <= self.index < model.nu:
            self._read_at = now
            self.taken += 1
            self._last = read_actuator(model, data, self.index)
        into.reading = self._last


def read_actuator(model: MjModel, data: MjData, index: int) -> ActuatorReading:
    """Contents of the page of an actuator."""
    kind = int(model.actuator_trntype[index])
    return ActuatorReading(
        index, actuator_chain(model, data, index),
        adhesion_contacts(model, data, index) if kind == int(physics.mjtTrn.mjTRN_BODY) else None,
        slider_crank(model, data, index) if kind == int(physics.mjtTrn.mjTRN_SLIDERCRANK) else None,
        past_controls(model, data, index) if int(model.actuator_history[index, 0]) > 0 else None,
        float(data.time),
    )  # fmt: skip


def actuator_of_body(model: MjModel, body: int) -> int:
    """The first actuator that moves a body by one of its own dofs, or that is on it; -1: none."""
    if body <= 0:
        return -1
    first, count = int(model.body_dofadr[body]), int(model.body_dofnum[body])
    target, kind = np.asarray(model.actuator_trnid)[:, 0], np.asarray(model.actuator_trntype)
    joints = np.unique(np.asarray(model.dof_jntid)[first : first + count]) if count else np.zeros(0, int)
    on_joint = np.isin(kind, (int(physics.mjtTrn.mjTRN_JOINT), int(physics.mjtTrn.mjTRN_JOINTINPARENT))) & np.isin(target, joints)
    on_body = (kind == int(physics.mjtTrn.mjTRN_BODY)) & (target == body)
    sites = (kind == int(physics.mjtTrn.mjTRN_SITE)) | (kind == int(physics.mjtTrn.mjTRN_SLIDERCRANK))
    on_site = np.zeros(len(kind), bool)
    on_site[sites] = np.asarray(model.site_bodyid)[target[sites]] == body
    found = np.flatnonzero(on_joint | on_body | on_site)
    return int(found[0]) if len(found) else -1
