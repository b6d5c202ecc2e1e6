"""The chain of an actuator, number by number, against what the step computes and closed forms."""

import math

import numpy as np
import pytest

from tests.physics.reference import load
from tumble import physics
from tumble.physics.errors import UnknownIndexError
from tumble.physics.query.actuator_chain import (
    ActuatorLaw,
    actuator_chain,
    adhesion_contacts,
    is_muscle,
    is_servo,
    length_range_words,
    past_controls,
    slider_crank,
    time_constants,
)

ARM = """<mujoco><compiler angle="radian"/><option timestep=".002"/><worldbody><body>
      <joint name="j" axis="0 1 0" damping=".1" range="-1 1" limited="true"
      actuatorfrcrange="-3 3"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/>
      <site name="tip" pos=".4 0 .05"/></body>
      <site name="root" pos="0 0 .3"/></worldbody>
    <tendon><spatial name="cord"><site site="root"/><site site="tip"/></spatial></tendon>
    <actuator>{}</actuator></mujoco>"""
KINDS = {
    "motor": '<motor name="a" joint="j" gear="3" ctrlrange="-.5 .5"/>',
    "servo": '<position name="a" joint="j" kp="20" kv="2" forcerange="-5 5"/>',
    "filter": '<general name="a" joint="j" dyntype="filter" dynprm=".05" gainprm="4"/>',
    "early": '<general name="a" joint="j" dyntype="filterexact" dynprm=".05" gainprm="4" actearly="true"/>',
    "velocity": '<intvelocity name="a" joint="j" kp="9" actrange="-.1 .1"/>',
    "damper": '<damper name="a" joint="j" kv="3" ctrlrange="0 2"/>',
    "muscle": '<muscle name="a" tendon="cord" lengthrange=".2 .6" force="50"/>',
    "cylinder": '<cylinder name="a" joint="j" timeconst=".1" area="2" bias="1 2 3"/>',
}


def arm(kind: str, ctrl: float = 1.0, steps: int = 40):
    m, d = load(ARM.format(KINDS[kind]))
    d.ctrl[:] = ctrl
    physics.mj_step(m, d, steps)
    physics.mj_forward(m, d)
    return m, d


@pytest.mark.parametrize("kind", KINDS)
def test_the_chain_ends_in_the_force_of_the_step(kind: str) -> None:
    m, d = arm(kind)
    chain = actuator_chain(m, d, 0)
    law = ActuatorLaw(m, 0)
    assert chain.gain * chain.drive + chain.bias == pytest.approx(chain.wanted, rel=1e-12, abs=1e-12)
    assert law.limited(chain.wanted) == pytest.approx(float(d.actuator_force[0]), rel=1e-12, abs=1e-12)
    if m.na:
        assert chain.rate == pytest.approx(float(d.act_dot[0]), rel=1e-12, abs=1e-12)
    unclamped = np.zeros(m.nv)
    unclamped[chain.dofs] = chain.joint_force
    assert np.clip(unclamped, -3, 3) == pytest.approx(d.qfrc_actuator)


def test_clamps_are_named_while_they_act() -> None:
    assert actuator_chain(*arm("motor", 0.4), 0).held == ()
    held = actuator_chain(*arm("motor", 2.0), 0)
    assert held.held == ("ctrlrange",)
    assert (held.ctrl, held.clamped) == (2.0, 0.5)
    assert not held.joint_clamped.any()
    assert actuator_chain(*arm("servo", 5.0, 0), 0).held == ("forcerange",)
    assert actuator_chain(*arm("servo", 5.0, 0), 0).joint_clamped.all()
    assert actuator_chain(*arm("velocity", 5.0), 0).held == ("actrange",)


def test_a_group_that_is_switched_off_gives_no_force() -> None:
    m, d = arm("motor")
    m.opt.disableactuator = 1
    physics.mj_forward(m, d)
    assert "group 0" in actuator_chain(m, d, 0).off
    m.opt.disableflags |= int(physics.mjtDisableBit.mjDSBL_ACTUATION)
    assert "disabled" in actuator_chain(m, d, 0).off


def test_muscle_curves_are_those_of_the_muscle() -> None:
    m, _ = arm("muscle")
    law, given, prm = ActuatorLaw(m, 0), m.actuator_lengthrange[0], m.actuator_gainprm[0, :9]
    for length, velocity in ((0.25, 0.0), (0.4, -0.2), (0.5, 0.3), (0.7, 0.0)):
        gain = physics.mju_muscleGain(length, velocity, given, m.actuator_acc0[0], prm)
        bias = physics.mju_muscleBias(length, given, m.actuator_acc0[0], m.actuator_biasprm[0, :9])
        assert law.force(0.6, length, velocity) == pytest.approx(0.6 * gain + bias, rel=1e-12, abs=1e-12)
    assert law.rate(1.0, 0.2) == pytest.approx(physics.mju_muscleDynamics(1.0, 0.2, m.actuator_dynprm[0, :3]))
    assert is_muscle(m, 0)
    assert time_constants(m, 0) == (0.01, 0.04)


def test_the_response_of_a_filter_is_exponential() -> None:
    m, _ = arm("filter")
    times = np.linspace(0, 0.2, 81)
    expected = 1 - np.exp(-times / 0.05)
    assert ActuatorLaw(m, 0).response(1.0, 0.0, times) == pytest.approx(expected, abs=2e-4)  # h^2 / (6 tau^2 e), h = tau / 20
    assert time_constants(m, 0) == (0.05,)


def test_a_servo_pulls_by_its_error() -> None:
    m, _ = arm("servo")
    assert is_servo(m, 0)
    assert ActuatorLaw(m, 0).force(0.3, 0.1, 0.0) == pytest.approx(20 * 0.2)
    assert not is_servo(*arm("motor")[:1], 0)


def test_the_force_of_adhesion_is_the_same_at_each_contact_and_adds_up() -> None:
    m, d = load("""<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body name="box" pos="0 0 .0999"><freejoint/>
        <geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody>
        <actuator><adhesion name="glue" body="box" ctrlrange="0 1" gain="10"/></actuator></mujoco>""")
    d.ctrl[:] = 0.5
    physics.mj_forward(m, d)
    held = adhesion_contacts(m, d, 0)
    assert len(held.contact) == 4
    assert np.linalg.norm(held.force, axis=1) == pytest.approx(5 / 4)
    assert held.force.sum(axis=0) == pytest.approx(d.qfrc_actuator[:3], abs=1e-12)


def test_adhesion_without_contacts_pulls_at_none() -> None:
    m, d = load("""<mujoco><worldbody><body name="box"><freejoint/><geom size=".1"/></body></worldbody>
        <actuator><adhesion body="box" ctrlrange="0 1" gain="10"/></actuator></mujoco>""")
    physics.mj_forward(m, d)
    held = adhesion_contacts(m, d, 0)
    assert held.contact.shape == (0,)
    assert held.force.shape == held.point.shape == (0, 3)


def test_the_parts_of_a_slider_crank_fit() -> None:
    m, d = load("""<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".02" mass="1"/><site name="pin" pos=".1 0 0"/></body>
        <site name="rail" pos=".5 0 0" euler="0 90 0"/></worldbody>
        <actuator><general name="a" cranksite="pin" slidersite="rail" cranklength=".3" gear="2"/></actuator></mujoco>""")
    d.qpos[:] = 0.7
    physics.mj_forward(m, d)
    parts = slider_crank(m, d, 0)
    assert np.linalg.norm(parts.rod_end - parts.crank) == pytest.approx(0.3)
    assert parts.rod_end[1:] == pytest.approx([0, 0], abs=1e-12)
    assert parts.reaches


def test_past_controls_of_a_delayed_actuator() -> None:
    m, d = load(ARM.format('<motor name="a" joint="j" delay=".02" nsample="20"/>'))
    for _ in range(60):
        d.ctrl[:] = d.time
        physics.mj_step(m, d)
    physics.mj_forward(m, d)
    times, values = past_controls(m, d, 0)
    assert times[-1] == 0
    assert times[0] == pytest.approx(-0.04)
    arrived = actuator_chain(m, d, 0).arrived
    assert np.interp(-0.02, times, values) == pytest.approx(arrived, abs=2e-3)
    assert arrived == pytest.approx(d.time - 0.02, abs=2.1e-3)
    assert not len(past_controls(*arm("motor"), 0)[0])


def test_where_a_length_range_is_from() -> None:
    assert length_range_words(arm("motor")[0], 0) == ""
    limits = '<muscle name="a" joint="j" lengthrange="-1 1"/>'
    assert length_range_words(load(ARM.format(limits))[0], 0) == "the limits of its joint"
    assert "given" in length_range_words(arm("muscle")[0], 0)


def test_an_actuator_that_does_not_exist_is_refused() -> None:
    m, d = arm("motor")
    with pytest.raises(UnknownIndexError):
        actuator_chain(m, d, 1)


def test_a_control_that_is_no_number_counts_as_zero() -> None:
    m, _ = arm("motor")
    assert ActuatorLaw(m, 0).clamped(math.nan) == 0.0
