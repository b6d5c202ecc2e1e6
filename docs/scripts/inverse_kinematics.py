"""Inverse kinematics: damped least squares on the Jacobian of a site, within the limits of the joints."""

import json

import mujoco
import numpy as np

XML = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <default><joint range="-2.6 2.6"/><geom type="capsule" size="0.03"/></default>
  <worldbody>
    <body name="base" pos="0 0 .2">
      <joint name="turn" axis="0 0 1"/><joint name="lift" axis="0 1 0"/><geom fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0">
        <joint name="elbow" axis="0 1 0"/><geom fromto="0 0 0 .35 0 0"/>
        <body pos=".35 0 0">
          <joint name="roll" axis="1 0 0"/><joint name="pitch" axis="0 1 0"/><geom fromto="0 0 0 .1 0 0"/>
          <site name="hand" pos=".1 0 0"/>
        </body>
      </body>
    </body>
    <site name="target" pos=".45 .3 .35" euler="0 .5 0"/>
  </worldbody>
  <keyframe><key name="bent" qpos=".1 -.4 .9 0 .2"/></keyframe>
</mujoco>
"""
DAMPING = 1e-4

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, model.key("bent").id)
hand, target = model.site("hand").id, model.site("target").id
jac, error, own, wanted, turned = np.zeros((3, model.nv)), np.zeros(3), np.zeros(4), np.zeros(4), np.zeros(4)
low, high = model.jnt_range.T
far = []
for _ in range(60):
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_jacSite(model, data, jac, None, hand)
    error = data.site_xpos[target] - data.site_xpos[hand]
    far.append(float(np.linalg.norm(error)))
    step = jac.T @ np.linalg.solve(jac @ jac.T + DAMPING * np.eye(3), error)
    mujoco.mj_integratePos(model, data.qpos, step, 0.5)
    np.clip(data.qpos, low, high, out=data.qpos)

mujoco.mju_mat2Quat(own, data.site("hand").xmat)
mujoco.mju_mat2Quat(wanted, data.site("target").xmat)
mujoco.mju_negQuat(own, own)
mujoco.mju_mulQuat(turned, own, wanted)
print(
    json.dumps({"first": far[0], "tenth": far[9], "close": far[-1] < 1e-6, "qpos": data.qpos.tolist(), "turned": turned.tolist()})
)
