"""Readings of islands and sleep from the live data, and the cause of each wake-up, from consecutive readings."""

from __future__ import annotations

import weakref
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.islands import NO_ISLAND, SLEEP, refusal, tree_name
from tumble.app.describe.names import body_name
from tumble.app.describe.numbers import moment
from tumble.physics.state.constants import mjNISLAND
from tumble.render.scene.island_colours import leaders

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Ints = NDArray[Any]
Floats = NDArray[np.float64]


class Cause(IntEnum):
    """Causes that wake a tree."""

    NOT_SEEN = 0  # it has not woken while this was watched
    FORCE = 1  # of the user
    CONTACT = 2  # with a tree
    MOCAP = 3  # with a mocap body
    TIE = 4  # to a tree, by an equality or a tendon
    HAND = 5  # moved, woken by the button, or by a change to the model
    SWITCH = 6  # sleeping was switched off


class Wakings(Struct):
    """Last wake-up of each tree, (ntree,) each: cause, source (tree; body for MOCAP; -1), time [s]."""

    cause: Ints
    who: Ints
    time: NDArray[np.float64]

    @staticmethod
    def none(ntree: int) -> Wakings:
        """No tree has woken."""
        return Wakings(np.zeros(ntree, np.int8), np.full(ntree, -1), np.zeros(ntree))


def text(model: MjModel, wakings: Wakings, tree: int) -> str:
    """Last wake-up of a tree in words; empty if unknown."""
    cause, who = Cause(int(wakings.cause[tree])), int(wakings.who[tree])
    by = {
        Cause.FORCE: "a force applied to it",
        Cause.CONTACT: f"contact with {tree_name(model, who)}" if cause is Cause.CONTACT else "",
        Cause.MOCAP: f"contact with {body_name(model, who)}" if cause is Cause.MOCAP else "",
        Cause.TIE: f"its constraint with {tree_name(model, who)}" if cause is Cause.TIE else "",
        Cause.HAND: "the user, a change to the model, or a brief contact",
        Cause.SWITCH: "switching sleep off",
    }
    return f"Woken at {moment(wakings.time[tree])} by {by[cause]}." if cause is not Cause.NOT_SEEN else ""


def find(
    before: Ints, now: Ints, pairs: Ints, pushed: NDArray[np.bool_], island: Ints, sleeping: bool
) -> dict[int, tuple[Cause, int]]:
    """Trees that have woken, and why: {tree: (cause, source)}.

    before, now: (ntree,) tree_asleep; pairs: (n, 2) trees in contact, -1 - body for mocap bodies; pushed: (ntree,)
    whether the user exerts a force; island: (ntree,) tree_island now. Trees that slept together woke for one cause.
    """
    woken = (before >= 0) & (now < 0)
    if not woken.any():
        return {}
    slept = leaders(np.full(len(before), -1), before)
    result: dict[int, tuple[Cause, int]] = {}
    for leader in np.unique(slept[woken]):
        cycle = slept == leader
        why = (Cause.SWITCH, -1) if not sleeping else _why(cycle, before, pairs, pushed, island)
        result.update({int(tree): why for tree in np.flatnonzero(cycle & woken)})
    return result


def _why(cycle: Ints, before: Ints, pairs: Ints, pushed: Ints, island: Ints) -> tuple[Cause, int]:
    if pushed[cycle].any():
        return Cause.FORCE, -1
    touching = _partners(cycle, pairs)
    trees = touching[touching >= 0]
    if len(trees):
        awake = trees[before[trees] < 0]  # else a tree that woke at the same moment
        return Cause.CONTACT, int(awake[0] if len(awake) else trees[0])
    if len(touching):
        return Cause.MOCAP, int(-1 - touching[0])
    tied = np.flatnonzero(np.isin(island, island[cycle & (island >= 0)]) & ~cycle)
    return (Cause.TIE, int(tied[0])) if len(tied) else (Cause.HAND, -1)


def _partners(cycle: Ints, pairs: Ints) -> Ints:
    """Other trees in contact with the trees of a cycle."""
    inside = (pairs >= 0) & cycle[np.maximum(pairs, 0)]
    return np.concatenate([pairs[inside[:, 0] & ~inside[:, 1], 1], pairs[inside[:, 1] & ~inside[:, 0], 0]])


def contact_trees(model: MjModel, geom: Ints) -> Ints:
    """(n, 2) trees of the contacts of trees with trees or mocap bodies (-1 - body), without flexes; geom: (ncon, 2)."""
    geom = geom.reshape(-1, 2)
    body = np.asarray(model.geom_bodyid)[geom[(geom >= 0).all(axis=1)]]
    tree = np.asarray(model.body_treeid)[body]
    mocap = np.asarray(model.body_mocapid)[np.asarray(model.body_rootid)[body]] >= 0
    counts = ((tree >= 0) | mocap).all(axis=1)
    return np.asarray(np.where(tree >= 0, tree, -1 - body)[counts])


def pushed_trees(model: MjModel, data: MjData) -> NDArray[np.bool_]:
    """(ntree,) whether the user exerts a force on a tree."""
    result = np.zeros(int(model.ntree), bool)
    trees = np.asarray(model.body_treeid)[np.asarray(data.xfrc_applied).any(axis=1)]
    result[trees[trees >= 0]] = True
    result[np.asarray(model.dof_treeid)[np.flatnonzero(data.qfrc_applied)]] = True
    return result


class IslandReading(Struct):
    """Islands and sleep at one moment; names and shapes as in MjData and MjModel.

    rows, seconds: (nisland,); iterations: of the first islands; refused: why sleep cannot be switched on.
    """

    tree_island: Ints
    tree_asleep: Ints
    policy: Ints
    wakings: Wakings
    rows: Ints
    iterations: Ints
    seconds: Floats
    tolerance: float = 0.0
    nefc: int = 0
    sleeping: bool = False
    islands: bool = True
    refused: str = ""


class IslandsProbe:
    """Takes a reading, and detects trees that woke since the one before."""

    def __init__(self) -> None:
        self._model: weakref.ref[MjModel] | None = None  # one that was closed is not kept while the panel is out of sight
        self._before: Ints = np.zeros(0, np.int32)
        self._wakings = Wakings.none(0)
        self._time = 0.0

    def room(self, model: MjModel, data: MjData) -> IslandReading:
        """New storage for one snapshot."""
        n, empty = int(model.ntree), np.zeros(0, np.int64)
        return IslandReading(np.full(n, -1), np.full(n, -1), np.zeros(n, np.int64), Wakings.none(n), empty, empty, np.zeros(0))

    def take(self, model: MjModel, data: MjData, into: IslandReading) -> None:
        """Fill the storage."""
        self._notice(model, data)
        count, flags = int(data.nisland), int(model.opt.enableflags)
        into.tree_island[:] = data.tree_island
        into.tree_asleep[:] = data.tree_asleep
        into.policy[:] = model.tree_sleep_policy
        for name in Wakings.__struct_fields__:
            getattr(into.wakings, name)[:] = getattr(self._wakings, name)
        into.rows = np.array(data.island_nefc[:count])
        into.seconds = np.array(data.island_time[:count])
        into.iterations = np.array(data.solver_niter[: min(count, mjNISLAND)])
        into.tolerance, into.nefc = float(model.opt.sleep_tolerance), int(data.nefc)
        into.sleeping, into.islands = bool(flags & SLEEP), not int(model.opt.disableflags) & NO_ISLAND
        hard = model.tumble.contact_model == physics.ContactModel.LCP
        into.refused = refusal(int(model.opt.integrator), bool(hard))

    def _notice(self, model: MjModel, data: MjData) -> None:
        now, time = np.array(data.tree_asleep), float(data.time)
        if self._model is None or self._model() is not model or time < self._time:  # another model, a reset, a step back
            self._model, self._before, self._wakings = weakref.ref(model), now, Wakings.none(len(now))
        elif ((self._before >= 0) & (now < 0)).any():
            pairs = contact_trees(model, np.asarray(data.contact.geom))
            sleeping = bool(int(model.opt.enableflags) & SLEEP)
            causes = find(self._before, now, pairs, pushed_trees(model, data), np.asarray(data.tree_island), sleeping)
            for tree, (cause, who) in causes.items():
                self._wakings.cause[tree], self._wakings.who[tree], self._wakings.time[tree] = cause, who, time
        self._before, self._time = now, time
