"""As the notebook on LQR, on a small biped of our own: its own renderer of mjr and mjv, keyframes, a height search by
inverse dynamics, the control that holds it, Jacobians for the cost, mjd_transitionFD and Riccati's
equation, and noise in the control."""

import json

import mujoco
import numpy as np
import scipy.linalg

XML = """<mujoco><option timestep=".005"/><default><joint damping=".3" armature=".02"/><geom type="capsule" size=".04"/></default>
<worldbody><light pos="0 -1 2"/><geom type="plane" size="1 1 .1"/><body name="torso" pos="0 0 .62"><freejoint name="root"/>
<geom fromto="0 0 0 0 0 .3" mass="3"/>
<body name="left" pos="0 .1 0"><joint name="hip_y_left" axis="0 1 0" range="-60 60"/>
<joint name="hip_x_left" axis="1 0 0" range="-40 40"/><geom fromto="0 0 0 0 0 -.25"/>
<body name="shin_left" pos="0 0 -.28"><joint name="knee_left" axis="0 1 0" range="-5 120"/>
<geom fromto="0 0 0 0 0 -.22"/><body name="foot_left" pos="0 0 -.28"><joint name="ankle_left" axis="0 1 0" range="-50 50"/>
<geom type="box" size=".12 .05 .02" pos=".03 0 -.02"/></body></body></body>
<body name="right" pos="0 -.1 0"><joint name="hip_y_right" axis="0 1 0" range="-60 60"/>
<joint name="hip_x_right" axis="1 0 0" range="-40 40"/><geom fromto="0 0 0 0 0 -.25"/></body></body></worldbody>
<actuator><motor joint="hip_y_left" gear="60"/><motor joint="hip_x_left" gear="60"/><motor joint="knee_left" gear="60"/>
<motor joint="ankle_left" gear="40"/><motor joint="hip_y_right" gear="30"/><motor joint="hip_x_right" gear="30"/></actuator>
<keyframe><key name="stand" qpos="0 0 .62 1 0 0 0 0 0 0 0 0 0"/>
<key name="lean" qpos="0 0 .62 1 0 0 0 0 -.15 0 0 .4 .2"/></keyframe>
</mujoco>"""
HEIGHT, WIDTH = 60, 80
out = {}


class Renderer:
    """As the notebook has it: scene, context and buffers by hand."""

    def __init__(self, model):
        self._model = model
        self._scene = mujoco.MjvScene(model=model, maxgeom=1000)
        self._option = mujoco.MjvOption()
        self._rect = mujoco.MjrRect(0, 0, WIDTH, HEIGHT)
        self._pixels = np.empty((HEIGHT, WIDTH, 3), dtype=np.uint8)
        self._gl = mujoco.GLContext(WIDTH, HEIGHT)
        self._gl.make_current()
        self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)

    def picture(self, data, camera=None):
        """Mean colour of a picture of the data."""
        if camera is None:
            camera = mujoco.MjvCamera()
            camera.fixedcamid = -1
            camera.type = mujoco.mjtCamera.mjCAMERA_FREE
            mujoco.mjv_defaultFreeCamera(self._model, camera)
        mujoco.mjv_updateScene(self._model, data, self._option, None, camera, mujoco.mjtCatBit.mjCAT_ALL, self._scene)
        self._gl.make_current()
        mujoco.mjr_render(self._rect, self._scene, self._context)
        mujoco.mjr_readPixels(self._pixels, None, self._rect, self._context)
        return float(np.flipud(self._pixels).mean() / 255)


model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
renderer = Renderer(model)
pictures = []
for key in range(model.nkey):
    mujoco.mj_resetDataKeyframe(model, data, key)
    mujoco.mj_forward(model, data)
    pictures.append(renderer.picture(data))

# Noise in the controls, seen by a camera that follows.
camera = mujoco.MjvCamera()
mujoco.mjv_defaultFreeCamera(model, camera)
camera.distance = 2
rng = np.random.default_rng(1)
mujoco.mj_resetDataKeyframe(model, data, 1)
for _ in range(20):
    data.ctrl = 0.1 * rng.normal(size=model.nu)
    mujoco.mj_step(model, data)
camera.lookat = data.body("torso").subtree_com
pictures.append(renderer.picture(data, camera))
out["pictures"], out["after"] = pictures, data.qpos.tolist()

# The height at which least force is missing, by inverse dynamics; then the control that gives the rest.
heights, missing = np.linspace(-0.005, 0.002, 41), []
for offset in heights:
    mujoco.mj_resetDataKeyframe(model, data, 1)
    mujoco.mj_forward(model, data)
    data.qacc = 0
    data.qpos[2] += offset
    mujoco.mj_inverse(model, data)
    missing.append(float(data.qfrc_inverse[2]))
best = float(heights[np.argmin(np.abs(missing))])
mujoco.mj_resetDataKeyframe(model, data, 1)
mujoco.mj_forward(model, data)
data.qacc = 0
data.qpos[2] += best
qpos0 = data.qpos.copy()
mujoco.mj_inverse(model, data)
qfrc0 = data.qfrc_inverse.copy()
moment = np.zeros((model.nu, model.nv))
sparse = data.actuator_moment.reshape(-1), data.moment_rownnz, data.moment_rowadr, data.moment_colind.reshape(-1)
mujoco.mju_sparse2dense(moment, *sparse)
ctrl0 = (np.atleast_2d(qfrc0) @ np.linalg.pinv(moment)).flatten()
data.ctrl = ctrl0
mujoco.mj_forward(model, data)
out |= {"missing": missing, "best": best, "ctrl0": ctrl0.tolist(), "actuator": data.qfrc_actuator.tolist()}

# The cost: the centre of mass above the foot, joints of the trunk, others.
nu, nv = model.nu, model.nv
mujoco.mj_resetData(model, data)
data.qpos = qpos0
mujoco.mj_forward(model, data)
jac_com, jac_foot = np.zeros((3, nv)), np.zeros((3, nv))
mujoco.mj_jacSubtreeCom(model, data, jac_com, model.body("torso").id)
mujoco.mj_jacBodyCom(model, data, jac_foot, None, model.body("foot_left").id)
difference = jac_com - jac_foot
names = [model.joint(i).name for i in range(model.njnt)]
left = [model.joint(name).dofadr[0] for name in names if "left" in name]
free = [model.joint(name).dofadr[0] for name in names if "right" in name]
weights = np.eye(nv)
weights[:6, :6] *= 0
weights[left, left] *= 3
weights[free, free] *= 0.01
Q = np.block([[1000 * difference.T @ difference + weights, np.zeros((nv, nv))], [np.zeros((nv, 2 * nv))]])

# The linear system at this point, and its gain.
mujoco.mj_resetData(model, data)
data.ctrl = ctrl0
data.qpos = qpos0
A, B = np.zeros((2 * nv, 2 * nv)), np.zeros((2 * nv, nu))
mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
P = scipy.linalg.solve_discrete_are(A, B, Q + 1e-3 * np.eye(2 * nv), np.eye(nu))
K = np.linalg.inv(np.eye(nu) + B.T @ P @ B) @ B.T @ P @ A
out |= {"A": A[nv:].ravel().tolist(), "B": B.ravel().tolist(), "stable": bool(np.abs(np.linalg.eigvals(A - B @ K)).max() < 1)}

# It stands, and with noise.
mujoco.mj_resetData(model, data)
data.qpos = qpos0
dq = np.zeros(nv)
noise = np.convolve(rng.normal(size=60), np.ones(5) / 5, mode="same")
for k in range(60):
    mujoco.mj_differentiatePos(model, dq, 1, qpos0, data.qpos)
    data.ctrl = ctrl0 - K @ np.hstack((dq, data.qvel)) + 0.01 * noise[k]
    mujoco.mj_step(model, data)
out |= {"stands": bool(abs(data.qpos[2] - qpos0[2]) < 0.02), "last": renderer.picture(data, camera)}
print(json.dumps(out))
