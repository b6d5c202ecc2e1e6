"""A tap sees after every step what stepping one by one and looking would see."""

import copy

import numpy as np
import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics.errors import ModelError
from tumble.physics.observe.sample import SOLVER_COLUMNS, SignalTap, SolverTap

# Balls that fall one after the other onto a plane: contacts come, and their arrays grow beyond the first 32.
RAIN = "<mujoco><worldbody><geom type='plane' size='5 5 1'/>{}</worldbody></mujoco>".format(
    "".join(
        f"<body pos='{i % 8 - 4} {i // 8 - 3} {0.1 + 0.0005 * i:.4f}'><freejoint/><geom size='0.1'/></body>" for i in range(48)
    )
)
SIGNALS = [
    ("qpos", 2), ("qvel", 7), ("time", 0), ("ncon", 0), ("contact_dist", 0), ("contact_dist", 40), ("contact_geom", 3),
    ("efc_force", 130), ("solver_niter", 0), ("xpos", 5), ("opt_timestep", 0), ("opt_iterations", 0), ("body_mass", 4),
    ("body_awake", 3), ("geom_rgba", 1), ("eq_active", 0),
]  # fmt: skip


def looked_at(m, d, name, offset):
    """A number as Python sees it; nan beyond the rows in use."""
    value = np.ravel(getattr(d, name) if hasattr(d, name) else getattr(m, name))
    return value[offset] if offset < value.size else np.nan


def test_every_step_is_sampled_as_if_looked_at_one_by_one():
    signals = [s for s in SIGNALS if s[0] != "eq_active"]
    m, d = load(RAIN)
    other = physics.MjData(m)
    tap = SignalTap(d, signals)
    tap.attach()
    physics.mj_step(m, d, 45)
    seen = tap.since(0)
    assert seen.count == len(seen.time) == 45
    assert d.maxcon > 32  # contacts have moved to a larger place meanwhile
    for k in range(45):
        physics.mj_step(m, other)
        assert seen.time[k] == other.time
        expected = [looked_at(m, other, *s) for s in signals]
        np.testing.assert_array_equal(seen.values[k], expected)
    assert np.isnan(seen.values[:, 5]).any()  # contact 40: not there at first ...
    assert np.isfinite(seen.values[:, 5]).any()  # ... and there later


@pytest.mark.parametrize("solver", ["Newton", "PGS", "CG", "LCP"])
def test_solver_tap_samples_every_step_and_limit_hits(solver):
    hard, most = solver == "LCP", 4 if solver == "PGS" else 1
    option = f'<option iterations="{most}" solver="{"Newton" if hard else solver}"/>'
    m, d = load(RAIN.replace("<worldbody>", option + "<worldbody>", 1))
    m.tumble.contact_model, m.tumble.lcp_sweeps = int(hard), most
    other, timer = physics.MjData(m), int(physics.mjtTimer.mjTIMER_CONSTRAINT)
    tap = SolverTap(d, [timer])
    tap.attach()
    physics.mj_step(m, d, 60)
    seen = tap.since(0)
    for k in range(60):
        physics.mj_step(m, other)
        count = other.solver_niter[: max(1, min(20, other.nisland))] if other.nefc else np.zeros(1, int)
        table = other.solver.improvement if solver == "PGS" else other.solver.gradient
        last = [table.reshape(20, -1)[i, min(n, 200) - 1] for i, n in enumerate(count) if n]
        limit = count.max() if other.nefc and count.max() >= most else np.nan
        expected = [count.max(), limit, max(last, default=np.nan), other.nefc, other.ncon, other.nv_awake]
        np.testing.assert_array_equal(seen.values[k, :-1], expected)
    assert len(SOLVER_COLUMNS) == seen.values.shape[1] - 1
    assert (np.diff(seen.values[:, -1]) >= 0).all()
    assert seen.values[-1, -1] == d.timer_duration[timer] > 0
    assert np.isfinite(seen.values[:, 1]).any()


def test_only_new_samples_are_read_and_lost_ones_are_counted():
    m, d = load(RAIN)
    tap = SignalTap(d, [("qpos", 2)], rows=16)
    tap.attach()
    physics.mj_step(m, d, 10)
    assert len(tap.since(4).time) == 6
    physics.mj_step(m, d, 30)
    seen = tap.since(10)
    assert (seen.count, seen.lost, len(seen.time)) == (40, 14, 16)
    np.testing.assert_allclose(seen.time, m.opt.timestep * np.arange(25, 41), rtol=1e-12)  # sums of 40 time steps
    assert len(tap.since(40).time) == 0


def test_runs_are_told_apart_after_a_reset():
    m, d = load(RAIN)
    tap = SignalTap(d, [("qpos", 2)])
    tap.attach()
    physics.mj_step(m, d, 3)
    physics.mj_resetData(m, d)
    physics.mj_step(m, d, 2)
    seen = tap.since(0)
    assert tap.attached
    np.testing.assert_array_equal(seen.resets - seen.resets[0], [0, 0, 0, 1, 1])
    np.testing.assert_array_equal(seen.time[3:], seen.time[:2])
    np.testing.assert_array_equal(seen.values[3:], seen.values[:2])


def test_a_copy_of_the_data_is_not_tapped():
    m, d = load(RAIN)
    tap = SignalTap(d, [("qpos", 2)])
    tap.attach()
    twin = copy.deepcopy(d)
    physics.mj_step(m, twin, 3)
    assert tap.count == 0


@pytest.mark.parametrize(
    ("signal", "words"),
    [
        (("qpoz", 0), "no field 'qpoz'"),
        (("qpos", 48 * 7), "has 336 numbers"),
        (("qpos", -1), "no number -1"),
        (("time", 1), "is one number"),
        (("eq_active", 0), "has 0 numbers"),
    ],
)
def test_signals_that_there_are_not_are_refused(signal, words):
    _, d = load(RAIN)
    with pytest.raises(ModelError, match=words):
        SignalTap(d, [signal])
