"""What a callback raises reaches the caller, and the data can be used as if the step had not been tried."""

import copy
import ctypes
import gc
import traceback
import weakref

import numpy as np
import pytest

from tests.physics.callback.scene import SCENE
from tests.physics.reference import load
from tumble import physics
from tumble.physics import MjData, MjModel, mj_forward, mj_step
from tumble.physics.errors import ModelError


class Trouble(Exception):
    pass


def raises_trouble(*arguments):
    raise Trouble(arguments[2:])


def scene(integrator="Euler"):
    m, d = load(SCENE.format(integrator=integrator))
    d.qvel[:] = 0.1
    d.act[:] = 0.05
    return m, d


def state(d):
    return np.concatenate([d.qpos, d.qvel, d.act, d.qacc_warmstart, [d.time]])


PYTHON = ("control", "passive", "act_dyn", "act_gain", "act_bias", "sensor", "contactfilter", "time")


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("name", PYTHON)
def test_callback_exception_propagates_and_restores_state(name, integrator):
    m, d = scene(integrator)
    mj_step(m, d, 3)
    before, other = state(d), copy.copy(d)
    getattr(physics, f"set_mjcb_{name}")(raises_trouble)
    with pytest.raises(Trouble) as caught:
        mj_step(m, d, 5)
    assert "raises_trouble" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert np.array_equal(state(d), before)
    physics.mj_resetCallbacks()
    mj_step(m, d, 3)
    mj_step(m, other, 3)
    assert np.array_equal(state(d), state(other))


@pytest.mark.parametrize(("integrator", "done"), [("Euler", 3), ("RK4", 2)])  # of the third step, the last stage fails
def test_callback_error_keeps_the_steps_completed_before(integrator, done):
    m, d = scene(integrator)
    reference = copy.copy(d)
    mj_step(m, reference, done)

    def control(m, d):
        if d.time > 2.5 * m.opt.timestep:
            raise Trouble

    physics.set_mjcb_control(control)
    with pytest.raises(Trouble):
        mj_step(m, d, 10)
    assert np.array_equal(state(d), state(reference))


@pytest.mark.parametrize("call", [
    physics.mj_forward, physics.mj_inverse, physics.mj_step1, physics.mj_passive, physics.mj_fwdVelocity, physics.mj_fwdPosition,
    physics.mj_collision, physics.mj_sensorPos, physics.mj_sensorAcc, physics.mj_fwdActuation, physics.mj_step2,
    lambda m, d: physics.mj_forwardSkip(m, d, 2, 1), lambda m, d: physics.mj_RungeKutta(m, d, 4),
])  # fmt: skip
def test_every_entry_point_propagates_callback_exceptions(call):
    m, d = scene("RK4")
    mj_forward(m, d)
    for name in PYTHON[:-1]:
        getattr(physics, f"set_mjcb_{name}")(raises_trouble)
    with pytest.raises(Trouble):
        call(m, d)
    assert d.failed == 0


def test_nothing_is_called_after_a_callback_that_raises():
    m, d = scene()
    called = []
    for name in PYTHON[:-1]:
        getattr(physics, f"set_mjcb_{name}")(lambda *_, name=name: called.append(name) or 0)
    physics.set_mjcb_passive(raises_trouble)
    with pytest.raises(Trouble):
        mj_step(m, d)
    assert set(called) == {"contactfilter", "sensor"}


def test_an_interrupt_inside_a_callback_ends_the_call():
    m, d = scene()

    def control(m, d):
        raise KeyboardInterrupt

    physics.set_mjcb_control(control)
    with pytest.raises(KeyboardInterrupt):
        mj_step(m, d, 1000)


@pytest.mark.parametrize(("name", "value", "wanted"), [
    ("act_dyn", None, "act_dyn must return a number, returned None"), ("act_gain", "1", "must return a number, returned '1'"),
    ("act_bias", 1j, "must return a number"), ("act_dyn", 10**400, "must return a number"),
    ("contactfilter", None, "contactfilter must return an integer or a truth value, returned None"),
    ("contactfilter", 1.0, "must return an integer"), ("time", None, "time must return a number"),
])  # fmt: skip
def test_a_wrong_result_is_told_with_its_place(name, value, wanted):
    m, d = scene()
    getattr(physics, f"set_mjcb_{name}")(lambda *_: value)
    with pytest.raises(TypeError, match=wanted):
        mj_step(m, d)


@pytest.mark.parametrize("value", [np.float32(2), np.int64(2), True, 2])
def test_numbers_of_every_type_will_do(value):
    m, d = scene()
    physics.set_mjcb_act_bias(lambda *_: value)
    physics.set_mjcb_contactfilter(lambda *_: np.bool_(value))
    mj_step(m, d)
    assert d.ncon == 0


def test_reset_in_a_callback_restarts_the_step():
    m, d = scene()

    def control(m, d):
        if d.time > 4.5 * m.opt.timestep:
            physics.mj_resetData(m, d)

    physics.set_mjcb_control(control)
    mj_step(m, d, 8)  # five steps, the reset, three steps
    fresh = MjData(m)
    physics.mj_resetCallbacks()
    mj_step(m, fresh, 3)
    assert np.array_equal(state(d), state(fresh))


def test_a_callback_that_always_resets_the_data_is_an_error():
    m, d = scene()
    physics.set_mjcb_passive(lambda m, d: physics.mj_resetData(m, d))
    with pytest.raises(ModelError, match="whenever it is called"):
        mj_step(m, d)
    physics.set_mjcb_passive(None)
    for _ in range(20):
        mj_forward(m, d)


@pytest.mark.parametrize("call", [mj_forward, mj_step, lambda m, d: mj_step(m, d, 7)])
@pytest.mark.parametrize("name", ["control", "passive", "contactfilter", "sensor", "act_dyn"])
def test_a_callback_may_compute_or_step_the_same_data(name, call):
    m, d = scene()
    inside = []

    def again(m, d, *_):
        if not inside:
            inside.append(1)
            call(m, d)
            inside.pop()
        return 0

    getattr(physics, f"set_mjcb_{name}")(again)
    mj_step(m, d, 3)
    assert d.time == pytest.approx(m.opt.timestep * {mj_forward: 3, mj_step: 6}.get(call, 24) if name == "control" else d.time)
    assert np.isfinite(d.qpos).all()


def test_a_callback_may_put_the_data_back_where_they_were():
    m, d = scene()
    saved = copy.copy(d)
    mj_forward(m, saved)

    def control(m, d):
        if d.time == 0.006:
            physics.mj_copyData(d, m, saved)

    physics.set_mjcb_control(control)
    mj_step(m, d, 10)  # put back in each fourth step, which then ends at 0.002
    assert d.time == pytest.approx(0.002)


def test_growing_buffers_in_a_callback_changes_no_result():
    heap = "".join(f'<body pos="0 0 {0.1 + 0.15 * k}"><freejoint/><geom size=".1"/></body>' for k in range(12))
    m, d = load(f'<mujoco><worldbody><geom type="plane" size="5 5 1"/>{heap}</worldbody></mujoco>')

    def control(m, d):
        for capacity in ("maxcon", "maxefc"):
            if getattr(d, capacity) < 300:
                d.grow(capacity, 300)

    physics.set_mjcb_contactfilter(lambda m, d, g1, g2: control(m, d) or 0)
    physics.set_mjcb_control(control)
    mj_step(m, d, 5)
    physics.mj_resetCallbacks()
    plain = MjData(m)
    mj_step(m, plain, 5)
    assert np.array_equal(d.qpos, plain.qpos)
    assert "_left" not in d.__dict__


def test_a_callback_that_steps_without_end_is_a_recursion_error():
    m, d = scene()
    physics.set_mjcb_control(mj_forward)
    with pytest.raises(RecursionError) as caught:
        mj_step(m, d)
    assert isinstance(caught.value, physics.PhysicsError)
    physics.set_mjcb_control(None)
    mj_step(m, d)


RESTING = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


def test_a_failed_fall_asleep_leaves_the_tree_awake_and_as_fast():
    m = MjModel.from_xml_string(RESTING)
    d, calls = MjData(m), []

    def control(m, d):
        calls.append(d.time)
        if calls[-2:] == [d.time] * 2:  # the second call of a step is that of the tree that falls asleep
            raise Trouble

    physics.set_mjcb_control(control)
    with pytest.raises(Trouble):
        mj_step(m, d, 200)
    assert d.tree_asleep[0] < 0
    assert d.qvel.any()
    physics.set_mjcb_control(None)
    mj_step(m, d)
    assert d.tree_asleep[0] >= 0


@pytest.mark.parametrize("integrate", [physics.mj_Euler, physics.mj_implicit])
def test_integration_stops_if_callback_fails_as_tree_sleeps(integrate):
    m = MjModel.from_xml_string(RESTING.replace("<option>", '<option integrator="implicitfast">'))
    d, ended = MjData(m), False
    for _ in range(200):
        physics.set_mjcb_control(None)
        mj_forward(m, d)
        physics.set_mjcb_control(raises_trouble)
        before = d.time
        try:
            integrate(m, d)  # calls it only in the step in which the tree falls asleep
        except Trouble:
            ended = True
            break
    assert ended
    assert d.time == before
    assert d.tree_asleep[0] < 0
    assert d.qvel.any()


def test_what_was_raised_is_not_kept():
    m, d = scene()
    physics.set_mjcb_control(raises_trouble)
    with pytest.raises(Trouble):
        mj_step(m, d)
    held = weakref.ref(d)
    del d
    gc.collect()
    assert held() is None


def test_warnings_are_told_to_a_function_until_it_is_removed(caplog):
    m, d = load("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
    messages: list[str] = []
    tell = messages.append
    physics.set_mju_user_warning(tell)
    assert physics.get_mju_user_warning() == tell
    d.qvel[0] = float("nan")
    physics.mj_step(m, d)
    physics.set_mju_user_warning(None)
    d.qvel[0] = float("nan")
    physics.mj_step(m, d)
    assert messages == ["velocity not finite or huge (qvel) at time 0.0000 s, index 0: the data are reset"]
    assert len(caplog.records) == 2
    assert physics.get_mju_user_warning() is None
    with pytest.raises(TypeError, match="set_mju_user_warning takes a function, or None to remove it; not 1"):
        physics.set_mju_user_warning(1)


def test_a_function_of_c_is_told_of_warnings_in_bytes() -> None:
    m, d = load('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
    heard: list[bytes] = []
    pointer = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(heard.append)
    physics.set_mju_user_warning(pointer)
    try:
        assert physics.get_mju_user_warning() is pointer
        d.qpos[0] = float("nan")
        physics.mj_step(m, d)
    finally:
        physics.set_mju_user_warning(None)
    assert heard[0].startswith(b"position not finite or huge (qpos)")
