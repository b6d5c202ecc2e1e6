"""Rules gear-sign, unused-actuator, no-range and saturated: actuators that push wrongly, nothing, without limit or at it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tumble import physics
from tumble.app.doctor.case import ENERGY_GROWS, OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Prediction, Severity, listed
from tumble.app.doctor.measures import actuator_offset, actuator_speed, diverges, resets
from tumble.app.editing.impedance import Spring
from tumble.app.editing.stiffness import COARSE, Array, ElementAt
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.query.mobility import mobility, moment_arms

_AFFINE = int(physics.mjtBias.mjBIAS_AFFINE)
_FIXED = int(physics.mjtGain.mjGAIN_FIXED)
MOVES = 1e-10  # a moment arm below moves nothing [1 or m]
CLEARLY = 6.0  # times what the right sign leaves that a wrong one has to show in a run
LONG = 0.5  # share of a run at the limit of a force that is a finding
AT_LIMIT = 1e-6  # of the range by which a force may miss its limit


def _at(case: Examination, actuator: int) -> tuple[ElementAt, str]:
    return (OBJ.mjOBJ_ACTUATOR, actuator), case.name(OBJ.mjOBJ_ACTUATOR, actuator)


def _gear_sign(case: Examination) -> Iterable[Finding]:
    """Feedback of the wrong sign: force = gain ctrl + b0 + b1 length + b2 velocity pushes away where b1 or b2 is positive."""
    model = case.model
    for i in range(model.nu):
        if int(model.actuator_biastype[i]) != _AFFINE:
            continue
        element, name = _at(case, i)
        _, b1, b2 = (float(b) for b in model.actuator_biasprm[i, :3])
        gain = float(model.actuator_gainprm[i, 0])
        if b1 > 0:
            cause, number, field = f"{name} pushes away from its target: its biasprm[1] is {b1:g}", b1, "biasprm[1]"
        elif b2 > 0 and not model.actuator_forcelimited[i]:  # with a limit it keeps up a swing, as an escapement does
            cause, number, field = f"{name} speeds up what it moves: its biasprm[2] is {b2:g}", b2, "biasprm[2]"
        elif b1 < 0 and int(model.actuator_gaintype[i]) == _FIXED and gain < 0:
            cause, number, field = f"{name} goes to the opposite of its control: its gainprm[0] is {gain:g}", gain, "gainprm[0]"
        else:
            continue
        predicted = "it brakes" if field == "biasprm[2]" else "it holds its target"
        change = ModelChange(
            case.path_of(element, field), f"{number:g}", f"{-number:g}", predicted, (_turned(model, i, field),),
            _turned_prediction(case, i, field) if case.runs else None,
        )  # fmt: skip
        yield Finding(
            GEAR_SIGN.id, Severity.ERROR, cause, "What it drives runs away from where the control wants it.", (element,),
            {field: number}, change,
        )  # fmt: skip


def _turned(model: MjModel, actuator: int, field: str) -> Change:
    """The change of the sign of one number of an actuator: field: "biasprm[1]"."""
    name, place = f"actuator_{field[:-3]}", int(field[-2])
    numbers = [float(number) for number in getattr(model, name)[actuator]]
    numbers[place] = -numbers[place]
    return Change(name, actuator, tuple(numbers))


def _turned_prediction(case: Examination, actuator: int, field: str) -> Prediction | None:
    """Effect of the right sign on where, or how fast, the actuator ends; None where the run does not show it clearly.

    With the right sign it ends where its force carries the load at the start, no farther than it started on the other side of it.
    """
    model, start = case.model, case.start
    b0, b1, b2 = (float(b) for b in model.actuator_biasprm[actuator, :3])
    arms = moment_arms(model, start, actuator)
    weight = mobility(model, start, arms)
    if weight <= 0 or int(model.actuator_gaintype[actuator]) != _FIXED:
        return None
    if resets(case.data):
        mended = Spring(abs(b1) * weight, abs(b2) * weight)
        return Prediction(diverges(), 1.0, 0.0) if model.nu == 1 and mended.step_share(1.0, model.opt.timestep) < COARSE else None
    load = _load(model, start, arms, weight)
    if field == "biasprm[2]":
        measure, before = actuator_speed(actuator), abs(float(case.data.actuator_velocity[actuator]))
        after, begins = load / abs(b2), abs(float(start.actuator_velocity[actuator]))
    else:
        target = (abs(float(model.actuator_gainprm[actuator, 0])) * _input(model, start, actuator) + b0) / abs(b1)
        measure, before = actuator_offset(actuator, target), abs(float(case.data.actuator_length[actuator]) - target)
        after = load / abs(b1)
        begins = abs(float(start.actuator_length[actuator]) - target) + after
    return Prediction(measure, before, after) if before > CLEARLY * (begins + after) else None


def _input(model: MjModel, data: MjData, actuator: int) -> float:
    """The number that an actuator's gain multiplies: its activation, else its control."""
    last = int(model.actuator_actadr[actuator]) + int(model.actuator_actnum[actuator]) - 1
    return float(data.act[last] if int(model.actuator_actadr[actuator]) >= 0 else data.ctrl[actuator])


def _load(model: MjModel, data: MjData, arms: Array, weight: float) -> float:
    """Force [N or N m] with which all but actuators push along moment arms J: |J M^-1 f| / W, W = J M^-1 J'."""
    moved = np.zeros((1, model.nv))
    force = np.asarray(data.qfrc_passive) - np.asarray(data.qfrc_bias) + np.asarray(data.qfrc_applied)
    physics.mj_solveM(model, data, moved, force[None, :])
    return abs(float(arms @ moved[0])) / weight


def _unused(case: Examination) -> Iterable[Finding]:
    """No moment arm at the start nor at the end of the run: an arm that is zero by chance in one state is not in both."""
    model = case.model
    body = int(physics.mjtTrn.mjTRN_BODY)  # adhesion acts where there are contacts
    for i in range(model.nu):
        if int(model.actuator_trntype[i]) == body:
            continue
        if max(np.abs(moment_arms(model, data, i)).max(initial=0.0) for data in (case.start, case.data)) > MOVES:
            continue
        element, name = _at(case, i)
        gear = np.abs(np.asarray(model.actuator_gear[i])).max()
        cause = (
            f"{name} moves nothing: its gear is 0" if gear == 0 else f"{name} moves nothing: it has no moment arm on any joint"
        )
        yield Finding(UNUSED.id, Severity.WARNING, cause, "Its control has no effect.", (element,), {"gear": float(gear)})


def _no_range(case: Examination) -> Iterable[Finding]:
    """Position servos whose force has no limit: one finding for the model."""
    model = case.model
    free = [
        i for i in range(model.nu)
        if int(model.actuator_biastype[i]) == _AFFINE and float(model.actuator_biasprm[i, 1]) < 0
        and not model.actuator_forcelimited[i] and not _joint_limits_force(model, i)
    ]  # fmt: skip
    if free:
        names = [case.name(OBJ.mjOBJ_ACTUATOR, i) for i in free]
        yield Finding(
            NO_RANGE.id, Severity.ADVICE, f"position servos without a range of force: {listed(names)}",
            "A jump of the control gives a force that no motor has; forcerange bounds it.",
            tuple((OBJ.mjOBJ_ACTUATOR, i) for i in free), {"number": len(free)},
        )  # fmt: skip


def _joint_limits_force(model: MjModel, actuator: int) -> bool:
    joint = int(model.actuator_trnid[actuator, 0])
    of_joint = int(model.actuator_trntype[actuator]) in (int(physics.mjtTrn.mjTRN_JOINT), int(physics.mjtTrn.mjTRN_JOINTINPARENT))
    return of_joint and bool(model.jnt_actfrclimited[joint])


class _Saturation:
    """Counts the steps in which the force of each position servo is at its limit."""

    def __init__(self, case: Examination) -> None:
        self._case, self._steps = case, 0
        self._count = np.zeros(case.model.nu, np.int64)

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        self._steps += 1
        low, high = np.asarray(model.actuator_forcerange).T if model.nu else (np.zeros(0), np.zeros(0))
        slack, force = AT_LIMIT * (high - low), np.asarray(data.actuator_force)
        servo = (np.asarray(model.actuator_biastype) == _AFFINE) & (np.asarray(model.actuator_biasprm)[:, 1] < 0)
        limited = servo & np.asarray(model.actuator_forcelimited, bool)
        self._count += limited & (force != 0) & ((force <= low + slack) | (force >= high - slack))

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case = self._case
        for i in np.flatnonzero(self._count > LONG * self._steps):
            element, name = _at(case, int(i))
            share, force = self._count[i] / self._steps, float(case.data.actuator_force[i])
            yield Finding(
                SATURATED.id, Severity.WARNING, f"{name} is at its limit of {force:.4g} in {100 * share:.0f} % of the run",
                "What it should hold or reach it does not.", (element,), {"share": float(share), "force": force},
                time=float(case.data.time),
            )  # fmt: skip


GEAR_SIGN = DoctorRule(
    "gear-sign", "Actuators that push away from their target",
    "An actuator with affine bias pushes with gain ctrl + b0 + b1 length + b2 velocity. With b1 > 0 the force grows with the "
    "distance from the target, with b2 > 0 with the speed: both feed energy in.",
    _gear_sign,
    explains=ENERGY_GROWS,
)  # fmt: skip
UNUSED = DoctorRule(
    "unused-actuator", "Actuators that move nothing",
    "An actuator acts on the joints by its moment arms, the derivative of its length by their positions. Without one its "
    "force has no effect.",
    _unused,
)  # fmt: skip
NO_RANGE = DoctorRule(
    "no-range", "Position servos without a range of force",
    "A position servo pushes with its stiffness times the distance from its target, however far that is.", _no_range,
)  # fmt: skip
SATURATED = DoctorRule(
    "saturated", "Actuators at their limit for long",
    "A force that is clamped no longer follows the control: the servo neither holds nor damps.", observe=_Saturation,
)  # fmt: skip
