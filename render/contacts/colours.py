"""The colours of contacts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.physics.dynamics.contact_mode import ContactMode

Rgba = tuple[float, float, float, float]

# Okabe and Ito's colours, which people with any kind of colour vision tell apart; also by brightness: slip, stick, open.
STICK: Rgba = (0.0, 0.62, 0.45, 1.0)
SLIP: Rgba = (0.95, 0.60, 0.0, 1.0)
OPEN: Rgba = (0.80, 0.83, 0.90, 1.0)
SMOOTH: Rgba = (0.34, 0.71, 0.91, 1.0)
OF_MODE: dict[ContactMode, Rgba] = {
    ContactMode.STICK: STICK, ContactMode.SLIP: SLIP, ContactMode.OPEN: OPEN, ContactMode.SMOOTH: SMOOTH,
}  # fmt: skip
# The whole force, or its normal part; the part of friction.
FORCE: Rgba = (0.93, 0.93, 0.75, 1.0)
FRICTION: Rgba = (0.80, 0.47, 0.65, 1.0)
# From no pressure to the most: darker and stronger, so that brightness alone tells them apart.
PRESSURE = ((0.95, 0.92, 1.0), (0.72, 0.56, 0.93), (0.38, 0.12, 0.66))


def pressure_colours(share: ArrayLike) -> NDArray[np.float64]:
    """(n, 3) colours 0..1 of pressures, given as shares (n,) of that with the darkest colour."""
    at = np.clip(np.asarray(share, float), 0.0, 1.0)
    stops = np.linspace(0.0, 1.0, len(PRESSURE))
    return np.stack([np.interp(at, stops, [rgb[k] for rgb in PRESSURE]) for k in range(3)], axis=-1)
