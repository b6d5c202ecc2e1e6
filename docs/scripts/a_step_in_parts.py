"""A step in parts: checks, forward dynamics by stages, integration. Together they do what mj_step does, bit for bit."""

import json

import mujoco
import numpy as np

XML = """
<mujoco model="ball and rod">
  <option timestep="0.002" integrator="implicitfast"><flag energy="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body pos="0 0 0.5"><freejoint/><geom size="0.1"/></body>
    <body pos="0 0.5 0.4"><joint name="hinge" axis="1 0 0" damping="0.1"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0 0.4 0"/></body>
  </worldbody>
  <sensor><jointpos joint="hinge"/></sensor>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)


def step(model, data):
    """As mj_step with an implicit integrator."""
    mujoco.mj_checkPos(model, data)
    mujoco.mj_checkVel(model, data)
    # positions: kinematics, inertia, collision, rows of constraints, transmission
    mujoco.mj_fwdPosition(model, data)
    mujoco.mj_sensorPos(model, data)
    mujoco.mj_energyPos(model, data)
    # velocities: bias and passive forces, reference accelerations
    mujoco.mj_fwdVelocity(model, data)
    mujoco.mj_sensorVel(model, data)
    mujoco.mj_energyVel(model, data)
    # forces and accelerations
    mujoco.mj_fwdActuation(model, data)
    mujoco.mj_fwdAcceleration(model, data)
    mujoco.mj_fwdConstraint(model, data)
    mujoco.mj_sensorAcc(model, data)
    mujoco.mj_checkAcc(model, data)
    mujoco.mj_implicit(model, data)


whole, parts = mujoco.MjData(model), mujoco.MjData(model)
for _ in range(500):
    mujoco.mj_step(model, whole)
    step(model, parts)

# What depends on velocities alone is computed again without the stage of positions.
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
biases = []
for speed in (0.0, 1.0, 2.0):
    data.qvel[3:6] = speed, 2 * speed, 0.0
    mujoco.mj_forwardSkip(model, data, mujoco.mjtStage.mjSTAGE_POS, 1)
    biases.append(float(data.qfrc_passive[6]))
    data.qvel[6] = speed + 1

print(json.dumps({
    "same": bool(np.array_equal(whole.qpos, parts.qpos) and np.array_equal(whole.qvel, parts.qvel)),
    "qpos": parts.qpos.tolist(), "energy": parts.energy.tolist(), "passive": biases,
}))  # fmt: skip
