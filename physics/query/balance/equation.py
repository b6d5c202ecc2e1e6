"""The equation of motion M v' + c = tau + J' f of one moment, split by the origin of each force.

    balance = forces_by_origin(m, d)
    balance.on(np.array([3]))                        # (n, 1): what pushes dof 3
    balance.power(d.qvel)                            # (n,): where its energy comes from
    balance.sum(Origin.CONTACT)                      # (nv,): all contacts together

Everything is on one side: inertia counts as the force -M v', gravity and velocity products as -c, so that the terms add up to
zero on every dof. The laws are those that the step computes, read off its results; what the step keeps only in sums
(springs and dampers of joints) is what is left of the sum once its other parts are taken away.
Source: MuJoCo documentation, Computation, General framework.
"""

from __future__ import annotations

import numpy as np

from tumble.physics.algebra.spatial import dot6, inertia_mul
from tumble.physics.dynamics.flex.passive import STIFFNESS
from tumble.physics.query.balance.medium import fluid_forces
from tumble.physics.query.balance.terms import Balance, Integers, Numbers, Origin, Terms, wrench_forces
from tumble.physics.query.inertia import mj_mulM
from tumble.physics.query.jacobian import row_entries
from tumble.physics.state.arguments import checked
from tumble.physics.state.constants import CONTACT_PASSIVE
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtConstraint, mjtDisableBit
from tumble.physics.state.model import Model

NO_SPRING, NO_DAMPER = int(mjtDisableBit.mjDSBL_SPRING), int(mjtDisableBit.mjDSBL_DAMPER)
NO_GRAVITY = int(mjtDisableBit.mjDSBL_GRAVITY)
_ROWS = {
    int(mjtConstraint.mjCNSTR_EQUALITY): Origin.EQUALITY,
    int(mjtConstraint.mjCNSTR_FRICTION_DOF): Origin.DOF_FRICTION,
    int(mjtConstraint.mjCNSTR_FRICTION_TENDON): Origin.TENDON_FRICTION,
    int(mjtConstraint.mjCNSTR_LIMIT_JOINT): Origin.JOINT_LIMIT,
    int(mjtConstraint.mjCNSTR_LIMIT_TENDON): Origin.TENDON_LIMIT,
}  # all others are contacts


@checked
def forces_by_origin(m: Model, d: Data) -> Balance:
    """All forces on the dofs by origin, of the results that the data hold: those of mj_forward, or of the last step.

    They belong to the state in which that step began, but for qfrc_applied and xfrc_applied, which are those of now.
    The term REMAINDER makes the sum zero. Newton and CG end with a gradient of their cost, and it is that gradient; after PGS
    it is rounding. With hard contacts (LCP) qacc is that of the step, (M - h D) qacc = forces, and it is h D qacc. It is larger
    where results and inputs are of different moments, or where a callback has changed results.
    Raises ArgumentError for what are no model and data.
    """
    terms = Terms(m, d)
    inertia = np.zeros(m.nv)
    mj_mulM(m, d, inertia, np.array(d.qacc))
    gravity = gravity_forces(m, d)
    terms.add_whole(Origin.INERTIA, -inertia)
    terms.add_whole(Origin.GRAVITY, gravity)
    terms.add_whole(Origin.CORIOLIS, -np.asarray(d.qfrc_bias) - gravity)
    _add_passive(terms, m, d)
    _add_actuation(terms, m, d)
    terms.add_by(Origin.APPLIED, np.asarray(m.dof_jntid), np.asarray(d.qfrc_applied))
    _add_wrenches(terms, Origin.PUSH, m, d, np.asarray(d.xfrc_applied)[:, :3], np.asarray(d.xfrc_applied)[:, 3:])
    _add_rows(terms, m, d)
    terms.add_whole(Origin.REMAINDER, -terms.total())
    return terms.balance()


def gravity_forces(m: Model, d: Data) -> Numbers:
    """Force (nv,) of gravity on the dofs [N or N m], without gravity compensation. Reads crb, cdof.

    What hangs on a dof accelerates as one body: its composite inertia times the acceleration, along the dof's axis.
    """
    if int(m.opt.disableflags) & NO_GRAVITY or m.nv == 0:
        return np.zeros(m.nv)
    x, y, z = (float(g) for g in m.opt.gravity)
    weight = inertia_mul(tuple(np.asarray(d.crb)[np.asarray(m.dof_bodyid)].T), (0.0, 0.0, 0.0, x, y, z))
    force: Numbers = dot6(tuple(np.asarray(d.cdof).T), weight)
    return force


# ---- passive forces


def _add_passive(terms: Terms, m: Model, d: Data) -> None:
    flags = int(m.opt.disableflags)
    spring, damper = np.array(d.qfrc_spring), np.array(d.qfrc_damper)
    rows, dofs, arms = _tendon_entries(m, d)
    length, rest = np.asarray(d.ten_length), np.asarray(m.tendon_lengthspring)
    for origin, off, left, force in (
        (Origin.TENDON_SPRING, NO_SPRING, spring, m.tendon_stiffness * (np.clip(length, rest[:, 0], rest[:, 1]) - length)),
        (Origin.TENDON_DAMPER, NO_DAMPER, damper, -m.tendon_damping * d.ten_velocity),
    ):
        pull = arms * force[rows] * (not flags & off)
        terms.add(origin, np.arange(m.ntendon), rows, dofs, pull)
        left -= np.bincount(dofs, pull, m.nv)
    _add_contact_springs(terms, m, d, spring)
    soft = _flex_of_dofs(m)
    for origin, of_soft, left, strength in (
        (Origin.JOINT_SPRING, Origin.SOFT_SPRING, spring, np.asarray(m.jnt_stiffness)[np.asarray(m.dof_jntid)]),
        (Origin.JOINT_DAMPER, Origin.SOFT_DAMPER, damper, np.asarray(m.dof_damping)),
    ):
        own = strength != 0.0
        terms.add_by(origin, np.asarray(m.dof_jntid), np.where(own, left, 0.0))
        terms.add_by(of_soft, soft, np.where(own | (soft == -2), 0.0, left))
    if flags & NO_SPRING and flags & NO_DAMPER:
        return
    force = -np.asarray(m.body_gravcomp)[:, None] * np.asarray(m.body_mass)[:, None] * np.asarray(m.opt.gravity)
    if not flags & NO_GRAVITY:
        _add_wrenches(terms, Origin.GRAVITY_COMPENSATION, m, d, force, np.zeros_like(force))
    if fluids := fluid_forces(m, d):
        origins, idents = np.array([f.origin for f in fluids]), np.array([f.ident for f in fluids])
        parts = [np.array([getattr(f, name) for f in fluids]) for name in ("body", "point", "force", "moment")]
        terms.add(origins, idents, *wrench_forces(m, d, *parts))
    compensated = np.where(np.asarray(m.jnt_actgravcomp)[np.asarray(m.dof_jntid)], 0.0, d.qfrc_gravcomp)
    known = np.asarray(d.qfrc_spring) + d.qfrc_damper + d.qfrc_fluid + compensated
    other = np.asarray(d.qfrc_passive) - known
    scale = abs(known) + abs(np.asarray(d.qfrc_passive))
    terms.add_whole(Origin.PASSIVE_FUNCTION, np.where(abs(other) > 1e-14 * scale, other, 0.0))


def _tendon_entries(m: Model, d: Data) -> tuple[Integers, Integers, Numbers]:
    """Tendon, dof and moment arm of the entries of ten_J."""
    there = np.arange(m.nv) < np.asarray(d.ten_J_rownnz)[:, None]
    rows, places = np.nonzero(there)
    dofs = np.asarray(d.ten_J_colind)[rows, places]
    return rows, dofs, np.asarray(d.ten_J)[rows, dofs]


def _flex_of_dofs(m: Model) -> Integers:
    """Soft body (nv,) that the joints of each dof's body carry; -1: several or unknown; -2: no soft body pushes it."""
    if m.nflex == 0 or m.nv == 0:
        return np.full(m.nv, -2)
    of_body = np.full(m.nbody, -1 if m.nflex > 1 else 0)  # bodies above those of vertices are pushed too
    for flex in range(m.nflex):
        for name in ("vert", "node"):
            first, count = int(getattr(m, f"flex_{name}adr")[flex]), int(getattr(m, f"flex_{name}num")[flex])
            of_body[np.asarray(getattr(m, f"flex_{name}bodyid"))[first : first + count]] = flex
    return of_body[np.asarray(m.dof_bodyid)]


def _add_contact_springs(terms: Terms, m: Model, d: Data, left: Numbers) -> None:
    """Springs between geoms and soft bodies, on the side of the geoms; left: qfrc_spring, from which it is taken away."""
    passive = np.flatnonzero(np.asarray(d.contact_exclude) == CONTACT_PASSIVE)
    if not len(passive) or (int(m.opt.disableflags) & NO_SPRING and int(m.opt.disableflags) & NO_DAMPER):
        return
    normal = np.asarray(d.contact_frame)[passive, :3] * (-STIFFNESS * np.asarray(d.contact_dist)[passive, None])
    geom = np.asarray(d.contact_geom)[passive]
    for side in range(2):
        rigid = geom[:, side] >= 0
        force, bodies = (2.0 * side - 1.0) * normal[rigid], np.asarray(m.geom_bodyid)[geom[rigid, side]]
        which, dofs, push = wrench_forces(m, d, bodies, np.asarray(d.contact_pos)[passive[rigid]], force, np.zeros_like(force))
        terms.add(Origin.CONTACT_SPRING, passive[rigid], which, dofs, push)
        left -= np.bincount(dofs, push, m.nv)


# ---- actuators, applied forces, constraints


def _add_actuation(terms: Terms, m: Model, d: Data) -> None:
    counts = np.asarray(d.moment_rownnz)
    rows = np.repeat(np.arange(m.nu), counts)
    places = np.arange(len(rows)) + np.repeat(np.asarray(d.moment_rowadr) - (np.cumsum(counts) - counts), counts)
    dofs = np.asarray(d.moment_colind)[places]
    force = np.ravel(d.actuator_moment)[places] * np.asarray(d.actuator_force)[rows]
    terms.add(Origin.ACTUATOR, np.arange(m.nu), rows, dofs, force)
    joint = np.asarray(m.dof_jntid)
    wanted = np.bincount(dofs, force, m.nv) + np.where(np.asarray(m.jnt_actgravcomp)[joint], d.qfrc_gravcomp, 0.0)
    limited = np.asarray(m.jnt_actfrclimited, bool)[joint]
    terms.add_by(Origin.ACTUATOR_LIMIT, joint, np.where(limited, np.asarray(d.qfrc_actuator) - wanted, 0.0))


def _add_wrenches(terms: Terms, origin: Origin, m: Model, d: Data, force: Numbers, torque: Numbers) -> None:
    """Wrenches (nbody, 3) each on bodies, at their centres of mass."""
    bodies = np.flatnonzero((force != 0.0).any(axis=1) | (torque != 0.0).any(axis=1))
    bodies = bodies[bodies > 0]
    which, dofs, push = wrench_forces(m, d, bodies, np.asarray(d.xipos)[bodies], force[bodies], torque[bodies])
    terms.add(origin, bodies, which, dofs, push)


def _add_rows(terms: Terms, m: Model, d: Data) -> None:
    """Constraints and contacts: J' f, the rows of one element together."""
    if d.nefc == 0:
        return
    kind, ident = np.asarray(d.efc_type).astype(np.int64), np.asarray(d.efc_id).astype(np.int64)
    origin = np.array([_ROWS.get(k, Origin.CONTACT) for k in range(int(kind.max()) + 1)])[kind]
    keys, which = np.unique(origin * (ident.max() + 1) + ident, return_inverse=True)
    rows, dofs, values = row_entries(m, d)
    push = values * np.asarray(d.efc_force)[rows]
    terms.add(keys // (ident.max() + 1), keys % (ident.max() + 1), which.ravel()[rows], dofs, push)
