"""A passive viewer: the script steps, the window shows; a push while it runs, and a marker of the script's own."""

import json
import time

import mujoco
import mujoco.viewer

XML = """
<mujoco model="swing">
  <worldbody>
    <light pos="0 0 3"/><geom type="plane" size="2 2 .1"/>
    <body name="swing" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping=".02"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.6"/>
    </body>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.qpos[0] = 0.5
shown = 0
with mujoco.viewer.launch_passive(model, data) as viewer:
    viewer.cam.distance = 3
    while viewer.is_running() and data.time < 0.1:
        begun = time.time()
        mujoco.mj_step(model, data)
        with viewer.lock():
            viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = int(data.time % 2)
            marker, sphere = viewer.user_scn.geoms[0], mujoco.mjtGeom.mjGEOM_SPHERE
            mujoco.mjv_initGeom(marker, sphere, [0.05, 0, 0], data.geom_xpos[1], data.geom_xmat[1], [1, 0, 0, 1])
            viewer.user_scn.ngeom = 1
        viewer.sync()
        shown += 1
        time.sleep(max(0.0, model.opt.timestep - (time.time() - begun)))

print(json.dumps({"shown": shown, "time": data.time, "qpos": data.qpos.tolist(), "distance": viewer.cam.distance}))
