"""Environments of packages: a reset, ten steps with random actions and a picture, with whatever `import mujoco` gives."""

from __future__ import annotations

import logging
import random
import traceback
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from tests.app.mujoco.environments import NAMES
from tests.peers.record import FAILED, PASSED, SKIPPED, Record

STEPS = 10
NUDGE = 1e-13  # [m/s or rad/s]: a thousand times the rounding of a velocity
SIDE = 16  # blocks of a thumbnail, in each direction
Trace = dict[str, list[Any]]


def run(name: str, engine: str, record: Record) -> None:
    """Step every environment of a package. The reference does it once more with a nudge: what rounding decides has no answer."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    for environment, play in PACKAGES[name]():
        test = f"{name}.{environment}"
        if not record.wanted(test):
            continue
        record.start(test)
        try:
            trace = seeded(play)
            if engine == "reference":
                again = nudged(play)
                trace |= {"nudged": again["states"], "picture again": again["picture"]}
        except Exception as error:  # noqa: BLE001  # the other environments run
            missing = type(error).__name__ == "DependencyNotInstalled"  # Gymnasium's, of the older mujoco_py
            record.finish(test, SKIPPED if missing else FAILED, traceback.format_exc())
        else:
            record.finish(test, PASSED, trace=trace)


def seeded(play: Callable[[], Trace]) -> Trace:
    """Play with the generators that packages share in a known state."""
    np.random.seed(0)  # noqa: NPY002  # packages draw from it
    random.seed(0)
    return play()


def nudged(play: Callable[[], Trace]) -> Trace:
    """Play with velocities that change by NUDGE before every step."""
    mujoco: Any = import_module("mujoco")
    step = mujoco.mj_step
    rng = np.random.default_rng(2)

    def nudging(m: Any, d: Any, nstep: int = 1) -> None:
        for _ in range(nstep):
            d.qvel[:] += NUDGE * rng.standard_normal(m.nv)
            step(m, d)

    mujoco.mj_step = nudging
    try:
        return seeded(play)
    finally:
        mujoco.mj_step = step


def state(data: Any) -> list[float]:
    """Positions and velocities."""
    return [*data.qpos.tolist(), *data.qvel.tolist()]


def thumbnail(picture: Any) -> list[float]:
    """Mean levels (0 to 255) of SIDE x SIDE blocks of a picture (height, width, 3)."""
    pixels = np.asarray(picture, dtype=float)
    rows = [np.mean(strip, axis=(0, 2)) for strip in np.array_split(pixels, SIDE)]
    return [float(np.mean(block)) for row in rows for block in np.array_split(row, SIDE)]


def _gymnasium(name: str) -> Trace:
    env = import_module("gymnasium").make(name, render_mode="rgb_array")
    env.action_space.seed(4)
    env.reset(seed=3)
    data = env.unwrapped.data
    states = [state(data)]
    for _ in range(STEPS):
        env.step(env.action_space.sample())
        states.append(state(data))
    trace: Trace = {"states": states, "picture": thumbnail(env.render())}
    env.close()
    return trace


def gymnasium() -> Iterator[tuple[str, Callable[[], Trace]]]:
    """MuJoCo's environments that Gymnasium has itself."""
    for name in NAMES:
        yield f"{name}-v5", partial(_gymnasium, f"{name}-v5")


def gymnasium_robotics() -> Iterator[tuple[str, Callable[[], Trace]]]:
    """The newest version of each environment that gymnasium_robotics registers; dense rewards are the same model."""
    package = import_module("gymnasium")
    package.register_envs(import_module("gymnasium_robotics"))
    newest: dict[str, str] = {}
    for name, spec in sorted(package.registry.items(), key=lambda row: (row[1].name, row[1].version or 0)):
        if "gymnasium_robotics" in str(spec.entry_point) and "Dense" not in name:
            newest[spec.name] = name
    for name in newest.values():
        yield name, partial(_gymnasium, name)


def _metaworld(kind: Any) -> Trace:
    env = kind(render_mode="rgb_array")
    env._partially_observable, env._freeze_rand_vec, env._set_task_called = False, False, True
    env.seed(1)
    env.reset(seed=3)
    rng = np.random.default_rng(5)
    states = [state(env.data)]
    for _ in range(STEPS):
        env.step(rng.uniform(-1.0, 1.0, 4))
        states.append(state(env.data))
    return {"states": states, "picture": thumbnail(env.render())}


def metaworld() -> Iterator[tuple[str, Callable[[], Trace]]]:
    """All environments of Meta-World."""
    for name, kind in sorted(import_module("metaworld.env_dict").ENV_CLS_MAP.items()):
        yield name, partial(_metaworld, kind)


def _robosuite(name: str) -> Trace:
    robots = ["Panda", "Panda"] if name.startswith("TwoArm") else "Panda"
    options = {"has_renderer": False, "use_camera_obs": True, "camera_heights": 96, "camera_widths": 96, "seed": 3}
    env = import_module("robosuite").make(name, robots=robots, **options)
    env.reset()
    data = env.sim.data
    rng = np.random.default_rng(5)
    low, high = env.action_spec
    states = [state(data)]
    for _ in range(STEPS):
        observation = env.step(rng.uniform(low, high))[0]
        states.append(state(data))
    pictures = [value for key, value in sorted(observation.items()) if key.endswith("_image")]
    trace: Trace = {"states": states, "picture": [level for picture in pictures for level in thumbnail(picture)]}
    env.close()
    return trace


def robosuite() -> Iterator[tuple[str, Callable[[], Trace]]]:
    """All environments of robosuite, with their cameras."""
    for name in sorted(import_module("robosuite").ALL_ENVIRONMENTS):
        yield name, partial(_robosuite, name)


PACKAGES = {
    "gymnasium": gymnasium,
    "gymnasium_robotics": gymnasium_robotics,
    "metaworld": metaworld,
    "robosuite": robosuite,
}
