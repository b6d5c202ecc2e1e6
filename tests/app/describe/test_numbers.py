"""Numbers and times for reading: rounding reads 0, units fit the size, a moment has one form, angles keep their turns."""

import math

import numpy as np
import pytest

from tumble.app.describe.names import nearest, split, turns_text
from tumble.app.describe.numbers import (
    MINUS,
    digits_of,
    duration,
    fixed,
    length,
    metric,
    moment,
    plain,
    row_text,
    short,
    step_moment,
)


def test_what_is_far_below_what_matters_reads_zero():
    assert metric(5.204e-17, "m") == "0 m"
    assert length(5.204e-17) == "0"
    assert short(-3e-16) == "0"
    assert short(3e-16, 0.0) == "3e\N{MINUS SIGN}16"  # where rounding is what is asked about
    assert fixed(-4e-8, 4) == "0.0000"  # no sign before nothing
    assert fixed(-0.25, 2) == f"{MINUS}0.25"
    assert row_text((1.0, 2e-17, -0.5), 4, result=False) == "1 0 -0.5"
    assert row_text((1e-15,), 4, result=False) == "1e-15"  # a tolerance that somebody has written
    assert row_text((1e-15,), 4, result=True) == "0"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.00124, "1.24 mN"), (3100.0, "3.1 kN"), (999.96, "1 kN"), (-0.5, f"{MINUS}500 mN"), (math.inf, "∞ N")],
)
def test_a_prefix_brings_a_number_between_one_and_a_thousand(value, text):
    assert metric(value, "N") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.25, "0.25 m"), (-0.0123, f"{MINUS}12.3 mm"), (2e-6, "2 µm"), (4e-9, "4 nm"), (math.nan, "not known")],
)
def test_lengths_are_told_in_a_unit_that_suits_them(value, text):
    assert length(value) == text


def test_a_typed_number_has_the_decimals_that_it_needs():
    assert [plain(v) for v in (10.0, 0.25, 0.12345, 1e6)] == ["10.0", "0.25", "0.1235", "1000000.0"]


def test_a_moment_has_one_form_and_a_length_of_time_three_digits():
    assert [moment(t) for t in (0.0, -0.0001, 12.3456, 59.9996, 3723.5)] == [
        "0.000 s", "0.000 s", "12.346 s", "1 min 00.000 s", "62 min 03.500 s",
    ]  # fmt: skip
    assert moment(125.4, 0) == "2 min 05 s"
    assert step_moment(0.1, 1e-4) == "0.1000 s"
    assert [digits_of(t) for t in (0.002, 0.01, 0.0025, 1e-5)] == [3, 2, 3, 5]
    assert [duration(t) for t in (0.0, 8.5e-5, 1.234e-3, 0.85, 12.34, 62.0, 7500.0)] == [
        "0 s", "85 µs", "1.23 ms", "0.85 s", "12.3 s", "1 min 02 s", "2 h 05 min",
    ]  # fmt: skip


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
