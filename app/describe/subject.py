"""The contact or body that a finding, a stop or a row is about, for the view to mark."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

_OBJ, _C, _WRAP = physics.mjtObj, physics.mjtConstraint, physics.mjtWrap
_OBJECTS = {
    int(_C.mjCNSTR_EQUALITY): _OBJ.mjOBJ_EQUALITY,
    int(_C.mjCNSTR_FRICTION_TENDON): _OBJ.mjOBJ_TENDON,
    int(_C.mjCNSTR_LIMIT_JOINT): _OBJ.mjOBJ_JOINT,
    int(_C.mjCNSTR_LIMIT_TENDON): _OBJ.mjOBJ_TENDON,
}


class Subject(Struct, frozen=True):
    """pair: the two sides of a contact, geoms or -1 - flex; point: where it is in the world [m]; body: else, 0 for none."""

    pair: tuple[int, int] | None = None
    point: tuple[float, float, float] | None = None
    body: int = 0


NOTHING = Subject()


def contact_subject(data: MjData, contact: int) -> Subject:
    """A contact of the present moment."""
    geoms, flexes = data.contact_geom[contact], data.contact_flex[contact]
    first, second = (int(g) if g >= 0 else -1 - int(f) for g, f in zip(geoms, flexes, strict=True))
    x, y, z = (float(v) for v in data.contact_pos[contact])
    return Subject((first, second), (x, y, z) if math.isfinite(x + y + z) else None)


def row_subject(model: MjModel, data: MjData, row: int) -> Subject:
    """The contact or body of a constraint row in the current state."""
    kind, ident = int(data.efc_type[row]), int(data.efc_id[row])
    if kind >= int(_C.mjCNSTR_CONTACT_FRICTIONLESS):
        return contact_subject(data, ident)
    return constraint_subject(model, kind, ident)


def constraint_subject(model: MjModel, kind: int, ident: int) -> Subject:
    """The body of a constraint other than a contact; kind: mjtConstraint."""
    if kind == int(_C.mjCNSTR_FRICTION_DOF):
        return Subject(body=int(model.dof_bodyid[ident]))
    return element_subject(model, _OBJECTS[kind], ident)


def element_subject(model: MjModel, kind: physics.mjtObj, index: int) -> Subject:
    """An element of the model: the body that it belongs to, or the geoms of a pair."""
    if kind == _OBJ.mjOBJ_PAIR:
        return Subject(pair=(int(model.pair_geom1[index]), int(model.pair_geom2[index])))
    return Subject(body=_body(model, kind, index))


def _body(model: MjModel, kind: physics.mjtObj, index: int) -> int:
    """The body that an element belongs to; 0: none that can be selected."""
    owners = {_OBJ.mjOBJ_GEOM: "geom_bodyid", _OBJ.mjOBJ_JOINT: "jnt_bodyid", _OBJ.mjOBJ_SITE: "site_bodyid"}
    if kind == _OBJ.mjOBJ_BODY:
        return index
    if kind in owners:
        return int(getattr(model, owners[kind])[index])
    if kind == _OBJ.mjOBJ_TENDON:
        return _of_tendon(model, index)
    if kind == _OBJ.mjOBJ_EQUALITY:
        held = physics.mjtObj(int(model.eq_objtype[index]))
        return _body(model, held, int(model.eq_obj1id[index])) or _body(model, held, max(int(model.eq_obj2id[index]), 0))
    if kind == _OBJ.mjOBJ_ACTUATOR:
        target, joint = int(model.actuator_trnid[index, 0]), physics.mjtTrn.mjTRN_JOINT
        return int(model.jnt_bodyid[target]) if int(model.actuator_trntype[index]) == int(joint) else 0
    return 0


def _of_tendon(model: MjModel, tendon: int) -> int:
    """The first moving body along a tendon."""
    first, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    kinds = {int(_WRAP.mjWRAP_JOINT): _OBJ.mjOBJ_JOINT, int(_WRAP.mjWRAP_SITE): _OBJ.mjOBJ_SITE}
    for k in range(first, first + count):
        kind = kinds.get(int(model.wrap_type[k]))
        body = 0 if kind is None else _body(model, kind, int(model.wrap_objid[k]))
        if body:
            return body
    return 0
