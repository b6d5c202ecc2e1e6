"""Islands and sleeping trees in numbers and words, from copies of the data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.names import body_name, name_of
from tumble.app.describe.numbers import DASH
from tumble.physics.observe.soft_strain import flex_bodies
from tumble.physics.sleep.fall import AUTO_NEVER, READY, point_speed
from tumble.physics.sleep.fall import NEVER as KEPT_AWAKE
from tumble.physics.sleep.lists import WIDE_AWAKE
from tumble.physics.state.constants import mjMINAWAKE

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Ints = NDArray[Any]
Floats = NDArray[np.float64]

SLEEP = int(physics.mjtEnableBit.mjENBL_SLEEP)
NO_ISLAND = int(physics.mjtDisableBit.mjDSBL_ISLAND)
RK4 = int(physics.mjtIntegrator.mjINT_RK4)
_POLICY = physics.mjtSleepPolicy
NEVER = (KEPT_AWAKE, AUTO_NEVER)
KEEP_AWAKE, MAY_SLEEP = float(_POLICY.mjSLEEP_NEVER), float(_POLICY.mjSLEEP_ALLOWED)
DECADES = 3.0  # of speed on either side of the tolerance that a bar shows
UNKNOWN = -1  # iterations of islands beyond those that the engine keeps


class Groups(Struct):
    """Trees that belong together, (n,) each, by their lowest tree; the last may be those that no row touches (leader -1).

    trees, dofs, rows: how many; iterations: of the solver, UNKNOWN if not recorded; seconds: that its solve took [s];
    asleep: fell asleep together.
    """

    leader: Ints
    trees: Ints
    dofs: Ints
    rows: Ints
    iterations: Ints
    seconds: Floats
    asleep: NDArray[np.bool_]


def groups(
    leader: Ints, tree_island: Ints, tree_asleep: Ints, dofnum: Ints, rows: Ints, iterations: Ints, seconds: Floats
) -> Groups:
    """The islands, groups of sleeping trees, and free trees; leader: (ntree,) of tumble.render.scene.island_colours.leaders.

    rows, seconds: (nisland,); iterations: of the first islands, as many as are known.
    """
    leaders, inverse = np.unique(leader, return_inverse=True)
    trees = np.bincount(inverse, minlength=len(leaders))
    dofs = np.bincount(inverse, dofnum, minlength=len(leaders)).astype(np.int64)
    free = leaders < 0
    asleep = np.where(free, False, tree_asleep[leaders] >= 0)
    island = np.where(free | asleep, -1, tree_island[leaders])
    numbers = _of(rows, island, 0), _of(iterations, island, UNKNOWN), _of(seconds, island, 0)
    result = Groups(leaders, trees, dofs, *numbers, asleep)
    result.iterations[free | asleep] = 0
    last = np.argsort(free, kind="stable")  # the free ones come after all others
    return Groups(*(getattr(result, name)[last] for name in Groups.__struct_fields__))


def _of(values: NDArray[Any], island: Ints, otherwise: int) -> NDArray[Any]:
    known = (island >= 0) & (island < len(values))
    result = np.full(len(island), otherwise, np.result_type(values, np.int64))
    result[known] = values[island[known]]
    return result


def speeds(qvel: Floats, dof_length: Floats, tree_dofadr: Ints) -> Floats:
    """(ntree,) greatest speed of each tree's dofs [m/s]: angles are multiplied by dof_length, like the tolerance."""
    if len(tree_dofadr) == 0:
        return np.zeros(0)
    return np.asarray(np.maximum.reduceat(point_speed(qvel, dof_length), tree_dofadr))


def bar(speed: float, tolerance: float) -> float:
    """The position of a speed on a logarithmic bar, 0..1, with the tolerance in the middle; not finite: at the end."""
    if speed == 0.0:
        return 0.0
    if not np.isfinite(speed) or tolerance <= 0.0:
        return 1.0
    return float(np.clip(0.5 + np.log10(speed / tolerance) / (2 * DECADES), 0.02, 1.0))


def state_text(tree_asleep: int, policy: int, sleeping: bool) -> str:
    """The state of a tree in a word or two; sleeping: whether the flag is on."""
    if tree_asleep >= 0:
        return "asleep"
    if policy in NEVER:
        return "never sleeps"
    if not sleeping:
        return "awake"
    return "ready" if tree_asleep == READY else f"awake, {tree_asleep}"


def explain(tree_asleep: int, policy: int, sleeping: bool, together: int) -> str:
    """The state of a tree in a sentence; together: how many trees are in its island or fell asleep with it."""
    others = "" if together <= 1 else f" with {together - 1} other{'s' if together > 2 else ''}"
    if tree_asleep >= 0:
        return f"Asleep{others}: a touch wakes them all." if others else "Asleep, until it is touched."
    if policy in NEVER:
        reason = "it is kept awake" if policy == NEVER[0] else "actuators or tendons could move it (policy auto)"
        return f"Never sleeps: {reason}. All that it touches stay awake too."
    if not sleeping:
        return "Awake: sleeping is off."
    if tree_asleep == READY:
        return "Ready: falls asleep" + (" once all of its island are ready." if others else " in the next step.")
    slow = tree_asleep - WIDE_AWAKE
    return f"Awake ({tree_asleep} of {WIDE_AWAKE} to {READY}): slow for {slow} of {mjMINAWAKE} steps in a row."


def refusal(integrator: int, hard: bool) -> str:
    """Why trees cannot sleep, "" where they can; hard: contacts are solved as an LCP, whose steps are its own."""
    if integrator == RK4 and not hard:
        return "Sleeping and the integrator RK4 exclude each other: trees would have to wake within a step."
    return ""


def remark(sleeping: bool, islands: bool, tolerance: float) -> str:
    """Conditions under which trees fall asleep."""
    if not islands and sleeping:
        return "No tree falls asleep while the flag island is off: it is unknown which trees touch."
    if not sleeping:
        return f"Sleeping is off. Switched on, trees slower than {tolerance:g} m/s for {mjMINAWAKE} steps are skipped."
    return f"A tree falls asleep after {mjMINAWAKE} steps slower than {tolerance:g} m/s, with its whole island."


def together(leader: Ints, trees: Ints) -> Ints:
    """All trees that share an island, or sleep, with any of `trees`, and those themselves."""
    chosen = np.unique(leader[trees])
    return np.union1d(trees, np.flatnonzero(np.isin(leader, chosen[chosen >= 0])))


# ---- changes to the live data, in the thread that owns them


def wake(model: MjModel, data: MjData, trees: Iterable[int]) -> None:
    """Nudge sleeping trees: a velocity of minus zero is a touch without a push, and all that sleep with them wake too."""
    for tree in trees:
        if data.tree_asleep[tree] >= 0:
            data.qvel[model.tree_dofadr[tree]] = -0.0


def settle(model: MjModel, data: MjData, trees: Iterable[int]) -> None:
    """Stop trees and end their countdown: the next step puts them to sleep, if nothing else moves them."""
    for tree in trees:
        if data.tree_asleep[tree] < 0 and model.tree_sleep_policy[tree] not in NEVER:
            first = model.tree_dofadr[tree]
            data.qvel[first : first + model.tree_dofnum[tree]] = 0.0
            data.inner.tree_asleep[tree] = READY


def tree_name(model: MjModel, tree: int) -> str:
    """A tree by its topmost body."""
    return body_name(model, int(model.tree_bodyadr[tree]))


_TENDON, _JOINT = physics.mjtEq.mjEQ_TENDON, physics.mjtEq.mjEQ_JOINT
_OF_FLEXES = (physics.mjtEq.mjEQ_FLEX, physics.mjtEq.mjEQ_FLEXVERT)
_BODY, _SITE = int(physics.mjtObj.mjOBJ_BODY), int(physics.mjtObj.mjOBJ_SITE)


def equality_name(model: MjModel, index: int) -> str:
    """The name of an equality constraint; without one, its type and ends: "weld: box – world"."""
    name = physics.mj_id2name(model, physics.mjtObj.mjOBJ_EQUALITY, index)
    if name:
        return name
    kind = physics.mjtEq(int(model.eq_type[index])).name.rpartition("_")[2].lower()
    tied = [name_of(model, _objects(model, index), i) for i in _ids(model, index)]
    return f"{kind}: {f' {DASH} '.join(tied)}"


def _objects(model: MjModel, index: int) -> physics.mjtObj:
    """Type of the elements that it constrains."""
    kind = int(model.eq_type[index])
    if kind == _JOINT:
        return physics.mjtObj.mjOBJ_JOINT
    if kind in _OF_FLEXES:
        return physics.mjtObj.mjOBJ_FLEX
    return physics.mjtObj.mjOBJ_TENDON if kind == _TENDON else physics.mjtObj(int(model.eq_objtype[index]))


def _ids(model: MjModel, index: int) -> list[int]:
    """One or two of them."""
    return [int(i) for i in (model.eq_obj1id[index], model.eq_obj2id[index]) if i >= 0]


def held_bodies(model: MjModel, index: int) -> list[int]:
    """The bodies that an equality constraint holds; none of one between tendons."""
    kind, ids = _objects(model, index), _ids(model, index)
    if kind == physics.mjtObj.mjOBJ_JOINT:
        return [int(model.jnt_bodyid[i]) for i in ids]
    if kind == physics.mjtObj.mjOBJ_SITE:
        return [int(model.site_bodyid[i]) for i in ids]
    if kind == physics.mjtObj.mjOBJ_FLEX:
        return [int(b) for i in ids for b in flex_bodies(model, i) if b > 0]
    return ids if kind == physics.mjtObj.mjOBJ_BODY else []


def held_trees(model: MjModel, index: int) -> tuple[int, ...]:
    """The trees that an equality constraint may hold: those of its bodies, all where it has none."""
    bodies = held_bodies(model, index)
    trees = {int(model.body_treeid[b]) for b in bodies} if bodies else set(range(int(model.ntree)))
    return tuple(sorted(tree for tree in trees if tree >= 0))
