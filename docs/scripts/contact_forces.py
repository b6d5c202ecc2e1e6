"""Contact forces: what a stack of boxes weighs on the floor, contact by contact, and where a push begins to slide it."""

import json

import mujoco
import numpy as np

XML = """
<mujoco model="stack">
  <option timestep="0.002" cone="elliptic"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1" friction="0.5"/>
    <body name="low" pos="0 0 .1"><freejoint/><geom name="low" type="box" size=".1 .1 .1" mass="2" friction="0.5"/></body>
    <body name="high" pos="0 0 .28"><freejoint/><geom name="high" type="box" size=".08 .08 .08" mass="1" friction="1"/></body>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_step(model, data, 1000)

floor = model.geom("floor").id
weight, tangent, wrench = 0.0, 0.0, np.zeros(6)
for i, contact in enumerate(data.contact):
    if floor in contact.geom:
        mujoco.mj_contactForce(model, data, i, wrench)
        weight += wrench[0]
        tangent += np.linalg.norm(wrench[1:3])
depth = max(-contact.dist for contact in data.contact)

# A push that grows until the lower box slides: friction times the weight of both.
pushed = 0.0
while abs(data.body("low").cvel[3]) < 0.05:
    pushed += 0.02
    data.xfrc_applied[model.body("low").id, 0] = pushed
    mujoco.mj_step(model, data)

print(json.dumps({
    "contacts": int(data.ncon), "weight": weight, "tangent": tangent, "depth": depth, "slides": pushed,
    "names": sorted({model.geom(int(g)).name for g in data.contact.geom.ravel()}),
}))  # fmt: skip
