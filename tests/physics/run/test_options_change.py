"""Options that change while something runs: a call goes on with those that it began with, and nothing faults."""

import threading

import numpy as np
import pytest

from tests.child import run_in_child
from tests.physics.island.scenes import ALL, scene
from tests.physics.reference import load
from tumble import physics

STRESS = """
import random, threading, time
import numpy as np
from tumble import physics
from tests.physics.island.scenes import ALL, scene

CHOICES = dict(
    cone=(0, 1), solver=(0, 1, 2), integrator=(0, 1, 2, 3), jacobian=(0, 1, 2), noslip_iterations=(0, 2), iterations=(1, 20, 100),
    timestep=(0.001, 0.002), disableflags=(0, 2, 4, 8, 1 << 9, 1 << 14, 1 << 17), enableflags=(0, 1, 2, 4, 8),
)
m = physics.MjModel.from_xml_string(scene(*ALL))
d = physics.MjData(m)
physics.mj_step(m, d)
for integrator in CHOICES["integrator"]:  # kernels are compiled here, not while the clock runs
    m.opt.integrator = integrator
    for model in range(2):
        m.tumble.contact_model = model
        for solver in CHOICES["solver"]:
            for jacobian in range(2):
                m.opt.solver, m.opt.jacobian, m.opt.noslip_iterations = solver, jacobian, 2
                physics.mj_step(m, d)
m.tumble.contact_model = 0
physics.mj_resetData(m, d)
chance, done, changes = random.Random(1), threading.Event(), [0]

def toggle():
    while not done.is_set():
        name = chance.choice(list(CHOICES))
        setattr(m.opt, name, chance.choice(CHOICES[name]))
        m.tumble.contact_model, m.tumble.threads = chance.random() < 0.1, 1 + (chance.random() < 0.3)
        changes[0] += 1
        time.sleep(chance.random() * 2e-4)

thread = threading.Thread(target=toggle)
thread.start()
end, calls = time.monotonic() + 1.2, 0
while time.monotonic() < end or calls <= 20:  # the first may compile
    try:
        physics.mj_step(m, d, 10)
        physics.mj_step1(m, d)
        physics.mj_step2(m, d)
    except physics.ModelError as error:
        assert "Runge-Kutta" in str(error) or "RK4" in str(error), error
    calls += 1
    assert np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all()
    assert 0 <= d.nefc <= 4000 and (d.efc_id >= 0).all() and (d.contact.geom < m.ngeom).all()
done.set()
thread.join()
assert calls > 20 and changes[0] > 200, (calls, changes)
print("whole")
"""


@pytest.mark.slow
def test_another_thread_toggles_every_option_while_one_steps():
    assert run_in_child(STRESS, seconds=60).endswith("whole\n")


def test_a_step_that_runs_keeps_the_options_that_it_began_with():
    """A callback within the step changes them: what the step computes after it is as if it had not."""
    m = physics.MjModel.from_xml_string(scene(*ALL))
    d, twin = physics.MjData(m), physics.MjData(m)
    physics.mj_step(m, d, 100)
    physics.mj_step(m, twin, 100)
    seen = []

    def change(model: physics.MjModel, data: physics.MjData) -> None:
        assert model is m
        if data is not d:
            return
        seen.append(data)
        m.opt.solver, m.opt.cone, m.opt.jacobian = 0, 1, 1
        m.opt.timestep, m.opt.noslip_iterations = 0.001, 4
        other = physics.MjData(m)
        physics.mj_forward(m, other)  # binds the model for these options

    before = [getattr(m.opt, name) for name in ("solver", "cone", "jacobian", "timestep", "noslip_iterations")]
    physics.set_mjcb_control(change)
    try:
        physics.mj_step(m, d)
    finally:
        physics.set_mjcb_control(None)
    assert seen == [d]
    for name, value in zip(("solver", "cone", "jacobian", "timestep", "noslip_iterations"), before, strict=True):
        setattr(m.opt, name, value)
    physics.mj_step(m, twin)
    assert d.time == twin.time
    np.testing.assert_array_equal(d.qpos, twin.qpos)


@pytest.mark.parametrize("change", [
    {"cone": 1}, {"jacobian": 1}, {"jacobian": 1, "solver": 1}, {"solver": 0}, {"noslip_iterations": 5},
    {"solver": 1, "cone": 1}, {"disableflags": 2}, {"disableflags": 4},
], ids=str)  # fmt: skip
@pytest.mark.parametrize("second", ["mj_step2", "mj_fwdConstraint"])
def test_option_change_between_half_steps_rebuilds_constraints(change, second):
    """What comes out is what a whole step with the new options gives."""
    m, d = load(scene(*ALL))
    physics.mj_step(m, d, 150)
    expected = physics.MjData(m)
    physics.mj_copyData(expected, m, d)
    physics.mj_step1(m, d)
    if second == "mj_fwdConstraint":
        physics.mj_fwdActuation(m, d)
        physics.mj_fwdAcceleration(m, d)
    for name, value in change.items():
        setattr(m.opt, name, value)
    getattr(physics, second)(m, d)
    (physics.mj_step if second == "mj_step2" else physics.mj_forward)(m, expected)
    np.testing.assert_array_equal(d.efc_type, expected.efc_type)
    np.testing.assert_array_equal(d.qacc, expected.qacc)


RAIN = "<mujoco><worldbody><geom type='plane' size='3 3 1'/>" + "".join(
    f"<body pos='{k % 4 * 0.15} {k // 4 * 0.15} 0.3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" for k in range(12)
) + "</worldbody></mujoco>"  # fmt: skip


def test_the_second_thread_gets_an_error_and_the_first_goes_on():
    m = physics.MjModel.from_xml_string(RAIN)
    d, alone = physics.MjData(m), physics.MjData(m)
    refused, done = [], threading.Event()

    def disturb() -> None:
        calls = (physics.mj_step, physics.mj_forward, physics.mj_resetData, physics.mj_kinematics)
        while not done.is_set():
            for call in calls[:1] if refused else calls:
                try:
                    call(m, other)
                except physics.ModelError as error:
                    refused.append(str(error))

    other = physics.MjData(m)
    held = threading.Event()

    def hold() -> None:
        other.take(m)
        held.set()
        done.wait()
        other.give()

    threads = [threading.Thread(target=hold), threading.Thread(target=disturb)]
    threads[0].start()
    held.wait()
    threads[1].start()
    physics.mj_step(m, d, 300)
    physics.mj_step(m, alone, 300)
    done.set()
    for thread in threads:
        thread.join()
    assert len(refused) >= 1
    assert "another thread is at work on these data" in refused[0]
    np.testing.assert_array_equal(d.qpos, alone.qpos)
    physics.mj_step(m, other)  # free again


def test_threads_that_fight_for_the_same_data_leave_them_whole():
    m, d = load(RAIN)
    outcomes: list[str] = []

    def fight() -> None:
        for _ in range(40):
            try:
                physics.mj_step(m, d, 5)
                outcomes.append("stepped")
            except physics.ModelError as error:
                outcomes.append(str(error))

    threads = [threading.Thread(target=fight) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = 5 * outcomes.count("stepped")
    twin = physics.MjData(m)
    physics.mj_step(m, twin, steps)
    np.testing.assert_array_equal(d.qpos, twin.qpos)
    assert set(outcomes) <= {"stepped", "another thread is at work on these data: each thread needs data of its own"}
