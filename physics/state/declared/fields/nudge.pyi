"""Declarations of physics/state/fields/nudge.py. Written by packaging/typed_fields.py."""

import numpy as np

from physics.state.declared.attribute import Array, Integer, Real

class NudgeFields:
    """`NUDGE` of the table."""

    nudge_kind: Integer
    """what is nudged: 0 nothing, 1 ctrl, 2 act, 3 qvel, 4 qpos, 5 qacc [1]"""
    nudge_index: Integer
    """which of these [1]"""
    nudge_eps: Real
    """how far []"""
    nudge_ahead: Integer
    """1: forwards [1]"""
    nudge_back: Integer
    """1: backwards [1]"""
    nudge_sensors: Integer
    """1: sensors too [1]"""
    nudge_actuation: Integer
    """inverse dynamics: 1: without the force of the actuators [1]"""
    nudge_time: Real
    """time before the nudge [s]"""
    nudge_qpos: Array[np.float64]
    """position before the nudge [m or rad], shape (nq,)"""
    nudge_qvel: Array[np.float64]
    """velocity before the nudge [m/s or rad/s], shape (nv,)"""
    nudge_qacc: Array[np.float64]
    """acceleration before the nudge, of inverse dynamics [m/s^2 or rad/s^2], shape (nv,)"""
    nudge_act: Array[np.float64]
    """activation before the nudge [], shape (na,)"""
    nudge_ctrl: Array[np.float64]
    """controls before the nudge [], shape (nu,)"""
    nudge_history: Array[np.float64]
    """past signals before the nudge [], shape (nhistory,)"""
    nudge_warmstart: Array[np.float64]
    """start of the solver before the nudge [m/s^2 or rad/s^2], shape (nv,)"""
    next_qpos: Array[np.float64]
    """position a step on, without a nudge [m or rad], shape (nq,)"""
    next_qvel: Array[np.float64]
    """velocity a step on; force of inverse dynamics; without a nudge [m/s or rad/s], shape (nv,)"""
    next_act: Array[np.float64]
    """activation a step on, without a nudge [], shape (na,)"""
    next_sensor: Array[np.float64]
    """sensors without a nudge [], shape (nsensordata,)"""
    next_M: Array[np.float64]
    """inertia matrix qM without a nudge [kg or kg m^2], shape (nM,)"""
    side_qpos: Array[np.float64]
    """position a step on, after a nudge forwards [m or rad], shape (nq,)"""
    side_qvel: Array[np.float64]
    """velocity a step on, after a nudge forwards [m/s or rad/s], shape (nv,)"""
    side_act: Array[np.float64]
    """activation a step on, after a nudge forwards [], shape (na,)"""
    side_sensor: Array[np.float64]
    """sensors after a nudge forwards [], shape (nsensordata,)"""
    slope_qpos: Array[np.float64]
    """difference quotient: position a step on [], shape (nv,)"""
    slope_qvel: Array[np.float64]
    """difference quotient: velocity a step on, or force of inverse dynamics [], shape (nv,)"""
    slope_act: Array[np.float64]
    """difference quotient: activation a step on [], shape (na,)"""
    slope_sensor: Array[np.float64]
    """difference quotient: sensors [], shape (nsensordata,)"""
    slope_M: Array[np.float64]
    """difference quotient: inertia matrix qM [], shape (nM,)"""
