"""The parts of the rover, and the ground it drives on."""

from __future__ import annotations

import numpy as np
from pictures import noise
from solids import Solid, box, lathe, link, loft, plate, raised, rectangle

TERRAIN = 129  # points along an edge


def chassis() -> Solid:
    """A tub with sloping flanks, and a lid."""
    low, high = rectangle(0.36, 0.18, 0.03), rectangle(0.5, 0.28, 0.04)
    tub = loft([raised(low, -0.06), raised(high, 0.0), raised(high, 0.05), raised(0.97 * high, 0.058)])
    return tub + box((0.12, 0.12, 0.05), 0.012).moved((-0.14, 0, 0.08))


def wheel() -> Solid:
    """A rim along y with fifteen grousers: radius 0.095, width 0.08."""
    profile = [(0.03, -0.024), (0.074, -0.034), (0.084, -0.04), (0.088, -0.036), (0.09, 0.0), (0.088, 0.036), (0.084, 0.04),
               (0.074, 0.034), (0.03, 0.024), (0.028, 0.036), (0.02, 0.04)]  # fmt: skip
    whole = lathe([(0.02, -0.04), (0.028, -0.036), *profile], 30).moved(axis="x", degrees=90)
    bar = box((0.01, 0.072, 0.008), 0.002).moved((0, 0, 0.0905))
    for k in range(15):
        whole += bar.moved(axis="y", degrees=24 * k)
    return whole


def rocker() -> Solid:
    """A bent beam from the pivot at the origin forward to the front wheel and back to the bogie."""
    forward = plate(link(0.03, 0.022, 0.25), -0.01, 0.01, 0.004).moved(axis="x", degrees=90).moved(axis="y", degrees=16)
    back = plate(link(0.03, 0.02, 0.13), -0.01, 0.01, 0.004).moved(axis="x", degrees=90).moved(axis="y", degrees=164)
    hub = lathe([(0.036, -0.016), (0.038, -0.012), (0.038, 0.012), (0.036, 0.016)], 20).moved(axis="x", degrees=90)
    return forward + back + hub


def bogie() -> Solid:
    """A beam between the middle wheel and the rear wheel, its pivot at the origin."""
    beam = plate(link(0.02, 0.02, 0.22), -0.008, 0.008, 0.003).moved((-0.11, 0, 0)).moved(axis="x", degrees=90)
    return beam + lathe([(0.026, -0.012), (0.028, 0.0), (0.026, 0.012)], 20).moved(axis="x", degrees=90)


def fork() -> Solid:
    """The steering post above a wheel and the bracket beside it, its axis z through the wheel's centre at the origin."""
    post = lathe([(0.016, 0.1), (0.019, 0.103), (0.019, 0.15), (0.016, 0.153)], 20)
    arm = box((0.03, 0.016, 0.124), 0.005).moved((0, -0.052, 0.056))
    return post + arm + box((0.034, 0.076, 0.014), 0.004).moved((0, -0.022, 0.112))


def head() -> Solid:
    """A mast along z with a camera head on it, which looks along x."""
    mast = lathe([(0.02, 0.0), (0.014, 0.01), (0.012, 0.19), (0.016, 0.2)], 16)
    eye = lathe([(0.018, 0.0), (0.018, 0.022), (0.014, 0.026), (0.013, 0.02)], 16).moved(axis="y", degrees=90)
    eyes = eye.moved((0.022, 0.032, 0.225)) + eye.moved((0.022, -0.032, 0.225))
    return mast + box((0.05, 0.12, 0.05), 0.01).moved((0, 0, 0.225)) + eyes


def panel() -> tuple[Solid, np.ndarray]:
    """A solar panel, and its texture coordinates: the picture once over its top."""
    solid = plate(rectangle(0.34, 0.25, 0.01, 2), 0, 0.012, 0.003)
    return solid, solid.vertex[:, :2] / (0.34, 0.25) + 0.5


def dish() -> Solid:
    """A shallow bowl, open upwards, with its feed on a stalk."""
    bowl = [(0.012, 0.0), (0.05, 0.012), (0.08, 0.034), (0.083, 0.036), (0.079, 0.039), (0.048, 0.017), (0.006, 0.008)]
    return lathe([*bowl, (0.004, 0.05), (0.009, 0.052), (0.009, 0.06), (0.004, 0.062)], 24)


def terrain() -> np.ndarray:
    """Heights in 0 to 255: hills outside, a level ring inside on which the rover goes round, a dip in the middle."""
    at = np.linspace(-1, 1, TERRAIN)
    x, y = np.meshgrid(at, at)
    r = np.hypot(x, y)
    hills = 0.5 + 0.28 * np.cos(4.1 * x + 1.0) * np.cos(3.3 * y - 0.4)
    hills += 0.2 * np.cos(7 * x - 5 * y + 0.7) + 0.1 * np.sin(11 * x + 9 * y)
    bumps = 0.05 * np.cos(17 * x - 1) * np.cos(15 * y + 2) + 0.03 * np.cos(31 * x + 13 * y)
    outside = np.clip((r - 0.5) / 0.4, 0, 1)
    outside = outside**2 * (3 - 2 * outside)
    height = 0.22 + bumps + outside * (0.15 + 0.75 * hills) - 0.12 * np.exp(-((r / 0.16) ** 2))
    grain = noise(TERRAIN, 1, seed=3) - 0.5
    return np.clip(np.round(255 * (height + 0.008 * grain)), 0, 255).astype(np.uint8)


ROVER = {"chassis": chassis, "wheel": wheel, "rocker": rocker, "bogie": bogie, "fork": fork, "head": head, "dish": dish}
