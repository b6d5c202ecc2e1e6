"""Forces that the user applies: on bodies at a point, on dofs, constant or waves of simulated time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.simulation.generators import Generator, GeneratorDriver
from tumble.physics.query.motion import wrench_about_centre

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Triple = tuple[float, float, float]
ZERO: Triple = (0.0, 0.0, 0.0)


class BodyForce(Struct, frozen=True):
    """A force [N] at a point of a body's frame [m] and a moment [N m], both along the world's axes or the body's.

    factor: multiplies both as time passes; None: they are constant.
    """

    body: int
    force: Triple = ZERO
    moment: Triple = ZERO
    point: Triple = ZERO
    turns: bool = False  # with the body
    factor: Generator | None = None


class DofForce(Struct, frozen=True):
    """A force [N] or torque [N m] along a dof. factor: as of BodyForce."""

    dof: int
    force: float = 0.0
    factor: Generator | None = None


AppliedForce = BodyForce | DofForce


class ForceDriver:
    """Writes the rows of xfrc_applied and the numbers of qfrc_applied that have forces; belongs to the simulation thread."""

    def __init__(self, forces: Sequence[AppliedForce]) -> None:
        self._forces = tuple(forces)
        self._data: MjData | None = None
        self._factors = GeneratorDriver({k: one.factor for k, one in enumerate(forces) if one.factor is not None})
        self._rows: dict[int, NDArray[np.float64]] = {}

    def begin(self, model: MjModel, data: MjData) -> None:
        """Write the forces of this moment, so that they are seen while the simulation is paused."""
        self.write_inputs(model, data)

    def write_inputs(self, model: MjModel, data: MjData) -> None:
        """Write the forces of the step that is about to be taken."""
        self._data = data
        self._rows.clear()
        dofs: dict[int, float] = {}
        factors = self._factors.values(float(data.time), float(model.opt.timestep))
        for k, one in enumerate(self._forces):
            factor = factors.get(k, 1.0)
            if isinstance(one, DofForce):
                dofs[one.dof] = dofs.get(one.dof, 0.0) + factor * one.force
            else:
                wrench = factor * wrench_about_centre(data, one.body, one.force, one.moment, one.point, turns=one.turns)
                self._rows[one.body] = self._rows.get(one.body, 0.0) + wrench
        for body, row in self._rows.items():
            data.xfrc_applied[body] = row
        for dof, force in dofs.items():
            data.qfrc_applied[dof] = force

    def on_body(self, body: int) -> NDArray[np.float64] | float:
        """The wrench (6,) that the last write put on a body; 0: none."""
        return self._rows.get(body, 0.0)

    def end(self) -> None:
        """Take the forces away."""
        if self._data is None:
            return
        for one in self._forces:
            if isinstance(one, DofForce):
                self._data.qfrc_applied[one.dof] = 0.0
            else:
                self._data.xfrc_applied[one.body] = 0.0
