"""As the notebook on least squares: Rosenbrock's function with and without bounds and with a derivative, many dimensions,
a norm of one's own with a check of its derivatives, inverse kinematics by a batch of states, and damping found by rollouts."""

import contextlib
import io
import json

import mujoco
import numpy as np
from mujoco import minimize, rollout

ARM = """<mujoco><compiler autolimits="true"/><worldbody><light pos="0 0 2"/><site name="target" pos=".25 .3 .2" size=".02"/>
<body pos="0 0 .1"><joint axis="0 0 1" range="-150 150" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 .2"/>
<body pos="0 0 .2"><joint axis="0 1 0" range="-100 100" damping=".2"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<body pos=".3 0 0"><joint axis="0 1 0" range="-150 150" damping=".1"/><geom type="capsule" size=".02" fromto="0 0 0 .25 0 0"/>
<site name="tip" pos=".25 0 0" size=".02"/></body></body></body></worldbody>
<sensor><framepos objtype="site" objname="tip"/></sensor></mujoco>"""
out = {}


def valley(x):
    """Residual of Rosenbrock's function, (2, n) for (2, n)."""
    return np.stack([1 - x[0, :], 10 * (x[1, :] - x[0, :] ** 2)])


def slope(x, r):
    """Its derivative at a column x."""
    return np.array([[-1, 0], [-20 * x[0, 0], 10]])


def solve(name, x0, residual, **options):
    """Minimize quietly; keep where it ended."""
    with contextlib.redirect_stdout(io.StringIO()):
        x, trace = minimize.least_squares(x0, residual, **options)
    out[name] = [*np.asarray(x).ravel().tolist(), float(trace[-1].objective)]
    return x


start = np.array((0.0, 0.0))
solve("valley", start, valley)
solve("derivative", start, valley, jacobian=slope, check_derivatives=True)
solve("bounds", start, valley, bounds=[np.array((-2.0, -2.0)), np.array((0.5, 2.0))], verbose=minimize.Verbosity.FULLITER)


def chain(x):
    """The same of many numbers."""
    return np.concatenate([1 - x[:-1], 10 * (x[1:] - x[:-1] ** 2)])


solve("chain", np.zeros(8), chain, bounds=(np.full(8, -1.0), np.full(8, 3.0)), verbose=minimize.Verbosity.SILENT)


class Smooth(minimize.Norm):
    """The sum of sqrt(r^2 + p^2) - p."""

    def value(self, r):
        return float(np.sum(np.sqrt(r**2 + 0.01) - 0.1))

    def grad_hess(self, r, proj):
        s = np.sqrt(r**2 + 0.01)
        return proj.T @ (r / s), proj.T @ (0.01 / s**3 * proj)


solve("norm", start, valley, norm=Smooth(), check_derivatives=True)

# Inverse kinematics: each column is a pose.
model = mujoco.MjModel.from_xml_string(ARM)
data = mujoco.MjData(model)
target = model.site("target").pos


def reach(x):
    """From the tip to the target, and a little of the angles themselves."""
    columns = []
    for q in x.T:
        data.qpos = q
        mujoco.mj_kinematics(model, data)
        columns.append(np.concatenate([data.site("tip").xpos - target, 0.05 * q]))
    return np.array(columns).T


def reach_slope(x, r):
    """The Jacobian of the tip's site."""
    data.qpos = x[:, 0]
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    jac = np.zeros((3, model.nv))
    mujoco.mj_jacSite(model, data, jac, None, model.site("tip").id)
    return np.vstack([jac, 0.05 * np.eye(model.nv)])


limits = [model.jnt_range[:, 0], model.jnt_range[:, 1]]
solve("pose", np.zeros(3), reach, bounds=limits)
solve("pose by derivative", np.zeros(3), reach, bounds=limits, jacobian=reach_slope, check_derivatives=True)

# Damping, from what a rollout of the true model has measured.
state = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
data = mujoco.MjData(model)
data.qpos[1] = -0.5
mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
_, measured = rollout.rollout(model, data, state, nstep=100)
copies = [mujoco.MjData(model) for _ in range(2)]


def misfit(x):
    """Of each column of dampings what its rollout has differently."""
    models = []
    for damping in x.T:
        other = mujoco.MjModel.from_xml_string(ARM)
        other.dof_damping[:] = damping
        models.append(other)
    _, sensors = rollout.rollout(models, copies, np.tile(state, (len(models), 1)), nstep=100)
    return (sensors - measured).reshape(len(models), -1).T


solve("damping", np.array([0.3, 0.1, 0.3]), misfit, bounds=[np.full(3, 1e-3), np.full(3, 1.0)])
with mujoco.Renderer(model, 60, 80) as renderer:
    mujoco.mj_forward(model, data)
    renderer.update_scene(data)
    out["picture"] = float(renderer.render().mean() / 255)
print(json.dumps(out))
