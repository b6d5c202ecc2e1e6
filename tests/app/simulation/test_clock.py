"""The clock: exact in the long run, bounded when late, honest about the rate."""

from __future__ import annotations

import pytest

from tumble.app.simulation.clock import MAX_BATCH, MAX_LAG, Clock

H = 0.002


def _run(clock: Clock, seconds: float, cost: float, start: float = 0.0) -> tuple[int, float]:
    """Play the thread's loop with steps that take `cost` [s]; returns the steps taken and the wall time."""
    now, steps = start, 0
    while now < start + seconds:
        count = clock.due(now, H)
        if count:
            now += count * cost
            clock.done(now, count, H, count * cost)
            steps += count
        now += clock.wait(H)
    return steps, now


@pytest.mark.parametrize("rate", [0.1, 1.0, 3.0])
def test_time_runs_at_the_rate_wanted(rate: float) -> None:
    clock = Clock(rate)
    steps, now = _run(clock, 10.0, cost=2e-5)
    assert steps * H == pytest.approx(rate * now, abs=2 * 0.004 * rate + H)  # off by what is due at the next wake-up
    assert clock.measured == pytest.approx(rate, rel=0.02)  # a window of 0.5 s holds 125 wake-ups, one more or less


def test_too_slow_model_runs_at_full_speed_and_reports_rate() -> None:
    clock = Clock(1.0)
    steps, now = _run(clock, 5.0, cost=2 * H)
    assert steps * 2 * H == pytest.approx(now, rel=0.02)
    assert clock.measured == pytest.approx(0.5, rel=0.02)


def test_what_was_lost_is_not_made_up_for() -> None:
    clock = Clock(1.0)
    _run(clock, 1.0, cost=1e-5)
    late = _run(clock, 0.5, cost=1e-5, start=100.0)[0] * H  # 99 s during which the thread did not run
    assert late <= 0.5 + MAX_LAG + 2 * H


def test_a_batch_takes_no_longer_than_a_command_may_wait() -> None:
    clock = Clock(1.0)
    clock.due(0.0, H)
    clock.done(0.0, 1, H, 0.003)
    assert clock.due(1.0, H) * 0.003 <= MAX_BATCH


def test_a_stopped_clock_owes_nothing() -> None:
    clock = Clock(1.0)
    _run(clock, 1.0, cost=1e-5)
    clock.stop()
    assert clock.measured == 0
    assert clock.due(50.0, H) == 0


def test_a_step_longer_than_the_lag_allowed_is_still_taken() -> None:
    clock = Clock(1.0)
    clock.due(0.0, 0.5)
    assert clock.due(0.6, 0.5) == 1


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf")])
def test_a_rate_must_be_positive(rate: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        Clock().rate = rate
