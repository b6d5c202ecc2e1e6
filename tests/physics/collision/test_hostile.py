"""Pairs of shapes that hurt: needles, flat and huge and tiny ones, far from the origin, coincident, with absurd options."""

from collections import Counter

import numpy as np
import pytest

from tests.battery.cases import Case, Maker, rotation
from tests.battery.engines import Bench, Points
from tests.battery.run import PairResult, faults, pairs_of_kinds, run_pair
from tests.battery.shapes import Hull, Shape, half_sizes, local_extent
from tests.battery.truth import best_axis
from tests.battery.verdict import NEITHER, THEIRS

PAIRS = [p for p in pairs_of_kinds() if not {"tetrahedron", "stone"} & set(p)]
OPTIONS = {"default": (1e-6, 35), "one iteration": (1e-6, 1), "no tolerance": (0.0, 35), "below rounding": (1e-15, 35),
           "many iterations": (0.0, 100_000)}  # fmt: skip
TURN = rotation(np.random.default_rng(0))


def hostile_shape(kind: str, hull: Hull | None, base: float, which: int) -> Shape:
    """Round, long or flat: 1 to 1e4."""
    long = [1.0, 1e-4, 1e4][which % 3]
    size = np.array([2.0 ** round(np.log2(base)), 0.0, 0.0]) if hull else base * np.array([1.0, long, 1.0])
    size[{"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3) :] = 0.0
    return Shape(kind, size, np.zeros(3), np.eye(3), hull)


def placed(shape: Shape, pos: np.ndarray, mat: np.ndarray) -> Shape:
    return Shape(shape.kind, shape.size, pos, mat, shape.hull)


def hostile_cases(bench: Bench, number: int) -> list[Case]:
    """Coincident, parallel and just touching, deep, apart within a margin larger than the shapes; here and 1000 km away."""
    rng, hulls, cases = np.random.default_rng(3), bench.hulls(), []
    for k in range(number):
        base = [1.0, 1e-6, 1e6][k % 3]
        a = hostile_shape(bench.kinds[0], hulls[0], base, k)
        b = hostile_shape(bench.kinds[1], hulls[1], base * [1.0, 1e-3][k % 2], k // 2)
        mat1, mat2 = (np.eye(3), np.eye(3)) if k % 4 < 2 else (TURN, rotation(rng))
        least = min(half_sizes(s.kind, s.size, s.hull).min() for s in (a, b) if s.kind != "plane")
        height = sum(local_extent(s.kind, s.size, np.array([0.0, 0, 1]), s.hull) for s in (a, b))
        away = [0.0, height, height * (1 - 1e-9), 0.5 * height, height + 0.1 * least][k % 5] * mat1[:, 2]
        start = 1e6 * np.array([1.0, -2.0, 0.5]) if k % 7 == 3 else np.zeros(3)
        margin = [0.0, 1e-3 * least, 10.0 * base][(k // 5) % 3]
        cases.append(Case(placed(a, start, mat1), placed(b, start + away, mat2), margin, "hostile"))
    return cases


def fault(case: Case, points: Points) -> str:
    """What is wrong with the contacts; "" if nothing is. Far from the origin a place has the rounding of 1e6 m."""
    if not all(np.isfinite(x).all() for x in (points.dist, points.pos, points.frame)):
        return "not a number"
    if np.abs(np.einsum("kij,klj->kil", points.frame, points.frame) - np.eye(3)).max(initial=0.0) > 1e-9:
        return "the frame is no rotation"
    if len(points.dist) and np.linalg.det(points.frame).min() < 0:
        return "the frame is left-handed"
    if points.dist.max(initial=-np.inf) > case.margin:
        return "beyond the margin"
    rounding = 1e-9 + 1e-6 * case.scale
    for shape in (case.first, case.second):
        if shape.kind != "plane" and len(points.pos):
            far = np.linalg.norm(points.pos - shape.pos, axis=1) - shape.radius
            if (far > 0.5 * np.abs(points.dist) + case.margin + rounding).any():
                return "outside"
    return ""


@pytest.mark.parametrize("older", [False, True], ids=["native", "older pipeline"])
def test_no_hostile_pair_gives_a_contact_that_cannot_be(older):
    wrong, met = [], 0
    for kinds in PAIRS:
        bench = Bench(kinds)
        if older:
            bench.older_pipeline()
        for k, case in enumerate(hostile_cases(bench, 30)):
            name = list(OPTIONS)[k % len(OPTIONS)]
            bench.load(case)
            bench.m.opt_ccd_tolerance, bench.m.opt_ccd_iterations = OPTIONS[name]
            points = bench.ours()
            met += len(points.dist) > 0
            problem = fault(case, points)
            if problem:
                wrong.append(("-".join(kinds), k, name, problem))
    assert wrong == []
    assert met > 300


POINTS = [p for p in pairs_of_kinds() if p not in (("box", "box"), ("capsule", "box"))][::3]


@pytest.fixture(scope="module")
def results() -> list[PairResult]:
    return [run_pair(kinds, 16, seed=2) for kinds in POINTS]


def test_reference_is_never_right_where_engines_differ(results):
    wrong = [("-".join(r.kinds), o.case.kind, o.verdict) for r in results for o in r.outcomes if o.verdict.right == THEIRS]
    assert wrong == []


def test_few_disagreements_leave_both_wrong(results):
    verdicts = Counter(o.verdict.right for r in results for o in r.outcomes if o.verdict.what)
    assert verdicts.total() > 15
    assert verdicts[NEITHER] <= 0.05 * verdicts.total() + 1


def test_contacts_have_valid_frames_and_lie_in_margin_and_shape(results):
    assert not [f for r in results for o in r.outcomes for f in o.faults]


@pytest.mark.parametrize(
    ("kinds", "number"),
    [
        pytest.param(("brick", "tetrahedron"), 123, id="the points around the first triangle make a concave polytope"),
        pytest.param(("tetrahedron", "tetrahedron"), 277, id="a gap of 1e-8 m: the origin is beyond a face"),
        pytest.param(("stone", "needle"), 52, id="a depth of 1e-12 m, whose axis has to be found by moving the shapes apart"),
    ],
)
def test_depth_is_exact_on_flat_or_concave_polytopes(kinds, number):
    bench = Bench(kinds)
    maker = Maker(kinds, bench.hulls(), 1000 + pairs_of_kinds().index(kinds))
    for k in range(number + 1):
        case = maker.case(k)
    bench.load(case)
    points = bench.ours()
    true, _ = best_axis(case, np.concatenate([points.frame[:, 0], -points.frame[:, 0]]))
    assert faults(case, points) == []
    assert len(points.dist) == (1 if true < case.margin else 0)
    assert points.dist == pytest.approx(true, abs=1e-9 * case.scale)
