"""States: which numbers decide the future, how they are copied, and what a derivative with respect to them is."""

import json

import mujoco
import numpy as np

XML = """
<mujoco model="muscle">
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="arm" pos="0 0 0.5"><joint name="elbow" axis="0 1 0"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0.4 0 0"/></body>
    <body pos="0.6 0 0.2"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
  <actuator><general joint="elbow" dyntype="filter" dynprm="0.2" gainprm="3"/></actuator>
</mujoco>
"""
State = mujoco.mjtState
SETS = {
    "physics": State.mjSTATE_PHYSICS, "full physics": State.mjSTATE_FULLPHYSICS, "user": State.mjSTATE_USER,
    "integration": State.mjSTATE_INTEGRATION, "chosen": State.mjSTATE_TIME | State.mjSTATE_QPOS | State.mjSTATE_CTRL,
}  # fmt: skip

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
data.ctrl[0] = 0.5
mujoco.mj_step(model, data, 200)
sizes = {name: mujoco.mj_stateSize(model, int(kind)) for name, kind in SETS.items()}

# Into another data, and both go on alike.
state = np.empty(sizes["integration"])
mujoco.mj_getState(model, data, state, int(State.mjSTATE_INTEGRATION))
other = mujoco.MjData(model)
mujoco.mj_setState(model, other, state, int(State.mjSTATE_INTEGRATION))
mujoco.mj_step(model, data, 200)
mujoco.mj_step(model, other, 200)
same = bool(np.array_equal(data.qpos, other.qpos) and np.array_equal(data.act, other.act))

# dx' = A dx + B du of one step
nx = 2 * model.nv + model.na
a, b = np.zeros((nx, nx)), np.zeros((nx, model.nu))
mujoco.mjd_transitionFD(model, data, 1e-6, True, a, b, None, None)
print(json.dumps({"sizes": sizes, "same": same, "qpos": data.qpos.tolist(), "act": data.act.tolist(), "dact": float(b[-1, 0])}))
