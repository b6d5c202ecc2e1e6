"""Transmissions that are not a joint or a tendon: the pose of a site, a slider-crank, the contacts of a body.

Sources: MuJoCo documentation, Computation, Transmission; XML reference, actuator.
"""

import math

from tumble.physics.algebra.mat3 import column, load9, mat_t_vec, mat_vec
from tumble.physics.algebra.quat import load4, quat_inv, quat_mul, quat_vel
from tumble.physics.algebra.spatial import load6
from tumble.physics.algebra.vec3 import add3, add_scaled3, cross3, dot3, load3, scale3, sub3
from tumble.physics.dynamics.actuator.transmission import joint_transmission, tendon_transmission, transmission
from tumble.physics.dynamics.object import last_dof
from tumble.physics.kernel import Stage, kernel, stage
from tumble.physics.state.enums import mjtTrn
from tumble.physics.state.model import Model

TENDON, SITE, CRANK = int(mjtTrn.mjTRN_TENDON), int(mjtTrn.mjTRN_SITE), int(mjtTrn.mjTRN_SLIDERCRANK)
BODY = int(mjtTrn.mjTRN_BODY)
ACTIVE, IN_GAP = 0, 1  # contact_exclude of contacts that touch


def transmission_stage(m: Model) -> Stage:
    """The stage that a model's actuators need: that for joints and tendons, or that for all."""
    linked = (m.actuator_trntype == SITE) | (m.actuator_trntype == CRANK) | (m.actuator_trntype == BODY)
    return transmission_all if linked.any() else transmission


@stage
def transmission_all(m, d):
    """Reads poses, contacts, and what `transmission` reads; writes what it writes, for actuators of every kind."""
    at = 0
    for i in range(m.nu):
        d.moment_rowadr[i] = at
        kind = m.actuator_trntype[i]
        if kind == TENDON:
            at = tendon_transmission(m, d, i, at)
        elif kind == SITE:
            at = site_transmission(m, d, i, at)
        elif kind == CRANK:
            at = crank_transmission(m, d, i, at)
        elif kind == BODY:
            at = adhesion(m, d, i, at)
        else:
            at = joint_transmission(m, d, i, at)
        d.moment_rownnz[i] = at - d.moment_rowadr[i]


@kernel
def site_transmission(m, d, i, at):
    """Actuator i on a site: a force and torque, in the site's frame or in that of another, the reference; returns the next row.

    With a reference the length is the site's pose seen from it, along the gear; without, it is zero.
    """
    site, ref = m.actuator_trnid[i, 0], m.actuator_trnid[i, 1]
    gear = m.actuator_gear
    push, turn = (gear[i, 0], gear[i, 1], gear[i, 2]), (gear[i, 3], gear[i, 4], gear[i, 5])
    pos, body, frame = load3(d.site_xpos, site), m.site_bodyid[site], site
    base, other, length = pos, 0, 0.0
    if ref >= 0:
        base, other, frame = load3(d.site_xpos, ref), m.site_bodyid[ref], ref
        q = quat_mul(load4(d.xquat, body), load4(m.site_quat, site))
        q_ref = quat_mul(load4(d.xquat, other), load4(m.site_quat, ref))
        turned = quat_vel(quat_mul(quat_inv(q_ref), q), 1.0)
        length = dot3(push, mat_t_vec(load9(d.site_xmat, ref), sub3(pos, base))) + dot3(turn, turned)
    d.actuator_length[i] = length
    mat = load9(d.site_xmat, frame)
    force, torque = mat_vec(mat, push), mat_vec(mat, turn)
    return pair_row(m, d, at, body, pos, force, torque, other, base, force, torque)


@kernel
def crank_transmission(m, d, i, at):
    """Actuator i on a slider-crank: where on the slider's z axis the rod ends that holds the crank; returns the next row.

    With v from slider to crank, a = v . axis and the rod's length r, that is l = a - sqrt(a^2 + r^2 - |v|^2).
    """
    crank, slider, gear = m.actuator_trnid[i, 0], m.actuator_trnid[i, 1], m.actuator_gear[i, 0]
    pos, base, axis = load3(d.site_xpos, crank), load3(d.site_xpos, slider), column(load9(d.site_xmat, slider), 2)
    v = sub3(pos, base)
    along = dot3(v, axis)
    square = along * along + m.actuator_cranklength[i] ** 2 - dot3(v, v)
    length, by_v, by_axis = along, axis, v
    if square > 0.0:
        root = math.sqrt(square)
        length = along - root
        by_v = add_scaled3(scale3(1.0 - along / root, axis), 1.0 / root, v)
        by_axis = scale3(1.0 - along / root, v)
    d.actuator_length[i] = gear * length
    force, torque = scale3(gear, by_v), scale3(-gear, cross3(axis, by_axis))
    body, other = m.site_bodyid[crank], m.site_bodyid[slider]
    return pair_row(m, d, at, body, pos, force, (0.0, 0.0, 0.0), other, base, force, torque)


@kernel
def pair_row(m, d, at, b1, p1, f1, t1, b2, p2, f2, t2):
    """A row of moments: force f1 and torque t1 at the point p1 of body b1, less f2 and t2 at p2 of body b2.

    Dofs that move both bodies are left out: what acts between two bodies does not act on them. Returns the next row.
    """
    i1, i2, count = last_dof(m, b1), last_dof(m, b2), 0
    while i1 != i2:
        count += 1
        if i1 > i2:
            i1 = m.dof_parentid[i1]
        else:
            i2 = m.dof_parentid[i2]
    arm1 = sub3(p1, load3(d.subtree_com, m.body_rootid[b1]))
    arm2 = sub3(p2, load3(d.subtree_com, m.body_rootid[b2]))
    i1, i2, place = last_dof(m, b1), last_dof(m, b2), at + count
    while i1 != i2:
        place -= 1
        if i1 > i2:
            d.moment_colind[place] = i1
            d.actuator_moment[place] = power(d, i1, arm1, f1, t1)
            i1 = m.dof_parentid[i1]
        else:
            d.moment_colind[place] = i2
            d.actuator_moment[place] = -power(d, i2, arm2, f2, t2)
            i2 = m.dof_parentid[i2]
    return at + count


@kernel
def power(d, i, arm, force, torque):
    """Power, at unit velocity of dof i, of a force and torque; arm: from the tree's centre of mass to the point."""
    v = load6(d.cdof, i)
    turn = (v[0], v[1], v[2])
    return dot3(force, add3((v[3], v[4], v[5]), cross3(turn, arm))) + dot3(torque, turn)


@kernel
def adhesion(m, d, i, at):
    """Actuator i on a body: it pulls at the body's contacts against their normals, at each alike; returns the next row."""
    body, moments, count = m.actuator_trnid[i, 0], d.work_dof, 0
    d.actuator_length[i] = 0.0
    for k in range(m.nv):
        moments[k] = 0.0
    for c in range(d.ncon):
        if d.contact_geom[c, 0] < 0 or d.contact_geom[c, 1] < 0:  # to flexes nothing sticks, as in the reference
            continue
        b1, b2 = m.geom_bodyid[d.contact_geom[c, 0]], m.geom_bodyid[d.contact_geom[c, 1]]
        touching = d.contact_exclude[c] == ACTIVE or d.contact_exclude[c] == IN_GAP
        if touching and (b1 == body or b2 == body):
            count += 1
            point = load3(d.contact_pos, c)
            normal = (d.contact_frame[c, 0], d.contact_frame[c, 1], d.contact_frame[c, 2])
            push(m, d, b1, point, normal, 1.0)
            push(m, d, b2, point, normal, -1.0)
    for k in range(m.nv):
        if moments[k] != 0.0:
            d.moment_colind[at] = k
            d.actuator_moment[at] = moments[k] / count
            at += 1
    return at


@kernel
def push(m, d, body, point, normal, sign):
    """Adds to work_dof the joint forces of a unit force at a point of a body."""
    arm, i = sub3(point, load3(d.subtree_com, m.body_rootid[body])), last_dof(m, body)
    while i >= 0:
        d.work_dof[i] += sign * power(d, i, arm, normal, (0.0, 0.0, 0.0))
        i = m.dof_parentid[i]
