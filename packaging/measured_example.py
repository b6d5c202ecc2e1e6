"""Makes the measured data of the example study `motor_fit.toml`: simulated records of a pendulum with a motor, with noise.

    python packaging/measured_example.py

The model that moves has the values of TRUTH, which the file's do not have; angles and torques are read every 10 ms.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from tumble import physics  # noqa: E402

MODELS = ROOT / "resources" / "models"
TRUTH = {"joint": 'damping="0.8" frictionloss="1.5"', "geom": 'density="500"'}
NOISE = 0.004, 0.03  # standard deviations of the angle [rad] and of the speed [rad/s]
RECORDS, SECONDS, EVERY = 4, 6.0, 5  # EVERY steps are a row
TORQUE = 9.0  # [N m], greatest of each of three waves


def main() -> None:
    """Write the records."""
    text = (MODELS / "motor.xml").read_text("utf-8")
    text = text.replace('name="hinge"', f'name="hinge" {TRUTH["joint"]}')
    text = text.replace('name="rod" type', f'name="rod" {TRUTH["geom"]} type')
    model = physics.MjModel.from_xml_string(text)
    for number in range(1, RECORDS + 1):
        rng = np.random.default_rng(number)
        np.savetxt(
            MODELS / "measured" / f"motor_{number}.csv", record(model, rng), fmt="%.4f", delimiter=",",
            header="t,angle,speed,torque", comments="",
        )  # fmt: skip


def record(model: physics.MjModel, rng: np.random.Generator) -> np.ndarray:
    """Rows of time [s], angle [rad], speed [rad/s] and torque [N m] (n, 4)."""
    data = physics.MjData(model)
    data.qpos[0] = rng.uniform(0.5, 2.5)
    frequency, phase = np.array([0.4, 1.1, 2.3]), rng.uniform(0, 2 * np.pi, 3)
    rows = []
    for step in range(round(SECONDS / model.opt.timestep)):
        torque = round(float(TORQUE * np.sin(2 * np.pi * frequency * data.time + phase).sum() / 2), 4)
        data.ctrl[0] = torque
        if step % EVERY == 0:
            noise = NOISE * rng.standard_normal(2)
            rows.append((data.time, data.qpos[0] + noise[0], data.qvel[0] + noise[1], torque))
        physics.mj_step(model, data)
    return np.array(rows)


if __name__ == "__main__":
    main()
