"""Histories belong to the state: what is kept and put back goes on to the last bit, wherever it goes on."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from tests.physics.histories import DELAYED
from tests.physics.reference import load
from tumble import physics
from tumble.physics import Again, MjData, MjModel, mjtState

STEPS = 1000
SPEC = mjtState.mjSTATE_INTEGRATION


def on(m, d, steps=STEPS, start=0):
    """Steps under controls that change with each; returns all bits on the way."""
    rows = []
    for k in range(start, start + steps):
        d.ctrl[:] = np.sin([0.1 * k, 0.07 * k, 0.3 * k])
        physics.mj_step(m, d)
        rows.append(d.history.tobytes() + d.qpos.tobytes() + d.sensordata.tobytes())
    return rows


@pytest.fixture
def running():
    m, d = load(DELAYED)
    on(m, d, 333)
    assert np.unique(d.history).size > 40
    return m, d


def kept(m, d, spec=SPEC):
    state = np.empty(physics.mj_stateSize(m, spec))
    physics.mj_getState(m, d, state, spec)
    return state


@pytest.mark.parametrize("integrator", [0, 1])
def test_a_state_that_is_put_back_goes_on_bit_for_bit(running, integrator):
    m, d = running
    m.opt.integrator = integrator
    state = kept(m, d)
    first = on(m, d)
    physics.mj_setState(m, d, state, SPEC)
    assert on(m, d) == first
    other = MjData(m)
    physics.mj_setState(m, other, state, SPEC)
    assert on(m, other) == first


def test_a_state_goes_on_bit_for_bit_in_another_process(running, tmp_path):
    m, d = running
    np.save(tmp_path / "state.npy", kept(m, d))
    (tmp_path / "model.xml").write_text(DELAYED)
    program = f"""
import numpy as np
from tumble import physics
m = physics.MjModel.from_xml_path("model.xml")
d = physics.MjData(m)
physics.mj_setState(m, d, np.load("state.npy"), {int(SPEC)})
for k in range({STEPS}):
    d.ctrl[:] = np.sin([0.1 * k, 0.07 * k, 0.3 * k])
    physics.mj_step(m, d)
state = np.empty(physics.mj_stateSize(m, {int(SPEC)}))
physics.mj_getState(m, d, state, {int(SPEC)})
np.save("end.npy", np.append(state, d.sensordata))
"""
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    on(m, d)
    assert np.load(tmp_path / "end.npy").tobytes() == np.append(kept(m, d), d.sensordata).tobytes()


def test_without_its_history_the_same_state_goes_on_otherwise(running):
    m, d = running
    state = kept(m, d)
    first = on(m, d, 5)
    spec = SPEC & ~mjtState.mjSTATE_HISTORY
    other = MjData(m)
    physics.mj_setState(m, other, physics_part(m, state, spec), spec)
    assert on(m, other, 5) != first


def physics_part(m, state, spec):
    part = np.empty(physics.mj_stateSize(m, spec))
    physics.mj_extractState(m, state, SPEC, part, spec)
    return part


def test_history_is_part_of_the_physics_state(running):
    m, d = running
    assert mjtState.mjSTATE_PHYSICS & mjtState.mjSTATE_HISTORY
    assert physics.mj_stateSize(m, mjtState.mjSTATE_HISTORY) == m.nhistory == d.history.size
    other = MjData(m)
    physics.mj_copyState(m, d, other, mjtState.mjSTATE_PHYSICS)
    np.testing.assert_array_equal(other.history, d.history)
    np.testing.assert_array_equal(kept(m, d, mjtState.mjSTATE_HISTORY), d.history)


def copied(m, d):
    other = MjData(m)
    physics.mj_copyData(other, m, d)
    return m, other


@pytest.mark.parametrize("duplicate", [
    copied, physics.fork, lambda m, d: (copy.copy(m), copy.copy(d)), lambda m, d: pickle.loads(pickle.dumps((m, d))),
], ids=["copyData", "fork", "copy", "pickle"])  # fmt: skip
def test_a_copy_goes_on_bit_for_bit(running, duplicate):
    m, d = running
    m2, d2 = duplicate(m, d)
    assert on(m2, d2, 200) == on(m, d, 200)


@pytest.mark.parametrize("recording", [False, True])
def test_a_step_is_solved_again_with_the_controls_that_it_had(running, recording):
    m, d = running
    if recording:
        physics.start_recording(d)
        on(m, d, 1)
    else:
        physics.mj_forward(m, d)
    before = d.history.copy()
    again = Again(m)
    for _ in range(2):
        assert again.solve(d).qacc.tobytes() == d.qacc.tobytes()
    np.testing.assert_array_equal(d.history, before)


def test_keyframe_reset_starts_with_initial_history():
    m, d = load(DELAYED.replace("</mujoco>", '<keyframe><key time=".5" qpos=".1 .2"/></keyframe></mujoco>'))
    on(m, d, 20)
    physics.mj_resetDataKeyframe(m, d, 0)
    assert d.time == 0.5
    np.testing.assert_array_equal(d.history, MjData(m).history)


def test_step_repeated_for_buffer_growth_samples_history_once():
    m = MjModel.from_xml_string(DELAYED)
    m.opt.integrator = physics.mjtIntegrator.mjINT_RK4
    d, tight = MjData(m), MjData(m)
    repeated = 0
    for k in range(400):
        on(m, d, 1, k)
        tight._grow("maxefc", max(1, tight.nefc))  # no more than the step before needed: inner stages run short too
        before = int(tight.timer[physics.mjtTimer.mjTIMER_FORWARD].number)
        on(m, tight, 1, k)
        repeated += tight.timer[physics.mjtTimer.mjTIMER_FORWARD].number - before > 4
        assert kept(m, tight).tobytes() == kept(m, d).tobytes(), k
    assert repeated > 0
