"""From the control of an actuator to the forces on joints, step by step, and its laws at any length, velocity and activation.

    chain = actuator_chain(m, d, i)
    chain.gain * chain.drive + chain.bias, chain.force, chain.joint_force
    law = ActuatorLaw(m, i)
    [law.force(chain.drive, length, chain.velocity) for length in lengths]

The laws are those of the step (dynamics/actuator), called as plain Python on the numbers of one actuator. The rest is read from
the results that the data hold: those of mj_forward, or of the last step.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.collision.sdf.bind import plugin_texts
from tumble.physics.dynamics.actuator.actuation import (
    activation_rate,
    actuator_output,
    clamp_activation,
    control,
    is_disabled,
    is_usable,
    next_activation,
)
from tumble.physics.query.argument_checks import index
from tumble.physics.query.histories import mj_readCtrl
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtBias, mjtDisableBit, mjtDyn, mjtGain, mjtTrn
from tumble.physics.state.model import Model
from tumble.physics.state.plugins import PID, PID_KI, plugin_number
from tumble.physics.state.stages import Entry

Numbers = NDArray[np.float64]
Integers = NDArray[Any]
_MOST_KNOWN = 16  # curves by length that a law remembers
_SPARE = 1e-9  # share of a range by which rounding moves a number across its end
_FIELDS = (
    "ctrllimited", "ctrlrange", "actnum", "dyntype", "dynprm", "actlimited", "actrange", "actearly", "gaintype", "gainprm",
    "biastype", "biasprm", "acc0", "lengthrange", "forcelimited", "forcerange",
)  # fmt: skip


class ActuatorLaw:
    """The laws of one actuator, at any control, activation, length and velocity.

    Gains of the user's functions count as 1, their biases as 0. Of a PID controller, the term of the integral is `kept`.
    """

    def __init__(self, m: Model, i: int) -> None:
        fields: dict[str, Any] = {}
        for name in _FIELDS:
            fields[f"actuator_{name}"] = [np.asarray(getattr(m, f"actuator_{name}")[i]).tolist()]
        for name in ("ctrlrange", "dynprm", "actrange", "gainprm", "biasprm", "lengthrange", "forcerange"):
            fields[f"actuator_{name}"] = _FirstRow(fields[f"actuator_{name}"][0])
        plugin = int(m.actuator_plugin[i])
        values = pid_values(m, plugin) if plugin >= 0 else []
        self._m = SimpleNamespace(
            **fields, actuator_plugin=[min(plugin, 0)], plugin=[plugin_number(PID.name)], plugin_prm=_FirstRow(values),
            actuator_actadr=[0], nhistory=0, opt_timestep=float(m.opt.timestep), stage=[0] * len(Entry),
            opt_disableflags=int(m.opt.disableflags),
        )  # fmt: skip
        count = int(m.actuator_actnum[i])
        self._d = SimpleNamespace(
            ctrl=[0.0], act=[0.0] * max(count, 1), act_dot=[0.0] * max(count, 1), actuator_length=[0.0], actuator_velocity=[0.0],
            actuator_force=[0.0], failed=0, time=0.0,
        )  # fmt: skip
        self._plain = SimpleNamespace(**{**self._m.__dict__, "actuator_actnum": [0], "actuator_ctrllimited": [False]})
        self._free = SimpleNamespace(**{**self._m.__dict__, "actuator_actlimited": [False]})
        self._last = max(count - 1, 0)
        self.kept = 0.0
        self._known: dict[tuple[float, float, float, float], Numbers] = {}

    def clamped(self, ctrl: float) -> float:
        """The control as the actuator sees it; zero for one that is not usable."""
        self._d.ctrl[0] = ctrl
        return float(control(self._m, self._d, 0, is_usable(self._m, self._d, 0)))

    def rate(self, ctrl: float, act: float) -> float:
        """Rate of the activation [1/s]; 0 without one."""
        self._d.ctrl[0], self._d.act[self._last], self._d.act_dot[self._last] = ctrl, act, 0.0
        activation_rate(self._m, self._d, 0, is_usable(self._m, self._d, 0))
        return float(self._d.act_dot[self._last])

    def next(self, ctrl: float, act: float) -> tuple[float, bool]:
        """The activation a step later, and whether its range has clamped it."""
        self.rate(ctrl, act)
        free = next_activation(self._free, self._d, 0, self._last)
        there = clamp_activation(self._m, 0, free)
        return float(there), there != free

    def response(self, ctrl: float, act: float, times: Numbers) -> Numbers:
        """Activation at `times` (n,) [s] from now, evenly apart, if the control stays."""
        found = [act]
        for _ in times[1:]:
            h = times[1] - times[0]
            half = found[-1] + 0.5 * h * self.rate(ctrl, found[-1])  # midpoint rule
            found.append(float(clamp_activation(self._m, 0, found[-1] + h * self.rate(ctrl, half))))
        return np.array(found)

    def force(self, drive: float, length: float, velocity: float) -> float:
        """Force before its clamp [N or N m]. drive: control or activation; length [m or rad], velocity: of the transmission."""
        d = self._d
        d.ctrl[0], d.actuator_length[0], d.actuator_velocity[0] = drive, length, velocity
        actuator_output(self._plain, d, 0, True)
        return float(d.actuator_force[0]) + self.kept

    def by_length(self, drive: float, lengths: Numbers, velocity: float) -> Numbers:
        """Forces at `lengths` (n,) [N or N m]; those at the same ones as before are remembered."""
        key = drive, float(lengths[0]), float(lengths[-1]), velocity
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = np.array([self.force(drive, length, velocity) for length in lengths.tolist()])
        return self._known[key]

    def limited(self, force: float) -> float:
        """The force in its range."""
        if not self._m.actuator_forcelimited[0]:
            return force
        low, high = self._m.actuator_forcerange[0, 0], self._m.actuator_forcerange[0, 1]
        return min(max(force, low), high)


def pid_values(m: Model, instance: int) -> list[float]:
    """The attributes of a PID controller, as numbers."""
    return PID.values(plugin_texts(m, instance, PID.attributes)).tolist()


def own_activation(m: Model, i: int) -> int:
    """The activation that the force of an actuator follows, -1 if it follows its control."""
    if not m.actuator_actnum[i] or (m.actuator_plugin[i] >= 0 and m.actuator_dyntype[i] == mjtDyn.mjDYN_NONE):
        return -1
    return int(m.actuator_actadr[i] + m.actuator_actnum[i]) - 1


class _FirstRow:
    """A row of numbers with the index [0, k], faster than an array's."""

    def __init__(self, row: list[float]) -> None:
        self._row = row

    def __getitem__(self, key: tuple[int, int]) -> float:
        return self._row[key[1]]


class ActuatorChain(Struct, frozen=True, eq=False):
    """An actuator at one moment. ctrl: of the user; arrived: after the delay; clamped: to ctrlrange.

    act, rate [1/s], act_next: activation, nan without one; drive: what the gain multiplies; gain, bias: force = gain * drive +
    bias; wanted: that [N or N m]; force: of the step, after its clamps; length [m or rad], velocity; dofs (k,), arm (k,), and
    joint_force (k,): on each dof [N or N m], before the joint's clamp; joint_clamped (k,): whether that acts.
    held: the names of clamps that act: ctrlrange, actrange, forcerange, tendon; off: why it gives no force, "" if it does.
    """

    ctrl: float
    arrived: float
    clamped: float
    act: float
    rate: float
    act_next: float
    drive: float
    gain: float
    bias: float
    wanted: float
    force: float
    length: float
    velocity: float
    dofs: Integers
    arm: Numbers
    joint_force: Numbers
    joint_clamped: NDArray[np.bool_]
    held: tuple[str, ...]
    off: str


@checked
def actuator_chain(m: Model, d: Data, id: int) -> ActuatorChain:
    """The chain of an actuator, from the control now and the results that the data hold. Raises UnknownIndexError."""
    i = index(id, "actuator", m.nu)
    law = ActuatorLaw(m, i)
    ctrl = float(d.ctrl[i])
    arrived = float(mj_readCtrl(m, d, i, float(d.time), -1))
    clamped = law.clamped(arrived)
    last = own_activation(m, i)
    act = float(d.act[last]) if last >= 0 else math.nan
    rate, act_next, act_held = math.nan, math.nan, False
    if m.actuator_plugin[i] >= 0 and (ki := pid_values(m, int(m.actuator_plugin[i]))[PID_KI]):
        law.kept = ki * float(d.act[m.actuator_actadr[i]])
    if last >= 0:
        rate = law.rate(arrived, act)
        act_next, act_held = law.next(arrived, act)
    drive = clamped if last < 0 else (act_next if m.actuator_actearly[i] else act)
    length, velocity = float(d.actuator_length[i]), float(d.actuator_velocity[i])
    bias = law.force(0.0, length, velocity)
    gain, wanted = law.force(1.0, length, velocity) - bias, law.force(drive, length, velocity)
    force = float(d.actuator_force[i])
    row = slice(int(d.moment_rowadr[i]), int(d.moment_rowadr[i]) + int(d.moment_rownnz[i]))
    dofs, arm = np.array(d.moment_colind[row]), np.array(d.actuator_moment[row])
    off = ""
    if m.opt.disableflags & mjtDisableBit.mjDSBL_ACTUATION:
        off = "actuation is disabled in Options"
    elif is_disabled(SimpleNamespace(actuator_group=m.actuator_group, opt_disableactuator=int(m.opt.disableactuator)), i):
        off = f"group {int(m.actuator_group[i])} is switched off"
    held = [name for name, acts in (
        ("ctrlrange", clamped != arrived), ("actrange", act_held), ("forcerange", law.limited(wanted) != wanted),
        ("tendon", _tendon_limited(m, d, i)),
    ) if acts]  # fmt: skip
    joint = np.asarray(m.dof_jntid)[dofs]
    ranges = np.asarray(m.jnt_actfrcrange)[joint]
    total = np.asarray(d.qfrc_actuator)[dofs]
    spare = _SPARE * np.ptp(ranges, axis=1)
    at_end = (total <= ranges[:, 0] + spare) | (total >= ranges[:, 1] - spare)
    return ActuatorChain(
        ctrl, arrived, clamped, act, rate, act_next, drive, gain, bias, wanted, force, length, velocity, dofs, arm, arm * force,
        np.asarray(m.jnt_actfrclimited)[joint].astype(bool) & at_end, tuple(held), off,
    )  # fmt: skip


def _tendon_limited(m: Model, d: Data, i: int) -> bool:
    """True if the forces of all actuators on its tendon together are at the end of the tendon's actfrcrange."""
    if int(m.actuator_trntype[i]) != mjtTrn.mjTRN_TENDON:
        return False
    t = int(m.actuator_trnid[i, 0])
    if not m.tendon_actfrclimited[t]:
        return False
    there = (np.asarray(m.actuator_trntype) == mjtTrn.mjTRN_TENDON) & (np.asarray(m.actuator_trnid)[:, 0] == t)
    total, (low, high) = float(np.asarray(d.actuator_force)[there].sum()), m.tendon_actfrcrange[t]
    spare = _SPARE * float(high - low)
    return total <= low + spare or total >= high - spare


class Sticking(Struct, frozen=True, eq=False):
    """Contacts at which a body is pulled by adhesion.

    contact (n,): numbers; point (n, 3) [m]; force (n, 3): on the body of the second geom [N].
    """

    contact: Integers
    point: Numbers
    force: Numbers


@checked
def adhesion_contacts(m: Model, d: Data, id: int) -> Sticking:
    """The force of an actuator on a body, by contact: the same at each. Raises UnknownIndexError."""
    i = index(id, "actuator", m.nu)
    geom = np.asarray(d.contact_geom)[: int(d.ncon)]
    body = np.where(geom >= 0, np.asarray(m.geom_bodyid)[geom], -1)
    of_it = (body == int(m.actuator_trnid[i, 0])).any(axis=1) & (geom >= 0).all(axis=1)
    number = np.flatnonzero(of_it & (np.asarray(d.contact_exclude)[: int(d.ncon)] <= 1))
    normal = np.asarray(d.contact_frame)[number].reshape(-1, 9)[:, :3]
    share = float(d.actuator_force[i]) / max(len(number), 1)
    return Sticking(number, np.array(np.asarray(d.contact_pos)[number]), -share * normal)


class Crank(Struct, frozen=True, eq=False):
    """A slider-crank in the world. crank, slider, rod_end (3,): points [m]; axis (3,): of the slider; rod: its length [m].

    reaches: whether the rod is long enough to reach the slider's axis.
    """

    crank: Numbers
    slider: Numbers
    axis: Numbers
    rod_end: Numbers
    rod: float
    reaches: bool


@checked
def slider_crank(m: Model, d: Data, id: int) -> Crank:
    """Places of the parts of a slider-crank. Raises UnknownIndexError."""
    i = index(id, "actuator", m.nu)
    crank, slider = (np.array(d.site_xpos[int(m.actuator_trnid[i, k])]) for k in (0, 1))
    axis = np.array(d.site_xmat[int(m.actuator_trnid[i, 1])]).reshape(3, 3)[:, 2]
    rod, gear = float(m.actuator_cranklength[i]), float(m.actuator_gear[i, 0])
    along = float(d.actuator_length[i]) / gear if gear else 0.0
    away = np.linalg.norm((crank - slider) - axis * ((crank - slider) @ axis))
    return Crank(crank, slider, axis, slider + along * axis, rod, bool(away <= rod))


def past_controls(m: Model, d: Data, i: int, count: int = 41) -> tuple[Numbers, Numbers]:
    """Times (n,) before now, at most 0 [s], and the control at each (n,), of an actuator with a history; empty without one."""
    samples = int(m.actuator_history[i, 0])
    if samples <= 0:
        return np.zeros(0), np.zeros(0)
    delay, now = float(m.actuator_delay[i]), float(d.time)
    times = np.linspace(-max(samples * float(m.opt.timestep), delay), 0.0, count)
    return times, np.array([mj_readCtrl(m, d, i, now + t + delay, -1) for t in times.tolist()])


def length_range_words(m: Model, i: int) -> str:
    """Origin of the length range of an actuator, as far as the model shows it; "" without one."""
    low, high = (float(x) for x in m.actuator_lengthrange[i])
    if low >= high:
        return ""
    target, gear = int(m.actuator_trnid[i, 0]), float(m.actuator_gear[i, 0])
    kind = int(m.actuator_trntype[i])
    limited, bounds, name = (
        (m.tendon_limited, m.tendon_range, "tendon") if kind == mjtTrn.mjTRN_TENDON else (m.jnt_limited, m.jnt_range, "joint")
    )
    of_limits = kind in (mjtTrn.mjTRN_TENDON, mjtTrn.mjTRN_JOINT, mjtTrn.mjTRN_JOINTINPARENT) and limited[target]
    if of_limits and np.allclose(np.sort(gear * np.asarray(bounds[target])), (low, high), rtol=1e-12, atol=0.0):
        return f"the limits of its {name}"
    return "given in the file, or found by pulling it both ways when the model was compiled"


def is_muscle(m: Model, i: int) -> bool:
    """True if its gain is that of a muscle."""
    return int(m.actuator_gaintype[i]) == mjtGain.mjGAIN_MUSCLE


def is_servo(m: Model, i: int) -> bool:
    """True if it pulls its length toward the control: a fixed gain, and a bias that falls with the length."""
    fixed = int(m.actuator_gaintype[i]) == mjtGain.mjGAIN_FIXED and int(m.actuator_biastype[i]) == mjtBias.mjBIAS_AFFINE
    return fixed and float(m.actuator_biasprm[i, 1]) < 0 < float(m.actuator_gainprm[i, 0])


def time_constants(m: Model, i: int) -> tuple[float, ...]:
    """Time constants of its activation [s]: one of a filter, rise and fall of a muscle; none otherwise."""
    kind = int(m.actuator_dyntype[i])
    if kind in (mjtDyn.mjDYN_FILTER, mjtDyn.mjDYN_FILTEREXACT):
        return (float(m.actuator_dynprm[i, 0]),)
    return tuple(float(x) for x in m.actuator_dynprm[i, :2]) if kind == mjtDyn.mjDYN_MUSCLE else ()
