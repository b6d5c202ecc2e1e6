"""The simulation loop: a controller as a callback, before mj_step, and between its two halves."""

import json

import mujoco
import numpy as np

XML = """
<mujoco model="two rods">
  <option timestep="0.005"/>
  <default><joint axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/></default>
  <worldbody>
    <body><joint name="first"/><geom/><body pos="0.3 0 0"><joint name="second"/><geom/></body></body>
  </worldbody>
  <actuator><motor joint="first"/><motor joint="second"/></actuator>
</mujoco>
"""
SECONDS = 10.0

model = mujoco.MjModel.from_xml_string(XML)


def brake(model, data):
    """A torque against the speed of each joint, as a damper."""
    if model.nu == model.nv:
        data.ctrl[:] = -0.1 * data.qvel


def by_callback():
    """Called by the engine in each step, when the velocities are known."""
    mujoco.set_mjcb_control(brake)
    try:
        data = mujoco.MjData(model)
        while data.time < SECONDS:
            mujoco.mj_step(model, data)
    finally:
        mujoco.set_mjcb_control(None)  # it is one for all models
    return data


def before_a_step():
    """The controller sees what the step before has left."""
    data = mujoco.MjData(model)
    while data.time < SECONDS:
        brake(model, data)
        mujoco.mj_step(model, data)
    return data


def between_the_halves():
    """The controller sees poses, contacts and velocities of this step."""
    data = mujoco.MjData(model)
    while data.time < SECONDS:
        mujoco.mj_step1(model, data)
        brake(model, data)
        mujoco.mj_step2(model, data)
    return data


ways = {"callback": by_callback(), "before": before_a_step(), "between": between_the_halves()}
ends = {way: data.qpos.tolist() for way, data in ways.items()}
largest = max(float(np.abs(np.subtract(one, ends["callback"])).max()) for one in ends.values())
print(json.dumps({"ends": ends, "apart": largest, "steps": round(ways["callback"].time / model.opt.timestep)}))
