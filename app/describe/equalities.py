"""Equality constraints in words, and which trees they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.physics.observe.soft.bodies import flex_bodies

if TYPE_CHECKING:
    from tumble.physics import MjModel

DASH = "\N{EN DASH}"
_TENDON, _JOINT = physics.mjtEq.mjEQ_TENDON, physics.mjtEq.mjEQ_JOINT
_OF_FLEXES = (physics.mjtEq.mjEQ_FLEX, physics.mjtEq.mjEQ_FLEXVERT)
_BODY, _SITE = int(physics.mjtObj.mjOBJ_BODY), int(physics.mjtObj.mjOBJ_SITE)


def equality_name(model: MjModel, index: int) -> str:
    """The name of an equality constraint; without one, what it ties to what: "weld: box – world"."""
    name = physics.mj_id2name(model, physics.mjtObj.mjOBJ_EQUALITY, index)
    if name:
        return name
    kind = physics.mjtEq(int(model.eq_type[index])).name.rpartition("_")[2].lower()
    tied = [name_of(model, _objects(model, index), i) for i in _ids(model, index)]
    return f"{kind}: {f' {DASH} '.join(tied)}"


def _objects(model: MjModel, index: int) -> physics.mjtObj:
    """The kind of what it ties."""
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
    found = {int(model.body_treeid[b]) for b in bodies} if bodies else set(range(int(model.ntree)))
    return tuple(sorted(tree for tree in found if tree >= 0))
