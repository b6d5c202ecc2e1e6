"""Rule never-collide: geoms that have masks to collide, but match no other geom's."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity

_NO_CONTACT = int(physics.mjtDisableBit.mjDSBL_CONTACT)


def _examine(case: Examination) -> Iterable[Finding]:
    model = case.model
    contype, affinity = np.asarray(model.geom_contype), np.asarray(model.geom_conaffinity)
    body, weld = np.asarray(model.geom_bodyid), np.asarray(model.body_weldid)
    meant = np.flatnonzero((contype != 0) | (affinity != 0))
    moving = [int(g) for g in meant if weld[body[g]] != 0]
    if int(model.opt.disableflags) & _NO_CONTACT:
        free = np.asarray(model.jnt_type) == int(physics.mjtJoint.mjJNT_FREE)
        if moving and len(meant) > 1 and free.any():
            yield Finding(
                RULE.id, Severity.WARNING, "contacts are disabled, though bodies that can fall have geoms that collide",
                "Everything falls through everything.", (), {"geoms": len(meant)},
            )  # fmt: skip
        return
    paired = set(np.asarray(model.pair_geom1).tolist()) | set(np.asarray(model.pair_geom2).tolist())
    able, lonely = False, []
    for g in moving:
        others = meant[weld[body[meant]] != weld[body[g]]]
        if g in paired or len(others) == 0:
            continue
        meets = bool(np.any((contype[g] & affinity[others]) | (contype[others] & affinity[g])))
        able |= meets
        lonely += [] if meets else [g]
    if not able:
        return  # nothing collides at all: that is meant
    for g in lonely:
        others = meant[weld[body[meant]] != weld[body[g]]]
        bits = int(np.bitwise_or.reduce(contype[others])), int(np.bitwise_or.reduce(affinity[others]))
        yield Finding(
            RULE.id, Severity.WARNING,
            f"{case.name(OBJ.mjOBJ_GEOM, g)} can touch nothing: its contype {int(contype[g])} and conaffinity "
            f"{int(affinity[g])} meet no other geom's (contype {bits[0]}, conaffinity {bits[1]} together)",
            "It passes through everything.", ((OBJ.mjOBJ_GEOM, g),),
            {"contype": int(contype[g]), "conaffinity": int(affinity[g]), "others": bits},
        )  # fmt: skip


RULE = DoctorRule(
    "never-collide", "Geoms whose masks match no other geom's",
    "Two geoms of different bodies collide where the contype of one and the conaffinity of the other share a bit. A geom "
    "without any bit is only seen; one with bits that no other has was likely meant to collide.",
    _examine,
)  # fmt: skip
