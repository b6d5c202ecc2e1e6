"""Soft constraints in physical units: depth under load, stiffness, damping, and stability for a time step.

A constraint row with residual r (negative where it is violated), velocity v and acceleration a gets the
reference acceleration aref = -B v - K d(r) r, and is regularized by R = (1 - d)/d W, where d(r) is the impedance and W the
inverse inertia that the row is scaled by (diagApprox). The solver's optimum, A f + a0 - aref = -R f with a = A f + a0, is

    f = (aref - a) / R = -k r - c v - s a,    k = K d^2 / ((1 - d) W),  c = B d / ((1 - d) W),  s = d / ((1 - d) W).

So a soft constraint is a spring, a damper and an added inertia, exactly, whatever the other constraints do. Three things
follow. (1) At rest, v = a = 0, a load F sinks to the depth at which K d^2 |r| / (1 - d) = F W: beyond `width`, where
d = dwidth is constant, in closed form. (2) A body of inertia 1/W, alone on the constraint, is 1/((1 - d) W) with the
added one, and moves with the angular frequency sqrt(K) d and damping B d / 2: the time constant 2 / (B d) and the damping ratio
B / (2 sqrt(K)). (3) Stepped by v += h a, x += h v it has the step matrix [[1 - h^2 w, h (1 - h g)], [-h w, 1 - h g]] with
w = K d^2, g = B d: determinant 1 - h g and trace 2 - h g - h^2 w. Its eigenvalues lie in the unit circle if and only if
2 h g + h^2 w < 4.

R, aref, d(r), K and B are the engine's (physics/constraint/impedance.py); this module evaluates and inverts them.

A pyramidal contact has N edges that share the normal force equally at rest; its W is that of an edge over N.

Source: MuJoCo documentation, Computation, Parameters, equations of R, aref and the constraint dynamics; the consequences
above are derived from them. solref and solimp: Modeling, Solver parameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from tumble.physics.constraint.impedance import (
    DEFAULT_REF,
    NO_REFSAFE,
    damping,
    impedance,
    least_time,
    reference_acceleration,
    regularizer,
    stiffness,
    valid_imp,
    valid_ref,
)
from tumble.physics.query.jacobian import impedances

Array = NDArray[Any]


class Impedance(Struct, frozen=True):
    """A solimp made valid, as the engine does: d0, dwidth [1], width [m or rad], midpoint, power [1]."""

    low: float
    high: float
    width: float
    middle: float
    power: float

    @classmethod
    def of(cls, solimp: Sequence[float]) -> Impedance:
        """The impedance of the five numbers of a solimp."""
        d0, dwidth, width, midpoint, power = (float(x) for x in solimp)
        return cls(*valid_imp(d0, dwidth, width, midpoint, power))

    @property
    def numbers(self) -> tuple[float, float, float, float, float]:
        """The five numbers of the valid solimp."""
        return self.low, self.high, self.width, self.middle, self.power

    def at(self, depth: ArrayLike) -> Array:
        """d at depths [m or rad] of any sign."""
        return impedances(self.numbers, depth)

    def d(self, depth: float) -> float:
        """d at one depth."""
        return float(impedance(self.numbers, float(depth))[0])


class Spring(Struct, frozen=True):
    """Stiffness K [1/s^2] and damping B [1/s] of a solref, and the engine's adjustments."""

    K: float
    B: float
    raised: bool = False  # a time constant below two timesteps was raised to them (refsafe)
    mixed: bool = False  # one number positive and the other not: the default was taken

    @classmethod
    def of(cls, solref: Sequence[float], imp: Impedance, timestep: float, refsafe: bool = True) -> Spring:
        """The spring of the two numbers of a solref; timestep [s]."""
        asked = tuple(float(x) for x in solref)
        read = valid_ref(*asked, 0.0, DEFAULT_REF)
        safe = valid_ref(*asked, least_time(timestep, 0 if refsafe else NO_REFSAFE), DEFAULT_REF)
        return cls(stiffness(safe, imp.high), damping(safe, imp.high), safe != read, read != asked)

    def time_constant(self, d: float) -> float:
        """Time constant [s] at an impedance d; infinite without damping."""
        return 2 / (self.B * d) if self.B > 0 else math.inf

    @property
    def damping_ratio(self) -> float:
        """Damping ratio [1], 1 for critical; infinite without stiffness."""
        return self.B / (2 * math.sqrt(self.K)) if self.K > 0 else math.inf

    def step_share(self, d: float, timestep: float) -> float:
        """(2 h g + h^2 w) / 4: below 1 a constraint alone is stable under Euler's steps, above it explodes."""
        return (2 * timestep * self.B * d + timestep**2 * self.K * d * d) / 4


def rest_depth(drive: float, spring: Spring, imp: Impedance) -> float:
    """The depth [m or rad] at which a constraint carries a load at rest; infinite if it never does.

    drive: load times inverse inertia, F W [m/s^2 or rad/s^2]. Where d falls with the depth (dwidth < d0) more than one
    depth may do: the shallowest is returned, which a load that comes down gently finds.
    """
    if drive <= 0:
        return 0.0
    if spring.K <= 0:
        return math.inf

    def carries(depth: float) -> bool:
        d = imp.d(depth)
        return bool(reference_acceleration(spring.K, spring.B, d, 0.0, -depth) >= regularizer(d, drive))

    depths = np.linspace(0, imp.width, 129).tolist()
    reached = next((k for k, depth in enumerate(depths) if carries(depth)), 0)
    if reached == 0:  # not within the width: beyond it, or without a width, d is the same everywhere
        d = imp.d(math.inf)
        return float(regularizer(d, drive)) / (spring.K * d)
    low, high = depths[reached - 1], depths[reached]
    for _ in range(60):
        middle = 0.5 * (low + high)
        if carries(middle):
            high = middle
        else:
            low = middle
    return high


def creep_speed(drive: float, spring: Spring, imp: Impedance) -> float:
    """The speed [m/s or rad/s] at which dry friction that carries a load gives way: F R = B v, and r = 0."""
    return float(regularizer(imp.d(0.0), drive)) / spring.B if spring.B > 0 else math.inf


class Physical(Struct, frozen=True):
    """stiffness k [N/m], damping c [N s/m], added inertia s [kg] of a constraint; with angles N m/rad, ..."""

    stiffness: float
    damping: float
    inertia: float


def physical(spring: Spring, d: float, weight: float) -> Physical:
    """Spring constants at impedance d and inverse inertia `weight` [1/kg]."""
    R = float(regularizer(d, weight))
    return Physical(spring.K * d / R, spring.B / R, 1 / R)


def spring_for(wanted: float, damped: float, weight: float, load: float, imp: Impedance) -> Spring:
    """The spring that has a stiffness `wanted` [N/m] and a damping [N s/m] at the depth to which `load` [N] sinks into it."""
    d = imp.d(load / wanted) if load > 0 and wanted > 0 else imp.high
    return Spring(wanted * float(regularizer(d, weight)) / d, damping_for(damped, weight, d))


def stiffness_to_sink(depth: float, drive: float, imp: Impedance) -> float:
    """The K [1/s^2] with which a load comes to rest at a depth [m or rad]: `rest_depth` solved for it, K d |r| = R F.

    drive: load times inverse inertia [m/s^2 or rad/s^2], as for `rest_depth`.
    """
    d = imp.d(depth)
    return float(regularizer(d, drive)) / (d * depth)


def with_ratio(K: float, ratio: float) -> Spring:
    """The spring of a stiffness K [1/s^2] that has a damping ratio [1]: B = 2 ratio sqrt(K)."""
    return Spring(K, 2 * ratio * math.sqrt(K))


def stiffest(ratio: float, imp: Impedance, timestep: float, *, direct: bool) -> Spring:
    """The stiffest spring of a damping ratio that a time step [s] can follow.

    As a time constant it is that of two time steps, below which refsafe raises it; directly it is the edge of
    stability, where y = h sqrt(K) d fulfils y^2 + 4 ratio y = 4 (2 h g + h^2 w = 4 above).
    """
    if not direct:
        return with_ratio((1 / (2 * timestep * imp.high * ratio)) ** 2, ratio)
    y = 2 / (ratio + math.sqrt(ratio * ratio + 1))
    return with_ratio((y / (timestep * imp.high)) ** 2, ratio)


def damping_for(damped: float, weight: float, d: float) -> float:
    """The B [1/s] that is a damping [N s/m] at an impedance d."""
    return damped * float(regularizer(d, weight))


def direct_ref(spring: Spring, imp: Impedance) -> tuple[float, float]:
    """The solref of a spring as -stiffness [1/s^2], -damping [1/s]."""
    return -spring.K * imp.high**2, -spring.B * imp.high


def standard_ref(spring: Spring, imp: Impedance) -> tuple[float, float] | None:
    """The solref of a spring as time constant [s] and damping ratio [1]; None without damping or stiffness."""
    if spring.B <= 0 or spring.K <= 0:
        return None
    return 2 / (spring.B * imp.high), spring.damping_ratio


class SteadyLoad:
    """Loads averaged over simulated time: what a constraint carries, without the bounce of the moment.

    Over a time in which momentum stays the same the mean force equals the load, however the force varies.
    """

    SPAN = 0.5  # [s]

    def __init__(self) -> None:
        self._time = -math.inf
        self._mean: dict[Any, float] = {}

    def update(self, keys: Sequence[Any], loads: Sequence[float], time: float) -> list[float]:
        """The averaged loads of the rows named by `keys`, at a time [s]; a row that was not there before restarts."""
        elapsed = time - self._time
        if elapsed < 0:
            self._mean.clear()
        share = 1 - math.exp(-elapsed / self.SPAN) if 0 <= elapsed < math.inf else 1.0
        before, self._time = self._mean, time
        self._mean = {}
        for key, load in zip(keys, loads, strict=True):
            old = before.get(key, float(load))
            self._mean[key] = old + share * (float(load) - old)
        return [self._mean[key] for key in keys]


ENOUGH = 1e-3  # relative change of an effect that does not matter
MOST_DIGITS = 17  # as many as any number needs


def with_digits(value: float, digits: int) -> float:
    """A number rounded to so many significant digits."""
    return float(f"{value:.{digits - 1}e}")


def rounded(
    values: Sequence[float], effect: Callable[[tuple[float, ...]], Sequence[float]], enough: float = ENOUGH
) -> tuple[float, ...]:
    """Values with the fewest significant digits that change no number of their effect by more than a share `enough`.

    effect: results of the values, such as the depth at rest [m] and the damping [1/s]; infinities must stay what they are.
    """
    wanted = effect(tuple(values))
    for digits in range(1, MOST_DIGITS):
        tried = tuple(with_digits(v, digits) for v in values)
        if all(_close(a, b, enough) for a, b in zip(effect(tried), wanted, strict=True)):
            return tried
    return tuple(values)


def _close(value: float, wanted: float, enough: float) -> bool:
    if not math.isfinite(wanted) or not math.isfinite(value):
        return value == wanted
    return abs(value - wanted) <= enough * abs(wanted)
