"""The chain of an actuator as boxes of numbers, and its curves. No Qt here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.names import dof_names
from tumble.app.describe.numbers import duration, short
from tumble.app.panels.actuators.actuator_reading import ActuatorReading
from tumble.physics.query.actuator_chain import ActuatorLaw, is_muscle, is_servo, length_range_words, time_constants

if TYPE_CHECKING:
    from tumble.physics import MjModel

Floats = NDArray[np.float64]
POINTS, RESPONSE_POINTS = 41, 25  # of a curve
MOST_DOFS = 4  # whose forces a box names
_KINDS = {
    int(kind): name for kind, name in (
        (physics.mjtTrn.mjTRN_JOINT, "joint"), (physics.mjtTrn.mjTRN_JOINTINPARENT, "joint, in the parent's frame"),
        (physics.mjtTrn.mjTRN_SLIDERCRANK, "slider-crank"), (physics.mjtTrn.mjTRN_TENDON, "tendon"),
        (physics.mjtTrn.mjTRN_SITE, "site"), (physics.mjtTrn.mjTRN_BODY, "contacts of a body"),
    )
}  # fmt: skip
_DYNAMICS = {
    int(kind): name for kind, name in (
        (physics.mjtDyn.mjDYN_INTEGRATOR, "integrator"), (physics.mjtDyn.mjDYN_FILTER, "filter"),
        (physics.mjtDyn.mjDYN_FILTEREXACT, "exact filter"), (physics.mjtDyn.mjDYN_MUSCLE, "muscle"),
        (physics.mjtDyn.mjDYN_USER, "callback"),
    )
}  # fmt: skip


class Box(Struct, frozen=True):
    """A stage of the chain. lines: its numbers; lit: whether its clamp acts; tip: what it does."""

    title: str
    lines: tuple[str, ...]
    lit: bool = False
    tip: str = ""


class ActuatorCurve(Struct, frozen=True, eq=False):
    """A curve with the present point. lines: names and y (n,) over x (n,); at: the point."""

    title: str
    bottom: str
    left: str
    x: Floats
    lines: tuple[tuple[str, Floats], ...]
    at: tuple[float, float]


def _range(low: float, high: float) -> str:
    return f"{short(low)} to {short(high)}"


def boxes_of(model: MjModel, reading: ActuatorReading) -> list[Box]:
    """The stages from the control to the joints."""
    i, chain = reading.index, reading.chain
    if chain is None:
        return []
    control = ["ctrl " + short(chain.ctrl)]
    if model.actuator_delay[i] > 0:
        control += [f"delayed {duration(float(model.actuator_delay[i]))}", f"arrives {short(chain.arrived)}"]
    found = [Box("Control", tuple(control), tip="What a slider, a generator or a controller writes, after its delay")]
    if model.actuator_ctrllimited[i]:
        found.append(Box(
            "Clamp", (_range(*model.actuator_ctrlrange[i]), short(chain.clamped)), "ctrlrange" in chain.held,
            "ctrlrange: lit while it changes the control",
        ))  # fmt: skip
    if not math.isnan(chain.act):
        found.append(_activation(model, reading))
    found.append(Box(
        "Gain and bias", (f"gain {short(chain.gain)}", f"bias {short(chain.bias)}", f"force {short(chain.wanted)}"),
        tip="Force = gain \N{MULTIPLICATION SIGN} control or activation + bias",
    ))  # fmt: skip
    force = [short(chain.force)]
    if model.actuator_forcelimited[i]:
        force.insert(0, _range(*model.actuator_forcerange[i]))
    if "tendon" in chain.held:
        force.append("tendon's actuatorfrcrange")
    if chain.off:
        force.append(chain.off)
    lit = bool({"forcerange", "tendon"} & set(chain.held)) or bool(chain.off)
    found.append(Box("Force", tuple(force), lit, (
        "actuator_force, of the last step: the activation has gone on since. After forcerange and the range of its tendon; lit "
        "while one acts"
    )))  # fmt: skip
    found.append(_transmission(model, reading))
    found.append(_joints(model, reading))
    return found


def _activation(model: MjModel, reading: ActuatorReading) -> Box:
    i, chain = reading.index, reading.chain
    assert chain is not None
    lines = [f"act {short(chain.act)}", f"rate {short(chain.rate)} 1/s"]
    taus = time_constants(model, i)
    if taus:
        lines.append("\N{GREEK SMALL LETTER TAU} " + " up, ".join(map(duration, taus)) + (" down" if len(taus) > 1 else ""))
    if model.actuator_actlimited[i]:
        lines.append(_range(*model.actuator_actrange[i]))
    if model.actuator_actearly[i]:
        lines.append(f"next {short(chain.act_next)} acts")
    kind = _DYNAMICS.get(int(model.actuator_dyntype[i]), "")
    return Box(f"Activation, {kind}", tuple(lines), "actrange" in chain.held, "Lit while actrange stops the activation")


def _transmission(model: MjModel, reading: ActuatorReading) -> Box:
    i, chain = reading.index, reading.chain
    assert chain is not None
    kind = _KINDS.get(int(model.actuator_trntype[i]), "")
    lines = [f"length {short(chain.length)}", f"velocity {short(chain.velocity)}"]
    words = length_range_words(model, i)
    if words:
        lines.append(f"range {_range(*model.actuator_lengthrange[i])}")
    if reading.sticking is not None:
        lines = [f"{len(reading.sticking.contact)} contacts"]
        if len(reading.sticking.contact):
            lines.append(f"each {short(abs(chain.force) / len(reading.sticking.contact))} N")
    if reading.crank is not None and not reading.crank.reaches:
        lines.append("the rod is too short")
    tip = f"Length, velocity and moment arms by the {kind}"
    return Box(f"Transmission, {kind}", tuple(lines), tip=f"{tip}; length range: {words}" if words else tip)


def _joints(model: MjModel, reading: ActuatorReading) -> Box:
    chain = reading.chain
    assert chain is not None
    order = np.argsort(-abs(chain.joint_force), kind="stable")[:MOST_DOFS]
    names = dof_names(model, [int(dof) for dof in chain.dofs[order]])
    lines = [
        f"{name}: {short(chain.arm[k])} \N{RIGHTWARDS ARROW} {short(chain.joint_force[k])}"
        for name, k in zip(names, order, strict=True)
    ]
    if len(chain.dofs) > MOST_DOFS:
        lines.append(f"and {len(chain.dofs) - MOST_DOFS} more")
    tip = "Moment arm, and the force or torque on each dof; lit while the joint's actuatorfrcrange acts"
    return Box("Joint forces", tuple(lines) or ("none",), bool(chain.joint_clamped.any()), tip)


def curves_of(model: MjModel, reading: ActuatorReading, law: ActuatorLaw) -> list[ActuatorCurve]:
    """The curves that tell most about an actuator of its kind, at most three."""
    i, chain = reading.index, reading.chain
    if chain is None:
        return []
    found = []
    if reading.crank is not None:
        found.append(_crank(reading))
    if reading.past is not None and len(reading.past[0]):
        found.append(ActuatorCurve("Delay", "time before now [s]", "control", reading.past[0], (("control", reading.past[1]),),
                           (-float(model.actuator_delay[i]), chain.arrived)))  # fmt: skip
    if is_muscle(model, i):
        found += [_by_length(model, reading, law), _by_velocity(model, reading, law)]
    elif is_servo(model, i):
        found.append(_by_error(model, reading, law))
    if not math.isnan(chain.act):
        found.append(_response(model, reading, law))
    if not is_muscle(model, i):
        found.append(_by_drive(model, reading, law))
    return found[:3]


def _lengths(model: MjModel, reading: ActuatorReading) -> Floats:
    """Lengths about the operating range, and the present one."""
    i, chain = reading.index, reading.chain
    assert chain is not None
    low, high = (float(x) for x in model.actuator_lengthrange[i])
    spare = 0.25 * (high - low)
    return np.linspace(min(low - spare, chain.length), max(high + spare, chain.length), POINTS)


def _by_length(model: MjModel, reading: ActuatorReading, law: ActuatorLaw) -> ActuatorCurve:
    chain = reading.chain
    assert chain is not None
    x = _lengths(model, reading)
    passive, full = law.by_length(0.0, x, 0.0), law.by_length(1.0, x, 0.0)
    total = passive + chain.drive * (law.by_length(1.0, x, chain.velocity) - passive)  # gain times drive, and bias
    lines = ("now", -total), ("passive", -passive), ("all, at rest", -full)
    return ActuatorCurve("Force by length", "length [m]", "pull [N]", x, lines, (chain.length, -chain.wanted))


def _by_velocity(model: MjModel, reading: ActuatorReading, law: ActuatorLaw) -> ActuatorCurve:
    chain = reading.chain
    assert chain is not None
    low, high = (float(x) for x in model.actuator_lengthrange[reading.index])
    prm = model.actuator_gainprm[reading.index]
    fastest = float(prm[6]) * (high - low) / max(float(prm[1] - prm[0]), 1e-12)  # vmax, in optimal lengths a second
    reach = max(1.2 * fastest, abs(chain.velocity), 1e-9)
    x = np.linspace(-reach, reach, POINTS)
    full, passive = np.array([law.force(1.0, chain.length, v) for v in x.tolist()]), law.force(0.0, chain.length, 0.0)
    now = passive + chain.drive * (full - passive)
    lines = ("now", -now), ("all", -full)
    at = chain.velocity, -chain.wanted
    return ActuatorCurve("Force by velocity", "velocity [m/s], shortening below 0", "pull [N]", x, lines, at)


def _by_error(model: MjModel, reading: ActuatorReading, law: ActuatorLaw) -> ActuatorCurve:
    chain = reading.chain
    assert chain is not None
    error = chain.drive - chain.length
    reach = max(2.0 * abs(error), 0.1)
    x = np.linspace(-reach, reach, POINTS)
    free = np.array([law.force(chain.drive, chain.drive - e, chain.velocity) for e in x.tolist()])
    lines = ("clamped", np.array([law.limited(f) for f in free.tolist()])), ("by gain and bias", free)
    return ActuatorCurve("Servo", "error: target less length", "force", x, lines, (error, law.limited(chain.wanted)))


def _response(model: MjModel, reading: ActuatorReading, law: ActuatorLaw) -> ActuatorCurve:
    chain = reading.chain
    assert chain is not None
    taus = time_constants(model, reading.index)
    x = np.linspace(0.0, 5.0 * max(*taus, 1e-6, 0.0) if taus else 1.0, RESPONSE_POINTS)
    y = law.response(chain.arrived, chain.act, x)
    lines = ("activation", y), ("control", np.full(RESPONSE_POINTS, chain.clamped))
    return ActuatorCurve("Activation, if the control stays", "time from now [s]", "activation", x, lines, (0.0, chain.act))


def _by_drive(model: MjModel, reading: ActuatorReading, law: ActuatorLaw) -> ActuatorCurve:
    chain = reading.chain
    assert chain is not None
    i = reading.index
    low, high = (float(x) for x in model.actuator_ctrlrange[i]) if model.actuator_ctrllimited[i] else (-1.0, 1.0)
    x = np.linspace(min(low, chain.drive), max(high, chain.drive), POINTS)
    free = np.array([law.force(u, chain.length, chain.velocity) for u in x.tolist()])
    lines = ("clamped", np.array([law.limited(f) for f in free.tolist()])), ("by gain and bias", free)
    name = "control" if math.isnan(chain.act) else "activation"
    return ActuatorCurve(f"Force by {name}", name, "force", x, lines, (chain.drive, law.limited(chain.wanted)))


def _crank(reading: ActuatorReading) -> ActuatorCurve:
    """The slider's axis across, and the distance from it up: axis, crank and rod."""
    crank = reading.crank
    assert crank is not None
    v = crank.crank - crank.slider
    along = float(v @ crank.axis)
    away = float(np.linalg.norm(v - along * crank.axis))
    end = float((crank.rod_end - crank.slider) @ crank.axis)
    rail = np.array([min(0.0, along, end), max(0.0, along, end)])
    x = np.array([rail[0], rail[1], np.nan, along, end])
    return ActuatorCurve("Slider-crank", "along the slider's axis [m]", "from the axis [m]", x,
                 (("rod and axis", np.array([0.0, 0.0, np.nan, away, 0.0])),), (end, 0.0))  # fmt: skip
