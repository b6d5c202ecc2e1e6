"""A small sample of `make battery`: what differs from the reference is right, by a third answer."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.battery.run import PairResult, pairs_of_kinds, run_pair
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


def test_no_contact_has_a_frame_that_is_none_or_is_beyond_its_margin(results):
    assert not [f for r in results for o in r.outcomes for f in o.faults if f != "outside"]
