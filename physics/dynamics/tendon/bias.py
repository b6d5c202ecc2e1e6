"""The bias force of tendon armature: armature J' (dJ/dt qvel).

The length of a straight piece between points p and q, with the unit vector u from p to q, changes at u . (q' - p'). At
joint velocities that stay, that rate changes at u . (q'' - p'') + |the part of q' - p' across u|^2 / length.
"""

from tumble.physics.algebra.spatial import add_scaled6, load6, store6
from tumble.physics.algebra.vec3 import add3, cross3, dot3, load3, sub3, unit3
from tumble.physics.dynamics.object import point_velocity
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtWrap

PULLEY, SITE = int(mjtWrap.mjWRAP_PULLEY), int(mjtWrap.mjWRAP_SITE)


@stage
def tendon_bias(m, d):
    """Reads qvel, cvel, cdof_dot, ten_J; adds to qfrc_bias."""
    acc = d.work_acc
    store6(acc, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for b in range(1, m.nbody):
        a = load6(acc, m.body_parentid[b])
        for i in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            a = add_scaled6(a, d.qvel[i], load6(d.cdof_dot, i))
        store6(acc, b, a)
    for t in range(m.ntendon):
        if m.tendon_armature[t] > 0.0 and m.tendon_num[t] > 0:
            force = m.tendon_armature[t] * length_acceleration(m, d, t)
            for k in range(d.ten_J_rownnz[t]):
                i = d.ten_J_colind[t, k]
                d.qfrc_bias[i] += d.ten_J[t, i] * force


@kernel
def length_acceleration(m, d, t):
    """Second derivative by time of a tendon's length, without joint accelerations; the path is made of sites and pulleys."""
    total, share = 0.0, 1.0
    for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t] - 1):
        if m.wrap_type[w] == PULLEY:
            share = 1.0 / m.wrap_prm[w]
        elif m.wrap_type[w] == SITE and m.wrap_type[w + 1] == SITE:
            s0, s1 = m.wrap_objid[w], m.wrap_objid[w + 1]
            v0, a0 = point_motion(m, d, s0)
            v1, a1 = point_motion(m, d, s1)
            along, length = unit3(sub3(load3(d.site_xpos, s1), load3(d.site_xpos, s0)))
            speed, rate = sub3(v1, v0), dot3(along, sub3(v1, v0))
            across = dot3(speed, speed) - rate * rate
            if length > mjMINVAL:
                total += share * (dot3(along, sub3(a1, a0)) + across / length)
    return total


@kernel
def point_motion(m, d, site):
    """Velocity of a site, and its acceleration while the joint velocities stay (spatial ones are in work_acc)."""
    b, point = m.site_bodyid[site], load3(d.site_xpos, site)
    turn, v = point_velocity(m, d, b, point)
    a = load6(d.work_acc, b)
    arm = sub3(point, load3(d.subtree_com, m.body_rootid[b]))
    return v, add3(add3((a[3], a[4], a[5]), cross3((a[0], a[1], a[2]), arm)), cross3(turn, v))
