"""Joint positions that bring a point of a body to a target, and the body to an orientation: damped least squares.

The cost is half the squared distance of the point from its target, plus half the squared angle [rad] that the body lacks to
its orientation, weighted with a length. A step solves

    (J' J + C + lambda s^2 1) dq = J' e

with the Jacobian J of the joints that may move, the error e, and the curvature C of the kinematics: for a dof i nearer to the
root than j, the velocity v_j that j causes at the point turns with i, so that d2p / dq_i dq_j = w_i x v_j. Without C, convergence
is slow where the target is out of reach: there the arm is stretched, J' J is singular, and C is what holds it.
Negative curvatures are turned positive, so that a stretched or folded arm, which is a saddle, is left. The damping lambda falls
after a step that helped and grows after one that did not.

A joint at its limit that would go on leaves the system (an active set), and its share of the motion is left to the others.
Joint equalities are obeyed: a follower moves with its leader. Other equalities, tendons and contacts are not looked at.
Source: Levenberg (1944), Marquardt (1963); Buss, Introduction to inverse kinematics (2004).
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.algebra.quat import quat_inv, quat_mul, quat_rot, quat_vel
from tumble.physics.query.argument_checks import Array, index, vector
from tumble.physics.query.jacobian import dofs_of, mj_jac
from tumble.physics.query.motion import mj_integratePos
from tumble.physics.run.parts import mj_comPos, mj_kinematics
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtEq, mjtJoint
from tumble.physics.state.model import Model

FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-3, 1e-6, 1e8
SMALL = 1e-12  # a step that lowers the cost by less than this share is the last, and so is a cost below its square [m^2]
LONGEST = 0.5  # the most that a coordinate moves in a step [rad or m]


class Reached(Struct, frozen=True):
    """The result: distance from the target [m], and the steps that were taken."""

    distance: float
    steps: int


def reach(
    m: Model,
    d: Data,
    body: int,
    local: Array,
    target: Array,
    quat: Array | None = None,
    *,
    length: float = 0.0,
    keep: float = 0.0,
    steps: int = 20,
) -> Reached:
    """Move the joints between a body's root and the body, so that its point `local` (3,) [m] comes nearest to `target` (3,) [m].

    quat: (4,) the orientation that the body is to have as well, an angle of 1 rad weighing as much as a distance of `length` [m].
    keep: what it costs to leave the present pose: a move of the joints by 1 rad counts as much as a distance of `keep` [m]. A
    target that is moved little by little then moves the joints so too, where many poses would do and where one snaps over.
    A free joint stays, limits are kept. Writes qpos, and what mj_kinematics and mj_comPos write: a caller that wants
    more calls mj_forward. steps: at most so many. UnknownIndexError, ShapeError for arguments that do not fit.
    """
    index(body, "body", m.nbody)
    problem = _Reach(m, d, body, vector(local, "local", 3), vector(target, "target", 3), quat, length, keep)
    return problem.solve(steps)


def has_joints(m: Model, body: int) -> bool:
    """True if joints other than a free one lie between a body and the world."""
    return any(m.jnt_type[m.dof_jntid[i]] != mjtJoint.mjJNT_FREE for i in dofs_of(m, body))


class _Reach:
    """One search: the arrays that its steps share."""

    def __init__(
        self, m: Model, d: Data, body: int, local: Array, target: Array, quat: Array | None, length: float, keep: float
    ) -> None:
        self.m, self.d, self.body, self.local, self.target, self.quat, self.length = m, d, body, local, target, quat, length
        self.keep = keep**2
        self.couplings = _sorted(couplings(m, d))
        self.dofs = self._free_dofs()
        self.moved = self.base = np.zeros(len(self.dofs))  # since the search began, now and where steps are tried from
        self.lower, self.upper = _bounds(m, self.dofs, self.couplings)
        self.move, self.turn = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        self._follow()
        self.error = self._error()

    def _free_dofs(self) -> list[int]:
        """The dofs that the search may move, from the root on: leaders in place of those that follow them."""
        m, leaders = self.m, {c.joint: c.leader for c in self.couplings}
        found = set()
        for i in dofs_of(m, self.body):
            joint = int(m.dof_jntid[i])
            if m.jnt_type[joint] == mjtJoint.mjJNT_FREE:
                continue
            while joint in leaders:
                joint = leaders[joint]
                i = int(m.jnt_dofadr[joint]) if joint >= 0 else -1
            if i >= 0:
                found.add(i)
        return sorted(found)

    def solve(self, steps: int) -> Reached:
        """Take steps until none helps."""
        damping, taken, cost = FIRST_DAMPING, 0, self._cost()
        while taken < steps and self.dofs and cost > SMALL**2:
            taken += 1
            jac, hessian = self._slopes()
            before, old = cost, np.array(self.d.qpos)
            slope, self.base = jac.T @ self.error - self.keep * self.moved, self.moved
            hessian = self._positive(hessian, self._may_move(slope, old))
            while damping < MOST_DAMPING:
                cost = self._try(jac, slope, hessian, damping, old)
                if cost < before:
                    break
                damping *= 8.0
            if not cost < before:
                self.moved = self.base
                self._go(old)
                cost = before
                break
            damping = max(damping / 8.0, LEAST_DAMPING)
            if before - cost <= SMALL * before:
                break
        return Reached(float(np.linalg.norm(self.error[:3])), taken)

    def _try(self, jac: Array, slope: Array, hessian: Array, damping: float, old: Array) -> float:
        """The cost after a step with this damping from `old`."""
        scale = max(float(np.einsum("ij,ij->j", jac, jac).max(initial=0.0)), 1e-12)
        step = self._step(slope, hessian + damping * scale * np.eye(len(self.dofs)), old)
        self.moved = self.base + step
        velocity = np.zeros(self.m.nv)
        velocity[self.dofs] = step
        qpos = np.array(old)
        mj_integratePos(self.m, qpos, velocity, 1.0)
        _limit(self.m, qpos, self.dofs, self.lower, self.upper)
        self._go(qpos)
        return self._cost()

    def _step(self, slope: Array, matrix: Array, qpos: Array) -> Array:
        """The Newton step within the bounds: a coordinate that reaches its bound stays there, and the rest is solved again.

        matrix (n, n): positive for the coordinates that may move, as `_positive` leaves it.
        """
        low, high = self._room(qpos)
        step, free = np.zeros(len(slope)), self._may_move(slope, qpos)
        while free.any():
            right = slope[free] - matrix[np.ix_(free, ~free)] @ step[~free]
            step[free] = np.linalg.solve(matrix[np.ix_(free, free)], right)
            beyond = free & ((step < low) | (step > high))
            if not beyond.any():
                break
            step = np.clip(step, low, high)
            free &= ~beyond
        return step

    def _room(self, qpos: Array) -> tuple[Array, Array]:
        """Bounds of each coordinate's change in a step."""
        now = self._coordinates(qpos)
        return np.maximum(self.lower - now, -LONGEST), np.minimum(self.upper - now, LONGEST)

    def _may_move(self, slope: Array, qpos: Array) -> NDArray[np.bool_]:
        """Mask of coordinates that are free: not at a bound that the cost pushes against."""
        low, high = self._room(qpos)
        return ~((low >= 0.0) & (slope < 0.0) | (high <= 0.0) & (slope > 0.0))

    def _positive(self, hessian: Array, free: NDArray[np.bool_]) -> Array:
        """The matrix with the curvatures of the free coordinates turned positive, so that a step leaves a saddle."""
        result, chosen = hessian.copy(), np.ix_(free, free)
        values, vectors = np.linalg.eigh(hessian[chosen])
        result[chosen] = (vectors * np.abs(values)) @ vectors.T
        return result

    def _coordinates(self, qpos: Array) -> Array:
        """The coordinates of the dofs, for their bounds; 0 for those of balls."""
        m = self.m
        joints = m.dof_jntid[self.dofs]
        return np.where(m.jnt_type[joints] == mjtJoint.mjJNT_BALL, 0.0, qpos[m.jnt_qposadr[joints]])

    def _slopes(self) -> tuple[Array, Array]:
        """The Jacobian (3 or 6, n) of what is sought, and the cost's second derivatives (n, n)."""
        m, d = self.m, self.d
        mj_comPos(m, d)
        mj_jac(m, d, self.move, self.turn, self._point(), self.body)
        full = self._curvature(np.array(self.error[:3]))
        mapping = self._mapping()
        jac = self.move @ mapping
        if self.quat is not None:
            jac = np.vstack([jac, self.length * (self.turn @ mapping)])
        return jac, jac.T @ jac + self.keep * np.eye(len(self.dofs)) - mapping.T @ full @ mapping

    def _mapping(self) -> Array:
        """The (nv, n) velocities of all dofs for unit velocities of those that the search moves."""
        m = self.m
        mapping = np.zeros((m.nv, len(self.dofs)))
        mapping[self.dofs, np.arange(len(self.dofs))] = 1.0
        for c in self.couplings:
            if c.leader >= 0:
                mapping[m.jnt_dofadr[c.joint]] = c.slope(m, self.d.qpos) * mapping[m.jnt_dofadr[c.leader]]
        return mapping

    def _curvature(self, error: Array) -> Array:
        """e . d2p / dq_i dq_j (nv, nv): the velocity by the later dof turns with the earlier; of one ball, the mean of both."""
        m = self.m
        table = np.einsum("kij,k->ij", np.cross(self.turn.T[:, None], self.move.T[None]).transpose(2, 0, 1), error)
        full = np.triu(table) + np.triu(table, 1).T
        for j in np.flatnonzero(m.jnt_type == mjtJoint.mjJNT_BALL):
            own = slice(int(m.jnt_dofadr[j]), int(m.jnt_dofadr[j]) + 3)
            full[own, own] = 0.5 * (table[own, own] + table[own, own].T)
        return full

    def _go(self, qpos: Array) -> None:
        """Take a pose, with followers where their leaders want them."""
        self.d.qpos[:] = qpos
        self._follow()
        self.error = self._error()

    def _follow(self) -> None:
        m, d = self.m, self.d
        for c in self.couplings:
            d.qpos[m.jnt_qposadr[c.joint]] = c.value(m, d.qpos)
        mj_kinematics(m, d)

    def _point(self) -> Array:
        return self.d.xpos[self.body] + np.array(quat_rot(self.d.xquat[self.body], self.local))

    def _error(self) -> Array:
        """Error of the point (3,) [m], and of the angle times length (3,) [m]."""
        error = self.target - self._point()
        if self.quat is None:
            return error
        turn = np.array(quat_vel(quat_mul(self.quat, quat_inv(self.d.xquat[self.body])), 1.0))
        return np.concatenate([error, self.length * turn])

    def _cost(self) -> float:
        return 0.5 * float(self.error @ self.error + self.keep * self.moved @ self.moved)


def _sorted(found: list[Coupling]) -> list[Coupling]:
    """Leaders before those that follow them; a ring of followers is cut."""
    followers, result = {c.joint: c for c in found}, []
    known: set[int] = set()

    def add(c: Coupling, above: frozenset[int]) -> None:
        if c.joint in known or c.joint in above:
            return
        if c.leader in followers:
            add(followers[c.leader], above | {c.joint})
        if c.leader not in above:
            known.add(c.joint)
            result.append(c)

    for c in found:
        add(c, frozenset())
    return result


def _bounds(m: Model, dofs: list[int], found: list[Coupling]) -> tuple[Array, Array]:
    """The least and greatest coordinate of each dof; a linear follower's limits bound its leader as well. Balls: none here."""
    lower, upper = np.full(m.njnt, -np.inf), np.full(m.njnt, np.inf)
    scalar = (m.jnt_limited != 0) & (m.jnt_type >= mjtJoint.mjJNT_SLIDE)
    lower[scalar], upper[scalar] = m.jnt_range[scalar, 0], m.jnt_range[scalar, 1]
    for c in reversed(found):
        constant, slope = float(c.data[0]), float(c.data[1])
        if c.leader < 0 or slope == 0.0 or np.any(c.data[2:]):
            continue
        base, start = m.qpos0[m.jnt_qposadr[c.leader]], m.qpos0[m.jnt_qposadr[c.joint]]
        ends = sorted(base + (end - start - constant) / slope for end in (lower[c.joint], upper[c.joint]))
        lower[c.leader], upper[c.leader] = max(lower[c.leader], ends[0]), min(upper[c.leader], ends[1])
    joints = m.dof_jntid[dofs]
    return lower[joints], np.maximum(upper[joints], lower[joints])


def _limit(m: Model, qpos: Array, dofs: list[int], lower: Array, upper: Array) -> None:
    """Bring coordinates into their bounds, and the turn of a limited ball down to its greatest angle, in place."""
    for i, low, high in zip(dofs, lower, upper, strict=True):
        joint = int(m.dof_jntid[i])
        adr = int(m.jnt_qposadr[joint])
        if m.jnt_type[joint] != mjtJoint.mjJNT_BALL:
            qpos[adr] = min(max(qpos[adr], low), high)
        elif m.jnt_limited[joint]:
            turn = np.array(quat_vel(qpos[adr : adr + 4], 1.0))
            angle, most = float(np.linalg.norm(turn)), float(m.jnt_range[joint, 1])
            if angle > most:
                half = 0.5 * most
                qpos[adr : adr + 4] = np.cos(half), *(np.sin(half) * turn / angle)


class Coupling(Struct, frozen=True):
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
