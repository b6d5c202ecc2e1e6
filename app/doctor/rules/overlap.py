"""Rules overlap-start, limit-start and keyframe-start: states that begin with penetration or beyond a joint's range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tumble import physics
from tumble.app.doctor.case import ENERGY_GROWS, OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Severity, listed
from tumble.app.editing.stiffness import ElementAt
from tumble.physics import MjData
from tumble.physics.observe.thickness import DEEP, thickness_of
from tumble.physics.query.force import separations

_HINGE, _SLIDE = int(physics.mjtJoint.mjJNT_HINGE), int(physics.mjtJoint.mjJNT_SLIDE)
_FREE = int(physics.mjtJoint.mjJNT_FREE)
LEVEL = 0.5  # part of a normal along the vertical from which a body stands on a surface
BEYOND = 0.02  # of a range by which a joint or tendon may be beyond a limit: within, the limit's softness explains it
JOLT = 0.3  # speed to which a contact would throw its surfaces apart from which that is a finding [m/s]


def _overlaps(case: Examination, data: MjData) -> Iterator[tuple[tuple[int, int], float, float]]:
    """Pairs of geoms that start deep in each other, the deepest for its size first: pair, depth, thickness of the thinner [m].

    The thinner of a pair comes first.
    """
    deepest: dict[tuple[int, int], float] = {}
    leaving = separations(data)
    for k in range(int(data.ncon)):
        first, second = (int(g) for g in data.contact_geom[k])
        depth = max(0.0, -float(data.contact_dist[k]))
        if first >= 0 and second >= 0 and 2 * float(leaving[k]) * depth > JOLT**2:
            deepest[first, second] = max(deepest.get((first, second), 0.0), depth)
    thick = thickness_of(case.model)
    found = []
    for (first, second), depth in deepest.items():
        pair = (first, second) if thick[first] <= thick[second] else (second, first)
        found.append((pair, depth, float(thick[pair[0]])))
    yield from sorted((each for each in found if each[1] >= DEEP * each[2]), key=lambda each: -each[1] / each[2])


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
            {"depth": depth, "thickness": thickness, "pairs": len(found)}, _raised(case, [pair for pair, _, _ in found]),
            pair=pair, contacts=tuple(pair for pair, *_ in found), time=0.0,
        )  # fmt: skip


def _raised(case: Examination, pairs: list[tuple[int, int]]) -> ModelChange | None:
    """The height of the free body that is in the way first, with which it stands on what is fixed; None if it is not that.

    No number of the run: qpos0 is that of the file.
    """
    model, data = case.model, case.start
    first = next((b for pair in pairs if (b := _free_on_fixed(case, pair)) is not None), None)
    if first is None:
        return None
    rise = 0.0
    for k in range(int(data.ncon)):
        pair = int(data.contact_geom[k][0]), int(data.contact_geom[k][1])
        up = abs(float(data.contact_frame[k][2]))
        if min(pair) >= 0 and _free_on_fixed(case, pair) == first:
            if up < LEVEL:
                return None  # beside it, not below
            rise = max(rise, -float(data.contact_dist[k]) / up)
    x, y, z = (float(v) for v in model.body_pos[first])
    path = case.path_of((OBJ.mjOBJ_BODY, first), "pos")
    return ModelChange(path, f"{x:g} {y:g} {z:g}", f"{x:g} {y:g} {z + rise:.6g}", "it begins where it touches")


def _free_on_fixed(case: Examination, pair: tuple[int, int]) -> int | None:
    """The body with the free joint on one side of a pair whose other side cannot move."""
    model = case.model
    roots = [int(model.body_rootid[model.geom_bodyid[g]]) for g in pair]
    fixed = [int(model.body_weldid[model.geom_bodyid[g]]) == 0 for g in pair]
    if fixed[0] == fixed[1]:
        return None
    body = roots[0] if fixed[1] else roots[1]
    joint = int(model.body_jntadr[body])
    return body if joint >= 0 and int(model.jnt_type[joint]) == _FREE else None


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
OVERLAP_START = DoctorRule("overlap-start", "Geoms that overlap at the start", _ABOUT, _overlap_start, explains=ENERGY_GROWS)
LIMIT_START = DoctorRule(
    "limit-start", "Joints and tendons beyond their range at the start", _ABOUT, _limit_start, explains=ENERGY_GROWS
)
KEYFRAME_START = DoctorRule("keyframe-start", "Keyframes with overlaps or joints beyond their range", _ABOUT, _keyframe_start)
