"""What a script waits for when it calls one function of the engine, against the reference: control loops make many a step."""

from collections.abc import Callable
from time import perf_counter
from types import ModuleType
from typing import Any

import mujoco
import numpy as np

from tests.benchmarks.markdown import grid, section
from tests.physics.scenes import HUMANOID
from tumble import physics

_ROUNDS, _CALLS = 9, 200
_LOOP = (
    "mj_kinematics", "mj_comPos", "mj_jacBody", "mj_jacSubtreeCom", "mj_fullM", "mj_mulM", "mj_solveM", "mj_objectVelocity",
    "mj_integratePos", "mj_differentiatePos", "mj_getState", "mj_ray",
)  # fmt: skip


def _calls(engine: ModuleType) -> dict[str, Callable[[], Any]]:
    """The same calls of an engine, on a humanoid that has fallen for a while."""
    m = engine.MjModel.from_xml_path(str(HUMANOID))
    d = engine.MjData(m)
    engine.mj_step(m, d, 200)
    other = engine.MjData(m)
    turn, move, dense, rows = np.zeros((3, m.nv)), np.zeros((3, m.nv)), np.zeros((m.nv, m.nv)), np.zeros((1, m.nv))
    qpos, qvel, six, hit = d.qpos.copy(), d.qvel.copy(), np.zeros(6), np.zeros(1, np.int32)
    spec = engine.mjtState.mjSTATE_FULLPHYSICS
    state, body, up = np.zeros(engine.mj_stateSize(m, spec)), m.body("torso").id, np.array([0.0, 0.0, 1.0])
    kind = engine.mjtObj.mjOBJ_BODY
    calls = {
        "mj_kinematics": lambda: engine.mj_kinematics(m, d),
        "mj_comPos": lambda: engine.mj_comPos(m, d),
        "mj_forward": lambda: engine.mj_forward(m, d),
        "mj_inverse": lambda: engine.mj_inverse(m, d),
        "mj_jacBody": lambda: engine.mj_jacBody(m, d, move, turn, body),
        "mj_jacSubtreeCom": lambda: engine.mj_jacSubtreeCom(m, d, move, body),
        "mj_fullM": lambda: engine.mj_fullM(m, dense, d.qM),
        "mj_mulM": lambda: engine.mj_mulM(m, d, qvel, d.qvel),
        "mj_solveM": lambda: engine.mj_solveM(m, d, rows, rows + 1.0),
        "mj_integratePos": lambda: engine.mj_integratePos(m, qpos, d.qvel, 1e-3),
        "mj_differentiatePos": lambda: engine.mj_differentiatePos(m, qvel, 1e-3, qpos, d.qpos),
        "mj_objectVelocity": lambda: engine.mj_objectVelocity(m, d, kind, body, six, 0),
        "mj_contactForce": lambda: engine.mj_contactForce(m, d, 0, six),
        "mj_ray": lambda: engine.mj_ray(m, d, 3.0 * up, -up, None, 1, -1, hit),
        "mj_geomDistance": lambda: engine.mj_geomDistance(m, d, 1, 5, 1.0, six),
        "mj_getState": lambda: engine.mj_getState(m, d, state, spec),
        "mj_setState": lambda: engine.mj_setState(m, other, state, spec),
        "mj_copyData": lambda: engine.mj_copyData(other, m, d),
        "mj_resetData": lambda: engine.mj_resetData(m, other),
        "m.geom(name).size": lambda: m.geom("floor").size,
        "d.body(name).xpos": lambda: d.body("torso").xpos,
        "d.contact[0].dist": lambda: d.contact[0].dist,
    }

    def control_loop() -> None:
        for name in _LOOP:
            calls[name]()
        engine.mj_step(m, d)

    return calls | {"twelve of them and `mj_step`": control_loop}


def _seconds(call: Callable[[], Any]) -> float:
    start = perf_counter()
    for _ in range(_CALLS):
        call()
    return (perf_counter() - start) / _CALLS


def table() -> str:
    """A row for each call."""
    theirs, ours = _calls(mujoco), _calls(physics)
    rows = []
    for name in ours:
        rounds = [(_seconds(theirs[name]), _seconds(ours[name])) for _ in range(_ROUNDS)]
        reference, own = (1e6 * min(column) for column in zip(*rounds, strict=True))
        rows.append((name if " " in name else f"`{name}`", f"{reference:.2f}", f"{own:.2f}", f"{reference / own:.2f}"))
    return section("Single calls, against the reference", "A humanoid on the floor; the time from Python and back [us].",
                   grid("call | reference | ours | ratio", rows))  # fmt: skip
