"""Probe of an element's constraint rows for the impedance lab: depth, load and its scaling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble import physics
from tumble.app.editing.parameters import ParameterOwner, dofs
from tumble.physics.query.force import normal_forces, normal_velocities
from tumble.physics.state.own import ContactModel

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[Any]
PYRAMIDAL = int(physics.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)
MOST = 1000  # rows that are looked at: more dots than that are one blot


class Carried(Struct):
    """The rows of an element at one moment; a contact, a connect or a weld is one row here.

    key: owner of a row: the two geoms of a contact, or the element and 0;
    depth: violation beyond the margin [m or rad]; start: the distance at which a contact's force begins, margin minus gap [m];
    load: normal force, or force or torque of the row [N or N m];
    weight: inverse inertia that scales it [1/kg or 1/(kg m^2)]; velocity: of the residual; total: how many there are;
    target: the element that was looked at; time [s]; timestep [s]; hard: contacts do not follow solref and solimp (LCP).
    """

    key: Array = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    depth: Array = field(default_factory=lambda: np.zeros(0))
    start: Array = field(default_factory=lambda: np.zeros(0))
    load: Array = field(default_factory=lambda: np.zeros(0))
    weight: Array = field(default_factory=lambda: np.zeros(0))
    velocity: Array = field(default_factory=lambda: np.zeros(0))
    total: int = 0
    target: tuple[str, int] = ("", -1)
    time: float = 0.0
    hard: bool = False


class ElementProbe:
    """Copies the rows of one element: the window chooses it by `aim`, one assignment that the other thread sees atomically."""

    def __init__(self) -> None:
        self._aim: tuple[ParameterOwner, int] | None = None

    def aim(self, kind: ParameterOwner | None, index: int = -1) -> None:
        """Choose the element to copy; None: no element."""
        self._aim = None if kind is None else (kind, index)

    def room(self, model: MjModel, data: MjData) -> Carried:
        """New storage for one snapshot."""
        return Carried()

    def take(self, model: MjModel, data: MjData, into: Carried) -> None:
        """Fill the storage."""
        aim = self._aim
        empty = Carried()
        into.target = ("", -1) if aim is None else (aim[0].name, aim[1])
        into.time = float(data.time)
        into.hard = int(model.tumble.contact_model) == int(ContactModel.LCP)
        into.key, into.depth, into.load, into.weight, into.velocity = (
            empty.key, empty.depth, empty.load, empty.weight, empty.velocity,
        )  # fmt: skip
        into.start, into.total = empty.start, 0
        if aim is None or not data.nefc:
            return
        kind, index = aim
        if index >= getattr(model, kind.count):
            return  # another model is loaded, and the window will soon choose an element of it
        if kind.rows:
            _rows(model, data, kind, index, into)
        else:
            _contacts(model, data, kind, index, into)


def _contacts(model: MjModel, data: MjData, kind: ParameterOwner, index: int, into: Carried) -> None:
    """Contacts of a geom, or of the two geoms of a pair: their normal forces."""
    count = int(data.ncon)
    geom = np.asarray(data.contact.geom)[:count].reshape(-1, 2)
    adr = np.asarray(data.contact.efc_address)[:count]
    if kind.name == "pair":
        wanted = {int(model.pair_geom1[index]), int(model.pair_geom2[index])}
        mine = np.isin(geom, list(wanted)).all(axis=1) & (geom[:, 0] != geom[:, 1])
    else:
        mine = (geom == index).any(axis=1)
    which = np.flatnonzero(mine & (adr >= 0))
    into.total = len(which)
    which = which[:MOST]
    if len(which) == 0:
        return
    first = adr[which]
    pyramid = np.asarray(data.efc_type)[first] == PYRAMIDAL
    dim = np.asarray(data.contact.dim)[which]
    edges = np.where(pyramid & (dim > 1), 2 * (dim - 1), 1)
    rows = first, dim, data.efc_type
    into.key = geom[which]
    into.depth = (np.asarray(data.efc_margin) - np.asarray(data.efc_pos))[first]
    into.start = np.asarray(data.efc_margin)[first]
    into.load = normal_forces(data.efc_force, *rows)
    into.weight = np.asarray(data.efc_diagApprox)[first] / edges
    into.velocity = normal_velocities(data.efc_vel, *rows)


def _rows(model: MjModel, data: MjData, kind: ParameterOwner, index: int, into: Carried) -> None:
    """Rows of a limit or of dry friction; those of an equality constraint are put together.

    The impedance of a connect or a weld depends on the length of its whole residual. With f_k W_k = K d^2 r_k / (1 - d)
    for each row the lengths of both sides are equal: the load is given as that of one row with the mean weight.
    """
    wanted = list(dofs(model, index)) if kind.name == "joint friction" else [index]
    type_ = int(physics.mjtConstraint[f"mjCNSTR_{kind.rows}"])
    which = np.flatnonzero((np.asarray(data.efc_type) == type_) & np.isin(np.asarray(data.efc_id), wanted))
    into.total = len(which)
    if len(which) == 0:
        return
    residual = (np.asarray(data.efc_pos) - np.asarray(data.efc_margin))[which]
    load, weight = np.asarray(data.efc_force)[which], np.asarray(data.efc_diagApprox)[which]
    velocity = np.asarray(data.efc_vel)[which]
    key = np.column_stack((np.asarray(data.efc_id)[which], np.zeros(len(which), np.int64)))
    if kind.name == "equality":
        drive, mean = float(np.linalg.norm(load * weight)), float(weight.mean())
        into.total = 1
        into.key, into.depth = key[:1], np.array([np.linalg.norm(residual)])
        into.load, into.weight = np.array([drive / max(mean, physics.mjMINVAL)]), np.array([mean])
        into.velocity = np.array([np.linalg.norm(velocity)])
        return
    into.key, into.depth, into.velocity = key, -residual, velocity
    into.load, into.weight = np.abs(load), weight
