"""Positions as points of a curved space: along a velocity, differences, and unit quaternions."""

from __future__ import annotations

from typing import Any

import numpy as np

from physics.algebra.quat import quat_inv, quat_mul
from physics.dynamics.kinematics import attach
from physics.query.check import Array, index, output, vector
from physics.state.constants import mjMINVAL
from physics.state.data import Data
from physics.state.enums import mjtJoint
from physics.state.model import Model


def _flat(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """Indices into qpos and qvel of the coordinates that simply add: of sliders, hinges, and free joints' positions."""
    scalar = np.isin(m.jnt_type, (mjtJoint.mjJNT_SLIDE, mjtJoint.mjJNT_HINGE))
    free = m.jnt_type == mjtJoint.mjJNT_FREE
    three = np.arange(3)
    return tuple(  # type: ignore[return-value]  # a pair
        np.concatenate([adr[scalar], (adr[free][:, None] + three).ravel()]) for adr in (m.jnt_qposadr, m.jnt_dofadr)
    )


def _turning(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """Indices into qpos (n, 4) and qvel (n, 3) of the quaternions and their angular velocities."""
    free = np.where(m.jnt_type == mjtJoint.mjJNT_FREE, 3, 0)
    chosen = np.isin(m.jnt_type, (mjtJoint.mjJNT_FREE, mjtJoint.mjJNT_BALL))
    return (m.jnt_qposadr + free)[chosen][:, None] + np.arange(4), (m.jnt_dofadr + free)[chosen][:, None] + np.arange(3)


def _unit(q: Array) -> Array:
    """Rows of length 1; the identity where the length is below mjMINVAL."""
    length = np.linalg.norm(q, axis=1, keepdims=True)
    return np.where(length < mjMINVAL, (1.0, 0.0, 0.0, 0.0), q / np.maximum(length, mjMINVAL))


def _product(p: Array, q: Array) -> Array:
    """Rows of p times rows of q."""
    return np.stack(quat_mul(p.T, q.T), axis=1)


def mj_integratePos(m: Model, qpos: Array, qvel: Any, dt: float) -> None:
    """Move qpos (nq,) along a velocity qvel (nv,) for a time dt [s], in place; quaternions stay unit."""
    qpos = output(qpos, "qpos", (m.nq,), "(nq,)")
    velocity = vector(qvel, "qvel", m.nv, "nv")
    q, i = _flat(m)
    qpos[q] += dt * velocity[i]
    q, i = _turning(m)
    half = 0.5 * dt * velocity[i]
    angle = np.linalg.norm(half, axis=1, keepdims=True)
    axis = half / np.maximum(angle, mjMINVAL)
    qpos[q] = _unit(_product(qpos[q], np.hstack([np.cos(angle), np.sin(angle) * axis])))


def mj_differentiatePos(m: Model, qvel: Array, dt: float, qpos1: Any, qpos2: Any) -> None:
    """Write to qvel (nv,) the velocity that leads from qpos1 to qpos2, (nq,) each, in a time dt [s], the short way."""
    qvel = output(qvel, "qvel", (m.nv,), "(nv,)")
    first, second = vector(qpos1, "qpos1", m.nq, "nq"), vector(qpos2, "qpos2", m.nq, "nq")
    q, i = _flat(m)
    qvel[i] = (second[q] - first[q]) / dt
    q, i = _turning(m)
    turn = np.stack(quat_mul(quat_inv(first[q].T), second[q].T), axis=1)
    sine = np.linalg.norm(turn[:, 1:], axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, turn[:, :1])
    angle[angle > np.pi] -= 2.0 * np.pi
    qvel[i] = turn[:, 1:] * angle / (dt * np.maximum(sine, mjMINVAL))


def mj_normalizeQuat(m: Model, qpos: Array) -> None:
    """Scale the quaternions in qpos (nq,) to length 1, in place."""
    qpos = output(qpos, "qpos", (m.nq,), "(nq,)")
    q, _ = _turning(m)
    qpos[q] = _unit(qpos[q])


def mj_local2Global(d: Data, xpos: Array, xmat: Array, pos: Any, quat: Any, body: int, sameframe: int) -> None:
    """Write to xpos (3,) [m] and xmat (9,) the world pose of a frame that is fixed to a body at pos (3,) [m] and quat (4,).

    sameframe (mjtSameFrame): with which frame of the body it coincides, wholly or in rotation. Reads xpos, xmat, xipos, ximat.
    """
    xpos = output(xpos, "xpos", (3,))
    xmat = output(xmat, "xmat", (9,))
    i = index(body, "body", len(d.xpos))
    frame = vector(pos, "pos", 3)[None], vector(quat, "quat", 4)[None]
    attach(d, 0, np.array([i]), np.array([sameframe]), *frame, xpos[None], xmat[None])
