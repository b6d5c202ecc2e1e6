"""Contacts that rest too deep for the size of their geoms: found over the last part of a run, with the likely cause.

A contact that holds its load lies as deep as its softness has it (app/editing/impedance.py, (1)). Solved for the load, the same
relation gives the depth for other numbers: the number with the largest effect is reported as the cause.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.editing.impedance import Impedance, Spring, rest_depth
from tumble.app.editing.mixing import look_at, mixture
from tumble.physics import MjData, MjModel
from tumble.physics.constraint.impedance import DEFAULT_REF, NO_REFSAFE
from tumble.physics.observe.thickness import DEEP, thickness_of
from tumble.physics.run.program import is_hard

RESTING = 0.25  # share of the run, its last, through which a contact has to last
STILL = 0.02  # by which a depth may grow from the first to the last of these steps and count as settled
MUCH = 0.5  # a cause takes away at least this share of the depth
DEFAULT_IMP = (0.9, 0.95, 0.001, 0.5, 2.0)
_OBJ = physics.mjtObj


class DepthCause(Struct, frozen=True):
    """Why a contact rests deep, in words, and the number that takes most of the depth away.

    field: "solref" or "solimp" of the contact, or "timestep"; "" where it is another reason; numbers: to set it to; depth: at
    which the contact then rests [m].
    """

    words: str
    field: str = ""
    numbers: tuple[float, ...] = ()
    depth: float = 0.0


class SunkenContact(Struct, frozen=True):
    """Two geoms, of which the first is the thinner, in contact at rest.

    depth: at which it rests or will [m]; now: at present [m]; thickness: of the thinner [m].
    """

    thinner: int
    other: int
    depth: float
    now: float
    thickness: float
    cause: DepthCause

    def words(self, model: MjModel) -> str:
        """One-line description."""
        thinner, other = (name_of(model, _OBJ.mjOBJ_GEOM, g) for g in (self.thinner, self.other))
        share = 100 * self.depth / self.thickness
        size = f"{share:.0f} % of its thickness, {_mm(self.thickness)}"
        return f"{thinner} sinks {_mm(self.depth)} into {other} at rest ({size}): {self.cause.words}"


class RestingPair(Struct, frozen=True):
    """Two geoms in contact over some steps: depth at first, now and at least [m]; the load on the deepest contact.

    drive: load times inverse inertia, F W [m/s^2].
    """

    first: float
    now: float
    least: float
    drive: float
    steps: int = 1

    def and_now(self, now: RestingPair) -> RestingPair:
        """The pair after one more step."""
        return RestingPair(self.first, now.now, min(self.least, now.least), self.drive + now.drive, self.steps + now.steps)

    @property
    def sinks(self) -> bool:
        """True while the depth grows."""
        return self.now > (1 + STILL) * self.first

    @property
    def still(self) -> bool:
        """True if the depth stays the same."""
        return not self.sinks and min(self.now, self.least) >= (1 - STILL) * self.first


class RestingDepths:
    """The pairs of geoms that touch at every step since the watch began: neither an impact nor the bottom of a bounce counts."""

    def __init__(self) -> None:
        self._pairs: dict[tuple[int, int], RestingPair] | None = None
        self._first: dict[tuple[int, int], RestingPair] = {}

    def begin(self, data: MjData) -> None:
        """Note overlaps before the run."""
        self._first = _touching(data)

    def look(self, data: MjData) -> None:
        """Record the step that was just taken."""
        now, before = _touching(data), self._pairs
        if before is not None:
            now = {pair: before[pair].and_now(touch) for pair, touch in now.items() if pair in before}
        self._pairs = now

    def sunken(self, model: MjModel, data: MjData) -> list[SunkenContact]:
        """The pairs that rest too deep at the present state, or come to rest there, the worst for its size first."""
        if is_hard(model):
            return []
        result, thickness = [], thickness_of(model)
        for pair, resting in (self._pairs or {}).items():
            thinner, other = sorted(pair, key=lambda g: float(thickness[g]))
            thick = float(thickness[thinner])
            contact = _Softness(model, data, pair, resting)
            before = self._first[pair].now if pair in self._first else 0.0
            if contact.depth >= DEEP * thick and (contact.rests or contact.is_kept(before)):
                result.append(SunkenContact(thinner, other, contact.depth, resting.now, thick, contact.cause(before)))
        return sorted(result, key=lambda s: -s.depth / s.thickness)

    def at_timestep(self, model: MjModel, data: MjData, timestep: float) -> dict[tuple[int, int], tuple[float, float]]:
        """Depths of the resting pairs [m]: at the present state, and at rest with another time step [s]."""
        contacts = {pair: _Softness(model, data, pair, resting) for pair, resting in (self._pairs or {}).items()}
        return {pair: (contact.depth, contact.at_timestep(timestep)) for pair, contact in contacts.items()}

    def with_solref(
        self, model: MjModel, data: MjData, solref: tuple[float, float]
    ) -> dict[tuple[int, int], tuple[float, float]]:
        """Depths of the pairs that lie still [m]: at the present state, and at rest with another solref."""
        still = {pair: resting for pair, resting in (self._pairs or {}).items() if resting.still}
        contacts = {pair: _Softness(model, data, pair, resting) for pair, resting in still.items()}
        return {pair: (contact.depth, contact.with_solref(solref)) for pair, contact in contacts.items()}


def _touching(data: MjData) -> dict[tuple[int, int], RestingPair]:
    """The deepest contact of each pair of geoms that push each other."""
    deepest: dict[tuple[int, int], RestingPair] = {}
    geoms, rows = np.asarray(data.contact_geom)[: data.ncon], np.asarray(data.contact_efc_address)[: data.ncon]
    depths = -np.asarray(data.contact_dist)[: data.ncon]
    for pair, row, depth in zip(map(tuple, geoms.tolist()), rows.tolist(), depths.tolist(), strict=True):
        if row >= 0 and pair[0] >= 0 and pair[1] >= 0 and depth > (deepest[pair].now if pair in deepest else 0.0):
            d = float(data.efc_KBIP[row, 2])
            deepest[pair] = RestingPair(depth, depth, depth, float(data.efc_force[row] * data.efc_R[row]) * d / (1 - d))
    return deepest


class _Softness:
    """Softness of a pair's contact, and its cause.

    depth: at which it rests [m], or will if it still sinks.
    """

    def __init__(self, model: MjModel, data: MjData, pair: tuple[int, int], resting: RestingPair) -> None:
        self._model, self._pair = model, pair
        self._step = float(model.opt.timestep)
        self._refsafe = not int(model.opt.disableflags) & NO_REFSAFE
        self._drive = resting.drive / resting.steps
        contact = next(k for k in range(int(data.ncon)) if tuple(data.contact_geom[k]) == pair)
        self._solref, self._solimp = (tuple(np.asarray(a)[contact].tolist()) for a in (data.contact_solref, data.contact_solimp))
        self._start = float(data.contact_includemargin[contact])
        self.depth = resting.least
        if resting.sinks:
            self.depth = max(self.depth, self._rest(self._solref, self._solimp))

    def _rest(self, solref: tuple[float, ...], solimp: tuple[float, ...], timestep: float = 0.0) -> float:
        """Depth [m] at which the load would rest with other numbers; infinite if nothing carries it."""
        imp = Impedance.of(solimp)
        return rest_depth(self._drive, Spring.of(solref, imp, timestep or self._step, self._refsafe), imp) - self._start

    def at_timestep(self, timestep: float) -> float:
        """Depth [m] at which the load would rest with another time step [s], which may raise the time constant less."""
        return self._rest(self._solref, self._solimp, timestep)

    def with_solref(self, solref: tuple[float, float]) -> float:
        """Depth [m] at which the load would rest with another solref."""
        return self._rest(solref, self._solimp)

    @property
    def rests(self) -> bool:
        """True where its softness explains the depth: else it is still thrown back, or the solver has not converged."""
        return self._rest(self._solref, self._solimp) > (1 - MUCH) * self.depth

    def is_kept(self, before: float) -> bool:
        """True for parts of one mechanism, or of one and the world, whose joints keep them there.

        before: depth before the first step [m].
        """
        first, second = (int(self._model.body_rootid[self._model.geom_bodyid[g]]) for g in self._pair)
        return before > MUCH * self.depth and (first == second or not (self._floats(first) or self._floats(second)))

    def _floats(self, body: int) -> bool:
        joint = int(self._model.body_jntadr[body])
        return joint >= 0 and int(self._model.jnt_type[joint]) == int(physics.mjtJoint.mjJNT_FREE)

    def cause(self, before: float) -> DepthCause:
        """Cause of the depth, and a remedy; before: depth before the first step [m]."""
        if self.is_kept(before):  # their softness is not the reason
            return DepthCause(f"they overlap by {_mm(before)} before the first step: move them apart, or <exclude> the pair")
        solref, solimp, step = self._solref, self._solimp, self._step
        whose = mixture(self._model, look_at(self._model), *self._pair)
        standard, usual = self._rest(DEFAULT_REF, solimp), self._rest(solref, DEFAULT_IMP)
        if min(standard, usual) < (1 - MUCH) * self.depth:
            name, numbers, default, depth = (
                ("solref", solref, DEFAULT_REF, standard) if standard <= usual else ("solimp", solimp, DEFAULT_IMP, usual)
            )
            words = f"its {name}, {_numbers(numbers)}, is soft ({whose}); with {_numbers(default)} it would be {_mm(depth)}"
            return DepthCause(words, name, default, max(depth, 0.0))
        if Spring.of(solref, Impedance.of(solimp), step, self._refsafe).raised:
            depth = self._rest(solref, solimp, solref[0] / 2)
            words = (
                f"the time step, {step:g} s, raises its time constant of {solref[0]:g} s to {2 * step:g} s (refsafe); with a "
                f"step of {solref[0] / 2:g} s it would be {_mm(depth)}"
            )
            return DepthCause(words, "timestep", (solref[0] / 2,), max(depth, 0.0))
        shortest = (2 * step, 1.0)
        depth = self._rest(shortest, solimp)
        words = (
            f"the load is large for its solref, {_numbers(solref)} ({whose}); the shortest time constant that the time step "
            f"allows, {2 * step:g} s, would make it {_mm(depth)}"
        )
        return DepthCause(words, "solref", shortest, max(depth, 0.0))


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(f"{x:g}" for x in values)


def _mm(length: float) -> str:
    return f"{1e3 * max(length, 0.0):.3g} mm"
