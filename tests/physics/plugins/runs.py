"""Runs of a model in both engines, from one state and with the same controls."""

import mujoco
import numpy as np

from tumble import physics

COMPARED = ("qpos", "qvel", "act", "act_dot", "actuator_force", "qfrc_actuator", "qfrc_passive", "qacc", "sensordata")


def settings(**values: object) -> str:
    """The <config> elements of a plugin."""
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in values.items())


def worst_difference(xml: str, steps: int = 100, speed: float = 1.0, ctrl: float = 2.0) -> dict[str, float]:
    """The largest difference of each compared field over a run, relative to its largest value, at least 1.

    speed: of random initial velocities; ctrl: size of random controls, which change every seven steps.
    """
    ours, theirs = physics.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    a, b = physics.MjData(ours), mujoco.MjData(theirs)
    random = np.random.default_rng(0)
    a.qvel[:] = b.qvel[:] = speed * random.normal(size=theirs.nv)
    found = dict.fromkeys(COMPARED, 0.0)
    for step in range(steps):
        if step % 7 == 0:
            a.ctrl[:] = b.ctrl[:] = ctrl * random.normal(size=theirs.nu)
        physics.mj_step(ours, a)
        mujoco.mj_step(theirs, b)
        for name in COMPARED:
            x, y = np.asarray(getattr(a, name)), np.asarray(getattr(b, name))
            assert x.shape == y.shape, name
            found[name] = max(found[name], np.max(abs(x - y), initial=0.0) / max(1.0, np.max(abs(y), initial=0.0)))
    assert abs(b.qvel).max() > 1e-6
    return found


def assert_alike(xml: str, **how: float) -> None:
    """Both engines agree to 1e-9 over a run: what rounding becomes in a hundred steps stays below that by far."""
    assert {name: worst for name, worst in worst_difference(xml, **how).items() if not worst < 1e-9} == {}
