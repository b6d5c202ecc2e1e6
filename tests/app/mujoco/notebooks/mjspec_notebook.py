"""As the notebook on model editing: parse, edit, compile again, write; trees, height fields and meshes by programs;
defaults, frames, attaching with prefixes, copies, traversal, deletion, a robot on another, and a state that survives
recompiling."""

import json

import mujoco as mj
import numpy as np

SCENE = """<mujoco><worldbody><light name="top" pos="0 0 1"/><geom name="cube" type="box" size=".2 .2 .2" rgba="1 0 0 1"/>
<geom name="ball" pos=".2 .2 .2" size=".1" rgba="0 1 0 1"/></worldbody></mujoco>"""
ARENA = """<mujoco><visual><headlight diffuse=".5 .5 .5"/></visual><worldbody><light pos="-.2 0 2"/>
<geom type="plane" size="2 2 .1"/></worldbody></mujoco>"""
out = {}


def picture(model, data=None, camera=-1):
    """The mean colour of a picture."""
    data = mj.MjData(model) if data is None else data
    with mj.Renderer(model, 60, 80) as renderer:
        mj.mj_forward(model, data)
        renderer.update_scene(data, camera)
        return float(renderer.render().mean() / 255)


# Parse, compile, edit, compile.
spec = mj.MjSpec.from_string(SCENE)
pictures = [picture(spec.compile())]
spec.modelname = "edited"
geoms = spec.worldbody.find_all(mj.mjtObj.mjOBJ_GEOM)
geoms[0].name, geoms[0].rgba = "blue", [0, 0, 1, 1]
geoms[1].name, geoms[1].rgba = "yellow", [1, 1, 0, 1]
spec.worldbody.add_geom(name="tube", type=mj.mjtGeom.mjGEOM_CYLINDER, rgba=[1, 0, 1, 1], pos=[-0.2, 0, 0.2], size=[0.1, 0.1, 0])
model = spec.compile()
pictures.append(picture(model))
out["written"] = [mj.MjModel.from_xml_string(spec.to_xml()).geom(i).name for i in range(model.ngeom)]

# From nothing, and moving.
spec = mj.MjSpec()
spec.worldbody.add_light(name="top", pos=[0, 0, 1])
body = spec.worldbody.add_body(name="pair", euler=[0, 0, -30])
body.add_joint(name="swing", type=mj.mjtJoint.mjJNT_HINGE, axis=[1, -1, 0], pos=[-0.2, -0.2, -0.2])
body.add_geom(name="cube", type=mj.mjtGeom.mjGEOM_BOX, size=[0.2, 0.2, 0.2])
body.add_geom(name="ball", pos=[0.2, 0.2, 0.2], size=[0.1, 0, 0])
model = spec.compile()
data = mj.MjData(model)
mj.mj_step(model, data, 100)
out["swing"] = data.qpos.tolist()


def grow(rng, depth=2, length=0.4, thickness=0.03, body=None, spec=None):
    """A tree of capsules on ball joints, with leaves in frames."""
    if body is None:
        spec.option.disableflags |= mj.mjtDisableBit.mjDSBL_CONSTRAINT
        spec.option.density = 1.294
        spec.default.geom.type = mj.mjtGeom.mjGEOM_CAPSULE
        spec.default.joint.type = mj.mjtJoint.mjJNT_BALL
        spec.default.joint.springdamper = [0.003, 0.7]
        spec.stat.center, spec.stat.extent = [0, 0, length], 2 * length
        body = spec.worldbody.add_body(name="trunk")
        body.add_geom(fromto=[0, 0, 0, 0, 0, length], size=[thickness, 0, 0])
    if depth == 0:
        for i in range(3):
            frame = body.add_frame(pos=[0, 0, length], euler=[0, 0, 120 * i])
            leaf = body.add_geom(type=mj.mjtGeom.mjGEOM_ELLIPSOID, size=length * np.array([0.5, 0.15, 0.01]), euler=[20, 0, 0])
            leaf.set_frame(frame)
        return
    for height in np.linspace(0.6, 1, 3) * length:
        branch = body.add_body(pos=[0, 0, height], zaxis=rng.normal(size=3) + np.array([0, 0, 2]))
        branch.add_geom(fromto=[0, 0, 0, 0, 0, 0.6 * length], size=[0.6 * thickness, 0, 0])
        branch.add_joint()
        grow(rng, depth - 1, 0.6 * length, 0.6 * thickness, branch, spec)


spec = mj.MjSpec.from_string(ARENA)
grow(np.random.default_rng(3), spec=spec)
model = spec.compile()
data = mj.MjData(model)
model.opt.wind[0] = 3
mj.mj_step(model, data, 30)
out["tree"] = [model.nbody, model.nv, model.ngeom]
out["bent"] = data.qpos.tolist()
with mj.Renderer(model, 60, 80) as renderer:
    renderer.update_scene(data)
    scene = renderer.scene
    geom = scene.geoms[scene.ngeom]
    geom.category = mj.mjtCatBit.mjCAT_STATIC
    mj.mjv_initGeom(geom=geom, type=mj.mjtGeom.mjGEOM_ARROW, size=np.zeros(3), pos=np.zeros(3), mat=np.zeros(9),
                    rgba=np.array([0.2, 0.2, 0.6, 1], np.float32))  # fmt: skip
    mj.mjv_connector(geom=geom, type=mj.mjtGeom.mjGEOM_ARROW, width=0.03, from_=[0, 0, 1], to=[1, 0, 1])
    scene.ngeom += 1
    pictures.append(float(renderer.render().mean() / 255))

# A height field and a mesh, of numbers.
spec = mj.MjSpec.from_string(ARENA)
wave = np.sin(np.linspace(0, 6, 20))[:, None] * np.cos(np.linspace(0, 6, 20))
spec.add_hfield(name="hills", size=[1, 1, 0.2, 0.1], nrow=20, ncol=20, userdata=wave.ravel())
spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname="hills", pos=[0, 0, 0.2])
spec.add_texture(name="squares", type=mj.mjtTexture.mjTEXTURE_2D, builtin=mj.mjtBuiltin.mjBUILTIN_CHECKER, width=32, height=32,
                 rgb1=[0.1, 0.2, 0.3], rgb2=[0.3, 0.4, 0.5])  # fmt: skip
material = spec.add_material(name="squares", texrepeat=[4, 4])
material.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = "squares"
corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * 0.3
spec.add_mesh(name="corner", uservert=corners.ravel())
rock = spec.worldbody.add_body(name="rock", pos=[0, 0, 1])
rock.add_freejoint()
rock.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="corner", material="squares")
model = spec.compile()
data = mj.MjData(model)
mj.mj_step(model, data, 50)
out["hills"] = [*model.hfield_data[::40].tolist(), *model.body("rock").inertia.tolist(), *data.qpos.tolist()]
pictures.append(picture(model, data))

# Parts with defaults, attached many times, with prefixes.
leg = mj.MjSpec()
leg.compiler.degree = False
top = leg.add_default("limb", leg.default)
top.geom.type, top.geom.size = mj.mjtGeom.mjGEOM_CAPSULE, [0.03, 0, 0]
top.joint.axis, top.joint.damping = [0, 1, 0], 0.5
thigh = leg.worldbody.add_body(name="thigh")
thigh.add_joint(top, name="hip")
thigh.add_geom(top, fromto=[0, 0, 0, 0.2, 0, 0])
shin = thigh.add_body(name="shin", pos=[0.2, 0, 0])
shin.add_joint(top, name="knee")
shin.add_geom(top, fromto=[0, 0, 0, 0, 0, -0.2])
for joint in ("hip", "knee"):
    motor = leg.add_actuator(name=joint, target=joint, trntype=mj.mjtTrn.mjTRN_JOINT)
    motor.set_to_position(kp=10)
    leg.add_sensor(name=joint, type=mj.mjtSensor.mjSENS_JOINTPOS, objtype=mj.mjtObj.mjOBJ_JOINT, objname=joint)
spec = mj.MjSpec.from_string(ARENA)
spec.copy_during_attach = True
torso = spec.worldbody.add_body(name="torso", pos=[0, 0, 0.3])
torso.add_freejoint()
torso.add_geom(type=mj.mjtGeom.mjGEOM_ELLIPSOID, size=[0.2, 0.2, 0.05])
for i in range(4):
    angle = np.pi * i / 2
    site = torso.add_site(name=f"place{i}", pos=[0.2 * np.cos(angle), 0.2 * np.sin(angle), 0], euler=[0, 0, 90 * i])
    site.attach_body(leg.body("thigh"), "", f"-{i}")
out["limbs"] = [joint.name for joint in spec.joints] + [actuator.name for actuator in spec.actuators]
out["walk"] = [[b.name for b in spec.bodies], [g.type.name for g in torso.geoms], torso.first_body().name]
out["parent"] = spec.body("shin-2").parent.name
model = spec.compile()
data = mj.MjData(model)
for k in range(80):
    data.ctrl = 0.3 * np.sin(0.1 * k)
    mj.mj_step(model, data)
out["walked"] = data.qpos.tolist()
pictures.append(picture(model, data))

# Deleting, recompiling with its state, copies, a frame that carries another model, keyframes.
before = data.joint("hip-1").qpos.copy()
spec.delete(spec.body("thigh-0"))
model, data = spec.recompile(model, data)
out["fewer"] = [model.nq, model.nu, model.nsensor, data.time > 0]
out["kept"] = [float(before[0]), float(data.joint("hip-1").qpos[0])]
other = spec.copy()
other.body("torso").add_geom(name="hat", size=[0.1, 0, 0], pos=[0, 0, 0.2])
out["copy"] = [len(other.geoms) - len(spec.geoms), other.compile().ngeom - model.ngeom]
parent = mj.MjSpec.from_string(SCENE)
frame = parent.worldbody.add_frame(pos=[0, 0, 1], euler=[0, 0, 45])
parent.attach(spec, prefix="rider-", frame=frame)
parent.add_key(name="first", time=2.0)
model = parent.compile()
data = mj.MjData(model)
mj.mj_resetDataKeyframe(model, data, 0)
out["rider"] = [model.body("rider-torso").name, model.nkey, data.time]
out["stands"] = model.body("rider-torso").pos.tolist()
out["pictures"] = pictures
print(json.dumps(out))
