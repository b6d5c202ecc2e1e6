"""Angles of hinges that turn on and on."""

import math

import numpy as np
import pytest

from tumble.app.describe.names import nearest, split, turns_text


def test_an_angle_is_its_part_within_a_turn_and_whole_turns():
    for angle in np.random.default_rng(1).uniform(-50, 50, 200):
        part, turns = split(float(angle))
        assert -math.pi < part <= math.pi
        assert part + 2 * math.pi * turns == pytest.approx(angle, abs=1e-12)
    assert split(math.pi) == (math.pi, 0)
    assert split(-math.pi) == (pytest.approx(math.pi), -1)
    assert split(0.0) == (0.0, 0)


def test_the_nearest_angle_keeps_the_turns():
    for now in np.random.default_rng(2).uniform(-50, 50, 200):
        for wanted in (-3.0, -0.1, 0.5, 3.1):
            found = nearest(wanted, float(now))
            assert abs(found - now) <= math.pi + 1e-12
            assert math.cos(found - wanted) == pytest.approx(1.0)
    assert nearest(7.0, 0.0) == 7.0  # typed beyond a turn: meant so


def test_turns_are_named():
    assert [turns_text(n) for n in (-2, -1, 0, 1, 3)] == ["-2 turns", "-1 turn", "", "+1 turn", "+3 turns"]
