"""The balance of energy over a run: what is about, what drives gave, and what nothing gave.

Without actuators, applied forces and wind the sum of kinetic and potential energy can only fall, by damping and friction. What it
gains beyond the work of forces comes from the integrator or from constraints that began violated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.dynamics.derivative.smooth import force_slope
from tumble.physics.dynamics.energy import energy_pos, energy_vel
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtBias, mjtDisableBit, mjtGain, mjtIntegrator
from tumble.physics.state.model import Model

_IMPLICIT = (int(mjtIntegrator.mjINT_IMPLICIT), int(mjtIntegrator.mjINT_IMPLICITFAST))


class EnergyBalance:
    """Potential and kinetic energy over a run, and the work of actuators, applied forces and gravity compensation.

    known: False where something gives energy that is not counted (mocap bodies, wind, plugins); work [J]: of what drives;
    scale [J]: most that was about, kinetic or as a change of potential energy; gained [J]: beyond the work, since the start.

    After a step the poses are those at its beginning: their potential energy goes with the velocities that were there then. The
    Runge-Kutta method leaves those of its last stage, which are those at the end but for the third order of the step.

    The implicit integrators let the forces of actuators follow the velocity v over the step: from (M - h D) dv = h f the momentum
    changes by h (f + D dv), D = J' s J, s the slopes of the forces by their velocities. The work counts that force: f alone would
    brake a stiff servo far more than the step does, and what it seemed to take would look like a gain.
    """

    def __init__(self, m: Model, d: Data) -> None:
        """d: before the first step that is looked at."""
        self.known = not (bool(m.nmocap) or bool(np.any(m.opt.wind)) or m.nplugin > 0)
        self.work, self.scale = 0.0, 0.0
        self._ahead = int(m.opt.integrator) == int(mjtIntegrator.mjINT_RK4)
        self._sloped = _sloped(m)
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
        work = 0.5 * float(m.opt.timestep) * (float(force @ (self._velocity + d.qvel)) + self._following(m, d))
        potential, kinetic = _potential(m, d), _kinetic(m, d)
        if self._ahead:
            self._take(potential, kinetic, 0.0 if self._first is None else work)
        else:
            self._take(potential, self._kinetic, 0.0)
            self.work += work
        self._velocity[:], self._kinetic = d.qvel, kinetic

    def _following(self, m: Model, d: Data) -> float:
        """Twice the power of what the forces of actuators change over the step, where it is implicit [W]."""
        if not len(self._sloped):
            return 0.0
        slopes = np.array([force_slope(m, d, k) for k in self._sloped.tolist()])
        before, after = (_lengthening(m, d, velocity)[self._sloped] for velocity in (self._velocity, np.asarray(d.qvel)))
        return float(slopes @ ((after - before) * (after + before)))

    def _take(self, potential: float, kinetic: float, work: float) -> None:
        """Energies of one moment, and the work since the last one."""
        self.work += work
        if self._first is None:
            self._first, self._rest = potential + kinetic, potential
        self._last = potential + kinetic - self.work
        self.scale = max(self.scale, kinetic, abs(potential - self._rest))


def _sloped(m: Model) -> NDArray[np.int64]:
    """Actuators whose force depends on velocity and follows it over a step."""
    if int(m.opt.integrator) not in _IMPLICIT or m.opt.disableflags & mjtDisableBit.mjDSBL_ACTUATION:
        return np.zeros(0, np.int64)
    by_bias = (np.asarray(m.actuator_biastype) == mjtBias.mjBIAS_AFFINE) & (np.asarray(m.actuator_biasprm)[:, 2] != 0)
    by_gain = (np.asarray(m.actuator_gaintype) == mjtGain.mjGAIN_AFFINE) & (np.asarray(m.actuator_gainprm)[:, 2] != 0)
    return np.flatnonzero(by_bias | by_gain | (np.asarray(m.actuator_gaintype) == mjtGain.mjGAIN_MUSCLE))


def _lengthening(m: Model, d: Data, velocity: NDArray[Any]) -> NDArray[np.float64]:
    """Velocities of the actuators (nu,) at velocities of the dofs (nv,), with the present moment arms."""
    counts = np.asarray(d.moment_rownnz)
    rows, total = np.repeat(np.arange(m.nu), counts), int(counts.sum())
    moved = np.ravel(d.actuator_moment)[:total] * velocity[np.asarray(d.moment_colind)[:total]]
    return np.bincount(rows, moved, m.nu).astype(float)


def _potential(m: Model, d: Data) -> float:
    energy_pos(m, d)
    return float(d.energy[0])


def _kinetic(m: Model, d: Data) -> float:
    energy_vel(m, d)
    return float(d.energy[1])
