"""The balance of energy over a run: what is about, what drives gave, and what nothing gave.

Without actuators, applied forces and wind the sum of kinetic and potential energy can only fall, by damping and friction. What it
gains beyond the work of forces comes from the integrator or from constraints that began violated.
"""

from __future__ import annotations

import numpy as np

from tumble.physics.dynamics.energy import energy_pos, energy_vel
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtIntegrator
from tumble.physics.state.model import Model


class EnergyBalance:
    """Potential and kinetic energy over a run, and the work of actuators, applied forces and gravity compensation.

    known: False where something gives energy that is not counted (mocap bodies, wind, plugins); work [J]: of what drives;
    scale [J]: most that was about, kinetic or as a change of potential energy; gained [J]: beyond the work, since the start.

    After a step the poses are those at its beginning: their potential energy goes with the velocities that were there then. The
    Runge-Kutta method leaves those of its last stage, which are those at the end but for the third order of the step.
    """

    def __init__(self, m: Model, d: Data) -> None:
        """d: before the first step that is looked at."""
        self.known = not (bool(m.nmocap) or bool(np.any(m.opt.wind)) or m.nplugin > 0)
        self.work, self.scale = 0.0, 0.0
        self._ahead = int(m.opt.integrator) == int(mjtIntegrator.mjINT_RK4)
        self._velocity = np.array(d.qvel)
        self._kinetic = _kinetic(m, d)
        self._first: float | None = None
        self._last = self._rest = 0.0

    @property
    def gained(self) -> float:
        """Energy beyond that of the start and the work [J]."""
        return 0.0 if self._first is None else self._last - self._first

    def look(self, m: Model, d: Data) -> None:
        """Take in the step that was just taken."""
        if not self.known:
            return
        force = np.asarray(d.qfrc_actuator) + np.asarray(d.qfrc_applied) + np.asarray(d.qfrc_gravcomp)
        work = 0.5 * float(m.opt.timestep) * float(force @ (self._velocity + d.qvel))
        potential, kinetic = _potential(m, d), _kinetic(m, d)
        if self._ahead:
            self._take(potential, kinetic, 0.0 if self._first is None else work)
        else:
            self._take(potential, self._kinetic, 0.0)
            self.work += work
        self._velocity[:], self._kinetic = d.qvel, kinetic

    def _take(self, potential: float, kinetic: float, work: float) -> None:
        """Energies of one moment, and the work since the last one."""
        self.work += work
        if self._first is None:
            self._first, self._rest = potential + kinetic, potential
        self._last = potential + kinetic - self.work
        self.scale = max(self.scale, kinetic, abs(potential - self._rest))


def _potential(m: Model, d: Data) -> float:
    energy_pos(m, d)
    return float(d.energy[0])


def _kinetic(m: Model, d: Data) -> float:
    energy_vel(m, d)
    return float(d.energy[1])
