"""Declarations of physics/state/fields/couplings.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array

class PairFields:
    """`PAIR` of the table."""

    pair_dim: Array[np.int32]
    """dimensions of contact force: 1, 3, 4 or 6 [1], shape (npair,)"""
    pair_geom1: Array[np.int32]
    """first geom [1], shape (npair,)"""
    pair_geom2: Array[np.int32]
    """second geom [1], shape (npair,)"""
    pair_signature: Array[np.int32]
    """the two bodies in one number: the first in the high 16 bits [1], shape (npair,)"""
    pair_solref: Array[np.float64]
    """contact response along the normal [s, 1], shape (npair, 2)"""
    pair_solreffriction: Array[np.float64]
    """contact response along the tangents; zeros: as the normal [s, 1], shape (npair, 2)"""
    pair_solimp: Array[np.float64]
    """contact impedance [1, 1, m, 1, 1], shape (npair, 5)"""
    pair_margin: Array[np.float64]
    """contacts are found when closer than this [m], shape (npair,)"""
    pair_gap: Array[np.float64]
    """of found contacts those closer than margin - gap push [m], shape (npair,)"""
    pair_friction: Array[np.float64]
    """friction coefficients: two sliding, torsional, two rolling [1, 1, m, m, m], shape (npair, 5)"""

class ExcludeFields:
    """`EXCLUDE` of the table."""

    exclude_signature: Array[np.int32]
    """the two bodies in one number: the first in the high 16 bits [1], shape (nexclude,)"""

class EqualityFields:
    """`EQUALITY` of the table."""

    eq_type: Array[np.int32]
    """kind of constraint (mjtEq) [1], shape (neq,)"""
    eq_obj1id: Array[np.int32]
    """first object [1], shape (neq,)"""
    eq_obj2id: Array[np.int32]
    """second object; -1: none [1], shape (neq,)"""
    eq_objtype: Array[np.int32]
    """kind of both objects (mjtObj) [1], shape (neq,)"""
    eq_active0: Array[np.uint8]
    """whether it is active after a reset [1], shape (neq,)"""
    eq_solref: Array[np.float64]
    """response: time constant and damping ratio, or -stiffness and -damping [s, 1], shape (neq, 2)"""
    eq_solimp: Array[np.float64]
    """impedance: d0, dwidth, width, midpoint, power [1, 1, m or rad, 1, 1], shape (neq, 5)"""
    eq_data: Array[np.float64]
    """numbers of the constraint, their meaning as its kind has it [1], shape (neq, 11)"""

class TendonFields:
    """`TENDON` of the table."""

    tendon_adr: Array[np.int32]
    """first path element [1], shape (ntendon,)"""
    tendon_num: Array[np.int32]
    """path elements [1], shape (ntendon,)"""
    tendon_matid: Array[np.int32]
    """material; -1: none [1], shape (ntendon,)"""
    tendon_group: Array[np.int32]
    """group it is shown with [1], shape (ntendon,)"""
    tendon_treenum: Array[np.int32]
    """kinematic trees it can pull [1], shape (ntendon,)"""
    tendon_treeid: Array[np.int32]
    """the first two of these trees; -1: none [1], shape (ntendon, 2)"""
    tendon_limited: Array[np.uint8]
    """whether range is enforced [1], shape (ntendon,)"""
    tendon_actfrclimited: Array[np.uint8]
    """whether the sum of actuator forces is clamped to actfrcrange [1], shape (ntendon,)"""
    tendon_width: Array[np.float64]
    """radius it is drawn with [m], shape (ntendon,)"""
    tendon_solref_lim: Array[np.float64]
    """response of the limit [s, 1], shape (ntendon, 2)"""
    tendon_solimp_lim: Array[np.float64]
    """impedance of the limit [1, 1, m or rad, 1, 1], shape (ntendon, 5)"""
    tendon_solref_fri: Array[np.float64]
    """response of friction loss [s, 1], shape (ntendon, 2)"""
    tendon_solimp_fri: Array[np.float64]
    """impedance of friction loss [1, 1, m or rad, 1, 1], shape (ntendon, 5)"""
    tendon_range: Array[np.float64]
    """limits of the length [m or rad], shape (ntendon, 2)"""
    tendon_actfrcrange: Array[np.float64]
    """limits of the sum of actuator forces [N or N m], shape (ntendon, 2)"""
    tendon_margin: Array[np.float64]
    """distance from the limit at which its constraint appears [m or rad], shape (ntendon,)"""
    tendon_stiffness: Array[np.float64]
    """spring constant [N/m or N m/rad], shape (ntendon,)"""
    tendon_damping: Array[np.float64]
    """viscous damping [N s/m or N m s/rad], shape (ntendon,)"""
    tendon_armature: Array[np.float64]
    """inertia that belongs to the tendon's velocity [kg or kg m^2], shape (ntendon,)"""
    tendon_frictionloss: Array[np.float64]
    """dry friction [N or N m], shape (ntendon,)"""
    tendon_lengthspring: Array[np.float64]
    """lengths between which the spring is at rest [m or rad], shape (ntendon, 2)"""
    tendon_length0: Array[np.float64]
    """length at qpos0 [m or rad], shape (ntendon,)"""
    tendon_invweight0: Array[np.float64]
    """inverse inertia at qpos0 [1/kg or 1/(kg m^2)], shape (ntendon,)"""
    tendon_user: Array[np.float64]
    """user numbers [1], shape (ntendon, nuser_tendon)"""
    tendon_rgba: Array[np.float32]
    """colour where there is no material [1], shape (ntendon, 4)"""

class WrapFields:
    """`WRAP` of the table."""

    wrap_type: Array[np.int32]
    """kind of path element (mjtWrap) [1], shape (nwrap,)"""
    wrap_objid: Array[np.int32]
    """joint, site or geom of the element [1], shape (nwrap,)"""
    wrap_prm: Array[np.float64]
    """joint coefficient, divisor of a pulley, or side site of a geom [1], shape (nwrap,)"""

class ActuatorFields:
    """`ACTUATOR` of the table."""

    actuator_trntype: Array[np.int32]
    """what it acts on (mjtTrn) [1], shape (nu,)"""
    actuator_dyntype: Array[np.int32]
    """activation dynamics (mjtDyn) [1], shape (nu,)"""
    actuator_gaintype: Array[np.int32]
    """kind of gain (mjtGain) [1], shape (nu,)"""
    actuator_biastype: Array[np.int32]
    """kind of bias (mjtBias) [1], shape (nu,)"""
    actuator_trnid: Array[np.int32]
    """the one or two objects it acts on; -1: none [1], shape (nu, 2)"""
    actuator_actadr: Array[np.int32]
    """first activation; -1: none [1], shape (nu,)"""
    actuator_actnum: Array[np.int32]
    """activations [1], shape (nu,)"""
    actuator_group: Array[np.int32]
    """group it is shown and switched off with [1], shape (nu,)"""
    actuator_history: Array[np.int32]
    """samples kept of a delayed control, and how to interpolate them [1], shape (nu, 2)"""
    actuator_historyadr: Array[np.int32]
    """start of these samples in history; -1: none [1], shape (nu,)"""
    actuator_delay: Array[np.float64]
    """delay of the control [s], shape (nu,)"""
    actuator_ctrllimited: Array[np.uint8]
    """whether the control is clamped to ctrlrange [1], shape (nu,)"""
    actuator_forcelimited: Array[np.uint8]
    """whether the force is clamped to forcerange [1], shape (nu,)"""
    actuator_actlimited: Array[np.uint8]
    """whether the activation is clamped to actrange [1], shape (nu,)"""
    actuator_dynprm: Array[np.float64]
    """parameters of the activation dynamics [1], shape (nu, 10)"""
    actuator_gainprm: Array[np.float64]
    """parameters of the gain [1], shape (nu, 10)"""
    actuator_biasprm: Array[np.float64]
    """parameters of the bias [1], shape (nu, 10)"""
    actuator_actearly: Array[np.uint8]
    """whether the force uses the activation at the end of the step [1], shape (nu,)"""
    actuator_ctrlrange: Array[np.float64]
    """limits of the control [1], shape (nu, 2)"""
    actuator_forcerange: Array[np.float64]
    """limits of the force [N or N m], shape (nu, 2)"""
    actuator_actrange: Array[np.float64]
    """limits of the activation [1], shape (nu, 2)"""
    actuator_gear: Array[np.float64]
    """scales length and force; six numbers where force and torque are both applied [1], shape (nu, 6)"""
    actuator_cranklength: Array[np.float64]
    """length of the rod of a slider-crank [m], shape (nu,)"""
    actuator_acc0: Array[np.float64]
    """norm of the acceleration that a unit force causes at qpos0 [1/kg or 1/(kg m^2)], shape (nu,)"""
    actuator_length0: Array[np.float64]
    """length at qpos0 [m or rad], shape (nu,)"""
    actuator_lengthrange: Array[np.float64]
    """shortest and longest length that can be reached [m or rad], shape (nu, 2)"""
    actuator_user: Array[np.float64]
    """user numbers [1], shape (nu, nuser_actuator)"""
    actuator_plugin: Array[np.int32]
    """plugin instance; -1: none [1], shape (nu,)"""

class SensorFields:
    """`SENSOR` of the table."""

    sensor_type: Array[np.int32]
    """what is measured (mjtSensor) [1], shape (nsensor,)"""
    sensor_datatype: Array[np.int32]
    """what kind of numbers: real, positive, axis or quaternion (mjtDataType) [1], shape (nsensor,)"""
    sensor_needstage: Array[np.int32]
    """after which stage it can be computed (mjtStage) [1], shape (nsensor,)"""
    sensor_objtype: Array[np.int32]
    """kind of the measured object (mjtObj) [1], shape (nsensor,)"""
    sensor_objid: Array[np.int32]
    """measured object; -1: none [1], shape (nsensor,)"""
    sensor_reftype: Array[np.int32]
    """kind of the object whose frame is used (mjtObj) [1], shape (nsensor,)"""
    sensor_refid: Array[np.int32]
    """object whose frame is used; -1: the world [1], shape (nsensor,)"""
    sensor_intprm: Array[np.int32]
    """whole-number parameters [1], shape (nsensor, 3)"""
    sensor_dim: Array[np.int32]
    """numbers it gives [1], shape (nsensor,)"""
    sensor_adr: Array[np.int32]
    """its first number in sensordata [1], shape (nsensor,)"""
    sensor_cutoff: Array[np.float64]
    """readings are clamped to it; 0: not [unit of the sensor], shape (nsensor,)"""
    sensor_noise: Array[np.float64]
    """standard deviation of its noise: told, not applied [unit of the sensor], shape (nsensor,)"""
    sensor_history: Array[np.int32]
    """samples kept of a delayed reading, and how to interpolate them [1], shape (nsensor, 2)"""
    sensor_historyadr: Array[np.int32]
    """start of these samples in history; -1: none [1], shape (nsensor,)"""
    sensor_delay: Array[np.float64]
    """delay of the reading [s], shape (nsensor,)"""
    sensor_interval: Array[np.float64]
    """period and phase of the reading [s], shape (nsensor, 2)"""
    sensor_user: Array[np.float64]
    """user numbers [1], shape (nsensor, nuser_sensor)"""
    sensor_plugin: Array[np.int32]
    """plugin instance; -1: none [1], shape (nsensor,)"""
