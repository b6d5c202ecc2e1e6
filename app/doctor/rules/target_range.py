"""Rule target-range: position servos whose targets their joints cannot reach."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed

if TYPE_CHECKING:
    from tumble.physics import MjModel

FEW = 0.1  # share of the joint's range that targets reach: with less they are of another joint or sign
SOME = 0.5  # share of the targets that the joint reaches: with less it is worth knowing
TURNS = 20.0  # targets of a hinge in ranges of the joint from which they are likely degrees; 57.3 are exact
_JOINT, _SCALAR = int(physics.mjtTrn.mjTRN_JOINT), (int(physics.mjtJoint.mjJNT_HINGE), int(physics.mjtJoint.mjJNT_SLIDE))
_AFFINE, _FIXED = int(physics.mjtBias.mjBIAS_AFFINE), int(physics.mjtGain.mjGAIN_FIXED)
_INTEGRATOR = int(physics.mjtDyn.mjDYN_INTEGRATOR)


class _Targets(Struct, frozen=True):
    """Positions at which a servo can hold its joint, and the joint's range [m or rad]."""

    actuator: int
    joint: int
    targets: tuple[float, float]
    range: tuple[float, float]

    @property
    def common(self) -> float:
        """Length of the targets that are in the range."""
        return max(0.0, min(self.targets[1], self.range[1]) - max(self.targets[0], self.range[0]))


def _targets(model: MjModel) -> Iterable[_Targets]:
    """Targets of servos with a range of controls at joints with a range."""
    for i in range(model.nu):
        joint = int(model.actuator_trnid[i, 0])
        kinds = int(model.actuator_trntype[i]), int(model.actuator_gaintype[i]), int(model.actuator_biastype[i])
        if kinds != (_JOINT, _FIXED, _AFFINE) or int(model.jnt_type[joint]) not in _SCALAR or not model.jnt_limited[joint]:
            continue
        integrates = int(model.actuator_dyntype[i]) == _INTEGRATOR
        if not (model.actuator_actlimited if integrates else model.actuator_ctrllimited)[i]:
            continue
        gain, gear = float(model.actuator_gainprm[i, 0]), float(model.actuator_gear[i, 0])
        b0, b1 = model.actuator_biasprm[i, :2]
        if gain <= 0 or b1 >= 0 or gear == 0:
            continue
        ends = (model.actuator_actrange if integrates else model.actuator_ctrlrange)[i]
        low, high = sorted(float((gain * end + b0) / (-b1 * gear)) + 0.0 for end in ends)  # never -0
        if high > low:
            yield _Targets(i, joint, (low, high), (float(model.jnt_range[joint, 0]), float(model.jnt_range[joint, 1])))


def _examine(case: Examination) -> Iterable[Finding]:
    model = case.model
    kinds: dict[str, list[_Targets]] = {"outside": [], "degrees": [], "wide": []}
    for each in _targets(model):
        reach, span = each.range[1] - each.range[0], each.targets[1] - each.targets[0]
        if each.common < FEW * min(reach, span):
            kinds["outside"].append(each)
        elif int(model.jnt_type[each.joint]) == _SCALAR[0] and span > TURNS * reach:
            kinds["degrees"].append(each)
        elif each.common < SOME * span:
            kinds["wide"].append(each)
    texts = {
        "outside": (Severity.WARNING, "outside of their joints' ranges", "The sign of the gear is likely wrong, or the joint."),
        "degrees": (Severity.WARNING, "far beyond their joints' ranges", "They are likely degrees, where radians are meant."),
        "wide": (Severity.ADVICE, "mostly beyond their joints' ranges", "What is beyond only presses them into their limits."),
    }
    for kind, targets in kinds.items():
        if targets:
            severity, where, effect = texts[kind]
            yield _finding(case, targets, severity, where, effect)


def _finding(case: Examination, targets: list[_Targets], severity: Severity, where: str, effect: str) -> Finding:
    texts = []
    for t in targets:
        low, high, first, last = (f"{x:.3g}" for x in (*t.targets, *t.range))
        texts.append(f"{case.name(OBJ.mjOBJ_ACTUATOR, t.actuator)} ({low} to {high}, joint {first} to {last})")
    elements = [((OBJ.mjOBJ_ACTUATOR, t.actuator), (OBJ.mjOBJ_JOINT, t.joint)) for t in targets]
    return Finding(
        RULE.id, severity, f"position servos with targets {where}: {listed(texts)}", effect,
        tuple(element for pair in elements for element in pair),
        {"targets": targets[0].targets, "range": targets[0].range, "number": len(targets)},
    )  # fmt: skip


RULE = DoctorRule(
    "target-range", "Position servos whose targets their joints cannot reach",
    "A servo with the force gain u + b0 + b1 l holds its joint where the length l is (gain u + b0) / -b1, the joint at l / gear. "
    "Targets in degrees at a joint in radians, or a gear of the wrong sign at a joint that moves to one side, lie outside of the "
    "joint's range.",
    _examine,
)  # fmt: skip
