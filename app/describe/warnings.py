"""The engine's warnings in words: event, element and time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.describe.numbers import moment

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

_OTHERS = {
    "mjWARN_INERTIA": "inertia matrix is singular at dof {}", "mjWARN_CONTACTFULL": "too many contacts ({})",
    "mjWARN_CNSTRFULL": "too many constraint rows ({})",
}  # fmt: skip
_BAD_STATE = {"mjWARN_BADQPOS": "position", "mjWARN_BADQVEL": "velocity", "mjWARN_BADQACC": "acceleration"}


def describe(model: MjModel, kind: int, info: int, time: float) -> str:
    """One line for a warning of kind `mjtWarning` with the detail `info`, seen at the simulated `time` [s]."""
    name = physics.mjtWarning(kind).name
    if name in _BAD_STATE:
        what = f"{bad_state(model, kind, info)}; the state was reset"
    elif name == "mjWARN_BADCTRL":
        actuator = name_of(model, physics.mjtObj.mjOBJ_ACTUATOR, info) if 0 <= info < model.nu else f"actuator {info}"
        what = f"control of {actuator} is huge or not a number; all controls count as zero"
    else:
        what = _OTHERS.get(name, f"{name} ({{}})").format(info)
    return f"{moment(time)}: {what}"


def counted(model: MjModel, data: MjData, time: float) -> list[tuple[int, int, str]]:
    """The engine's warnings so far: kind, detail, and a line with their number. time: about when the latest occurred [s]."""
    warnings = []
    for kind in map(int, np.flatnonzero(np.asarray(data.warning.number))):
        number, info = int(data.warning.number[kind]), int(data.warning.lastinfo[kind])
        warnings.append((kind, info, describe(model, kind, info, time) + (f" ({number} times)" if number > 1 else "")))
    return warnings


def noted(model: MjModel) -> str:
    """The number of oddities in a model's file, for the end of a line; "" if there are none."""
    count = len(model.notes)
    return f", with {count} note{'' if count == 1 else 's'}: see the log" if count else ""


def bad_state(model: MjModel, kind: int, info: int) -> str:
    """The problem of a state that has diverged, with a warning of kind mjWARN_BADQPOS, _BADQVEL or _BADQACC."""
    name = physics.mjtWarning(kind).name
    return f"{_BAD_STATE[name]} of {_dof(model, info, name)} became huge or not a number"


def bad_joint(model: MjModel, kind: int, info: int) -> int:
    """The joint of a warning of kind mjWARN_BADQPOS, _BADQVEL or _BADQACC; -1 for none."""
    name = physics.mjtWarning(kind).name
    return _joint(model, info, name) if name in _BAD_STATE else -1


def _joint(model: MjModel, index: int, warning: str) -> int:
    """The joint that a coordinate (of qpos for a bad position, else of qvel) belongs to; -1: none."""
    addresses = model.jnt_qposadr if warning == "mjWARN_BADQPOS" else model.jnt_dofadr
    return max((j for j in range(model.njnt) if int(addresses[j]) <= index), default=-1)


def _dof(model: MjModel, index: int, warning: str) -> str:
    owner = _joint(model, index, warning)
    if owner < 0:
        return f"coordinate {index}"
    name = name_of(model, physics.mjtObj.mjOBJ_JOINT, owner)
    return name if name.startswith("joint") else f"joint {name}"
