"""Docks take turns: together they stay within their share of a frame, and each gets its turn."""

import pytest

from tumble.app.session.frame_budget import PAINTING, SHARE, FrameBudget


class Clock:
    """Time that passes when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def run(frames, costs, frame, free=False):
    """How often each of some docks drew, and what they took of each frame; costs: of drawing; frame: without them [s]."""
    clock = Clock()
    budget = FrameBudget(clock)
    made = [budget.new_turn(0.1) for _ in costs]
    drawn, taken = [0] * len(costs), []

    def draw(k):
        clock.now += costs[k]
        drawn[k] += 1

    for _ in range(frames):
        clock.now += frame
        budget.begin(free=free)
        before = clock.now
        for k, turn in enumerate(made):
            turn.take(lambda k=k: draw(k))
        taken.append(clock.now - before)
    return drawn, taken


def test_with_time_enough_each_draws_as_often_as_it_wants():
    drawn, _ = run(600, [1e-4] * 5, 1 / 60)
    assert all(n == pytest.approx(600 / 60 / 0.1, rel=0.3) for n in drawn)


def test_without_they_keep_to_their_share_and_all_come_to_it():
    drawn, taken = run(600, [4e-3] * 12, 0.05)
    settled = taken[100:]
    assert max(settled) <= SHARE * 0.07 + 1e-9  # frames are longer by what docks take
    assert min(drawn) >= max(drawn) - 2
    assert sum(drawn) > 550  # one in each frame in any case


def test_one_that_costs_more_than_all_have_is_drawn_alone():
    drawn, taken = run(400, [0.03, 1e-4, 1e-4], 0.02)
    assert drawn[0] > 50
    assert max(taken[50:]) < 0.03 + 3e-4
    assert PAINTING * 0.03 > SHARE * 0.05


def test_while_time_stands_everybody_draws():
    drawn, _ = run(20, [0.05] * 4, 0.02, free=True)
    assert drawn == [20] * 4


def test_who_no_longer_asks_takes_no_turn_from_others():
    clock = Clock()
    budget = FrameBudget(clock)
    seen, gone = budget.new_turn(0.01), budget.new_turn(0.01)
    count = 0

    def draw():
        nonlocal count
        clock.now += 1.0  # more than all have: one a frame
        count += 1

    gone.take(draw)
    for _ in range(10):
        clock.now += 0.02
        budget.begin(free=False)
        seen.take(draw)
    assert count >= 9
