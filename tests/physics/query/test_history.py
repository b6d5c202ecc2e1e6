"""Histories read at any time and filled by hand: as the reference does, and with clear words where that cannot be."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import twins
from tumble import physics
from tumble.physics.errors import ModelError, ShapeError, UnknownIndexError

XML = """<mujoco><option timestep=".01"/><worldbody><body>
<joint name="j" type="slide" axis="1 0 0"/><geom size=".1"/><site name="s"/></body></worldbody>
<actuator><motor joint="j" nsample="5" delay=".013" interp="cubic"/><motor joint="j"/></actuator><sensor>
<framepos objtype="site" objname="s" nsample="4" delay=".02" interp="linear"/><clock nsample="3" interval=".02"/><clock/></sensor>
</mujoco>"""
TIMES = (-1, -0.02, 0.03, 0.0612, 0.08, 0.0837, 0.09, 0.0999, 0.1, 0.113, 0.2, 5)
ORDERS = (0, 1, 2, -1)
UNEVEN = np.array([0.5, 0.6, 0.9, 0.95, 2.0])
VALUES = np.array([1.0, -2, 5, 4, 4.5])


@pytest.fixture
def both():
    rm, rd, m, d = twins(XML)
    for k in range(11):
        rd.ctrl[:] = d.ctrl[:] = np.sin(k), 3
        mujoco.mj_step(rm, rd)
        physics.mj_step(m, d)
    return rm, rd, m, d


def test_readings_at_any_time_are_those_of_the_reference(both):
    rm, rd, m, d = both
    for order in ORDERS:
        for time in TIMES:
            for i in range(2):
                expected = mujoco.mj_readCtrl(rm, rd, i, time, order)
                assert physics.mj_readCtrl(m, d, i, time, order) == pytest.approx(expected, rel=1e-12, abs=1e-12)
            for s, dim in enumerate((3, 1, 1)):
                expected = mujoco.mj_readSensor(rm, rd, s, time, np.zeros(dim), order)
                result = np.zeros(dim)
                assert physics.mj_readSensor(m, d, s, time, result, order) is result
                np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-12)


def test_samples_at_uneven_times_are_read_as_by_the_reference(both):
    rm, rd, m, d = both
    mujoco.mj_initCtrlHistory(rm, rd, 0, UNEVEN, VALUES)
    physics.mj_initCtrlHistory(m, d, 0, UNEVEN, VALUES)
    for order in ORDERS:
        for time in np.linspace(0.4, 2.2, 61):
            expected = mujoco.mj_readCtrl(rm, rd, 0, time, order)
            assert physics.mj_readCtrl(m, d, 0, time, order) == pytest.approx(expected, rel=1e-12), (order, time)


def test_what_is_filled_in_is_laid_out_as_by_the_reference(both):
    rm, rd, m, d = both
    for library, model, data in ((mujoco, rm, rd), (physics, m, d)):
        library.mj_resetData(model, data)
        library.mj_initCtrlHistory(model, data, 0, None, VALUES)
        library.mj_initSensorHistory(model, data, 0, UNEVEN[:4], np.arange(12.0).reshape(4, 3), 0.25)
        library.mj_initSensorHistory(model, data, 1, None, np.array([7.0, 8, 9]), -0.005)
    np.testing.assert_array_equal(d.history, rd.history)
    for _ in range(6):
        mujoco.mj_step(rm, rd)
        physics.mj_step(m, d)
        np.testing.assert_allclose(d.history, rd.history, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(d.sensordata, rd.sensordata, rtol=1e-12, atol=1e-15)


def test_init_ctrl_history_keeps_order_of_a_wrapped_buffer(both):
    _, _, m, d = both
    assert d.history[1] != 4  # the reference refuses this
    physics.mj_initCtrlHistory(m, d, 0, None, VALUES)
    delay = float(m.actuator_delay[0])
    readings = [physics.mj_readCtrl(m, d, 0, 0.01 * k + delay, 1) for k in range(6, 11)]
    assert readings == pytest.approx(VALUES.tolist())


def call(name, m, d, *arguments):
    return getattr(physics, name)(m, d, *arguments)


@pytest.mark.parametrize(("name", "arguments", "error", "says"), [
    ("mj_readCtrl", (2, 0.0, 0), UnknownIndexError, "actuator 2 does not exist; valid are 0 to 1"),
    ("mj_readCtrl", (0, 0.0, 3), ModelError, "interp 3 is unknown; valid are 0 zoh, 1 linear, 2 cubic, -1 as the model says"),
    ("mj_readSensor", (-1, 0.0, np.zeros(1), 0), UnknownIndexError, "sensor -1 does not exist; valid are 0 to 2"),
    ("mj_readSensor", (0, 0.0, np.zeros(2), 0), ShapeError, "result should be a float64 array of shape (sensor_dim,)"),
    ("mj_initCtrlHistory", (1, None, np.zeros(3)), ModelError, "actuator 1 has no history: its nsample is 0"),
    ("mj_initCtrlHistory", (0, None, np.zeros(3)), ShapeError, "values should be 5 numbers"),
    ("mj_initCtrlHistory", (0, np.zeros(4), VALUES), ShapeError, "times should be 5 numbers"),
    ("mj_initCtrlHistory", (0, [1, 2, 2, 3, 4], VALUES), ModelError, "times must increase: number 1 is 2, number 2 is 2"),
    ("mj_initCtrlHistory", (0, [1, np.nan, 3, 4, 5], VALUES), ModelError, "times must increase: number 0 is 1, number 1 is nan"),
    ("mj_initSensorHistory", (2, None, np.zeros((3, 1)), 0.0), ModelError, "sensor 2 has no history"),
    ("mj_initSensorHistory", (0, None, np.zeros((3, 4)), 0.0), ShapeError, "values should be (4, 3) numbers"),
    ("mj_initSensorHistory", (3, None, np.zeros((3, 4)), 0.0), UnknownIndexError, "sensor 3 does not exist"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words_and_changes_nothing(both, name, arguments, error, says):
    _, _, m, d = both
    before = d.history.copy()
    with pytest.raises(error) as caught:
        call(name, m, d, *arguments)
    assert says in str(caught.value)
    np.testing.assert_array_equal(d.history, before)
