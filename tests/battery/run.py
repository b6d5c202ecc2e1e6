"""Runs the battery: cases of each pair of kinds through both engines, and the verdicts."""

from itertools import combinations_with_replacement

import numpy as np
from msgspec import Struct, field

from tests.battery.cases import Case, Maker
from tests.battery.engines import Bench, Points
from tests.battery.shapes import KINDS
from tests.battery.verdict import Verdict, disagreement, judge, turned

_SAMPLED = 40  # one of so many agreements is checked too: both can be wrong


class Outcome(Struct):
    """What came of one case. distance: difference of the deepest points, in scales; angle: of their normals [rad], -1: none."""

    case: Case
    number: tuple[int, int]
    distance: float
    angle: float
    verdict: Verdict
    faults: list[str]


class PairResult(Struct):
    """The outcomes of one pair of kinds."""

    kinds: tuple[str, str]
    outcomes: list[Outcome] = field(default_factory=list)


def pairs_of_kinds() -> list[tuple[str, str]]:
    """All but two planes."""
    return [pair for pair in combinations_with_replacement(KINDS, 2) if pair != ("plane", "plane")]


def run_pair(kinds: tuple[str, str], number: int, seed: int, option: str = "", flag: str = "") -> PairResult:
    """So many cases of one pair of kinds."""
    bench = Bench(kinds, option, flag)
    maker = Maker(kinds, bench.hulls(), seed * 1000 + pairs_of_kinds().index(kinds))
    result = PairResult(kinds)
    for k in range(number):
        case = maker.case(k)
        bench.load(case)
        ours, theirs = bench.ours(), bench.theirs()
        what = disagreement(case, ours, theirs)
        verdict = judge(case, ours, theirs, what) if what or k % _SAMPLED == 7 else Verdict("")
        both = len(ours.dist) > 0 and len(theirs.dist) > 0
        distance = abs(ours.dist.min() - theirs.dist.min()) / case.scale if both else 0.0
        outcome = Outcome(case, (len(ours.dist), len(theirs.dist)), distance, turned(ours, theirs) if both else -1.0, verdict, [])
        outcome.faults = faults(case, ours)
        result.outcomes.append(outcome)
    return result


def faults(case: Case, points: Points) -> list[str]:
    """What no contact may be, whatever the truth."""
    if not all(np.isfinite(x).all() for x in (points.dist, points.pos, points.frame)):
        return ["not a number"]
    found = []
    eye = np.einsum("kij,klj->kil", points.frame, points.frame) - np.eye(3)
    if np.abs(eye).max(initial=0.0) > 1e-9 or (len(points.dist) and np.linalg.det(points.frame).min() < 0):
        found.append("frame")
    if points.dist.max(initial=-np.inf) > case.margin:
        found.append("beyond the margin")
    if any(outside(case, pos, dist) for pos, dist in zip(points.pos, points.dist, strict=True)):
        found.append("outside")
    return found


def outside(case: Case, pos: np.ndarray, dist: float) -> bool:
    """Whether a point is farther from a shape than half the distance or depth and half the margin.

    As far as normals of flat sides and the way to the centre tell.
    """
    room = 0.5 * (abs(dist) + case.margin) + 1e-6 * case.scale
    for shape in (case.first, case.second):
        away = pos - shape.pos
        if shape.kind == "plane":
            beyond = float(shape.mat[:, 2] @ away)
        else:
            way = away / max(float(np.linalg.norm(away)), 1e-300)
            axes = np.concatenate([shape.normals(), way[None]])
            beyond = float((axes @ away - shape.extent(axes)).max())
        if beyond > room:
            return True
    return False
