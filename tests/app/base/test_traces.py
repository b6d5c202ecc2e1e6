"""Traces keep every peak in bounded memory, whatever the rate and however long."""

import numpy as np
import pytest

from tumble.app.base.traces import BUCKET_SIZES, BUCKETS, KEPT, Run, Traces


def fed(run, count, chunk, rate=10_000.0, signal=np.sin):
    for at in range(0, count, chunk):
        t = (at + np.arange(min(chunk, count - at))) / rate
        run.feed(t, signal(t)[:, None])


def test_a_short_run_is_drawn_as_it_is():
    run = Run(1)
    fed(run, 1000, 137)
    t, y = run.curve(0, 0.0, 1.0, 4000)
    np.testing.assert_allclose(t, np.arange(1000) / 10_000)
    np.testing.assert_array_equal(y, np.sin(t))


@pytest.mark.parametrize("chunk", [1, 7, 64, 1000, 70_000])
def test_levels_are_those_of_all_samples_however_they_come(chunk):
    count = {1: 5000, 7: 15_000}.get(chunk, 150_000)
    run = Run(1, kept=4096, buckets=4096)
    values = np.random.default_rng(1).normal(size=count)
    for at in range(0, count, chunk):
        part = slice(at, min(count, at + chunk))
        run.feed(np.arange(part.start, part.stop) * 1e-4, values[part, None])
    for level in run.levels:
        rows = level.order(count)
        edges = np.arange(max(0, -(-count // level.size) - 4096), -(-count // level.size)) * level.size
        np.testing.assert_array_equal(level.low[rows, 0], np.minimum.reduceat(values, edges))
        np.testing.assert_array_equal(level.high[rows, 0], np.maximum.reduceat(values, edges))
        np.testing.assert_allclose(level.start[rows], edges * 1e-4)
    time, kept = run.samples()
    np.testing.assert_array_equal(kept[:, 0], values[-4096:])
    assert time[-1] == pytest.approx((count - 1) * 1e-4)


@pytest.mark.slow
# 864 million samples take minutes to feed, so the ordinary suite takes a 64th of everything: the samples, and the room for them.
@pytest.mark.parametrize("scale", [64, pytest.param(1, marks=pytest.mark.fuzz)])
def test_day_at_10_khz_keeps_peaks_in_bounded_memory(scale):
    day = 24 * 3600 * 10_000
    assert KEPT + BUCKETS * BUCKET_SIZES[-1] > day  # the whole reaches back a day
    assert Run(1).nbytes < 5e6
    run = Run(1, KEPT // scale, BUCKETS // scale)
    before, count, chunk = run.nbytes, day // scale, 90_000
    peaks = (12_345, count // 2, count - 100)
    for at in range(0, count, chunk):
        values = np.zeros(chunk)
        for peak in peaks:
            if at <= peak < at + chunk:
                values[peak - at] = 7.0
        run.feed((at + np.arange(chunk)) * 1e-4, values[:, None])
    assert run.count == count
    assert run.nbytes == before
    for peak in peaks:
        for start, end in ((0.0, count * 1e-4), (peak * 1e-4 - 60, peak * 1e-4 + 60)):
            t, y = run.curve(0, start, end, 2000)
            assert len(t) <= 2100
            assert y.max() == 7.0
            # It shows where it was, to two buckets of the last level at worst.
            near = np.abs(t - peak * 1e-4) < 2 * max(BUCKET_SIZES[-1] * 1e-4, (end - start) / 900)
            assert y[near].max() == 7.0
    t, _ = run.curve(0, (count - 1000) * 1e-4, count * 1e-4, 2000)
    assert len(t) == pytest.approx(1000, abs=3)  # the last moments: full resolution


def test_no_drawing_has_many_more_points_than_asked_for():
    run = Run(1)
    fed(run, 1_000_000, 10_000)
    for start, end in ((0, 100), (95, 100), (50, 51), (99.99, 100), (0, 1), (200, 300)):
        t, _ = run.curve(0, start, end, 1000)
        assert len(t) <= 1100
        assert np.all(np.diff(t) >= 0)


def test_a_new_run_begins_at_a_reset_and_the_one_before_is_kept():
    traces = Traces(["a"])
    t = np.arange(1, 6) * 0.1
    traces.feed(np.append(t, t[:3]), np.array([0] * 5 + [1] * 3), np.arange(8.0)[:, None])
    assert traces.now.count == 3
    assert traces.before.count == 5
    np.testing.assert_array_equal(traces.now.samples()[1][:, 0], [5, 6, 7])
    traces.feed(t[3:], np.array([1, 1]), np.array([[8.0], [9.0]]))
    assert traces.now.count == 5
    traces.feed(t[:2], np.array([1, 1]), np.array([[0.0], [1.0]]))  # the state was taken back
    assert traces.now.count == 2
    np.testing.assert_array_equal(traces.before.samples()[1][:, 0], [5, 6, 7, 8, 9])


def test_added_signal_starts_empty_and_keeps_others():
    traces = Traces(["a"])
    traces.feed(np.array([0.1, 0.2]), np.zeros(2, int), np.array([[1.0], [2.0]]))
    traces.choose(["b", "a"])
    traces.feed(np.array([0.3]), np.zeros(1, int), np.array([[5.0, 3.0]]))
    headings, rows = traces.table()
    assert headings == ["time", "b", "a"]
    np.testing.assert_array_equal(rows, [[0.1, np.nan, 1], [0.2, np.nan, 2], [0.3, 5, 3]])
    assert traces.now.at(1, 0.25) == 2
    assert np.isnan(traces.now.at(0, 0.25))
