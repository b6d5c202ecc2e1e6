"""Declarations of physics/state/fields/growing.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer

class ContactFields:
    """`CONTACT` of the table."""

    contact_dist: Array[np.float64]
    """distance of the surfaces; negative: they penetrate [m], shape (maxcon,), ncon rows in use"""
    contact_pos: Array[np.float64]
    """midpoint between the surfaces [m], shape (maxcon, 3), ncon rows in use"""
    contact_frame: Array[np.float64]
    """axes by rows: normal from the first to the second geom, then two tangents [1], shape (maxcon, 9), ncon rows in use"""
    contact_includemargin: Array[np.float64]
    """it pushes when closer than this: margin - gap [m], shape (maxcon,), ncon rows in use"""
    contact_friction: Array[np.float64]
    """friction coefficients: two sliding, torsional, two rolling [1, 1, m, m, m], shape (maxcon, 5), ncon rows in use"""
    contact_solref: Array[np.float64]
    """response along the normal [s, 1], shape (maxcon, 2), ncon rows in use"""
    contact_solreffriction: Array[np.float64]
    """response along the tangents; zeros: as the normal [s, 1], shape (maxcon, 2), ncon rows in use"""
    contact_solimp: Array[np.float64]
    """impedance [1, 1, m, 1, 1], shape (maxcon, 5), ncon rows in use"""
    contact_mu: Array[np.float64]
    """sliding friction of the regularized elliptic cone [1], shape (maxcon,), ncon rows in use"""
    contact_H: Array[np.float64]
    """Hessian of the elliptic cone's cost, dim x dim numbers [1], shape (maxcon, 36), ncon rows in use"""
    contact_dim: Array[np.int32]
    """dimensions of its force: 1, 3, 4 or 6 [1], shape (maxcon,), ncon rows in use"""
    contact_geom: Array[np.int32]
    """the two geoms; -1: a flex [1], shape (maxcon, 2), ncon rows in use"""
    contact_flex: Array[np.int32]
    """the two flexes; -1: a geom [1], shape (maxcon, 2), ncon rows in use"""
    contact_elem: Array[np.int32]
    """elements of the flexes; -1: none [1], shape (maxcon, 2), ncon rows in use"""
    contact_vert: Array[np.int32]
    """vertices of the flexes; -1: none [1], shape (maxcon, 2), ncon rows in use"""
    contact_exclude: Array[np.int32]
    """0: it acts; else why not: 1 gap, 2 fused, 3 no dofs, 4 passive [1], shape (maxcon,), ncon rows in use"""
    contact_efc_address: Array[np.int32]
    """first of its rows; -1: none [1], shape (maxcon,), ncon rows in use"""

class RowFields:
    """`ROW` of the table."""

    efc_type: Array[np.int32]
    """kind of constraint (mjtConstraint) [1], shape (maxefc,), nefc rows in use"""
    efc_id: Array[np.int32]
    """equality, dof, joint, tendon or contact it belongs to [1], shape (maxefc,), nefc rows in use"""
    efc_J_rownnz: Array[np.int32]
    """nonzeros in each row of the Jacobian [1], shape (maxefc,), nefc rows in use"""
    efc_J_rowadr: Array[np.int32]
    """start of each row of the Jacobian [1], shape (maxefc,), nefc rows in use"""
    efc_J_rowsuper: Array[np.int32]
    """rows that follow with the same pattern [1], shape (maxefc,), nefc rows in use"""
    efc_J_colind: Array[np.int32]
    """dofs of the nonzeros of the Jacobian [1], shape (maxJ,), nJ rows in use"""
    efc_J: Array[np.float64]
    """Jacobian: from joint to constraint velocities, by rows [1 or m], shape (maxJ,), nJ rows in use"""
    efc_pos: Array[np.float64]
    """violation, or distance from it [m or rad], shape (maxefc,), nefc rows in use"""
    efc_margin: Array[np.float64]
    """the constraint acts when pos is below this [m or rad], shape (maxefc,), nefc rows in use"""
    efc_frictionloss: Array[np.float64]
    """largest force of a friction row [N or N m], shape (maxefc,), nefc rows in use"""
    efc_diagApprox: Array[np.float64]
    """estimated diagonal of J M^-1 J' [1/kg or 1/(kg m^2)], shape (maxefc,), nefc rows in use"""
    efc_KBIP: Array[np.float64]
    """stiffness, damping, impedance, slope of the impedance [1/s^2, 1/s, 1, 1/m], shape (maxefc, 4), nefc rows in use"""
    efc_D: Array[np.float64]
    """1/R [kg or kg m^2], shape (maxefc,), nefc rows in use"""
    efc_R: Array[np.float64]
    """regularization: compliance of the row [1/kg or 1/(kg m^2)], shape (maxefc,), nefc rows in use"""
    tendon_efcadr: Array[np.int32]
    """first friction or limit row of each tendon; -1: none [1], shape (ntendon,)"""
    efc_vel: Array[np.float64]
    """velocity J qvel [m/s or rad/s], shape (maxefc,), nefc rows in use"""
    efc_aref: Array[np.float64]
    """acceleration that the constraint asks for [m/s^2 or rad/s^2], shape (maxefc,), nefc rows in use"""
    efc_b: Array[np.float64]
    """J qacc_smooth - aref [m/s^2 or rad/s^2], shape (maxefc,), nefc rows in use"""
    efc_state: Array[np.int32]
    """where on its cost each row is (mjtConstraintState) [1], shape (maxefc,), nefc rows in use"""
    efc_force: Array[np.float64]
    """force [N or N m], shape (maxefc,), nefc rows in use"""

class DualFields:
    """`DUAL` of the table."""

    efc_AR_rownnz: Array[np.int32]
    """nonzeros in each row of efc_AR [1], shape (maxefc,), nefc rows in use"""
    efc_AR_rowadr: Array[np.int32]
    """start of each row of efc_AR [1], shape (maxefc,), nefc rows in use"""
    efc_AR_colind: Array[np.int32]
    """columns of the nonzeros of efc_AR [1], shape (maxA,), nA rows in use"""
    efc_AR: Array[np.float64]
    """J M^-1 J' + R [1/kg or 1/(kg m^2)], shape (maxA,), nA rows in use"""

class IslandFields:
    """`ISLAND` of the table."""

    tree_island: Array[np.int32]
    """island of each tree; -1: none [1], shape (ntree,)"""
    island_ntree: Array[np.int32]
    """trees of each island [1], shape (maxisland,), nisland rows in use"""
    island_itreeadr: Array[np.int32]
    """first tree of each island in the order of islands [1], shape (maxisland,), nisland rows in use"""
    map_itree2tree: Array[np.int32]
    """tree at each place in the order of islands [1], shape (ntree,)"""
    dof_island: Array[np.int32]
    """island of each dof; -1: none [1], shape (nv,)"""
    island_nv: Array[np.int32]
    """dofs of each island [1], shape (maxisland,), nisland rows in use"""
    island_idofadr: Array[np.int32]
    """first dof of each island in the order of islands [1], shape (maxisland,), nisland rows in use"""
    island_dofadr: Array[np.int32]
    """lowest dof of each island [1], shape (maxisland,), nisland rows in use"""
    map_dof2idof: Array[np.int32]
    """place of each dof in the order of islands [1], shape (nv,)"""
    map_idof2dof: Array[np.int32]
    """dof at each place in the order of islands; those without one come last [1], shape (nv,)"""
    ifrc_smooth: Array[np.float64]
    """qfrc_smooth in the order of islands [N or N m], shape (nv,), nidof rows in use"""
    iacc_smooth: Array[np.float64]
    """qacc_smooth in the order of islands [m/s^2 or rad/s^2], shape (nv,), nidof rows in use"""
    iM_rownnz: Array[np.int32]
    """M_rownnz in the order of islands [1], shape (nv,), nidof rows in use"""
    iM_rowadr: Array[np.int32]
    """M_rowadr in the order of islands [1], shape (nv,), nidof rows in use"""
    iM_colind: Array[np.int32]
    """M_colind in the order of islands [1], shape (nC,)"""
    iM: Array[np.float64]
    """M in the order of islands [kg or kg m^2], shape (nC,)"""
    iLD: Array[np.float64]
    """qLD in the order of islands [kg or kg m^2], shape (nC,)"""
    iLDiagInv: Array[np.float64]
    """qLDiagInv in the order of islands [1/kg or 1/(kg m^2)], shape (nv,), nidof rows in use"""
    iacc: Array[np.float64]
    """qacc in the order of islands [m/s^2 or rad/s^2], shape (nv,), nidof rows in use"""
    efc_island: Array[np.int32]
    """island of each row [1], shape (maxefc,), nefc rows in use"""
    island_ne: Array[np.int32]
    """equality rows of each island [1], shape (maxisland,), nisland rows in use"""
    island_nf: Array[np.int32]
    """friction rows of each island [1], shape (maxisland,), nisland rows in use"""
    island_nefc: Array[np.int32]
    """rows of each island [1], shape (maxisland,), nisland rows in use"""
    island_iefcadr: Array[np.int32]
    """first row of each island in the order of islands [1], shape (maxisland,), nisland rows in use"""
    map_efc2iefc: Array[np.int32]
    """place of each row in the order of islands [1], shape (maxefc,), nefc rows in use"""
    map_iefc2efc: Array[np.int32]
    """row at each place in the order of islands [1], shape (maxefc,), nefc rows in use"""
    iefc_type: Array[np.int32]
    """efc_type in the order of islands [1], shape (maxefc,), nefc rows in use"""
    iefc_id: Array[np.int32]
    """efc_id in the order of islands [1], shape (maxefc,), nefc rows in use"""
    iefc_J_rownnz: Array[np.int32]
    """nonzeros in each row of iefc_J [1], shape (maxefc,), nefc rows in use"""
    iefc_J_rowadr: Array[np.int32]
    """start of each row of iefc_J [1], shape (maxefc,), nefc rows in use"""
    iefc_J_rowsuper: Array[np.int32]
    """rows of iefc_J that follow with the same pattern [1], shape (maxefc,), nefc rows in use"""
    iefc_J_colind: Array[np.int32]
    """dofs of the nonzeros of iefc_J, in the order of islands [1], shape (maxJ,), nJ rows in use"""
    iefc_J: Array[np.float64]
    """efc_J in the order of islands [1 or m], shape (maxJ,), nJ rows in use"""
    iefc_frictionloss: Array[np.float64]
    """efc_frictionloss in the order of islands [N or N m], shape (maxefc,), nefc rows in use"""
    iefc_D: Array[np.float64]
    """efc_D in the order of islands [kg or kg m^2], shape (maxefc,), nefc rows in use"""
    iefc_R: Array[np.float64]
    """efc_R in the order of islands [1/kg or 1/(kg m^2)], shape (maxefc,), nefc rows in use"""
    iefc_aref: Array[np.float64]
    """efc_aref in the order of islands [m/s^2 or rad/s^2], shape (maxefc,), nefc rows in use"""
    iefc_state: Array[np.int32]
    """efc_state in the order of islands [1], shape (maxefc,), nefc rows in use"""
    iefc_force: Array[np.float64]
    """efc_force in the order of islands [N or N m], shape (maxefc,), nefc rows in use"""
    ifrc_constraint: Array[np.float64]
    """qfrc_constraint in the order of islands [N or N m], shape (nv,), nidof rows in use"""

class SleepFields:
    """`SLEEP` of the table."""

    awake_nrun: Integer
    """runs of neighbouring trees that are awake [1]"""
    awake_tree: Array[np.int32]
    """first tree of each such run, and the one after its last [1], shape (ntree, 2)"""
    awake_dof: Array[np.int32]
    """first dof of each such run, and the one after its last [1], shape (ntree, 2)"""
    awake_joint: Array[np.int32]
    """first joint of each such run, and the one after its last [1], shape (ntree, 2)"""
    body_stirs: Array[np.int32]
    """1: its contacts wake: it is awake and can move, or moves with a mocap body [1], shape (nbody,)"""
    sleep_leader: Array[np.int32]
    """of a sleeping tree: the lowest of those it fell asleep with [1], shape (ntree,)"""
    static_ready: Integer
    """1: the poses of what cannot move are computed, so that sleep may skip them [1]"""
    sleep_qpos: Array[np.float64]
    """position in which each sleeping tree fell asleep [m or rad], shape (nq,)"""
    sleep_mocap: Array[np.float64]
    """pose of each mocap body at the last step [m and 1], shape (nmocap, 7)"""
