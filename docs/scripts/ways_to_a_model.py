"""Initialization: seven ways to a model, two to its data, and what becomes of a file with a mistake."""

import copy
import json
import tempfile
from pathlib import Path

import mujoco

XML = """
<mujoco model="swing">
  <worldbody>
    <body name="rod" pos="0 0 1">
      <joint name="pivot" axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0.5 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""
INCLUDING = '<mujoco><include file="swing.xml"/></mujoco>'

with tempfile.TemporaryDirectory() as folder:
    text, binary = Path(folder, "swing.xml"), str(Path(folder, "swing.mjb"))
    text.write_text(XML)
    from_file = mujoco.MjModel.from_xml_path(str(text))
    mujoco.mj_saveModel(from_file, binary)
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="rod", pos=[0, 0, 1])
    body.add_joint(name="pivot", axis=[0, 1, 0])
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=[0.03, 0, 0], fromto=[0, 0, 0, 0.5, 0, 0])
    models = {
        "file": from_file,
        "text": mujoco.MjModel.from_xml_string(XML),
        "files in memory": mujoco.MjModel.from_xml_string(INCLUDING, {"swing.xml": XML.encode()}),
        "compiled": mujoco.MjModel.from_binary_path(binary),
        "copy": copy.copy(from_file),
        "edited": spec.compile(),
        "read, then edited": mujoco.MjSpec.from_string(XML).compile(),
    }

angles = {}
for way, model in models.items():
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 250)
    again = copy.copy(data)  # goes on as the first one does
    mujoco.mj_step(model, data, 250)
    mujoco.mj_step(model, again, 250)
    assert again.qpos[0] == data.qpos[0]
    angles[way] = float(data.qpos[0])

try:
    mujoco.MjModel.from_xml_string(XML.replace("capsule", "capsul"))
    refused = False
except ValueError:
    refused = True

print(json.dumps({"angles": angles, "same": len(set(angles.values())) == 1, "refused": refused}))
