"""Why a state blew up: the dofs and constraints of the last good moment, the most violent first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.describe.numbers import step_moment
from tumble.app.describe.signals import Catalogue
from tumble.app.describe.subject import NOTHING, Subject, row_subject
from tumble.app.replay.tape import Tape

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

MOST_ROWS = 30
# An acceleration is unusual beyond so many times the values in the first half of the kept steps.
UNUSUAL = 100.0
LOOKED_AT = 2000  # steps before the end in which that is looked for

_BAD = {
    int(physics.mjtWarning.mjWARN_BADQPOS): "a position",
    int(physics.mjtWarning.mjWARN_BADQVEL): "a velocity",
    int(physics.mjtWarning.mjWARN_BADQACC): "an acceleration",
}
BAD = tuple(_BAD)
_KINDS = {
    int(physics.mjtConstraint.mjCNSTR_EQUALITY): ("equality", physics.mjtObj.mjOBJ_EQUALITY),
    int(physics.mjtConstraint.mjCNSTR_FRICTION_TENDON): ("friction of tendon", physics.mjtObj.mjOBJ_TENDON),
    int(physics.mjtConstraint.mjCNSTR_LIMIT_JOINT): ("limit of joint", physics.mjtObj.mjOBJ_JOINT),
    int(physics.mjtConstraint.mjCNSTR_LIMIT_TENDON): ("limit of tendon", physics.mjtObj.mjOBJ_TENDON),
}
_FRICTION_DOF = int(physics.mjtConstraint.mjCNSTR_FRICTION_DOF)


class DofRow(Struct, frozen=True):
    """A dof: its name, acceleration, velocity, the force of constraints on it; units of the first two; its element."""

    name: str
    qacc: float
    qvel: float
    force: float
    units: tuple[str, str]
    subject: Subject = NOTHING


class RowRow(Struct, frozen=True):
    """A constraint row: its kind, force, violation or distance; its element."""

    name: str
    force: float
    pos: float
    subject: Subject = NOTHING


class Autopsy(Struct, frozen=True):
    """what: in a sentence; time: of the last good state [s]; dofs and rows: the most violent first."""

    what: str
    time: float
    dofs: tuple[DofRow, ...]
    rows: tuple[RowRow, ...]


def perform(model: MjModel, data: MjData, tape: Tape, catalogue: Catalogue, warning: int) -> Autopsy:
    """Go back to the last good state and rank what happens there; the data are left in that state.

    warning: which mjtWarning the step raised that was the last to be taken. A bad acceleration is found in the
    step that makes it; a bad position or velocity at the start of the next, so that the step before made it.
    """
    steps = 1 if warning == int(physics.mjtWarning.mjWARN_BADQACC) else 2
    index = int(data.warning_lastinfo[warning])
    last = max(tape.first, tape.now - steps)
    went = tape.now - last
    onset = _onset(data, tape, last)
    field = {physics.mjtWarning.mjWARN_BADQPOS: "qpos", physics.mjtWarning.mjWARN_BADQVEL: "qvel"}.get(
        physics.mjtWarning(warning), "qacc"
    )
    names = [s.name for s in catalogue.listed(catalogue.fields[field])]
    where = names[index] if 0 <= index < len(names) else f"{field}[{index}]"
    when = step_moment(data.time, model.opt.timestep)
    what = f"{_BAD[warning].capitalize()} became huge or not a number: {where}, in the step after {when}."
    if went == 0:
        what += " No earlier state was kept, so this is the state after the reset."
    elif onset is not None and onset < data.time:
        what += f" Accelerations were out of the ordinary from {step_moment(onset, model.opt.timestep)} on."
    return Autopsy(what, float(data.time), _dofs(model, data, catalogue), _rows(model, data))


def row_name(model: MjModel, data: MjData, row: int) -> str:
    """The element of a constraint row, by name."""
    kind, element = int(data.efc_type[row]), int(data.efc_id[row])
    if kind == _FRICTION_DOF:
        joint = int(model.dof_jntid[element])
        return f"friction of joint {name_of(model, physics.mjtObj.mjOBJ_JOINT, joint)}"
    if kind in _KINDS:
        words, obj = _KINDS[kind]
        return f"{words} {name_of(model, obj, element)}"
    return f"contact {contact_name(model, data, element)}, row {row - int(data.contact_efc_address[element])}"


def contact_name(model: MjModel, data: MjData, contact: int) -> str:
    """The two geoms or flexes of a contact; if geoms have no names, their bodies."""
    sides = []
    for geom, flex in zip(data.contact_geom[contact], data.contact_flex[contact], strict=True):
        if geom < 0:
            sides.append(name_of(model, physics.mjtObj.mjOBJ_FLEX, int(flex)))
            continue
        name = physics.mj_id2name(model, physics.mjtObj.mjOBJ_GEOM, int(geom))
        sides.append(name or f"geom {int(geom)} of {name_of(model, physics.mjtObj.mjOBJ_BODY, int(model.geom_bodyid[geom]))}")
    return " and ".join(sides)


def _onset(data: MjData, tape: Tape, last: int) -> float | None:
    """Go to a position; returns the time from which on accelerations became unusual [s]; None if unknown."""
    velocity, time = [], []

    def look() -> None:
        velocity.append(data.qvel.copy())
        time.append(float(data.time))

    tape.go(last, look, max(tape.first, last - LOOKED_AT))
    if len(time) < 8:
        return None
    with np.errstate(all="ignore"):
        change = np.abs(np.diff(velocity, axis=0)).max(axis=1)
    usual = float(np.median(change[: len(change) // 2]))
    wild = ~(change <= UNUSUAL * max(usual, 1e-12))  # true of not-a-number too
    if not wild[-1]:
        return None
    calm = np.flatnonzero(~wild)
    return float(time[calm[-1] + 1 if len(calm) else 0])


def _dofs(model: MjModel, data: MjData, catalogue: Catalogue) -> tuple[DofRow, ...]:
    acc, vel = (list(catalogue.listed(catalogue.fields[n])) for n in ("qacc", "qvel"))
    order = _largest(data.qacc)[: min(MOST_ROWS, len(acc))]
    return tuple(
        DofRow(
            acc[i].name[len("qacc") :].strip("[]"), float(data.qacc[i]), float(data.qvel[i]), float(data.qfrc_constraint[i]),
            (acc[i].unit, vel[i].unit), Subject(body=int(model.dof_bodyid[i])),
        )
        for i in map(int, order)
    )  # fmt: skip


def _rows(model: MjModel, data: MjData) -> tuple[RowRow, ...]:
    force = np.asarray(data.efc_force)
    order = [int(r) for r in _largest(force)[:MOST_ROWS] if force[r] != 0]
    return tuple(
        RowRow(row_name(model, data, r), float(force[r]), float(data.efc_pos[r]), row_subject(model, data, r)) for r in order
    )


def _largest(values: ArrayLike) -> np.ndarray:
    """Indices by magnitude, nan and the largest first."""
    return np.argsort(-np.nan_to_num(np.abs(np.asarray(values)), nan=np.inf), kind="stable")
