"""Simulated truth for fits: a driven arm and tosses of a cube, with noise, as records."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tumble import physics
from tumble.app.replay.bundle import Contents
from tumble.app.study.fit.fit import FitJob, ModelFit
from tumble.app.study.study_file import parse

Array = NDArray[np.float64]

ARM = """
<mujoco>
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <body name="arm">
      <joint name="elbow" axis="0 1 0" damping="{damping}" frictionloss="{friction}"/>
      <inertial pos="0 0 -0.3" mass="1" diaginertia="0.02 0.02 0.002"/>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="elbow" kp="{kp}"/></actuator>
</mujoco>
"""
TRUTH = {"friction": 0.2, "damping": 0.1, "kp": 8.0}
ARM_STUDY = """
model = "arm.xml"
seconds = 1.0
[parameters.friction]
path = "joint[elbow].frictionloss"
low = 0.05
high = 0.8
log = true
[parameters.damping]
path = "joint[elbow].damping"
low = 0.02
high = 0.5
log = true
[parameters.kp]
path = "position[servo].kp"
low = 3.0
high = 20.0
log = true
[fit]
window = 0.5
position = 0.002
velocity = 0.05
search = "local"
restarts = 0
[fit.signals]
"qpos[elbow]" = {column = "q", deviation = 0.002}
"qvel[elbow]" = {column = "v", deviation = 0.05}
[fit.inputs]
"ctrl[servo]" = "target"
"""
NOISE = (0.002, 0.05)  # of angle [rad] and velocity [rad/s]


def arm_rows(
    rng: np.random.Generator, seconds: float = 6.0, delay: float = 0.0, values: dict[str, float] = TRUTH, reach: float = 1.0
) -> Array:
    """Rows t, q, v, target (n, 4) of an arm that follows targets, each 10 ms, with noise.

    delay: of the target [s]; reach: of the targets [rad], without which it swings out from 1.5 rad.
    """
    model = physics.MjModel.from_xml_string(ARM.format(**values))
    data = physics.MjData(model)
    data.qpos[0] = 0.0 if reach else 1.5
    time = np.arange(0, seconds, 0.005)
    phase = rng.uniform(0, 2 * np.pi, 3)
    def target(t: Array) -> Array:
        return reach * (np.sin(2.1 * t + phase[0]) + 0.6 * np.sin(5.3 * t + phase[1]) + 0.3 * np.sin(9.7 * t + phase[2]))
    rows = []
    for t in time:
        data.ctrl[0] = target(np.array(t - delay))
        rows.append((t, data.qpos[0], data.qvel[0], float(target(np.array(t)))))
        physics.mj_step(model, data)
    table = np.array(rows)[::2]
    table[:, 1] += NOISE[0] * rng.standard_normal(len(table))
    table[:, 2] += NOISE[1] * rng.standard_normal(len(table))
    return table


def write(path: Path, head: str, rows: Array) -> None:
    np.savetxt(path, rows, delimiter=",", header=head, comments="")


def job(folder: Path, study: str, model: str, data: list[str], held: list[str] | None = None) -> FitJob:
    """A fit of records in a folder."""
    file = folder / parse(study, "study.toml").model
    file.write_text(model)
    contents = Contents()
    contents[str(file)]
    paths = [str(folder / name) for name in data]
    return FitJob.of(parse(study, "study.toml"), contents.bundle(file), folder, "study.toml", paths,
                     [str(folder / name) for name in held or []])  # fmt: skip


def arm_fit(folder: Path, seed: int = 0, study: str = ARM_STUDY, seconds: float = 6.0) -> ModelFit:
    """A fit of one record of the arm, from a model with other numbers."""
    write(folder / "arm.csv", "t,q,v,target", arm_rows(np.random.default_rng(seed), seconds))
    return ModelFit(job(folder, study, ARM.format(friction=0.4, damping=0.05, kp=12.0), ["arm.csv"]))
