"""Bodies, joints, dofs and trees as arrays: numbering and parents."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from tumble.physics.compiler.draft import Body, Draft, Joint
from tumble.physics.compiler.fill import fill, fill_from, fill_user, lay_out
from tumble.physics.compiler.pose import IDENTITY, ZERO, Quat, Vec
from tumble.physics.compiler.relations.tendons import loaded_bodies, tendon_trees
from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtJoint, mjtSameFrame, mjtSleepPolicy, mjtTrn
from tumble.physics.state.model import Model

_SAME = 1e-6  # frames that differ by less are the same to kinematics
_JOINT = find("worldbody/body/joint").schema_defaults
_TINY = 1e-14  # offsets of a joint smaller than this are none


def number(draft: Draft) -> None:
    """Give bodies their ids and collect what is fixed to them, in the order of the ids."""
    draft.bodies = list(draft.world.walk())
    qpos = dof = 0
    for i, body in enumerate(draft.bodies):
        body.id = i
        draft.geoms += body.geoms
        draft.sites += body.sites
        draft.cameras += body.cameras
        draft.lights += body.lights
        draft.joints += body.joints
        for joint in body.joints:
            joint.qposadr, joint.dofadr = qpos, dof
            qpos, dof = qpos + joint.nqpos, dof + joint.ndof


def same_frame(pos: Vec, quat: Quat, body: Body | None = None) -> mjtSameFrame:
    """Body frame that a pose coincides with, so that kinematics can skip it."""
    if _turned_alike(quat, IDENTITY):
        return mjtSameFrame.mjSAMEFRAME_BODY if _same(pos, ZERO) else mjtSameFrame.mjSAMEFRAME_BODYROT
    if body is not None and _turned_alike(quat, body.iquat):
        return mjtSameFrame.mjSAMEFRAME_INERTIA if _same(pos, body.ipos) else mjtSameFrame.mjSAMEFRAME_INERTIAROT
    return mjtSameFrame.mjSAMEFRAME_NONE


def _turned_alike(p: Quat, q: Quat) -> bool:
    return _same(p, q) or _same((-p[0], -p[1], -p[2], -p[3]), q)  # both signs are one rotation


def _same(u: tuple[float, ...], v: tuple[float, ...]) -> bool:
    return all(abs(a - b) <= _SAME for a, b in zip(u, v, strict=True))


def fill_bodies(draft: Draft, m: Model) -> None:
    """Write the bodies of a model."""
    fill_from(m, "body_", draft.bodies, ("pos", "quat", "ipos", "iquat", "mass", "inertia"))
    m.body_gravcomp = [body.element.get("gravcomp", 0.0) if body.parent else 0.0 for body in draft.bodies]
    fill_user(m.body_user, [body.element for body in draft.bodies])
    m.body_mocapid = m.body_bvhadr = -1
    m.body_plugin = [draft.plugins.of(body.element) for body in draft.bodies]
    for i, body in enumerate(draft.bodies):
        parent = body.parent.id if body.parent else 0
        m.body_parentid[i] = parent
        m.body_rootid[i] = m.body_rootid[parent] if parent else i
        m.body_weldid[i] = i if body.joints else m.body_weldid[parent]
        m.body_sameframe[i] = same_frame(body.ipos, body.iquat)
        m.body_jntnum[i], m.body_geomnum[i] = len(body.joints), len(body.geoms)
        m.body_dofnum[i] = sum(joint.ndof for joint in body.joints)
        _fill_contact(body, m)
    for what in ("jnt", "dof", "geom"):
        lay_out(m, getattr(m, f"body_{what}num"), f"body_{what}adr", empty=-1)
    mocaps = [body.id for body in draft.bodies if body.mocap]
    m.body_mocapid[mocaps] = np.arange(len(mocaps))


def _fill_contact(body: Body, m: Model) -> None:
    """The union of the masks of a body's geoms: the broad phase asks the body first."""
    for geom in body.geoms:
        m.body_contype[body.id] |= geom.element.get("contype")
        m.body_conaffinity[body.id] |= geom.element.get("conaffinity")
        m.body_margin[body.id] = max(m.body_margin[body.id], geom.element.get("margin"))


def fill_joints(draft: Draft, m: Model) -> None:
    """Write the joints and dofs of a model, and its reference configuration."""
    joints, elements = draft.joints, [joint.element for joint in draft.joints]
    said = [_as_joint(element) for element in elements]
    fill_from(m, "jnt_", joints, ("type", "qposadr", "dofadr", "pos", "axis", "limited", "actfrclimited", "range"))
    fill_user(m.jnt_user, elements)
    fill(m, "jnt_", elements, ("group",))
    fill(m, "jnt_", said, ("solref", "solimp", "actgravcomp", "stiffness", "margin", "actfrcrange"),
         solref="solreflimit", solimp="solimplimit", actgravcomp="actuatorgravcomp", actfrcrange="actuatorfrcrange")  # fmt: skip
    for i, joint in enumerate(joints):
        m.jnt_bodyid[i] = joint.body.id
        q, n = joint.qposadr, joint.nqpos
        m.qpos0[q : q + n], m.qpos_spring[q : q + n] = reference(joint), reference(joint, spring=True)
    of_dofs = [element for joint, element in zip(joints, said, strict=True) for _ in range(joint.ndof)]
    fill(m, "dof_", of_dofs, ("solref", "solimp", "frictionloss", "armature", "damping"), solref="solreffriction",
         solimp="solimpfriction")  # fmt: skip
    _fill_dofs(draft, m)


def _as_joint(element: Element) -> Element:
    """A joint with the values of all attributes of <joint>, of which <freejoint> has few."""
    return replace(element, schema_defaults=_JOINT) if element.tag == "freejoint" else element


def reference(joint: Joint, spring: bool = False) -> tuple[float, ...]:
    """The joint's coordinates in the configuration of the file, or in that where its spring is at rest."""
    if joint.type == mjtJoint.mjJNT_FREE:
        return (*joint.body.pos, *joint.body.quat)
    if joint.type == mjtJoint.mjJNT_BALL:
        return IDENTITY
    return (joint.springref if spring else joint.ref,)


def _fill_dofs(draft: Draft, m: Model) -> None:
    last = np.full(len(draft.bodies), -1)  # the last dof at or above each body
    for body in draft.bodies:
        above = last[body.parent.id] if body.parent else -1
        for joint in body.joints:
            for i in range(joint.dofadr, joint.dofadr + joint.ndof):
                m.dof_bodyid[i], m.dof_parentid[i] = body.id, above
                m.dof_jntid[i] = m.body_jntadr[body.id] + body.joints.index(joint)
                above = i
        last[body.id] = above


def fill_simple(draft: Draft, m: Model) -> None:
    """Find the bodies and dofs whose row of the inertia matrix is diagonal, whatever the configuration.

    That is a body whose frame is its inertial frame, that stands on the world and carries nothing, with
    joints along its axes and through its centre: 1, and 2 if it has slides alone. Tendons with armature
    make it another.
    """
    loaded = loaded_bodies(draft)
    for body in reversed(draft.bodies):
        m.body_simple[body.id] = 0 if body.id in loaded else _simplicity(body, m)
    m.body_simple[0] = 0 not in loaded and m.body_sameframe[0] == mjtSameFrame.mjSAMEFRAME_BODY
    for i in reversed(range(m.nv)):
        if m.body_simple[m.dof_bodyid[i]]:
            m.dof_simplenum[i] = 1 + (m.dof_simplenum[i + 1] if i + 1 < m.nv else 0)


def _simplicity(body: Body, m: Model) -> int:
    parent = body.parent
    grounded = parent is None or parent.parent is None or (parent.parent.parent is None and not parent.joints)
    if not grounded or body.children or m.body_sameframe[body.id] != mjtSameFrame.mjSAMEFRAME_BODY:
        return 0
    turned = False
    for joint in body.joints:
        if turned or any(abs(v) > _TINY for v in joint.pos):
            return 0
        if joint.type in (mjtJoint.mjJNT_SLIDE, mjtJoint.mjJNT_HINGE) and sum(abs(v) > _TINY for v in joint.axis) > 1:
            return 0
        turned = joint.type in (mjtJoint.mjJNT_BALL, mjtJoint.mjJNT_HINGE)
    return 1 if turned or any(j.type == mjtJoint.mjJNT_FREE for j in body.joints) or not body.joints else 2


def fill_trees(draft: Draft, m: Model) -> None:
    """Write the kinematic trees: every body that moves against the world, with all below it.."""
    m.body_treeid = -1
    tree = -1
    for body in draft.bodies[1:]:
        parent = body.parent.id if body.parent else 0
        if m.body_treeid[parent] >= 0:
            m.body_treeid[body.id] = m.body_treeid[parent]
        elif body.joints:
            tree += 1
            m.body_treeid[body.id] = tree
            m.tree_bodyadr[tree] = body.id
            m.tree_dofadr[tree] = m.body_dofadr[body.id]
            m.tree_sleep_policy[tree] = mjtSleepPolicy[f"mjSLEEP_{body.element.get('sleep', 'auto').upper()}"]
    m.tree_bodynum = np.bincount(m.body_treeid[m.body_treeid >= 0], minlength=m.ntree)
    m.dof_treeid = m.body_treeid[m.dof_bodyid]
    m.tree_dofnum = np.bincount(m.dof_treeid, minlength=m.ntree)


def count_trees(draft: Draft) -> int:
    """Number of kinematic trees. Raises MjcfError if sleep is set on a body that is no tree's root."""
    moving = [False] * len(draft.bodies)
    trees = 0
    for body in draft.bodies[1:]:
        above = moving[body.parent.id] if body.parent else False
        trees += bool(body.joints) and not above
        moving[body.id] = above or bool(body.joints)
        if body.element.get("sleep", "auto") != "auto" and (above or not body.joints):
            raise body.element.error("sleep can be set on a body that moves against the world alone")
    return trees


def set_sleep_policies(draft: Draft, m: Model) -> None:
    """Decide for the trees that leave it open: what an actuator or a spring between trees pulls at must not sleep.

    Raises MjcfError if a tree is let sleep that a tendon joins with more than one other.
    """
    driven = np.zeros(m.ntree, bool)
    for i in range(m.ntendon):
        trees = tendon_trees(m, i)
        if len(trees) > 2:
            for tree in trees[m.tree_sleep_policy[trees] >= mjtSleepPolicy.mjSLEEP_ALLOWED]:
                element = draft.bodies[m.tree_bodyadr[tree]].element
                raise element.error("sleep can be never or auto only: a tendon joins this tree with more than one other")
        if len(trees) > 2 or (len(trees) == 2 and (m.tendon_stiffness[i] or m.tendon_damping[i])):
            driven[trees] = True
    for i in range(m.nu):
        target = m.actuator_trnid[i, 0]
        kind = m.actuator_trntype[i]
        if kind == mjtTrn.mjTRN_TENDON:
            driven[tendon_trees(m, target)] = True
        else:
            holder = {mjtTrn.mjTRN_SITE: m.site_bodyid, mjtTrn.mjTRN_SLIDERCRANK: m.site_bodyid}.get(kind, m.jnt_bodyid)
            tree = m.body_treeid[target if kind == mjtTrn.mjTRN_BODY else holder[target]]
            if tree >= 0:
                driven[tree] = True
    bodies = np.concatenate([m.flex_vertbodyid, m.flex_nodebodyid])
    held = m.body_treeid[bodies[bodies >= 0]]  # vertices between nodes have none
    driven[held[held >= 0]] = True
    auto = m.tree_sleep_policy == mjtSleepPolicy.mjSLEEP_AUTO
    m.tree_sleep_policy[auto & driven] = mjtSleepPolicy.mjSLEEP_AUTO_NEVER
    m.tree_sleep_policy[auto & ~driven] = mjtSleepPolicy.mjSLEEP_AUTO_ALLOWED
