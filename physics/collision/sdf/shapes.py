"""The built-in signed distance functions, with the names, attributes and defaults of the reference's plugins.

Only the torus is an exact distance everywhere; the others have its sign and zeros, and about its slope near the surface.
Combining two distances by min or max (union, intersection) gives a bound from below outside the shape.
Sources: Quilez, distance functions; for the thread, a triangle wave along the axis that turns once a pitch; for the gear,
the involute of a circle, whose distance from a point outside the base circle is known in closed form.
"""

import math

import numpy as np

from tumble.physics.collision.sdf.functions import Check, SdfFunction
from tumble.physics.kernel import exact

_SLOPE = math.sqrt(0.5)  # of a flank of the thread, which leans by 45 degrees
THREADS = 12.0  # turns of the thread of bolt and nut [1/m]
_SIXTH = math.pi / 3.0


@exact
def torus(p, a):
    """Attributes: radius of the ring, radius of its tube [m]. The ring lies in the xy plane."""
    ring = math.sqrt(p[0] * p[0] + p[1] * p[1]) - a[0]
    return math.sqrt(ring * ring + p[2] * p[2]) - a[1]


@exact
def _thread(p, away):
    """A bar with a thread, without ends. away: distance from the axis beyond the radius of the thread's roots."""
    turn = p[2] * THREADS - math.atan2(p[1], p[0]) / (2.0 * math.pi)
    wave = abs(turn - math.floor(turn) - 0.5)
    return (away - wave / THREADS) * _SLOPE


@exact
def _hexagon(p, away):
    """A head with six sides, 1 m across, from z = -0.5 to 0, its lower edges chamfered by a cone."""
    sector = math.floor(math.atan2(p[1], p[0]) / _SIXTH + 0.5) * _SIXTH
    side = math.cos(sector) * p[0] + math.sin(sector) * p[1] - 0.5
    slab = abs(p[2] + 0.25) - 0.25
    return max(max(side, slab), (p[2] + away - 0.22) * _SLOPE)


@exact
def bolt(p, a):
    """A bolt along z from -1 to 0, its head above -0.5. Attribute: the radius of the thread's roots [m]."""
    away = math.sqrt(p[0] * p[0] + p[1] * p[1]) - a[0]
    bar = max(_thread(p, away), abs(p[2] + 0.5) - 0.5)
    cone = (p[2] - away) * _SLOPE  # takes the edge off the tip
    return min(max(bar, -(cone + _SLOPE)), _hexagon(p, away))


@exact
def nut(p, a):
    """A nut from z = -0.5 to 0. Attribute: the radius of the roots of the bolt's thread that its hole would just admit [m]."""
    away = math.sqrt(p[0] * p[0] + p[1] * p[1]) - a[0]
    cone = (p[2] - away) * _SLOPE  # widens the hole at both ends
    hole = max(_thread(p, away), -(cone + 0.5 * _SLOPE))
    hole = min(hole, -cone - 0.05 * _SLOPE)
    return max(_hexagon(p, away), -hole)


@exact
def bowl(p, a):
    """A spherical bowl, open upwards. Attributes: height of the rim above the centre, radius, half the thickness [m]."""
    rim = math.sqrt(a[1] * a[1] - a[0] * a[0])
    out = math.sqrt(p[0] * p[0] + p[1] * p[1])
    if a[0] * out < rim * p[2]:
        return math.sqrt((out - rim) * (out - rim) + (p[2] - a[0]) * (p[2] - a[0])) - a[2]
    return abs(math.sqrt(out * out + p[2] * p[2]) - a[1]) - a[2]


@exact
def _blend(a, b, k):
    """The union of two distances, rounded over a width k."""
    h = min(max(0.5 + 0.5 * (b - a) / k, 0.0), 1.0)
    return b * (1.0 - h) + a * h - k * h * (1.0 - h)


@exact
def _repeat(angle, stride, shift):
    """An angle moved into one period that begins at -shift / 2."""
    angle += shift / 2.0
    return angle - stride * math.floor(angle / stride) - shift / 2.0


@exact
def _teeth(p, a):
    """Cross-section of the gear."""
    diameter, teeth = a[1], a[2]
    module = diameter / teeth
    pressure = (3.096e-5 * teeth - 6.557e-3) * teeth + 0.551  # angle at which flanks press: an empirical law
    pitch, tip = diameter / 2.0, diameter / 2.0 + module
    root = tip - 2.2 * module
    inner = a[4] / 2.0 if a[4] >= 0.0 else root - 0.14 * diameter
    rho = math.sqrt(p[0] * p[0] + p[1] * p[1])
    if rho < inner:
        return inner - rho
    if rho - tip > 0.2:
        return rho - tip

    base = pitch * math.cos(pressure)  # radius that the involutes unwind from
    stride = 2.0 * math.pi / teeth
    roll = math.acos(base / pitch)
    shift = stride / 2.0 - 2.0 * (math.tan(roll) - roll)
    angle = math.atan2(p[1], p[0]) + a[0]
    left, right = _repeat(angle, stride, shift), _repeat(-angle - shift, stride, shift)
    flanks = -1.0e6
    if base < rho:
        along = math.sqrt(rho * rho - base * base)
        beyond = math.acos(base / rho)
        flanks = along - base * (min(left, right) + beyond)
    flanks = max(max(left, right) - (stride - shift), flanks)
    # the smooth intersection with the circle of the tips, then the smooth union with the disc below the roots
    outer, width = rho - tip, 0.0035 * diameter
    tooth = max(max(outer, flanks), -_blend(max(outer, -flanks), max(flanks, -outer), width))
    return max(_blend(rho - root, tooth, base - root), inner - rho)


@exact
def gear(p, a):
    """A spur gear about z. Attributes: angle [rad], pitch diameter, teeth, thickness, diameter of the hole [m]."""
    flat, high = _teeth(p, a), abs(p[2]) - a[3] / 2.0
    return min(max(flat, high), 0.0) + math.sqrt(max(flat, 0.0) ** 2 + max(high, 0.0) ** 2)


def _positive(**places: int) -> Check:
    """A check that attributes, by name and place, are positive."""

    def check(a: np.ndarray) -> str:
        return next((f"{name} must be positive, is {a[i]:g}" for name, i in places.items() if not a[i] > 0), "")

    return check


def _bowl_check(a: np.ndarray) -> str:
    return "" if abs(a[0]) <= a[1] and a[2] > 0 else "needs height <= radius, and a positive thickness"


def _screw_check(a: np.ndarray) -> str:
    return "" if a[0] >= 0 else f"radius must not be negative, is {a[0]:g}"


_SCREW = 0.6, 0.6, 1.0

BUILT_IN = (
    SdfFunction("mujoco.sdf.bolt", bolt, {"radius": 0.26}, lambda a: _SCREW, _screw_check),
    SdfFunction(
        "mujoco.sdf.bowl", bowl, {"height": 0.4, "radius": 1.0, "thickness": 0.02}, lambda a: (a[1] + a[2],) * 3, _bowl_check
    ),
    SdfFunction(
        "mujoco.sdf.gear",
        gear,
        {"alpha": 0.0, "diameter": 2.8, "teeth": 25.0, "thickness": 0.2, "innerdiameter": -1.0},
        lambda a: (1.25 * a[1] / 2.0, 1.25 * a[1] / 2.0, 1.1 * a[3] / 2.0),
        _positive(diameter=1, teeth=2, thickness=3),
    ),
    SdfFunction("mujoco.sdf.nut", nut, {"radius": 0.26}, lambda a: _SCREW, _screw_check),
    SdfFunction(
        "mujoco.sdf.torus", torus, {"radius1": 0.35, "radius2": 0.15}, lambda a: (a[0] + a[1], a[0] + a[1], a[1]),
        _positive(radius2=1),
    ),
)
