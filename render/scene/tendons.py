"""Paths of spatial tendons: straight pieces between their points, or the arc of one that is slack between two sites.

A rope of length L between points that are h apart across gravity and v along it hangs as y = a cosh((x - x0) / a) + c. With
s = h / (2 a), its length gives sinh(s) / s = sqrt(L^2 - v^2) / h, and its ends x0 = h / 2 - a artanh(v / L).
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtTrn
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

Vec = NDArray[np.float64]

PULLEY = -2  # of wrap_obj
ARC = 28  # pieces of an arc
_STEEP = 0.01  # across by length: a rope that hangs steeper is drawn as two straight pieces, down and up again


def tendon_pieces(model: MjModel, frame: Frame, tendon: int) -> list[tuple[Vec, Vec]]:
    """The two ends (3,) [m] of each straight piece of a spatial tendon; a pulley interrupts it."""
    first = int(frame.ten_wrapadr[tendon])
    part = slice(first, first + int(frame.ten_wrapnum[tendon]))
    path, obj = frame.wrap_xpos[part], frame.wrap_obj[part]
    if len(path) == 2 and (obj >= -1).all():
        length = _hanging(model, tendon, float(np.linalg.norm(path[1] - path[0])))
        if length > 0:
            path = arc(path[0], path[1], length, np.asarray(model.opt.gravity))
            return list(pairwise(path))
    drawn = (obj[:-1] != PULLEY) & (obj[1:] != PULLEY)
    return list(zip(path[:-1][drawn], path[1:][drawn], strict=True))


def _hanging(model: MjModel, tendon: int, length: float) -> float:
    """Length of a tendon that hangs slack; 0: it does not. It does if it only pulls, from a length on, and none drives it."""
    if int(model.tendon_num[tendon]) != 2:
        return 0.0
    spring = float(model.tendon_stiffness[tendon]) > 0
    if not spring and not model.tendon_limited[tendon]:
        return 0.0
    low, high = (float(v) for v in (model.tendon_lengthspring if spring else model.tendon_range)[tendon])
    held = float(model.tendon_damping[tendon]) > 0 or float(model.tendon_frictionloss[tendon]) > 0
    if low != 0 or high <= length or held or not np.any(np.asarray(model.opt.gravity)):
        return 0.0
    driven = (np.asarray(model.actuator_trntype) == int(mjtTrn.mjTRN_TENDON)) & (np.asarray(model.actuator_trnid)[:, 0] == tendon)
    return 0.0 if driven.any() else high


def arc(start: ArrayLike, end: ArrayLike, length: float, gravity: ArrayLike) -> Vec:
    """(n, 3) points of a rope of a length that hangs between two points; gravity (3,) not zero. Its ends alone if it is taut."""
    a, b, down = (np.asarray(v, float) for v in (start, end, gravity))
    up, way = -down / np.linalg.norm(down), b - a
    rise = float(way @ up)
    across = way - rise * up
    h = float(np.linalg.norm(across))
    if length <= math.hypot(h, rise) * (1.0 + 1e-9):
        return np.stack([a, b])
    if h < _STEEP * length:
        return np.stack([a, 0.5 * (a + b) - 0.5 * length * up, b])
    s = _slack(math.sqrt(length * length - rise * rise) / h)
    scale = h / (2.0 * s)
    lowest = 0.5 * h - scale * math.atanh(rise / length)
    x = np.linspace(0.0, h, ARC + 1)
    y = scale * (np.cosh((x - lowest) / scale) - math.cosh(lowest / scale))
    points = a + np.outer(x / h, across) + np.outer(y, up)
    points[-1] = b
    return np.asarray(points)


def _slack(ratio: float) -> float:
    """s > 0 with sinh(s) / s = ratio > 1, by Newton's method on its logarithm, which is convex: it cannot overshoot twice."""
    s = math.sqrt(6.0 * (ratio - 1.0)) if ratio < 3.0 else math.log(2.0 * ratio) + math.log(math.log(2.0 * ratio))
    for _ in range(50):
        step = (math.log(math.sinh(s) / s) - math.log(ratio)) / (1.0 / math.tanh(s) - 1.0 / s)
        s = max(s - step, 0.1 * s)
        if abs(step) < 1e-12 * s:
            break
    return s
