"""Words for contacts and constraints: their states and the names of contacts, pairs of geoms and constraints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.describe.numbers import TIMES, short
from tumble.physics import ContactMode

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[Any]
Kind = physics.mjtConstraint

MODE_WORDS = {mode: mode.name.lower() for mode in ContactMode}
MODE_INKS = {
    ContactMode.OPEN: "dim", ContactMode.STICK: "good", ContactMode.SLIP: "warn", ContactMode.SMOOTH: "text",
    ContactMode.ASLEEP: "disabled",
}  # fmt: skip
_OBJECTS = {
    Kind.mjCNSTR_EQUALITY: physics.mjtObj.mjOBJ_EQUALITY,
    Kind.mjCNSTR_FRICTION_DOF: physics.mjtObj.mjOBJ_JOINT,
    Kind.mjCNSTR_FRICTION_TENDON: physics.mjtObj.mjOBJ_TENDON,
    Kind.mjCNSTR_LIMIT_JOINT: physics.mjtObj.mjOBJ_JOINT,
    Kind.mjCNSTR_LIMIT_TENDON: physics.mjtObj.mjOBJ_TENDON,
}
FIRST_CONTACT_KIND = int(Kind.mjCNSTR_CONTACT_FRICTIONLESS)


class Names:
    """The names of a model's elements, looked up once."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._pairs: dict[tuple[int, ...], str] = {}
        self._elements: dict[tuple[int, int], str] = {}
        geom, body = physics.mjtObj.mjOBJ_GEOM, physics.mjtObj.mjOBJ_BODY
        bodies = [name_of(model, body, int(b)) for b in model.geom_bodyid]
        named = [physics.mj_id2name(model, geom, g) for g in range(model.ngeom)]
        first, count = (np.asarray(x)[model.geom_bodyid] for x in (model.body_geomadr, model.body_geomnum))
        # A geom without a name is called by its body; one of several by its number among them, because plain ids mean little.
        self.geoms = [
            named[g] or (bodies[g] if count[g] == 1 else f"{bodies[g]} #{g - int(first[g])}") for g in range(model.ngeom)
        ]
        self._flexes = [name_of(model, physics.mjtObj.mjOBJ_FLEX, f) for f in range(model.nflex)]
        self.sides = [*self.geoms, *reversed(self._flexes)]  # by a side of a contact: a geom, or -1 - flex
        self._sought = [f"{a} {b}".lower() for a, b in zip(self.geoms, bodies, strict=True)]
        self._sought += [name.lower() for name in reversed(self._flexes)]

    def pair(self, sides: Array) -> str:
        """The two sides of a contact: geoms, if they have no names their bodies, or -1 - flex."""
        key = int(sides[0]), int(sides[1])
        if key not in self._pairs:
            self._pairs[key] = " \N{EN DASH} ".join(self.sides[g] for g in key)
        return self._pairs[key]

    def contact(self, geoms: Array, soft: Array) -> str:
        """The two sides of a contact: geoms as `pair` names them, flexes with the element or vertex that touches.

        geoms: (2,); soft: (2,3), the flex, element and vertex of each side, -1 where missing.
        """
        key = *map(int, geoms), *map(int, soft.ravel())
        if key not in self._pairs:
            sides = [self.geoms[g] if g >= 0 else self._soft(*part) for g, part in zip(key[:2], soft.tolist(), strict=True)]
            self._pairs[key] = " \N{EN DASH} ".join(sides)
        return self._pairs[key]

    def _soft(self, flex: int, element: int, vertex: int) -> str:
        part = f" vertex {vertex}" if vertex >= 0 else f" element {element}" if element >= 0 else ""
        return self._flexes[flex] + part

    def with_word(self, word: str, sides: Array) -> Array:
        """Mask (n,) of contacts with the word in the name of a geom, its body or a flex; sides: (n,2) geoms, or -1 - flex."""
        matches = np.array([word in text for text in self._sought], bool)
        result: Array = matches[sides[:, 0]] | matches[sides[:, 1]]
        return result

    def element(self, kind: int, ident: int) -> str:
        """The element of a constraint that is not a contact."""
        key = kind, ident
        if key not in self._elements:
            element = int(self._model.dof_jntid[ident]) if kind == Kind.mjCNSTR_FRICTION_DOF else ident
            self._elements[key] = name_of(self._model, _OBJECTS[Kind(kind)], element)
        return self._elements[key]


def area_words(area: float) -> str:
    """An area [m^2] in the unit that suits it."""
    units = (("m\N{SUPERSCRIPT TWO}", 1.0, 1.0), ("cm\N{SUPERSCRIPT TWO}", 1e4, 1e-4), ("mm\N{SUPERSCRIPT TWO}", 1e6, 0.0))
    unit, scale = next((unit, scale) for unit, scale, from_here in units if area >= from_here)
    return f"{area * scale:.4g} {unit}"


LEVEL = math.radians(0.5)  # a surface tilted less is level
STILL = 1e-6  # sliding speed [m/s] that counts as zero
SOFT = 3.0  # a creep of so many times the law's has another cause
MU = "\N{GREEK SMALL LETTER MU}"


class SlipCase(Struct, frozen=True):
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
