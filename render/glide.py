"""A smooth way from one view to another, whatever cameras they are of: free, fixed, perspective or orthographic.

A view is taken apart into numbers that can be blended: the point that is looked at, azimuth, elevation and roll, the height seen
at that point, and the slope of the frustum's sides, 0 for an orthographic one. Azimuth and elevation keep the horizon level.
With the slope going to 0 while the height stays, the eye moves away as the field of view narrows (a dolly zoom), so that
perspective flattens gradually into an orthographic picture.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from tumble.render.camera import Vec, View

LEAST_SLOPE = 0.004  # an eye 125 times as far as the picture is high looks orthographic, and depth can still be resolved


class _Pose(Struct, frozen=True):
    """focus (3,) [m]; turn (3,): azimuth, elevation, roll [rad]; half height at the focus [m]; slope: of it per distance;
    shift (2,): of the frustum's centre from its axis, in half heights; reach: from the focus to the far plane [m]."""

    focus: Vec
    turn: Vec
    half: float
    slope: float
    shift: Vec
    reach: float


def blend(start: View, goal: View, share: float, focus: float) -> View:
    """The view at a share, 0 to 1, of the way; focus: distance of the target from a perspective eye [m]."""
    if share >= 1.0:
        return goal
    if share <= 0.0:
        return start
    first, last = _pose(start, focus), _pose(goal, focus)
    turn = first.turn + share * ((last.turn - first.turn + math.pi) % (2.0 * math.pi) - math.pi)
    half = math.exp((1.0 - share) * math.log(first.half) + share * math.log(last.half))
    names = ("focus", "shift", "slope", "reach")
    mixed = {name: (1.0 - share) * getattr(first, name) + share * getattr(last, name) for name in names}
    aspect = (goal.right_side - goal.left_side) / (goal.top - goal.bottom)
    steepest = max(first.slope, last.slope) or LEAST_SLOPE
    return _view(_Pose(turn=turn, half=half, **mixed), aspect, min(start.near, goal.near), steepest)


def ease(share: float) -> float:
    """A share of the time as a share of the way: begins and ends at rest."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def _pose(view: View, distance: float) -> _Pose:
    half, distance = 0.5 * (view.top - view.bottom), distance + view.back
    shift = np.array([view.left_side + view.right_side, view.bottom + view.top]) / (2.0 * half)
    slope = 0.0
    if not view.orthographic:
        slope = half / view.near
        half = slope * distance
    return _Pose(view.eye + distance * view.forward, _angles(view), half, slope, shift, max(view.far - distance, distance))


def _angles(view: View) -> Vec:
    """Azimuth, elevation and roll; where the view is vertical, the azimuth is that of the picture's up."""
    x, y, z = (float(v) for v in view.forward)
    flat = math.hypot(x, y)
    elevation = math.atan2(z, flat)
    if flat < 1e-6:
        x, y = (-math.copysign(1.0, z) * float(v) for v in view.up[:2])
    azimuth = math.atan2(y, x)
    right, up = _level(azimuth, elevation)
    return np.array([azimuth, elevation, math.atan2(float(view.right @ up), float(view.right @ right))])


def _level(azimuth: float, elevation: float) -> tuple[Vec, Vec]:
    """Right and up of a view without roll."""
    sa, ca, se, ce = math.sin(azimuth), math.cos(azimuth), math.sin(elevation), math.cos(elevation)
    return np.array([sa, -ca, 0.0]), np.array([-se * ca, -se * sa, ce])


def _view(pose: _Pose, aspect: float, near: float, steepest: float) -> View:
    """The view of a pose; steepest: the slope at which the eye would be where it looks to be."""
    azimuth, elevation, roll = (float(v) for v in pose.turn)
    level, raised = _level(azimuth, elevation)
    right = math.cos(roll) * level + math.sin(roll) * raised
    up = math.cos(roll) * raised - math.sin(roll) * level
    forward = np.cross(up, right)
    slope = max(pose.slope, LEAST_SLOPE)
    distance = pose.half / slope
    near = max(near, distance - pose.reach)
    half = slope * near
    x, y = (float(v) * half for v in pose.shift)
    eye, far = pose.focus - distance * forward, distance + pose.reach
    sides = x - half * aspect, x + half * aspect, y - half, y + half
    return View(eye, right, up, forward, *sides, near, far, orthographic=False, back=max(0.0, distance - pose.half / steepest))
