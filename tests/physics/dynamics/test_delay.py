"""Controls with a delay: what an actuator sees is the control of before, and nothing else changes."""

import mujoco
import numpy as np
import pytest

from tests.physics.histories import random_scene
from tests.physics.reference import load, twins
from tests.physics.sleep.scenes import arm
from tumble import physics

H = 0.01
SLIDE = """<mujoco><option timestep="{h}" integrator="{integrator}"/><worldbody><body><joint name="j" type="slide" axis="1 0 0"
damping="1"/><geom size=".1"/></body></worldbody><actuator>{actuators}</actuator></mujoco>"""
FIELDS = ("history", "sensordata", "actuator_force", "ctrl", "act", "qpos", "qvel")


def slide(*attributes, h=H, integrator="Euler"):
    actuators = "".join(f'<motor joint="j" {a}/>' for a in attributes)
    return load(SLIDE.format(h=h, integrator=integrator, actuators=actuators))


def forces(m, d, controls):
    rows = []
    for u in controls:
        d.ctrl[:] = u
        physics.mj_step(m, d)
        rows.append(d.actuator_force.copy())
    return np.array(rows)


@pytest.mark.parametrize("h", [0.001, 0.002, 0.01, 0.1])
def test_whole_step_delay_shifts_the_control_exactly(h):
    delays = (1, 2, 5, 8)
    m, d = slide(*(f'nsample="{k + spare}" delay="{k * h:.10g}"' for k in delays for spare in (0, 3)), h=h)
    u = np.random.default_rng(0).normal(size=1500)
    actual = forces(m, d, u)
    for i, k in enumerate(np.repeat(delays, 2)):
        np.testing.assert_array_equal(actual[k:, i], u[:-k])
        assert not actual[:k, i].any()


def test_a_history_without_a_delay_changes_no_bit_of_the_motion():
    states = []
    for attributes in ("", 'nsample="4"', 'nsample="4" interp="cubic"'):
        m, d = slide(attributes)
        forces(m, d, np.sin(np.arange(50.0)))
        states.append((d.qpos.tobytes(), d.qvel.tobytes()))
    assert len(set(states)) == 1


def test_a_bad_control_counts_when_it_arrives():
    m, d = slide('nsample="2" delay=".02"', "")
    results = []
    for u in (1, np.nan, 2, 3, 4):
        d.ctrl[:] = u, 7
        physics.mj_step(m, d)
        results.append((d.actuator_force.tolist(), int(d.warning[physics.mjtWarning.mjWARN_BADCTRL].number)))
    assert results == [([0, 7], 0), ([0, 7], 0), ([1, 7], 0), ([0, 0], 1), ([2, 7], 1)]


def test_sleeping_tree_does_not_shift_delays_of_another():
    xml = f"""<mujoco><option timestep=".01" sleep_tolerance="1e-3"><flag sleep="enable"/></option><worldbody>
{arm("rests", 0, "allowed")}{arm("moves", 3, "never")}</worldbody>
<actuator><motor joint="moves" nsample="5" delay=".05"/></actuator>
<sensor><jointvel joint="moves"/><jointvel joint="moves" nsample="4" delay=".04"/></sensor></mujoco>"""
    m, d = load(xml)
    d.qvel[0] = 0.01
    u, felt, read = np.sin(np.arange(60.0)), [], []
    for k in range(60):
        felt += forces(m, d, u[k : k + 1]).ravel().tolist()
        read.append(d.sensordata.copy())
    assert d.tree_asleep[0] >= 0
    assert felt[5:] == u[:-5].tolist()
    np.testing.assert_array_equal(np.array(read)[4:, 1], np.array(read)[:-4, 0])


def test_mj_forward_does_not_change_the_control_history():
    m, d = slide('nsample="3" delay=".02"')
    forces(m, d, [1, 2])
    before = d.history.copy()
    d.ctrl[:] = 9
    for _ in range(3):
        physics.mj_forward(m, d)
        assert d.actuator_force[0] == 1
    np.testing.assert_array_equal(d.history, before)


def advance_both(way, rm, rd, m, d):
    if way == "halves":
        for step in ("mj_step1", "mj_step2"):
            getattr(mujoco, step)(rm, rd)
            getattr(physics, step)(m, d)
    else:
        count = 3 if way == "several" else 1
        mujoco.mj_step(rm, rd, count)
        physics.mj_step(m, d, count)


@pytest.mark.parametrize("seed", range(26))
def test_random_delay_histories_match_reference_each_step(seed):
    # Of halves the reference computes accelerometers from the step before, and by Runge-Kutta most delayed sensors from the last
    # inner stage: see docs/decisions/differences.md.
    integrator = ("Euler", "implicit", "implicitfast")[seed // 3 % 3] if seed < 20 else "RK4"
    way = ("one", "halves", "several")[seed % 3] if seed < 20 else "one"
    more = {"sensors": ('<jointpos joint="j{i}"', '<gyro site="s{i}"', '<actuatorfrc actuator="a{i}"')} if way == "halves" else {}
    if integrator == "RK4":
        more = {"sensors": ('<jointpos joint="j{i}"', '<jointvel joint="j{i}"', "<clock")}
    xml = random_scene(seed, **more, integrator=integrator)
    rm, rd, m, d = twins(xml)
    for name in ("history", "historyadr", "delay"):
        np.testing.assert_array_equal(getattr(m, f"actuator_{name}"), getattr(rm, f"actuator_{name}"))
        np.testing.assert_array_equal(getattr(m, f"sensor_{name}"), getattr(rm, f"sensor_{name}"))
    np.testing.assert_array_equal(m.sensor_interval, rm.sensor_interval)
    np.testing.assert_array_equal(d.history, rd.history)
    rng = np.random.default_rng(seed)
    for k in range(40):
        rd.ctrl[:] = d.ctrl[:] = rng.normal(size=m.nu)
        if k == 25 and seed < 20:  # time goes back, the buffers do not: their samples are then out of order
            rd.time = d.time = float(d.time - 2.4 * m.opt.timestep)
        advance_both(way, rm, rd, m, d)
        for name in FIELDS:
            np.testing.assert_allclose(getattr(d, name), getattr(rd, name), rtol=1e-10, atol=1e-12, err_msg=f"{name}, step {k}")


def test_a_model_without_histories_runs_no_stage_of_theirs():
    m, _ = slide("")
    physics.run.program.bind(m)
    entries = physics.state.stages.Entry
    assert m.stage[entries.DELAYED_CTRL] == m.stage[entries.KEEP_HISTORY] == 0
    m, _ = slide('nsample="1"')
    physics.run.program.bind(m)
    assert m.stage[entries.DELAYED_CTRL] != 0
    assert m.stage[entries.KEEP_HISTORY] != 0
