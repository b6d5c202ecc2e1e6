"""The range of lengths that an actuator can reach: written, taken from limits, or found by pulling at it.

Each actuator is pulled alone, to either side, with the force that accelerates the joints by a given amount, in a model
without gravity, contacts, springs, dampers and friction, whose velocities fade. Where the length settles is an end of
its range. Source: MuJoCo documentation, Computation, Length range; XML reference, compiler/lengthrange.
"""

from __future__ import annotations

import math

import numpy as np

from physics.compiler.draft import Draft
from physics.dynamics.solve_work import solve_work
from physics.mjcf.schema import find
from physics.mjcf.spec import Element
from physics.run.stepping import mj_step1, mj_step2
from physics.state.constants import mjMINVAL
from physics.state.data import Data
from physics.state.enums import mjtBias, mjtDisableBit, mjtGain, mjtTrn
from physics.state.model import Model

_OFF = (mjtDisableBit.mjDSBL_FRICTIONLOSS | mjtDisableBit.mjDSBL_CONTACT | mjtDisableBit.mjDSBL_SPRING
        | mjtDisableBit.mjDSBL_DAMPER | mjtDisableBit.mjDSBL_GRAVITY | mjtDisableBit.mjDSBL_ACTUATION)  # fmt: skip
_MOST_STEPS = 1_000_000
_FASTEST = 0.01  # shortest time [s] in which velocities fade


def fill_length_ranges(draft: Draft, m: Model) -> None:
    """Write actuator_lengthrange where the settings ask for it. Raises MjcfError for one that has no ends."""
    asked = [child for section in draft.root.all("compiler") for child in section.all("lengthrange")]
    rule = Element("lengthrange", draft.root.where, schema_defaults=find("compiler/lengthrange").schema_defaults)
    element = asked[-1] if asked else rule
    todo = [i for i in range(m.nu) if _is_wanted(m, i, element) and not _take(m, i, element)]
    if todo:
        _check(element)
        _simulate(draft, m, todo, element)


def _check(element: Element) -> None:
    for name in ("accel", "timestep", "inttotal", "interval", "tolrange"):
        if element.get(name) <= 0:
            raise element.error(f"{name} must be positive, is {element.get(name):g}")
    for name in ("maxforce", "timeconst"):
        if element.get(name) < 0:
            raise element.error(f"{name} must not be negative, is {element.get(name):g}")
    if element.get("inttotal") > _MOST_STEPS * element.get("timestep"):
        raise element.error(f"asks for more than {_MOST_STEPS} steps: inttotal by timestep")


def _is_wanted(m: Model, i: int, element: Element) -> bool:
    muscle = m.actuator_gaintype[i] == mjtGain.mjGAIN_MUSCLE or m.actuator_biastype[i] == mjtBias.mjBIAS_MUSCLE
    user = m.actuator_gaintype[i] == mjtGain.mjGAIN_USER or m.actuator_biastype[i] == mjtBias.mjBIAS_USER
    return bool({"none": False, "muscle": muscle, "muscleuser": muscle or user, "all": True}[element.get("mode")])


def _take(m: Model, i: int, element: Element) -> bool:
    """Whether the range of actuator i is known, from the file or, taken over here, from its joint or tendon."""
    if element.get("useexisting") and m.actuator_lengthrange[i, 0] < m.actuator_lengthrange[i, 1]:
        return True
    kind, target = m.actuator_trntype[i], m.actuator_trnid[i, 0]
    if not element.get("uselimit") or kind not in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT, mjtTrn.mjTRN_TENDON):
        return False
    limited, bounds = (
        (m.tendon_limited, m.tendon_range) if kind == mjtTrn.mjTRN_TENDON else (m.jnt_limited, m.jnt_range)
    )
    if limited[target]:
        m.actuator_lengthrange[i] = np.sort(m.actuator_gear[i, 0] * bounds[target])
    return bool(limited[target])


def _simulate(draft: Draft, m: Model, todo: list[int], element: Element) -> None:
    """Find the ranges of these actuators by pulling at each, with options that are put back afterwards."""
    timestep, flags = m.opt.timestep, m.opt.disableflags
    m.opt.timestep, m.opt.disableflags = element.get("timestep"), int(_OFF)
    try:
        d = Data(m)
        for i in todo:
            m.actuator_lengthrange[i] = _range(draft, m, d, i, element)
    finally:
        m.opt.timestep, m.opt.disableflags = timestep, flags


def _range(draft: Draft, m: Model, d: Data, i: int, element: Element) -> tuple[float, float]:
    seen = [_pull(m, d, i, side, element) for side in (-1.0, 1.0)]
    low, high = seen[0].min(), seen[1].max()
    actuator = draft.actuators[i]
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise actuator.error("reaches no range of lengths when it is pulled at: give it a lengthrange")
    for lengths in seen:
        if np.ptp(lengths) > element.get("tolrange") * (high - low):
            raise actuator.error(f"comes to no rest when it is pulled at (it goes from {lengths.min():g} to {lengths.max():g}): "
                                 "give it a lengthrange, or the joints that it moves a range")  # fmt: skip
    return float(low), float(high)


def _pull(m: Model, d: Data, i: int, side: float, element: Element) -> np.ndarray:
    """The lengths of actuator i in the last part of a simulation in which it is shortened (-1) or lengthened (1)."""
    h, most = m.opt.timestep, element.get("maxforce")
    fade = math.exp(-h / max(_FASTEST, element.get("timeconst")))
    total, kept = element.get("inttotal"), []
    d.time, d.qpos, d.qacc_warmstart = 0.0, m.qpos0, 0.0
    d.qvel = 0.0
    work = d._arrays["work_dof"]
    while d.time < total:
        d.qvel *= fade
        mj_step1(m, d)
        row = slice(d.moment_rowadr[i], d.moment_rowadr[i] + d.moment_rownnz[i])
        columns, arms = d.moment_colind[row], d.actuator_moment[row]
        work[:] = 0.0
        work[columns] = arms
        solve_work(m, d)
        force = element.get("accel") / max(mjMINVAL, float(np.linalg.norm(work)))
        force = min(force, most) if most > 0 else force
        d.qfrc_applied = 0.0
        d.qfrc_applied[columns] = side * force * arms
        mj_step2(m, d)
        if d.time > total - element.get("interval"):
            kept.append(d.actuator_length[i])
    return np.array(kept if kept else [math.nan])
