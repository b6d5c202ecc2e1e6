"""Names, units and ranges of a model's actuators and joints, in plain Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics
from tumble.app.base.keys_in_text import with_keys
from tumble.app.describe.numbers import TIMES
from tumble.physics.observe.soft_strain import flex_of_body

if TYPE_CHECKING:
    from tumble.physics import MjModel

# Slider ranges where the model gives none, as in `simulate`: controls in -1..1, hinges in -pi..pi, slides in -1..1.
FREE_CTRL = (-1.0, 1.0)
MUSCLE_CTRL = (0.0, 1.0)  # excitation: what is beyond has the effect of the nearer end
FREE_HINGE = (-math.pi, math.pi)
FREE_SLIDE = (-1.0, 1.0)


class ActuatorInfo(Struct, frozen=True):
    """An actuator as its slider shows it. low, high: range of the control; limited: whether the model gives it.

    delayed: it sees its control later.
    """

    index: int
    name: str
    unit: str
    low: float
    high: float
    limited: bool
    delayed: bool = False


class JointInfo(Struct, frozen=True):
    """A hinge or slide joint as its slider shows it; qpos_adr: its place in qpos."""

    index: int
    name: str
    unit: str
    low: float
    high: float
    limited: bool
    qpos_adr: int

    @property
    def wraps(self) -> bool:
        """True for a hinge without limits: its angle is shown within one turn, full turns next to its name."""
        return self.unit == "rad" and not self.limited


def name_of(model: MjModel, kind: physics.mjtObj, index: int) -> str:
    """The name of an object, or its kind and number if it has none."""
    name = physics.mj_id2name(model, kind, index)
    return name if name else f"{kind.name.removeprefix('mjOBJ_').lower()} {index}"


def kind_names(kinds: Iterable[IntEnum]) -> tuple[str, ...]:
    """Words of an enumeration of the engine, as badqpos for mjWARN_BADQPOS, without that of its size."""
    return tuple(kind.name.partition("_")[2].lower() for kind in kinds if not kind.name.startswith("mjN"))


def without_common_words(names: Sequence[str]) -> list[str]:
    """Names without the words that all begin or end with: hip and knee of left_hip_joint and left_knee_joint."""
    words = [name.split("_") for name in names]
    spare = min((len(parts) for parts in words), default=0) - 1  # a word is left of each
    if len(names) < 2 or spare < 1:
        return list(names)
    end = next((k for k in range(spare) if len({parts[-1 - k] for parts in words}) > 1), spare)
    begin = next((k for k in range(spare - end) if len({parts[k] for parts in words}) > 1), spare - end)
    return ["_".join(parts[begin : len(parts) - end]) for parts in words]


def actuators(model: MjModel) -> list[ActuatorInfo]:
    """All actuators, in the order of ctrl."""
    result = []
    for i in range(model.nu):
        limited = bool(model.actuator_ctrllimited[i])
        free = MUSCLE_CTRL if model.actuator_gaintype[i] == physics.mjtGain.mjGAIN_MUSCLE else FREE_CTRL
        low, high = (float(x) for x in model.actuator_ctrlrange[i]) if limited else free
        name = name_of(model, physics.mjtObj.mjOBJ_ACTUATOR, i)
        result.append(ActuatorInfo(i, name, ctrl_unit(model, i), low, high, limited, bool(model.actuator_delay[i] > 0)))
    return result


def joints(model: MjModel) -> list[JointInfo]:
    """Joints of one degree of freedom that are useful alone: not balls and free ones, nor those of vertices of flexes."""
    hinge, slide = int(physics.mjtJoint.mjJNT_HINGE), int(physics.mjtJoint.mjJNT_SLIDE)
    soft = {int(b) for b in (*model.flex_vertbodyid, *model.flex_nodebodyid)} - {-1, 0}
    result = []
    for j in range(model.njnt):
        kind = int(model.jnt_type[j])
        if kind not in (hinge, slide):
            continue
        if int(model.jnt_bodyid[j]) in soft and not physics.mj_id2name(model, physics.mjtObj.mjOBJ_JOINT, j):
            continue
        limited = bool(model.jnt_limited[j])
        free = FREE_HINGE if kind == hinge else FREE_SLIDE
        low, high = (float(x) for x in model.jnt_range[j]) if limited else free
        name = name_of(model, physics.mjtObj.mjOBJ_JOINT, j)
        unit = "rad" if kind == hinge else "m"
        result.append(JointInfo(j, name, unit, low, high, limited, int(model.jnt_qposadr[j])))
    return result


def keyframes(model: MjModel) -> list[str]:
    """The names of the keyframes."""
    return [name_of(model, physics.mjtObj.mjOBJ_KEY, k) for k in range(model.nkey)]


def body_name(model: MjModel, body: int) -> str:
    """The name of a body."""
    return name_of(model, physics.mjtObj.mjOBJ_BODY, body)


_DOF_AXES = {
    int(physics.mjtJoint.mjJNT_FREE): ("x", "y", "z", "rx", "ry", "rz"),
    int(physics.mjtJoint.mjJNT_BALL): ("rx", "ry", "rz"),
}


def dof_names(model: MjModel, dofs: Iterable[int]) -> list[str]:
    """Names of dofs: of their joints, without one of their bodies; with the axis, where a joint has several."""
    result = []
    for i in dofs:
        j = int(model.dof_jntid[i])
        name = physics.mj_id2name(model, physics.mjtObj.mjOBJ_JOINT, j) or body_name(model, int(model.jnt_bodyid[j]))
        axes = _DOF_AXES.get(int(model.jnt_type[j]), ("",))
        result.append(f"{name} {axes[i - int(model.jnt_dofadr[j])]}".rstrip())
    return result


def selected_words(model: MjModel, body: int) -> str:
    """A body that was selected, and how the mouse moves it."""
    name, flex = body_name(model, body), flex_of_body(model, body)
    if flex < 0:
        return with_keys(f"{name}: Ctrl+drag turns it, Ctrl+right drag pulls it")
    return with_keys(f"{name} of the soft body {name_of(model, physics.mjtObj.mjOBJ_FLEX, flex)}: Ctrl+drag pulls it")


def ctrl_unit(model: MjModel, i: int) -> str:
    """The unit of a control, if it follows from the kind of actuator.

    A position servo has the bias -kp x, so its control is a length or angle; a velocity servo has -kv v. A plain
    motor's control times the gear is a force or torque.
    """
    joint_trn = (int(physics.mjtTrn.mjTRN_JOINT), int(physics.mjtTrn.mjTRN_JOINTINPARENT))
    if int(model.actuator_trntype[i]) not in joint_trn:
        return ""
    kind = int(model.jnt_type[model.actuator_trnid[i, 0]])
    if kind == int(physics.mjtJoint.mjJNT_HINGE):
        length, force = "rad", "N·m"
    elif kind == int(physics.mjtJoint.mjJNT_SLIDE):
        length, force = "m", "N"
    else:
        return ""
    if model.actuator_plugin[i] >= 0:  # a PID controller: its control is a length
        return length if float(model.actuator_gear[i, 0]) == 1 else ""
    gain, bias = model.actuator_gainprm[i], model.actuator_biasprm[i]
    if int(model.actuator_gaintype[i]) != int(physics.mjtGain.mjGAIN_FIXED):
        return ""
    gear = float(model.actuator_gear[i, 0])
    if int(model.actuator_biastype[i]) == int(physics.mjtBias.mjBIAS_NONE):
        scale = gear * float(gain[0])
        return force if scale == 1 else f"{TIMES} {scale:g} {force}"
    if int(model.actuator_biastype[i]) == int(physics.mjtBias.mjBIAS_AFFINE) and gear == 1 and gain[0] != 0:
        if math.isclose(bias[1], -gain[0]):
            return length
        if bias[1] == 0 and math.isclose(bias[2], -gain[0]):
            return f"{length}/s"
    return ""


TURN = 2 * math.pi


def split(angle: float) -> tuple[float, int]:
    """An angle [rad] in (-pi, pi], and the whole turns that it is beyond that."""
    turns = math.ceil(angle / TURN - 0.5)
    return angle - TURN * turns, turns


def nearest(angle: float, to: float) -> float:
    """Of the angles [rad] equivalent to one in (-pi, pi] the nearest to another; an angle outside of that is kept."""
    if not -math.pi <= angle <= math.pi:
        return angle
    return angle + TURN * round((to - angle) / TURN)


def turns_text(turns: int) -> str:
    """Whole turns for reading; "" for none."""
    return "" if turns == 0 else f"{turns:+d} turn{'' if abs(turns) == 1 else 's'}"


_WORDS = {
    "body": ("body", "bodies"), "jnt": ("joint", "joints"), "v": ("dof", "dofs"), "geom": ("geom", "geoms"),
    "u": ("actuator", "actuators"),
}  # fmt: skip


def bodies(model: MjModel) -> int:
    """The bodies of a model, without the world."""
    return int(model.nbody) - 1


def counts(model: MjModel, *kinds: str) -> list[str]:
    """Counts of the given kinds (body, jnt, v, geom, u) as text: "1 body", "23 joints"."""
    numbers = [bodies(model) if kind == "body" else int(getattr(model, f"n{kind}")) for kind in kinds]
    return [f"{number} {_WORDS[kind][number != 1]}" for kind, number in zip(kinds, numbers, strict=True)]
