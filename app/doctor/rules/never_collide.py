"""Rule never-collide: geoms that have masks to collide but match no other geom's, and parts excluded from the ground."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed

if TYPE_CHECKING:
    from tumble.physics import MjModel

_NO_CONTACT = int(physics.mjtDisableBit.mjDSBL_CONTACT)


class _Masks(Struct, frozen=True):
    """Masks of geoms, and the bits of all that could meet them."""

    contype: int
    conaffinity: int
    others: tuple[int, int]


def _examine(case: Examination) -> Iterable[Finding]:
    model = case.model
    meant = (np.asarray(model.geom_contype) != 0) | (np.asarray(model.geom_conaffinity) != 0)
    if int(model.opt.disableflags) & _NO_CONTACT:
        free = np.asarray(model.jnt_type) == int(physics.mjtJoint.mjJNT_FREE)
        if (meant & (_weld(model) != 0)).any() and meant.sum() > 1 and free.any():
            yield Finding(
                RULE.id, Severity.WARNING, "contacts are disabled, though bodies that can fall have geoms that collide",
                "Everything falls through everything.", (), {"geoms": int(meant.sum())},
            )  # fmt: skip
        return
    for masks, geoms in _lonely(model, meant).items():
        names, one = listed([case.name(OBJ.mjOBJ_GEOM, g) for g in geoms]), len(geoms) == 1
        yield Finding(
            RULE.id, Severity.WARNING,
            f"{names} can touch nothing: {'its' if one else 'their'} contype {masks.contype} and conaffinity {masks.conaffinity} "
            f"meet no other geom's (contype {masks.others[0]}, conaffinity {masks.others[1]} together)",
            f"{'It passes' if one else 'They pass'} through everything.", tuple((OBJ.mjOBJ_GEOM, g) for g in geoms),
            {"contype": masks.contype, "conaffinity": masks.conaffinity, "others": masks.others, "number": len(geoms)},
        )  # fmt: skip
    yield from _excluded(case, meant)


def _excluded(case: Examination, meant: NDArray[np.bool_]) -> Iterable[Finding]:
    """Bodies of machines that can fall which an <exclude> keeps from touching what stands still."""
    model, weld = case.model, _weld(case.model)
    free = np.asarray(model.jnt_type) == int(physics.mjtJoint.mjJNT_FREE)
    falling = set(np.asarray(model.body_rootid)[np.asarray(model.jnt_bodyid)[free]].tolist())
    contype, affinity = np.asarray(model.geom_contype), np.asarray(model.geom_conaffinity)
    still = meant & (weld == 0)
    types, affinities = int(np.bitwise_or.reduce(contype[still])), int(np.bitwise_or.reduce(affinity[still]))
    bodies = []
    for signature in np.asarray(model.exclude_signature).tolist():
        fixed, body = sorted((signature >> 16, signature & 0xFFFF), key=lambda b: int(model.body_weldid[b]) != 0)
        own = np.asarray(model.geom_bodyid) == body
        meets = bool(((contype[own] & affinities) | (affinity[own] & types)).any())
        if meets and int(model.body_weldid[fixed]) == 0 and int(model.body_rootid[body]) in falling:
            bodies.append(body)
    if bodies:
        names, one = listed([case.name(OBJ.mjOBJ_BODY, b) for b in bodies]), len(bodies) == 1
        yield Finding(
            RULE.id, Severity.WARNING, f"an <exclude> keeps {names} from touching the ground, though the machine can fall on it",
            f"{'It passes' if one else 'They pass'} through the floor.", tuple((OBJ.mjOBJ_BODY, b) for b in bodies),
            {"number": len(bodies)},
        )  # fmt: skip


def _weld(model: MjModel) -> NDArray[np.int32]:
    """The body that each geom moves with, 0 for the world."""
    return np.asarray(model.body_weldid)[np.asarray(model.geom_bodyid)]


def _lonely(model: MjModel, meant: NDArray[np.bool_]) -> dict[_Masks, list[int]]:
    """Geoms that meet no other, by their masks; none where nothing collides at all: that is meant."""
    contype, affinity, weld = np.asarray(model.geom_contype), np.asarray(model.geom_conaffinity), _weld(model)
    paired = set(np.asarray(model.pair_geom1).tolist()) | set(np.asarray(model.pair_geom2).tolist())
    able, lonely = False, defaultdict[_Masks, list[int]](list)
    for g in np.flatnonzero(meant):
        others = meant & (weld != weld[g]) & ((weld != 0) | (weld[g] != 0))
        types = np.append(contype[others], np.asarray(model.flex_contype))
        affinities = np.append(affinity[others], np.asarray(model.flex_conaffinity))
        if g in paired or not len(types):
            continue
        if np.any((contype[g] & affinities) | (types & affinity[g])):
            able = True
        else:
            bits = int(np.bitwise_or.reduce(types)), int(np.bitwise_or.reduce(affinities))
            lonely[_Masks(int(contype[g]), int(affinity[g]), bits)].append(int(g))
    return lonely if able else {}


RULE = DoctorRule(
    "never-collide", "Geoms whose masks match no other geom's",
    "Two geoms of different bodies collide where the contype of one and the conaffinity of the other share a bit. A geom "
    "without any bit is only seen; one with bits that no other has was likely meant to collide. Of two that stand still neither "
    "counts for the other. An <exclude> between the ground and a part of a machine that can fall on it is found too.",
    _examine,
)  # fmt: skip
