"""Why a contact slips, or does not, in sentences with the numbers of the law.

Three laws answer. Coulomb: friction is at most mu times the normal force; a contact that uses all of it slips. The slope:
what stands still on a surface tilted by an angle a, with gravity alone to carry, needs mu >= tan a. Soft friction: a contact
below its limit still creeps, at the speed v = f R / B at which the solver's regularization R balances the damping B of its
reference acceleration, aref = -B v (MuJoCo documentation, Computation, Constraint model); R falls as 1 / impratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tumble.app.describe.numbers import TIMES, short
from tumble.physics import ContactMode

LEVEL = math.radians(0.5)  # a surface tilted less is level
STILL = 1e-6  # sliding speed [m/s] that is none
SOFT = 3.0  # a creep of so many times the law's has another cause
MU = "\N{GREEK SMALL LETTER MU}"


@dataclass(frozen=True, slots=True)
class SlipCase:
    """A contact at one moment. normal, tangential [N]; friction: sliding coefficients along the tangents; whose: the geom that
    they come from, or what else decides; used: share of the cone; creep: sliding speed [m/s]; tilt: of the surface against
    level [rad]; soft: speed of creep for each newton of friction [m/(s N)], not a number where that is no law (LCP)."""

    mode: ContactMode
    normal: float
    tangential: float
    friction: tuple[float, float]
    whose: str
    used: float
    creep: float
    tilt: float
    dim: int
    impratio: float
    noslip: bool
    soft: float


def why_it_slips(case: SlipCase) -> list[str]:
    """The explanation, a sentence a line."""
    if case.mode == ContactMode.ASLEEP:
        return ["It rests: its trees are asleep."]
    if case.mode == ContactMode.OPEN or case.normal <= 0:
        return ["They do not press on each other: no friction without a normal force."]
    if case.dim < 3:
        return [f"It has no friction: condim is {case.dim}. Take condim 3 or more for sliding friction."]
    if case.mode == ContactMode.SLIP:
        return [_at_the_limit(case), _slope(case)]
    return [_below_the_limit(case), *_creep(case)]


def _least(case: SlipCase) -> float:
    return min(case.friction)


def _at_the_limit(case: SlipCase) -> str:
    mu = _least(case)
    product = f"{MU} {short(mu)} {TIMES} {short(case.normal)} N = {short(mu * case.normal)} N"
    return f"It slips: friction is at its limit, {short(case.tangential)} N of {product}."


def _slope(case: SlipCase) -> str:
    mu, tilt, needed = _least(case), math.degrees(case.tilt), math.tan(case.tilt)
    if case.tilt < LEVEL:
        return f"The surface is level: a sideways push, or a motion that friction is still braking, exceeds {MU} {short(mu)}."
    if mu < needed:
        return (f"{MU} is too low for the slope: {tilt:.1f}° need tan {tilt:.1f}° = {needed:.3f}, {case.whose} has {short(mu)}. "
                f"Raise the friction of {case.whose} above {needed:.3f}.")  # fmt: skip
    return (f"{MU} {short(mu)} would hold on this slope of {tilt:.1f}° (tan = {needed:.3f}): another force pushes, or friction "
            "is still braking a motion.")  # fmt: skip


def _below_the_limit(case: SlipCase) -> str:
    limit = _least(case) * case.normal
    return f"It sticks: {100 * case.used:.0f} % of the friction limit {short(limit)} N ({MU} {short(_least(case))}) is used."


def _creep(case: SlipCase) -> list[str]:
    if case.creep < STILL:
        return ["It does not creep."]
    speed, law = f"{short(1e3 * case.creep)} mm/s", f"{short(1e3 * case.soft * case.tangential)} mm/s"
    if not math.isfinite(case.soft):
        return [f"It moves at {speed}: it is not yet at rest."]
    if case.creep > SOFT * case.soft * case.tangential:
        return [f"It still moves at {speed}, more than soft friction creeps ({law}): it is not at rest."]
    rest = "" if case.noslip else "; noslip_iterations takes the rest"
    return [
        f"It creeps at {speed}, as friction is soft: force {TIMES} R / B = {law} by solref and solimp.",
        f"impratio {short(10 * case.impratio)} in place of {short(case.impratio)} makes that ten times less{rest}.",
    ]
