"""As the notebook on rollouts: states tiled and spread, many models and many data, controls open and closed, a pool
that is kept, chunks, the same state with other controls, a warm start, and pictures of all rollouts in one scene."""

import copy
import json

import mujoco
import numpy as np
from mujoco import rollout

TOP = """<mujoco><option integrator="RK4"/><worldbody><geom type="plane" size="1 1 .01"/><light pos="0 0 .6"/>
<camera name="distant" pos="0 -.4 .4" xyaxes="1 0 0 0 1 1"/><body name="top" pos="0 0 .02"><freejoint/><site name="top"/>
<geom name="ball" size=".02"/><geom type="cylinder" pos="0 0 .02" size=".004 .008"/></body></worldbody>
<sensor><gyro name="gyro" site="top"/></sensor>
<keyframe><key name="spinning" qpos="0 0 .02 1 0 0 0" qvel="0 0 0 0 1 200"/></keyframe></mujoco>"""
HOPPER = """<mujoco><option timestep=".005"/><worldbody><light pos="0 0 3"/><geom type="plane" size="3 1 .1"/>
<body name="trunk" pos="0 0 .6"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>
<geom type="capsule" size=".06" fromto="0 0 0 0 0 .3"/><body><joint name="hip" axis="0 1 0" range="-60 60"/>
<geom type="capsule" size=".04" fromto="0 0 0 0 0 -.3"/><body pos="0 0 -.3"><joint name="knee" axis="0 1 0" range="-20 120"/>
<geom type="capsule" size=".03" fromto="0 0 0 .05 0 -.25"/></body></body></body></worldbody>
<actuator><motor joint="hip" gear="20" ctrlrange="-1 1"/><motor joint="knee" gear="15" ctrlrange="-1 1"/></actuator>
<sensor><subtreecom body="trunk"/></sensor></mujoco>"""
FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS
out = {}


def get_state(model, data, nbatch=1):
    """The state, as often as asked."""
    state = np.zeros(mujoco.mj_stateSize(model, FULL))
    mujoco.mj_getState(model, data, state, FULL)
    return np.tile(state, (nbatch, 1))


def picture(models, data, states, camera=-1):
    """All last states in one scene, with a light that is added."""
    option, perturb = mujoco.MjvOption(), mujoco.MjvPerturb()
    option.flags[mujoco.mjtVisFlag.mjVIS_TRANSPARENT] = True
    with mujoco.Renderer(models[0], 60, 80) as renderer:
        for j, state in enumerate(states):
            mujoco.mj_setState(models[j], data, state, FULL)
            mujoco.mj_forward(models[j], data)
            if j == 0:
                renderer.update_scene(data, camera, scene_option=option)
            else:
                mujoco.mjv_addGeoms(models[j], data, option, perturb, mujoco.mjtCatBit.mjCAT_DYNAMIC, renderer.scene)
        light = renderer.scene.lights[renderer.scene.nlight]
        light.pos, light.dir, light.diffuse, light.cutoff = [0, 0, 2], [0, 0, -1], [0.8, 0.8, 0.8], 45
        light.attenuation, light.headlight, light.castshadow = [1, 0, 0], 0, 1
        renderer.scene.nlight += 1
        return [float(renderer.render().mean() / 255), renderer.scene.ngeom]


def ends(states):
    """Last positions of each rollout, in a line."""
    return states[:, -1, 1:4].ravel().tolist()


# One, and a batch of tops side by side.
model = mujoco.MjModel.from_xml_string(TOP)
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)
state, sensors = rollout.rollout(model, data, get_state(model, data), nstep=60)
out["one"] = [*ends(state), *sensors[0, -1].tolist()]
out["shapes"] = [list(state.shape), list(sensors.shape)]
start = get_state(model, data, 6)
start[:, 1] = np.linspace(-0.2, 0.2, 6)
state, _ = rollout.rollout(model, data, start, nstep=40)
out["batch"] = ends(state)
out["tops"] = picture([model] * 6, data, state[:, -1], "distant")

# Models that differ, threads, controls.
model = mujoco.MjModel.from_xml_string(HOPPER)
models = []
for k in range(4):
    other = copy.copy(model)
    other.body_mass[1] *= 1 + 0.2 * k
    models.append(other)
data = mujoco.MjData(model)
data.qvel[1] = 1
start = get_state(model, data, 4)
datas = [copy.copy(data) for _ in range(2)]
state, _ = rollout.rollout(models, datas, start, nstep=20)
out["masses"] = ends(state)
control = np.random.default_rng(2).uniform(-1, 1, (4, 30, model.nu))
state, sensors = rollout.rollout(model, datas, start, control)
out["controls"], out["com"] = ends(state), sensors[:, -1].ravel().tolist()
single, _ = rollout.rollout(model, data, start[:1], control[:1])
out["same"] = bool(np.array_equal(single[0], state[0]))

# A pool that is kept, chunks, room that is given.
with rollout.Rollout(nthread=2) as pool:
    room = np.zeros((4, 30, start.shape[1]))
    pool.rollout(model, datas, start, control, state=room)
    out["pool"] = bool(np.array_equal(room, state))
    pool.rollout(model, datas, start, control, state=room, chunk_size=1)
    out["chunks"] = bool(np.array_equal(room, state))
rollout.rollout(model, datas, start, control, persistent_pool=True)
rollout.shutdown_persistent_pool()

# In two parts, the second with the warm start of the first.
half, _ = rollout.rollout(model, data, start[:1], control[:1, :15])
warm = data.qacc_warmstart.copy()
rest, _ = rollout.rollout(model, data, half[:, -1], control[:1, 15:], initial_warmstart=warm[None])
out["parts"] = [*ends(rest), float(np.abs(rest[0, -1] - state[0, -1]).max())]

# Forces in place of controls; the best of many controls, again and again.
spec = mujoco.mjtState.mjSTATE_XFRC_APPLIED
push = np.zeros((4, 20, mujoco.mj_stateSize(model, spec)))
push[:, :, 6] = np.linspace(-2, 2, 4)[:, None]
state, _ = rollout.rollout(model, datas, start, push, control_spec=spec.value)
out["pushed"] = ends(state)
rng, plan, best = np.random.default_rng(0), np.zeros((10, model.nu)), []
now = get_state(model, data)
for _ in range(3):
    tries = np.clip(plan + 0.3 * rng.normal(size=(8, 10, model.nu)), -1, 1)
    _, sensors = rollout.rollout(model, datas, np.tile(now, (8, 1)), tries)
    reward = sensors[:, :, 2].mean(axis=1)
    plan = tries[reward.argmax()]
    best.append(float(reward.max()))
out["best"] = best
out["hoppers"] = picture([model] * 4, data, state[:, -1])
print(json.dumps(out))
