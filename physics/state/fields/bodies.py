"""Fields of bodies, joints, dofs and kinematic trees."""

from tumble.physics.state.fields.field import Field

BODY = (
    Field("qpos0", "f8", ("nq",), "m or rad", "the pose of the model file: every joint's zero"),
    Field("qpos_spring", "f8", ("nq",), "m or rad", "pose at which joint springs are at rest"),
    Field("body_parentid", "i4", ("nbody",), "1", "parent body; 0 for the world itself"),
    Field("body_rootid", "i4", ("nbody",), "1", "topmost body of the branch, a child of the world"),
    Field("body_weldid", "i4", ("nbody",), "1", "nearest ancestor with a joint, or itself: all that moves as one with it"),
    Field("body_mocapid", "i4", ("nbody",), "1", "row in mocap_pos and mocap_quat; -1: not moved by the user"),
    Field("body_jntnum", "i4", ("nbody",), "1", "joints of the body"),
    Field("body_jntadr", "i4", ("nbody",), "1", "first joint; -1: none"),
    Field("body_dofnum", "i4", ("nbody",), "1", "dofs of the body"),
    Field("body_dofadr", "i4", ("nbody",), "1", "first dof; -1: none"),
    Field("body_treeid", "i4", ("nbody",), "1", "kinematic tree; -1: cannot move"),
    Field("body_geomnum", "i4", ("nbody",), "1", "geoms of the body"),
    Field("body_geomadr", "i4", ("nbody",), "1", "first geom; -1: none"),
    Field(
        "body_simple", "u1", ("nbody",),
        "1", "1: its block of the inertia matrix is diagonal; 2: and its joints are all sliders",
    ),
    Field("body_sameframe", "u1", ("nbody",), "1", "how the inertial frame relates to the body frame (mjtSameFrame)", open=True),
    Field("body_pos", "f8", ("nbody", 3), "m", "position in the parent's frame"),
    Field("body_quat", "f8", ("nbody", 4), "1", "orientation in the parent's frame"),
    Field("body_ipos", "f8", ("nbody", 3), "m", "centre of mass in the body frame"),
    Field("body_iquat", "f8", ("nbody", 4), "1", "principal axes of inertia in the body frame"),
    Field("body_mass", "f8", ("nbody",), "kg", "mass"),
    Field("body_subtreemass", "f8", ("nbody",), "kg", "mass of the body and all its descendants"),
    Field("body_inertia", "f8", ("nbody", 3), "kg m^2", "principal moments of inertia"),
    Field("body_invweight0", "f8", ("nbody", 2), "1/kg, 1/(kg m^2)", "mean inverse inertia at qpos0, for forces and for torques"),
    Field("body_gravcomp", "f8", ("nbody",), "1", "part of the weight that is carried for free; 1 floats"),
    Field("body_margin", "f8", ("nbody",), "m", "largest margin of the body's geoms"),
    Field("body_user", "f8", ("nbody", "nuser_body"), "1", "user numbers"),
    Field("body_plugin", "i4", ("nbody",), "1", "plugin instance; -1: none"),
    Field("body_contype", "i4", ("nbody",), "1", "contype bits of all its geoms together", open=True),
    Field("body_conaffinity", "i4", ("nbody",), "1", "conaffinity bits of all its geoms together", open=True),
    Field("body_bvhadr", "i4", ("nbody",), "1", "root of its bounding volume hierarchy; -1: none"),
    Field("body_bvhnum", "i4", ("nbody",), "1", "bounding volumes of its hierarchy"),
)

JOINT = (
    Field("jnt_type", "i4", ("njnt",), "1", "kind of joint (mjtJoint)"),
    Field("jnt_qposadr", "i4", ("njnt",), "1", "first coordinate in qpos"),
    Field("jnt_dofadr", "i4", ("njnt",), "1", "first dof in qvel"),
    Field("jnt_bodyid", "i4", ("njnt",), "1", "body it moves"),
    Field("jnt_group", "i4", ("njnt",), "1", "group it is shown with", open=True),
    Field("jnt_limited", "u1", ("njnt",), "1", "whether range is enforced", open=True),
    Field("jnt_actfrclimited", "u1", ("njnt",), "1", "whether the sum of actuator forces is clamped to actfrcrange", open=True),
    Field("jnt_actgravcomp", "u1", ("njnt",), "1", "whether gravity compensation counts as an actuator force", open=True),
    Field(
        "jnt_solref", "f8", ("njnt", 2),
        "s, 1", "response of the limit: time constant and damping ratio, or -stiffness and -damping",
    ),
    Field("jnt_solimp", "f8", ("njnt", 5), "1, 1, m or rad, 1, 1", "impedance of the limit: d0, dwidth, width, midpoint, power"),
    Field("jnt_pos", "f8", ("njnt", 3), "m", "anchor in the body frame"),
    Field("jnt_axis", "f8", ("njnt", 3), "1", "axis in the body frame"),
    Field("jnt_stiffness", "f8", ("njnt",), "N/m or N m/rad", "spring constant"),
    Field("jnt_range", "f8", ("njnt", 2), "m or rad", "limits; for a ball joint 0 and the largest angle"),
    Field("jnt_actfrcrange", "f8", ("njnt", 2), "N or N m", "limits of the sum of actuator forces"),
    Field("jnt_margin", "f8", ("njnt",), "m or rad", "distance from the limit at which its constraint appears"),
    Field("jnt_user", "f8", ("njnt", "nuser_jnt"), "1", "user numbers"),
)

DOF = (
    Field("dof_bodyid", "i4", ("nv",), "1", "body it moves"),
    Field("dof_jntid", "i4", ("nv",), "1", "joint it belongs to"),
    Field("dof_parentid", "i4", ("nv",), "1", "next dof on the way to the root; -1: none"),
    Field("dof_treeid", "i4", ("nv",), "1", "kinematic tree"),
    Field("dof_Madr", "i4", ("nv",), "1", "its diagonal element in qM"),
    Field("dof_simplenum", "i4", ("nv",), "1", "how many dofs from this one on have a diagonal inertia matrix"),
    Field("dof_solref", "f8", ("nv", 2), "s, 1", "response of friction loss"),
    Field("dof_solimp", "f8", ("nv", 5), "1, 1, m or rad, 1, 1", "impedance of friction loss"),
    Field("dof_frictionloss", "f8", ("nv",), "N or N m", "dry friction"),
    Field("dof_armature", "f8", ("nv",), "kg or kg m^2", "inertia of the rotor, added to the diagonal of the inertia matrix"),
    Field("dof_damping", "f8", ("nv",), "N s/m or N m s/rad", "viscous damping"),
    Field("dof_invweight0", "f8", ("nv",), "1/kg or 1/(kg m^2)", "diagonal of the inverse inertia matrix at qpos0"),
    Field("dof_M0", "f8", ("nv",), "kg or kg m^2", "diagonal of the inertia matrix at qpos0"),
    Field(
        "dof_length", "f8", ("nv",),
        "m", "1 for a translation, a typical lever arm for a rotation: makes velocities comparable",
    ),
)

TREE = (
    Field("tree_bodyadr", "i4", ("ntree",), "1", "first body"),
    Field("tree_bodynum", "i4", ("ntree",), "1", "bodies"),
    Field("tree_dofadr", "i4", ("ntree",), "1", "first dof"),
    Field("tree_dofnum", "i4", ("ntree",), "1", "dofs"),
    Field("tree_sleep_policy", "i4", ("ntree",), "1", "whether it may fall asleep (mjtSleepPolicy)", open=True),
)
