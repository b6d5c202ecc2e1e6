"""Rules armature-zero, damping-zero and gravcomp-forgot: joints of machines that lack what real ones have."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec.structs import replace

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.app.doctor.swings import Swings
from tumble.physics import MjData, MjModel

_TRN = physics.mjtTrn
LEAST = 3  # actuated joints from which a model is a machine: a pendulum may well be ideal


def _driven(model: MjModel) -> list[int]:
    """Hinges and slides that an actuator drives directly."""
    kinds = int(_TRN.mjTRN_JOINT), int(_TRN.mjTRN_JOINTINPARENT)
    single = int(physics.mjtJoint.mjJNT_HINGE), int(physics.mjtJoint.mjJNT_SLIDE)
    joints = {int(model.actuator_trnid[i, 0]) for i in range(model.nu) if int(model.actuator_trntype[i]) in kinds}
    return sorted(j for j in joints if int(model.jnt_type[j]) in single)


def _lacking(case: Examination, rule: str, joints: list[int], what: str, effect: str) -> Iterable[Finding]:
    if joints:
        names = [case.name(OBJ.mjOBJ_JOINT, j) for j in joints]
        yield Finding(rule, Severity.ADVICE, f"driven joints without {what}: {listed(names)}", effect,
                      tuple((OBJ.mjOBJ_JOINT, j) for j in joints), {"number": len(joints)})  # fmt: skip


def _armature(case: Examination) -> Iterable[Finding]:
    model, driven = case.model, _driven(case.model)
    bare = [j for j in driven if float(model.dof_armature[model.jnt_dofadr[j]]) == 0]
    if len(driven) >= LEAST:
        effect = "A rotor adds its inertia times the square of the gear's ratio: without it light links shake under stiff servos."
        yield from _lacking(case, ARMATURE.id, bare, "armature", effect)


class _Damping:
    """The examination: whether servos without damping swing is observed."""

    def __init__(self, case: Examination) -> None:
        self._case, self._swings = case, Swings(case)

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        self._swings.look(model, data)

    def findings(self) -> Iterable[Finding]:
        """The findings of the run; the change is that of servos that swing."""
        model, driven = self._case.model, _driven(self._case.model)
        servo = {int(model.actuator_trnid[i, 0]) for i in range(model.nu) if float(model.actuator_biasprm[i, 2]) < 0}
        dof = [int(model.jnt_dofadr[j]) for j in driven]
        bare = [j for j, i in zip(driven, dof, strict=True)
                if j not in servo and not np.any(model.dof_damping[i]) and not float(model.dof_frictionloss[i])]  # fmt: skip
        if len(driven) < LEAST:
            return
        swinging = [one for one in self._swings.swinging() if one.ratio == 0]
        change = self._swings.damped(swinging) if swinging else None
        effect = "Nothing takes energy out of them: they swing for ever."
        for finding in _lacking(self._case, DAMPING.id, bare, "damping or friction", effect):
            yield replace(finding, change=change)


def _gravcomp(case: Examination) -> Iterable[Finding]:
    """Bodies that fall in a mechanism whose other bodies are held against gravity."""
    model = case.model
    root, share = np.asarray(model.body_rootid), np.asarray(model.body_gravcomp)
    moving = (np.asarray(model.body_weldid) != 0) & (np.asarray(model.body_mass) > 0)
    for tree in np.unique(root[moving & (share > 0)]):
        members = np.flatnonzero(moving & (root == tree))
        held, falling = members[share[members] > 0], members[share[members] == 0]
        weight = np.asarray(model.body_mass)
        if len(falling) and len(held) > len(falling) and weight[held].sum() > weight[falling].sum():
            names = listed([case.name(OBJ.mjOBJ_BODY, int(b)) for b in falling])
            yield Finding(
                GRAVCOMP.id, Severity.WARNING,
                f"{len(held)} bodies of a mechanism are held against gravity (gravcomp), {names} not",
                f"Their weight, {9.81 * float(weight[falling].sum()):.3g} N, makes it sag.",
                tuple((OBJ.mjOBJ_BODY, int(b)) for b in falling), {"held": len(held), "falling": len(falling)},
            )  # fmt: skip


ARMATURE = DoctorRule(
    "armature-zero", "Driven joints without armature",
    "The inertia of a joint that is driven through a gear is mostly that of the rotor, seen through the square of the ratio.",
    _armature,
)  # fmt: skip
DAMPING = DoctorRule(
    "damping-zero", "Driven joints without damping",
    "Real joints have friction; a loop without any loss turns each error of the integrator into a swing that stays.",
    observe=_Damping,
)  # fmt: skip
GRAVCOMP = DoctorRule(
    "gravcomp-forgot", "Mechanisms that are held against gravity in part",
    "`gravcomp` applies to a body the force that holds its own weight; bodies of the mechanism without it pull on the others.",
    _gravcomp,
)  # fmt: skip
