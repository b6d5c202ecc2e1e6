"""A small sample of `make battery`: what differs from the reference is right, by a third answer."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.battery.cases import Maker
from tests.battery.engines import Bench
from tests.battery.run import PairResult, faults, pairs_of_kinds, run_pair
from tests.battery.truth import best_axis
from tests.battery.verdict import NEITHER, THEIRS

POINTS = [p for p in pairs_of_kinds() if p not in (("box", "box"), ("capsule", "box"))][::3]


@pytest.fixture(scope="module")
def results() -> list[PairResult]:
    return [run_pair(kinds, 16, seed=2) for kinds in POINTS]


def test_where_the_engines_differ_the_reference_is_not_the_one_that_is_right(results):
    wrong = [("-".join(r.kinds), o.case.kind, o.verdict) for r in results for o in r.outcomes if o.verdict.right == THEIRS]
    assert wrong == []


def test_few_disagreements_leave_both_wrong(results):
    verdicts = Counter(o.verdict.right for r in results for o in r.outcomes if o.verdict.what)
    assert verdicts.total() > 15
    assert verdicts[NEITHER] <= 0.05 * verdicts.total() + 1


def test_no_contact_has_a_frame_that_is_none_or_is_beyond_its_margin_or_outside_of_the_shapes(results):
    assert not [f for r in results for o in r.outcomes for f in o.faults]


@pytest.mark.parametrize(
    ("kinds", "number"),
    [
        pytest.param(("brick", "tetrahedron"), 123, id="the points around the first triangle make a concave polytope"),
        pytest.param(("tetrahedron", "tetrahedron"), 277, id="a gap of 1e-8 m: the origin is beyond a face"),
        pytest.param(("stone", "needle"), 52, id="a depth of 1e-12 m, whose axis has to be found by moving the shapes apart"),
    ],
)
def test_depth_and_point_are_right_where_the_polytope_is_flat_or_concave(kinds, number):
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
