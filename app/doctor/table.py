"""The table of the doctor's rules, in the order in which their findings are listed within a severity."""

from __future__ import annotations

from tumble.app.doctor.case import Rule
from tumble.app.doctor.rules import (
    actuators,
    blow_up,
    energy,
    equalities,
    inertia,
    joints,
    never_collide,
    overlap,
    reading,
    sink,
    soft_contact,
    solver_limit,
    stiff,
    unstable_step,
)

RULES: tuple[Rule, ...] = (
    blow_up.RULE, unstable_step.RULE, stiff.STIFF_SERVO, stiff.STIFF_SPRING, stiff.STIFF_CONTACT, energy.RULE,
    actuators.GEAR_SIGN, actuators.UNUSED, actuators.SATURATED, actuators.NO_RANGE,
    overlap.OVERLAP_START, overlap.LIMIT_START, overlap.KEYFRAME_START, never_collide.RULE,
    soft_contact.RULE, sink.RULE, solver_limit.RULE, equalities.CONFLICT, equalities.REDUNDANT,
    inertia.MASS_RATIO, inertia.IMPOSSIBLE, inertia.DEFAULT, joints.GRAVCOMP, joints.ARMATURE, joints.DAMPING,
    reading.ENGINE_GAP, reading.READING,
)  # fmt: skip
