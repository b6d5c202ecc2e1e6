"""A control loop: computed torque holds an arm on a moving target, from the engine's own inverse dynamics."""

import json

import mujoco
import numpy as np

XML = """
<mujoco model="two links">
  <option timestep="0.002" integrator="implicitfast"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.05"/>
      <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4"/>
      <body name="lower" pos="0 0 -0.4">
        <joint name="elbow" axis="0 1 0" damping="0.05"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.3"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="at shoulder" joint="shoulder"/><motor name="at elbow" joint="elbow"/></actuator>
</mujoco>
"""
STIFFNESS, DAMPING = 100.0, 20.0  # of the error [1/s^2, 1/s]: critically damped

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
inverse = mujoco.MjData(model)
errors = []
while data.time < 3.0:
    target = np.array([np.sin(data.time), 0.5 * np.cos(2 * data.time)])
    velocity = np.array([np.cos(data.time), -np.sin(2 * data.time)])
    acceleration = np.array([-np.sin(data.time), -2 * np.cos(2 * data.time)])
    inverse.qpos[:], inverse.qvel[:] = data.qpos, data.qvel
    inverse.qacc[:] = acceleration + DAMPING * (velocity - data.qvel) + STIFFNESS * (target - data.qpos)
    mujoco.mj_inverse(model, inverse)
    data.ctrl[:] = inverse.qfrc_inverse
    mujoco.mj_step(model, data)
    errors.append(np.linalg.norm(data.qpos - target))

print(json.dumps({"first": errors[0], "last": errors[-1], "qpos": data.qpos.tolist(), "ctrl": data.ctrl.tolist()}))
