"""The lights of one picture, packed as the shaders read them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from physics import MjModel
from physics.state.enums import mjtLightType
from render.camera import View
from render.frame import Frame
from render.options import RenderOptions
from render.surroundings import to_light

MAX_LIGHTS = 8
# ambient has a fourth number: the radius of the bulb [m], of light from far away the tangent of half the angle it comes from.
LIGHT = np.dtype([(name, "f4", 4) for name in ("position", "direction", "attenuation", "ambient", "diffuse", "specular")])
NO_CONE = -2.0
_EXPOSURE = 2.0  # of lamps in the physical look
_MOST_SHINE = 0.5  # of a lamp's specular colour, in its diffuse one
_SUN_WIDTH = 0.012  # two and a half times that of the sun, so that edges are seen to be soft

# A model that brings no light gets a warm sun from the left behind the default camera, with a bluish sky.
_SUN = {
    "direction": (0.42, 0.52, -0.9),
    "ambient": (0.14, 0.15, 0.17),
    "diffuse": (0.62, 0.6, 0.56),
    "specular": (0.35, 0.35, 0.33),
}


@dataclass(frozen=True)
class Lights:
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
    """(n,) LIGHT with colours as light, for the physical look: what is lit by one lamp is about as bright as in the classic one.

    The headlight's highlights, brighter than its light by default, would whiten all that faces the eye.
    """
    made = rows.copy()
    shine = np.minimum(rows["specular"], _MOST_SHINE * rows["diffuse"])
    colours = to_light(np.stack([rows["ambient"], rows["diffuse"], shine])[:, :, :3])
    for name, colour, exposure in zip(("ambient", "diffuse", "specular"), colours, (1.0, _EXPOSURE, _EXPOSURE), strict=True):
        made[name][:, :3] = exposure * colour
    return made


def packed(rows: list[NDArray[Any]], casting: list[bool]) -> Lights:
    """Lights (1,) LIGHT each, and which of them cast shadows; those that are too many are left out."""
    some = np.concatenate(rows[:MAX_LIGHTS]) if rows else np.zeros(0, LIGHT)
    positional = sum(1 << i for i, row in enumerate(some) if row["position"][3] > 0.5)
    return Lights(some, positional, sum(1 << i for i, casts in enumerate(casting[:MAX_LIGHTS]) if casts))


def _blank() -> NDArray[Any]:
    row = np.zeros(1, LIGHT)
    row["attenuation"][0, 0] = 1.0
    row["direction"][0] = (0.0, 0.0, -1.0, NO_CONE)
    row["ambient"][0, 3] = _SUN_WIDTH
    return row


def _unit(direction: ArrayLike) -> NDArray[np.float64]:
    direction = np.asarray(direction, float)
    length = float(np.linalg.norm(direction))
    return direction / length if length > 1e-12 else np.array([0.0, 0.0, -1.0])


def _model_light(model: MjModel, frame: Frame, i: int) -> NDArray[Any]:
    shape = model.light_attenuation[i], model.light_cutoff[i], model.light_exponent[i]
    colours = model.light_ambient[i], model.light_diffuse[i], model.light_specular[i]
    row = light_row(int(model.light_type[i]), frame.light_xpos[i], frame.light_xdir[i], shape, colours)
    if row["position"][0, 3] > 0.5:
        row["ambient"][0, 3] = max(float(model.light_bulbradius[i]), 0.0)
    return row


def light_row(
    kind: int, pos: ArrayLike, direction: ArrayLike, shape: tuple[Any, Any, Any], colours: tuple[Any, Any, Any]
) -> NDArray[Any]:
    """(1,) LIGHT. kind: mjtLightType; shape: attenuation (3,), cutoff [deg], exponent; colours: ambient, diffuse, specular."""
    attenuation, cutoff, exponent = shape
    row = _blank()
    row["position"][0, :3] = pos
    row["direction"][0, :3] = _unit(direction)
    if kind != mjtLightType.mjLIGHT_DIRECTIONAL:
        row["position"][0, 3] = 1.0
        row["attenuation"][0, :3] = attenuation
        if not np.any(row["attenuation"][0, :3]):
            row["attenuation"][0, 0] = 1.0
        if kind == mjtLightType.mjLIGHT_SPOT and cutoff <= 90.0:
            row["direction"][0, 3] = math.cos(math.radians(float(cutoff)))
            row["attenuation"][0, 3] = exponent
    for name, colour in zip(("ambient", "diffuse", "specular"), colours, strict=True):
        row[name][0, :3] = colour
    return row


def _headlight(model: MjModel, view: View, *, dimmed: bool) -> NDArray[Any]:
    row = _blank()
    light = model.vis.headlight
    row["position"][0, :3] = view.eye
    row["direction"][0, :3] = view.forward
    row["ambient"][0, :3], row["diffuse"][0, :3], row["specular"][0, :3] = light.ambient, light.diffuse, light.specular
    if dimmed:
        row["diffuse"] *= 0.6
        row["specular"] *= 0.3
    return row


def _sun() -> NDArray[Any]:
    row = _blank()
    row["direction"][0, :3] = _unit(_SUN["direction"])
    for name in ("ambient", "diffuse", "specular"):
        row[name][0, :3] = _SUN[name]
    return row
