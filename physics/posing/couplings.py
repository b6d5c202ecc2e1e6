"""Joint equalities as rules of kinematics: which coordinate is a function of which other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tumble.physics.query.check import Array
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtEq, mjtJoint
from tumble.physics.state.model import Model


@dataclass(frozen=True, slots=True)
class Coupling:
    """An active joint equality: q1 - q1_0 = polynomial(q2 - q2_0), all coordinates of hinges [rad] or slides [m].

    joint: whose coordinate follows; leader: the joint that it follows, -1: it stands still; data: (5,) the polynomial's numbers.
    """

    joint: int
    leader: int
    data: Array

    def value(self, m: Model, qpos: Array) -> float:
        """Target coordinate of the joint [rad or m]."""
        return float(m.qpos0[m.jnt_qposadr[self.joint]] + np.polyval(self.data[::-1], self._offset(m, qpos)))

    def slope(self, m: Model, qpos: Array) -> float:
        """The velocity of the joint for a unit velocity of the leader."""
        return float(np.polyval((self.data[1:] * (1, 2, 3, 4))[::-1], self._offset(m, qpos))) if self.leader >= 0 else 0.0

    def _offset(self, m: Model, qpos: Array) -> float:
        if self.leader < 0:
            return 0.0
        adr = m.jnt_qposadr[self.leader]
        return float(qpos[adr] - m.qpos0[adr])


def couplings(m: Model, d: Data) -> list[Coupling]:
    """The joint equalities that are active, each follower once."""
    found: dict[int, Coupling] = {}
    for i in range(m.neq):
        joint, leader = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
        if m.eq_type[i] != mjtEq.mjEQ_JOINT or not d.eq_active[i] or joint in found or leader == joint:
            continue
        if all(m.jnt_type[j] >= mjtJoint.mjJNT_SLIDE for j in (joint, leader) if j >= 0):
            found[joint] = Coupling(joint, leader, np.array(m.eq_data[i, :5]))
    return list(found.values())
