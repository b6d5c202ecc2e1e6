"""Gears, rod, crank and piston of the steam-engine-like scene. All lie in the x-y plane; the scene sets them upright."""

from __future__ import annotations

import numpy as np
from solids import Solid, circle, gear, lathe, link, plate

MODULE = 0.01


def wheel(teeth: int) -> Solid:
    """A gear with a rim, a thin web and a hub; pitch radius: teeth * MODULE / 2."""
    outline, inner = gear(teeth, MODULE, hub=0.38 * teeth * MODULE)
    rim = plate(outline, -0.012, 0.012, 0, inner)
    pitch = teeth * MODULE / 2
    hub = lathe([(0.022, -0.016), (0.025, -0.012), (0.025, 0.012), (0.022, 0.016)])
    return rim + lathe([(0.8 * pitch, -0.004), (0.8 * pitch, 0.004)], 36) + hub


def gear12() -> Solid:
    """The small wheel."""
    return wheel(12)


def gear24() -> Solid:
    """The wheel on the crankshaft."""
    return wheel(24)


def gear36() -> Solid:
    """The large wheel."""
    return wheel(36)


def crank() -> Solid:
    """A web with its pin at x = 0.08, and a counterweight."""
    web = plate(link(0.034, 0.022, 0.08), -0.007, 0.007, 0.003)
    angle = np.linspace(0.6 * np.pi, 1.4 * np.pi, 16)
    arc = np.vstack([0.08 * np.column_stack([np.cos(angle), np.sin(angle)]), [[0.0, -0.03], [0.0, 0.03]]])
    pin = lathe([(0.012, -0.03), (0.012, 0.01), (0.009, 0.013)], 18).moved((0.08, 0, 0))
    return web + plate(arc, -0.007, 0.007, 0.002) + pin


def rod() -> Solid:
    """A connecting rod of 0.24 between the eyes."""
    big = plate(circle(0.024, 24), -0.007, 0.007, 0.002, circle(0.012, 24))
    small = plate(circle(0.018, 24), -0.007, 0.007, 0.002, circle(0.008, 24))
    shaft = plate(link(0.013, 0.009, 0.19), -0.005, 0.005, 0.002)
    return big + small.moved((0.24, 0, 0)) + shaft.moved((0.022, 0, 0))


def piston() -> Solid:
    """A piston along z with two rings, its pin at the origin."""
    return lathe([(0.05, -0.03), (0.052, -0.028), (0.052, 0.008), (0.048, 0.009), (0.048, 0.013), (0.052, 0.014), (0.052, 0.02),
                  (0.048, 0.021), (0.048, 0.025), (0.052, 0.026), (0.052, 0.034), (0.049, 0.037)])  # fmt: skip


MACHINE = (gear12, gear24, gear36, crank, rod, piston)
