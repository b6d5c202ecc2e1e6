"""LQR: a pole balanced on a cart, with the gain from the linearized dynamics of `mjd_transitionFD`."""

import json

import mujoco
import numpy as np

XML = """
<mujoco model="cartpole">
  <option timestep="0.01" integrator="implicitfast"/>
  <worldbody>
    <body name="cart" pos="0 0 1">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size=".1 .05 .05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0" damping="0.001"/>
        <geom type="capsule" size=".02" fromto="0 0 0 0 0 .6" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
n = 2 * model.nv + model.na
A, B = np.zeros((n, n)), np.zeros((n, model.nu))
mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)

Q, R = np.diag([1.0, 10.0, 0.1, 0.1]), np.eye(1)
P = Q.copy()
for _ in range(2000):  # the Riccati equation, iterated to its fixed point
    gain = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ gain)

data.qpos[1] = 0.25
widest, effort = 0.0, 0.0
for _ in range(800):
    data.ctrl[:] = -gain @ np.concatenate([data.qpos, data.qvel])
    mujoco.mj_step(model, data)
    widest = max(widest, abs(float(data.sensor(0).data[0])))
    effort += float(data.ctrl @ data.ctrl)

print(json.dumps({
    "A": A.tolist(), "B": B.ravel().tolist(), "gain": gain.ravel().tolist(), "widest": widest, "effort": effort,
    "balanced": bool(np.abs(data.qpos).max() < 1e-3), "fastest": float(np.abs(np.linalg.eigvals(A - B @ gain)).max()),
}))  # fmt: skip
