"""Rollouts take the steps that mj_step takes, to the bit, on any number of threads and on a cluster's workers."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import mujoco
import mujoco.rollout
import numpy as np
import pytest

from tumble import physics
from tumble.mujoco import rollout
from tumble.physics import MjData, MjModel, mjtState

# Something of each component that a state or the controls can have, and contacts that come and go.
SCENE = """<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="hand" mocap="true" pos=".2 0 .6"><geom type="sphere" size=".1"/></body>
    <body pos="0 0 .3">
      <freejoint/><geom type="box" size=".1 .1 .1"/>
      <body pos=".2 0 0"><joint name="elbow" axis="0 1 0"/><geom name="arm" type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
        <site name="tip" pos=".3 0 0"/></body>
    </body>
  </worldbody>
  <equality><weld body1="hand" body2="world" active="false"/></equality>
  <actuator><general joint="elbow" dyntype="filter" dynprm=".1" gainprm="3"/></actuator>
  <sensor><accelerometer site="tip"/><touch site="tip"/><framepos objtype="body" objname="hand"/></sensor>
  <size nuserdata="2"/>
</mujoco>"""
STARTS, STEPS = 7, 60


@pytest.fixture(scope="module")
def m() -> MjModel:
    return MjModel.from_xml_string(SCENE)


@pytest.fixture(scope="module")
def starts(m: MjModel) -> np.ndarray:
    """Boxes on their way to the floor, each another one."""
    states = np.zeros((STARTS, physics.mj_stateSize(m, mjtState.mjSTATE_FULLPHYSICS)))
    states[:, 1 : 1 + m.nq] = m.qpos0
    states[:, 1 + m.nq : 1 + m.nq + m.nv] = np.random.default_rng(2).standard_normal((STARTS, m.nv))
    return states


@pytest.fixture(scope="module")
def control(m: MjModel) -> np.ndarray:
    return np.random.default_rng(3).standard_normal((STARTS, STEPS, m.nu))


def step_by_step(m: Any, start: np.ndarray, control: np.ndarray, spec: int, engine: Any) -> tuple[np.ndarray, np.ndarray]:
    """States and readings of one run, by the functions that users call."""
    d = engine.MjData(m)
    states, readings = np.zeros((len(control), len(start))), np.zeros((len(control), m.nsensordata))
    engine.mj_setState(m, d, start, int(mjtState.mjSTATE_FULLPHYSICS))
    for k, inputs in enumerate(control):
        engine.mj_setState(m, d, inputs, spec)
        engine.mj_step(m, d)
        engine.mj_getState(m, d, states[k], int(mjtState.mjSTATE_FULLPHYSICS))
        readings[k] = d.sensordata
    return states, readings


def test_rollout_equals_mj_step_whatever_the_data_held(m: MjModel, starts: np.ndarray, control: np.ndarray) -> None:
    d = MjData(m)
    d.ctrl[:], d.qfrc_applied[:], d.mocap_pos[:], d.eq_active[:] = 9, 3, 5, 1
    physics.mj_step(m, d, 50)
    states, readings = rollout.rollout(m, d, starts, control)
    for k in range(STARTS):
        expected = step_by_step(m, starts[k], control[k], mjtState.mjSTATE_CTRL, physics)
        assert np.array_equal(states[k], expected[0])
        assert np.array_equal(readings[k], expected[1])


def test_every_input_can_be_a_control(m: MjModel, starts: np.ndarray) -> None:
    spec = int(mjtState.mjSTATE_USER)
    inputs = 0.1 * np.random.default_rng(4).standard_normal((STEPS, physics.mj_stateSize(m, spec)))
    at = physics.mj_stateSize(m, spec & (mjtState.mjSTATE_EQ_ACTIVE - 1))
    inputs[:, at] = np.arange(STEPS) % 20 < 10  # the weld: on and off
    states, readings = rollout.rollout(m, MjData(m), starts[0], inputs, control_spec=spec)
    expected = step_by_step(m, starts[0], inputs, spec, physics)
    assert np.array_equal(states[0], expected[0])
    assert np.array_equal(readings[0], expected[1])


def test_bits_do_not_depend_on_threads_or_chunks(m: MjModel, starts: np.ndarray, control: np.ndarray) -> None:
    states, readings = rollout.rollout(m, MjData(m), starts, control)
    with rollout.Rollout(nthread=3) as three:
        for chunk in (None, 1, 5, 100):
            again = three.rollout(m, [MjData(m) for _ in range(3)], starts, control, chunk_size=chunk)
            assert np.array_equal(again[0], states)
            assert np.array_equal(again[1], readings)
    with pytest.raises(RuntimeError, match="after thread pool shutdown"):
        three.rollout(m, [MjData(m) for _ in range(3)], starts, control)


def test_what_is_the_same_for_all_is_given_once(m: MjModel, starts: np.ndarray, control: np.ndarray) -> None:
    warm = np.full((STARTS, m.nv), 0.5)
    all_given = rollout.rollout(m, MjData(m), starts[:1].repeat(STARTS, 0), control[:1, :1].repeat(STARTS, 0).repeat(STEPS, 1),
                                initial_warmstart=warm)  # fmt: skip
    once = rollout.rollout(m, MjData(m), starts[0], control[0, 0], nstep=STEPS, initial_warmstart=warm)
    assert once[0].shape == (STARTS, STEPS, starts.shape[1])
    assert np.array_equal(once[0], all_given[0])
    cold = rollout.rollout(m, MjData(m), starts[0], control[0, 0], nstep=STEPS)
    assert cold[0].shape == (1, STEPS, starts.shape[1])


def test_outputs_are_written_to_arrays_of_the_callers(m: MjModel, starts: np.ndarray, control: np.ndarray) -> None:
    state, sensordata = np.zeros((STARTS, STEPS, starts.shape[1])), np.zeros((STARTS, STEPS, m.nsensordata))
    got = rollout.rollout(m, MjData(m), starts, control, state=state, sensordata=sensordata)
    assert got[0] is state
    assert got[1] is sensordata
    assert state.any(axis=2).all()
    got = rollout.rollout(m, MjData(m), starts, control, state=state, skip_checks=True, nstep=STEPS)
    assert got[1] is None


def test_each_rollout_can_have_a_model_of_its_own(m: MjModel, starts: np.ndarray, control: np.ndarray) -> None:
    heavy = MjModel.from_xml_string(SCENE.replace('size=".1 .1 .1"', 'size=".1 .1 .12"'))
    models = [heavy if k % 2 else m for k in range(STARTS)]
    states, _ = rollout.rollout(models, [MjData(m), MjData(m)], starts, control)
    for k in (0, 1):
        assert np.array_equal(states[k], step_by_step(models[k], starts[k], control[k], mjtState.mjSTATE_CTRL, physics)[0])


def test_arrays_grow_within_a_rollout() -> None:
    balls = "".join(f'<body pos="{0.09 * (k % 5)} {0.09 * (k // 5)} .2"><freejoint/><geom size=".05"/></body>' for k in range(25))
    m = MjModel.from_xml_string(f'<mujoco><worldbody><geom type="plane" size="3 3 1"/>{balls}</worldbody></mujoco>')
    start = np.concatenate([[0.0], m.qpos0, np.zeros(m.nv)])
    d = MjData(m)
    room = d.maxcon
    states, _ = rollout.rollout(m, d, start.reshape(1, -1).repeat(3, 0), nstep=150)
    assert d.maxcon > room
    expected, _ = step_by_step(m, start, np.zeros((150, 0)), mjtState.mjSTATE_CTRL, physics)
    assert all(np.array_equal(states[k], expected) for k in range(3))


@pytest.mark.parametrize("flag", ["", '<option><flag autoreset="disable"/></option>'])
@pytest.mark.parametrize("bad", ["force", "control", "state"])
def test_diverging_rollout_repeats_last_step_as_reference(
    flag: str, bad: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the reference writes warnings into a file there
    text = f'<mujoco>{flag}<worldbody><body><joint name="a"/><geom size=".1"/></body></worldbody><actuator><motor joint="a"/>' \
           "</actuator><sensor><jointpos joint='a'/></sensor></mujoco>"  # fmt: skip
    m, reference = MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    start = np.array([[5.0, np.nan if bad == "state" else 1.0, 2.0], [5.0, 1.0, 2.0]])
    control = np.ones((2, 6, 1))
    control[0, 3] = {"force": 1e9, "control": np.nan, "state": 1.0}[bad]
    ours = rollout.rollout(m, MjData(m), start, control)
    theirs = mujoco.rollout.rollout(reference, mujoco.MjData(reference), start, control)
    # Of one joint: the same up to rounding, whatever was computed before.
    assert np.allclose(ours[0], theirs[0], rtol=1e-12, atol=1e-12, equal_nan=True)
    assert np.allclose(ours[1], theirs[1], rtol=1e-12, atol=1e-12, equal_nan=True)


def test_arguments_that_do_not_fit_are_named(m: MjModel, starts: np.ndarray, control: np.ndarray) -> None:
    d, n = MjData(m), starts.shape[1]
    other = MjModel.from_xml_string(SCENE.replace('<joint name="elbow" axis="0 1 0"/>', '<joint name="elbow"/><joint/>'))
    for message, call in {
        "initial_state must be a numpy array or float": lambda: rollout.rollout(m, d, [0.0] * n),
        "initial_state can have at most 2 dimensions": lambda: rollout.rollout(m, d, starts[None]),
        f"trailing dimension of initial_state must be {n}, got 3": lambda: rollout.rollout(m, d, starts[:, :3]),
        "dimension 0 inferred as 7 but control has 2": lambda: rollout.rollout(m, d, starts, control[:2]),
        "dimension 1 inferred as 5 but control has 60": lambda: rollout.rollout(m, d, starts, control, nstep=5),
        "nstep must be an integer": lambda: rollout.rollout(m, d, starts, nstep=1.5),
        "chunk_size must be an integer": lambda: rollout.rollout(m, d, starts, chunk_size="few"),
        "control_spec can only contain bits in mjSTATE_USER": lambda: rollout.rollout(m, d, starts, control_spec=2),
        "nbatch inferred as 7 but model is length 3": lambda: rollout.rollout([m] * 3, d, starts),
        "models are not compatible": lambda: rollout.rollout([m, other], d, starts[:2]),
        "The list of data instances is empty": lambda: rollout.rollout(m, [], starts),
        "the same data are given for two threads": lambda: rollout.rollout(m, [d, d], starts),
        "Length of data: 1 not equal to nthread: 2": lambda: rollout.Rollout(nthread=2).rollout(m, d, starts),
        r"state should be \(7, 60": lambda: rollout.rollout(m, d, starts, control, state=np.zeros((1, 60, n))),
    }.items():
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(physics.ModelError, match="model of other sizes"):
        rollout.rollout(m, MjData(other), starts)


def test_what_a_callback_raises_ends_all_threads(m: MjModel, starts: np.ndarray) -> None:
    calls: list[float] = []

    def control(model: object, data: Any) -> None:
        calls.append(data.time)
        if len(calls) == 20:
            raise LookupError("no plan")

    physics.set_mjcb_control(control)
    try:
        with pytest.raises(LookupError, match="no plan"):
            rollout.rollout(m, [MjData(m), MjData(m)], starts, nstep=100_000, persistent_pool=True)
    finally:
        physics.set_mjcb_control(None)
    assert rollout.persistent_rollout is not None
    rollout.shutdown_persistent_pool()
    assert rollout.persistent_rollout is None
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("tumble-rollout")]


@pytest.mark.parametrize("nstep", [10**12, 10**30])
def test_results_that_no_memory_holds_are_refused(m: MjModel, starts: np.ndarray, nstep: int) -> None:
    with pytest.raises(ValueError, match="do not fit in memory"):
        rollout.rollout(m, MjData(m), starts, nstep=nstep)


def test_only_a_dask_client_is_an_executor(m: MjModel, starts: np.ndarray) -> None:
    with pytest.raises(TypeError, match=r"Dask client \(dask\.distributed\.Client\), not 3"):
        rollout.rollout(m, MjData(m), starts, executor=3)  # type: ignore[arg-type]


@pytest.mark.fuzz  # processes start for some seconds
def test_cluster_rollout_is_identical_when_a_worker_dies(m: MjModel, starts: np.ndarray, control: np.ndarray) -> None:
    distributed = pytest.importorskip("distributed")
    starts, control = np.tile(starts, (20, 1)), np.tile(control, (20, 25, 1))
    expected = rollout.rollout(m, MjData(m), starts, control)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        first = rollout.rollout(m, MjData(m), starts, control, executor=client)
        victim = next(iter(client.run(os.getpid).values()))
        killed = threading.Event()

        def kill() -> None:
            os.kill(victim, signal.SIGKILL)
            killed.set()

        threading.Timer(0.2, kill).start()
        second = rollout.rollout(m, MjData(m), starts, control, executor=client)
        assert killed.is_set()
        assert victim not in client.run(os.getpid).values()
        heavy = MjModel.from_xml_string(SCENE.replace('size=".1 .1 .1"', 'size=".1 .1 .12"'))
        models = [m, heavy] * (len(starts) // 2)
        several = rollout.rollout(models, MjData(m), starts, control, executor=client, chunk_size=3)
    for got in (first, second):
        assert np.array_equal(got[0], expected[0])
        assert np.array_equal(got[1], expected[1])
    assert np.array_equal(several[0], rollout.rollout(models, MjData(m), starts, control)[0])
    assert not np.array_equal(several[0], expected[0])
