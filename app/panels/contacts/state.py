"""Contacts, pairs and constraint rows in the words of mechanics, and the probe that copies what snapshots lack of them.

Utilisation of the friction cone, stick or slip, creep, totals. All functions take and return numpy arrays, with one row a contact
(n) or a constraint row (nefc). Forces are in the contact's frame: normal, two tangents, torsion, two rolling; so are velocities,
of the second geom relative to the first.

physics/dynamics/contact_force.py defines sticking, slipping and the used share of the friction cone.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.contacts import SlipCase
from tumble.app.describe.names import name_of
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.mixing import Look, mix
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics import ContactMode
from tumble.physics.constraint.contact import is_elliptic
from tumble.physics.dynamics.contact_force import cone_share, contact_mode
from tumble.physics.observe.creep import creep_rates
from tumble.physics.observe.friction_cone import cone_section
from tumble.physics.observe.residual import ConstraintRows, residuals
from tumble.physics.observe.thickness import thickness_of
from tumble.physics.query.motion import point_velocities

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


Array = NDArray[Any]
PLACES = {"override": "the override", "pair": "the contact pair"}  # sources of friction other than geoms
Kind, Zone = physics.mjtConstraint, physics.mjtConstraintState
Pair = tuple[int, int]

# Which of the modes of its contacts a pair is called by, the first that occurs.
_RANKS = (ContactMode.SLIP, ContactMode.STICK, ContactMode.SMOOTH, ContactMode.OPEN, ContactMode.ASLEEP)
_RANK_OF = np.array([_RANKS.index(mode) for mode in sorted(ContactMode)])


class ContactState(Struct, frozen=True):
    """All contacts of one moment.

    geom (n,2); soft (n,2,3): flex, element and vertex of each side, -1 where missing; pos (n,3) [m]; frame (n,3,3), its
    rows normal and tangents; dist (n,) [m]; dim (n,); friction (n,5); force (n,6) [N, N m]; velocity (n,3) [m/s]; normal,
    tangential: (n,) forces [N]; used (n,): utilisation; creep (n,): sliding speed [m/s]; mode (n,): ContactMode; sunk (n,): depth
    as a share of the thickness of the thinner side; elliptic: whether the cone is, rather than a pyramid.
    """

    geom: Array
    soft: Array
    pos: Array
    frame: Array
    dist: Array
    dim: Array
    friction: Array
    force: Array
    velocity: Array
    normal: Array
    tangential: Array
    used: Array
    creep: Array
    mode: Array
    sunk: Array
    elliptic: bool

    def __len__(self) -> int:
        return len(self.dist)


def section_of(state: ContactState, k: int) -> tuple[float, float, float]:
    """The cone of contact k cut at its normal force, as `cone_section` says."""
    return cone_section(state.force[k], state.friction[k], int(state.dim[k]), elliptic=state.elliptic)


# ---- constraint rows


class RowState(Struct, frozen=True):
    """All constraint rows of one moment: columns (nefc,) named as in MjData without efc_.

    geom (ncon,2), soft (ncon,2,3) and address (ncon,): of the contacts that rows belong to; the residual is that of
    physics/observe/residual.py, not a number where the contact model has no force law of its own to compare with.
    """

    type: Array
    id: Array
    pos: Array
    vel: Array
    aref: Array
    R: Array
    D: Array
    force: Array
    state: Array
    residual: Array
    geom: Array
    soft: Array
    address: Array

    def __len__(self) -> int:
        return len(self.type)


class PairTotals(Struct, frozen=True):
    """The pairs of a moment (n,), named as the columns of ContactState.

    normal, tangential: sums of the forces' sizes [N]; used, creep, sunk, dim: the largest; dist: the least [m]; mode: slip where
    one contact slips, else stick, smooth, open; alike (n,): how many are in that mode, of count (n,); lead (n,): the contact
    with the largest normal force; of (ncon,): the pair of each contact, -1 for those that are not found.
    """

    geom: Array
    soft: Array
    mode: Array
    alike: Array
    count: Array
    used: Array
    normal: Array
    tangential: Array
    creep: Array
    dist: Array
    sunk: Array
    dim: Array
    lead: Array
    of: Array

    def __len__(self) -> int:
        return len(self.count)


def sides(moment: ContactState | RowState | PairTotals) -> Array:
    """Sides of contacts (n,2): geom ids, or -1 - flex id."""
    result: Array = np.where(moment.geom >= 0, moment.geom, -1 - moment.soft[:, :, 0])
    return result


def pair_totals(state: ContactState, found: Array | None) -> PairTotals:
    """Totals of the pairs, in order of appearance, of the contacts found (a mask; None: of all)."""
    rows = np.arange(len(state)) if found is None else np.flatnonzero(found)
    of = np.full(len(state), -1)
    _, first, which = np.unique(sides(state)[rows], axis=0, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first))  # unique sorts by number
    of[rows] = place[which.ravel()]
    order = rows[np.argsort(of[rows], kind="stable")]
    starts = np.searchsorted(of[order], np.arange(len(first)))

    def over(operation: np.ufunc, values: Array) -> Array:
        return operation.reduceat(values, starts) if len(order) else np.asarray(values)[:0]

    head = order[starts] if len(order) else order
    soft = state.soft[head].copy()
    soft[:, :, 1:] = -1  # of a pair not which part of a flex
    rank = _RANK_OF[np.asarray(state.mode)[order]]
    least = over(np.minimum, rank)
    mode = np.array(_RANKS)[least]
    count = np.bincount(of[order], minlength=len(first))
    normal = np.asarray(state.normal)[order]
    hardest = np.lexsort((-normal, of[order]))[starts] if len(order) else order
    return PairTotals(
        state.geom[head], soft, mode, over(np.add, (rank == np.repeat(least, count)).astype(int)), count,
        over(np.maximum, state.used[order]), over(np.add, normal), over(np.add, state.tangential[order]),
        over(np.fmax, state.creep[order]), over(np.minimum, state.dist[order]), over(np.maximum, state.sunk[order]),
        over(np.maximum, state.dim[order]), order[hardest], of,
    )  # fmt: skip


def arrange_pairs(pairs: PairTotals, order: Array, pair_order: Array, opened: Collection[Pair]) -> Array:
    """Rows of a table: contacts by their number, pairs as -1 - their number; a pair with one contact is that contact.

    order: the contacts found, sorted; pair_order: all pairs, sorted; opened: pairs whose contacts are shown below them.
    """
    own = sides(pairs)
    of = pairs.of[order]
    entries: list[int] = []
    for pair in pair_order:
        if pairs.count[pair] == 1:
            entries.append(int(pairs.lead[pair]))
            continue
        entries.append(-1 - int(pair))
        if (int(own[pair, 0]), int(own[pair, 1])) in opened:
            entries += order[of == pair].tolist()
    return np.array(entries, int)


def slip_case(model: MjModel, look: Look, state: ContactState, k: int, soft: float) -> SlipCase:
    """Forces that decide if contact k slips; soft: its speed of creep for each newton of friction [m/(s N)]."""
    slide = float(state.friction[k, 0]), float(state.friction[k, 1])
    gravity = np.asarray(look(EditPlace("opt.gravity")))
    return SlipCase(
        ContactMode(int(state.mode[k])), float(state.normal[k]), float(state.tangential[k]), slide,
        _whose(model, look, int(state.geom[k, 0]), int(state.geom[k, 1])), float(state.used[k]), float(state.creep[k]),
        _tilt(np.asarray(state.frame[k, 0]), gravity), int(state.dim[k]), look(EditPlace("opt.impratio"))[0],
        look(EditPlace("opt.noslip_iterations"))[0] > 0, soft,
    )  # fmt: skip


def _tilt(normal: np.ndarray, gravity: np.ndarray) -> float:
    """The angle of a surface against level [rad]; 0 without gravity."""
    down = float(np.linalg.norm(gravity))
    return 0.0 if down == 0 else math.acos(min(1.0, abs(float(normal @ gravity)) / down))


def _whose(model: MjModel, look: Look, first: int, second: int) -> str:
    """The geom that the friction comes from, by name; or another source."""
    if first < 0 or second < 0:
        return "this contact"
    decided = mix(model, look, first, second).decided
    if decided in PLACES:
        return PLACES[decided]
    rank = [(look(EditPlace("geom_priority", g))[0], look(EditPlace("geom_friction", g))[0]) for g in (first, second)]
    return name_of(model, physics.mjtObj.mjOBJ_GEOM, first if rank[0] > rank[1] else second)


_LCP = 1  # physics.ContactModel
_CONTACT = ("dim", "friction", "mu", "efc_address", "geom", "flex", "elem", "vert")
_ROWS = ("type", "id", "pos", "vel", "aref", "R", "D", "frictionloss", "force", "state")


class ContactReading:
    """One moment. contact: columns by their names in d.contact; rows: columns by their names after efc_, z: J qacc - aref,
    empty if they were not wanted; soft (ncon,): speed of creep for each newton of friction [m/(s N)]."""

    def __init__(self) -> None:
        self.contact: dict[str, Array] = {}
        self.rows: dict[str, Array] = {}
        self.cvel = np.zeros((0, 6))
        self.soft = np.zeros(0)
        self.elliptic = self.hard = False


class ContactProbe:
    """Copies the contacts, and the constraint rows while `rows` is on."""

    def __init__(self) -> None:
        self.rows = False
        self.taken = 0  # how often

    def room(self, model: MjModel, data: MjData) -> ContactReading:
        """Storage; its arrays are made again each time, for their lengths change with the contacts."""
        return ContactReading()

    def take(self, model: MjModel, data: MjData, into: ContactReading) -> None:
        """Copy the data that the window needs; called by the simulation thread."""
        self.taken += 1
        into.hard = int(model.tumble.contact_model) == _LCP
        into.elliptic = bool(is_elliptic(model))
        into.contact = {name: np.array(getattr(data, f"contact_{name}")) for name in _CONTACT}
        into.cvel = np.array(data.cvel)
        into.soft = _softness(data, into)
        into.rows = {}
        if self.rows:
            into.rows = {name: np.array(getattr(data, f"efc_{name}")) for name in _ROWS}
            z = np.zeros(int(data.nefc))
            if len(z):
                if data.flg_sparse:
                    physics.mj_mulJacVec(model, data, z, data.qacc)
                else:
                    z = np.asarray(data.efc_J).reshape(len(z), -1) @ np.asarray(data.qacc)
            into.rows["z"] = z - into.rows["aref"]


def _softness(data: MjData, reading: ContactReading) -> Array:
    """Speed of creep for each newton of friction (ncon,) [m/(s N)]; not a number where there is no such law."""
    first, dim, friction = (reading.contact[name] for name in ("efc_address", "dim", "friction"))
    if reading.hard:
        return np.full(len(first), np.nan)
    return creep_rates(data.efc_R, np.asarray(data.efc_KBIP)[:, 1], first, dim, friction, elliptic=reading.elliptic)


def contacts_of(model: MjModel, snapshot: Snapshot, reading: ContactReading) -> ContactState:
    """Contacts of a snapshot and the data copied with it."""
    pos, geom = snapshot.contact("pos").copy(), snapshot.contact("geom").astype(np.int64)
    frame, dist, force = (snapshot.contact(name).copy() for name in ("frame", "dist", "force"))
    soft = _soft(snapshot.contact("flex"), snapshot.contact("elem"), snapshot.contact("vert"))
    dim, friction = reading.contact["dim"], reading.contact["friction"]
    axes = frame.reshape(-1, 3, 3)
    body, com = np.append(model.geom_bodyid, 0)[geom].T, snapshot.frame.subtree_com[np.asarray(model.body_rootid)]
    first, second = (point_velocities(reading.cvel[b], com[b], pos) for b in body)
    moves = second - first
    moves[(geom < 0).any(axis=1)] = np.nan  # a flex: of many bodies
    velocity = np.einsum("nij,nj->ni", axes, moves)
    normal, tangential = force[:, 0].copy(), np.hypot(force[:, 1], force[:, 2])
    there = np.arange(6) < np.asarray(dim)[:, None]
    used = cone_share(np.where(there, force, 0.0).T, np.asarray(friction).T, reading.elliptic)
    creep = np.hypot(velocity[:, 1], velocity[:, 2])
    sunk = np.maximum(-dist, 0.0) / thickness_of(model)[snapshot.contact_sides()].min(axis=1)
    mode = contact_mode(normal, used, np.asarray(dim))
    return ContactState(
        geom, soft, pos, axes, dist, dim, friction, force, velocity, normal, tangential, used, creep, mode, sunk, reading.elliptic
    )


def _soft(flex: Array, element: Array, vertex: Array) -> Array:
    """(ncon, 2, 3) from three of (ncon, 2)."""
    return np.stack([flex, element, vertex], axis=2).astype(np.int64)


def rows_of(reading: ContactReading) -> RowState | None:
    """The constraint rows of a moment; None: not requested then."""
    rows, contact = reading.rows, reading.contact
    if not rows:
        return None
    if reading.hard:
        residual = np.full(len(rows["type"]), np.nan)
    else:
        columns = ConstraintRows(
            rows["type"], rows["id"], rows["z"], rows["R"], rows["D"], rows["frictionloss"],
            contact["efc_address"], contact["dim"], contact["mu"], contact["friction"],
        )  # fmt: skip
        residual = residuals(columns, rows["force"])
    soft = _soft(contact["flex"], contact["elem"], contact["vert"])
    kept = {name: rows[name] for name in ("type", "id", "pos", "vel", "aref", "R", "D", "force", "state")}
    return RowState(**kept, residual=residual, geom=contact["geom"], soft=soft, address=contact["efc_address"])
