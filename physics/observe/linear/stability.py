"""Stability of integrators at a model's time step, from the eigenvalues of the step linearized at the data's state.

A small deviation x of the state (positions along the dofs, velocities, activations) follows x' = F x in continuous time, and
x_next = A x from step to step. The motion itself may be unstable, as a pendulum that stands on its head: its deviations
grow like exp(s t), s the largest real part of the eigenvalues of F. An integrator is called stable at the time step h where
its deviations grow no faster than that but for the second order in h s, and for rounding:
log |eigenvalue of A| <= z + z^2 + _SLACK, where z = max(0, h s).

F is what explicit differences of velocity and position leave: A of the Euler integrator without implicit damping has rows
I + h (acceleration), and positions that follow the new velocity. A of the Runge-Kutta method of a linear system is the
Taylor polynomial of exp(h F) of fourth order; of the others it is measured by finite differences (mjd_transitionFD).

Applied forces hold the state where it is, so that nothing accelerates: while something does, its matrices change from step to
step, and that would count as growth. Contacts, limits and dry friction are left out: each integrator treats them alike, and
where they begin or slip the step has no derivative. Whether they are too stiff for the time step is another question
(app/editing/stiffness.py). Equality constraints are smooth, and stay.
Source: E. Hairer, G. Wanner, Solving ordinary differential equations II, chapter IV.2.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.observe.fork import fork
from tumble.physics.run.differences import mjd_transitionFD
from tumble.physics.run.stepping import mj_forward, mj_inverse, mj_step
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit, mjtEnableBit, mjtIntegrator, mjtSolver
from tumble.physics.state.model import Model

Matrix = NDArray[np.float64]
INTEGRATORS = (
    mjtIntegrator.mjINT_EULER,
    mjtIntegrator.mjINT_RK4,
    mjtIntegrator.mjINT_IMPLICIT,
    mjtIntegrator.mjINT_IMPLICITFAST,
)
_EPS = 1e-6  # rad, m, m/s: deviations of the finite differences
_SLACK = 0.005  # growth of a deviation a step that differences and rounding may seem to cause
_KINKS = int(mjtDisableBit.mjDSBL_CONTACT | mjtDisableBit.mjDSBL_LIMIT | mjtDisableBit.mjDSBL_FRICTIONLOSS)
_HUGE = 600.0  # exponents beyond are cut off, so that numbers stay finite
_PRECISE = 1e-12  # improvement below which the solver stops
_LEAST = 3  # steps of each integrator that are measured at least
_TIMED = 0.02  # s of computing for which the cost of each integrator is measured
MOST = 600  # numbers of the state: beyond, the eigenvalues take seconds


class StepGrowth(Struct, frozen=True):
    """Stability of an integrator at the model's time step.

    growth: factor by which the deviation that grows fastest changes in a step. stable: see the module. cost: of a step [s].
    """

    integrator: mjtIntegrator
    growth: float
    stable: bool
    cost: float


class Stability(Struct, frozen=True):
    """Stability of each integrator in a state.

    used: the model's own. natural: growth of a deviation of the motion itself over a time step, exp(h s).
    """

    timestep: float
    used: mjtIntegrator
    natural: float
    steps: tuple[StepGrowth, ...]

    @property
    def own(self) -> StepGrowth:
        """Result of the model's own integrator."""
        return next(step for step in self.steps if step.integrator == self.used)

    @property
    def stable(self) -> tuple[StepGrowth, ...]:
        """The integrators that are stable, the cheapest first."""
        return tuple(sorted((step for step in self.steps if step.stable), key=lambda step: step.cost))


def analyse_stability(
    m: Model, d: Data, check: Callable[[], None] = lambda: None, integrators: Sequence[mjtIntegrator] = INTEGRATORS
) -> Stability | None:
    """Stability of each integrator at the time step of `m` in the state of `d`, which are unchanged. Sleepers count as awake.

    check: called now and then; it may raise to end the analysis. integrators: those to look at. None without
    dofs, or for a state of more than MOST numbers.
    Raises ModelError for a model with delays, whose state is longer, and where memory is short.
    """
    n = 2 * m.nv + m.na
    if m.nv == 0 or n > MOST:
        return None
    h = float(m.opt.timestep)
    generator = _generator(m, d)
    exponent = min(h * float(np.linalg.eigvals(generator).real.max()), _HUGE)
    ahead = max(0.0, exponent)
    most = math.exp(min(ahead + ahead * ahead + _SLACK, _HUGE))
    steps = []
    for integrator in integrators:
        check()
        if integrator == mjtIntegrator.mjINT_RK4:
            step = _taylor(h * generator)
        else:
            step = _transition(*_smooth(m, d, integrator))
        growth = float(np.abs(np.linalg.eigvals(step)).max())
        steps.append(StepGrowth(integrator, growth, growth <= most, _cost(m, d, integrator)))
    return Stability(h, mjtIntegrator(int(m.opt.integrator)), math.exp(exponent), tuple(steps))


def _smooth(m: Model, d: Data, integrator: mjtIntegrator) -> tuple[Model, Data]:
    """A fork without what has no derivative, whose solver errs by less than the deviations change it; nothing accelerates."""
    solver, iterations = int(mjtSolver.mjSOL_NEWTON), max(int(m.opt.iterations), 100)
    made, data = fork(m, d, integrator=int(integrator), solver=solver, iterations=iterations, tolerance=_PRECISE)
    made.opt.disableflags |= _KINKS
    made.opt.enableflags &= ~int(mjtEnableBit.mjENBL_INVDISCRETE)
    data.qfrc_applied = 0
    data.xfrc_applied = 0
    mj_forward(made, data)
    driven = data.qfrc_actuator.copy()
    data.qacc = 0
    mj_inverse(made, data)
    data.qfrc_applied = data.qfrc_inverse - driven
    return made, data


def _transition(m: Model, d: Data) -> Matrix:
    """A of a step; what is not finite in it counts as huge, so that its eigenvalues exist."""
    n = 2 * m.nv + m.na
    made = np.zeros((n, n))
    mjd_transitionFD(m, d, _EPS, 1, made, None, None, None)
    return np.nan_to_num(made, nan=1e150, posinf=1e150, neginf=-1e150)


def _generator(m: Model, d: Data) -> Matrix:
    """F, from a step of the Euler integrator without implicit damping."""
    plain, data = _smooth(m, d, mjtIntegrator.mjINT_EULER)
    plain.opt.disableflags |= int(mjtDisableBit.mjDSBL_EULERDAMP)
    nv, h = m.nv, float(m.opt.timestep)
    difference = _transition(plain, data)
    difference[np.diag_indices(len(difference))] -= 1.0
    generator = difference / h
    generator[:nv] -= difference[nv : 2 * nv]  # positions follow the new velocity: h times its change is not of F
    return generator


def _taylor(z: Matrix) -> Matrix:
    """I + z + z^2/2 + z^3/6 + z^4/24."""
    total = np.eye(len(z))
    for k in (4, 3, 2, 1):
        total = np.eye(len(z)) + z @ total / k
    return total


def _cost(m: Model, d: Data, integrator: mjtIntegrator) -> float:
    """Time of a step [s], the least of many that begin in the same state; infinite where it cannot be stepped so."""
    if integrator == mjtIntegrator.mjINT_RK4 and m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP:
        return math.inf
    model, data = fork(m, d, integrator=int(integrator))
    mj_step(model, data)  # makes room
    least, taken, end = math.inf, 0, time.perf_counter() + _TIMED
    while taken < _LEAST or time.perf_counter() < end:  # more than one: the computer may do something else in between
        start = time.perf_counter()
        mj_step(model, data)
        least, taken = min(least, time.perf_counter() - start), taken + 1
    return least
