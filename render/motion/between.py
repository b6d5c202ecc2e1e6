"""Poses between two moments, for pictures alone: positions on straight lines, orientations on the shortest turn.

Bodies move so; what is fixed to them stays fixed to them. Everything else of a picture is of the first moment.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

Floats = NDArray[np.float64]

_STRAIGHT = ("subtree_com", "cam_xpos", "light_xpos", "xanchor", "flexvert_xpos", "bvh_aabb_dyn")


def turned(first: Floats, second: Floats, share: float) -> Floats:
    """(n, 3, 3) rotations a share of the way from the first to the second, on the shortest turn."""
    way = np.einsum("nji,njk->nik", first, second)
    sine = 0.5 * np.stack([way[:, 2, 1] - way[:, 1, 2], way[:, 0, 2] - way[:, 2, 0], way[:, 1, 0] - way[:, 0, 1]], axis=1)
    length = np.linalg.norm(sine, axis=1)
    angle = np.arctan2(length, 0.5 * (np.trace(way, axis1=1, axis2=2) - 1.0))
    axis = sine / np.maximum(length, 1e-15)[:, None]
    back = np.flatnonzero((length < 1e-6) & (angle > 1.0))  # half a turn: its axis is the direction that stays
    if len(back):
        same = 0.5 * (way[back] + np.eye(3))
        column = np.argmax(np.einsum("nii->ni", same), axis=1)
        stays = same[np.arange(len(back)), :, column]
        axis[back] = stays / np.linalg.norm(stays, axis=1)[:, None]
    part = share * angle
    x, y, z = axis.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    turn = np.eye(3) + np.sin(part)[:, None, None] * cross + (1.0 - np.cos(part))[:, None, None] * (cross @ cross)
    return np.asarray(first @ turn)


def straight(first: Floats, second: Floats, share: float) -> Floats:
    """Numbers a share of the way from the first to the second; the first where there are not as many."""
    return first + share * (second - first) if first.shape == second.shape else first


def between(model: MjModel, first: Frame, second: Frame, share: float) -> Frame:
    """The frame a share of the way from one moment to the next; share 0 is the first itself, 1 the second."""
    if share <= 0.0 or len(first.xpos) != model.nbody or len(second.xpos) != model.nbody:
        return first
    if share >= 1.0:
        return second
    place = straight(first.xpos, second.xpos, share)
    then = second.xmat.reshape(-1, 3, 3)
    mat = turned(first.xmat.reshape(-1, 3, 3), then, share)
    made: dict[str, Any] = {name: straight(getattr(first, name), getattr(second, name), share) for name in _STRAIGHT}
    made |= {"xpos": place, "xmat": mat.reshape(-1, 9)}
    owners = (np.arange(model.nbody), model.geom_bodyid, model.site_bodyid)
    for pos, turn, owner in zip(("xipos", "geom_xpos", "site_xpos"), ("ximat", "geom_xmat", "site_xmat"), owners, strict=True):
        body = np.asarray(owner, np.int64)
        if len(getattr(second, pos)) == len(getattr(second, turn)) == len(body):
            local = np.einsum("nji,nj->ni", then[body], getattr(second, pos) - second.xpos[body])
            made[pos] = place[body] + np.einsum("nij,nj->ni", mat[body], local)
            own = np.einsum("nji,njk->nik", then[body], getattr(second, turn).reshape(-1, 3, 3))
            made[turn] = (mat[body] @ own).reshape(-1, 9)
    if first.cam_xmat.shape == second.cam_xmat.shape:
        made["cam_xmat"] = turned(first.cam_xmat.reshape(-1, 3, 3), second.cam_xmat.reshape(-1, 3, 3), share).reshape(-1, 9)
    for name in ("light_xdir", "xaxis"):
        way = straight(getattr(first, name), getattr(second, name), share)
        made[name] = way / np.maximum(np.linalg.norm(way, axis=1), 1e-9)[:, None]
    if np.array_equal(first.ten_wrapnum, second.ten_wrapnum) and np.array_equal(first.wrap_obj, second.wrap_obj):
        made["wrap_xpos"] = straight(first.wrap_xpos, second.wrap_xpos, share)
    return replace(first, **made, time=first.time + share * (second.time - first.time))
