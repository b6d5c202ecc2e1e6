"""The physical look in closed form, for tests: what a matte place shows in light from around; and pictures without effects."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tumble.render.options import RenderOptions

# Only ambient light: every colour is what the model says, whatever its orientation.
FLAT = '<visual><headlight ambient="0.8 0.8 0.8" diffuse="0 0 0" specular="0 0 0"/></visual>'
BARE = RenderOptions(default_light=False, shadow=False, reflection=False, haze=False, skybox=False)
FILL = np.array([0.058, 0.06, 0.063])
FROM_ABOVE, FROM_BELOW, TINT = 1.15, 0.75, 0.25
PLAIN = (0.13, 0.15, 0.18)  # what is around where no sky is


def light(shown: ArrayLike) -> NDArray[np.float64]:
    """What colours of a picture, 0 to 1, stand for: the standard's curve (sRGB)."""
    shown = np.asarray(shown, float)
    return np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)


def display(lit: ArrayLike) -> NDArray[np.float64]:
    """The way back, 0 to 255."""
    lit = np.asarray(lit, float)
    return 255.0 * np.where(lit <= 0.0031308, 12.92 * lit, 1.055 * lit ** (1 / 2.4) - 0.055)


def matte(colour: ArrayLike, ambient: float, up: float) -> NDArray[np.float64]:
    """(3,) 0 to 255: a place without a lamp, whose normal has this part upwards, in front of the plain background.

    Of anything that is as glossy as usual, 4 % is what is around.
    """
    around = np.maximum(light(PLAIN), 0.02)
    tint = 1.0 + TINT * (around / around.mean() - 1.0)
    share = tint * (FROM_ABOVE * (0.5 + 0.5 * up) + FROM_BELOW * (0.5 - 0.5 * up))
    return display(light(colour) * (FILL + light(ambient)) * share + 0.04 * around)
