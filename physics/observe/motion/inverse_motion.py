"""Forces that make a motion: inverse dynamics along positions over time, split by origin.

    motion = smooth(m, time, qpos, window=0.05)        # measured or simulated positions
    motion = sample(m, KeyPath(times, qpos), 0.002)    # or a path through poses
    forces = forces_of(m, motion)
    forces.needed                                      # (n, nv): what actuators, or a hand from nowhere, have to give

Positions are taken as numbers over time, quaternions as four numbers of one sign, and differentiated as such: by a polynomial
fitted in a window that moves along (Savitzky-Golay), or of the spline that runs through the poses. The unit quaternion
q = p / |p| of these numbers p(t) then has the exact velocity 2 q* q' and acceleration 2 q* q'', in the axes of the body.
Contacts, limits and equalities push with the force that soft constraints have at this acceleration: so the inverse exists, and
a pose in which the feet hang above the floor gets no support.
Sources: A. Savitzky, M. J. E. Golay, Analytical Chemistry 36 (1964); MuJoCo documentation, Computation, Inverse dynamics.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.errors import ModelError
from tumble.physics.observe.fork import variant
from tumble.physics.query.balance.equation import gravity_forces
from tumble.physics.query.inertia import mj_mulM
from tumble.physics.query.jacobian import row_entries
from tumble.physics.run.stepping import mj_inverse
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtConstraint, mjtDisableBit, mjtEnableBit, mjtIntegrator, mjtJoint
from tumble.physics.state.model import Model
from tumble.physics.state.own import ContactModel

Numbers = NDArray[np.float64]
DEGREE = 4  # of the polynomial: it keeps accelerations that change by a parabola within the window
LEAST_SAMPLES = 7  # in a window: with fewer it would not smooth
_BALL, _FREE = int(mjtJoint.mjJNT_BALL), int(mjtJoint.mjJNT_FREE)
_RK4 = int(mjtIntegrator.mjINT_RK4)
_NO_SLEEP = ~int(mjtEnableBit.mjENBL_SLEEP)
_DISCRETE = int(mjtEnableBit.mjENBL_INVDISCRETE)
_FIRST_CONTACT = int(mjtConstraint.mjCNSTR_CONTACT_FRICTIONLESS)  # kinds of rows after it are contacts
_NO_SENSORS = int(mjtDisableBit.mjDSBL_SENSOR)


class ForcePart(Enum):
    """Origins of forces, together; the value is the label."""

    INERTIA = "Inertia \N{MINUS SIGN}M qacc"
    GRAVITY = "Gravity"
    VELOCITY = "Coriolis and centrifugal"
    PASSIVE = "Springs, dampers, medium"
    CONTACT = "Contacts"
    CONSTRAINT = "Limits, equalities, friction loss"
    IMPLICIT = "Implicit integration"
    NEEDED = "Needed: actuators or others"


PARTS = tuple(ForcePart)
class DofMotion(Struct, frozen=True, eq=False):
    """Positions, velocities and accelerations at n moments.

    time (n,) [s]; qpos (n, nq); qvel, qacc (n, nv); mocap (n, 7 nmocap): position and quaternion of each mocap body;
    given (n, nv): forces of actuators and applied ones that made it, where they are known [N or N m];
    equalities (n, neq): which are active; () where that is as in the model.
    discrete: qacc is the change of velocity over a step of the model's integrator.
    """

    time: Numbers
    qpos: Numbers
    qvel: Numbers
    qacc: Numbers
    mocap: Numbers
    given: Numbers | None = None
    equalities: NDArray[Any] | None = None
    discrete: bool = False


class KeyPath(Struct, frozen=True, eq=False):
    """Poses at given times. times (k,) [s], rising; qpos (k, nq); mocap (k, 7 nmocap).

    stops: rests at each pose, and moves between two on the straight way of least jerk; else it rests at both ends, and runs
    through the others as a cubic spline.
    """

    times: Numbers
    qpos: Numbers
    mocap: Numbers
    stops: bool = False


class MotionForces(Struct, frozen=True, eq=False):
    """Forces on the dofs along a motion.

    force (n, len(PARTS), nv) [N or N m]: they add up to zero; driven (nv,): whether an actuator moves the dof somewhere.
    """

    motion: DofMotion
    force: Numbers
    driven: NDArray[np.bool_]

    @property
    def needed(self) -> Numbers:
        """Forces (n, nv) that actuators and others have to give: qfrc_inverse."""
        return np.asarray(self.force[:, PARTS.index(ForcePart.NEEDED)])


# ---- positions over time


def smooth(m: Model, time: Numbers, qpos: Numbers, mocap: Numbers, window: float) -> DofMotion:
    """The motion of positions (n, nq) that are noisy; time (n,): in equal steps; window [s]: over which each is fitted.

    Half of it is lost to the fit at each end: there the first and the last polynomial go on. Raises ModelError for fewer samples
    than a window needs.
    """
    from scipy.signal import savgol_filter  # slow to import

    step = float(time[-1] - time[0]) / max(len(time) - 1, 1)
    count = window_samples(window, step)
    if len(time) < count:
        raise ModelError(f"smoothing over {window:g} s needs {count} moments, and there are {len(time)}")
    numbers = _aligned(m, np.hstack([qpos, mocap]))
    fits = [savgol_filter(numbers, count, DEGREE, deriv, step, axis=0, mode="interp") for deriv in range(3)]
    return _motion(m, time, *fits)


def window_samples(window: float, step: float) -> int:
    """Samples in a window [s] of samples a step [s] apart: odd, and enough to fit."""
    return max(LEAST_SAMPLES, 2 * round(0.5 * window / step) + 1)


def sample(m: Model, path: KeyPath, step: float) -> DofMotion:
    """The motion along a path, about every step [s] and at each pose. Raises ModelError where it has no two poses in order."""
    if len(path.times) < 2:
        raise ModelError("a path needs two poses at least")
    if not (np.diff(path.times) > 0).all():
        raise ModelError("the times of the poses of a path have to rise")
    first, last = float(path.times[0]), float(path.times[-1])
    even = np.linspace(first, last, max(2, round((last - first) / step) + 1))
    time = np.union1d(even, path.times)
    time = np.delete(time, 1 + np.flatnonzero((np.diff(time) < 1e-9 * (last - first)) & ~np.isin(time[1:], path.times)))
    keys = _aligned(m, np.hstack([path.qpos, path.mocap]))
    if path.stops:
        return _motion(m, time, *_least_jerk(time, path.times, keys))
    from scipy.interpolate import CubicSpline  # slow to import

    spline = CubicSpline(path.times, keys, bc_type="clamped")
    return _motion(m, time, spline(time), spline(time, 1), spline(time, 2))


def _least_jerk(time: Numbers, times: Numbers, keys: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Straight from each key to the next by 10 s^3 - 15 s^4 + 6 s^5: least jerk between two rests (Flash and Hogan 1985)."""
    k = np.clip(np.searchsorted(times, time, side="right") - 1, 0, len(times) - 2)
    span = (times[k + 1] - times[k])[:, None]
    s = (time - times[k])[:, None] / span
    way = keys[k + 1] - keys[k]
    return (
        keys[k] + way * (10 * s**3 - 15 * s**4 + 6 * s**5),
        way * (30 * s**2 - 60 * s**3 + 30 * s**4) / span,
        way * (60 * s - 180 * s**2 + 120 * s**3) / span**2,
    )


def _quaternions(m: Model) -> list[tuple[int, int]]:
    """Places of quaternions among positions and mocap poses, and of their angular velocity; -1: a mocap body has none."""
    places = []
    for kind, adr, dof in zip(m.jnt_type.tolist(), m.jnt_qposadr.tolist(), m.jnt_dofadr.tolist(), strict=True):
        if kind in (_BALL, _FREE):
            skip = 3 * (kind == _FREE)
            places.append((adr + skip, dof + skip))
    return places + [(int(m.nq) + 7 * k + 3, -1) for k in range(int(m.nmocap))]


def _aligned(m: Model, numbers: Numbers) -> Numbers:
    """The same with unit quaternions of which each has the sign nearer to the one before."""
    numbers = np.array(numbers, float)
    for at, _ in _quaternions(m):
        quats = numbers[:, at : at + 4]
        length = np.linalg.norm(quats, axis=1, keepdims=True)
        quats[:] = np.where(length > 0, quats / np.maximum(length, 1e-300), [1.0, 0.0, 0.0, 0.0])
        turned = np.einsum("ki,ki->k", quats[1:], quats[:-1]) < 0
        quats[1:] *= np.where(np.cumsum(turned) % 2, -1.0, 1.0)[:, None]
    return numbers


def _motion(m: Model, time: Numbers, numbers: Numbers, rate: Numbers, rate2: Numbers) -> DofMotion:
    """The motion of positions and mocap poses as numbers, with their first and second derivative."""
    numbers = numbers.copy()
    velocity, acceleration = np.zeros((2, len(time), int(m.nv)))
    for adr, dof, kind in zip(m.jnt_qposadr.tolist(), m.jnt_dofadr.tolist(), m.jnt_type.tolist(), strict=True):
        width = 3 if kind == _FREE else 0 if kind == _BALL else 1
        velocity[:, dof : dof + width] = rate[:, adr : adr + width]
        acceleration[:, dof : dof + width] = rate2[:, adr : adr + width]
    for at, dof in _quaternions(m):
        four = slice(at, at + 4)
        q, q1, q2 = _unit(numbers[:, four], rate[:, four], rate2[:, four])
        numbers[:, four] = q
        if dof >= 0:
            velocity[:, dof : dof + 3] = 2 * _conjugate_product(q, q1)
            acceleration[:, dof : dof + 3] = 2 * _conjugate_product(q, q2)
    nq = int(m.nq)
    return DofMotion(time, numbers[:, :nq], velocity, acceleration, numbers[:, nq:])


def _unit(p: Numbers, p1: Numbers, p2: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """p / |p| (n, 4) with its derivatives, from p and its derivatives."""
    length = np.maximum(np.linalg.norm(p, axis=1, keepdims=True), 1e-12)
    q = p / length
    along = (q * p1).sum(axis=1, keepdims=True)  # the rate of |p|
    q1 = (p1 - along * q) / length
    along2 = ((q1 * p1) + (q * p2)).sum(axis=1, keepdims=True)
    return q, q1, (p2 - along2 * q - 2 * along * q1) / length


def _conjugate_product(q: Numbers, r: Numbers) -> Numbers:
    """Vector part (n, 3) of q* r."""
    w, v = q[:, :1], q[:, 1:]
    return np.asarray(w * r[:, 1:] - r[:, :1] * v - np.cross(v, r[:, 1:]))


# ---- forces


def forces_of(m: Model, motion: DofMotion, on_moment: Callable[[int], None] = lambda k: None) -> MotionForces:
    """The forces that make a motion; on_moment: called with the number of each moment before it is computed.

    Nothing sleeps, and contacts are soft, whatever the model asks for: a hard contact has no inverse.
    """
    inverse = variant(m, contact_model=int(ContactModel.SOFT))
    inverse.opt.enableflags &= _NO_SLEEP & ~_DISCRETE
    inverse.opt.disableflags |= _NO_SENSORS
    if motion.discrete and int(m.opt.integrator) != _RK4:
        inverse.opt.enableflags |= _DISCRETE
    inverse.tumble.threads = 1  # a simulation's own threads continue
    data = Data(inverse)
    count, nv = len(motion.time), int(m.nv)
    force = np.zeros((count, len(PARTS), nv))
    driven = np.zeros(nv, bool)
    poses = motion.mocap.reshape(count, -1, 7)
    for k in range(count):
        on_moment(k)
        data.time = float(motion.time[k])
        data.qpos[:], data.qvel[:], data.qacc[:] = motion.qpos[k], motion.qvel[k], motion.qacc[k]
        data.mocap_pos[:], data.mocap_quat[:] = poses[k, :, :3], poses[k, :, 3:]
        if motion.equalities is not None:
            data.eq_active[:] = motion.equalities[k]
        mj_inverse(inverse, data)
        _split(inverse, data, force[k])
        driven |= _driven(inverse, data)
    return MotionForces(motion, force, driven)


def _split(m: Model, d: Data, into: Numbers) -> None:
    """Write the parts (len(PARTS), nv) of the equation of motion after mj_inverse; those of `forces_by_origin`, in sums."""
    inertia, gravity = np.zeros(m.nv), gravity_forces(m, d)
    contact: Numbers = np.zeros(m.nv)
    mj_mulM(m, d, inertia, np.array(d.qacc))
    constraint = np.array(d.qfrc_constraint)
    if d.nefc:
        rows, dofs, values = row_entries(m, d)
        touching = (np.asarray(d.efc_type) >= _FIRST_CONTACT)[rows]
        push = values[touching] * np.asarray(d.efc_force)[rows[touching]]
        contact = np.bincount(dofs[touching], push, m.nv).astype(float)
    parts = {
        ForcePart.INERTIA: -inertia,
        ForcePart.GRAVITY: gravity,
        ForcePart.VELOCITY: -np.asarray(d.qfrc_bias) - gravity,
        ForcePart.PASSIVE: np.asarray(d.qfrc_passive),
        ForcePart.CONTACT: contact,
        ForcePart.CONSTRAINT: constraint - contact,
        ForcePart.NEEDED: np.asarray(d.qfrc_inverse),
    }
    parts[ForcePart.IMPLICIT] = -np.sum([*parts.values()], axis=0)  # rounding in continuous time
    for k, part in enumerate(PARTS):
        into[k] = parts[part]


def _driven(m: Model, d: Data) -> NDArray[np.bool_]:
    """Dofs (nv,) that an actuator has a moment arm on."""
    entries = int(np.asarray(d.moment_rownnz).sum())
    arms, dofs = np.ravel(d.actuator_moment)[:entries], np.asarray(d.moment_colind)[:entries]
    driven = np.zeros(int(m.nv), bool)
    driven[dofs[arms != 0.0]] = True
    return driven
