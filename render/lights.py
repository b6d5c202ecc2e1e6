"""The lights of one picture, packed as the shaders read them, the one that casts shadows first."""

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

MAX_LIGHTS = 8
LIGHT = np.dtype([(name, "f4", 4) for name in ("position", "direction", "attenuation", "ambient", "diffuse", "specular")])
NO_CONE = -2.0

# A model that brings no light gets a warm sun from the left behind the default camera, with a bluish sky.
_SUN = {
    "direction": (0.42, 0.52, -0.9),
    "ambient": (0.14, 0.15, 0.17),
    "diffuse": (0.62, 0.6, 0.56),
    "specular": (0.35, 0.35, 0.33),
}


@dataclass(frozen=True)
class Lights:
    """rows: (n,) LIGHT; positional: bit i set where light i has a place; caster: light 0 casts shadows."""

    rows: NDArray[Any]
    positional: int
    caster: bool

    def __len__(self) -> int:
        return len(self.rows)


def collect(model: MjModel, frame: Frame, view: View, options: RenderOptions) -> Lights:
    """Headlight and active model lights, at most MAX_LIGHTS."""
    own = [i for i in range(min(model.nlight, len(frame.light_xpos))) if model.light_active[i]]
    own = [i for i in own if model.light_type[i] != mjtLightType.mjLIGHT_IMAGE]
    # Directional lights first: their shadow covers the whole scene.
    casters = [i for i in own if model.light_castshadow[i]]
    casters.sort(key=lambda i: model.light_type[i] != mjtLightType.mjLIGHT_DIRECTIONAL)
    if casters:
        own.remove(casters[0])
        own.insert(0, casters[0])
    rows = [_model_light(model, frame, i) for i in own]
    caster = bool(casters)
    if not own and options.default_light:
        rows.append(_sun())
        caster = True
    if model.vis.headlight.active:
        rows.insert(1 if caster else 0, _headlight(model, view, dimmed=not own and options.default_light))
    packed = np.concatenate(rows[:MAX_LIGHTS]) if rows else np.zeros(0, LIGHT)
    positional = sum(1 << i for i, row in enumerate(packed) if row["position"][3] > 0.5)
    return Lights(packed, positional, caster)


def _blank() -> NDArray[Any]:
    row = np.zeros(1, LIGHT)
    row["attenuation"][0, 0] = 1.0
    row["direction"][0] = (0.0, 0.0, -1.0, NO_CONE)
    return row


def _unit(direction: ArrayLike) -> NDArray[np.float64]:
    direction = np.asarray(direction, float)
    length = float(np.linalg.norm(direction))
    return direction / length if length > 1e-12 else np.array([0.0, 0.0, -1.0])


def _model_light(model: MjModel, frame: Frame, i: int) -> NDArray[Any]:
    row = _blank()
    kind = int(model.light_type[i])
    row["position"][0, :3] = frame.light_xpos[i]
    row["direction"][0, :3] = _unit(frame.light_xdir[i])
    if kind != mjtLightType.mjLIGHT_DIRECTIONAL:
        row["position"][0, 3] = 1.0
        row["attenuation"][0, :3] = model.light_attenuation[i]
        if not np.any(row["attenuation"][0, :3]):
            row["attenuation"][0, 0] = 1.0
        if kind == mjtLightType.mjLIGHT_SPOT and model.light_cutoff[i] <= 90.0:
            row["direction"][0, 3] = math.cos(math.radians(float(model.light_cutoff[i])))
            row["attenuation"][0, 3] = model.light_exponent[i]
    for name, source in (("ambient", model.light_ambient), ("diffuse", model.light_diffuse), ("specular", model.light_specular)):
        row[name][0, :3] = source[i]
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
