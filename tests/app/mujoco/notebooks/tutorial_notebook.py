"""As the introductory notebook of the package, on models of our own: names, pictures, videos, a spinning
top, energy, contacts and their forces, tendons and sensors, depth and segmentation, labels of the scene, a camera's matrix."""

import itertools
import json

import mujoco
import numpy as np

SHAPES = """<mujoco><worldbody><light name="top" pos="0 0 1"/>
<body name="pair" euler="0 0 -30"><joint name="swing" type="hinge" axis="1 -1 0" pos="-.2 -.2 -.2"/>
<geom name="cube" type="box" size=".2 .2 .2" rgba="1 0 0 1"/><geom name="ball" pos=".2 .2 .2" size=".1" rgba="0 1 0 1"/></body>
</worldbody></mujoco>"""
TOP = """<mujoco><option integrator="RK4"/><asset>
<texture name="squares" type="2d" builtin="checker" rgb1=".1 .2 .3" rgb2=".2 .3 .4" width="100" height="100"/>
<material name="squares" texture="squares" texrepeat="8 8" reflectance=".2"/></asset><worldbody>
<geom size=".2 .2 .01" type="plane" material="squares"/><light pos="0 0 .6"/>
<camera name="close" pos="0 -.1 .07" xyaxes="1 0 0 0 1 2"/><body name="top" pos="0 0 .02"><freejoint/>
<geom name="ball" size=".02"/><geom name="stem" type="cylinder" pos="0 0 .02" size=".004 .008"/>
<geom name="ballast" type="box" size=".023 .023 .005" pos="0 0 -.015" contype="0" conaffinity="0" group="3"/></body></worldbody>
<keyframe><key name="spinning" qpos="0 0 .02 1 0 0 0" qvel="0 0 0 0 1 200"/></keyframe></mujoco>"""
ARMS = """<mujoco><option timestep=".001"><flag energy="enable" contact="disable"/></option>
<default><joint axis="0 -1 0"/><geom type="capsule" size=".02"/></default><worldbody><light pos="0 -.4 1"/>
<camera name="fixed" pos="0 -1 0" xyaxes="1 0 0 0 0 1"/><body pos="0 0 .2"><joint name="root"/>
<geom fromto="-.2 0 0 .2 0 0"/><body pos="-.2 0 0"><joint/><geom fromto="0 0 0 0 0 -.25"/></body>
<body pos=".2 0 0"><joint/><geom fromto="0 0 0 0 0 -.2"/></body></body></worldbody></mujoco>"""
FREE = """<mujoco><visual><map znear=".01"/></visual><worldbody><light pos="0 0 1.5" diffuse=".7 .7 .7"/>
<geom name="floor" type="plane" size=".5 .5 .1"/><body name="brick" pos="0 0 .3"><freejoint/>
<geom name="cube" type="box" size=".06 .05 .04" rgba=".9 .2 .2 1"/>
<geom name="knob" pos=".06 .05 .05" size=".03" rgba=".2 .9 .2 1"/>
<camera name="track" pos="0 -.5 .3" xyaxes="1 0 0 0 .5 1" mode="track"/></body></worldbody></mujoco>"""
PINATA = """<mujoco><worldbody><light pos="0 0 2"/>
<geom type="plane" size="1 1 .1"/><camera name="fixed" pos="0 -1.3 .5" xyaxes="1 0 0 0 .3 1"/>
<site name="anchor" pos="0 0 1" size=".01"/><body name="bag" pos="0 0 .5"><freejoint/>
<geom type="box" size=".08 .08 .08" mass=".5"/><site name="hook" pos="0 0 .08" size=".01"/><site name="imu"/></body>
<body name="bat" pos=".3 0 .2"><joint name="swing" axis="0 0 1" damping=".02" range="-160 160"/>
<geom type="capsule" size=".03" fromto="0 0 .25 -.22 -.15 .25" mass=".3"/></body></worldbody>
<tendon><spatial name="wire" limited="true" range="0 .42" width=".005"><site site="anchor"/><site site="hook"/></spatial></tendon>
<actuator><motor name="bat" joint="swing" gear="1"/></actuator>
<sensor><accelerometer name="accelerometer" site="imu"/></sensor></mujoco>"""
SIZE = 60, 80
out = {}


def mean(picture):
    """The mean colour of a picture, of 1."""
    return float(np.mean(picture) / 255)


# Names and fields.
model = mujoco.MjModel.from_xml_string(SHAPES)
try:
    model.geom()
except KeyError as error:
    out["valid"] = "ball" in str(error)
number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, "ball")
out["names"] = [model.geom(i).name for i in range(model.ngeom)] + [model.body(0).name, model.geom("ball").id == number]
out["colours"] = [model.geom_rgba[number, :].tolist(), model.geom("ball").rgba.tolist()]
out["shown"] = "rgba" in repr(model.geom("ball"))
data = mujoco.MjData(model)
mujoco.mj_kinematics(model, data)
out["places"] = [data.geom_xpos.tolist()[1], data.geom("ball").xpos.tolist()]

# Pictures: before any scene, after it, with joints drawn; a film, gravity turned round.
with mujoco.Renderer(model, *SIZE) as renderer:
    out["black"] = mean(renderer.render())
    mujoco.mj_forward(model, data)
    renderer.update_scene(data)
    out["first"] = mean(renderer.render())
    option = mujoco.MjvOption()
    option.flags[mujoco.mjtVisFlag.mjVIS_JOINT] = True
    mujoco.mj_resetData(model, data)
    frames = []
    while data.time < 0.5:
        mujoco.mj_step(model, data)
        if len(frames) < data.time * 10:
            renderer.update_scene(data, scene_option=option)
            frames.append(renderer.render())
out["film"] = [len(frames), mean(frames)]
out["degrees"] = model.nv
model.opt.gravity = (0, 0, 10)
mujoco.mj_resetData(model, data)
mujoco.mj_step(model, data, 100)
out["upward"] = data.qpos.tolist()

# A top that spins: keyframe, velocity, height of its stem.
model = mujoco.MjModel.from_xml_string(TOP)
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)
mujoco.mj_forward(model, data)
out["start"] = [*data.qpos, *data.qvel]
with mujoco.Renderer(model, *SIZE) as renderer:
    renderer.update_scene(data, "close")
    out["top"] = mean(renderer.render())
spin, height = [], []
while data.time < 0.3:
    mujoco.mj_step(model, data)
    spin.append(data.joint(0).qvel[3:6].copy())
    height.append(float(data.geom("stem").xpos[2]))
out["spin"], out["height"] = spin[-1].tolist(), height[-1]

# A chaotic pendulum: energy is kept the better the smaller the step, and a large one diverges.
model = mujoco.MjModel.from_xml_string(ARMS)
data = mujoco.MjData(model)
data.joint("root").qvel = 5
with mujoco.Renderer(model, *SIZE) as renderer:
    mujoco.mj_forward(model, data)
    renderer.update_scene(data, "fixed")
    out["arms"] = mean(renderer.render())
drift = []
for timestep in (0.004, 0.002, 0.001):
    model.opt.timestep = timestep
    mujoco.mj_resetData(model, data)
    data.qvel[0] = 3
    mujoco.mj_forward(model, data)
    before = float(data.energy.sum())
    mujoco.mj_step(model, data, round(0.2 / timestep))
    drift.append(float(data.energy.sum()) - before)
out["drift"] = drift

# Contacts, drawn and in numbers.
model = mujoco.MjModel.from_xml_string(FREE)
data = mujoco.MjData(model)
mujoco.mj_resetData(model, data)
data.qvel[3:6] = 1, -1, 2
options = mujoco.MjvOption()
mujoco.mjv_defaultOption(options)
for flag in ("mjVIS_CONTACTPOINT", "mjVIS_CONTACTFORCE", "mjVIS_TRANSPARENT"):
    options.flags[getattr(mujoco.mjtVisFlag, flag)] = True
model.vis.scale.contactwidth, model.vis.scale.contactheight, model.vis.scale.forcewidth = 0.1, 0.03, 0.05
model.vis.map.force = 0.3
frames, force, count, depth = [], np.zeros((120, 3)), np.zeros(120), np.zeros(120)
with mujoco.Renderer(model, *SIZE) as renderer:
    for i in range(120):
        mujoco.mj_step(model, data)
        count[i] = data.ncon
        for j, contact in enumerate(data.contact):
            depth[i] = min(depth[i], contact.dist)
            wrench = np.zeros(6)
            mujoco.mj_contactForce(model, data, j, wrench)
            force[i] += wrench[0:3]
        if i % 40 == 39:
            renderer.update_scene(data, "track", options)
            frames.append(renderer.render())
    out["count"], out["force"], out["depth"] = count.tolist(), force[:110:5].tolist(), depth[:110].tolist()
    out["contacts"] = mean(frames)
    # Depth, segmentation, and things that are added to the scene.
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    renderer.update_scene(data, "track")
    renderer.enable_depth_rendering()
    out["nearest"] = float(renderer.render().min())
    renderer.disable_depth_rendering()
    renderer.enable_segmentation_rendering()
    ids = renderer.render()[:, :, 0]
    out["labels"] = sorted(set(ids.ravel().tolist()))
    renderer.disable_segmentation_rendering()
    scene = renderer.scene
    before = scene.ngeom
    for k, (a, b) in enumerate(itertools.pairwise(np.array([[0.0, 0, 0.3], [0.1, 0, 0.4], [0.2, 0.1, 0.3]]))):
        geom = scene.geoms[scene.ngeom]
        scene.ngeom += 1
        colour = np.array([1, 0.2 * k, 0, 1], np.float32)
        mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_CAPSULE, np.zeros(3), np.zeros(3), np.zeros(9), colour)
        mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_CAPSULE, 0.01, a, b)
    out["added"] = scene.ngeom - before
    out["trace"] = mean(renderer.render())
    place = np.mean([camera.pos for camera in scene.camera], axis=0)
    ahead = np.mean([camera.forward for camera in scene.camera], axis=0)
    out["camera"] = [place.tolist(), ahead.tolist()]
    out["angle"] = model.vis.global_.fovy

# A bag on a wire, a bat with a motor, an accelerometer.
model = mujoco.MjModel.from_xml_string(PINATA)
data = mujoco.MjData(model)
felt = []
with mujoco.Renderer(model, *SIZE) as renderer:
    for i in range(150):
        data.ctrl = 2 if i < 100 else 0
        mujoco.mj_step(model, data)
        felt.append(data.sensor("accelerometer").data.copy())
    renderer.update_scene(data, "fixed")
    out["bag"] = mean(renderer.render())
out["felt"], out["wire"] = np.array(felt)[::10].ravel().tolist(), data.ten_length.tolist()
print(json.dumps(out))
