"""Probe of the contacts dock: contact data that snapshots lack, and the constraint rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble import physics
from tumble.app.panels.contacts.state import ContactState, RowState, contact_state, relative_velocity
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics.constraint.contact import is_elliptic
from tumble.physics.observe.creep import creep_rates
from tumble.physics.observe.residual import ConstraintRows, residuals
from tumble.physics.observe.thickness import thickness_of

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[Any]

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
    pos, geom, columns = snapshot.contact("pos").copy(), snapshot.contact("geom").astype(np.int64), reading.contact
    body = np.append(model.geom_bodyid, 0)[geom]
    com = snapshot.frame.subtree_com[np.asarray(model.body_rootid)]
    velocity = relative_velocity(pos, body, reading.cvel, com)
    velocity[(geom < 0).any(axis=1)] = np.nan  # a flex: of many bodies
    frame, dist, force = (snapshot.contact(name).copy() for name in ("frame", "dist", "force"))
    soft = _soft(snapshot.contact("flex"), snapshot.contact("elem"), snapshot.contact("vert"))
    dim, friction = columns["dim"], columns["friction"]
    thickness = thickness_of(model)[snapshot.contact_sides()].min(axis=1)
    return contact_state(geom, soft, pos, frame, dist, dim, friction, force, velocity, thickness, elliptic=reading.elliptic)


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
