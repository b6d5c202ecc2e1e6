"""Threads and changes of a model: one model, a data for each thread; then other numbers in the model itself."""

import json
from concurrent.futures import ThreadPoolExecutor

import mujoco
import numpy as np

XML = """
<mujoco model="pendulum">
  <option timestep="0.002" integrator="implicitfast"/>
  <worldbody>
    <body name="bob"><joint name="hinge" axis="0 1 0"/><geom type="sphere" size="0.05" pos="0 0 -1" mass="1"/></body>
  </worldbody>
</mujoco>
"""
THREADS = 4

model = mujoco.MjModel.from_xml_string(XML)
starts = np.linspace(0.1, 1.6, 8)


def swing(start):
    """Half a swing from an angle [rad]: the time until it stands still on the other side [s]."""
    data = mujoco.MjData(model)  # one for each thread; the model is only read
    data.qpos[0] = start
    mujoco.mj_step(model, data)
    while data.qvel[0] < 0:
        mujoco.mj_step(model, data)
    return data.time


with ThreadPoolExecutor(THREADS) as pool:
    together = list(pool.map(swing, starts))
alone = [swing(start) for start in starts]

# Options and numbers may change between steps; what was computed from them at compile time follows by mj_setConst.
model.opt.gravity[2] /= 4
half = swing(0.1)
model.body("bob").mass[0] = 3.0
data = mujoco.MjData(model)
before = float(model.body("bob").subtreemass[0])  # a view: it changes with the model
mujoco.mj_setConst(model, data)
after = model.body("bob").subtreemass[0]
print(json.dumps({
    "same": together == alone, "times": alone, "quarter of gravity": half, "subtree mass": [before, float(after)],
}))  # fmt: skip
