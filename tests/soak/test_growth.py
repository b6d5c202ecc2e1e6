"""The soak's own arithmetic: growth is seen through noise, and told apart from it; who has caused it is found."""

from collections import Counter

import numpy as np
import pytest

from tests.soak.growth import LEAST, growth, shares, slope

RNG_SEED = 5


def test_a_line_has_its_slope():
    assert slope([0, 1, 2, 5], [3, 5, 7, 13]) == pytest.approx(2.0)


def test_a_third_of_wild_samples_changes_nothing_much():
    rng = np.random.default_rng(RNG_SEED)
    t = np.linspace(0, 2, 100)
    v = 4 * t + rng.normal(0, 0.1, 100)
    v[rng.choice(100, 25, replace=False)] += 50  # a large model was still being released
    found = growth(t.tolist(), v.tolist())
    assert found is not None
    assert found.rate == pytest.approx(4, abs=0.5)
    assert found.total == pytest.approx(8, abs=1)


def test_noise_does_not_grow():
    rng = np.random.default_rng(RNG_SEED)
    found = growth(np.linspace(0, 2, 200).tolist(), rng.normal(300, 3, 200).tolist())
    assert found is not None
    assert abs(found.total) < 2


def test_few_samples_say_nothing():
    assert growth([0.0] * (LEAST - 1), [1.0] * (LEAST - 1)) is None


def test_samples_at_one_time_have_no_slope():
    assert slope([1, 1, 1], [1, 2, 3]) == 0.0


def test_the_action_that_adds_is_found_among_others():
    rng = np.random.default_rng(RNG_SEED)
    names = [f"action {k}" for k in range(8)]
    counts = [Counter(rng.choice(names, 10).tolist()) for _ in range(120)]
    values = np.cumsum([0.3 * count["action 3"] for count in counts]) + rng.normal(0, 0.2, 120)
    values[40] += 30
    first, second, *_ = shares(counts, values.tolist())
    assert first.action == "action 3"
    assert first.each == pytest.approx(0.3, abs=0.05)
    assert first.certain > 5
    assert abs(second.each) < 0.1


def test_fewer_samples_than_four_an_action_accuse_no_one():
    counts = [Counter({"a": k % 3, "b": 1 + k % 2}) for k in range(2 * LEAST)]
    assert shares(counts, list(range(2 * LEAST))) == []
