"""A step linearized about a state: its poles, how each moves the model, and the controller that keeps the state at least cost.

    linear = linearize(m, d)
    for mode in modes(linear): print(mode.frequency, mode.damping)
    regulator = regulate(m, d, RegulatorWeights())

A deviation x of the state (positions along the dofs, velocities, activations) and u of the controls become x' = A x + B u in a
step (mjd_transitionFD), contacts and limits as they are in this state. A pole z, an eigenvalue of A, multiplies the deviation of
its mode in each step of h seconds: in continuous time exp(s t), s = log(z) / h. It grows where |z| > 1. Frequency is
|s| / 2 pi and the damping ratio -Re(s) / |s|, as of a mass on a spring.
Sources: G. F. Franklin, J. D. Powell, M. L. Workman, Digital control of dynamic systems, chapters 2 and 9;
B. D. O. Anderson, J. B. Moore, Optimal control: linear quadratic methods, chapter 2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.errors import ModelError
from tumble.physics.observe.fork import fork
from tumble.physics.query.motion import mj_differentiatePos
from tumble.physics.run.differences import mjd_transitionFD
from tumble.physics.run.stepping import mj_forward, mj_step
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

Matrix = NDArray[np.float64]
Complex = NDArray[Any]
_EPS = 1e-6  # rad, m, m/s: deviations of the finite differences
MOST = 600  # numbers of the state: beyond, the eigenvalues take seconds
ON_CIRCLE = 1e-6  # growth in a step that differences and rounding may cause: a double pole at 1 splits by the root of theirs
_REACHED = 1e-8  # share of a mode that controls move, below which they do not
_STILL = 1e-12  # |s| h of a pole that counts as being at 1
_RIDGE = 1e-12  # of the largest singular value of B: motions that controls hold by rounding alone


class Linearization(Struct, frozen=True, eq=False):
    """A step about a state. A (nx, nx), B (nx, nu): nx = 2 nv + na; drift (nx,): of the state itself in the step.

    nv: dofs; timestep [s].
    """

    A: Matrix
    B: Matrix
    drift: Matrix
    nv: int
    timestep: float


class Mode(Struct, frozen=True, eq=False):
    """A pole, or a pair of conjugate ones. pole: with imaginary part >= 0; rate: s [1/s]; frequency [Hz]; damping [1].

    shape (nx,): the deviation; share (nv,): how much of the mode each dof carries, of position and velocity, at most 1;
    reached: whether controls move it.
    """

    pole: complex
    rate: complex
    frequency: float
    damping: float
    shape: Complex
    share: Matrix
    reached: bool

    @property
    def grows(self) -> bool:
        """True if the deviation grows, beyond what rounding may cause."""
        return abs(self.pole) > 1.0 + ON_CIRCLE

    @property
    def marginal(self) -> bool:
        """True if it neither grows nor decays."""
        return abs(abs(self.pole) - 1.0) <= ON_CIRCLE


class RegulatorWeights(Struct, frozen=True):
    """Costs of a step. position: of a deviation along each dof [1/rad^2 or 1/m^2]; velocity [s^2/rad^2]; control: of each."""

    position: float = 10.0
    velocity: float = 1.0
    control: float = 1.0


class Regulator(Struct, frozen=True, eq=False):
    """ctrl = hold - gain @ x, x the deviation from qpos, standing still, and act.

    gain (nu, nx); hold (nu,): controls that keep the state, as far as controls can; left: speed that the state gains in a
    step of itself nevertheless, at most [m/s or rad/s]; growth: |pole| of the slowest mode with it.
    """

    gain: Matrix
    hold: Matrix
    qpos: Matrix
    act: Matrix
    left: float
    growth: float


def linearize(m: Model, d: Data) -> Linearization:
    """Linearize the step of `m` in the state of `d`; both stay as they are. Sleepers count as awake.

    Raises ModelError for integrator RK4, for a model with delays, for one without dofs or with a state of more than MOST
    numbers, where numbers are not finite, and where memory is short.
    """
    nx = 2 * int(m.nv) + int(m.na)
    if m.nv == 0:
        raise ModelError("nothing here can move: the model has no dofs")
    if nx > MOST:
        raise ModelError(f"its state has {nx} numbers, more than {MOST}: poles of it would take too long")
    other, data = fork(m, d)
    A, B = np.zeros((nx, nx)), np.zeros((nx, int(m.nu)))
    mjd_transitionFD(other, data, _EPS, 1, A, B, None, None)
    if not (np.isfinite(A).all() and np.isfinite(B).all()):
        raise ModelError("the derivatives of the step are not finite in this state")
    return Linearization(A, B, _drift(other, data), int(m.nv), float(m.opt.timestep))


def _drift(m: Model, d: Data) -> Matrix:
    """Change of the state in a step (nx,)."""
    qpos, qvel, act = d.qpos.copy(), d.qvel.copy(), d.act.copy()
    mj_step(m, d)
    moved = np.zeros(m.nv)
    mj_differentiatePos(m, moved, 1.0, qpos, d.qpos)
    return np.concatenate([moved, d.qvel - qvel, d.act - act])


def modes(linear: Linearization) -> list[Mode]:
    """The poles by how much they grow, the fastest first. Raises LinAlgError where eigenvalues do not converge."""
    pole, right = np.linalg.eig(linear.A)
    other, left = np.linalg.eig(linear.A.T)
    nv = linear.nv
    found = []
    for k in sorted(np.flatnonzero(pole.imag >= 0.0), key=lambda k: -abs(pole[k])):
        z, vector = complex(pole[k]), right[:, k]
        row = left[:, np.argmin(abs(other - pole[k]))]
        rate = np.log(z) / linear.timestep if z != 0 else complex(-math.inf)
        size = abs(rate)
        still = size * linear.timestep < _STILL
        product = abs(row * vector)
        share = product[:nv] + product[nv : 2 * nv]
        push = abs(row @ linear.B).max(initial=0.0)
        found.append(Mode(
            z, complex(rate), 0.0 if still else size / (2 * math.pi),
            1.0 if still or not math.isfinite(size) else float(-rate.real / size), vector,
            share / max(float(share.max()), 1e-300), bool(push > _REACHED * max(abs(linear.B).max(initial=0.0), 1e-300)),
        ))  # fmt: skip
    return found


def regulate(m: Model, d: Data, weights: RegulatorWeights) -> Regulator:
    """The linear quadratic regulator about the position of `d`, standing still; both stay as they are.

    Controls first are those that hold the state best, by the derivative of the step at the present ones. Raises ModelError as
    `linearize`, without actuators, for weights that are not positive, and where a growing mode is beyond the controls.
    """
    if m.nu == 0:
        raise ModelError("the model has no actuators that a regulator could drive")
    if not all(math.isfinite(w) and w > 0 for w in (weights.position, weights.velocity, weights.control)):
        raise ModelError("weights of a regulator are finite numbers above 0")
    other, data = fork(m, d)
    data.qvel = 0
    mj_forward(other, data)
    first = linearize(other, data)
    data.ctrl = _within(other, data.ctrl + np.linalg.lstsq(first.B, -first.drift, _RIDGE)[0])
    linear = linearize(other, data)
    nv, nx = linear.nv, len(linear.A)
    cost = np.full(nx, 1e-6)  # activations: as little as keeps the equation regular
    cost[:nv], cost[nv : 2 * nv] = weights.position, weights.velocity
    gain = _gain(linear, np.diag(cost), weights.control * np.eye(int(m.nu)))
    growth = float(abs(np.linalg.eigvals(linear.A - linear.B @ gain)).max())
    if growth > 1.0 + ON_CIRCLE:
        raise ModelError("no regulator keeps this state: its equation was solved too inexactly")
    left = float(abs(linear.drift[nv : 2 * nv]).max())
    return Regulator(gain, data.ctrl.copy(), data.qpos.copy(), data.act.copy(), left, growth)


def _within(m: Model, ctrl: Matrix) -> Matrix:
    """Controls within their ranges."""
    low, high = np.asarray(m.actuator_ctrlrange).T
    return np.where(np.asarray(m.actuator_ctrllimited, bool), np.clip(ctrl, low, high), ctrl)


def _gain(linear: Linearization, Q: Matrix, R: Matrix) -> Matrix:
    """K of the least sum of x' Q x + u' R u over all steps (nu, nx)."""
    from scipy.linalg import solve_discrete_are  # slow to import

    A, B = linear.A, linear.B
    beyond = [mode for mode in modes(linear) if not mode.reached and (mode.grows or mode.marginal)]
    if beyond:  # the equation has no solution, but rounding may give it one
        count = "1 mode that does not decay is" if len(beyond) == 1 else f"{len(beyond)} modes that do not decay are"
        raise ModelError(f"no regulator keeps this state: {count} beyond its actuators")
    try:
        P = solve_discrete_are(A, B, Q, R)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise ModelError(f"no regulator keeps this state: {error}") from None
    gain: Matrix = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    return gain
