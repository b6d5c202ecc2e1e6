"""Contacts that creep: loads within the friction cone that move nevertheless, at the speed that the softness of friction has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.islands import SLEEP
from tumble.app.doctor.case import Examination
from tumble.app.doctor.finding import ModelChange, Prediction
from tumble.app.doctor.measures import LATE, creep_distance, of_pair
from tumble.app.doctor.proof import WITHIN, tried
from tumble.app.doctor.trees import driven
from tumble.app.editing.sinking import RESTING
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.observe.creep import creep_of, friction_forces
from tumble.physics.observe.thickness import thickness_of
from tumble.physics.run.program import is_hard

Pair = tuple[int, int]
Numbers = NDArray[np.float64]
SAMPLES = 24  # steps of the last part of a run that are looked at
STEADY = 0.2  # share of the speed by which the mean velocity may change in that time
LIKE_LAW = 0.25  # share of the speed by which the mean velocity may differ from that of the law
MATTERS = 0.01  # share of the thinner geom's thickness that a creep of a second should not exceed
HELD = 0.5  # share of its weight that friction carries from which a body is held by it, rather than lies
HARDER = (10, 100)  # times impratio
NOSLIP = 10  # iterations of the noslip solver
_ELLIPTIC = int(physics.mjtCone.mjCONE_ELLIPTIC)


class Creeping(Struct, frozen=True):
    """Two geoms that creep on each other.

    load: number of the tree that is carried; held: by friction, as in a grasp; speed, law: measured and that of soft friction
    [m/s]; tangential [N]; used: share of the friction cone; friction: its coefficient; size: thickness of the thinner geom [m].
    """

    pair: Pair
    load: int
    held: bool
    speed: float
    law: float
    tangential: float
    used: float
    friction: float
    size: float

    def sides(self, model: MjModel) -> Pair:
        """The geom of the load, and the other."""
        first, second = self.pair
        return self.pair if int(model.body_treeid[model.geom_bodyid[first]]) == self.load else (second, first)


class _Sticking(Struct, frozen=True):
    """A pair that sticks in a step: mean velocity and that of the law (3,) [m/s]; sums and most of its contacts."""

    velocity: Numbers
    law: Numbers
    tangential: float
    used: float
    friction: float
    held: bool


class CreepWatch:
    """Looks at some steps of the last part of a run: forces of several contacts pass from one to the other, their mean stays."""

    def __init__(self, case: Examination) -> None:
        self._case = case
        self._moments: dict[Pair, list[_Sticking]] | None = None
        last = round(RESTING * case.watch.length)
        self._stride = max(1, last // SAMPLES) | 1  # odd: some forces change from step to step

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        watch = self._case.watch
        left = watch.length - watch.steps
        if self._is_due(left) and not is_hard(model):
            now, before = dict(self._sticking(data)), self._moments
            if before is None:
                self._moments = {pair: [moment] for pair, moment in now.items()}
            else:
                self._moments = {pair: [*before[pair], moment] for pair, moment in now.items() if pair in before}

    def _is_due(self, left: int) -> bool:
        """True for the steps that are looked at; left: steps to the end."""
        return left <= RESTING * self._case.watch.length and left % self._stride == 0

    def fastest(self, *, held: bool) -> list[Creeping]:
        """The fastest pair of each load that friction holds, or does not; the fastest for its size first."""
        opt = self._case.model.opt
        asleep = float(opt.sleep_tolerance) if int(opt.enableflags) & SLEEP else 0.0  # below, sleep ends it
        found = [self._steady(pair, moments) for pair, moments in (self._moments or {}).items()]
        creeping = [one for one in found if one is not None and one.speed > max(MATTERS * one.size, asleep) and one.held == held]
        fastest: dict[int, Creeping] = {}
        for one in sorted(creeping, key=lambda one: -one.speed / one.size):
            fastest.setdefault(one.load, one)
        return list(fastest.values())

    def _steady(self, pair: Pair, moments: list[_Sticking]) -> Creeping | None:
        """A pair that creeps steadily and as the law has it; None for another."""
        half = len(moments) // 2
        if half == 0:
            return None
        early, late = (np.mean([one.velocity for one in part], axis=0) for part in (moments[:half], moments[half:]))
        velocity, law = (np.mean([getattr(one, name) for one in moments], axis=0) for name in ("velocity", "law"))
        speed = float(np.linalg.norm(velocity))
        if np.linalg.norm(late - early) > STEADY * speed or np.linalg.norm(velocity - law) > LIKE_LAW * speed:
            return None
        return Creeping(
            pair, self._load(self._case.data, pair), 2 * sum(one.held for one in moments) > len(moments), speed,
            float(np.linalg.norm(law)), float(np.mean([one.tangential for one in moments])), max(one.used for one in moments),
            moments[-1].friction, float(min(self._thickness[list(pair)])),
        )  # fmt: skip

    @cached_property
    def _driven(self) -> frozenset[int]:
        return driven(self._case.model, self._case.start)

    @cached_property
    def _thickness(self) -> Numbers:
        return thickness_of(self._case.model)

    def _sticking(self, data: MjData) -> Iterator[tuple[Pair, _Sticking]]:
        """Pairs all of whose contacts that push stick."""
        geoms = np.asarray(data.contact_geom)[: data.ncon]
        if not len(geoms):
            return
        creep = creep_of(data)
        for pair in {(int(a), int(b)) for a, b in geoms[creep.sticks & (geoms >= 0).all(1)]}:
            mine = of_pair(data, pair) & (creep.normal > 0)
            load = self._load(data, pair)
            if load < 0 or not np.isfinite(min(self._thickness[list(pair)])) or not creep.sticks[mine].all():
                continue
            # Of pyramids some edges may carry nothing: their contacts give way faster than the law has it, the others as it has.
            fastest = int(np.argmax(np.linalg.norm(creep.law[mine], axis=1)))
            yield pair, _Sticking(
                creep.sliding[mine].mean(axis=0), creep.law[mine][fastest], float(creep.tangential[mine].sum()),
                float(creep.used[mine].max()), float(np.asarray(data.contact_friction)[mine][0, 0]), self._is_held(data, load),
            )  # fmt: skip

    def _load(self, data: MjData, pair: Pair) -> int:
        """The tree of a pair that is carried: of those that nothing drives the upper; -1 for none."""
        model = self._case.model
        trees = {int(model.body_treeid[model.geom_bodyid[g]]) for g in pair}
        free = [tree for tree in trees if tree >= 0 and tree not in self._driven] if len(trees) > 1 else []
        down = np.asarray(data.xipos) @ np.asarray(model.opt.gravity)
        return min(free, key=lambda tree: float(down[model.tree_bodyadr[tree]]), default=-1)

    def held_pairs(self, data: MjData) -> dict[Pair, int]:
        """The pairs in contact whose load friction holds, with the tree of that load."""
        geoms = np.asarray(data.contact_geom)[: data.ncon]
        pairs = {(int(a), int(b)) for a, b in geoms[(geoms >= 0).all(1)]}
        loads = {pair: self._load(data, pair) for pair in pairs}
        return {pair: load for pair, load in loads.items() if load >= 0 and self._is_held(data, load)}

    def _is_held(self, data: MjData, tree: int) -> bool:
        """True if friction carries a large part of a tree's weight."""
        model = self._case.model
        gravity = np.asarray(model.opt.gravity)
        weight = float(model.body_subtreemass[model.tree_bodyadr[tree]]) * float(gravity @ gravity)
        return weight > 0 and -float(friction_on(model, data, tree) @ gravity) > HELD * weight


def friction_on(model: MjModel, data: MjData, tree: int) -> Numbers:
    """The sum of the friction forces that act on a tree, in world axes [N]."""
    owner = np.append(np.asarray(model.body_treeid)[np.asarray(model.geom_bodyid)], -2)[np.asarray(data.contact_geom)]
    sign = (owner[:, 1] == tree).astype(float) - (owner[:, 0] == tree)
    total: Numbers = (sign[:, None] * friction_forces(data)).sum(axis=0)
    return total


def stiffer_friction(case: Examination, one: Creeping) -> ModelChange | None:
    """The change that slows a creep down as its law has it, proven on the same run: impratio with elliptic cones, else noslip.

    None where it does not: something else moves the pair.
    """
    measure, half = creep_distance(one.pair), LATE * case.seconds
    before = one.speed * half
    for path, old, new, changes, share in _candidates(case.model, one):
        prediction = Prediction(measure, before, before * share)
        promised = prediction.before - prediction.after
        gained = before - tried(case, changes, measure)
        if abs(gained - promised) <= WITHIN * promised:
            words = f"{1e3 * prediction.after:.3g} mm in {half:g} s in place of {1e3 * before:.3g} mm"
            return ModelChange(path, old, new, words, changes, prediction)
    return None


def _candidates(model: MjModel, one: Creeping) -> Iterator[tuple[str, str, str, tuple[Change, ...], float]]:
    """Changes and the share of the speed that they leave."""
    ratio, elliptic = float(model.opt.impratio), int(model.opt.cone) == _ELLIPTIC
    times = next((t for t in HARDER if one.speed / t < MATTERS * one.size), HARDER[-1])
    harder = Change("opt.impratio", None, (ratio * times,))
    if elliptic:
        yield "option.impratio", f"{ratio:g}", f"{ratio * times:g}", (harder,), 1 / times
    else:
        both = (Change("opt.cone", None, (_ELLIPTIC,)), harder)
        # The edges of a pyramid are softer than the tangents of a cone, by 1 + mu^2 (physics/constraint/contact.py:put_pyramid).
        share = 1 / (times * (1 + one.friction**2))
        yield "option.impratio", f"{ratio:g}", f"{ratio * times:g} with cone elliptic", both, share
    slips = int(model.opt.noslip_iterations)
    if slips < NOSLIP:
        yield "option.noslip_iterations", f"{slips}", f"{NOSLIP}", (Change("opt.noslip_iterations", None, (NOSLIP,)),), 0.0
