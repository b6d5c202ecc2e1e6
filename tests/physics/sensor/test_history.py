"""Sensors with a history: late readings, readings now and then, and what the reference makes of them."""

import numpy as np
import pytest

from tests.physics.histories import DELAYED
from tests.physics.reference import load
from tests.physics.sleep.scenes import arm
from tumble import physics
from tumble.physics import MjData, MjModel
from tumble.physics.errors import ModelError

H = 2.0**-7  # sums of such steps have no rounding
SWING = """<mujoco><option timestep="{h}" integrator="{integrator}"/><worldbody><body><joint name="j" axis="0 1 0" damping=".1"/>
<geom size=".1" pos=".3 0 0"/><site name="s" pos=".3 0 .1"/></body></worldbody>
<actuator><motor name="a" joint="j"/></actuator><sensor>{sensors}</sensor></mujoco>"""
MEASURED = ('jointpos joint="j"', 'jointvel joint="j"', 'framepos objtype="site" objname="s"', 'accelerometer site="s"',
            'actuatorfrc actuator="a"', 'rangefinder site="s"', "e_kinetic", "clock", 'gyro site="s" cutoff=".5"')  # fmt: skip


def swing(*sensors, h=H, integrator="Euler"):
    return load(SWING.format(h=h, integrator=integrator, sensors="".join(f"<{s}/>" for s in sensors)))


def readings(m, d, steps, advance=physics.mj_step):
    """sensordata after each step, (steps, nsensordata)."""
    rows = []
    for k in range(steps):
        d.ctrl[:] = np.sin(0.3 * k)
        advance(m, d)
        rows.append(d.sensordata.copy())
    return np.array(rows)


def halves(m, d):
    physics.mj_step1(m, d)
    physics.mj_step2(m, d)


@pytest.mark.parametrize("advance", [physics.mj_step, halves])
@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_delayed_sensor_equals_undelayed_one_shifted(integrator, advance):
    late = 'nsample="4" delay="0.03"'  # three steps
    m, d = swing(*MEASURED, *(f"{s} {late}" for s in MEASURED), h=0.01, integrator=integrator)
    values = readings(m, d, 60, advance)
    n = m.nsensordata // 2
    np.testing.assert_array_equal(values[3:, n:], values[:-3, :n])
    assert not values[:3, n:].any()


def test_while_sensors_are_switched_off_delayed_ones_measure_on():
    m, d = swing('clock nsample="3" delay="2"', 'clock nsample="3"', h=1)
    readings(m, d, 4)
    m.opt.disableflags |= physics.mjtDisableBit.mjDSBL_SENSOR
    assert readings(m, d, 3).tolist() == [[1, 3]] * 3
    m.opt.disableflags = 0
    assert readings(m, d, 1).tolist() == [[5, 7]]


def test_delayed_reading_arrives_after_its_tree_sleeps():
    xml = f"""<mujoco><option timestep="{H}" sleep_tolerance="1e-3"><flag sleep="enable"/></option><worldbody>
{arm("a", 0, sleep="allowed", more='range="-1 1"')}</worldbody><sensor><jointvel joint="a"/>
<jointvel joint="a" nsample="60" delay="{40 * H}"/></sensor></mujoco>"""
    m, d = load(xml)
    d.qvel[:] = 0.01
    values = readings(m, d, 2000)
    assert d.tree_asleep[0] >= 0
    np.testing.assert_array_equal(values[40:, 1], values[:-40, 0])
    assert values[-1].tolist() == [0, 0]


def test_reset_clears_history_and_restarts_time():
    m = MjModel.from_xml_string(DELAYED)
    fresh, d = MjData(m), MjData(m)
    first = readings(m, d, 30)
    assert (d.history != fresh.history).any()
    physics.mj_resetData(m, d)
    np.testing.assert_array_equal(d.history, fresh.history)
    np.testing.assert_array_equal(readings(m, d, 30), first)


def test_a_reset_after_divergence_forgets_too():
    m, d = swing('jointvel joint="j" nsample="3" delay=".02"')
    readings(m, d, 5)
    d.qvel[0] = np.nan
    physics.mj_step(m, d)
    fresh = MjData(m)
    physics.mj_step(m, fresh)
    np.testing.assert_array_equal(d.history, fresh.history)


def test_histories_cannot_begin_without_a_time_step():
    m, d = swing('clock nsample="2"')
    m.opt.timestep = 0
    with pytest.raises(ModelError, match="timestep=0: histories of controls and sensors need a positive time step"):
        physics.mj_resetData(m, d)


def test_corrupt_history_cursor_stays_within_memory():
    m, d = swing('clock nsample="3" delay=".02"', 'jointpos joint="j" nsample="4" interp="cubic" delay=".02"')
    for broken in (np.nan, np.inf, -np.inf, 1e300, -1.0, 3.0):
        d.history[:] = broken
        physics.mj_step(m, d, 5)
        assert np.array_equal(np.isfinite(d.qpos), [True])


def test_what_waits_for_its_interval_is_not_computed():
    m, d = swing('rangefinder site="s" nsample="2" interval="100"', h=1)
    readings(m, d, 3)
    d._arrays["ray_result"][:] = 77
    readings(m, d, 3)
    assert (d._arrays["ray_result"] == 77).all()
