"""Rule range-units: limits of hinges that are in radians where degrees are read, or the other way around."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed

MOST = 2 * 2 * math.pi  # limit of a hinge of a robot [rad]: two turns; 13 degrees read as radians are more
LEAST = math.radians(2 * math.pi)  # a turn in radians read as degrees [rad]
HALF = 0.5  # share of the hinges with limits so narrow from which these are in other units, and no flexures
_HINGE = int(physics.mjtJoint.mjJNT_HINGE)


def _examine(case: Examination) -> Iterable[Finding]:
    model = case.model
    hinges = np.flatnonzero((np.asarray(model.jnt_type) == _HINGE) & (np.asarray(model.jnt_limited) != 0))
    farthest = np.abs(np.asarray(model.jnt_range))[hinges].max(axis=1, initial=0.0)
    wide, narrow = hinges[farthest > MOST].tolist(), hinges[(farthest > 0) & (farthest < LEAST)].tolist()
    if wide:
        yield _finding(case, wide, "turn", "They are likely degrees, where radians are meant: the joints are as good as without.")
    if narrow and len(narrow) >= HALF * len(hinges):
        yield _finding(
            case, narrow, "degree",
            'They are likely radians, where degrees are read: the joints are as good as welded. <compiler angle="radian"/>.',
        )  # fmt: skip


def _finding(case: Examination, joints: list[int], unit: str, effect: str) -> Finding:
    size = 2 * math.pi if unit == "turn" else math.radians(1)
    ranges = {j: tuple(float(limit) / size for limit in case.model.jnt_range[j]) for j in joints}
    texts = [f"{case.name(OBJ.mjOBJ_JOINT, j)} ({low:.3g} to {high:.3g} {unit}s)" for j, (low, high) in ranges.items()]
    what = "of many turns" if unit == "turn" else "of a few degrees"
    return Finding(
        RULE.id, Severity.WARNING, f"hinges with limits {what}: {listed(texts)}", effect,
        tuple((OBJ.mjOBJ_JOINT, j) for j in joints), {"range": ranges[joints[0]], "unit": unit, "number": len(joints)},
    )  # fmt: skip


RULE = DoctorRule(
    "range-units", "Limits of hinges in other units",
    "A file without `angle=\"radian\"` has its angles in degrees: a range of -1.57 to 1.57 that was written in radians is then one "
    "of 3 degrees. In a file with it a range of -90 to 90 is one of 29 turns. Found are limits beyond two turns, and those within "
    "6.28 degrees where half of the hinges have such, as single flexures are that stiff.",
    _examine,
)  # fmt: skip
