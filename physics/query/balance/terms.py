"""Forces on dofs by the elements that they come from, and the table that collects them."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.dynamics.object import last_dof
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

Numbers = NDArray[np.float64]
Integers = NDArray[Any]


class Origin(IntEnum):
    """Origins of forces. In brackets: the element that `Balance.ident` numbers; without: one term for the whole model."""

    INERTIA = 0  # -M qacc, armatures included
    GRAVITY = 1
    CORIOLIS = 2  # Coriolis and centrifugal force: all that is quadratic in velocity, of tendon armatures too
    CENTRIFUGAL = 3  # of these, what remains where one joint moves alone: made by `split_products`
    COUPLING = 4  # ... and the rest, products of the velocities of two joints: Coriolis force
    JOINT_SPRING = 5  # [joint]
    TENDON_SPRING = 6  # [tendon]
    SOFT_SPRING = 7  # elasticity of soft bodies [flex]
    CONTACT_SPRING = 8  # contacts that act as springs, on rigid bodies [contact]
    JOINT_DAMPER = 9  # [joint]
    TENDON_DAMPER = 10  # [tendon]
    SOFT_DAMPER = 11  # [flex]
    GRAVITY_COMPENSATION = 12  # [body]
    BOX_VISCOSITY = 13  # of the inertia model of the medium [body]
    BOX_DRAG = 14  # [body]
    ADDED_MASS = 15  # of the ellipsoid model [geom]
    VISCOSITY = 16  # [geom]
    DRAG = 17  # blunt, slender and angular [geom]
    MAGNUS = 18  # [geom]
    KUTTA = 19  # [geom]
    PASSIVE_FUNCTION = 20  # callbacks and plugins
    ACTUATOR = 21  # [actuator]
    ACTUATOR_LIMIT = 22  # taken away by the actuatorfrcrange of a joint [joint]
    APPLIED = 23  # qfrc_applied [joint]
    PUSH = 24  # xfrc_applied, the mouse's too [body]
    EQUALITY = 25  # [equality]
    DOF_FRICTION = 26  # [dof]
    TENDON_FRICTION = 27  # [tendon]
    JOINT_LIMIT = 28  # [joint]
    TENDON_LIMIT = 29  # [tendon]
    CONTACT = 30  # [contact]
    REMAINDER = 31  # that makes the sum zero: see `forces_by_origin`


class Balance(Struct, frozen=True):
    """Forces at one moment: all terms of the equation of motion, which add up to zero on every dof that is awake.

    origin, ident (n,): Origin and element of each term, -1 for the whole model.
    term, dof, force (k,): the forces [N or N m] that are not zero: term[i] pushes dof[i] by force[i].
    nv: number of dofs.
    """

    origin: Integers
    ident: Integers
    term: Integers
    dof: Integers
    force: Numbers
    nv: int

    def __len__(self) -> int:
        return len(self.origin)

    def on(self, dofs: Integers) -> Numbers:
        """Forces (n, len(dofs)) of all terms on these dofs [N or N m]."""
        column = np.full(self.nv, -1)
        column[dofs] = np.arange(len(dofs))
        here = column[self.dof] >= 0
        out = np.zeros((len(self), len(dofs)))
        np.add.at(out, (self.term[here], column[self.dof[here]]), self.force[here])
        return out

    def power(self, velocity: Numbers, dofs: Integers | None = None) -> Numbers:
        """Power (n,) [W] of all terms at a velocity (nv,) [m/s or rad/s]; dofs: of the force on these alone, None: on all."""
        rates = np.asarray(velocity)
        if dofs is not None:
            rates = np.zeros(self.nv)
            rates[dofs] = np.asarray(velocity)[dofs]
        return np.bincount(self.term, self.force * rates[self.dof], len(self)).astype(float)

    def sum(self, *origins: Origin) -> Numbers:
        """Total force (nv,) [N or N m] of some origins."""
        chosen = np.isin(self.origin, origins)[self.term]
        return np.bincount(self.dof[chosen], self.force[chosen], self.nv).astype(float)


class Wrench(Struct, frozen=True, eq=False):
    """One term's force on one body. ident: as in Balance; point (3,): where it acts, in the world [m].

    force (3,) [N] and moment (3,) [N m], in world axes.
    """

    origin: Origin
    ident: int
    body: int
    point: Numbers
    force: Numbers
    moment: Numbers


class Terms:
    """Collects terms; entries on dofs that sleep are left out."""

    def __init__(self, m: Model, d: Data) -> None:
        self._nv = int(m.nv)
        self._awake = np.asarray(d.tree_asleep)[np.asarray(m.dof_treeid)] < 0 if m.ntree else np.ones(self._nv, bool)
        self._origin: list[Integers] = []
        self._ident: list[Integers] = []
        self._term: list[Integers] = []
        self._dof: list[Integers] = []
        self._force: list[Numbers] = []
        self._count = 0

    def add(self, origin: Origin | Integers, ident: Any, which: Any, dof: Any, force: Any) -> None:
        """Terms of elements ident (n,): which[i] of them pushes dof[i] by force[i]. origin: of all, or of each (n,)."""
        ident, which, dof, force = np.asarray(ident, int), np.asarray(which, int), np.asarray(dof, int), np.asarray(force, float)
        here = self._awake[dof] & (force != 0.0)
        self._origin.append(np.broadcast_to(np.asarray(origin, int), ident.shape))
        self._ident.append(ident)
        self._term.append(which[here] + self._count)
        self._dof.append(dof[here])
        self._force.append(force[here])
        self._count += len(ident)

    def add_whole(self, origin: Origin, force: Numbers) -> None:
        """One term for the whole model, from its forces (nv,)."""
        self.add(origin, [-1], np.zeros(self._nv, int), np.arange(self._nv), force)

    def add_by(self, origin: Origin, owner: Integers, force: Numbers) -> None:
        """Terms from forces (nv,) and the element (nv,) that each dof's force comes from."""
        dofs = np.flatnonzero(force)
        idents, which = np.unique(owner[dofs], return_inverse=True)
        self.add(origin, idents, which, dofs, force[dofs])

    def total(self) -> Numbers:
        """Sum (nv,) of everything so far."""
        if not self._dof:
            return np.zeros(self._nv)
        return np.bincount(np.concatenate(self._dof), np.concatenate(self._force), self._nv).astype(float)

    def balance(self) -> Balance:
        """The terms that push at least one dof."""
        origin, ident = np.concatenate(self._origin), np.concatenate(self._ident)
        term, dof, force = np.concatenate(self._term), np.concatenate(self._dof), np.concatenate(self._force)
        there = np.flatnonzero(np.bincount(term, minlength=len(origin)))
        place = np.full(len(origin), -1)
        place[there] = np.arange(len(there))
        return Balance(origin[there], ident[there], place[term], dof, force, self._nv)


def wrench_forces(m: Model, d: Data, bodies: Any, points: Any, forces: Any, torques: Any) -> tuple[Integers, Integers, Numbers]:
    """Forces on dofs, J'(force, torque), of wrenches on bodies: which wrench (k,), dof (k,), force (k,) [N or N m].

    bodies (n,); points, forces, torques (n, 3): world points [m], [N], [N m]. Reads cdof, subtree_com.
    """
    bodies, points, forces = np.asarray(bodies, int), np.asarray(points), np.asarray(forces)
    arms = points - np.asarray(d.subtree_com)[np.asarray(m.body_rootid)[bodies]]
    spatial = np.hstack([np.asarray(torques) + np.cross(arms, forces), forces]).reshape(-1, 6)
    parent, cdof = np.append(m.dof_parentid, -1), np.asarray(d.cdof)
    dof = np.array([last_dof(m, b) for b in bodies], int)
    which = np.flatnonzero(dof >= 0)
    dof = dof[which]
    found: list[tuple[Integers, Integers]] = []
    while len(dof):  # one joint further up at a time
        found.append((which, dof))
        above = parent[dof]
        which, dof = which[above >= 0], above[above >= 0]
    if not found:
        return np.zeros(0, int), np.zeros(0, int), np.zeros(0)
    which, dof = (np.concatenate(part) for part in zip(*found, strict=True))
    return which, dof, np.einsum("ki,ki->k", cdof[dof], spatial[which])
