"""Accelerations of bodies and the forces between them, once joint accelerations and constraint forces are known."""

from tumble.physics.algebra.spatial import add6, add_scaled6, cross_force, inertia_mul, load6, load10, store6
from tumble.physics.algebra.vec3 import add3, cross3, load3, sub3
from tumble.physics.dynamics.asleep import ASLEEP, some_asleep
from tumble.physics.dynamics.contact_force import contact_bodies, contact_force, contact_point, to_world
from tumble.physics.dynamics.weights import CONNECT, WELD, held_frame
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.enums import mjtDisableBit

NO_GRAVITY = int(mjtDisableBit.mjDSBL_GRAVITY)
NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@stage
def rne_post_constraint(m, d):
    """Reads qacc, xfrc_applied, contacts, efc_force; writes cacc, cfrc_int, cfrc_ext."""
    inner_forces(m, d)


@kernel
def inner_forces(m, d):
    """cacc, cfrc_ext (applied, of contacts, connects and welds) and cfrc_int (what each body gets from its parent)."""
    outer_forces(m, d)
    cacc, cfrc_int, cfrc_ext, cinert = d.cacc, d.cfrc_int, d.cfrc_ext, d.cinert
    g = m.opt_gravity
    if m.opt_disableflags & NO_GRAVITY:
        store6(cacc, 0, NOTHING)
    else:
        store6(cacc, 0, (0.0, 0.0, 0.0, -g[0], -g[1], -g[2]))
    store6(cfrc_int, 0, NOTHING)
    for k in range(1, d.nbody_awake):
        b = d.body_awake_ind[k]
        a = load6(cacc, m.body_parentid[b])
        for i in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            a = add_scaled6(a, d.qvel[i], load6(d.cdof_dot, i))
            a = add_scaled6(a, d.qacc[i], load6(d.cdof, i))
        store6(cacc, b, a)
        inertia, v = load10(cinert, b), load6(d.cvel, b)
        rate = add6(inertia_mul(inertia, a), cross_force(v, inertia_mul(inertia, v)))
        store6(cfrc_int, b, add_scaled6(rate, -1.0, load6(cfrc_ext, b)))
    for k in range(d.nbody_awake - 1, 0, -1):
        b = d.body_awake_ind[k]
        p = m.body_parentid[b]
        store6(cfrc_int, p, add6(load6(cfrc_int, p), load6(cfrc_int, b)))
    if some_asleep(m, d):
        for b in range(1, m.nbody):
            if d.body_awake[b] == ASLEEP:
                store6(cacc, b, NOTHING)
                store6(cfrc_int, b, NOTHING)
    d.flg_rnepost = 1


@kernel
def outer_forces(m, d):
    """cfrc_ext: what acts on each body from outside its tree, about the tree's centre of mass."""
    xfrc = d.xfrc_applied
    store6(d.cfrc_ext, 0, NOTHING)
    for b in range(1, m.nbody):
        store6(d.cfrc_ext, b, NOTHING)
        force, torque = (xfrc[b, 0], xfrc[b, 1], xfrc[b, 2]), (xfrc[b, 3], xfrc[b, 4], xfrc[b, 5])
        add_force(m, d, b, load3(d.xipos, b), force, torque, 1.0)
    for c in range(d.ncon):
        if d.contact_efc_address[c] >= 0:
            force, torque = contact_force(d, c)
            force, torque, point = to_world(d, c, force), to_world(d, c, torque), contact_point(d, c)
            for side in range(2):
                for k in range(contact_bodies(m, d, c, side, 0)):
                    add_force(m, d, d.side_body[k], point, force, torque, (2.0 * side - 1.0) * d.side_weight[k])
    held_forces(m, d)


@kernel
def held_forces(m, d):
    """Adds the forces of connects and welds, each at its own point of the two bodies.

    The rows that a weld has for rotation count as a torque, as in the reference. Strictly they are that only where
    the frames meet, up to a half of torquescale: there the rotation row changes at half the angular velocity.
    """
    r = 0
    while r < d.ne:
        e, dim = d.efc_id[r], 1
        if m.eq_type[e] == CONNECT or m.eq_type[e] == WELD:
            dim = 3 if m.eq_type[e] == CONNECT else 6
            force, torque = (d.efc_force[r], d.efc_force[r + 1], d.efc_force[r + 2]), (0.0, 0.0, 0.0)
            if dim == 6:
                torque = (d.efc_force[r + 3], d.efc_force[r + 4], d.efc_force[r + 5])
            for second in range(2):
                index = m.eq_obj2id[e] if second == 1 else m.eq_obj1id[e]
                b, point, _ = held_frame(m, d, e, index, second)
                add_force(m, d, b, point, force, torque, 1.0 - 2.0 * second)
        r += dim


@kernel
def add_force(m, d, b, point, force, torque, sign):
    """cfrc_ext of body b += sign (force at a world point, torque); the world takes none."""
    if b > 0:
        arm = sub3(point, load3(d.subtree_com, m.body_rootid[b]))
        t = add3(torque, cross3(arm, force))
        moved = (t[0], t[1], t[2], force[0], force[1], force[2])
        store6(d.cfrc_ext, b, add_scaled6(load6(d.cfrc_ext, b), sign, moved))
