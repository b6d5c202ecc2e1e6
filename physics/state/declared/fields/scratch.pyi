"""Declarations of physics/state/fields/scratch.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer, Real

class ScratchFields:
    """`SCRATCH` of the table."""

    work_acc: Array[np.float64]
    """spatial accelerations, while forces are computed [m/s^2 or rad/s^2], shape (nbody, 6)"""
    work_frc: Array[np.float64]
    """spatial forces, while they are summed towards the root [N or N m], shape (nbody, 6)"""
    work_dof: Array[np.float64]
    """a vector over dofs [], shape (nv,)"""
    work_node: Array[np.float64]
    """flexes: nodes in the world [m], shape (nflexnode, 3)"""
    node_shift: Array[np.float64]
    """flexes: displacement of each node, in the flex's frame [m], shape (nflexnode, 3)"""
    node_rate: Array[np.float64]
    """flexes: velocity of each node [m/s], shape (nflexnode, 3)"""
    node_force: Array[np.float64]
    """flexes: elastic force on each node [N], shape (nflexnode, 3)"""
    node_drag: Array[np.float64]
    """flexes: force of damping on each node [N], shape (nflexnode, 3)"""
    flex_turn: Array[np.float64]
    """implicit step of flexes: rotation of each that is interpolated [1], shape (nflex, 9)"""
    flex_rest: Array[np.float64]
    """implicit step of flexes: what is left of the right side [N or N m], shape (nv,)"""
    flex_near: Array[np.float64]
    """implicit step of flexes: the same, preconditioned [m/s^2 or rad/s^2], shape (nv,)"""
    flex_step: Array[np.float64]
    """implicit step of flexes: search direction [m/s^2 or rad/s^2], shape (nv,)"""
    flex_image: Array[np.float64]
    """implicit step of flexes: the matrix times the search direction [N or N m], shape (nv,)"""
    flex_rate: Array[np.float64]
    """flexes: velocity of each vertex [m/s], shape (nflexvert, 3)"""
    flex_force: Array[np.float64]
    """flexes: elastic force on each vertex [N], shape (nflexvert, 3)"""
    flex_drag: Array[np.float64]
    """flexes: force of damping on each vertex [N], shape (nflexvert, 3)"""
    flex_strain: Array[np.float64]
    """flexes: change of each edge's squared length, with its damping [m^2], shape (nflexedge,)"""
    flex_pull: Array[np.float64]
    """flexes: pull along each edge for each unit of its length [N/m], shape (nflexedge,)"""
    body_slope: Array[np.float64]
    """derivatives: wrench on each body by its velocity, about its tree's centre [], shape (nbody, 6, 6)"""
    local_slope: Array[np.float64]
    """derivatives: the same of one body, about a point of it and along its axes [], shape (6, 6)"""
    body_gyro: Array[np.float64]
    """derivatives: gyroscopic forces on each body, see dynamics/derivative/rne.py [], shape (nbody, 12)"""
    dof_rate: Array[np.float64]
    """derivatives: bodies' accelerations by each dof's velocity, see rne.py there [], shape (nv, 6)"""
    hit_geom1: Integer
    """narrow phase: first geom of the pair [1]"""
    hit_geom2: Integer
    """narrow phase: second geom of the pair [1]"""
    hit_margin: Real
    """narrow phase: points farther apart than this are not wanted [m]"""
    hit_num: Integer
    """narrow phase: points found [1]"""
    hit_dist: Array[np.float64]
    """narrow phase: signed distance of each point [m], shape (50,)"""
    hit_pos: Array[np.float64]
    """narrow phase: the points [m], shape (50, 3)"""
    hit_frame: Array[np.float64]
    """narrow phase: normals from geom1 to geom2, and wanted tangents or zero [1], shape (50, 6)"""
    hit_side: Array[np.int32]
    """flexes: geom, flex, element, vertex on each side of the contacts to come; -1: none [1], shape (2, 4)"""
    hit_found: Integer
    """flexes: contacts found so far, stored or not [1]"""
    hit_body: Integer
    """flexes: the body whose geoms come next [1]"""
    hit_bodyend: Integer
    """flexes: the body to stop before [1]"""
    hit_work: Array[np.float64]
    """narrow phase: vectors that loops index [], shape (32, 3)"""
    ccd_start: Array[np.int64]
    """convex narrow phase: corner of each geom that was found last; -1: none, or it is round [1], shape (2,)"""
    ccd_skin: Array[np.float64]
    """convex narrow phase: thickness that is added around each geom [m], shape (2,)"""
    ccd_shift: Array[np.float64]
    """convex narrow phase: how far geom2 is moved from its place [m], shape (3,)"""
    ccd_exact: Integer
    """convex narrow phase: 1 if both geoms, as they are, are hulls of finitely many points [1]"""
    ccd_sure: Integer
    """1: the nearest face is the least way out; -1: so, but its points are unknown; 0: unsure [1]"""
    ccd_vertex: Array[np.float64]
    """convex narrow phase: points of the difference, of geom1 and of geom2 [m], shape (133, 9)"""
    ccd_corner: Array[np.int32]
    """convex narrow phase: ccd_start of those points [1], shape (133, 2)"""
    ccd_nface: Integer
    """convex narrow phase: faces that the polytope has and has had [1]"""
    ccd_face: Array[np.int32]
    """convex narrow phase: vertices of the faces [1], shape (1000, 3)"""
    ccd_beyond: Array[np.int32]
    """convex narrow phase: the faces beyond their edges [1], shape (1000, 3)"""
    ccd_foot: Array[np.float64]
    """convex narrow phase: point of each plane nearest to the origin, its square [m and m^2], shape (1000, 4)"""
    ccd_place: Array[np.int32]
    """convex narrow phase: place of each face in ccd_list; -1: not in it, -2: removed [1], shape (1000,)"""
    ccd_nlist: Integer
    """convex narrow phase: faces in ccd_list [1]"""
    ccd_list: Array[np.int32]
    """convex narrow phase: the faces that can be nearest [1], shape (1000,)"""
    ccd_edge: Array[np.int32]
    """convex narrow phase: border of what a new vertex sees: face beyond, edge there [1], shape (1000, 2)"""
    ccd_stack: Array[np.int32]
    """convex narrow phase: faces to look at, and the edge that led there [1], shape (800, 2)"""
    ccd_prism: Array[np.float64]
    """convex narrow phase: the prism of a height field, in its geom's frame [m], shape (6, 3)"""
    ccd_element: Array[np.float64]
    """convex narrow phase: elements of flexes: 4 corners, their number, radius, bound [m], shape (2, 15)"""
    flex_end: Array[np.float32]
    """flexes: where elements begin and end on an axis [m], shape (2*nflexelem,)"""
    flex_open: Array[np.int32]
    """flexes: elements that have begun on the axis and not ended [1], shape (nflexelem,)"""
    flex_span: Array[np.float64]
    """flexes: where those begin and end on the next wide axis [m], shape (nflexelem, 2)"""
    flex_box: Array[np.float64]
    """flexes: centre and half sides of the box around each, a row each [m], shape (2*nflex, 3)"""
    flex_stack: Array[np.int32]
    """flexes: pairs of nodes of a tree that wait [1], shape (4*nflexelem, 2)"""
    side_body: Array[np.int32]
    """bodies that carry the sides of a contact with a flex, those of the first side first [1], shape (54,)"""
    side_weight: Array[np.float64]
    """how much of its side each of them carries [1], shape (54,)"""
    side_known: Array[np.int32]
    """contacts with flexes: 1 for dofs in side_dof [1], shape (nv,)"""
    side_dof: Array[np.int32]
    """contacts with flexes: the dofs that move a side, ascending [1], shape (nv,)"""
    side_motion: Array[np.float64]
    """contacts with flexes: rate of the second side against the first, by each [1 or m], shape (nv, 6)"""
    collide_span: Array[np.float64]
    """sweep: begin and end of each unit on the three axes, widest first [m], shape (ngeom, 6)"""
    collide_stack: Array[np.int32]
    """middle phase: nodes, or pairs of nodes, that wait [1], shape (128, 2)"""
    collide_in: Array[np.int32]
    """sweep: units by strips, in each by where they begin on the first axis [1], shape (ngeom,)"""
    collide_ball: Array[np.float64]
    """sweep: begin and end of collide_in on the first axis, the ball about it [m], shape (ngeom, 6)"""
    collide_stripadr: Array[np.int64]
    """sweep: first place of each strip in collide_in [1], shape (66,)"""
    collide_ncandidate: Integer
    """sweep: candidates found [1]"""
    collide_candidate: Array[np.int64]
    """sweep: candidate pairs as sortable keys of two numbers [1], shape (maxcon, 16)"""
    ray_query: Array[np.float64]
    """ray: point, direction (of many: 1 for a new point, cutoff, number), groups as bits (-1: all), with static ones?, body
    left out [m], shape (9,)"""
    ray_result: Array[np.float64]
    """ray: distance in lengths of the direction (-1: none), geom (-1: none), normal [m], shape (5,)"""
    ray_stack: Array[np.float64]
    """ray: nodes of a mesh's tree that wait, and where it enters their boxes [], shape (64, 2)"""
    ray_corner: Array[np.int32]
    """ray at a flex: vertices of the edge or triangle that it meets [1], shape (3,)"""
    ray_many: Array[np.float64]
    """many rays: directions [m], shape (256, 3)"""
    ray_found: Array[np.float64]
    """many rays: ray_result of each [m], shape (256, 5)"""
    ray_ngeom: Integer
    """many rays: geoms that they can meet [1]"""
    ray_geom: Array[np.int32]
    """many rays: those geoms, the one that can be nearest first [1], shape (ngeom,)"""
    ray_ball: Array[np.float64]
    """many rays: point as seen from each geom, squared radius, least distance [m and m^2], shape (ngeom, 5)"""
    gap_query: Array[np.float64]
    """distance of two geoms: the geoms, and the largest distance that counts [m], shape (3,)"""
    gap_result: Array[np.float64]
    """distance of two geoms: the distance, and the nearest points of both [m], shape (7,)"""
    collide_dealt: Array[np.int64]
    """sweep: the same while they are sorted [1], shape (maxcon, 16)"""
    collide_count: Array[np.int32]
    """sweep: candidates of each body, while they are sorted [1], shape (nbody,)"""
    felt_contact: Array[np.int32]
    """contact sensor: the contacts that it tells of [1], shape (maxcon,)"""
    felt_side: Array[np.int32]
    """contact sensor: 1 if they go from its first side to the second, -1 if back [1], shape (maxcon,)"""
    felt_key: Array[np.float64]
    """contact sensor: distance or minus the force, of those that come first [m or N], shape (maxcon,)"""
    rk_qpos: Array[np.float64]
    """Runge-Kutta: position at the start of the step [m or rad], shape (nq,)"""
    rk_qvel0: Array[np.float64]
    """Runge-Kutta: velocity at the start of the step [m/s or rad/s], shape (nv,)"""
    rk_act0: Array[np.float64]
    """Runge-Kutta: activation at the start of the step [], shape (na,)"""
    rk_qvel: Array[np.float64]
    """Runge-Kutta: weighted sum of the stages' velocities [m/s or rad/s], shape (nv,)"""
    rk_qacc: Array[np.float64]
    """Runge-Kutta: weighted sum of the stages' accelerations [m/s^2 or rad/s^2], shape (nv,)"""
    rk_act_dot: Array[np.float64]
    """Runge-Kutta: weighted sum of the stages' activation rates [1/s], shape (na,)"""
    solve_Ma: Array[np.float64]
    """solver: M qacc [N or N m], shape (nv,)"""
    solve_Mv: Array[np.float64]
    """solver: M times the search direction [N or N m], shape (nv,)"""
    solve_grad: Array[np.float64]
    """solver: gradient of the cost [N or N m], shape (nv,)"""
    solve_Mgrad: Array[np.float64]
    """solver: preconditioned gradient [m/s^2 or rad/s^2], shape (nv,)"""
    solve_grad_old: Array[np.float64]
    """solver: gradient before the iteration [N or N m], shape (nv,)"""
    solve_Mgrad_old: Array[np.float64]
    """solver: preconditioned gradient before the iteration [m/s^2 or rad/s^2], shape (nv,)"""
    solve_search: Array[np.float64]
    """solver: search direction [m/s^2 or rad/s^2], shape (nv,)"""
    solve_jar: Array[np.float64]
    """solver: J qacc - aref [m/s^2 or rad/s^2], shape (maxefc,)"""
    solve_Jv: Array[np.float64]
    """solver: J times the search direction [m/s^2 or rad/s^2], shape (maxefc,)"""
    solve_DJv: Array[np.float64]
    """solver: D J times the search direction [N or N m], shape (maxefc,)"""
    solve_cost: Real
    """constraintUpdate: cost of the constraint [J/s^2]"""
    solve_state: Array[np.int32]
    """solver: state of the rows that solve_H was made for [1], shape (maxefc,)"""
    solve_line: Array[np.float64]
    """solver: normal and friction of each elliptic contact along the line [], shape (maxcon, 5)"""
    solve_cone: Array[np.float64]
    """solver: root of the Hessian of one elliptic contact [], shape (6, 6)"""
    solve_H: Array[np.float64]
    """solver: M + J' D J of the quadratic rows, lower triangle of nv x nv [kg or kg m^2], shape (maxH,)"""
    solve_LD: Array[np.float64]
    """solver: factor of the Hessian, lower triangle of nv x nv [], shape (maxH,)"""
    solve_LDinv: Array[np.float64]
    """solver: reciprocal diagonal of the factor [], shape (nv,)"""
    solve_first: Array[np.int32]
    """solver: first column of each row of solve_H and solve_LD that can be nonzero [1], shape (2, nv)"""
    solve_begin: Integer
    """sparse solver: 1 if the Hessian is that of a new problem [1]"""
    solve_updates: Integer
    """sparse solver: rows that entered or left the Hessian [1]"""
    solve_entries: Integer
    """sparse solver: entries of the Hessian [1]"""
    block_bits: Array[np.int64]
    """sparse solver: sets of trees that are coupled with each [1], shape (maxbits,)"""
    block_degree: Array[np.int32]
    """sparse solver: trees coupled with each [1], shape (ntree,)"""
    block_order: Array[np.int32]
    """sparse solver: trees in the order of elimination [1], shape (ntree,)"""
    block_place: Array[np.int32]
    """sparse solver: place of each tree in that order [1], shape (ntree,)"""
    block_adr: Array[np.int64]
    """sparse solver: first entry of each tree's panel [1], shape (ntree,)"""
    block_width: Array[np.int32]
    """sparse solver: columns of each panel beside its diagonal block [1], shape (ntree,)"""
    block_nbadr: Array[np.int64]
    """sparse solver: first neighbour of each tree in block_nb [1], shape (ntree,)"""
    block_nbnum: Array[np.int32]
    """sparse solver: neighbours of each tree that are eliminated later [1], shape (ntree,)"""
    block_nb: Array[np.int32]
    """sparse solver: those neighbours, ascending in the order of elimination [1], shape (maxH,)"""
    dual_half: Array[np.float64]
    """dual solver: rows of J M^-1/2 [], shape (maxA,)"""
    dual_res: Array[np.float64]
    """dual solver: residual AR force + b [m/s^2 or rad/s^2], shape (maxefc,)"""
    solve_cone_root: Array[np.float64]
    """dual solver: Cholesky factor of one elliptic contact [], shape (6, 6)"""
    dual_inv: Array[np.float64]
    """dual solver: reciprocal diagonal of AR [kg or kg m^2], shape (maxefc,)"""
    dual_active: Integer
    """dual solver: rows in an active state [1]"""
    dual_moved: Real
    """dual solver: how far forces moved in this sweep, the sum of A_rr change^2 [J/s^2]"""
    dual_changed: Integer
    """dual solver: rows that changed their state in this sweep [1]"""
    dual_small: Array[np.float64]
    """dual solver: the numbers of one elliptic contact [], shape (6, 6)"""
    island_model: Array[np.int64]
    """overlay of the model for one island [address], shape (nslotm,)"""
    island_data: Array[np.int64]
    """overlay of the data for one island [address], shape (nslotd,)"""
    island_parent: Array[np.int32]
    """islands: union-find forest of trees; -1: no row touches it [1], shape (ntree,)"""
    island_nl: Array[np.int32]
    """islands: limit rows of each [1], shape (maxisland,)"""
    island_first: Array[np.int32]
    """islands: efc_first of each row of iefc_J, from the island's first dof [1], shape (maxefc,)"""
    island_end: Array[np.int32]
    """islands: efc_end of each row of iefc_J [1], shape (maxefc,)"""
    island_b: Array[np.float64]
    """islands: efc_b in the order of islands [m/s^2 or rad/s^2], shape (maxefc,)"""
    island_warmstart: Array[np.float64]
    """islands: qacc_warmstart in the order of islands [m/s^2 or rad/s^2], shape (nv,)"""
    island_AR: Array[np.float64]
    """islands: efc_AR of the rows of one island [1/kg or 1/(kg m^2)], shape (maxA,)"""
    island_J: Array[np.float64]
    """islands: dense block of iefc_J of one small island [1 or m], shape (maxD,)"""
    island_doftree: Array[np.int32]
    """islands: tree of each dof, counted from the island's first [1], shape (nv,)"""
    island_treedof: Array[np.int32]
    """islands: first dof of each tree, from the island's first dof [1], shape (ntree,)"""
    island_treenum: Array[np.int32]
    """islands: dofs of each tree in the order of islands [1], shape (ntree,)"""
    island_nowhere: Array[np.float64]
    """islands: statistics that are not kept [], shape (200,)"""
    island_lanes: Integer
    """islands: threads beside the first that are worth asking for help [1]"""
    island_next: Array[np.int64]
    """islands: place in island_order of the one to solve next, alone in its cache lines [1], shape (32,)"""
    island_class: Array[np.int64]
    """islands: how many have a work of each power of two, then where those begin [1], shape (64,)"""
    island_time: Array[np.float64]
    """islands: wall time that the solve of each took [s], shape (maxisland,)"""
    island_order: Array[np.int32]
    """islands: those with the most work first [1], shape (maxisland,)"""
    lane_model: Array[np.int64]
    """island_model of the other threads [address], shape (maxlane, nslotm)"""
    lane_data: Array[np.int64]
    """island_data of the other threads [address], shape (maxlane, nslotd)"""
    lane_nowhere: Array[np.float64]
    """island_nowhere of the other threads [], shape (maxlane, 200)"""
    lane_cone: Array[np.float64]
    """solve_cone of the other threads [], shape (maxlane, 6, 6)"""
    lane_cone_root: Array[np.float64]
    """solve_cone_root of the other threads [], shape (maxlane, 6, 6)"""
    lane_small: Array[np.float64]
    """dual_small of the other threads [], shape (maxlane, 6, 6)"""
    lane_H: Array[np.float64]
    """solve_H of the other threads [kg or kg m^2], shape (maxlane, maxH)"""
    lane_LD: Array[np.float64]
    """solve_LD of the other threads [], shape (maxlane, maxH)"""
    lane_nb: Array[np.int32]
    """block_nb of the other threads [1], shape (maxlane, maxH)"""
    lane_bits: Array[np.int64]
    """block_bits of the other threads [1], shape (maxlane, maxbits)"""
    lane_J: Array[np.float64]
    """island_J of the other threads [1 or m], shape (maxlane, maxD)"""
    lane_AR: Array[np.float64]
    """island_AR of the other threads [1/kg or 1/(kg m^2)], shape (maxlane, maxA)"""
    lane_AR_colind: Array[np.int32]
    """efc_AR_colind of the other threads [1], shape (maxlane, maxA)"""
    lane_half: Array[np.float64]
    """dual_half of the other threads [], shape (maxlane, maxA)"""
    run_first: Integer
    """first entry of the stage table that run_entries runs [1]"""
    run_last: Integer
    """last entry of the stage table that run_entries runs [1]"""
    inverse_qacc: Array[np.float64]
    """inverse dynamics: the acceleration of the forward dynamics [m/s^2 or rad/s^2], shape (nv,)"""
    inverse_qfrc: Array[np.float64]
    """inverse dynamics: a joint force of the forward dynamics [N or N m], shape (nv,)"""
    inverse_efc: Array[np.float64]
    """inverse dynamics: the rows' forces of the forward dynamics [N or N m], shape (maxefc,)"""

class NudgeFields:
    """`NUDGE` of the table."""

    nudge_out: Array[np.int64]
    """finite differences: the matrices to write, by rows; 0: not wanted [address], shape (7,)"""
    nudge_eps: Real
    """finite differences: how far numbers are nudged [of what is nudged]"""
    nudge_centered: Integer
    """finite differences: 1: both ways, 0: forwards [1]"""
    nudge_sensors: Integer
    """finite differences: 1: of sensors too [1]"""
    nudge_actuation: Integer
    """finite differences: 1: of the inverse dynamics without the actuators' force [1]"""
    nudge_time: Real
    """finite differences: time [s]"""
    nudge_qpos: Array[np.float64]
    """finite differences: position [m or rad], shape (nq,)"""
    nudge_qvel: Array[np.float64]
    """finite differences: velocity [m/s or rad/s], shape (nv,)"""
    nudge_qacc: Array[np.float64]
    """finite differences: acceleration [m/s^2 or rad/s^2], shape (nv,)"""
    nudge_act: Array[np.float64]
    """finite differences: activation [1], shape (na,)"""
    nudge_ctrl: Array[np.float64]
    """finite differences: controls [unit of the actuator], shape (nu,)"""
    nudge_history: Array[np.float64]
    """finite differences: past signals [unit of the signal], shape (nhistory,)"""
    nudge_warmstart: Array[np.float64]
    """finite differences: start of the solver [m/s^2 or rad/s^2], shape (nv,)"""
    next_qpos: Array[np.float64]
    """finite differences: position a step on [m or rad], shape (nq,)"""
    next_qvel: Array[np.float64]
    """finite differences: velocity a step on, or force of the inverse [m/s or N, ...], shape (nv,)"""
    next_act: Array[np.float64]
    """finite differences: activation a step on [1], shape (na,)"""
    next_sensor: Array[np.float64]
    """finite differences: sensors [unit of the sensor], shape (nsensordata,)"""
    next_M: Array[np.float64]
    """finite differences: inertia matrix qM [kg or kg m^2], shape (nM,)"""
    ahead_qpos: Array[np.float64]
    """finite differences: next_qpos after a nudge forwards [m or rad], shape (nq,)"""
    ahead_qvel: Array[np.float64]
    """finite differences: next_qvel after a nudge forwards [m/s or rad/s], shape (nv,)"""
    ahead_act: Array[np.float64]
    """finite differences: next_act after a nudge forwards [1], shape (na,)"""
    ahead_sensor: Array[np.float64]
    """finite differences: next_sensor after a nudge forwards [unit of the sensor], shape (nsensordata,)"""

class RecordFields:
    """`RECORD` of the table."""

    record_stage: Integer
    """the stage that records; 0: recording is off [address]"""
    record_limit: Integer
    """entries that record_numbers may grow to [1]"""
    record_lost: Integer
    """1: the record does not hold all iterations, it has reached its limit [1]"""
    record_rows: Integer
    """constraint rows of the problem that is recorded [1]"""
    record_parts: Integer
    """islands that are recorded each on its own; 0: everything at once [1]"""
    record_made: Integer
    """most iterates that one island had, of the solver and the no-slip pass, kept or not [1]"""
    record_used: Integer
    """slots that hold iterates [1]"""
    record_width: Integer
    """numbers in a slot: one iteration of all islands [1]"""
    record_slots: Integer
    """slots that there are [1]"""
    record_base: Integer
    """where in a slot the part of the present island begins [1]"""
    record_kind: Integer
    """what the stage that records is asked to do: see state/iterates.py [1]"""
    record_iteration: Integer
    """handed to it: iteration [1]"""
    record_evaluations: Integer
    """handed to it: evaluations of the line search [1]"""
    record_cost: Real
    """handed to it: primal cost [J/s^2]"""
    record_gradient: Real
    """handed to it: scaled norm of the gradient [1]"""
    record_improvement: Real
    """handed to it: improvement as in solverstat_improvement [1]"""
    record_alpha: Real
    """handed to it: step length along the search direction [1]"""
    record_slope: Real
    """handed to it: slope as in solverstat_lineslope [1]"""
    record_residual: Real
    """handed to it: the solver's own measure as in solverstat_gradient [1]"""
    record_numbers: Array[np.float64]
    """the iterates: see state/iterates.py [N, m/s^2, 1, ...], shape (maxR,)"""
    record_start: Array[np.float64]
    """the state solved for: as mj_getState of all, then tree_asleep [m, m/s, N, ...], shape (maxS,)"""
