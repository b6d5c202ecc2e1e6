"""Equality constraints: bodies or sites held together, positions of joints or tendons coupled, edges of a flex kept in length."""

from __future__ import annotations

from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.fill import fill
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtEq, mjtJoint, mjtObj
from tumble.physics.state.model import Model

EQUALITIES = {"connect": mjtEq.mjEQ_CONNECT, "weld": mjtEq.mjEQ_WELD, "joint": mjtEq.mjEQ_JOINT, "tendon": mjtEq.mjEQ_TENDON,
          "flex": mjtEq.mjEQ_FLEX, "flexvert": mjtEq.mjEQ_FLEXVERT}  # fmt: skip
_ROWS = {"connect": 3, "weld": 7, "joint": 1, "tendon": 1, "flex": 1, "flexvert": 1}  # room as the reference counts it

_FLEX = ("flex", "flexvert")

# eq_data of a connect: a point in each frame; of a weld: the point in the second frame, then position and quaternion of
# the second frame in the first, then the weight of the rotation; of a coupling: coefficients of the polynomial.
_POINT, _POSITION, _QUATERNION, _POLYNOMIAL, _SCALE = slice(0, 3), slice(3, 6), slice(6, 10), slice(0, 5), 10


def most_rows(draft: Draft) -> int:
    """Constraint rows that all equality constraints of a model together may take."""
    return sum(_ROWS[element.tag] for element in draft.equalities)


def fill_equalities(draft: Draft, m: Model) -> None:
    """Write the equality constraints of a model; what follows from the reference configuration is mj_setConst's to find.

    Raises MjcfError for ends that do not go together.
    """
    fill(m, "eq_", draft.equalities, ("active0", "solref", "solimp"), active0="active")
    for i, element in enumerate(draft.equalities):
        with faults.tolerated():
            _fill_equality(draft, m, i, element)


def _fill_equality(draft: Draft, m: Model, i: int, element: Element) -> None:
    m.eq_type[i] = EQUALITIES[element.tag]
    kind, first, second = _ends(draft, element)
    if first == second:
        raise element.error("ties an object to itself: it needs two different ones")
    m.eq_objtype[i], m.eq_obj1id[i], m.eq_obj2id[i] = kind, first, second
    if element.tag in _FLEX:
        m.eq_data[i, 1] = m.eq_data[i, _SCALE] = 1.0  # means nothing: what the reference leaves there
    elif element.tag == "weld":
        _fill_weld(element, i, m)
    elif element.tag == "connect":
        if kind == mjtObj.mjOBJ_BODY:
            m.eq_data[i, _POINT], m.eq_data[i, _SCALE] = element.get("anchor"), 1.0
    else:
        m.eq_data[i, _POLYNOMIAL], m.eq_data[i, _SCALE] = element.get("polycoef"), 1.0


def _ends(draft: Draft, element: Element) -> tuple[mjtObj, int, int]:
    """The kind of the two objects, and their ids: the second may be left out, which is the world for a body, -1 else."""
    if element.tag in _FLEX:
        flex = draft.id(element, "flex", "flex")
        if flex < 0:
            raise element.error("needs a flex, its name is empty")
        if draft.flexes[flex].rigid:
            raise element.error(f'flex "{element.get("flex")}" is rigid: all its vertices belong to one body, no edge can change')
        return mjtObj.mjOBJ_UNKNOWN, flex, -1
    if element.tag in ("joint", "tendon"):
        return mjtObj.mjOBJ_UNKNOWN, *_coupled(draft, element)  # eq_type tells what they are
    kind = "site" if element.has("site1") else "body"
    first, second = (draft.id(element, f"{kind}{k}", kind) for k in (1, 2))
    written = [name for name in ("anchor", "relpose") if element.has(name)]
    if kind == "site":
        if min(first, second) < 0:
            raise element.error("needs both site1 and site2")
        if written:
            raise element.error(f"{written[0]} goes with body1: two sites tell where they are held together")
        return mjtObj.mjOBJ_SITE, first, second
    if first < 0:
        raise element.error("needs a body1, its name is empty")
    if element.tag == "connect" and not written:
        raise element.error("needs an anchor, the point of body1 where the two are connected; or site1 and site2 instead")
    return mjtObj.mjOBJ_BODY, first, max(second, 0)


def _coupled(draft: Draft, element: Element) -> tuple[int, int]:
    """The ids of the two joints or tendons of a coupling."""
    kind = element.tag
    first, second = (draft.id(element, f"{kind}{k}", kind) for k in (1, 2))
    if first < 0:
        raise element.error(f"needs a {kind}1, its name is empty")
    if kind == "joint":
        for joint in (draft.joints[j] for j in (first, second) if j >= 0):
            if joint.type not in (mjtJoint.mjJNT_SLIDE, mjtJoint.mjJNT_HINGE):
                raise element.error("needs slide or hinge joints")
    return first, second


def _fill_weld(element: Element, i: int, m: Model) -> None:
    m.eq_data[i, _SCALE] = element.get("torquescale")
    if m.eq_objtype[i] == mjtObj.mjOBJ_SITE:
        m.eq_data[i, 1] = 1.0  # means nothing: what the reference leaves there
        return
    m.eq_data[i, _POINT] = element.get("anchor")
    relpose = element.get("relpose")
    if relpose is not None and relpose[3:].any():  # a quaternion of zeros asks for the reference configuration
        m.eq_data[i, _POSITION], m.eq_data[i, _QUATERNION] = relpose[:3], relpose[3:]


_CONDIMS = (1, 3, 4, 6)


def pair_bodies(draft: Draft, element: Element, kind: str) -> tuple[int, int]:
    """The bodies that a <pair> or an <exclude> is about, the lower id first; kind: "geom" or "body"."""
    ids = [draft.required_id(element, f"{kind}{k}", kind) for k in (1, 2)]
    if kind == "geom":
        ids = [draft.geoms[i].body.id for i in ids]
    return min(ids), max(ids)


def sort_pairs(draft: Draft) -> None:
    """Bring pairs and exclusions into the order of their bodies, in which collision looks them up."""
    draft.pairs.sort(key=lambda element: pair_bodies(draft, element, "geom"))
    draft.excludes.sort(key=lambda element: pair_bodies(draft, element, "body"))


def signature(low: int, high: int) -> int:
    """Two bodies as one number of 32 bits, which is negative for bodies beyond 32767."""
    value = (low << 16) + high
    return value - (value >> 31 << 32)


def fill_pairs(draft: Draft, m: Model) -> None:
    """Write the contact pairs and the exclusions of a model."""
    fill(m, "pair_", draft.pairs, ("solref", "solreffriction", "solimp", "margin", "gap", "friction"))
    for i, element in enumerate(draft.pairs):
        first, second = (draft.required_id(element, f"geom{k}", "geom") for k in (1, 2))
        if draft.geoms[first].body.id > draft.geoms[second].body.id:
            first, second = second, first
        if element.get("condim") not in _CONDIMS:
            faults.report(element.error(f"condim must be 1, 3, 4 or 6, is {element.get('condim')}"))
        m.pair_dim[i], m.pair_geom1[i], m.pair_geom2[i] = element.get("condim"), first, second
        low, high = pair_bodies(draft, element, "geom")
        m.pair_signature[i] = signature(low, high)
    for i, element in enumerate(draft.excludes):
        low, high = pair_bodies(draft, element, "body")
        m.exclude_signature[i] = signature(low, high)
