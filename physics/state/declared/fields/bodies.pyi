"""Declarations of physics/state/fields/bodies.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array

class BodyFields:
    """`BODY` of the table."""

    qpos0: Array[np.float64]
    """the pose of the model file: every joint's zero [m or rad], shape (nq,)"""
    qpos_spring: Array[np.float64]
    """pose at which joint springs are at rest [m or rad], shape (nq,)"""
    body_parentid: Array[np.int32]
    """parent body; 0 for the world itself [1], shape (nbody,)"""
    body_rootid: Array[np.int32]
    """topmost body of the branch, a child of the world [1], shape (nbody,)"""
    body_weldid: Array[np.int32]
    """nearest ancestor with a joint, or itself: all that moves as one with it [1], shape (nbody,)"""
    body_mocapid: Array[np.int32]
    """row in mocap_pos and mocap_quat; -1: not moved by the user [1], shape (nbody,)"""
    body_jntnum: Array[np.int32]
    """joints of the body [1], shape (nbody,)"""
    body_jntadr: Array[np.int32]
    """first joint; -1: none [1], shape (nbody,)"""
    body_dofnum: Array[np.int32]
    """dofs of the body [1], shape (nbody,)"""
    body_dofadr: Array[np.int32]
    """first dof; -1: none [1], shape (nbody,)"""
    body_treeid: Array[np.int32]
    """kinematic tree; -1: cannot move [1], shape (nbody,)"""
    body_geomnum: Array[np.int32]
    """geoms of the body [1], shape (nbody,)"""
    body_geomadr: Array[np.int32]
    """first geom; -1: none [1], shape (nbody,)"""
    body_simple: Array[np.uint8]
    """1: its block of the inertia matrix is diagonal; 2: and its joints are all sliders [1], shape (nbody,)"""
    body_sameframe: Array[np.uint8]
    """how the inertial frame relates to the body frame (mjtSameFrame) [1], shape (nbody,)"""
    body_pos: Array[np.float64]
    """position in the parent's frame [m], shape (nbody, 3)"""
    body_quat: Array[np.float64]
    """orientation in the parent's frame [1], shape (nbody, 4)"""
    body_ipos: Array[np.float64]
    """centre of mass in the body frame [m], shape (nbody, 3)"""
    body_iquat: Array[np.float64]
    """principal axes of inertia in the body frame [1], shape (nbody, 4)"""
    body_mass: Array[np.float64]
    """mass [kg], shape (nbody,)"""
    body_subtreemass: Array[np.float64]
    """mass of the body and all its descendants [kg], shape (nbody,)"""
    body_inertia: Array[np.float64]
    """principal moments of inertia [kg m^2], shape (nbody, 3)"""
    body_invweight0: Array[np.float64]
    """mean inverse inertia at qpos0, for forces and for torques [1/kg, 1/(kg m^2)], shape (nbody, 2)"""
    body_gravcomp: Array[np.float64]
    """part of the weight that is carried for free; 1 floats [1], shape (nbody,)"""
    body_margin: Array[np.float64]
    """largest margin of the body's geoms [m], shape (nbody,)"""
    body_user: Array[np.float64]
    """user numbers [1], shape (nbody, nuser_body)"""
    body_plugin: Array[np.int32]
    """plugin instance; -1: none [1], shape (nbody,)"""
    body_contype: Array[np.int32]
    """contype bits of all its geoms together [1], shape (nbody,)"""
    body_conaffinity: Array[np.int32]
    """conaffinity bits of all its geoms together [1], shape (nbody,)"""
    body_bvhadr: Array[np.int32]
    """root of its bounding volume hierarchy; -1: none [1], shape (nbody,)"""
    body_bvhnum: Array[np.int32]
    """bounding volumes of its hierarchy [1], shape (nbody,)"""

class JointFields:
    """`JOINT` of the table."""

    jnt_type: Array[np.int32]
    """kind of joint (mjtJoint) [1], shape (njnt,)"""
    jnt_qposadr: Array[np.int32]
    """first coordinate in qpos [1], shape (njnt,)"""
    jnt_dofadr: Array[np.int32]
    """first dof in qvel [1], shape (njnt,)"""
    jnt_bodyid: Array[np.int32]
    """body it moves [1], shape (njnt,)"""
    jnt_group: Array[np.int32]
    """group it is shown with [1], shape (njnt,)"""
    jnt_limited: Array[np.uint8]
    """whether range is enforced [1], shape (njnt,)"""
    jnt_actfrclimited: Array[np.uint8]
    """whether the sum of actuator forces is clamped to actfrcrange [1], shape (njnt,)"""
    jnt_actgravcomp: Array[np.uint8]
    """whether gravity compensation counts as an actuator force [1], shape (njnt,)"""
    jnt_solref: Array[np.float64]
    """response of the limit: time constant and damping ratio, or -stiffness and -damping [s, 1], shape (njnt, 2)"""
    jnt_solimp: Array[np.float64]
    """impedance of the limit: d0, dwidth, width, midpoint, power [1, 1, m or rad, 1, 1], shape (njnt, 5)"""
    jnt_pos: Array[np.float64]
    """anchor in the body frame [m], shape (njnt, 3)"""
    jnt_axis: Array[np.float64]
    """axis in the body frame [1], shape (njnt, 3)"""
    jnt_stiffness: Array[np.float64]
    """spring constant [N/m or N m/rad], shape (njnt,)"""
    jnt_range: Array[np.float64]
    """limits; for a ball joint 0 and the largest angle [m or rad], shape (njnt, 2)"""
    jnt_actfrcrange: Array[np.float64]
    """limits of the sum of actuator forces [N or N m], shape (njnt, 2)"""
    jnt_margin: Array[np.float64]
    """distance from the limit at which its constraint appears [m or rad], shape (njnt,)"""
    jnt_user: Array[np.float64]
    """user numbers [1], shape (njnt, nuser_jnt)"""

class DofFields:
    """`DOF` of the table."""

    dof_bodyid: Array[np.int32]
    """body it moves [1], shape (nv,)"""
    dof_jntid: Array[np.int32]
    """joint it belongs to [1], shape (nv,)"""
    dof_parentid: Array[np.int32]
    """next dof on the way to the root; -1: none [1], shape (nv,)"""
    dof_treeid: Array[np.int32]
    """kinematic tree [1], shape (nv,)"""
    dof_Madr: Array[np.int32]
    """its diagonal element in qM [1], shape (nv,)"""
    dof_simplenum: Array[np.int32]
    """how many dofs from this one on have a diagonal inertia matrix [1], shape (nv,)"""
    dof_solref: Array[np.float64]
    """response of friction loss [s, 1], shape (nv, 2)"""
    dof_solimp: Array[np.float64]
    """impedance of friction loss [1, 1, m or rad, 1, 1], shape (nv, 5)"""
    dof_frictionloss: Array[np.float64]
    """dry friction [N or N m], shape (nv,)"""
    dof_armature: Array[np.float64]
    """inertia of the rotor, added to the diagonal of the inertia matrix [kg or kg m^2], shape (nv,)"""
    dof_damping: Array[np.float64]
    """viscous damping [N s/m or N m s/rad], shape (nv,)"""
    dof_invweight0: Array[np.float64]
    """diagonal of the inverse inertia matrix at qpos0 [1/kg or 1/(kg m^2)], shape (nv,)"""
    dof_M0: Array[np.float64]
    """diagonal of the inertia matrix at qpos0 [kg or kg m^2], shape (nv,)"""
    dof_length: Array[np.float64]
    """1 for a translation, a typical lever arm for a rotation: makes velocities comparable [m], shape (nv,)"""

class TreeFields:
    """`TREE` of the table."""

    tree_bodyadr: Array[np.int32]
    """first body [1], shape (ntree,)"""
    tree_bodynum: Array[np.int32]
    """bodies [1], shape (ntree,)"""
    tree_dofadr: Array[np.int32]
    """first dof [1], shape (ntree,)"""
    tree_dofnum: Array[np.int32]
    """dofs [1], shape (ntree,)"""
    tree_sleep_policy: Array[np.int32]
    """whether it may fall asleep (mjtSleepPolicy) [1], shape (ntree,)"""
