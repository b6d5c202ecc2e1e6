"""The range of lengths that an actuator can reach: written, taken from limits, or found by pulling at it.

Each actuator is pulled alone, to either side, with the force that accelerates the joints by a given amount, in a model
without gravity, contacts, springs, dampers and friction, whose velocities fade. Where the length settles is an end of
its range. Source: MuJoCo documentation, Computation, Length range; XML reference, compiler/lengthrange.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from tumble.physics.callback.table import CONTROL
from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.options import unsaid
from tumble.physics.compiler.progress import ask
from tumble.physics.errors import ModelError
from tumble.physics.mjcf.spec import Element, Where
from tumble.physics.query.argument_checks import index as existing
from tumble.physics.run.program import bind
from tumble.physics.run.reset import mj_resetData
from tumble.physics.run.room import lacks_room, make_room, take
from tumble.physics.run.stepping import resolve
from tumble.physics.state.arguments import checked, require_kind
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtBias, mjtDisableBit, mjtEq, mjtGain, mjtIntegrator, mjtLRMode, mjtTrn
from tumble.physics.state.model import Model
from tumble.physics.state.structs.struct import described
from tumble.physics.step.pull import pull

_OFF = (mjtDisableBit.mjDSBL_FRICTIONLOSS | mjtDisableBit.mjDSBL_CONTACT | mjtDisableBit.mjDSBL_SPRING
        | mjtDisableBit.mjDSBL_DAMPER | mjtDisableBit.mjDSBL_GRAVITY | mjtDisableBit.mjDSBL_ACTUATION)  # fmt: skip
_MOST_STEPS = 1_000_000
_AT_ONCE = 20  # steps between two questions whether the load goes on
_FASTEST = 0.01  # shortest time [s] in which velocities fade


class MjLROpt(Struct):
    """Options for the computation of length ranges, from compiler/lengthrange; mj_defaultLROpt sets their defaults.

    mode: for which actuators (mjtLRMode); accel: that pulling gives the joints [1/s^2 or m/s^2]; maxforce [N], 0: any;
    timeconst, timestep, inttotal, interval [s]; tolrange: part of the range by which the length may still move at its end.
    """

    mode: int = 0
    useexisting: int = 0
    uselimit: int = 0
    accel: float = 0.0
    maxforce: float = 0.0
    timeconst: float = 0.0
    timestep: float = 0.0
    inttotal: float = 0.0
    interval: float = 0.0
    tolrange: float = 0.0

    def __repr__(self) -> str:
        return described(type(self).__name__, self, self.__struct_fields__)


_MODES = ("none", "muscle", "muscleuser", "all")  # by mjtLRMode


def mj_defaultLROpt(opt: MjLROpt) -> None:
    """Give the options the values that hold where a file says nothing of them."""
    require_kind(opt, MjLROpt, "opt", "an MjLROpt")
    read_options(unsaid("compiler/lengthrange"), opt)


@checked
def mj_setLengthRange(m: Model, d: Data, index: int, opt: MjLROpt) -> None:
    """Write m.actuator_lengthrange of an actuator, where opt.mode asks for it, by pulling at it in a simulation.

    The model is simulated as it is, with its gravity, contacts and time step, unlike when a model is loaded. d: its data,
    which are reset and used. Raises ModelError, and leaves the range, for an actuator that has none, and for wrong options.
    """
    require_kind(opt, MjLROpt, "opt", "an MjLROpt")
    i = existing(index, "actuator", m.nu)
    if _is_wanted(m, i, opt) and not _take(m, i, opt):
        for problem in _problems(opt):
            raise ModelError(problem)
        mj_resetData(m, d)
        try:
            m.actuator_lengthrange[i] = _range(m, d, i, opt)
        except _NoRange as problem:
            raise ModelError(f"actuator {i} {problem}") from None


def fill_length_ranges(draft: Draft, m: Model) -> None:
    """Write actuator_lengthrange where the settings ask for it. Raises MjcfError for one that has no ends."""
    asked = [child for section in draft.root.all("compiler") for child in section.all("lengthrange")]
    element, opt = asked[-1] if asked else unsaid("compiler/lengthrange"), MjLROpt()
    read_options(element, opt)
    todo = [i for i in range(m.nu) if _is_wanted(m, i, opt) and not _take(m, i, opt)]
    if not todo:
        return
    for problem in _problems(opt):
        raise element.error(problem)
    try:
        _simulate(m, Data(m), todo, opt)
    except _NoRange as problem:
        raise draft.actuators[problem.actuator].error(f"{problem}: give it a lengthrange{problem.remedy}") from None


class _NoRange(Exception):
    """Why an actuator has no range of lengths; remedy: what helps, besides writing one."""

    def __init__(self, actuator: int, what: str, remedy: str = "") -> None:
        super().__init__(what)
        self.actuator, self.remedy = actuator, remedy


def read_options(element: Element, opt: MjLROpt) -> None:
    """Write what a <lengthrange> says into options."""
    for name in opt.__struct_fields__:
        value = element.get(name)
        setattr(opt, name, _MODES.index(value) if name == "mode" else int(value) if isinstance(value, bool) else value)


def section_of(opt: MjLROpt, where: Where) -> Element:
    """The <lengthrange> with the values of options: the inverse of `read_options`."""
    element = unsaid("compiler/lengthrange", where)
    for name, default in element.schema_defaults.items():
        value = getattr(opt, name)
        element.attributes[name] = _MODES[int(value)] if name == "mode" else bool(value) if isinstance(default, bool) else value
    element.given = frozenset(element.attributes)
    return element


def _problems(opt: MjLROpt) -> list[str]:
    """Messages for invalid options; empty if valid."""
    found = [f"{name} must be positive, is {getattr(opt, name):g}"
             for name in ("accel", "timestep", "inttotal", "interval", "tolrange") if not getattr(opt, name) > 0]  # fmt: skip
    found += [f"{name} must not be negative, is {getattr(opt, name):g}"
              for name in ("maxforce", "timeconst") if not getattr(opt, name) >= 0]  # fmt: skip
    if not found and opt.inttotal > _MOST_STEPS * opt.timestep:
        found.append(f"asks for more than {_MOST_STEPS} steps: inttotal by timestep")
    return found


def _is_wanted(m: Model, i: int, opt: MjLROpt) -> bool:
    muscle = m.actuator_gaintype[i] == mjtGain.mjGAIN_MUSCLE or m.actuator_biastype[i] == mjtBias.mjBIAS_MUSCLE
    user = m.actuator_gaintype[i] == mjtGain.mjGAIN_USER or m.actuator_biastype[i] == mjtBias.mjBIAS_USER
    return bool((False, muscle, muscle or user, True)[mjtLRMode(opt.mode)])


def _take(m: Model, i: int, opt: MjLROpt) -> bool:
    """True if the range of actuator i is known, from the file or, taken over here, from its joint or tendon."""
    if opt.useexisting and m.actuator_lengthrange[i, 0] < m.actuator_lengthrange[i, 1]:
        return True
    kind, target = m.actuator_trntype[i], m.actuator_trnid[i, 0]
    if not opt.uselimit or kind not in (mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT, mjtTrn.mjTRN_TENDON):
        return False
    limited, bounds = (
        (m.tendon_limited, m.tendon_range) if kind == mjtTrn.mjTRN_TENDON else (m.jnt_limited, m.jnt_range)
    )
    if limited[target]:
        m.actuator_lengthrange[i] = np.sort(m.actuator_gear[i, 0] * bounds[target])
    return bool(limited[target])


def _simulate(m: Model, d: Data, todo: list[int], opt: MjLROpt) -> None:
    """Find the ranges of these actuators by pulling at each, with options that are put back afterwards. Raises _NoRange."""
    timestep, flags, points = m.opt.timestep, m.opt.disableflags, m.tendon_num.copy()
    m.opt.timestep, m.opt.disableflags = opt.timestep, int(_OFF)
    drawn, felt = m._arrays["tendon_num"], _felt_tendons(m)
    try:
        for i in todo:
            ask()
            drawn[:] = np.where(felt, points, 0)
            if m.actuator_trntype[i] == mjtTrn.mjTRN_TENDON:
                t = m.actuator_trnid[i, 0]
                drawn[t] = points[t]
            m.actuator_lengthrange[i] = _range(m, d, i, opt)
    finally:
        m.opt.timestep, m.opt.disableflags, drawn[:] = timestep, flags, points


def _felt_tendons(m: Model) -> np.ndarray:
    """Mask (ntendon,) of tendons that affect the joints' motion without springs, damping, friction and actuators.

    The others need no path: of hundreds of muscles, each on its own tendon, one is pulled at a time.
    """
    if CONTROL.address:  # a callback may read them all
        return np.ones(m.ntendon, bool)
    felt = (m.tendon_limited != 0) | (m.tendon_armature > 0)
    coupled = np.concatenate([m.eq_obj1id, m.eq_obj2id])[np.tile(m.eq_type == mjtEq.mjEQ_TENDON, 2)]
    felt[coupled[coupled >= 0]] = True
    return felt


def _range(m: Model, d: Data, i: int, opt: MjLROpt) -> tuple[float, float]:
    integrator = m.opt.integrator
    if integrator == mjtIntegrator.mjINT_RK4:  # the force that pulls is that of a whole step
        m.opt.integrator = mjtIntegrator.mjINT_EULER
    try:
        seen = [_pull(m, d, i, side, opt) for side in (-1.0, 1.0)]
    finally:
        m.opt.integrator = integrator
    low, high = seen[0][0], seen[1][1]
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise _NoRange(i, "reaches no range of lengths when it is pulled at")
    for first, last in seen:
        if last - first > opt.tolrange * (high - low):
            raise _NoRange(i, f"comes to no rest when it is pulled at (it goes from {first:g} to {last:g})",
                           ", or the joints that it moves a range")  # fmt: skip
    return low, high


def _pull(m: Model, d: Data, i: int, side: float, opt: MjLROpt) -> tuple[float, float]:
    """The ends of the lengths of actuator i in the last part of a simulation in which it is shortened (-1) or lengthened (1)."""
    fade = math.exp(-m.opt.timestep / max(_FASTEST, opt.timeconst))
    ends = np.array([math.inf, -math.inf])
    d.time, d.qpos, d.qvel, d.qacc_warmstart = 0.0, m.qpos0, 0.0, 0.0
    how = i, side * opt.accel, opt.maxforce, fade, opt.inttotal - opt.interval, opt.inttotal, ends.ctypes.data
    take(m, d)
    try:
        d.form = bind(m).form
        while d.time < opt.inttotal:
            ask()
            began, d.inner.steps = d.time, _AT_ONCE
            pull.on(m, d, *how)
            short = lacks_room(d)
            if d.trouble or not (short or d.time > began):  # it would be reset, and for ever
                resolve(m, d)
                raise _NoRange(i, "makes the simulation diverge when it is pulled at")
            if short:
                make_room(m, d)
    finally:
        d.give()
    return float(ends[0]), float(ends[1])
