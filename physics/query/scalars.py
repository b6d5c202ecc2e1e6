"""Functions of single numbers, sequences and conversions, under MuJoCo's names."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.dynamics.actuator.muscle import muscle_bias, muscle_gain, muscle_rate, smooth_step
from tumble.physics.errors import ModelError
from tumble.physics.query.argument_checks import Array, any_output, line, output, vector
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import mjMAXVAL

_CREEPING = 40.0  # beyond it exp(-2 x) is lost in the rounding of 1


@cache
def _random() -> np.random.Generator:
    return np.random.default_rng(0)


@checked
def mju_isBad(x: float) -> int:
    """1 for what is not a number or larger than mjMAXVAL in magnitude, else 0."""
    return int(not abs(x) <= mjMAXVAL)


def mju_isZero(vec: Any) -> int:
    """1 if all numbers of vec (n,) are 0, else 0."""
    return int(not np.any(line(vec, "vec")))


@checked
def mju_Halton(index: int, base: int) -> float:
    """Number `index` of the Halton sequence in [0, 1): the digits of the index in a base, mirrored at the point.

    0 for an index up to 0. Raises ModelError for a base below 2.
    Source: Halton 1964, Radical-inverse quasi-random point sequence.
    """
    if base < 2:
        raise ModelError(f"base should be 2 or more, is {base}")
    value, unit = 0.0, 1.0
    while index > 0:
        index, digit = divmod(index, base)
        unit /= base
        value += unit * digit
    return value


def mju_standardNormal(num2: Array | None) -> float:
    """A random number of the standard normal distribution; a second, independent one is written to num2 (1,), None: it is not.

    The sequence is the same in every process.
    """
    first, second = _random().standard_normal(2)
    if isinstance(num2, np.ndarray):
        output(num2, "num2", (1,))[0] = second
    return float(first)


@checked
def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Solution of x'' = -Kp x - Kv x' after a time dt [s], from x = pos0 [m] and x' = vel0 [m/s].

    Kp: stiffness over mass [1/s^2]; Kv: damping over mass [1/s].
    """
    # With half = Kv / 2 and root^2 = half^2 - Kp the solution is exp(-half t) (pos0 cosh(root t) + (vel0 + half pos0)
    # sinh(root t) / root): one formula for oscillation, where the root is imaginary, and for creeping. Where the root is large,
    # cosh and sinh are half of exp(root t), which is taken together with exp(-half t): by itself it has no number.
    with np.errstate(all="ignore"):  # numpy's functions give inf and nan where those of Python raise
        half, time = 0.5 * Kv, np.float64(dt)
        root = np.sqrt(np.complex128(half * half - Kp))
        phase, push = root * time, vel0 + half * pos0
        if phase.real > _CREEPING and np.isfinite(root):
            rate = Kp / (half + root.real) if half > 0.0 else half - root.real  # half - root, without cancellation
            return float(0.5 * (pos0 + push / root.real) * np.exp(-rate * time))
        slope = time if root == 0.0 or abs(phase) < 1e-9 else np.sinh(phase) / root
        return float((np.exp(-half * time) * (pos0 * np.cosh(phase) + push * slope)).real)


def _converted(res: NDArray[Any], vec: Any, kind: Any) -> None:
    values = line(vec, "vec")
    output(res, "res", values.shape, f"{values.shape}, as vec has", kind)[...] = values


def mju_f2n(res: Array, vec: Any) -> None:
    """Write res <- vec, from 32 bits to 64, (n,)."""
    _converted(res, vec, np.float64)


def mju_n2f(res: NDArray[np.float32], vec: Any) -> None:
    """Write res <- vec, from 64 bits to 32, (n,)."""
    _converted(res, vec, np.float32)


def mju_d2n(res: Array, vec: Any) -> None:
    """Write res <- vec, (n,): numbers have 64 bits here, so that it is a copy."""
    _converted(res, vec, np.float64)


def mju_n2d(res: Array, vec: Any) -> None:
    """Write res <- vec, (n,): numbers have 64 bits here, so that it is a copy."""
    _converted(res, vec, np.float64)


@checked
def mju_insertionSort(list: Array) -> None:
    """Sort list (n,), in place, the smallest first; what is equal keeps its order."""
    any_output(list, "list").sort(kind="stable")


@checked
def mju_insertionSortInt(list: NDArray[np.int32]) -> None:
    """Sort list (n,) of int32, in place, the smallest first; what is equal keeps its order."""
    any_output(list, "list", np.int32).sort(kind="stable")


_PARAMETERS = 9  # range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax


def _muscle(lengthrange: Any, acc0: float, prm: Any) -> Any:
    """Fields of a model with one actuator, for the muscle laws."""
    numbers = vector(prm, "prm", _PARAMETERS)[None]
    return SimpleNamespace(
        actuator_gainprm=numbers, actuator_biasprm=numbers, actuator_acc0=(acc0,),
        actuator_lengthrange=vector(lengthrange, "lengthrange", 2)[None],
    )  # fmt: skip


@checked
def mju_muscleGain(len: float, vel: float, lengthrange: Any, acc0: float, prm: Any) -> float:
    """Force [N] of a muscle at full activation, negative: it pulls.

    len [m], vel [m/s]: of the actuator; lengthrange: (2,) [m]; acc0: acceleration of the joints by a force of 1 N; prm: (9,)
    range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax.
    """
    return float(muscle_gain(_muscle(lengthrange, acc0, prm), 0, len, vel))


@checked
def mju_muscleBias(len: float, lengthrange: Any, acc0: float, prm: Any) -> float:
    """Passive force [N] of a muscle, negative: it pulls; arguments as for mju_muscleGain."""
    return float(muscle_bias(_muscle(lengthrange, acc0, prm), 0, len))


@checked
def mju_muscleDynamics(ctrl: float, act: float, prm: Any) -> float:
    """Rate of a muscle's activation [1/s]; prm: (3,) time constants of its rise and fall [s], width of the smooth passage [1]."""
    return float(muscle_rate(ctrl, act, *vector(prm, "prm", 3)))


@checked
def mju_sigmoid(x: float) -> float:
    """A smooth step: 0 up to 0, 1 from 1 on, and between them a polynomial of degree 5 that is flat at both ends."""
    return float(smooth_step(x))
