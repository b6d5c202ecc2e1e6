"""Forks without a window: typed settings, steps beside the simulation, compared at moments that both have."""

import numpy as np
import pytest

from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.base.traces import BUCKET_SIZES
from tumble.app.panels.forks.forks import (
    BUCKETS,
    CONE_CHOICES,
    INTEGRATOR_CHOICES,
    SOLVER_CHOICES,
    STEP_CHOICES,
    ForkChoice,
    difference,
    new_traces,
)
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import AddFork
from tumble.app.simulation.fork_runner import MEASURES, Ticks, Track, errors
from tumble.app.simulation.perturbation import Grip, GripMode
from tumble.app.simulation.simulation import Simulation
from tumble.app.simulation.snapshot import Exchange

POSITION, ANGLE, VELOCITY, FORCE, ENERGY = range(len(MEASURES))
HEAP, BALL, ARM, BLOWUP, BOXES = (MODELS / f"{name}.xml" for name in ("heap", "ball", "arm", "blowup", "boxes"))


def running(path):
    model = physics.MjModel.from_xml_path(str(path))
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    sim = Simulation()
    sim.adopt(model, data, Exchange(data))
    return sim


def falling():
    """The ball, high above nothing, with gravity."""
    sim = running(BALL)
    sim.model.opt.gravity[:] = 0, 0, -9.81
    return sim


def forked(sim, changes=(), **settings):
    track = Track()
    sim.forks.add(sim.model, sim.data, len(sim.forks.forks), settings, changes, track)
    return track


def taken(sim, track):
    sim.publish()
    return track.take()


@pytest.mark.parametrize("path", [HEAP, BOXES])
def test_unchanged_fork_tracks_simulation_bit_for_bit(path):
    sim = running(path)
    sim.step(40)  # boxes in the midst of settling; those of the second scene fall asleep, and are woken by the pull
    track = forked(sim)
    for k in range(1500):
        sim.data.xfrc_applied[1, 0] = 3.0 * np.sin(0.02 * k) if k > 700 else 0.0
        sim.step(1)
    time, run, error = taken(sim, track)
    assert len(time) == 1500
    np.testing.assert_allclose(np.diff(time), sim.model.opt.timestep)
    assert np.nanmax(np.abs(error)) == 0.0  # bit for bit
    assert np.isnan(error[:, ENERGY]).all()
    assert (run == run[0]).all()


def test_the_controls_and_the_mouse_act_on_the_fork_too():
    sim = running(ARM)
    track = forked(sim)
    sim.data.ctrl[0] = 1.0
    sim.step(200)
    body = sim.model.nbody - 1
    target = sim.data.xpos[body] + [0.3, 0.0, 0.2]
    sim.hold(Grip(body, GripMode.TRANSLATE, np.zeros(3), target, np.array([1.0, 0, 0, 0])))
    sim.step(200)
    assert np.abs(sim.data.xfrc_applied[body]).max() > 0
    _, _, error = taken(sim, track)
    assert np.abs(sim.data.qvel).max() > 0
    assert np.nanmax(error) == 0.0


@pytest.mark.parametrize("chosen", [ForkChoice(cone="pyramidal"), ForkChoice(solver="LCP conjugate")])
def test_another_law_of_contact_lets_the_heap_settle_otherwise(chosen):
    sim = running(HEAP)
    track = forked(sim, **difference(chosen, 0.002).settings)
    sim.step(500)
    _, _, error = taken(sim, track)
    assert error[0, POSITION] == 0.0  # of one state, in one place
    assert 1e-5 < error[-1, POSITION] < 0.05
    assert error[:, FORCE].max() > 0.1


@pytest.mark.parametrize("factor", [0.1, 0.5, 0.7, 2.0, 5.0])
def test_fork_in_free_fall_differs_by_euler_truncation_error(factor):
    sim = falling()
    h = float(sim.model.opt.timestep)
    track = forked(sim, timestep=h * factor)
    sim.step(100)
    time, _, error = taken(sim, track)
    meetings = {0.1: 100, 0.5: 100, 0.7: 15, 2.0: 50, 5.0: 20}[factor]
    assert len(time) == meetings
    # Semi-implicit Euler falls by g t (t + h) / 2: apart by g t |h - h'| / 2 at time t. Velocities agree.
    np.testing.assert_allclose(error[:, POSITION], 9.81 * time * h * abs(1 - factor) / 2, rtol=1e-6, atol=1e-12)
    assert error[:, VELOCITY].max() < 1e-12


def test_a_step_that_is_changed_under_way_is_followed():
    sim = falling()
    h = float(sim.model.opt.timestep)
    track = forked(sim)
    sim.step(10)
    sim.model.opt.timestep = h / 4
    sim.step(40)
    time, _, _ = taken(sim, track)
    assert len(time) == 20
    np.testing.assert_allclose(np.diff(time), h, rtol=1e-9)
    fork = sim.forks.forks[0]
    assert fork.data.time == pytest.approx(sim.data.time, abs=1e-12)


def test_fork_with_far_too_small_timestep_is_stopped():
    sim = falling()
    forked(sim, timestep=1e-7)
    sim.step(1)
    sim.publish()
    assert "more than 1000 steps" in sim.forks.publish(sim.data)[0].stopped


def test_counted_time_gathers_no_rounding():
    ticks = Ticks(1e-4)
    ticks.count = 864_000_000  # a day
    assert ticks.time == pytest.approx(86_400.0, abs=1e-9)
    ticks.tick(1e-4)
    assert ticks.time == pytest.approx(86_400.0001, abs=1e-9)
    ticks.tick(0.5)
    assert ticks.time == pytest.approx(86_400.5001, abs=1e-9)


@pytest.mark.parametrize("jump", ["reset", "keyframe", "joint", "velocity"])
def test_when_the_state_jumps_forks_begin_anew_from_there(jump):
    sim = running(ARM)
    sim.data.ctrl[0] = 1.0
    track = forked(sim, timestep=0.001)
    sim.step(50)
    _, run, error = taken(sim, track)
    assert error[-1, ANGLE] > 0
    if jump == "joint":
        sim.data.qpos[0] += 0.3
        physics.mj_forward(sim.model, sim.data)
    elif jump == "velocity":
        sim.data.qvel[0] += 1.0
    else:
        sim.reset(*([0] if jump == "keyframe" else []))
    sim.publish()  # seen while it stands
    fork = sim.forks.forks[0]
    np.testing.assert_array_equal(fork.data.qpos, sim.data.qpos)
    assert fork.model.opt.timestep == 0.001
    sim.step(1)
    _, again, fresh = taken(sim, track)
    assert again[0] != run[0]
    assert fresh[0, ANGLE] == 0.0


def test_diverged_fork_names_its_dof_and_simulation_goes_on():
    sim = falling()
    track = forked(sim)
    forked(sim)
    sim.forks.forks[1].model.opt.gravity[:] = 0, 0, -1e16
    sim.step(30)
    well, bad = sim.forks.publish(sim.data)
    assert well.stopped == ""
    assert bad.stopped.startswith("blew up")
    assert "of joint" in bad.stopped
    assert abs(sim.data.qpos[2] - 1.0) < 0.1
    time, _, _ = track.take()
    assert len(time) == 30
    sim.reset()
    sim.forks.forks[1].model.opt.gravity[:] = 0, 0, -9.81
    sim.step(30)
    assert sim.forks.publish(sim.data)[1].stopped == ""


def test_forks_restart_after_simulation_diverges_and_resets():
    sim = running(BLOWUP)
    forked(sim, timestep=0.0005)
    resets = int(sim.data.resets)
    while int(sim.data.resets) == resets:
        sim.step(1)
    sim.publish()
    np.testing.assert_array_equal(sim.forks.forks[0].data.qpos, sim.data.qpos)
    sim.step(5)
    assert sim.forks.publish(sim.data)[0].stopped == ""


def test_fork_changes_update_its_derived_constants_only():
    sim = running(HEAP)
    body, before = 1, float(sim.model.body_mass[1])
    forked(sim, (Change("body_mass", body, (10 * before,)), Change("opt.gravity", None, (0, 0, -1.0))))
    fork = sim.forks.forks[0].model
    assert fork.body_mass[body] == 10 * before
    assert fork.body_subtreemass[0] == pytest.approx(sim.model.body_subtreemass[0] + 9 * before)
    assert sim.model.body_mass[body] == before
    assert sim.model.opt.gravity[2] == -9.81
    np.testing.assert_array_equal(sim.forks.forks[0].data.qpos, sim.data.qpos)


def test_energy_is_compared_while_its_flag_is_on():
    sim = falling()
    track = forked(sim, timestep=2 * float(sim.model.opt.timestep))
    sim.model.opt.enableflags |= int(physics.mjtEnableBit.mjENBL_ENERGY)  # later than the fork
    sim.step(60)
    _, _, error = taken(sim, track)
    assert error[0, ENERGY] == 0.0
    assert error[-1, ENERGY] > 0.0


def test_angle_error_is_exact_for_tiny_angles_and_either_sign():
    model = physics.MjModel.from_xml_path(str(BALL))
    ours, theirs = physics.MjData(model), physics.MjData(model)
    for angle in (1e-9, 0.1, 3.0):
        for sign in (1.0, -1.0):
            theirs.qpos[3:7] = sign * np.array([np.cos(angle / 2), 0, np.sin(angle / 2), 0])
            physics.mj_forward(model, ours)
            physics.mj_forward(model, theirs)
            assert errors(ours, theirs, ours.qvel, theirs.qvel)[ANGLE] == pytest.approx(angle, rel=1e-6)


def test_adding_a_fork_shrinks_the_next_step_batch():
    sim = running(HEAP)
    sim.clock.due(0.0, 0.002)
    sim.clock.done(0.0, 100, 0.002, 1e-3)
    assert sim.clock.due(1.0, 0.002) > 10
    answers = []
    AddFork(0, {}, (), Track(), answers.append).apply(sim)
    assert sim.clock.due(2.0, 0.002) == 1
    AddFork(1, {"solver": 9}, (), Track(), answers.append).apply(sim)
    assert answers[0] == ""
    assert "valid are 0 PGS, 1 CG, 2 Newton" in answers[1]
    assert list(sim.forks.forks) == [0]


def test_changed_fork_restarts_from_present_with_its_own_model():
    sim = running(HEAP)
    sim.step(40)
    track = forked(sim)
    sim.model.geom_friction[:, 0] = 0.123
    sim.step(100)
    _, first, error = taken(sim, track)
    assert np.nanmax(error[:, POSITION]) > 0.0  # of the edit
    sim.forks.add(sim.model, sim.data, 0, {"timestep": sim.model.opt.timestep / 2}, (), track)
    fork = sim.forks.forks[0]
    assert fork.model.opt.timestep == sim.model.opt.timestep / 2
    assert not (fork.model.geom_friction[:, 0] == 0.123).any()
    np.testing.assert_array_equal(fork.data.qpos, sim.data.qpos)
    sim.step(10)
    time, run, _ = taken(sim, track)
    assert len(time) == 10
    assert not set(run) & set(first)
    sim.forks.add(sim.model, sim.data, 0, {}, (), track)
    assert sim.forks.forks[0].model.opt.timestep == sim.model.opt.timestep


def test_choices_are_settings_and_named_in_a_few_words():
    assert (difference(ForkChoice(), 0.002).settings, difference(ForkChoice(), 0.002).name) == ({}, "")
    choice = difference(ForkChoice("PGS", "elliptic", "RK4", "/ 4", "0.05 1", "", "as in the file"), 0.002)
    assert choice.settings == {
        "solver": physics.mjtSolver.mjSOL_PGS, "contact_model": physics.ContactModel.SOFT,
        "cone": physics.mjtCone.mjCONE_ELLIPTIC, "integrator": physics.mjtIntegrator.mjINT_RK4,
        "timestep": 0.0005, "solref": (0.05, 1.0),
    }  # fmt: skip
    assert choice.from_file
    assert choice.name == "PGS, elliptic, RK4, step 0.0005 s, solref 0.05 1, as in the file"


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("0.005", 0.005), ("0,005", 0.005), ("/ 2", 0.001), ("/2", 0.001), ("x 3", 0.006), ("*3", 0.006), ("1e-4", 1e-4),
        (STEP_CHOICES[1], 0.001), (STEP_CHOICES[6], 0.02),
    ],
)  # fmt: skip
def test_a_step_is_seconds_or_a_factor(text, step):
    assert difference(ForkChoice(step=text), 0.002).settings["timestep"] == pytest.approx(step, rel=1e-15)


NO_STEP, NO_NUMBERS = r"as 0\.001 is, nor a factor, as / 2 or x 2", r"takes [25] numbers, as "


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        *((ForkChoice(step=text), NO_STEP) for text in ("soon", "-0.001", "0", "/ 0", "x", "x -2", "nan", "inf", "/")),
        *((ForkChoice(solref=text), NO_NUMBERS) for text in ("0.02", "1 2 3", "a 1")),
        *((ForkChoice(solimp=text), NO_NUMBERS) for text in ("0.9 0.95", "1 2 3 4 inf")),
        (ForkChoice(step="2"), "timestep must be between 1e-07 and 1"),
        (ForkChoice(solref="0.02 -1"), "solref: valid: two positive numbers"),
        (ForkChoice(solimp="0.9 2 0.001 0.5 2"), "solimp: dwidth must be between 0 and 1"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(chosen, why):
    with pytest.raises(ValueError, match=why):
        difference(chosen, 0.002)


def test_all_choices_of_the_boxes_make_a_fork():
    model = physics.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
    for chosen in (
        *(ForkChoice(solver=name) for name in SOLVER_CHOICES), *(ForkChoice(cone=name) for name in CONE_CHOICES),
        *(ForkChoice(integrator=name) for name in INTEGRATOR_CHOICES), *(ForkChoice(step=name) for name in STEP_CHOICES),
    ):  # fmt: skip
        variant = physics.variant(model, **difference(chosen, 0.002).settings)
        assert variant.opt.timestep > 0


def test_day_of_fork_traces_at_10_khz_has_bounded_memory():
    traces = new_traces()
    assert BUCKETS * BUCKET_SIZES[-1] > 24 * 3600 * 10_000
    assert 2 * traces.nbytes < 8e6  # the run before too
