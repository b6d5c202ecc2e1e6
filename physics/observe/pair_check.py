"""Why two geoms do not collide, or that they do: every reason that the collision of a step has, in its order.

    check = check_pair(m, physics.fork(m, d)[1], g1, g2)
    print([reason.name for reason in check.reasons], len(check.contacts))

What a contact needs is looked at one by one, also after the first thing that is missing: a user who mends one would only
meet the next. The answer holds for the contacts that the data have, and for the poses that they were found in.
"""

from __future__ import annotations

from enum import IntEnum, auto

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.callback.public import get_mjcb_contactfilter
from tumble.physics.collision.consider import bodies_meet
from tumble.physics.collision.filter import masks_meet, pair_stirs
from tumble.physics.observe.collision_record import CollisionRecord, as_named, record_collision
from tumble.physics.query.geom_shapes import hull_filling
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit, mjtEnableBit, mjtGeom
from tumble.physics.state.model import Model

MESH, HFIELD, SDF = int(mjtGeom.mjGEOM_MESH), int(mjtGeom.mjGEOM_HFIELD), int(mjtGeom.mjGEOM_SDF)
_FILLED = 1.02  # volume of a hull over that of its mesh, from which on hollows are worth a word
_UNSIGNED = (1 << 32) - 1  # signatures of bodies beyond 32767 are stored as negative numbers


class ApartReason(IntEnum):
    """Why two geoms make no contact.

    CONTACT_OFF, CONSTRAINT_OFF: by the flags contact and constraint. SAME_BODY: both are of one body; BOTH_FIXED: both bodies are
    fixed to the world, or are mocap bodies; WELDED: no joint is between the bodies; PARENT: one body is the parent of the
    other. MASKS: contype and conaffinity have no bit in common; EXCLUDED: by <exclude>. NO_COLLIDER: none for their types.
    ASLEEP: no new contact is looked for between what sleeps. TOO_FAR: farther apart than the margin; IN_GAP: there is a
    contact, but within the gap it carries no force. FILTERED: a callback discarded it; DROPPED: there was no room for it.
    """

    CONTACT_OFF = auto()
    CONSTRAINT_OFF = auto()
    SAME_BODY = auto()
    BOTH_FIXED = auto()
    WELDED = auto()
    PARENT = auto()
    MASKS = auto()
    EXCLUDED = auto()
    NO_COLLIDER = auto()
    ASLEEP = auto()
    TOO_FAR = auto()
    IN_GAP = auto()
    FILTERED = auto()
    DROPPED = auto()


class PairNote(IntEnum):
    """Remarks on a pair, whether it collides or not.

    HULL: a mesh collides as its convex hull, which fills its hollows; FIELD: a signed distance field collides as it is, not as a
    hull; TERRAIN: a height field collides as prisms, from its surface down to its base; EXPLICIT: a <pair> names the geoms, so
    that masks, parents and <exclude> do not count and its own parameters do; OVERRIDE: the flag override replaces margins and
    contact parameters; FRICTIONLESS: condim 1.
    """

    HULL = auto()
    FIELD = auto()
    TERRAIN = auto()
    EXPLICIT = auto()
    OVERRIDE = auto()
    FRICTIONLESS = auto()


class PairCheck(Struct, frozen=True):
    """Reasons why two geoms do not collide.

    reasons: in the order of the collision; none: they collide. notes: with the geom that each is about, -1: the pair.
    contacts (n,): of the two, in the data. geom1, geom2: as a contact names them; pair: the explicit pair; exclude: the one that
    is meant; -1: there is none.
    margin, gap [m]: of the two; record: the collision itself, also where something keeps it from taking place.
    """

    geom1: int
    geom2: int
    pair: int
    exclude: int
    reasons: tuple[ApartReason, ...]
    notes: tuple[tuple[PairNote, int], ...]
    contacts: NDArray[np.int64]
    margin: float
    gap: float
    record: CollisionRecord


def check_pair(m: Model, d: Data, g1: int, g2: int, near: NDArray[np.float64] | None = None) -> PairCheck:
    """Reasons why two geoms do not collide in the poses of `d`; uses its scratch memory: pass a copy.

    near (3,): as record_collision takes it. Raises ModelError for a geom that does not exist, or one and the same.
    """
    contacts = np.flatnonzero((np.sort(np.array(d.contact_geom[: d.ncon]).reshape(-1, 2)) == sorted((g1, g2))).all(axis=1))
    carries = contacts[np.array(d.contact_exclude)[contacts] == 0]
    record = record_collision(m, d, g1, g2, near)
    a, b, pair = as_named(m, g1, g2)
    gap = float(m.pair_gap[pair]) if pair >= 0 else float(m.geom_gap[a] + m.geom_gap[b])
    reasons = [] if len(carries) else _by_rule(m, a, b, pair, record.collides)
    if not len(carries):
        reasons += _by_place(m, d, record, gap, len(contacts) > 0, bool(reasons))
    return PairCheck(
        a, b, pair, excluded_by(m, a, b), tuple(reasons), tuple(_notes(m, a, b, pair)), contacts, record.margin, gap, record
    )


def excluded_by(m: Model, g1: int, g2: int) -> int:
    """The <exclude> that names the bodies of two geoms; -1: none does."""
    low, high = sorted((int(m.geom_bodyid[g1]), int(m.geom_bodyid[g2])))
    found = np.flatnonzero((np.array(m.exclude_signature, np.int64) & _UNSIGNED) == (low << 16) + high)
    return int(found[0]) if len(found) else -1


def _by_rule(m: Model, a: int, b: int, pair: int, collides: bool) -> list[ApartReason]:
    """Reasons that hold in any pose."""
    found = []
    if m.opt_disableflags & mjtDisableBit.mjDSBL_CONTACT:
        found.append(ApartReason.CONTACT_OFF)
    if m.opt_disableflags & mjtDisableBit.mjDSBL_CONSTRAINT:
        found.append(ApartReason.CONSTRAINT_OFF)
    if pair < 0:
        found += _by_structure(m, a, b)
        if not masks_meet(m, a, b):
            found.append(ApartReason.MASKS)
        if excluded_by(m, a, b) >= 0:
            found.append(ApartReason.EXCLUDED)
    if not collides:
        found.append(ApartReason.NO_COLLIDER)
    return found


def _by_structure(m: Model, a: int, b: int) -> list[ApartReason]:
    """Bodies that no joint parts, or one joint alone."""
    body1, body2 = int(m.geom_bodyid[a]), int(m.geom_bodyid[b])
    if bodies_meet(m, body1, body2):
        return []
    if m.body_weldid[body1] != m.body_weldid[body2]:
        return [ApartReason.PARENT]
    if body1 == body2 != 0:
        return [ApartReason.SAME_BODY]
    return [ApartReason.BOTH_FIXED if m.body_weldid[body1] == 0 else ApartReason.WELDED]


def _by_place(m: Model, d: Data, record: CollisionRecord, gap: float, listed: bool, ruled_out: bool) -> list[ApartReason]:
    """Reasons in the current pose. listed: there is a contact, without force; ruled_out: a rule keeps them apart anyway."""
    found = []
    if d.ntree_awake < m.ntree and not pair_stirs(m, d, record.geom1, record.geom2):
        found.append(ApartReason.ASLEEP)
    if record.chosen < 0:
        return [*found, ApartReason.TOO_FAR] if record.collides and not record.dist < record.margin else found
    if listed or (gap > 0 and not ruled_out and float(record.hit_dist.min()) >= record.margin - gap):
        return [*found, ApartReason.IN_GAP]
    if not found and not ruled_out:
        found.append(ApartReason.DROPPED if get_mjcb_contactfilter() is None else ApartReason.FILTERED)
    return found


# ---- notes


def _notes(m: Model, a: int, b: int, pair: int) -> list[tuple[PairNote, int]]:
    found = [(note, g) for g in (a, b) if (note := _shape_note(m, g)) is not None]
    if pair >= 0:
        found.append((PairNote.EXPLICIT, -1))
    if m.opt_enableflags & mjtEnableBit.mjENBL_OVERRIDE:
        found.append((PairNote.OVERRIDE, -1))
    if contact_dim(m, a, b, pair) == 1:
        found.append((PairNote.FRICTIONLESS, -1))
    return found


def _shape_note(m: Model, g: int) -> PairNote | None:
    kind = int(m.geom_type[g])
    if kind == MESH and hull_filling(m, int(m.geom_dataid[g])) > _FILLED:
        return PairNote.HULL
    return {SDF: PairNote.FIELD, HFIELD: PairNote.TERRAIN}.get(kind)


def contact_dim(m: Model, g1: int, g2: int, pair: int) -> int:
    """The condim of contacts of two geoms: of the explicit pair, of the one with priority, else the greater."""
    if pair >= 0:
        return int(m.pair_dim[pair])
    rank = int(m.geom_priority[g1]) - int(m.geom_priority[g2])
    first, second = int(m.geom_condim[g1]), int(m.geom_condim[g2])
    return max(first, second) if rank == 0 else first if rank > 0 else second
