"""The lights of one picture, packed for the shaders, and the ambient light."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from tumble.physics.state.enums import mjtLightType
from tumble.render.camera import View
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

if TYPE_CHECKING:
    from tumble.physics import MjModel

Row = list[float]  # a LIGHT as its numbers: for single lights much faster than arrays

MAX_LIGHTS = 8
# ambient has a fourth number: the radius of the bulb [m], of light from far away the tangent of half the angle it comes from.
LIGHT = np.dtype([(name, "f4", 4) for name in ("position", "direction", "attenuation", "ambient", "diffuse", "specular")])
NO_CONE = -2.0
_AMBIENT = 3  # which of LIGHT's fields is the first of its colours
_EXPOSURES = np.array([[1.0], [2.0], [2.0]])  # of ambient, diffuse and specular colours in the physical look
_MOST_SHINE = 0.5  # of a lamp's specular colour, in its diffuse one
_SUN_WIDTH = 0.012  # two and a half times that of the sun, so that edges are seen to be soft
# Of the built-in day, as resources/shaders/sky.frag.glsl paints it.
_ZENITH, _GROUND = (0.29, 0.42, 0.58), (0.36, 0.39, 0.43)
# A sky without light, as many models have around a room, would leave metal black.
_LEAST = 0.02
_TINT = 0.25  # how much of the sky's colour the light from around has: it falls on walls and floors as well before it arrives
_FROM_ABOVE, _FROM_BELOW = 1.15, 0.75  # of that light; the ground throws back most of it

# A model that brings no light gets a warm sun from the left behind the default camera, with a bluish sky.
_SUN = {
    "direction": (0.42, 0.52, -0.9),
    "ambient": (0.14, 0.15, 0.17),
    "diffuse": (0.62, 0.6, 0.56),
    "specular": (0.35, 0.35, 0.33),
}


_DIMMED = 0.6, 0.3  # the headlight's diffuse and specular light next to that sun
_ENDLESS: tuple[ArrayLike, float, float] = ((1.0, 0.0, 0.0), 0.0, 0.0)  # the shape of light that is as strong everywhere


class Lights(Struct, frozen=True):
    """rows: (n,) LIGHT; positional: bit i set where light i has a place; casting: where it casts shadows."""

    rows: NDArray[Any]
    positional: int
    casting: int

    def __len__(self) -> int:
        return len(self.rows)


def collect(model: MjModel, frame: Frame, view: View, options: RenderOptions) -> Lights:
    """Headlight and active model lights, at most MAX_LIGHTS."""
    own = [i for i in range(min(model.nlight, len(frame.light_xpos))) if model.light_active[i]]
    own = [i for i in own if model.light_type[i] != mjtLightType.mjLIGHT_IMAGE]
    rows = [_model_light(model, frame, i) for i in own]
    casting = [bool(model.light_castshadow[i]) for i in own]
    default = options.default_light and not options.classic
    if options.classic:
        # The reference's lights without a cone and a direction cast none.
        casting = [casting[k] and model.light_type[i] != mjtLightType.mjLIGHT_POINT for k, i in enumerate(own)]
    if not own and default:
        rows, casting = [_sun()], [True]
    if model.vis.headlight.active:
        rows.insert(0, _headlight(model, view, dimmed=not own and default))
        casting.insert(0, False)
    return packed(rows, casting)


def as_light(rows: NDArray[Any]) -> NDArray[Any]:
    """(n,) LIGHT with colours as light, for the physical look: one lamp makes surfaces about as bright as in the classic one.

    The headlight's highlights, brighter than its light by default, would whiten all that faces the eye.
    """
    result = rows.copy()
    colours = _numbers(result)[:, _AMBIENT : _AMBIENT + 3, :3]
    np.minimum(colours[:, 2], _MOST_SHINE * colours[:, 1], out=colours[:, 2])
    colours[:] = to_light(colours) * _EXPOSURES
    return result


def packed(rows: list[Row], casting: list[bool]) -> Lights:
    """Lights and which of them cast shadows; those that are too many are omitted."""
    some = np.array(rows[:MAX_LIGHTS], np.float32).reshape(-1, LIGHT.itemsize // 4).view(LIGHT).ravel()
    positional = sum(1 << i for i, row in enumerate(rows[:MAX_LIGHTS]) if row[3] > 0.5)
    return Lights(some, positional, sum(1 << i for i, casts in enumerate(casting[:MAX_LIGHTS]) if casts))


def _numbers(rows: NDArray[Any]) -> NDArray[np.float32]:
    """(n, 6, 4) the same memory."""
    return rows.view(np.float32).reshape(len(rows), LIGHT.itemsize // 16, 4)


def light_row(
    kind: int,
    pos: ArrayLike,
    direction: ArrayLike,
    shape: tuple[ArrayLike, float, float],
    colours: tuple[ArrayLike, ArrayLike, ArrayLike],
    bulb: float = _SUN_WIDTH,
) -> Row:
    """The numbers of a LIGHT. kind: mjtLightType; shape: attenuation (3,), cutoff [deg], exponent; colours: ambient, diffuse,
    specular; bulb: its radius [m], of light from far away the tangent of half the angle it comes from."""
    place, cone, spread = 0.0, NO_CONE, 0.0
    attenuation = [1.0, 0.0, 0.0]
    if kind != int(mjtLightType.mjLIGHT_DIRECTIONAL):
        place, values = 1.0, _list(shape[0])
        attenuation = values if any(values) else attenuation
        if kind == int(mjtLightType.mjLIGHT_SPOT) and shape[1] <= 90.0:
            cone, spread = math.cos(math.radians(float(shape[1]))), float(shape[2])
    ambient, diffuse, specular = (_list(colour) for colour in colours)
    return [
        *_list(pos), place, *_unit(_list(direction)), cone, *attenuation, spread,
        *ambient, bulb, *diffuse, 0.0, *specular, 0.0,
    ]  # fmt: skip


def _list(three: ArrayLike) -> list[float]:
    values: list[float] = np.asarray(three, float).tolist()
    return values


def _unit(direction: list[float]) -> list[float]:
    length = math.hypot(*direction)
    return [part / length for part in direction] if length > 1e-12 else [0.0, 0.0, -1.0]


def _model_light(model: MjModel, frame: Frame, i: int) -> Row:
    kind = int(model.light_type[i])
    shape = model.light_attenuation[i], float(model.light_cutoff[i]), float(model.light_exponent[i])
    colours = model.light_ambient[i], model.light_diffuse[i], model.light_specular[i]
    lamp = kind != int(mjtLightType.mjLIGHT_DIRECTIONAL)
    bulb = max(float(model.light_bulbradius[i]), 0.0) if lamp else _SUN_WIDTH
    return light_row(kind, frame.light_xpos[i], frame.light_xdir[i], shape, colours, bulb)


def _headlight(model: MjModel, view: View, *, dimmed: bool) -> Row:
    """Light from the eye along the view, everywhere the same; its position is passed for highlights."""
    light, (diffuse, specular) = model.vis.headlight, _DIMMED if dimmed else (1.0, 1.0)
    colours = light.ambient, diffuse * np.asarray(light.diffuse), specular * np.asarray(light.specular)
    return light_row(int(mjtLightType.mjLIGHT_DIRECTIONAL), view.eye, view.forward, _ENDLESS, colours)


def _sun() -> Row:
    colours = _SUN["ambient"], _SUN["diffuse"], _SUN["specular"]
    return light_row(int(mjtLightType.mjLIGHT_DIRECTIONAL), (0.0, 0.0, 0.0), _SUN["direction"], _ENDLESS, colours)


def to_light(shown: ArrayLike) -> NDArray[np.float64]:
    """The light of sRGB colours of any shape; beyond 1 the curve continues."""
    shown = np.asarray(shown, float)
    return np.where(shown <= 0.04045, shown / 12.92, ((np.maximum(shown, 0.0) + 0.055) / 1.055) ** 2.4)


class Surroundings(Struct, frozen=True, dict=True):
    """(3,) light from above and from below, 1 is white."""

    sky: NDArray[np.float64]
    ground: NDArray[np.float64]

    @staticmethod
    def day(horizon: ArrayLike) -> Surroundings:
        """Ambient light of the built-in day, with its colour at the horizon (3,)."""
        above, below = (0.5 * (to_light(colour) + to_light(horizon)) for colour in (_ZENITH, _GROUND))
        return Surroundings(above, below)

    @staticmethod
    def plain(colour: ArrayLike) -> Surroundings:
        """Ambient light of one colour (3,)."""
        light = np.maximum(to_light(colour), _LEAST)
        return Surroundings(light, light)

    @staticmethod
    def of_cube(faces: NDArray[np.uint8]) -> Surroundings:
        """Ambient light of a sky's six square pictures (6, side, side, 3): right, left, above, below, front, back."""
        light = to_light(faces[:, :: max(faces.shape[1] // 32, 1), :: max(faces.shape[1] // 32, 1)] / 255.0)
        sides = light[[0, 1, 4, 5]]
        half = max(sides.shape[1] // 2, 1)
        around = [sides[:, :half].reshape(-1, 3), sides[:, -half:].reshape(-1, 3)]
        faces_too = zip(around, (light[2], light[3]), strict=True)
        above, below = (np.concatenate([part, face.reshape(-1, 3)]).mean(axis=0) for part, face in faces_too)
        return Surroundings(np.maximum(above, _LEAST), np.maximum(below, _LEAST))

    @cached_property
    def scattered(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Light on a matte surface from above and below, as factors of about 1: less coloured than reflections."""
        above, below = (1.0 + _TINT * (part / part.mean() - 1.0) for part in (self.sky, self.ground))
        return _FROM_ABOVE * above, _FROM_BELOW * below
