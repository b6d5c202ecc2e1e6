"""Forces and torques on bodies by origin, at the points where they act: what a free-body diagram shows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tumble.physics.query.balance.medium import fluid_forces
from tumble.physics.query.balance.terms import Balance, Integers, Numbers, Origin, Wrench
from tumble.physics.query.force import forces_of
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit, mjtJoint
from tumble.physics.state.model import Model

NOTHING = np.zeros(3)
# Origins whose force on a joint is shown at the joint, along its axis.
AT_JOINT = (
    Origin.JOINT_SPRING, Origin.JOINT_DAMPER, Origin.ACTUATOR, Origin.ACTUATOR_LIMIT, Origin.APPLIED, Origin.DOF_FRICTION,
    Origin.JOINT_LIMIT,
)  # fmt: skip


def wrenches_on(m: Model, d: Data, balance: Balance, bodies: Integers) -> list[Wrench]:
    """Forces on bodies by origin: weight and its compensation, applied forces, the medium, contacts, and forces at joints.

    balance: of the same data. The forces that joints themselves carry, and those along tendons, have no point of their own and
    are left out. Contacts with soft bodies push the rigid side alone.
    """
    chosen = np.zeros(m.nbody, bool)
    chosen[bodies] = True
    result = [*_weights(m, d, bodies), *_pushes(d, bodies), *_contacts(m, d, chosen), *_at_joints(m, d, balance, chosen)]
    return result + [wrench for wrench in fluid_forces(m, d) if chosen[wrench.body]]


def _weights(m: Model, d: Data, bodies: Integers) -> Iterator[Wrench]:
    if int(m.opt.disableflags) & int(mjtDisableBit.mjDSBL_GRAVITY):
        return
    for b in np.asarray(bodies).tolist():
        weight = m.body_mass[b] * np.array(m.opt.gravity)
        for origin, ident, force in (
            (Origin.GRAVITY, -1, weight),
            (Origin.GRAVITY_COMPENSATION, b, -m.body_gravcomp[b] * weight),
        ):
            if force.any():
                yield Wrench(origin, ident, b, np.array(d.xipos[b]), force, NOTHING)


def _pushes(d: Data, bodies: Integers) -> Iterator[Wrench]:
    for b in np.asarray(bodies).tolist():
        push = np.array(d.xfrc_applied[b])
        if push.any():
            yield Wrench(Origin.PUSH, b, b, np.array(d.xipos[b]), push[:3], push[3:])


def _contacts(m: Model, d: Data, chosen: Integers) -> Iterator[Wrench]:
    if d.ncon == 0:
        return
    geom = np.asarray(d.contact_geom)
    body = np.append(m.geom_bodyid, 0)[geom]  # the last place: a soft body's side
    touching = np.flatnonzero((chosen[body] & (geom >= 0)).any(axis=1))
    local = forces_of(d)
    for c in touching.tolist():
        axes = np.asarray(d.contact_frame[c]).reshape(3, 3)
        force, torque = local[c, :3] @ axes, local[c, 3:] @ axes
        for side, sign in ((0, -1.0), (1, 1.0)):
            if geom[c, side] >= 0 and chosen[body[c, side]] and local[c].any():
                yield Wrench(Origin.CONTACT, c, int(body[c, side]), np.array(d.contact_pos[c]), sign * force, sign * torque)


def _at_joints(m: Model, d: Data, balance: Balance, chosen: Integers) -> Iterator[Wrench]:
    """Forces on hinges and slides."""
    joint = np.asarray(m.dof_jntid)[balance.dof]
    kind = np.asarray(m.jnt_type)[joint]
    single = (kind == mjtJoint.mjJNT_HINGE) | (kind == mjtJoint.mjJNT_SLIDE)
    own = chosen[np.asarray(m.dof_bodyid)[balance.dof]]
    for k in np.flatnonzero(single & own & np.isin(balance.origin[balance.term], AT_JOINT)).tolist():
        term, j = int(balance.term[k]), int(joint[k])
        along: Numbers = balance.force[k] * np.asarray(d.xaxis[j])
        force, torque = (NOTHING, along) if kind[k] == mjtJoint.mjJNT_HINGE else (along, NOTHING)
        origin, body = Origin(int(balance.origin[term])), int(m.jnt_bodyid[j])
        yield Wrench(origin, int(balance.ident[term]), body, np.array(d.xanchor[j]), force, torque)
