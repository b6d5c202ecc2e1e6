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


def test_delayed_clock_is_interpolated_by_zoh_linear_and_cubic():
    m, d = swing("clock", *(f'clock nsample="5" delay="{2.5 * H}" interp="{i}"' for i in ("zoh", "linear", "cubic")))
    values = readings(m, d, 20)[6:]
    np.testing.assert_allclose(values[:, 1], values[:, 0] - 3 * H, rtol=1e-13)
    np.testing.assert_allclose(values[:, 2:], values[:, :1] - 2.5 * H + np.zeros((14, 2)), rtol=1e-13)


@pytest.mark.parametrize(("interval", "times"), [("2.5", (0, 3, 5, 8, 10, 13)), ("2.5 -1.5", (1, 4, 6, 9, 11, 14)),
                                                 ("1", range(15)), ("0.3", range(15)), ("4", (0, 4, 8, 12))])  # fmt: skip
def test_interval_sensor_samples_on_time_and_holds_between(interval, times):
    m, d = swing(f'clock nsample="2" interval="{interval}"', f'clock nsample="6" interval="{interval}" delay="1"', h=1)
    values = readings(m, d, 15)
    measured = [max((t for t in times if t <= k), default=0) for k in range(15)]
    assert values[:, 0].tolist() == measured
    if times[0] == 0:
        assert values[1:, 1].tolist() == measured[:-1]


def test_what_waits_for_its_interval_is_not_computed():
    m, d = swing('rangefinder site="s" nsample="2" interval="100"', h=1)
    readings(m, d, 3)
    before = d.ray_result.copy() if hasattr(d, "ray_result") else d._arrays["ray_result"].copy()
    d._arrays["ray_result"][:] = 77
    readings(m, d, 3)
    assert (d._arrays["ray_result"] == 77).all()
    assert not (before == 77).any()


def test_interval_sensor_interpolates_between_its_samples():
    m, d = swing('clock nsample="4" interval="4" delay="6" interp="linear"', h=1)
    assert readings(m, d, 20)[10:, 0].tolist() == [k - 6 for k in range(10, 20)]


def test_delayed_reading_applies_cutoff_once():
    m, d = swing('clock nsample="3" delay="2" cutoff="4"', 'clock cutoff="4"', h=1)
    values = readings(m, d, 12)
    assert values[2:, 0].tolist() == values[:-2, 1].tolist()


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
