"""The parts of the engine, which lie in the x-y plane, as the scene sets them upright; the metronome's case and weight."""

from __future__ import annotations

import numpy as np
from solids import Polyhedron, box, circle, gear, lathe, link, loft, plate, raised, rectangle

MODULE = 0.01


def wheel(teeth: int) -> Polyhedron:
    """A gear with a rim, a thin web and a hub; pitch radius: teeth * MODULE / 2."""
    outline, inner = gear(teeth, MODULE, hub=0.38 * teeth * MODULE)
    rim = plate(outline, -0.012, 0.012, 0, inner)
    pitch = teeth * MODULE / 2
    hub = lathe([(0.022, -0.016), (0.025, -0.012), (0.025, 0.012), (0.022, 0.016)])
    return rim + lathe([(0.8 * pitch, -0.004), (0.8 * pitch, 0.004)], 36) + hub


def gear12() -> Polyhedron:
    """The small wheel."""
    return wheel(12)


def gear24() -> Polyhedron:
    """The wheel on the crankshaft."""
    return wheel(24)


def gear36() -> Polyhedron:
    """The large wheel."""
    return wheel(36)


def crank() -> Polyhedron:
    """A web with its pin at x = 0.08, and a counterweight."""
    web = plate(link(0.034, 0.022, 0.08), -0.007, 0.007, 0.003)
    angle = np.linspace(0.6 * np.pi, 1.4 * np.pi, 16)
    arc = np.vstack([0.08 * np.column_stack([np.cos(angle), np.sin(angle)]), [[0.0, -0.03], [0.0, 0.03]]])
    pin = lathe([(0.012, -0.03), (0.012, 0.01), (0.009, 0.013)], 18).moved((0.08, 0, 0))
    return web + plate(arc, -0.007, 0.007, 0.002) + pin


def rod() -> Polyhedron:
    """A connecting rod of 0.24 between the eyes."""
    big = plate(circle(0.024, 24), -0.007, 0.007, 0.002, circle(0.012, 24))
    small = plate(circle(0.018, 24), -0.007, 0.007, 0.002, circle(0.008, 24))
    shaft = plate(link(0.013, 0.009, 0.19), -0.005, 0.005, 0.002)
    return big + small.moved((0.24, 0, 0)) + shaft.moved((0.022, 0, 0))


def piston() -> Polyhedron:
    """A piston along z with two rings, its pin at the origin."""
    return lathe([(0.05, -0.03), (0.052, -0.028), (0.052, 0.008), (0.048, 0.009), (0.048, 0.013), (0.052, 0.014), (0.052, 0.02),
                  (0.048, 0.021), (0.048, 0.025), (0.052, 0.026), (0.052, 0.034), (0.049, 0.037)])  # fmt: skip


MACHINE = (gear12, gear24, gear36, crank, rod, piston)


def case() -> Polyhedron:
    """A pyramid cut off at the top, on a base with feet; open in front only to the eye."""
    low, high = rectangle(0.12, 0.1, 0.008, 3), rectangle(0.045, 0.04, 0.006, 3)
    base = [raised(1.08 * low, 0.01), raised(1.08 * low, 0.022), raised(low, 0.026)]
    body = loft([*base, raised(high, 0.2), raised(0.8 * high, 0.206)])
    for x in (-0.045, 0.045):
        for y in (-0.038, 0.038):
            body += lathe([(0.008, 0.0), (0.009, 0.012)], 10).moved((x, y, 0))
    return body


def weight() -> Polyhedron:
    """The weight that slides on the rod: a wedge with bevelled edges, about the origin."""
    wide, narrow = rectangle(0.034, 0.014, 0.003, 3), rectangle(0.024, 0.014, 0.003, 3)
    return loft([raised(0.9 * narrow, -0.013), raised(narrow, -0.011), raised(wide, 0.011), raised(0.9 * wide, 0.013)])


def plinth() -> Polyhedron:
    """A board with bevelled edges."""
    return box((0.62, 0.2, 0.018), 0.006)


METRONOME = (case, weight, plinth)
