"""Servos that swing at the end of a run because they are hardly damped, and the damping that stops them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.doctor.finding import ModelChange, Prediction
from tumble.app.doctor.measures import resets, ringing
from tumble.app.editing.impedance import Spring
from tumble.app.editing.sinking import RESTING
from tumble.app.editing.stiffness import COARSE, Servo
from tumble.app.simulation.changes import Change

if TYPE_CHECKING:
    from tumble.app.doctor.case import Examination
    from tumble.physics import MjData, MjModel

HARDLY = 0.2  # damping ratio below which a servo swings for long
SWINGS = 0.005  # rad or m between the extremes of a swing from which it is worth a word
SETTLED = 6.0  # time constants after which a critically damped servo is at rest
_TRN, _JNT = physics.mjtTrn, physics.mjtJoint
_OF_JOINT = (int(_TRN.mjTRN_JOINT), int(_TRN.mjTRN_JOINTINPARENT))
_ONE_DOF = (int(_JNT.mjJNT_HINGE), int(_JNT.mjJNT_SLIDE))


class SwingingServo(Struct, frozen=True):
    """A position servo of a joint that swings.

    swing: between the extremes over the last quarter of the run [m or rad]; ratio: of its damping and its joint's [1];
    critical: damping kv with which its ratio is 1 [N s/m or N m s/rad].
    """

    actuator: int
    swing: float
    ratio: float
    critical: float


class Swings:
    """The extremes of all actuators' lengths over the last part of a run."""

    def __init__(self, case: Examination) -> None:
        self._case, self._steps = case, 0
        self._low, self._high = np.full(case.model.nu, np.inf), np.full(case.model.nu, -np.inf)

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        self._steps += 1
        if self._steps > (1 - RESTING) * self._case.watch.length:
            np.minimum(self._low, data.actuator_length, out=self._low)
            np.maximum(self._high, data.actuator_length, out=self._high)

    def swinging(self) -> list[SwingingServo]:
        """Servos that swing, the widest first: of mechanisms that stand on the world, and none of a run that diverged."""
        case, model = self._case, self._case.model
        if resets(case.data):
            return []
        free = np.asarray(model.body_rootid)[np.asarray(model.jnt_bodyid)[np.asarray(model.jnt_type) == int(_JNT.mjJNT_FREE)]]
        found = []
        for servo in case.servos:
            i, joint = servo.element[1], _joint(model, servo)
            if joint < 0 or int(model.body_rootid[model.jnt_bodyid[joint]]) in free:
                continue
            swing = float(self._high[i] - self._low[i])
            if swing < SWINGS:
                continue
            passive = float(model.dof_damping[model.jnt_dofadr[joint]]) / float(model.actuator_gear[i, 0]) ** 2
            critical = 2 * math.sqrt(servo.stiffness * servo.inertia)
            ratio = (servo.damping + passive) / critical
            if ratio < HARDLY:
                found.append(SwingingServo(i, swing, ratio, critical - passive))
        return sorted(found, key=lambda one: -one.swing)

    def damped(self, swinging: list[SwingingServo]) -> ModelChange:
        """The change that gives swinging servos a damping ratio of 1, with what it does to the widest swing."""
        case, (widest, *_) = self._case, swinging
        changes = tuple(_with_damping(case.model, one) for one in swinging)
        element = (physics.mjtObj.mjOBJ_ACTUATOR, widest.actuator)
        return ModelChange(
            case.path_of(element, "dampratio"), f"{widest.ratio:.2g}", "1", "it comes to rest", changes,
            self._prediction(widest) if self._follows(swinging) else None,
        )  # fmt: skip

    def _prediction(self, widest: SwingingServo) -> Prediction:
        seconds = RESTING * self._case.watch.length * float(self._case.model.opt.timestep)
        return Prediction(ringing(widest.actuator, seconds), widest.swing, 0.0)

    def _follows(self, swinging: list[SwingingServo]) -> bool:
        """True if the time step is short enough for critical damping, and the run long enough to settle."""
        step = float(self._case.model.opt.timestep)
        own = {servo.element[1]: servo for servo in self._case.servos if servo.element[0] == physics.mjtObj.mjOBJ_ACTUATOR}
        for one in swinging:
            rate = math.sqrt(own[one.actuator].spring.K)
            settles = rate * (1 - RESTING) * self._case.watch.length * step > SETTLED
            if not settles or Spring(rate**2, 2 * rate).step_share(1.0, step) > COARSE:
                return False
        return True


def _joint(model: MjModel, servo: Servo) -> int:
    """The hinge or slide that a position servo drives; -1 for another element."""
    kind, i = servo.element
    if kind != physics.mjtObj.mjOBJ_ACTUATOR or servo.stiffness <= 0 or int(model.actuator_trntype[i]) not in _OF_JOINT:
        return -1
    joint = int(model.actuator_trnid[i, 0])
    return joint if int(model.jnt_type[joint]) in _ONE_DOF else -1


def _with_damping(model: MjModel, servo: SwingingServo) -> Change:
    numbers = [float(number) for number in model.actuator_biasprm[servo.actuator]]
    numbers[2] = -servo.critical
    return Change("actuator_biasprm", servo.actuator, tuple(numbers))
