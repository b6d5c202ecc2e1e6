"""Constants that follow from the model in its reference configuration: weights, lengths, poses and statistics."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tumble.physics.algebra.quat import quat_mat
from tumble.physics.compiler import pose
from tumble.physics.compiler.flex.flex_constants import flex_constants, flex_reach
from tumble.physics.compiler.kernels import split_boxes
from tumble.physics.compiler.progress import ask
from tumble.physics.dynamics.actuator.linkage import transmission_stage
from tumble.physics.dynamics.actuator.transmission import transmission
from tumble.physics.dynamics.camlight import camlight
from tumble.physics.dynamics.com import com_pos, subtree_centres
from tumble.physics.dynamics.crb import factor_m, make_m
from tumble.physics.dynamics.kinematics import kinematics
from tumble.physics.dynamics.tendon.path import is_spatial, tendon, tendon_stage
from tumble.physics.dynamics.weights import inverse_weights
from tumble.physics.kernel.prepare import Told, load, ready
from tumble.physics.query.compiled import solve_inertia
from tumble.physics.query.inertia import mj_solveM
from tumble.physics.run.copy_data import clear
from tumble.physics.run.room import asks_for_room, require
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtEq, mjtGeom, mjtJoint, mjtObj
from tumble.physics.state.model import Model

_FREE, _BALL, _SLIDE = mjtJoint.mjJNT_FREE, mjtJoint.mjJNT_BALL, mjtJoint.mjJNT_SLIDE

_SLIDES = 2  # body_simple of a body that only slides, along its axes
_CHUNK = 2**22  # numbers of a matrix that are processed in one piece
_SMALL = 1e-5  # size of a body that nothing shows, and smallest extent that counts
_EXTENT, _SIZE, _MASS = 2.0, 0.2, 1.0  # of an empty model


# What every model needs before it can be loaded, and begun again.
LOADING = (
    kinematics, com_pos, make_m, factor_m, inverse_weights, tendon, transmission, solve_inertia, clear, asks_for_room,
    split_boxes,
)  # fmt: skip


def loads_at_once() -> bool:
    """True if the kernels that loading needs are compiled; if not, `prepare_loading` does it, and shows how far it is."""
    return ready(LOADING)


def prepare_loading(told: Told | None = None) -> None:
    """Compiles what loading any model needs; told: as for `prepare`."""
    load(LOADING, told)


def mj_setConst(m: Model, d: Data) -> None:
    """Recompute the constants of a model that depend on others: call it after changing masses, poses or joints.

    d: any data of the model; its positions are left as they were, what is computed from them is not, and all trees
    wake. Statistics too are computed again. Sources: MuJoCo documentation, Computation; mjModel's comments.
    """
    require(m, d)
    kept = d.qpos.copy(), d.mocap_pos.copy(), d.mocap_quat.copy()
    with np.errstate(all="ignore"):  # masses out of all proportion give constants that are not numbers, for the caller to see
        _set_constants(m, d)
    d.qpos, d.mocap_pos, d.mocap_quat = kept


def _set_constants(m: Model, d: Data) -> None:
    ask()
    _subtree_masses(m)
    m.put_number("ngravcomp", int(np.count_nonzero(m.body_gravcomp)))
    d.wake_all(m)
    d.qpos = m.qpos0
    moved = np.flatnonzero(m.body_mocapid >= 0)
    d.mocap_pos[m.body_mocapid[moved]] = m.body_pos[moved]
    d.mocap_quat[m.body_mocapid[moved]] = m.body_quat[moved]
    kinematics(m, d)
    com_pos(m, d)
    _inertia(m, d)
    m.stat.meaninertia = d.M[m.M_rowadr + m.M_rownnz - 1].mean() if m.nv else 1.0
    factor_m(m, d)
    inverse_weights(m, d)
    _dof_weights(m)
    _body_weights(m)
    flex_constants(m, d, lambda rows: _solved(m, d, rows))
    sizes = _body_sizes(m, d)
    _dof_lengths(m, sizes)
    _tendons(m, d)
    _actuators(m, d)
    _equalities(m, d)
    _cameras(m, d)
    _statistics(m, d, sizes)


def pose_without_kernels(m: Model, d: Data) -> None:
    """Poses of the initial state and the model's statistics, of a model whose constants are not known and without compiling.

    In Python: milliseconds for a robot, a second for a thousand bodies.
    """
    with np.errstate(all="ignore"), d.interpreted():
        _subtree_masses(m)
        kinematics.interpret(m, d)
        subtree_centres(m, d)
        _cameras(m, d)
        _statistics(m, d, _body_sizes(m, d))
        camlight.interpret(m, d)


def _subtree_masses(m: Model) -> None:
    m.body_subtreemass = m.body_mass
    for b in range(m.nbody - 1, 0, -1):
        m.body_subtreemass[m.body_parentid[b]] += m.body_subtreemass[b]


def _inertia(m: Model, d: Data) -> None:
    """Inertia matrix at qpos0; writes its diagonal to dof_M0, without what tendons add to it."""
    number = m._arrays["dof_simplenum"]
    simple, armature = number.copy(), m.tendon_armature.copy()
    number.fill(0)  # which diagonals never change is found out below
    m.tendon_armature = 0.0
    make_m(m, d)
    m.dof_M0 = d.M[m.M_rowadr + m.M_rownnz - 1]
    number[...], m.tendon_armature = simple, armature
    if armature.any():
        tendon_stage(m)(m, d)
        make_m(m, d)


def _dof_weights(m: Model) -> None:
    """Make the inverse inertias of dofs alike for the three that turn, or shift, a body together."""
    for j in range(m.njnt):
        kind, i = m.jnt_type[j], m.jnt_dofadr[j]
        for start in (i, i + 3)[: 2 if kind == _FREE else int(kind == _BALL)]:
            m.dof_invweight0[start : start + 3] = m.dof_invweight0[start : start + 3].mean()
    for b in np.flatnonzero(m.body_simple == _SLIDES):
        first = m.body_dofadr[b]
        m.dof_invweight0[first : first + m.body_dofnum[b]] = 1 / max(mjMINVAL, m.body_mass[b])


def _body_weights(m: Model) -> None:
    """Weights of bodies that only slide, and a weight where inverse_weights finds none."""
    shift, turn = m.body_invweight0.T
    # a body that turns about its own centre cannot be shifted there: its contacts still need a weight
    m.body_invweight0 = np.stack([np.where(shift > mjMINVAL, shift, turn), np.where(turn > mjMINVAL, turn, shift)], axis=1)
    slides = (m.body_simple == _SLIDES) & (m.body_weldid != 0)
    m.body_invweight0[slides] = 0.0
    m.body_invweight0[slides, 0] = 1 / np.maximum(mjMINVAL, m.body_mass[slides])


def _dof_lengths(m: Model, sizes: np.ndarray) -> None:
    """Length [m] that turns a dof's velocity into that of points: 1 for translations, else the body's size."""
    m.dof_length = 1.0
    for j in range(m.njnt):
        kind, i = m.jnt_type[j], m.jnt_dofadr[j]
        if kind != _SLIDE:
            start = i + 3 if kind == _FREE else i
            m.dof_length[start : start + (1 if kind == mjtJoint.mjJNT_HINGE else 3)] = sizes[m.jnt_bodyid[j]]


def _tendons(m: Model, d: Data) -> None:
    if m.ntendon == 0:
        return
    lengths = tendon_stage(m)
    d.qpos = m.qpos_spring
    if is_spatial(m):
        kinematics(m, d)
        com_pos(m, d)
    lengths(m, d)
    unset = (m.tendon_lengthspring == -1).all(axis=1)
    m.tendon_lengthspring[unset] = d.ten_length[unset, None]
    d.qpos = m.qpos0
    if is_spatial(m):
        kinematics(m, d)
        com_pos(m, d)
    lengths(m, d)
    m.tendon_length0 = d.ten_length
    for part in _parts(m.ntendon, m.nv):
        m.tendon_invweight0[part] = (d.ten_J[part] * _solved(m, d, d.ten_J[part])).sum(axis=1)


def _parts(number: int, width: int) -> Iterator[slice]:
    """Slices of a number of rows of some width that are small enough to be copied."""
    step = max(1, _CHUNK // max(1, width))
    for i in range(0, number, step):
        ask()
        yield slice(i, min(i + step, number))


def _solved(m: Model, d: Data, rows: np.ndarray) -> np.ndarray:
    """The accelerations M^-1 y that joint forces y give, for rows (n, nv) of them."""
    found = np.empty_like(rows)
    mj_solveM(m, d, found, rows)
    return found


def _actuators(m: Model, d: Data) -> None:
    """Lengths, accelerations by a unit force, and the damping that a `dampratio` asks for."""
    if m.nu == 0:
        return
    d.ncon = 0  # adhesion has no contacts to pull at: they come and go
    transmission_stage(m)(m, d)
    m.actuator_length0 = d.actuator_length
    for part in _parts(m.nu, m.nv):
        moments = np.zeros((part.stop - part.start, m.nv))
        for k in range(part.start, part.stop):
            row = slice(d.moment_rowadr[k], d.moment_rowadr[k] + d.moment_rownnz[k])
            moments[k - part.start, d.moment_colind[row]] = d.actuator_moment[row]
        m.actuator_acc0[part] = np.linalg.norm(_solved(m, d, moments), axis=1)
    for i in range(m.nu):
        row = slice(d.moment_rowadr[i], d.moment_rowadr[i] + d.moment_rownnz[i])
        columns, arms = d.moment_colind[row], d.actuator_moment[row]
        stiffness, ratio = m.actuator_gainprm[i, 0], m.actuator_biasprm[i, 2]
        if stiffness == -m.actuator_biasprm[i, 1] and ratio > 0:
            used = np.abs(arms) > mjMINVAL
            inertia = (m.dof_M0[columns[used]] / arms[used] ** 2).sum()
            m.actuator_biasprm[i, 2] = -ratio * 2 * np.sqrt(stiffness * inertia)


def _equalities(m: Model, d: Data) -> None:
    """Second anchor of connects, and relative pose of welds, at qpos0.

    A weld that has a quaternion keeps its direction: that relative pose was written.
    """
    xmat = d.xmat.reshape(-1, 3, 3)
    m.eq_data[(m.eq_type == mjtEq.mjEQ_CONNECT) & (m.eq_objtype == mjtObj.mjOBJ_SITE)] = 0.0
    for i in np.flatnonzero(m.eq_objtype == mjtObj.mjOBJ_BODY):
        data, b1, b2 = m.eq_data[i], m.eq_obj1id[i], m.eq_obj2id[i]
        if m.eq_type[i] == mjtEq.mjEQ_CONNECT:
            data[3:6] = xmat[b2].T @ (d.xpos[b1] + xmat[b1] @ data[:3] - d.xpos[b2])
        elif data[6:10].any():
            data[6:10] = pose.quat_unit(data[6:10])
        else:
            data[3:6] = xmat[b1].T @ (d.xpos[b2] + xmat[b2] @ data[:3] - d.xpos[b1])
            data[6:10] = pose.quat_mul(pose.quat_inv(pose.quat_unit(d.xquat[b1])), pose.quat_unit(d.xquat[b2]))


def _cameras(m: Model, d: Data) -> None:
    """Poses of cameras and lights along the world's axes, from their body and from the centre of mass they follow or face."""
    xmat = d.xmat.reshape(-1, 3, 3)
    for what in ("cam", "light"):
        body, pos = getattr(m, f"{what}_bodyid"), getattr(m, f"{what}_pos")
        offset = np.einsum("nij,nj->ni", xmat[body], pos)
        getattr(m, f"{what}_pos0")[...] = offset
        target = getattr(m, f"{what}_targetbodyid")
        getattr(m, f"{what}_poscom0")[...] = offset + d.xpos[body] - d.subtree_com[np.where(target >= 0, target, body)]
    m.light_dir0 = np.einsum("nij,nj->ni", xmat[m.light_bodyid], m.light_dir)
    for i in range(m.ncam):
        m.cam_mat0[i] = (xmat[m.cam_bodyid[i]] @ np.array(quat_mat(m.cam_quat[i])).reshape(3, 3)).ravel()


def _statistics(m: Model, d: Data, sizes: np.ndarray) -> None:
    """Typical mass and size of the model, and the box around it."""
    reach = m.geom_rbound.copy()
    planes = m.geom_type == mjtGeom.mjGEOM_PLANE
    largest = m.geom_size[planes, :2].max(axis=1, initial=0.0)
    reach[planes] = np.where(largest > 0, 0.1 * largest, 1.0)
    points = np.concatenate([d.xpos[1:], d.xipos[1:], d.xanchor, d.site_xpos])
    low = np.concatenate([points, d.geom_xpos - reach[:, None]]).min(axis=0, initial=np.inf)
    high = np.concatenate([points, d.geom_xpos + reach[:, None]]).max(axis=0, initial=-np.inf)
    if (high < low).any():
        low = high = np.zeros(3)
    m.stat.center = 0.5 * (low + high)
    m.stat.meanmass = m.body_mass[1:].mean() if m.nbody > 1 else _MASS
    m.stat.meansize = sizes[1:].mean() if m.nbody > 1 else _SIZE
    extent = float((high - low).max())
    m.stat.extent = max(extent if extent > _SMALL else _EXTENT, 2 * m.stat.meansize)


def _body_sizes(m: Model, d: Data) -> np.ndarray:
    """Farthest point of a body from its centre of mass, as far as geoms and the joints at its ends show."""
    sizes = np.zeros(m.nbody)
    child = m.jnt_bodyid
    for bodies in (child, m.body_parentid[child]):
        np.maximum.at(sizes, bodies, np.linalg.norm(d.xipos[bodies] - d.xanchor, axis=1))
    np.maximum.at(sizes, m.geom_bodyid, m.geom_rbound + np.linalg.norm(d.xipos[m.geom_bodyid] - d.geom_xpos, axis=1))
    if m.nflexedge:
        flex_reach(m, d, sizes)
    return np.maximum(sizes, _SMALL)


def set_spring_dampers(m: Model, springdampers: dict[int, tuple[float, float]]) -> None:
    """Stiffness and damping of joints by time constant [s] and damping ratio; springdampers: by joint."""
    for j, (timeconst, dampratio) in springdampers.items():
        i, n = m.jnt_dofadr[j], (6, 3, 1, 1)[m.jnt_type[j]]
        inertia = n / max(mjMINVAL, float(m.dof_invweight0[i : i + n].sum()))
        m.jnt_stiffness[j] = inertia / max(mjMINVAL, (timeconst * dampratio) ** 2)
        m.dof_damping[i : i + n] = 2 * inertia / max(mjMINVAL, timeconst)


