"""The table of the doctor's rules, in the order in which their findings are listed within a severity."""

from __future__ import annotations

from tumble.app.doctor.case import DoctorRule
from tumble.app.doctor.rules import (
    blow_up,
    drives,
    energy_growth,
    equalities,
    joints,
    masses,
    never_collide,
    overlap,
    reading,
    sink,
    soft_contact,
    solver_limit,
    stiff,
    target_range,
    unstable_step,
)

RULES: tuple[DoctorRule, ...] = (
    blow_up.RULE, unstable_step.RULE, stiff.STIFF_SERVO, stiff.STIFF_SPRING, stiff.STIFF_CONTACT, energy_growth.RULE,
    drives.GEAR_SIGN, drives.UNUSED, drives.SATURATED, drives.NO_RANGE,
    overlap.OVERLAP_START, overlap.LIMIT_START, overlap.KEYFRAME_START, never_collide.RULE,
    soft_contact.RULE, sink.RULE, solver_limit.RULE, equalities.CONFLICT, equalities.REDUNDANT,
    target_range.RULE, masses.MASS_RATIO, masses.IMPOSSIBLE, masses.DENSITY, masses.DEFAULT,
    joints.GRAVCOMP, joints.ARMATURE, joints.DAMPING,
    reading.ENGINE_GAP, reading.READING,
)  # fmt: skip
