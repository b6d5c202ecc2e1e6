"""Forces of the surrounding medium, term by term: the laws of physics/dynamics/fluid, evaluated for one moment in Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tumble.physics.algebra.mat3 import load9
from tumble.physics.algebra.vec3 import cross3, load3
from tumble.physics.dynamics.fluid.box import box_faces, box_resistance, box_sides
from tumble.physics.dynamics.fluid.ellipsoid import drag, ellipsoid_volume, inertial_forces, lift, semi_axes, stokes
from tumble.physics.dynamics.fluid.flow import flow_past
from tumble.physics.dynamics.fluid.medium import has_ellipsoids
from tumble.physics.query.balance.terms import Origin, Wrench
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit
from tumble.physics.state.model import Model

NOTHING = np.zeros(3)
PASSIVE_OFF = int(mjtDisableBit.mjDSBL_SPRING) | int(mjtDisableBit.mjDSBL_DAMPER)


def fluid_forces(m: Model, d: Data) -> list[Wrench]:
    """Terms of the medium on all bodies that are awake; their sum is qfrc_fluid. Reads cvel, xipos, geom_xpos, ..."""
    off = int(m.opt.disableflags) & PASSIVE_OFF == PASSIVE_OFF  # then no passive force is computed
    if off or (m.opt.density == 0.0 and m.opt.viscosity == 0.0):
        return []
    result: list[Wrench] = []
    for b in np.asarray(d.body_awake_ind)[1 : int(d.nbody_awake)].tolist():
        if m.body_mass[b] < mjMINVAL:
            continue
        if not has_ellipsoids(m, b):
            result += _on_box(m, d, b)
            continue
        for g in range(int(m.body_geomadr[b]), int(m.body_geomadr[b] + m.body_geomnum[b])):
            if m.geom_fluid[g, 0] != 0.0:
                result += _on_ellipsoid(m, d, b, g)
    return result


def _on_box(m: Model, d: Data, b: int) -> Iterator[Wrench]:
    frame, centre = load9(d.ximat, b), np.array(d.xipos[b])
    w, v = (np.array(x, float) for x in flow_past(m, d, b, frame, load3(d.xipos, b)))
    axes, sides = np.array(frame).reshape(3, 3), box_sides(m, b)
    slide, turn = box_resistance(m, sides)
    face, swept = (np.array(x, float) for x in box_faces(m, sides))
    yield Wrench(Origin.BOX_VISCOSITY, b, b, centre, axes @ (-slide * v), axes @ (-turn * w))
    yield Wrench(Origin.BOX_DRAG, b, b, centre, axes @ (-face * abs(v) * v), axes @ (-swept * abs(w) * w))


def _on_ellipsoid(m: Model, d: Data, b: int, g: int) -> Iterator[Wrench]:
    frame, centre = load9(d.geom_xmat, g), np.array(d.geom_xpos[g])
    w, v = flow_past(m, d, b, frame, load3(d.geom_xpos, g))
    r, axes = semi_axes(m.geom_type[g], load3(m.geom_size, g)), float(m.geom_fluid[g, 0]) * np.array(frame).reshape(3, 3)
    slide, turn = stokes(m, r)
    viscous_torque, viscous_force = -turn * np.array(w), -slide * np.array(v)
    drag_torque, drag_force = (np.array(x) for x in drag(m, g, r, w, v))
    added_torque, added_force = (np.array(x) for x in inertial_forces(m, g, w, v))
    magnus = float(m.geom_fluid[g, 5]) * float(m.opt.density) * ellipsoid_volume(r) * np.array(cross3(w, v))
    parts: tuple[tuple[Origin, Any, Any], ...] = (
        (Origin.ADDED_MASS, added_force, added_torque),
        (Origin.VISCOSITY, viscous_force, viscous_torque),
        (Origin.DRAG, drag_force - viscous_force, drag_torque - viscous_torque),
        (Origin.MAGNUS, magnus, NOTHING),
        (Origin.KUTTA, np.array(lift(m, g, r, w, v)) - magnus, NOTHING),
    )
    for origin, force, torque in parts:
        yield Wrench(origin, g, b, centre, axes @ force, axes @ torque)
