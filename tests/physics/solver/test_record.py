"""The record of a solve: it disturbs nothing, ends where the solve ends, and measures all solvers alike."""

import copy

import numpy as np
import pytest

from tests.physics.island.scenes import ALL, scene
from tumble import physics
from tumble.physics import ContactModel, MjData, MjModel, Splitting
from tumble.physics.state.data import Data

SOLVERS = ("Newton", "CG", "PGS")


def load(solver="Newton", cone="elliptic", parts=ALL, noslip=0, hard=False, **options):
    """A scene of many islands with a little motion in it."""
    m = MjModel.from_xml_string(scene(*parts, solver=solver, cone=cone, **options))
    m.opt.noslip_iterations = noslip
    if hard:
        m.tumble.contact_model = ContactModel.LCP
    d = MjData(m)
    d.qvel[:] = np.random.default_rng(0).normal(size=m.nv) * 0.2
    return m, d


def values(d):
    """All that a step computes, as bytes; not: times, addresses, the record itself, and working memory."""
    skip = ("record_", "timer_", "solve_", "island_model", "island_data", "island_time", "clock", "work_")
    return {name: getattr(d, name).tobytes() if f.shape else getattr(d, name)
            for name, f in d._struct.fields.items() if not name.startswith(skip) and name not in ("maxR", "maxS")}  # fmt: skip


KINDS = [
    *({"solver": s, "cone": c} for s in SOLVERS for c in ("pyramidal", "elliptic")),
    {"solver": "PGS", "jacobian": "dense"}, {"solver": "Newton", "island": "disable"}, {"solver": "PGS", "island": "disable"},
    {"solver": "Newton", "noslip": 5}, {"solver": "PGS", "noslip": 5, "cone": "pyramidal"}, {"hard": True},
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_recording_changes_no_bit_and_ends_with_the_result(kind):
    m, d = load(**kind)
    quiet = copy.copy(d)
    physics.start_recording(d)
    for _ in range(12):
        physics.mj_step(m, d)
        physics.mj_step(m, quiet)
        assert values(d) == values(quiet)
        record = physics.read_record(m, d)
        assert record.complete
        assert record.force(10**6).tobytes() == d.efc_force.tobytes()
        np.testing.assert_array_equal(record.state(10**6), d.efc_state)
    assert len(record) == (1 if kind.get("hard") or kind.get("island") else d.nisland)
    assert max(len(t) for t in record) > 1
    for c in range(d.ncon):
        force = np.empty(6)
        physics.mj_contactForce(m, d, c, force)
        np.testing.assert_array_equal(record.contact_forces(record.iterates)[c], force)


@pytest.mark.parametrize("solver", SOLVERS)
def test_traces_agree_with_the_statistics(solver):
    m, d = load(solver)
    physics.start_recording(d)
    for _ in range(12):
        physics.mj_step(m, d)
    record = physics.read_record(m, d)
    for k, trace in enumerate(record):
        n, at = int(d.solver_niter[k]), k * physics.mjNSOLVER
        assert trace.solver == solver
        assert trace.island == k
        np.testing.assert_array_equal(trace.iteration, np.arange(n + 1))
        for mine, theirs in (("improvement", "improvement"), ("slope", "lineslope"), ("residual", "gradient"),
                             ("evaluations", "neval")):  # fmt: skip
            np.testing.assert_array_equal(getattr(trace, mine)[1:], getattr(d.solver, theirs)[at : at + n], err_msg=mine)
        active = (trace.state != physics.mjtConstraintState.mjCNSTRSTATE_SATISFIED).sum(axis=1)
        changed = (trace.state[1:] != trace.state[:-1]).sum(axis=1)
        np.testing.assert_array_equal(active[1:], d.solver.nactive[at : at + n])
        np.testing.assert_array_equal(changed, d.solver.nchange[at : at + n])
        np.testing.assert_array_equal(trace.rows, np.flatnonzero(d.efc_island == k))
        np.testing.assert_array_equal(trace.dofs, np.flatnonzero(d.dof_island == k))
        np.testing.assert_allclose(trace.qacc[-1], d.qacc[trace.dofs], rtol=1e-10, atol=1e-10)
        gained = trace.cost if solver != "PGS" else trace.dual
        np.testing.assert_allclose(trace.scale * -np.diff(gained), trace.improvement[1:], rtol=1e-6, atol=1e-11)
        if solver != "PGS":
            np.testing.assert_array_equal(trace.gradient, trace.residual)
            assert (trace.alpha[1:] > 0).all()
            assert (np.diff(trace.cost) <= 1e-12 * np.abs(trace.cost[1:])).all()


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_costs_of_all_solvers_meet_from_both_sides(cone):
    """Cost and minus dual cost bracket the optimum at every iterate of every solver, and meet there."""
    ends = {}
    for solver in SOLVERS:
        m, d = load(solver, cone)
        m.opt.iterations, m.opt.tolerance = 2000, 0.0
        physics.start_recording(d)
        physics.mj_forward(m, d)
        record = physics.read_record(m, d)
        ends[solver] = record.cost[-1]
        for trace in record:
            slack = 1e-9 * max(1.0, abs(trace.cost[-1]))
            assert (trace.gap > -slack).all()
            assert trace.gap[-1] < 1e-6 * max(1.0, trace.cost[-1])
            assert (trace.cost >= trace.cost[-1] - 1e-6 * max(1.0, trace.cost[-1])).all()
            assert trace.gradient[-1] < 1e-4
        assert record.gradient[-1] == max(trace.gradient[-1] for trace in record)
        assert record.dual[-1] == pytest.approx(sum(trace.dual[-1] for trace in record))
    assert ends["CG"] == pytest.approx(ends["Newton"], rel=1e-9)
    assert ends["PGS"] == pytest.approx(ends["Newton"], rel=1e-6)


def test_the_cost_of_forces_is_the_definition():
    """Cost and gradient of PGS's iterates, computed again from their accelerations in numpy."""
    m, d = load("PGS", "pyramidal", parts=("box", "arm"), jacobian="dense", island="disable")
    physics.start_recording(d)
    physics.mj_forward(m, d)
    (trace,) = physics.read_record(m, d)
    mass, cost = np.empty((m.nv, m.nv)), np.empty(1)
    physics.mj_fullM(m, mass, d.qM)
    jac = d.efc_J.reshape(-1, m.nv)
    smooth, aref, force = d.qacc_smooth.copy(), d.efc_aref.copy(), np.empty(m.nv)
    for k in range(len(trace)):
        x = smooth + np.linalg.solve(mass, jac.T @ trace.force[k])
        np.testing.assert_allclose(trace.qacc[k], x, rtol=1e-8, atol=1e-8)
        physics.mj_constraintUpdate(m, d, jac @ x - aref, cost, 0)
        assert trace.cost[k] == pytest.approx(0.5 * (x - smooth) @ mass @ (x - smooth) + cost[0], rel=1e-9)
        force = mass @ (x - smooth) - d.qfrc_constraint
        assert trace.gradient[k] == pytest.approx(trace.scale * np.linalg.norm(force), rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("method", list(Splitting))
def test_the_lcp_is_recorded_sweep_by_sweep(method):
    m, d = load(hard=True)
    m.tumble.lcp_method, m.tumble.lcp_tolerance = method, 1e-6
    physics.start_recording(d)
    for _ in range(12):
        physics.mj_step(m, d)
        (trace,) = physics.read_record(m, d)
        assert trace.force[-1].tobytes() == d.efc_force.tobytes()
        assert trace.residual[-1] == d.lcp_residual
    n = min(int(d.solver_niter[0]), physics.mjNSOLVER)
    assert trace.solver == "LCP"
    np.testing.assert_array_equal(trace.residual[1 : n + 1], d.solver.gradient[:n])
    np.testing.assert_array_equal(trace.improvement[1 : n + 1], d.solver.improvement[:n])
    assert np.isfinite(trace.cost).all()
    assert np.isnan(trace.dual).all()


def test_the_no_slip_pass_follows_the_solver():
    m, d = load("CG", noslip=6)
    physics.start_recording(d)
    physics.mj_forward(m, d)
    record = physics.read_record(m, d)
    assert record.iterates == max(len(trace) + len(trace.noslip) for trace in record)
    for trace in record:
        assert trace.noslip.solver == "no-slip"
        assert len(trace.noslip) > 1
        assert len(trace) + len(trace.noslip) == d.solver_niter[trace.island] + 2  # two starts
        np.testing.assert_array_equal(trace.noslip.force[0], trace.force[-1])  # it starts where the solver ended
        for k, iterate in enumerate((*trace.force, *trace.noslip.force)):
            np.testing.assert_array_equal(record.force(k)[trace.rows], iterate)
    np.testing.assert_array_equal(record.force(record.iterates), d.efc_force)


@pytest.mark.parametrize("noslip", [0, 6])
def test_full_record_keeps_last_iterate_and_counts_missed(noslip):
    m, d = load("PGS", noslip=noslip)
    unlimited = copy.copy(d)
    physics.start_recording(unlimited)
    physics.mj_forward(m, unlimited)
    width = int(unlimited.record_width)
    physics.start_recording(d, limit=8 * width * 12)
    physics.mj_forward(m, d)
    record, all_of_it = physics.read_record(m, d), physics.read_record(m, unlimited)
    assert values(d) == values(unlimited)
    assert not record.complete
    assert d.maxR <= 12 * width
    kept = 12 - (1 if noslip else 0)
    for short, full in zip(record, all_of_it, strict=True):
        assert short.missed == max(0, len(full) - kept)
        np.testing.assert_array_equal(short.cost[:-1], full.cost[: len(short) - 1])
        np.testing.assert_array_equal(short.force[-1], full.force[-1])
        assert short.iteration[-1] == full.iteration[-1]
        if noslip:
            assert short.noslip.missed == len(full.noslip) - len(short.noslip)
            np.testing.assert_array_equal(short.noslip.force[-1], full.noslip.force[-1])
    assert record.force(10**6).tobytes() == d.efc_force.tobytes()


def test_short_memory_ends_recording_not_the_simulation(monkeypatch, caplog):
    m, d = load("PGS")
    physics.start_recording(d)
    monkeypatch.setattr("tumble.physics.state.block.MOST_BYTES", d.nbytes + 1000)
    physics.mj_step(m, d)
    assert d.time == m.opt.timestep
    assert not physics.read_record(m, d).complete
    assert "no memory" in caplog.text


def test_nothing_is_kept_until_it_is_asked_for_nor_after():
    m, d = load()
    physics.mj_step(m, d)
    assert not physics.is_recording(d)
    assert d.maxR == d.maxS == d.record_width == 0
    assert len(physics.read_record(m, d)) == 0
    bytes_before = d.nbytes
    physics.start_recording(d)
    physics.mj_step(m, d)
    assert physics.is_recording(d)
    assert len(physics.read_record(m, d)) == d.nisland
    twin = copy.copy(d)
    assert not physics.is_recording(twin)
    assert twin.maxR == twin.maxS == 0
    physics.mj_resetData(m, d)
    assert physics.is_recording(d)
    assert len(physics.read_record(m, d)) == 0
    physics.mj_step(m, d)
    assert len(physics.read_record(m, d)) == d.nisland
    physics.stop_recording(d)
    assert d.nbytes == bytes_before
    assert len(physics.read_record(m, d)) == 0
    physics.mj_step(m, d)


def test_a_scene_without_constraint_has_an_empty_record():
    m, d = load(parts=("flying",))
    physics.start_recording(d)
    physics.mj_step(m, d)
    record = physics.read_record(m, d)
    assert len(record) == record.iterates == 0
    assert record.complete
    assert record.force(0).shape == (0,)
    assert record.contact_forces(3).shape == (0, 6)
    assert record.cost.shape == record.gradient.shape == (0,)


def test_mj_copydata_into_recording_data_keeps_the_record():
    m, d = load()
    other = MjData(m)
    physics.start_recording(d)
    physics.mj_step(m, d)
    size = d.maxR
    physics.mj_copyData(d, m, other)
    assert isinstance(d, Data)
    assert physics.is_recording(d)
    assert d.maxR == size
    physics.mj_step(m, d)
    assert physics.read_record(m, d).complete
