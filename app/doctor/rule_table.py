"""The table of the doctor's rules, in the order in which their findings are listed within a severity."""

from __future__ import annotations

from tumble.app.doctor.case import DoctorRule
from tumble.app.doctor.rules import (
    blow_up,
    defaults_advised,
    drives,
    equalities,
    hull_fills,
    joints,
    never_collide,
    other_release,
    overlap,
    range_units,
    reading,
    soft_contact,
    stiff,
    stiff_damper,
    target_range,
    unstable_step,
    urdf_lost,
)
from tumble.app.doctor.rules.bodies import collision_apart, inertias, mass_sum, masses, mesh_inside_out, no_collider, parent_pass
from tumble.app.doctor.rules.run import (
    chatter,
    creep,
    drift_pyramid,
    energy_growth,
    falls_asleep,
    never_sleeps,
    sink,
    slip_load,
    solver_early,
    solver_limit,
    solver_slow,
)

RULES: tuple[DoctorRule, ...] = (
    blow_up.RULE, unstable_step.RULE, stiff.STIFF_SERVO, stiff.STIFF_SPRING, stiff.STIFF_CONTACT, energy_growth.RULE,
    drives.GEAR_SIGN, drives.UNUSED, drives.SATURATED, drives.NO_RANGE,
    overlap.OVERLAP_START, overlap.LIMIT_START, overlap.KEYFRAME_START, never_collide.RULE,
    no_collider.RULE, parent_pass.RULE, collision_apart.RULE,
    soft_contact.RULE, sink.RULE, solver_limit.RULE, equalities.CONFLICT, equalities.REDUNDANT,
    target_range.RULE, range_units.RULE, masses.MASS_RATIO, inertias.IMPOSSIBLE, inertias.SHAPE, masses.DENSITY, masses.DEFAULT,
    joints.GRAVCOMP, joints.ARMATURE, joints.DAMPING,
    chatter.RULE, creep.RULE, slip_load.RULE, drift_pyramid.RULE, solver_early.RULE, solver_slow.RULE, falls_asleep.RULE,
    never_sleeps.RULE,
    stiff_damper.RULE, hull_fills.RULE, mesh_inside_out.RULE, mass_sum.RULE,
    urdf_lost.RULE, defaults_advised.RULE, other_release.RULE,
    reading.ENGINE_GAP, reading.READING,
)  # fmt: skip
