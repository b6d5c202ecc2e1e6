"""The stage that adds the passive forces of flexes to qfrc_spring, qfrc_damper and qfrc_passive."""

from tumble.physics.algebra.vec3 import add3, cross3, load3, scale3, store3, sub3
from tumble.physics.dynamics.asleep import is_awake, some_asleep
from tumble.physics.dynamics.contact_force import contact_bodies
from tumble.physics.dynamics.flex.elastic import bend, has_stretch, stretch
from tumble.physics.dynamics.flex.interpolated import interpolated_forces
from tumble.physics.dynamics.object import apply_force, last_dof
from tumble.physics.kernel import kernel, stage
from tumble.physics.state.constants import CONTACT_PASSIVE
from tumble.physics.state.enums import mjtDisableBit

NO_SPRING, NO_DAMPER = int(mjtDisableBit.mjDSBL_SPRING), int(mjtDisableBit.mjDSBL_DAMPER)
SLIDERS = 2  # in body_simple: moved by slides only, and what moves it is fixed to the world
SHELL = 2  # dimension of cloth, which resists bending


@stage
def flex_passive(m, d):
    """Reads flexvert_xpos, flexedge_..., cvel; adds to qfrc_spring, qfrc_damper, qfrc_passive."""
    springs = not m.opt_disableflags & NO_SPRING
    dampers = not m.opt_disableflags & NO_DAMPER
    if not springs and not dampers:
        return
    for f in range(m.nflex):
        if m.flex_rigid[f]:
            continue
        if m.flex_interp[f] == 0:
            edge_forces(m, d, f, springs, dampers)
            vertex_forces(m, d, f, springs, dampers)
        elif has_stretch(m, f):
            node_forces(m, d, f, springs, dampers)


@kernel
def edge_forces(m, d, f, springs, dampers):
    """Springs and dampers along the edges of flex f."""
    stiffness, damping = m.flex_edgestiffness[f] if springs else 0.0, m.flex_edgedamping[f] if dampers else 0.0
    if stiffness == 0.0 and damping == 0.0:
        return
    skip, jac, columns = some_asleep(m, d), d.flexedge_J, m.flexedge_J_colind
    for e in range(m.flex_edgeadr[f], m.flex_edgeadr[f] + m.flex_edgenum[f]):
        force = stiffness * (m.flexedge_length0[e] - d.flexedge_length[e])
        drag = -damping * d.flexedge_velocity[e]
        at = m.flexedge_J_rowadr[e]
        for k in range(at, at + m.flexedge_J_rownnz[e]):
            i = columns[k]
            if not skip or is_awake(m, d, i):
                d.qfrc_spring[i] += jac[k] * force
                d.qfrc_damper[i] += jac[k] * drag
                d.qfrc_passive[i] += jac[k] * (force + drag)


@kernel
def vertex_forces(m, d, f, springs, dampers):
    """Elasticity of a flex whose vertices are in bodies of their own."""
    bent, stretched = m.flex_dim[f] == SHELL, has_stretch(m, f)
    first, end = m.flex_vertadr[f], m.flex_vertadr[f] + m.flex_vertnum[f]
    damped = dampers and m.flex_damping[f] != 0.0
    if not bent and not stretched:
        return
    for v in range(first, end):
        store3(d.flex_force, v, (0.0, 0.0, 0.0))
        store3(d.flex_drag, v, (0.0, 0.0, 0.0))
    if stretched:
        stretch(m, d, f, springs, dampers)
    if bent:
        if damped:
            find_rates(m, d, first, end, m.flex_vertbodyid, d.flexvert_xpos, d.flex_rate)
        bend(m, d, f, springs, damped)
    spread(m, d, first, end, m.flex_vertbodyid, d.flexvert_xpos, d.flex_force, d.qfrc_spring)
    if bent and damped:
        spread(m, d, first, end, m.flex_vertbodyid, d.flexvert_xpos, d.flex_drag, d.qfrc_damper)


@kernel
def node_forces(m, d, f, springs, dampers):
    """Elasticity of a flex that is interpolated between nodes."""
    first, end = m.flex_nodeadr[f], m.flex_nodeadr[f] + m.flex_nodenum[f]
    damped = dampers and m.flex_damping[f] != 0.0
    if damped:
        find_rates(m, d, first, end, m.flex_nodebodyid, d.work_node, d.node_rate)
    interpolated_forces(m, d, f, springs, damped)
    if springs:
        spread(m, d, first, end, m.flex_nodebodyid, d.work_node, d.node_force, d.qfrc_spring)
    if damped:
        spread(m, d, first, end, m.flex_nodebodyid, d.work_node, d.node_drag, d.qfrc_damper)


@kernel
def find_rates(m, d, first, end, bodyid, place, out):
    """out <- velocities [m/s] of points that are fixed to bodies."""
    for v in range(first, end):
        b = bodyid[v]
        turn = (d.cvel[b, 0], d.cvel[b, 1], d.cvel[b, 2])
        arm = sub3(load3(place, v), load3(d.subtree_com, m.body_rootid[b]))
        store3(out, v, add3((d.cvel[b, 3], d.cvel[b, 4], d.cvel[b, 5]), cross3(turn, arm)))


@kernel
def spread(m, d, first, end, bodyid, place, force, out):
    """out and qfrc_passive += forces [N] at points of bodies, of those that are awake."""
    skip, passive = some_asleep(m, d), d.qfrc_passive
    for v in range(first, end):
        b = bodyid[v]
        i = last_dof(m, b)
        if i < 0 or (skip and not is_awake(m, d, i)):
            continue
        if m.body_simple[b] == SLIDERS:
            while i >= 0:
                q = d.cdof[i, 3] * force[v, 0] + d.cdof[i, 4] * force[v, 1] + d.cdof[i, 5] * force[v, 2]
                out[i] += q
                passive[i] += q
                i = m.dof_parentid[i]
        else:
            apply_force(m, d, b, load3(place, v), load3(force, v), (0.0, 0.0, 0.0), out)
            apply_force(m, d, b, load3(place, v), load3(force, v), (0.0, 0.0, 0.0), passive)


STIFFNESS = 1e4  # N/m, as in the reference; like there it pulls what is within a margin and does not touch
_NO_TORQUE = (0.0, 0.0, 0.0)


@stage
def contact_springs(m, d):
    """Add to qfrc_spring the normal forces of passive contacts, which know neither friction nor damping."""
    for c in range(d.ncon):
        if d.contact_exclude[c] != CONTACT_PASSIVE:
            continue
        normal = (d.contact_frame[c, 0], d.contact_frame[c, 1], d.contact_frame[c, 2])
        force, point = scale3(-STIFFNESS * d.contact_dist[c], normal), load3(d.contact_pos, c)
        for side in range(2):
            for k in range(contact_bodies(m, d, c, side, 0)):
                share = scale3((2.0 * side - 1.0) * d.side_weight[k], force)
                apply_force(m, d, d.side_body[k] + 0, point, share, _NO_TORQUE, d.qfrc_spring)
