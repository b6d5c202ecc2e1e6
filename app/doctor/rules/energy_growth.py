"""Rule energy-grows: energy that no actuator, and nothing else of the model, gave."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity
from tumble.physics import MjData, MjModel
from tumble.physics.dynamics.energy import energy_pos, energy_vel

GROWS = 0.05  # share of the energy that is about by which it may grow


class _Energy:
    """Potential and kinetic energy over a run, and the work of what drives it.

    After a step the poses are those at its beginning: their potential energy goes with the velocities that were there then.
    """

    def __init__(self, case: Examination) -> None:
        self._case, self._work, self._scale = case, 0.0, 0.0
        self._velocity = np.array(case.start.qvel)
        self._kinetic = _kinetic(case.model, case.start)
        self._first = self._last = _potential(case.model, case.start) + self._kinetic
        self._driven = bool(case.model.nmocap) or bool(np.any(case.model.opt.wind)) or case.model.nplugin > 0

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        if self._driven:
            return
        potential = _potential(model, data)
        self._last = potential + self._kinetic - self._work
        self._scale = max(self._scale, self._kinetic, abs(potential - self._first))
        force = np.asarray(data.qfrc_actuator) + np.asarray(data.qfrc_applied) + np.asarray(data.qfrc_gravcomp)
        self._work += 0.5 * float(model.opt.timestep) * float(force @ (self._velocity + data.qvel))
        self._velocity[:], self._kinetic = data.qvel, _kinetic(model, data)

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case, gained = self._case, self._last - self._first
        if not self._driven and np.isfinite(gained) and gained > GROWS * self._scale and gained > 1e-6:
            yield Finding(
                RULE.id, Severity.WARNING,
                f"the energy grew by {gained:.3g} J in {float(case.data.time):g} s, beyond the work of actuators "
                f"({self._work:.3g} J)",
                "The time step, an overlap at the start or a stiff constraint feeds it.", (),
                {"gained": gained, "work": self._work, "kinetic": self._scale}, time=float(case.data.time),
            )  # fmt: skip


def _potential(model: MjModel, data: MjData) -> float:
    energy_pos(model, data)
    return float(data.energy[0])


def _kinetic(model: MjModel, data: MjData) -> float:
    energy_vel(model, data)
    return float(data.energy[1])


RULE = DoctorRule(
    "energy-grows", "Energy that nothing gave",
    "Without actuators, applied forces and wind the sum of kinetic and potential energy can only fall, by damping and "
    "friction. What it gains comes from the integrator or from constraints that began violated.",
    observe=_Energy,
)  # fmt: skip
