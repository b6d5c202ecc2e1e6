"""The case of the metronome, and its weight."""

from __future__ import annotations

from solids import Solid, box, lathe, loft, raised, rectangle


def case() -> Solid:
    """A pyramid cut off at the top, on a base with feet; open in front only to the eye."""
    low, high = rectangle(0.12, 0.1, 0.008, 3), rectangle(0.045, 0.04, 0.006, 3)
    base = [raised(1.08 * low, 0.01), raised(1.08 * low, 0.022), raised(low, 0.026)]
    body = loft([*base, raised(high, 0.2), raised(0.8 * high, 0.206)])
    for x in (-0.045, 0.045):
        for y in (-0.038, 0.038):
            body += lathe([(0.008, 0.0), (0.009, 0.012)], 10).moved((x, y, 0))
    return body


def weight() -> Solid:
    """The weight that slides on the rod: a wedge with bevelled edges, about the origin."""
    wide, narrow = rectangle(0.034, 0.014, 0.003, 3), rectangle(0.024, 0.014, 0.003, 3)
    return loft([raised(0.9 * narrow, -0.013), raised(narrow, -0.011), raised(wide, 0.011), raised(0.9 * wide, 0.013)])


def plinth() -> Solid:
    """A board with bevelled edges."""
    return box((0.62, 0.2, 0.018), 0.006)


METRONOME = (case, weight, plinth)
