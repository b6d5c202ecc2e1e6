"""Curves and settings of solves, and the samples of their history, without a window."""

import numpy as np
import pytest

from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.panels.solver import convergence
from tumble.app.panels.solver.convergence import (
    Comparison,
    ShownSolve,
    SolveReading,
    SolverProbe,
    best_costs,
    curves,
    label,
    outcome,
    places,
    settings,
)
from tumble.app.profile import COLUMNS, LIMIT, STAGES, SolverHistory, solver_tap
from tumble.physics.observe.sample import SolverTap


@pytest.fixture
def heap():
    m = physics.MjModel.from_xml_path(str(MODELS / "heap.xml"))
    d = physics.MjData(m)
    physics.start_recording(d)
    physics.mj_step(m, d, 12)
    return m, d


def test_curves_are_positive_and_end_at_the_best(heap):
    record = physics.read_record(*heap)
    best = best_costs([record])
    for curve, trace in zip(curves(record, "cost", best), record, strict=True):
        assert len(curve.value) == len(trace)
        assert (curve.value > 0).all()
        assert curve.value[-1] <= 1e-12 * abs(trace.cost[0])
        np.testing.assert_allclose(curve.value[0], trace.cost[0] - trace.cost.min())
    assert all(len(c.value) == len(t) - 1 for c, t in zip(curves(record, "improvement", best), record, strict=True))
    assert outcome(record).iterations == heap[1].solver_niter[:2].max()


def test_a_lower_cost_of_another_solve_lifts_the_first_one(heap):
    m, d = heap
    rough = physics.solve_again(m, d, iterations=1)
    records = [rough.record, physics.read_record(m, d)]
    best = best_costs(records)
    lifted = curves(rough.record, "cost", best)
    assert max(curve.value[-1] for curve in lifted) > 1e-6
    rough = physics.solve_again(m, d, island=False, iterations=1)
    own = physics.read_record(m, d)
    assert rough.record[0].island == -1
    (curve,) = curves(rough.record, "cost", best_costs([own, rough.record]))
    assert curve.value[-1] == pytest.approx(rough.record[0].cost[-1] - own.cost[-1], rel=1e-6)
    assert curve.value[-1] > 1e-6


def test_a_compressed_axis_and_many_islands_have_room(heap, monkeypatch):
    np.testing.assert_allclose(places([0, 9, 999], True), [0, 1, 3])
    np.testing.assert_array_equal(places([0, 9, 999], False), [0, 9, 999])
    monkeypatch.setattr(convergence, "MOST_ISLANDS", 1)
    record = physics.read_record(*heap)
    (trace,) = convergence.largest(record)
    assert len(trace.rows) == max(len(t.rows) for t in record)


def test_settings_are_checked_and_named():
    chosen = settings("PGS", "elliptic cone", " 1e-9 ", 50, False)
    assert chosen["tolerance"] == 1e-9
    assert chosen["iterations"] == 50
    assert label(chosen, "PGS") == "PGS, elliptic, tol 1e-09, ≤50, cold"
    hard = settings("LCP SOR", "cone as it is", "1e-6", 9, True)
    assert hard["lcp_tolerance"] == 1e-6
    assert hard["lcp_sweeps"] == 9
    assert "tolerance" not in hard
    for bad in ("x", "-1", "nan", "inf"):
        with pytest.raises(ValueError, match="tolerance"):
            settings("CG", "cone as it is", bad, 0, True)


def test_a_comparison_forgets_with_its_step_and_keeps_the_newest(heap):
    m, d = heap
    comparison, again = Comparison(), physics.Again(m)
    assert comparison.summary(paused=True).startswith("No step yet: press Space")
    assert comparison.show(SolveReading((1, 0), d.time, d.qacc.copy(), physics.read_record(m, d), 60))
    for k in range(6):
        comparison.add(f"solve {k}", again.solve(d))
    comparison.add("solve 5", again.solve(d))
    assert [name for name, _ in comparison.solves] == ["solve 2", "solve 3", "solve 4", "solve 5"]
    assert all(numbers.difference == 0 for _, numbers in comparison.outcomes())
    assert not comparison.show(SolveReading((1, 0)))
    assert comparison.show(SolveReading((2, 0)))
    assert comparison.solves == []
    assert comparison.lines("cost") == []


def test_the_probe_reads_records_seldom_unless_eager(heap):
    m, d = heap
    clock = [0.0]
    probe, into = SolverProbe(lambda: clock[0]), ShownSolve()
    probe.eager = False
    for _ in range(10):
        physics.mj_step(m, d, 3)
        probe.take(m, d, into)
        clock[0] += 0.06
    assert not into.fresh
    probe.eager = True
    probe.take(m, d, into)
    assert into.fresh
    assert into.reading.time == d.time


def test_solver_history_keeps_limit_hits_and_mean_times(heap):
    m, d = heap
    physics.mj_resetData(m, d)
    history, tap = SolverHistory(), solver_tap(d)
    tap.attach()
    for steps in (3, 40, 1):
        count = tap.count
        physics.mj_step(m, d, steps)
        history.take(tap.since(count))
    m.opt.iterations = 1  # two steps of very many
    count = tap.count
    physics.mj_step(m, d, 2)
    at = d.time
    m.opt.iterations = 100
    for _ in range(4):
        physics.mj_step(m, d, 5000)
    history.take(tap.since(count))
    assert history.now.count == 20_046
    assert history.hits == 2
    time, values = history.now.curve(LIMIT, 0.0, d.time, 600)  # far coarser than a point for each step
    assert len(time) <= 700
    assert np.nanmax(values) == 1
    assert abs(time[np.isfinite(values)] - at).max() < d.time / 200
    _, kept = history.now.samples()
    solver = COLUMNS.index("solver")
    assert (np.diff(kept[-5000:, solver]) == 0).all()
    assert 0 < kept[-1, solver] < 1e-2
    physics.mj_resetData(m, d)
    count = tap.count
    physics.mj_step(m, d, 5)
    history.take(tap.since(count))
    assert (history.now.count, history.hits, history.lost) == (5, 0, 0)


def test_steps_that_came_too_fast_are_counted_in_bounded_memory(heap):
    m, d = heap
    history, tap = SolverHistory(), SolverTap(d, [timer for _, timer in STAGES], rows=8)
    tap.attach()
    physics.mj_step(m, d, 20)
    history.take(tap.since(0))
    assert (history.lost, history.now.count) == (12, 8)
    history = SolverHistory()
    before = history.nbytes
    assert before < 20e6
    for k in range(40):
        time = np.arange(1000) * 1e-4 + 0.1 * k
        history.feed(time, np.zeros(1000, np.int64), np.ones((1000, len(COLUMNS))))
    assert history.nbytes == before
