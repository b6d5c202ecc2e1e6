"""Fields that grow: contacts, constraint rows and islands. Each tells how many of its rows are in use."""

from tumble.physics.state.fields.field import Field

CONTACT = (
    Field("contact_dist", "f8", ("maxcon",), "m", "distance of the surfaces; negative: they penetrate", used="ncon"),
    Field("contact_pos", "f8", ("maxcon", 3), "m", "midpoint between the surfaces", used="ncon"),
    Field(
        "contact_frame", "f8", ("maxcon", 9),
        "1", "axes by rows: normal from the first to the second geom, then two tangents", used="ncon",
    ),
    Field("contact_includemargin", "f8", ("maxcon",), "m", "it pushes when closer than this: margin - gap", used="ncon"),
    Field(
        "contact_friction", "f8", ("maxcon", 5),
        "1, 1, m, m, m", "friction coefficients: two sliding, torsional, two rolling", used="ncon",
    ),
    Field("contact_solref", "f8", ("maxcon", 2), "s, 1", "response along the normal", used="ncon"),
    Field(
        "contact_solreffriction", "f8", ("maxcon", 2),
        "s, 1", "response along the tangents; zeros: as the normal", used="ncon",
    ),
    Field("contact_solimp", "f8", ("maxcon", 5), "1, 1, m, 1, 1", "impedance", used="ncon"),
    Field("contact_mu", "f8", ("maxcon",), "1", "sliding friction of the regularized elliptic cone", used="ncon"),
    Field("contact_H", "f8", ("maxcon", 36), "1", "Hessian of the elliptic cone's cost, dim x dim numbers", used="ncon"),
    Field("contact_dim", "i4", ("maxcon",), "1", "dimensions of its force: 1, 3, 4 or 6", used="ncon"),
    Field("contact_geom", "i4", ("maxcon", 2), "1", "the two geoms; -1: a flex", used="ncon"),
    Field("contact_flex", "i4", ("maxcon", 2), "1", "the two flexes; -1: a geom", used="ncon"),
    Field("contact_elem", "i4", ("maxcon", 2), "1", "elements of the flexes; -1: none", used="ncon"),
    Field("contact_vert", "i4", ("maxcon", 2), "1", "vertices of the flexes; -1: none", used="ncon"),
    Field(
        "contact_exclude", "i4", ("maxcon",),
        "1", "0: it acts; else why not: 1 gap, 2 fused, 3 no dofs, 4 passive", used="ncon",
    ),
    Field("contact_efc_address", "i4", ("maxcon",), "1", "first of its rows; -1: none", used="ncon"),
)

ROW = (
    Field("efc_type", "i4", ("maxefc",), "1", "kind of constraint (mjtConstraint)", used="nefc"),
    Field("efc_id", "i4", ("maxefc",), "1", "equality, dof, joint, tendon or contact it belongs to", used="nefc"),
    Field("efc_J_rownnz", "i4", ("maxefc",), "1", "nonzeros in each row of the Jacobian", used="nefc"),
    Field("efc_J_rowadr", "i4", ("maxefc",), "1", "start of each row of the Jacobian", used="nefc"),
    Field("efc_J_rowsuper", "i4", ("maxefc",), "1", "rows that follow with the same pattern", used="nefc"),
    Field("efc_J_colind", "i4", ("maxJ",), "1", "dofs of the nonzeros of the Jacobian", used="nJ"),
    Field("efc_J", "f8", ("maxJ",), "1 or m", "Jacobian: from joint to constraint velocities, by rows", used="nJ"),
    Field("efc_pos", "f8", ("maxefc",), "m or rad", "violation, or distance from it", used="nefc"),
    Field("efc_margin", "f8", ("maxefc",), "m or rad", "the constraint acts when pos is below this", used="nefc"),
    Field("efc_frictionloss", "f8", ("maxefc",), "N or N m", "largest force of a friction row", used="nefc"),
    Field("efc_diagApprox", "f8", ("maxefc",), "1/kg or 1/(kg m^2)", "estimated diagonal of J M^-1 J'", used="nefc"),
    Field(
        "efc_KBIP", "f8", ("maxefc", 4),
        "1/s^2, 1/s, 1, 1/m", "stiffness, damping, impedance, slope of the impedance", used="nefc",
    ),
    Field("efc_D", "f8", ("maxefc",), "kg or kg m^2", "1/R", used="nefc"),
    Field("efc_R", "f8", ("maxefc",), "1/kg or 1/(kg m^2)", "regularization: compliance of the row", used="nefc"),
    Field("tendon_efcadr", "i4", ("ntendon",), "1", "first friction or limit row of each tendon; -1: none"),
    Field("efc_vel", "f8", ("maxefc",), "m/s or rad/s", "velocity J qvel", used="nefc"),
    Field("efc_aref", "f8", ("maxefc",), "m/s^2 or rad/s^2", "acceleration that the constraint asks for", used="nefc"),
    Field("efc_b", "f8", ("maxefc",), "m/s^2 or rad/s^2", "J qacc_smooth - aref", used="nefc"),
    Field("efc_state", "i4", ("maxefc",), "1", "where on its cost each row is (mjtConstraintState)", used="nefc"),
    Field("efc_force", "f8", ("maxefc",), "N or N m", "force", used="nefc"),
)

DUAL = (
    Field("efc_AR_rownnz", "i4", ("maxefc",), "1", "nonzeros in each row of efc_AR", used="nefc"),
    Field("efc_AR_rowadr", "i4", ("maxefc",), "1", "start of each row of efc_AR", used="nefc"),
    Field("efc_AR_colind", "i4", ("maxA",), "1", "columns of the nonzeros of efc_AR", used="nA"),
    Field("efc_AR", "f8", ("maxA",), "1/kg or 1/(kg m^2)", "J M^-1 J' + R", used="nA"),
)

ISLAND = (
    Field("tree_island", "i4", ("ntree",), "1", "island of each tree; -1: none"),
    Field("island_ntree", "i4", ("maxisland",), "1", "trees of each island", used="nisland"),
    Field("island_itreeadr", "i4", ("maxisland",), "1", "first tree of each island in the order of islands", used="nisland"),
    Field("map_itree2tree", "i4", ("ntree",), "1", "tree at each place in the order of islands"),
    Field("dof_island", "i4", ("nv",), "1", "island of each dof; -1: none"),
    Field("island_nv", "i4", ("maxisland",), "1", "dofs of each island", used="nisland"),
    Field("island_idofadr", "i4", ("maxisland",), "1", "first dof of each island in the order of islands", used="nisland"),
    Field("island_dofadr", "i4", ("maxisland",), "1", "lowest dof of each island", used="nisland"),
    Field("map_dof2idof", "i4", ("nv",), "1", "place of each dof in the order of islands"),
    Field("map_idof2dof", "i4", ("nv",), "1", "dof at each place in the order of islands; those without one come last"),
    Field("ifrc_smooth", "f8", ("nv",), "N or N m", "qfrc_smooth in the order of islands", used="nidof"),
    Field("iacc_smooth", "f8", ("nv",), "m/s^2 or rad/s^2", "qacc_smooth in the order of islands", used="nidof"),
    Field("iM_rownnz", "i4", ("nv",), "1", "M_rownnz in the order of islands", used="nidof"),
    Field("iM_rowadr", "i4", ("nv",), "1", "M_rowadr in the order of islands", used="nidof"),
    Field("iM_colind", "i4", ("nC",), "1", "M_colind in the order of islands"),
    Field("iM", "f8", ("nC",), "kg or kg m^2", "M in the order of islands"),
    Field("iLD", "f8", ("nC",), "kg or kg m^2", "qLD in the order of islands"),
    Field("iLDiagInv", "f8", ("nv",), "1/kg or 1/(kg m^2)", "qLDiagInv in the order of islands", used="nidof"),
    Field("iacc", "f8", ("nv",), "m/s^2 or rad/s^2", "qacc in the order of islands", used="nidof"),
    Field("efc_island", "i4", ("maxefc",), "1", "island of each row", used="nefc"),
    Field("island_ne", "i4", ("maxisland",), "1", "equality rows of each island", used="nisland"),
    Field("island_nf", "i4", ("maxisland",), "1", "friction rows of each island", used="nisland"),
    Field("island_nefc", "i4", ("maxisland",), "1", "rows of each island", used="nisland"),
    Field("island_iefcadr", "i4", ("maxisland",), "1", "first row of each island in the order of islands", used="nisland"),
    Field("map_efc2iefc", "i4", ("maxefc",), "1", "place of each row in the order of islands", used="nefc"),
    Field("map_iefc2efc", "i4", ("maxefc",), "1", "row at each place in the order of islands", used="nefc"),
    Field("iefc_type", "i4", ("maxefc",), "1", "efc_type in the order of islands", used="nefc"),
    Field("iefc_id", "i4", ("maxefc",), "1", "efc_id in the order of islands", used="nefc"),
    Field("iefc_J_rownnz", "i4", ("maxefc",), "1", "nonzeros in each row of iefc_J", used="nefc"),
    Field("iefc_J_rowadr", "i4", ("maxefc",), "1", "start of each row of iefc_J", used="nefc"),
    Field("iefc_J_rowsuper", "i4", ("maxefc",), "1", "rows of iefc_J that follow with the same pattern", used="nefc"),
    Field("iefc_J_colind", "i4", ("maxJ",), "1", "dofs of the nonzeros of iefc_J, in the order of islands", used="nJ"),
    Field("iefc_J", "f8", ("maxJ",), "1 or m", "efc_J in the order of islands", used="nJ"),
    Field("iefc_frictionloss", "f8", ("maxefc",), "N or N m", "efc_frictionloss in the order of islands", used="nefc"),
    Field("iefc_D", "f8", ("maxefc",), "kg or kg m^2", "efc_D in the order of islands", used="nefc"),
    Field("iefc_R", "f8", ("maxefc",), "1/kg or 1/(kg m^2)", "efc_R in the order of islands", used="nefc"),
    Field("iefc_aref", "f8", ("maxefc",), "m/s^2 or rad/s^2", "efc_aref in the order of islands", used="nefc"),
    Field("iefc_state", "i4", ("maxefc",), "1", "efc_state in the order of islands", used="nefc"),
    Field("iefc_force", "f8", ("maxefc",), "N or N m", "efc_force in the order of islands", used="nefc"),
    Field("ifrc_constraint", "f8", ("nv",), "N or N m", "qfrc_constraint in the order of islands", used="nidof"),
)


SLEEP = (
    Field("awake_nrun", "i8", (), "1", "runs of neighbouring trees that are awake"),
    Field("awake_tree", "i4", ("ntree", 2), "1", "first tree of each such run, and the one after its last"),
    Field("awake_dof", "i4", ("ntree", 2), "1", "first dof of each such run, and the one after its last"),
    Field("awake_joint", "i4", ("ntree", 2), "1", "first joint of each such run, and the one after its last"),
    Field("body_stirs", "i4", ("nbody",), "1", "1: its contacts wake: it is awake and can move, or moves with a mocap body"),
    Field("sleep_leader", "i4", ("ntree",), "1", "of a sleeping tree: the lowest of those it fell asleep with"),
    Field("static_ready", "i8", (), "1", "1: the poses of what cannot move are computed, so that sleep may skip them"),
    Field("sleep_qpos", "f8", ("nq",), "m or rad", "position in which each sleeping tree fell asleep"),
    Field("sleep_mocap", "f8", ("nmocap", 7), "m and 1", "pose of each mocap body at the last step"),
)
