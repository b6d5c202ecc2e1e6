"""Rules overlap-start, limit-start and keyframe-start: states that begin with penetration or beyond a joint's range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from tumble import physics
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.app.editing.stiffness import ElementAt
from tumble.physics import MjData
from tumble.physics.observe.thickness import DEEP, thickness_of

_HINGE, _SLIDE = int(physics.mjtJoint.mjJNT_HINGE), int(physics.mjtJoint.mjJNT_SLIDE)
BEYOND = 0.02  # of a range by which a joint or tendon may be beyond a limit: within, the limit's softness explains it
JOLT = 0.3  # speed to which a contact would throw its surfaces apart from which that is a finding [m/s]
_PYRAMID = int(physics.mjtConstraint.mjCNSTR_CONTACT_PYRAMIDAL)


def _overlaps(case: Examination, data: MjData) -> Iterator[tuple[tuple[int, int], float, float]]:
    """Pairs of geoms that start deep in each other, the deepest for its size first: pair, depth, thickness of the thinner [m].

    The thinner of a pair comes first.
    """
    deepest: dict[tuple[int, int], float] = {}
    for k in range(int(data.ncon)):
        first, second = (int(g) for g in data.contact_geom[k])
        row = int(data.contact_efc_address[k])
        depth = max(0.0, -float(data.contact_dist[k]))
        if first >= 0 and second >= 0 and row >= 0 and 2 * _separation(data, k, row) * depth > JOLT**2:
            deepest[first, second] = max(deepest.get((first, second), 0.0), depth)
    thick = thickness_of(case.model)
    found = []
    for (first, second), depth in deepest.items():
        pair = (first, second) if thick[first] <= thick[second] else (second, first)
        found.append((pair, depth, float(thick[pair[0]])))
    yield from sorted((each for each in found if each[1] >= DEEP * each[2]), key=lambda each: -each[1] / each[2])


def _separation(data: MjData, contact: int, row: int) -> float:
    """Acceleration with which a contact's surfaces leave each other, J qacc = aref - R f [m/s^2]; about 0 where it rests.

    Of a pyramid the mean over its edges, in which what is tangential cancels.
    """
    rows = slice(row, row + (1 if int(data.efc_type[row]) != _PYRAMID else max(1, 2 * (int(data.contact_dim[contact]) - 1))))
    return float(np.mean(np.asarray(data.efc_aref)[rows] - np.asarray(data.efc_R)[rows] * np.asarray(data.efc_force)[rows]))


def _severity(case: Examination) -> Severity:
    """Runs begin at a keyframe where there is one, and not at the initial state."""
    return Severity.ADVICE if case.model.nkey else Severity.WARNING


def _overlap_start(case: Examination) -> Iterable[Finding]:
    found = list(_overlaps(case, case.start))
    if found:
        texts = [f"{_pair(case, pair)} by {1e3 * depth:.3g} mm" for pair, depth, _ in found]
        pair, depth, thickness = found[0]
        yield Finding(
            OVERLAP_START.id, _severity(case), f"geoms overlap at the start: {listed(texts, 8)}",
            "Contacts push them apart in the first steps: energy that nothing in the model gave.",
            tuple((OBJ.mjOBJ_GEOM, g) for pair, _, _ in found for g in pair),
            {"depth": depth, "thickness": thickness, "pairs": len(found)}, pair=pair, time=0.0,
        )  # fmt: skip


def _pair(case: Examination, pair: tuple[int, int]) -> str:
    return " and ".join(case.name(OBJ.mjOBJ_GEOM, g) for g in pair)


def _beyond(case: Examination, data: MjData) -> list[tuple[ElementAt, str]]:
    """Joints and tendons beyond their range, with a text on each."""
    model, found = case.model, []
    values = [
        ((OBJ.mjOBJ_JOINT, j), float(data.qpos[model.jnt_qposadr[j]]), model.jnt_range[j]) for j in range(model.njnt)
        if model.jnt_limited[j] and int(model.jnt_type[j]) in (_HINGE, _SLIDE)
    ]  # fmt: skip
    values += [((OBJ.mjOBJ_TENDON, t), float(data.ten_length[t]), model.tendon_range[t])
               for t in range(model.ntendon) if model.tendon_limited[t]]  # fmt: skip
    for at, value, (low, high) in values:
        slack = BEYOND * float(high - low)
        if value < low - slack or value > high + slack:
            kind = "" if at[0] == OBJ.mjOBJ_JOINT else "tendon "
            found.append((at, f"{kind}{case.name(*at)} at {value:.4g} (range {float(low):.4g} to {float(high):.4g})"))
    return found


def _limit_start(case: Examination) -> Iterable[Finding]:
    found = _beyond(case, case.start)
    if found:
        yield Finding(
            LIMIT_START.id, _severity(case), f"beyond their range at the start: {listed([text for _, text in found], 8)}",
            "Their limits push them back in the first steps: energy that nothing in the model gave.",
            tuple(at for at, _ in found), {"number": len(found)}, time=0.0,
        )  # fmt: skip


def _keyframe_start(case: Examination) -> Iterable[Finding]:
    """One finding for all keyframes with the same problems."""
    model, data = case.model, MjData(case.model)
    keys: dict[tuple[str, ...], list[int]] = {}
    elements: dict[tuple[str, ...], list[ElementAt]] = {}
    for key in range(model.nkey):
        physics.mj_resetDataKeyframe(model, data, key)
        physics.mj_forward(model, data)
        overlaps, beyond = list(_overlaps(case, data)), _beyond(case, data)
        problems = (
            *(f"{_pair(case, pair)} overlap by {1e3 * depth:.3g} mm" for pair, depth, _ in overlaps),
            *(text for _, text in beyond),
        )
        if problems:
            keys.setdefault(problems, []).append(key)
            elements[problems] = [(OBJ.mjOBJ_GEOM, g) for pair, _, _ in overlaps for g in pair]
            elements[problems] += [at for at, _ in beyond]
    for problems, which in keys.items():
        names = listed([case.name(OBJ.mjOBJ_KEY, key) for key in which])
        yield Finding(
            KEYFRAME_START.id, Severity.WARNING, f"keyframe{'s' if len(which) > 1 else ''} {names}: {listed(problems, 8)}",
            "A run from there begins with a jolt.", (*((OBJ.mjOBJ_KEY, key) for key in which), *elements[problems]),
            {"problems": len(problems), "keyframes": len(which)},
        )  # fmt: skip


_ABOUT = (
    "The force of a violated constraint grows with the violation. A state that begins with one is accelerated as if it had "
    "been pressed there, and the energy of that spring is released."
)
OVERLAP_START = DoctorRule("overlap-start", "Geoms that overlap at the start", _ABOUT, _overlap_start)
LIMIT_START = DoctorRule("limit-start", "Joints and tendons beyond their range at the start", _ABOUT, _limit_start)
KEYFRAME_START = DoctorRule("keyframe-start", "Keyframes with overlaps or joints beyond their range", _ABOUT, _keyframe_start)
