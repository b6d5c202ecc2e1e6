"""Domain randomization: one model, edited as a spec and compiled many times, with other masses, sizes and slopes."""

import json

import mujoco
import numpy as np

random = np.random.default_rng(7)


def ramp() -> mujoco.MjSpec:
    """A box on a plane that can be tilted, from nothing."""
    spec = mujoco.MjSpec()
    spec.modelname = "ramp"
    spec.option.timestep = 0.004
    spec.worldbody.add_light(pos=[0, 0, 3])
    spec.worldbody.add_geom(name="slope", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], friction=[0.4, 0.005, 0.0001])
    box = spec.worldbody.add_body(name="box", pos=[0, 0, 0.12])
    box.add_freejoint()
    box.add_geom(name="box", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1, 0.1, 0.1], mass=1, friction=[0.4, 0.005, 0.0001])
    box.add_site(name="top", pos=[0, 0, 0.1])
    return spec


spec = ramp()
slid = []
for _ in range(6):
    angle, size, mass = random.uniform(0.1, 0.6), random.uniform(0.05, 0.15), random.uniform(0.5, 5)
    spec.option.gravity = [9.81 * np.sin(angle), 0, -9.81 * np.cos(angle)]
    geom = spec.geom("box")
    geom.size, geom.mass = [size] * 3, mass
    spec.body("box").pos = [0, 0, size]
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 250)
    slid.append(float(data.body("box").xpos[0]))

# Two of them in one model, each with names of its own.
scene = mujoco.MjSpec()
for k in range(2):
    scene.worldbody.add_frame(pos=[0, k, 1]).attach_body(ramp().body("box"), f"{k}-", "")
model = scene.compile()
names = [model.body(b).name for b in range(model.nbody)]
print(json.dumps({"slid": slid, "bodies": names, "mass": float(model.body_subtreemass[0]), "nq": int(model.nq)}))
