"""The numbers of one contact from which follows why it slips."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.describe.slip import SlipCase
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.mixing import Look, mix
from tumble.app.panels.contacts.state import ContactState
from tumble.physics import ContactMode

if TYPE_CHECKING:
    from tumble.physics import MjModel

PLACES = {"override": "the override", "pair": "the contact pair"}  # what decides friction where no geom does


def slip_case(model: MjModel, look: Look, state: ContactState, k: int, soft: float) -> SlipCase:
    """Forces that decide if contact k slips; soft: its speed of creep for each newton of friction [m/(s N)]."""
    slide = float(state.friction[k, 0]), float(state.friction[k, 1])
    gravity = np.asarray(look(EditPlace("opt.gravity")))
    return SlipCase(
        ContactMode(int(state.mode[k])), float(state.normal[k]), float(state.tangential[k]), slide,
        _whose(model, look, int(state.geom[k, 0]), int(state.geom[k, 1])), float(state.used[k]), float(state.creep[k]),
        _tilt(np.asarray(state.frame[k, 0]), gravity), int(state.dim[k]), look(EditPlace("opt.impratio"))[0],
        look(EditPlace("opt.noslip_iterations"))[0] > 0, soft,
    )  # fmt: skip


def _tilt(normal: np.ndarray, gravity: np.ndarray) -> float:
    """The angle of a surface against level [rad]; 0 without gravity."""
    down = float(np.linalg.norm(gravity))
    return 0.0 if down == 0 else math.acos(min(1.0, abs(float(normal @ gravity)) / down))


def _whose(model: MjModel, look: Look, first: int, second: int) -> str:
    """The geom that the friction comes from, by name; or what else decides."""
    if first < 0 or second < 0:
        return "this contact"
    decided = mix(model, look, first, second).decided
    if decided in PLACES:
        return PLACES[decided]
    rank = [(look(EditPlace("geom_priority", g))[0], look(EditPlace("geom_friction", g))[0]) for g in (first, second)]
    return name_of(model, physics.mjtObj.mjOBJ_GEOM, first if rank[0] > rank[1] else second)
