"""Declarations of physics/state/fields/nudge.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer, Real

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
