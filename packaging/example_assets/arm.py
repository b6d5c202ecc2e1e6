"""The parts of the robot arm: cast housings, turned covers, plates and gears. Each has its joint's axis at the origin."""

from __future__ import annotations

import numpy as np
from solids import Solid, box, circle, gear, lathe, link, loft, plate, raised, rectangle


def _beside(solid: Solid, y: float) -> Solid:
    """A plate of the x-y plane set upright into the x-z plane, at y."""
    return solid.moved(axis="x", degrees=90).moved((0, y, 0))


def base() -> Solid:
    """A cast foot that grows from a square into a round collar, with four screws."""
    square, wide = rectangle(0.3, 0.3, 0.05, 7), circle(0.105)
    foot = plate(square, 0, 0.028, 0.006)
    collar = [raised(wide, 0.075), raised(wide, 0.13), raised(0.96 * wide, 0.136)]
    cast = loft([raised(rectangle(0.25, 0.25, 0.06, 7), 0.026), *collar])
    screw = lathe([(0.014, 0.026), (0.014, 0.036), (0.011, 0.039)], 12)
    whole = foot + cast + lathe([(0.094, 0.134), (0.094, 0.16)])
    for x in (-0.122, 0.122):
        for y in (-0.122, 0.122):
            whole += screw.moved((x, y, 0))
    return whole


def turret() -> Solid:
    """A turning collar with a neck that carries the shoulder."""
    collar = lathe([(0.1, 0.0), (0.112, 0.008), (0.112, 0.046), (0.098, 0.058)])
    neck = plate(link(0.085, 0.062, 0.13), -0.036, 0.036, 0.008)
    return collar + _beside(_up_flat(neck), 0).moved((0, 0, 0.04))


def _up_flat(solid: Solid) -> Solid:
    """A plate whose length is along x, turned in its plane to be along y: upright after `_beside`."""
    return solid.moved(axis="z", degrees=90)


def upper_arm() -> Solid:
    """Two cheeks with a brace between them."""
    cheek = _up_flat(plate(link(0.07, 0.056, 0.32), -0.013, 0.013, 0.006))
    brace = box((0.05, 0.09, 0.13), 0.014).moved((0, 0, 0.165))
    return _beside(cheek, 0.054) + _beside(cheek, -0.054) + brace


def cap() -> Solid:
    """The cover of a motor: a stepped dome along z."""
    return lathe([(0.05, 0.0), (0.052, 0.004), (0.052, 0.022), (0.046, 0.03), (0.03, 0.034), (0.028, 0.03), (0.012, 0.03)])


def elbow() -> Solid:
    """The housing between the cheeks, with a flange for the forearm at x = 0.1."""
    body = _beside(plate(link(0.05, 0.047, 0.06), -0.036, 0.036, 0.008), 0)
    flange = lathe([(0.05, 0.055), (0.056, 0.061), (0.056, 0.088), (0.05, 0.094)]).moved(axis="y", degrees=90)
    return body + flange


def forearm() -> Solid:
    """A tapering tube along x with a fork for the wrist at x = 0.24."""
    tube = lathe([(0.046, 0.0), (0.05, 0.006), (0.05, 0.05), (0.044, 0.06), (0.034, 0.17), (0.037, 0.176), (0.037, 0.19)])
    prong = plate(link(0.034, 0.03, 0.065), -0.0065, 0.0065, 0.003)
    fork = _beside(prong, 0.0345) + _beside(prong, -0.0345)
    return tube.moved(axis="y", degrees=90) + fork.moved((0.175, 0, 0))


def wrist() -> Solid:
    """A knuckle that turns in the fork, and the bearing of the tool."""
    knuckle = _beside(lathe([(0.024, -0.027), (0.027, -0.024), (0.027, 0.024), (0.024, 0.027)], 24), 0)
    bearing = lathe([(0.026, 0.0), (0.026, 0.03), (0.032, 0.036), (0.032, 0.052)], 24).moved(axis="y", degrees=90)
    return knuckle + bearing


def palm() -> Solid:
    """The gripper's body: a disc, a housing and a rail."""
    disc = lathe([(0.03, 0.0), (0.034, 0.004), (0.034, 0.014), (0.03, 0.018)], 24).moved(axis="y", degrees=90)
    housing = box((0.05, 0.1, 0.056), 0.01).moved((0.04, 0, 0))
    rail = box((0.016, 0.16, 0.026), 0.004).moved((0.066, 0, 0))
    return disc + housing + rail


def finger() -> Solid:
    """A jaw that slides along the rail: its pad's face is at y = 0, towards -y."""
    pad = [(0, 0.004), (0.03, 0.004), (0.036, 0.0), (0.096, 0.0)]
    outline = np.array([*pad, (0.1, 0.004), (0.1, 0.01), (0.05, 0.026), (0, 0.03)])
    return plate(outline, -0.014, 0.014, 0.003)


def pinion() -> Solid:
    """A gear of 14 teeth, of pitch radius 0.021."""
    outline, hole = gear(14, 0.003)
    return plate(outline, 0, 0.008, 0, hole)


def turntable() -> Solid:
    """A disc with a raised rim and a groove."""
    return lathe([(0.2, 0.0), (0.225, 0.008), (0.225, 0.03), (0.218, 0.036), (0.206, 0.036), (0.204, 0.032), (0.02, 0.032)], 48)


ARM = {
    "base": base, "turret": turret, "upper_arm": upper_arm, "cap": cap, "elbow": elbow, "forearm": forearm, "wrist": wrist,
    "palm": palm, "finger": finger, "pinion": pinion, "turntable": turntable,
}  # fmt: skip
