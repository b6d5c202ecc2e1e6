"""Positions as points of a curved space: along a velocity, differences, and unit quaternions."""

from __future__ import annotations

from typing import Any

import numpy as np

from tumble.physics.dynamics.kinematics import attach
from tumble.physics.query.check import Array, address, index, output, vector
from tumble.physics.query.compiled.position import differentiate, integrate, normalize
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model


@checked
def mj_integratePos(m: Model, qpos: Array, qvel: Any, dt: float) -> None:
    """Move qpos (nq,) along a velocity qvel (nv,) for a time dt [s], in place; quaternions stay unit."""
    qpos = output(qpos, "qpos", (m.nq,), "(nq,)")
    velocity = np.ascontiguousarray(vector(qvel, "qvel", m.nv, "nv"))
    integrate.call(m.address, address(qpos), address(velocity), float(dt))


@checked
def mj_differentiatePos(m: Model, qvel: Array, dt: float, qpos1: Any, qpos2: Any) -> None:
    """Write to qvel (nv,) the velocity that leads from qpos1 to qpos2, (nq,) each, in a time dt [s], the short way."""
    qvel = output(qvel, "qvel", (m.nv,), "(nv,)")
    first, second = (
        np.ascontiguousarray(vector(qpos, name, m.nq, "nq")) for qpos, name in ((qpos1, "qpos1"), (qpos2, "qpos2"))
    )
    differentiate.call(m.address, address(qvel), float(dt), address(first), address(second))


@checked
def mj_normalizeQuat(m: Model, qpos: Array) -> None:
    """Scale the quaternions in qpos (nq,) to length 1, in place."""
    qpos = output(qpos, "qpos", (m.nq,), "(nq,)")
    normalize.call(m.address, address(qpos))


@checked
def mj_local2Global(d: Data, xpos: Array, xmat: Array, pos: Any, quat: Any, body: int, sameframe: int) -> None:
    """Write to xpos (3,) [m] and xmat (9,) the world pose of a frame that is fixed to a body at pos (3,) [m] and quat (4,).

    sameframe (mjtSameFrame): with which frame of the body it coincides, wholly or in rotation. Reads xpos, xmat, xipos, ximat.
    """
    xpos = output(xpos, "xpos", (3,))
    xmat = output(xmat, "xmat", (9,))
    i = index(body, "body", len(d.xpos))
    frame = vector(pos, "pos", 3)[None], vector(quat, "quat", 4)[None]
    attach(d, 0, np.array([i]), np.array([sameframe]), *frame, xpos[None], xmat[None])
