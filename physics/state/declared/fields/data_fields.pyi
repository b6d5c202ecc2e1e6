"""Declarations of physics/state/fields/data_fields.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer, Real

class StatusFields:
    """`STATUS` of the table."""

    time: Real
    """simulated time [s]"""
    energy: Array[np.float64]
    """potential and kinetic energy [J], shape (2,)"""
    flg_energypos: Integer
    """whether energy[0] belongs to the present position [1]"""
    flg_energyvel: Integer
    """whether energy[1] belongs to the present velocity [1]"""
    flg_subtreevel: Integer
    """whether subtree_linvel and subtree_angmom are up to date [1]"""
    flg_rnepost: Integer
    """whether cacc, cfrc_int and cfrc_ext are up to date [1]"""
    warning_lastinfo: Array[np.int32]
    """what the latest warning of each kind was about: an index [1], shape (8,)"""
    warning_number: Array[np.int32]
    """how often each kind of warning (mjtWarning) was raised [1], shape (8,)"""
    timer_duration: Array[np.float64]
    """time spent in each part of the pipeline (mjtTimer) [s], shape (15,)"""
    timer_number: Array[np.int32]
    """how often each part of the pipeline ran [1], shape (15,)"""
    solver_niter: Array[np.int32]
    """solver iterations of each island [1], shape (20,)"""
    solver_nnz: Array[np.int32]
    """nonzeros of each island's Hessian or dual matrix [1], shape (20,)"""
    solver_fwdinv: Array[np.float64]
    """forward against inverse dynamics: joint and constraint force norms [N or N m], shape (2,)"""
    solverstat_improvement: Array[np.float64]
    """scaled cost reduction, 200 iterations for each of 20 islands [1], shape (4000,)"""
    solverstat_gradient: Array[np.float64]
    """scaled gradient norm (primal solvers) [1], shape (4000,)"""
    solverstat_lineslope: Array[np.float64]
    """slope left by the line search (primal solvers) [1], shape (4000,)"""
    solverstat_nactive: Array[np.int32]
    """rows in an active state [1], shape (4000,)"""
    solverstat_nchange: Array[np.int32]
    """rows that changed state [1], shape (4000,)"""
    solverstat_neval: Array[np.int32]
    """cost evaluations of the line search [1], shape (4000,)"""
    solverstat_nupdate: Array[np.int32]
    """rank-one updates of the Hessian's factor [1], shape (4000,)"""

class StateFields:
    """`STATE` of the table."""

    qpos: Array[np.float64]
    """positions; quaternions of ball and free joints take four numbers [m or rad], shape (nq,)"""
    qvel: Array[np.float64]
    """velocities [m/s or rad/s], shape (nv,)"""
    act: Array[np.float64]
    """activations of actuators [1], shape (na,)"""
    history: Array[np.float64]
    """past controls and readings, for delays [unit of the signal], shape (nhistory,)"""
    qacc_warmstart: Array[np.float64]
    """acceleration the solver starts from: that of the previous step [m/s^2 or rad/s^2], shape (nv,)"""
    plugin_state: Array[np.float64]
    """state of plugins [1], shape (npluginstate,)"""
    ctrl: Array[np.float64]
    """controls [unit of the actuator], shape (nu,)"""
    qfrc_applied: Array[np.float64]
    """generalized force set by the user [N or N m], shape (nv,)"""
    xfrc_applied: Array[np.float64]
    """force and torque on each body set by the user, at its centre of mass, in world axes [N, N m], shape (nbody, 6)"""
    eq_active: Array[np.uint8]
    """which equality constraints are active [1], shape (neq,)"""
    mocap_pos: Array[np.float64]
    """positions of the bodies moved by the user [m], shape (nmocap, 3)"""
    mocap_quat: Array[np.float64]
    """orientations of the bodies moved by the user [1], shape (nmocap, 4)"""
    qacc: Array[np.float64]
    """acceleration [m/s^2 or rad/s^2], shape (nv,)"""
    act_dot: Array[np.float64]
    """rate of the activations [1/s], shape (na,)"""
    userdata: Array[np.float64]
    """the user's numbers: not touched [1], shape (nuserdata,)"""
    sensordata: Array[np.float64]
    """readings of all sensors [unit of the sensor], shape (nsensordata,)"""
    tree_asleep: Array[np.int32]
    """negative: steps until it may sleep; else asleep, and the next tree of its cycle [1], shape (ntree,)"""

class ComputedFields:
    """`COMPUTED` of the table."""

    xpos: Array[np.float64]
    """position of each body frame in the world [m], shape (nbody, 3)"""
    xquat: Array[np.float64]
    """orientation of each body frame in the world [1], shape (nbody, 4)"""
    xmat: Array[np.float64]
    """orientation of each body frame in the world, a matrix by rows [1], shape (nbody, 9)"""
    xipos: Array[np.float64]
    """centre of mass of each body in the world [m], shape (nbody, 3)"""
    ximat: Array[np.float64]
    """principal axes of inertia of each body in the world [1], shape (nbody, 9)"""
    xanchor: Array[np.float64]
    """anchor of each joint in the world [m], shape (njnt, 3)"""
    xaxis: Array[np.float64]
    """axis of each joint in the world [1], shape (njnt, 3)"""
    geom_xpos: Array[np.float64]
    """position of each geom in the world [m], shape (ngeom, 3)"""
    geom_xmat: Array[np.float64]
    """orientation of each geom in the world [1], shape (ngeom, 9)"""
    site_xpos: Array[np.float64]
    """position of each site in the world [m], shape (nsite, 3)"""
    site_xmat: Array[np.float64]
    """orientation of each site in the world [1], shape (nsite, 9)"""
    cam_xpos: Array[np.float64]
    """position of each camera in the world [m], shape (ncam, 3)"""
    cam_xmat: Array[np.float64]
    """orientation of each camera in the world; it looks along its -z [1], shape (ncam, 9)"""
    light_xpos: Array[np.float64]
    """position of each light in the world [m], shape (nlight, 3)"""
    light_xdir: Array[np.float64]
    """direction of each light in the world [1], shape (nlight, 3)"""
    subtree_com: Array[np.float64]
    """centre of mass of each body with its descendants [m], shape (nbody, 3)"""
    cdof: Array[np.float64]
    """motion axis of each dof, rotation before translation, about its tree's centre of mass [1, m], shape (nv, 6)"""
    cinert: Array[np.float64]
    """inertia of each body about its tree's centre of mass, ten numbers [kg m^2, kg m, kg], shape (nbody, 10)"""
    flexvert_xpos: Array[np.float64]
    """flex vertices in the world [m], shape (nflexvert, 3)"""
    flexelem_aabb: Array[np.float64]
    """box around each flex element: centre, half sizes [m], shape (nflexelem, 6)"""
    flexedge_J: Array[np.float64]
    """Jacobian of edge lengths [1 or m], shape (nJfe,)"""
    flexedge_length: Array[np.float64]
    """edge lengths [m], shape (nflexedge,)"""
    flexvert_J: Array[np.float64]
    """Jacobian of vertex lengths [1 or m], shape (nJfv, 2)"""
    flexvert_length: Array[np.float64]
    """stretch of the shape around each vertex [1], shape (nflexvert, 2)"""
    bvh_aabb_dyn: Array[np.float64]
    """box of each dynamic bounding volume in the world: centre, half sizes [m], shape (nbvhdynamic, 6)"""
    ten_wrapadr: Array[np.int32]
    """first point of each tendon's path [1], shape (ntendon,)"""
    ten_wrapnum: Array[np.int32]
    """points of each tendon's path [1], shape (ntendon,)"""
    ten_J_rownnz: Array[np.int32]
    """nonzeros in each row of the tendon Jacobian [1], shape (ntendon,)"""
    ten_J_rowadr: Array[np.int32]
    """start of each row of the tendon Jacobian [1], shape (ntendon,)"""
    ten_J_colind: Array[np.int32]
    """dofs of the nonzeros of the tendon Jacobian [1], shape (ntendon, nv)"""
    ten_J: Array[np.float64]
    """Jacobian of tendon lengths [1 or m], shape (ntendon, nv)"""
    ten_length: Array[np.float64]
    """tendon lengths [m or rad], shape (ntendon,)"""
    wrap_obj: Array[np.int32]
    """what each path point lies on: a geom; -1: a site, -2: a pulley [1], shape (nwrap, 2)"""
    wrap_xpos: Array[np.float64]
    """path points in the world, two a path element [m], shape (nwrap, 6)"""
    actuator_length: Array[np.float64]
    """actuator lengths [m or rad], shape (nu,)"""
    moment_rownnz: Array[np.int32]
    """nonzeros in each row of actuator_moment [1], shape (nu,)"""
    moment_rowadr: Array[np.int32]
    """start of each row of actuator_moment [1], shape (nu,)"""
    moment_colind: Array[np.int32]
    """dofs of the nonzeros of actuator_moment [1], shape (nJmom,)"""
    actuator_moment: Array[np.float64]
    """Jacobian of actuator lengths: moment arms [1 or m], shape (nJmom,)"""
    crb: Array[np.float64]
    """inertia of each body with its descendants, about its tree's centre of mass [kg m^2, kg m, kg], shape (nbody, 10)"""
    qM: Array[np.float64]
    """inertia matrix in the older layout: from each dof up its ancestors [kg or kg m^2], shape (nM,)"""
    M: Array[np.float64]
    """inertia matrix: lower triangle, by rows [kg or kg m^2], shape (nC,)"""
    qLD: Array[np.float64]
    """factor of the inertia matrix, L'DL: L below, D on the diagonal [kg or kg m^2], shape (nC,)"""
    qLDiagInv: Array[np.float64]
    """1/D of that factor [1/kg or 1/(kg m^2)], shape (nv,)"""
    bvh_active: Array[np.uint8]
    """which bounding volumes were tested in collision [1], shape (nbvh,)"""
    tree_awake: Array[np.int32]
    """whether each tree is awake [1], shape (ntree,)"""
    body_awake: Array[np.int32]
    """whether each body is static, asleep or awake (mjtSleepState) [1], shape (nbody,)"""
    body_awake_ind: Array[np.int32]
    """bodies that are awake or static [1], shape (nbody,)"""
    parent_awake_ind: Array[np.int32]
    """bodies whose parent is awake or static [1], shape (nbody,)"""
    dof_awake_ind: Array[np.int32]
    """dofs that are awake [1], shape (nv,)"""
    flexedge_velocity: Array[np.float64]
    """rate of edge lengths [m/s], shape (nflexedge,)"""
    ten_velocity: Array[np.float64]
    """rate of tendon lengths [m/s or rad/s], shape (ntendon,)"""
    actuator_velocity: Array[np.float64]
    """rate of actuator lengths [m/s or rad/s], shape (nu,)"""
    cvel: Array[np.float64]
    """velocity of each body, rotation before translation, about its tree's centre of mass [rad/s, m/s], shape (nbody, 6)"""
    cdof_dot: Array[np.float64]
    """rate of cdof [1/s, m/s], shape (nv, 6)"""
    qfrc_bias: Array[np.float64]
    """Coriolis, centrifugal and gravitational forces [N or N m], shape (nv,)"""
    qfrc_spring: Array[np.float64]
    """forces of springs [N or N m], shape (nv,)"""
    qfrc_damper: Array[np.float64]
    """forces of dampers [N or N m], shape (nv,)"""
    qfrc_gravcomp: Array[np.float64]
    """forces of gravity compensation [N or N m], shape (nv,)"""
    qfrc_fluid: Array[np.float64]
    """forces of the medium [N or N m], shape (nv,)"""
    qfrc_passive: Array[np.float64]
    """all passive forces together [N or N m], shape (nv,)"""
    subtree_linvel: Array[np.float64]
    """velocity of each subtree's centre of mass [m/s], shape (nbody, 3)"""
    subtree_angmom: Array[np.float64]
    """angular momentum of each subtree about its centre of mass [kg m^2/s], shape (nbody, 3)"""
    qH: Array[np.float64]
    """factor of the inertia matrix as the integrator modified it [kg or kg m^2], shape (nC,)"""
    qHDiagInv: Array[np.float64]
    """1/D of that factor [1/kg or 1/(kg m^2)], shape (nv,)"""
    qDeriv: Array[np.float64]
    """derivative of smooth forces by velocity, in the square pattern [N s/m or N m s], shape (nD,)"""
    qLU: Array[np.float64]
    """LU factor of the implicit integrator's matrix [kg or kg m^2], shape (nD,)"""
    actuator_force: Array[np.float64]
    """force of each actuator along its length [N or N m], shape (nu,)"""
    qfrc_actuator: Array[np.float64]
    """forces of all actuators on the dofs [N or N m], shape (nv,)"""
    qfrc_smooth: Array[np.float64]
    """all forces but those of constraints [N or N m], shape (nv,)"""
    qacc_smooth: Array[np.float64]
    """acceleration without constraints [m/s^2 or rad/s^2], shape (nv,)"""
    qfrc_constraint: Array[np.float64]
    """forces of constraints [N or N m], shape (nv,)"""
    qfrc_inverse: Array[np.float64]
    """inverse dynamics: the applied force that makes qacc what it is [N or N m], shape (nv,)"""
    cacc: Array[np.float64]
    """acceleration of each body, rotation before translation, gravity as an acceleration of the world [rad/s^2, m/s^2], shape
    (nbody, 6)"""
    cfrc_int: Array[np.float64]
    """torque and force from the parent on each body, about its tree's centre of mass [N m, N], shape (nbody, 6)"""
    cfrc_ext: Array[np.float64]
    """external torque and force on each body, about its tree's centre of mass [N m, N], shape (nbody, 6)"""
