"""Installing callbacks, in Python and compiled; who gets which model and data."""

import ctypes
import threading

import numpy as np
import pytest
from numba import cfunc, types

from tests.physics.callback.scene import SCENE
from tests.physics.reference import load
from tumble import physics
from tumble.physics import MjData, MjModel, compiled, mj_forward, mj_step
from tumble.physics.callback.table import PLACES
from tumble.physics.errors import ModelError
from tumble.physics.state.view import DataType, ModelType


@pytest.fixture
def scene():
    return load(SCENE.format(integrator="Euler"))


@pytest.mark.parametrize("name", [place.name for place in PLACES] + ["time"])
def test_a_callback_is_installed_looked_up_and_removed(name):
    put, get = getattr(physics, f"set_mjcb_{name}"), getattr(physics, f"get_mjcb_{name}")
    assert get() is None
    put(test_a_callback_is_installed_looked_up_and_removed)
    assert get() is test_a_callback_is_installed_looked_up_and_removed
    put(None)
    assert get() is None
    put(len)
    physics.mj_resetCallbacks()
    assert get() is None
    for wrong in (3, "abc", 1.5, [], ctypes.c_void_p(0)):
        with pytest.raises(TypeError, match=f"set_mjcb_{name} takes a function"):
            put(wrong)


def test_a_callback_gets_the_very_objects_that_were_given(scene):
    m, d = scene
    other, seen = MjData(m), []
    physics.set_mjcb_control(lambda m, d: seen.append((m, d)))
    mj_step(m, d)
    mj_forward(m, other)
    forked, copied = physics.fork(m, d)
    mj_step(forked, copied)
    expected = [(m, d), (m, other), (forked, copied)]
    assert all(a is b for pair, want in zip(seen, expected, strict=True) for a, b in zip(pair, want, strict=True))


def test_loading_a_model_calls_nothing():
    for place in PLACES:
        getattr(physics, f"set_mjcb_{place.name}")(lambda *_: pytest.fail("called"))
    m = MjModel.from_xml_string(SCENE.format(integrator="Euler"))
    MjData(m)


def test_a_callback_may_remove_itself(scene):
    m, d = scene
    calls = []

    def once(m, d):
        calls.append(1)
        physics.set_mjcb_control(None)

    physics.set_mjcb_control(once)
    mj_step(m, d, 3)
    mj_step(m, d, 3)
    assert len(calls) == 1


def test_threads_that_step_data_of_one_model_are_told_apart(scene):
    m, _ = scene
    mine, wrong = threading.local(), []

    def control(m, d):
        if d is not mine.data:
            wrong.append(d)
        d.ctrl[3] = mine.force

    physics.set_mjcb_control(control)
    ends = {}

    def work(force):
        mine.data, mine.force = MjData(m), force
        for _ in range(20):
            mj_step(m, mine.data, 5)
        ends[force] = mine.data.qpos.copy()

    threads = [threading.Thread(target=work, args=(force,)) for force in (0.0, 1.0, 2.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    for force in (0.0, 1.0, 2.0):
        physics.set_mjcb_control(lambda m, d, force=force: d.ctrl.__setitem__(3, force))
        d = MjData(m)
        mj_step(m, d, 100)
        assert np.array_equal(d.qpos, ends[force])


def test_islands_that_threads_solve_go_with_callbacks():
    balls = "".join(f'<body pos="{k} 0 .09"><freejoint/><geom size=".1"/></body>' for k in range(8))
    text = f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{balls}</worldbody></mujoco>'
    ends = []
    for threads in (1, 2):
        m = MjModel.from_xml_string(text)
        m.tumble.threads = threads
        d = MjData(m)
        physics.set_mjcb_passive(lambda m, d: d.qfrc_passive.__isub__(d.qvel))
        mj_step(m, d, 20)
        ends.append(d.qpos.copy())
    assert np.array_equal(*ends)


@compiled
def push(m, d):
    for i in range(m.nu):
        d.ctrl[i] = 0.5 - d.qpos[0]


@compiled
def drag(m, d):
    for i in range(m.nv):
        d.qfrc_passive[i] -= 0.3 * d.qvel[i]


@compiled
def rate(m, d, i):
    return 3.0 * (d.ctrl[i] - d.act[m.actuator_actadr[i]])


@compiled
def force(m, d, i):
    return 2.0 + i


@compiled
def read(m, d, stage):
    d.sensordata[0] += stage + d.qpos[0]


@compiled
def apart(m, d, g1, g2):
    return g1 == 0 and g2 == 2


def test_compiled_callbacks_equal_python_callbacks():
    callbacks = {"control": push, "passive": drag, "act_dyn": rate, "act_gain": force, "act_bias": force, "sensor": read,
                 "contactfilter": apart}
    ends = []
    for of in (lambda f: f, lambda f: f.function):
        for name, function in callbacks.items():
            getattr(physics, f"set_mjcb_{name}")(of(function))
        m, d = load(SCENE.format(integrator="RK4"))
        mj_step(m, d, 10)
        ends.append(np.concatenate([d.qpos, d.qvel, d.act, d.sensordata, d.actuator_force]))
    np.testing.assert_allclose(*ends, rtol=1e-12, atol=1e-14)  # compiled sums may be rounded otherwise


def test_uncompilable_callback_is_refused_at_installation():
    @compiled
    def wrong(m, d):
        d.ctrl[0] = m.no_such_field

    with pytest.raises(ModelError, match="wrong cannot be compiled"):
        physics.set_mjcb_control(wrong)
    assert physics.get_mjcb_control() is None


def test_compiled_callbacks_of_one_name_are_told_apart(scene):
    m, d = scene

    def make(force):
        @compiled
        def push(m, d):
            d.ctrl[3] = force

        return push

    for force in (1.0, 2.0):
        physics.set_mjcb_control(make(force))
        mj_forward(m, d)
        assert d.ctrl[3] == force


def test_a_function_without_a_module_can_be_compiled(scene):
    m, d = scene
    made = {}
    exec("def push(m, d): d.ctrl[3] = 7.0", {"__builtins__": {}}, made)
    assert made["push"].__module__ is None
    physics.set_mjcb_control(compiled(made["push"]))
    mj_forward(m, d)
    assert d.ctrl[3] == 7.0


def test_numbas_cfunc_reads_and_writes_fields_by_name(scene):
    m, d = scene

    @cfunc(types.void(ModelType, DataType))
    def push(m, d):
        for i in range(m.nu):
            d.ctrl[i] = 0.25 * i

    physics.set_mjcb_control(push)
    mj_forward(m, d)
    assert physics.get_mjcb_control() is push
    assert d.ctrl.tolist() == [0, 0.25, 0.5, 0.75]


def test_a_function_pointer_gets_the_addresses_of_what_runs(scene):
    m, d = scene
    seen = []
    pointer = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(lambda *addresses: seen.append(addresses))
    physics.set_mjcb_control(pointer)
    mj_forward(m, d)
    assert seen == [(m.as_run.address, d.address)]
    assert m.as_run.owner is m
    with pytest.raises(TypeError, match="takes 3 arguments"):
        physics.set_mjcb_act_dyn(pointer)
