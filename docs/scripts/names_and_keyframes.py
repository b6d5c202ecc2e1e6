"""Names and keyframes: fields by the names of elements, a state saved and restored, copies, and a model as a file."""

import copy
import json
import os
import pickle
import tempfile

import mujoco
import numpy as np

XML = """
<mujoco model="names">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="ball" pos="0 0 1"><freejoint name="free"/><geom name="ball" size=".1" rgba=".8 .2 .2 1"/></body>
    <body name="door" pos="1 0 0">
      <joint name="hinge" axis="0 0 1" damping=".1"/><geom name="door" type="box" size=".3 .02 .5" pos=".3 0 .5"/>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="20"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><framepos name="place" objtype="body" objname="ball"/></sensor>
  <keyframe><key name="open" qpos="0 0 .5 1 0 0 0 1.2" ctrl="1.2"/></keyframe>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, model.key("open").id)
mujoco.mj_forward(model, data)
told = {"height": data.joint("free").qpos[2], "angle": data.sensor("angle").data[0], "mass": model.body("door").mass[0]}

model.geom("ball").rgba = [0, 1, 0, 1]
model.actuator("servo").gainprm[0] = 40
data.joint("free").qvel[:3] = [0, 0.3, 0]
mujoco.mj_step(model, data, 200)

spec = mujoco.mjtState.mjSTATE_INTEGRATION
state = np.zeros(mujoco.mj_stateSize(model, spec))
mujoco.mj_getState(model, data, state, spec)
other, pickled = copy.deepcopy(data), pickle.loads(pickle.dumps(data))
for each in (data, other, pickled):
    mujoco.mj_step(model, each, 100)
again = mujoco.MjData(model)
mujoco.mj_setState(model, again, state, spec)
mujoco.mj_step(model, again, 100)

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "names.mjb")
    mujoco.mj_saveModel(model, path, None)
    saved = mujoco.MjModel.from_binary_path(path)

told |= {
    "same": [bool(np.array_equal(data.qpos, each.qpos)) for each in (other, pickled, again)],
    "state": len(state),
    "qpos": data.qpos.tolist(),
    "place": data.sensor("place").data.tolist(),
    "touches": sorted(model.geom(int(g)).name for g in data.contact[0].geom) if data.ncon else [],
    "names": [model.joint(j).name for j in range(model.njnt)],
    "rgba": saved.geom("ball").rgba.tolist(),
    "id": mujoco.mj_name2id(saved, mujoco.mjtObj.mjOBJ_SENSOR, "place"),
    "window": True,
}
try:
    model.body("window")
except KeyError:  # its message lists the names that there are
    told["window"] = False
print(json.dumps(told))
