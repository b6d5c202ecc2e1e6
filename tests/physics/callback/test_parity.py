"""The same Python callbacks, installed in the reference and here, are called at the same points and have the same effect."""

from itertools import count

import mujoco
import numpy as np
import pytest

from tests.physics.callback.scene import SCENE
from tests.physics.reference import assert_close, load
from tumble import physics

STEPS = 8


def control(m, d):
    d.ctrl[:] = [0.3, 0.2, -0.4, np.sin(40 * d.time)]
    d.xfrc_applied[2, 0] = 0.3


def passive(m, d):
    d.qfrc_passive[:] -= 0.4 * d.qvel


def act_dyn(m, d, i):
    at = m.actuator_actadr[i]
    if m.actuator_actnum[i] == 3:
        d.act_dot[at : at + 3] = [d.act[at + 1], d.act[at + 2], d.ctrl[i] - d.act[at]]
        return 99.0  # which is not used
    return 5.0 * (d.ctrl[i] - d.act[at])


def act_gain(m, d, i):
    return 2.0 + i + d.actuator_length[i]


def act_bias(m, d, i):
    return -3.0 * d.actuator_velocity[i]


def sensor(m, d, stage):
    d.sensordata[0:2] += (d.qpos[0], 7.0) if stage == 1 else 0.0
    d.sensordata[stage] += {1: 0.1, 2: d.qvel[0], 3: d.qacc[0]}[int(stage)]


def contactfilter(m, d, g1, g2):
    return {g1, g2} == {0, 2}  # the lower ball falls through the floor


CALLBACKS = {f.__name__: f for f in (control, passive, act_dyn, act_gain, act_bias, sensor, contactfilter)}
FIELDS = ("qpos", "qvel", "act", "act_dot", "actuator_force", "qfrc_actuator", "qfrc_passive", "qacc", "sensordata", "time")


def run(engine, names, text):
    """Data of an engine after some steps with callbacks, and after an inverse."""
    m, d = load(text, engine)
    d.qvel[:] = 0.1
    for name in names:
        getattr(engine, f"set_mjcb_{name}")(CALLBACKS[name])
    engine.mj_step(m, d, STEPS)
    engine.mj_step1(m, d)
    engine.mj_step2(m, d)
    engine.mj_inverse(m, d)
    return d


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("names", [(name,) for name in CALLBACKS] + [tuple(CALLBACKS)], ids=lambda names: "-".join(names)[:20])
def test_callbacks_give_the_reference_trajectory(names, integrator):
    text = SCENE.format(integrator=integrator)
    ours, theirs = run(physics, names, text), run(mujoco, names, text)
    # 1e-9, times the forces of the contacts, which the solver finds to its tolerance
    assert_close(ours, theirs, FIELDS, rtol=1e-9, atol=1e-8)
    assert_close(ours, theirs, ("qfrc_inverse",), rtol=1e-7, atol=1e-7)
    assert sorted(map(tuple, ours.contact.geom.tolist())) == sorted(map(tuple, theirs.contact.geom.tolist()))


def test_user_types_without_callbacks_match_reference():
    text = SCENE.format(integrator="Euler")
    ours, theirs = [], []
    for engine, results in ((physics, ours), (mujoco, theirs)):
        m, d = load(text, engine)
        d.act[:], d.sensordata[:] = np.arange(1, 6), 7
        engine.mj_forward(m, d)
        results.append(d)
    assert_close(ours[0], theirs[0], FIELDS, rtol=1e-9, atol=1e-9)
    assert ours[0].sensordata[:4].tolist() == [0, 0, 0, 0]


CALLS = ("mj_forward", "mj_step", "mj_step1", "mj_step2", "mj_inverse", "mj_fwdPosition", "mj_fwdVelocity", "mj_fwdActuation",
         "mj_passive", "mj_sensorPos", "mj_sensorVel", "mj_sensorAcc", "mj_collision", "mj_fwdAcceleration", "mj_fwdConstraint")
FLAGS = ("CONSTRAINT", "CONTACT", "SPRING", "DAMPER", "ACTUATION", "SENSOR")


def called(engine, integrator, flags=()):
    """What every function of the pipeline calls, in order; pairs of geoms that touch nothing are left out."""
    engine.mj_resetCallbacks()
    m = engine.MjModel.from_xml_string(SCENE.format(integrator=integrator))
    m.opt.disableflags = sum(int(getattr(engine.mjtDisableBit, f"mjDSBL_{flag}")) for flag in flags)
    d, log = engine.MjData(m), []
    for name in CALLBACKS:
        def told(m, d, *of, name=name):
            if name != "contactfilter" or of in ((0, 2), (0, 3)):
                log.append((name, *map(int, of)))
            return 0

        getattr(engine, f"set_mjcb_{name}")(told)
    for name in CALLS:
        log.append(name)
        getattr(engine, name)(m, d)
    engine.mj_forwardSkip(m, d, engine.mjtStage.mjSTAGE_VEL, 1)
    engine.mj_forwardSkip(m, d, engine.mjtStage.mjSTAGE_POS, 0)
    return log


@pytest.mark.parametrize(("integrator", "flags"), [
    ("Euler", ()), ("RK4", ()), ("implicitfast", ()), ("Euler", ("SPRING", "DAMPER")), *[("Euler", (flag,)) for flag in FLAGS],
])  # fmt: skip
def test_callback_order_matches_reference(integrator, flags):
    assert called(physics, integrator, flags) == called(mujoco, integrator, flags)


def test_sleep_transition_repeats_callbacks_as_reference():
    logs = []
    for engine in (physics, mujoco):
        m = engine.MjModel.from_xml_string("""<mujoco><option><flag sleep="enable"/></option><worldbody>
          <geom type="plane" size="5 5 1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
          </worldbody></mujoco>""")
        d, log = engine.MjData(m), []
        engine.set_mjcb_control(lambda m, d, log=log: log.append("c"))
        engine.set_mjcb_passive(lambda m, d, log=log: log.append("p"))
        falls = []
        for _ in range(120):
            log.clear()
            engine.mj_step(m, d)
            falls.append("".join(log))
        assert d.tree_asleep[0] >= 0
        logs.append(falls)
    ours, theirs = logs
    assert ours.count("pcpc") == theirs.count("pcpc") == 1
    assert set(ours) == set(theirs)


def test_timers_go_by_the_users_clock():
    for engine in (physics, mujoco):
        m = engine.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
        engine.set_mjcb_time(count().__next__)
        d = engine.MjData(m)
        engine.mj_step(m, d)
        step = d.timer.duration[0] if engine is physics else d.timer[0].duration
        assert step == int(step) > 10
