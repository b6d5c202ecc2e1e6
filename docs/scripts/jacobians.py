"""Jacobians, contacts and diagnostics: a Jacobian against differences, a force through it, times and warnings of a run."""

import json

import mujoco
import numpy as np

XML = """
<mujoco model="finger">
  <option cone="elliptic"/>
  <default><joint axis="0 1 0" damping="0.2"/><geom type="capsule" size="0.03"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 0.3"><joint/><geom fromto="0 0 0 0.3 0 0"/>
      <body pos="0.3 0 0"><joint/><geom fromto="0 0 0 0.2 0 -0.1"/><site name="tip" pos="0.2 0 -0.1"/></body></body>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.qpos[:] = 0.3, 0.4
mujoco.mj_forward(model, data)

jacobian = np.zeros((3, model.nv))
mujoco.mj_jacSite(model, data, jacobian, None, model.site("tip").id)
differences = np.zeros((3, model.nv))
for i in range(model.nv):
    ends = []
    for sign in (1, -1):
        moved = mujoco.MjData(model)
        moved.qpos[:] = data.qpos
        moved.qpos[i] += sign * 1e-6
        mujoco.mj_kinematics(model, moved)
        ends.append(moved.site("tip").xpos.copy())
    differences[:, i] = (ends[0] - ends[1]) / 2e-6

# The force of each contact, in its own frame, begins at a row of efc_force; the transposed Jacobian brings it to the joints.
mujoco.mj_step(model, data, 1500)
mujoco.mj_forward(model, data)
normal, through = [], np.zeros(model.nv)
for contact in data.contact:
    force = np.zeros(3)
    force[: contact.dim] = data.efc_force[contact.efc_address : contact.efc_address + contact.dim]
    normal.append(float(force[0]))
    points = np.zeros((3, model.nv))
    mujoco.mj_jac(model, data, points, None, contact.pos, model.geom(contact.geom[1]).bodyid[0])
    through += points.T @ (contact.frame.reshape(3, 3).T @ force)

print(json.dumps({
    "error": round(float(np.abs(jacobian - differences).max()), 6), "jacobian": jacobian.tolist(),
    "normal": sorted(normal), "through": through.tolist(), "constraint": data.qfrc_constraint.tolist(),
    "steps": int(data.timer[mujoco.mjtTimer.mjTIMER_STEP].number > 0),
    "warnings": int(sum(warning.number for warning in data.warning)),
}))  # fmt: skip
