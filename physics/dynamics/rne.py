"""Inverse dynamics of the unconstrained system by recursive Newton-Euler (Featherstone 2008, chapter 5)."""

from tumble.physics.algebra.spatial import add6, add_scaled6, cross_force, dot6, inertia_mul, load6, load10, store6
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtDisableBit

NO_GRAVITY = int(mjtDisableBit.mjDSBL_GRAVITY)


@stage
def rne_bias(m, d):
    """Coriolis, centrifugal and gravitational force: reads cvel, cdof_dot, cinert; writes qfrc_bias."""
    rne(m, d, d.work_acc, d.work_frc, False, d.qfrc_bias)


@stage
def rne_bias_only(m, d):
    """The same, but writes work_dof."""
    rne(m, d, d.work_acc, d.work_frc, False, d.work_dof)


@stage
def rne_with_acceleration(m, d):
    """work_dof <- bias forces plus M qacc, without armature."""
    rne(m, d, d.work_acc, d.work_frc, True, d.work_dof)


@kernel
def rne(m, d, acc, frc, accelerate, out):
    """out <- C(qpos, qvel), plus M qacc without armature if `accelerate`; acc, frc: (nbody, 6) working memory."""
    if m.opt_disableflags & NO_GRAVITY:
        store6(acc, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    else:  # an observer on Earth is accelerated upwards
        g = m.opt_gravity
        store6(acc, 0, (0.0, 0.0, 0.0, -g[0], -g[1], -g[2]))
    store6(frc, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    qvel, cdof_dot = d.qvel, d.cdof_dot
    for k in range(1, d.nbody_awake):
        b = d.body_awake_ind[k]
        a = load6(acc, m.body_parentid[b])
        for i in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            a = add_scaled6(a, qvel[i], load6(cdof_dot, i))
            if accelerate:
                a = add_scaled6(a, d.qacc[i], load6(d.cdof, i))
        store6(acc, b, a)
        inertia, v = load10(d.cinert, b), load6(d.cvel, b)
        store6(frc, b, add6(inertia_mul(inertia, a), cross_force(v, inertia_mul(inertia, v))))
    for k in range(d.nbody_awake - 1, 0, -1):
        b = d.body_awake_ind[k]
        p = m.body_parentid[b]
        if p > 0:
            store6(frc, p, add6(load6(frc, p), load6(frc, b)))
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            out[i] = dot6(load6(d.cdof, i), load6(frc, m.dof_bodyid[i]))
