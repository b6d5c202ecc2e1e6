"""Declarations of physics/state/fields/internal.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer, Real

class ModelInternalFields:
    """`MODEL_INTERNAL` of the table."""

    nstage: Integer
    """entries of the stage table [1]"""
    stage: Array[np.int64]
    """the compiled stages that the model and its options need; 0: skip [address], shape (nstage,)"""
    pool: Integer
    """words through which kernels share work with other threads; 0: with none [address]"""
    ncollide: Integer
    """pairs of geoms that the kinematic structure lets collide [1]"""
    collide_fn: Array[np.int64]
    """stage of each two types of geoms; 0: not compiled, -1: none [address], shape (114,)"""
    collide_user: Array[np.int64]
    """collider of the user's for each two types; 0: none [address], shape (81,)"""
    collide_list: Array[np.int32]
    """geom1, geom2 as in a contact, explicit pair or -1, 1: parent and child [1], shape (ncollide, 4)"""
    collide_active: Array[np.int32]
    """what masks and flags leave of collide_list now [1], shape (ncollide, 3)"""
    collide_nactive: Integer
    """rows of collide_active in use; -1: sweep at every step [1]"""
    collide_flags: Integer
    """the disable flags that collide_active was made for; -1: not made yet [1]"""
    collide_width: Real
    """width of the strips of the sweep that means fewest comparisons [m]"""
    collide_home: Array[np.int32]
    """the group of geoms that do not move against each other; -1: none [1], shape (ngeom,)"""
    collide_nunit: Integer
    """rows of collide_unit in use [1]"""
    collide_unit: Array[np.int32]
    """what is swept with the present masks: geoms, and groups as -1 - group [1], shape (ngeom,)"""
    collide_ngroup: Integer
    """rows of collide_group in use [1]"""
    collide_group: Array[np.int32]
    """body of each group (0: all that is static), root of its tree [1], shape (ngeom, 2)"""
    collide_leaf: Array[np.int32]
    """geoms of groups in the order of the leaves [1], shape (ngeom,)"""
    collide_nnode: Integer
    """rows of collide_node in use [1]"""
    collide_node: Array[np.int32]
    """trees: first place in collide_leaf, end, second child; -1: a leaf [1], shape (ngeom, 3)"""
    collide_stamp: Integer
    """checksum of the trees [1]"""
    collide_contype: Array[np.int32]
    """the geom_contype that collide_active was made for [1], shape (ngeom,)"""
    collide_conaffinity: Array[np.int32]
    """the geom_conaffinity that collide_active was made for [1], shape (ngeom,)"""
    plugin_prm: Array[np.float64]
    """attributes of each plugin instance, as numbers [1], shape (nplugin, 16)"""
    sdf_fn: Array[np.int64]
    """each instance's signed distance function; 0: not bound, or none [address], shape (nplugin,)"""

class DataInternalFields:
    """`DATA_INTERNAL` of the table."""

    needJ: Integer
    """entries of efc_J that needefc rows have [1]"""
    flg_sparse: Integer
    """1: efc_J holds the nonzeros of its rows only; 0: nv numbers a row [1]"""
    needcollide: Integer
    """1: a pair met whose stage is not compiled: bind_collision, redo the step [1]"""
    collide_order: Array[np.int32]
    """units along the sweep axis at the last step: nearly sorted at the next [1], shape (ngeom,)"""
    collide_axis: Integer
    """number of units in collide_order, times 4, plus the axis they are sorted along [1]"""
    flex_order: Array[np.int32]
    """begins (2 element) and ends (2 element + 1) of elements, sorted [1], shape (2*nflexelem,)"""
    flex_sorted: Array[np.int64]
    """what flex_order was sorted for: elements times 4 plus the axis; 0: not yet [1], shape (nflex,)"""
    collide_seat: Array[np.float64]
    """centres of geoms in their groups' frames, and reaches, of collide_tree [m], shape (ngeom, 4)"""
    collide_tree: Array[np.float64]
    """boxes of the nodes, low and high corner, in the frame of the group's body [m], shape (ngeom, 6)"""
    collide_apart: Array[np.float64]
    """axes that showed pairs to be apart, see collision/convex/apart.py [1], shape (ngeom, 24)"""
    island_whole: Integer
    """1: a single island holds all dofs and rows, so the i... arrays are not used [1]"""
    steps: Integer
    """steps still to do in the present call [1]"""
    ctrl_seen: Array[np.float64]
    """controls as actuators with delays see them, not yet clamped [unit of the actuator], shape (nu,)"""
    late_stage: Integer
    """stage of sensors whose delayed readings are asked for [1]"""
    sensor_fresh: Array[np.float64]
    """readings of delayed sensors that are still to be shown [unit of the sensor], shape (nsensordata,)"""
    trouble: Integer
    """what stopped the present call: the mjtWarning of a bad state, plus 1; 0 when all is well [1]"""
    failed: Integer
    """why the call stops: 1: a callback raised, 2: it reset the data or moved their memory, 3: a collider's point is none, 4:
    a geom has no shape; 0: it goes on [1]"""
    tap: Integer
    """address of the table of what is sampled after every step (step/tap.py); 0: nothing [address]"""
    resets: Integer
    """how often the data were reset: tells runs apart [1]"""
    clock: Integer
    """address of the function that tells the time, in this process [address]"""
    clock_id: Integer
    """which clock to ask it for [1]"""
    efc_first: Array[np.int32]
    """first column of each Jacobian row that can be nonzero [1], shape (maxefc,), nefc rows in use"""
    efc_end: Array[np.int32]
    """column after the last that can be nonzero [1], shape (maxefc,), nefc rows in use"""
