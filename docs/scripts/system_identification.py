"""System identification: mass, friction and damping of a joint from a recorded swing, by least squares within bounds."""

import json

import mujoco
import numpy as np
from mujoco import minimize

XML = """
<mujoco model="unknown">
  <option timestep="0.01"/>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping=".3" frictionloss=".05"/>
      <geom name="arm" type="capsule" size=".03" fromto="0 0 0 0 0 -.5" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
"""
STEPS = 150
TRUE = np.array([1.7, 0.12])  # mass [kg], damping [N m s]

spec = mujoco.MjSpec.from_string(XML)


def swing(mass: float, damping: float) -> np.ndarray:
    """The angles of a swing that is driven by a known torque."""
    spec.geom("arm").mass, spec.joint("hinge").damping = mass, damping
    model = spec.compile()
    data = mujoco.MjData(model)
    angles = np.zeros(STEPS)
    for k in range(STEPS):
        data.ctrl[0] = 2 * np.sin(3 * data.time)
        mujoco.mj_step(model, data)
        angles[k] = data.qpos[0]
    return angles


measured = swing(*TRUE) + 1e-3 * np.random.default_rng(1).standard_normal(STEPS)


def residual(x: np.ndarray) -> np.ndarray:
    """What each column of x, (2, k), leaves of the measured swing, (STEPS, k)."""
    return np.stack([swing(*column) - measured for column in x.T], axis=1)


bounds = [np.array([0.1, 0.0]), np.array([5.0, 2.0])]
found, trace = minimize.least_squares(np.array([1.0, 0.5]), residual, bounds, eps=1e-6, verbose=minimize.Verbosity.SILENT)
print(json.dumps({
    "found": found.tolist(), "objective": float(trace[-1].objective), "start": float(trace[0].objective),
    "near": bool(np.abs(found - TRUE).max() < 0.01),
}))  # fmt: skip
