"""Declarations of physics/state/fields/sleep.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer

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
