"""Coriolis and centrifugal force apart: which velocity products come from one joint, and which from two.

    products = VelocityProducts(m)
    balance = products.split(m, d, forces_by_origin(m, d))
    balance.sum(Origin.CENTRIFUGAL), balance.sum(Origin.COUPLING)

The force c(q, v), bias without gravity, is quadratic in the velocities: c_i = sum over j, k of G_ijk v_j v_k. The terms of a
joint with itself are what c is where that joint moves alone: evaluating c there is exact, and takes no difference quotient.
Those of two joints are the rest. The three velocities of a ball joint and the six of a free one belong to one joint: the split by
single dofs would depend on the axes of the body, which a designer chooses, while this one does not. So the gyroscopic
force of a body that spins freely is centrifugal.
Joints of different trees have no products with each other, unless a tendon with armature ties them: so the first joints
of all trees are evaluated together, then the second ones.
Source: R. Featherstone, Rigid Body Dynamics Algorithms (2008), section 1.4; J. J. Craig, Introduction to Robotics, section 6.8.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.physics.dynamics.tendon.bias import tendon_bias
from tumble.physics.query.balance.equation import gravity_forces
from tumble.physics.query.balance.terms import Balance, Numbers, Origin
from tumble.physics.run.copy_data import mj_copyData
from tumble.physics.run.parts import mj_comVel, mj_rne
from tumble.physics.run.room import run_stage
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

MOST_EVALUATIONS = 400  # of the force: beyond, soft bodies and long chains, the two stay together


class VelocityProducts:
    """Splits the velocity products of one model's data, which do not change: it has data of its own."""

    def __init__(self, m: Model) -> None:
        self._own: Data | None = None
        joints = np.arange(int(m.njnt))
        self._tied = bool(np.any(np.asarray(m.tendon_armature) > 0))
        if self._tied:
            self._round = joints
            return
        tree = np.asarray(m.dof_treeid)[np.asarray(m.jnt_dofadr)] if m.njnt else joints
        first = np.searchsorted(tree, tree)  # of each joint's tree: joints of a tree follow one another
        self._round = joints - first

    def centrifugal(self, m: Model, d: Data, dofs: NDArray[np.int64] | None = None) -> Numbers | None:
        """Centrifugal force (nv,) [N or N m], a part of -(qfrc_bias - gravity); None: it would take too long.

        dofs: those whose forces matter, None: all; the others may be left at 0. Reads what mj_forward has written.
        """
        moving = np.asarray(d.qvel) != 0.0
        if dofs is not None and not self._tied:
            moving &= np.isin(m.dof_treeid, np.asarray(m.dof_treeid)[dofs])
        rank = self._round[np.asarray(m.dof_jntid)]
        rounds = np.unique(rank[moving])
        if len(rounds) > MOST_EVALUATIONS:
            return None
        total = np.zeros(int(m.nv))
        if not len(rounds):
            return total
        if self._own is None:
            self._own = Data(m)
        own, velocity, bias = self._own, np.array(d.qvel), np.zeros(int(m.nv))
        mj_copyData(own, m, d)
        gravity = gravity_forces(m, own)
        for k in rounds.tolist():
            own.qvel[:] = np.where((rank == k) & moving, velocity, 0.0)
            mj_comVel(m, own)
            mj_rne(m, own, 0, bias)
            own.qfrc_bias = bias
            if self._tied:
                run_stage(m, own, tendon_bias)
            total -= np.asarray(own.qfrc_bias) + gravity
        return total

    def split(self, m: Model, d: Data, balance: Balance, dofs: NDArray[np.int64] | None = None) -> Balance:
        """The balance with CENTRIFUGAL and COUPLING in place of CORIOLIS; dofs: as for `centrifugal`."""
        whole = balance.sum(Origin.CORIOLIS)
        own = self.centrifugal(m, d, dofs) if whole.any() else None
        if own is None:
            return balance
        asleep = np.asarray(d.tree_asleep)[np.asarray(m.dof_treeid)] >= 0
        others = balance.origin != Origin.CORIOLIS
        place = np.cumsum(others) - 1
        kept = others[balance.term]
        count, dof = int(others.sum()), np.arange(int(m.nv))
        parts = np.where(asleep, 0.0, own), np.where(asleep, 0.0, whole - own)
        return Balance(
            np.append(balance.origin[others], [Origin.CENTRIFUGAL, Origin.COUPLING]),
            np.append(balance.ident[others], [-1, -1]),
            np.concatenate([place[balance.term[kept]], np.full(len(dof), count), np.full(len(dof), count + 1)]),
            np.concatenate([balance.dof[kept], dof, dof]),
            np.concatenate([balance.force[kept], *parts]),
            balance.nv,
        )
