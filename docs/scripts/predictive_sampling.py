"""Predictive sampling: a pendulum swings up by the best of many random plans, which are rolled out on all cores."""

import json

import mujoco
import numpy as np
from mujoco import rollout

XML = """
<mujoco model="pendulum">
  <option timestep="0.02" integrator="implicitfast"/>
  <worldbody>
    <body pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping=".01"/>
      <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.5" mass="1"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-1.6 1.6" ctrllimited="true"/></actuator>
</mujoco>
"""
PLANS, HORIZON, SPREAD = 24, 40, 0.8

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
random = np.random.default_rng(3)
plan = np.zeros((HORIZON, model.nu))
kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
state = np.zeros(mujoco.mj_stateSize(model, kind))
costs = []
with rollout.Rollout(nthread=2) as pool:
    workers = [mujoco.MjData(model) for _ in range(2)]
    while data.time < 1.5:
        tried = plan + SPREAD * random.standard_normal((PLANS, HORIZON, model.nu))
        tried[0] = plan
        tried = np.clip(tried, -1.6, 1.6)
        mujoco.mj_getState(model, data, state, kind)
        states, _ = pool.rollout(model, workers, np.tile(state, (PLANS, 1)), tried)
        angle, speed = states[:, :, 1], states[:, :, 2]
        cost = (1 + np.cos(angle) + 0.01 * speed**2 + 0.02 * tried[:, :, 0] ** 2).sum(axis=1)
        best = int(cost.argmin())
        costs.append(float(cost[best]))
        plan = np.vstack([tried[best, 1:], tried[best, -1:]])
        data.ctrl[:] = tried[best, 0]
        mujoco.mj_step(model, data)

print(json.dumps({"costs": costs[::10], "qpos": data.qpos.tolist(), "qvel": data.qvel.tolist(), "shape": list(states.shape)}))
