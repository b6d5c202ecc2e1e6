"""Contacts that creep: loads that friction carries within its cone and that move nevertheless, at the speed that its softness has."""

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
from tumble.physics.observe.creep import creep_of
from tumble.physics.observe.thickness import thickness_of
from tumble.physics.query.force import forces_of
from tumble.physics.run.program import is_hard

Pair = tuple[int, int]
STEADY = 0.2  # by which the speed may change over the last part of a run
LIKE_LAW = (0.8, 1.25)  # of the speed to that of the law
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


class CreepWatch:
    """Looks at the contacts at the beginning and the end of the last part of a run."""

    def __init__(self, case: Examination) -> None:
        self._case = case
        self._first: dict[Pair, Creeping] = {}
        self._last: dict[Pair, Creeping] = {}

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        watch = self._case.watch
        if watch.steps == round((1 - RESTING) * watch.length) and not is_hard(model):
            self._first = {one.pair: one for one in self._creeping(data)}
        elif watch.steps == watch.length and self._first:
            self._last = {one.pair: one for one in self._creeping(data)}

    def steady(self) -> list[Creeping]:
        """The pairs that creep steadily as the law has it, and far for their size; the fastest for its size first."""
        found, opt = [], self._case.model.opt
        asleep = float(opt.sleep_tolerance) if int(opt.enableflags) & SLEEP else 0.0  # below, sleep ends it
        for pair, now in self._last.items():
            before = self._first.get(pair)
            if before is None or abs(now.speed - before.speed) > STEADY * now.speed or now.speed < max(MATTERS * now.size, asleep):
                continue
            if LIKE_LAW[0] * now.law < now.speed < LIKE_LAW[1] * now.law:
                found.append(now)
        return sorted(found, key=lambda one: -one.speed / one.size)

    @cached_property
    def _driven(self) -> frozenset[int]:
        return driven(self._case.model, self._case.start)

    @cached_property
    def _thickness(self) -> NDArray[np.float64]:
        return thickness_of(self._case.model)

    def _creeping(self, data: MjData) -> Iterator[Creeping]:
        """Pairs all of whose contacts that push stick."""
        geoms = np.asarray(data.contact_geom)[: data.ncon]
        if not len(geoms):
            return
        creep = creep_of(data)
        for pair in {(int(a), int(b)) for a, b in geoms[creep.sticks & (geoms >= 0).all(1)]}:
            mine = of_pair(data, pair) & (creep.normal > 0)
            load, size = self._load(pair), float(min(self._thickness[list(pair)]))
            if load < 0 or not np.isfinite(size) or not creep.sticks[mine].all():
                continue
            k = int(np.argmax(np.where(mine, creep.law, -1.0)))  # pyramids whose edges carry nothing are softer than the law
            yield Creeping(
                pair, load, self._is_held(data, load), float(creep.speed[k]), float(creep.law[k]),
                float(creep.tangential[mine].sum()), float(creep.used[mine].max()), float(data.contact_friction[k][0]), size,
            )  # fmt: skip

    def _load(self, pair: Pair) -> int:
        """The tree of a pair that is carried: the lighter that nothing drives; -1 for none."""
        model = self._case.model
        trees = {int(model.body_treeid[model.geom_bodyid[g]]) for g in pair}
        free = [tree for tree in trees if tree >= 0 and tree not in self._driven] if len(trees) > 1 else []
        mass = np.asarray(model.body_subtreemass)
        return min(free, key=lambda tree: float(mass[model.tree_bodyadr[tree]]), default=-1)

    def _is_held(self, data: MjData, tree: int) -> bool:
        """True if friction carries a large part of a tree's weight."""
        model = self._case.model
        gravity = np.asarray(model.opt.gravity)
        weight = float(model.body_subtreemass[model.tree_bodyadr[tree]]) * float(gravity @ gravity)
        return weight > 0 and -float(friction_on(model, data, tree) @ gravity) > HELD * weight


def friction_on(model: MjModel, data: MjData, tree: int) -> NDArray[np.float64]:
    """The sum of the friction forces that act on a tree, in world axes [N]."""
    force = forces_of(data)
    frame = np.asarray(data.contact_frame).reshape(-1, 3, 3)
    world = force[:, 1, None] * frame[:, 1] + force[:, 2, None] * frame[:, 2]
    owner = np.append(np.asarray(model.body_treeid)[np.asarray(model.geom_bodyid)], -2)[np.asarray(data.contact_geom)]
    sign = (owner[:, 1] == tree).astype(float) - (owner[:, 0] == tree)
    total: NDArray[np.float64] = (sign[:, None] * world).sum(axis=0)
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
