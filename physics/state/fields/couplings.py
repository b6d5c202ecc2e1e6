"""Fields of contact pairs, equality constraints, tendons, actuators and sensors."""

from tumble.physics.state.fields.field import Field

PAIR = (
    Field("pair_dim", "i4", ("npair",), "1", "dimensions of contact force: 1, 3, 4 or 6", open=True),
    Field("pair_geom1", "i4", ("npair",), "1", "first geom"),
    Field("pair_geom2", "i4", ("npair",), "1", "second geom"),
    Field("pair_signature", "i4", ("npair",), "1", "the two bodies in one number: the first in the high 16 bits"),
    Field("pair_solref", "f8", ("npair", 2), "s, 1", "contact response along the normal"),
    Field("pair_solreffriction", "f8", ("npair", 2), "s, 1", "contact response along the tangents; zeros: as the normal"),
    Field("pair_solimp", "f8", ("npair", 5), "1, 1, m, 1, 1", "contact impedance"),
    Field("pair_margin", "f8", ("npair",), "m", "contacts are found when closer than this"),
    Field("pair_gap", "f8", ("npair",), "m", "of found contacts those closer than margin - gap push"),
    Field("pair_friction", "f8", ("npair", 5), "1, 1, m, m, m", "friction coefficients: two sliding, torsional, two rolling"),
)

EXCLUDE = (
    Field("exclude_signature", "i4", ("nexclude",), "1", "the two bodies in one number: the first in the high 16 bits"),
)

EQUALITY = (
    Field("eq_type", "i4", ("neq",), "1", "kind of constraint (mjtEq)"),
    Field("eq_obj1id", "i4", ("neq",), "1", "first object"),
    Field("eq_obj2id", "i4", ("neq",), "1", "second object; -1: none"),
    Field("eq_objtype", "i4", ("neq",), "1", "kind of both objects (mjtObj)"),
    Field("eq_active0", "u1", ("neq",), "1", "whether it is active after a reset", open=True),
    Field("eq_solref", "f8", ("neq", 2), "s, 1", "response: time constant and damping ratio, or -stiffness and -damping"),
    Field("eq_solimp", "f8", ("neq", 5), "1, 1, m or rad, 1, 1", "impedance: d0, dwidth, width, midpoint, power"),
    Field("eq_data", "f8", ("neq", 11), "1", "numbers of the constraint, their meaning as its kind has it"),
)

TENDON = (
    Field("tendon_adr", "i4", ("ntendon",), "1", "first path element"),
    Field("tendon_num", "i4", ("ntendon",), "1", "path elements"),
    Field("tendon_matid", "i4", ("ntendon",), "1", "material; -1: none", open=True),
    Field("tendon_group", "i4", ("ntendon",), "1", "group it is shown with", open=True),
    Field("tendon_treenum", "i4", ("ntendon",), "1", "kinematic trees it can pull"),
    Field("tendon_treeid", "i4", ("ntendon", 2), "1", "the first two of these trees; -1: none"),
    Field("tendon_limited", "u1", ("ntendon",), "1", "whether range is enforced", open=True),
    Field(
        "tendon_actfrclimited", "u1", ("ntendon",), "1",
        "whether the sum of actuator forces is clamped to actfrcrange", open=True,
    ),
    Field("tendon_width", "f8", ("ntendon",), "m", "radius it is drawn with"),
    Field("tendon_solref_lim", "f8", ("ntendon", 2), "s, 1", "response of the limit"),
    Field("tendon_solimp_lim", "f8", ("ntendon", 5), "1, 1, m or rad, 1, 1", "impedance of the limit"),
    Field("tendon_solref_fri", "f8", ("ntendon", 2), "s, 1", "response of friction loss"),
    Field("tendon_solimp_fri", "f8", ("ntendon", 5), "1, 1, m or rad, 1, 1", "impedance of friction loss"),
    Field("tendon_range", "f8", ("ntendon", 2), "m or rad", "limits of the length"),
    Field("tendon_actfrcrange", "f8", ("ntendon", 2), "N or N m", "limits of the sum of actuator forces"),
    Field("tendon_margin", "f8", ("ntendon",), "m or rad", "distance from the limit at which its constraint appears"),
    Field("tendon_stiffness", "f8", ("ntendon",), "N/m or N m/rad", "spring constant"),
    Field("tendon_damping", "f8", ("ntendon",), "N s/m or N m s/rad", "viscous damping"),
    Field("tendon_armature", "f8", ("ntendon",), "kg or kg m^2", "inertia that belongs to the tendon's velocity"),
    Field("tendon_frictionloss", "f8", ("ntendon",), "N or N m", "dry friction"),
    Field("tendon_lengthspring", "f8", ("ntendon", 2), "m or rad", "lengths between which the spring is at rest"),
    Field("tendon_length0", "f8", ("ntendon",), "m or rad", "length at qpos0"),
    Field("tendon_invweight0", "f8", ("ntendon",), "1/kg or 1/(kg m^2)", "inverse inertia at qpos0"),
    Field("tendon_user", "f8", ("ntendon", "nuser_tendon"), "1", "user numbers"),
    Field("tendon_rgba", "f4", ("ntendon", 4), "1", "colour where there is no material"),
)

WRAP = (
    Field("wrap_type", "i4", ("nwrap",), "1", "kind of path element (mjtWrap)"),
    Field("wrap_objid", "i4", ("nwrap",), "1", "joint, site or geom of the element"),
    Field("wrap_prm", "f8", ("nwrap",), "1", "joint coefficient, divisor of a pulley, or side site of a geom"),
)

ACTUATOR = (
    Field("actuator_trntype", "i4", ("nu",), "1", "what it acts on (mjtTrn)"),
    Field("actuator_dyntype", "i4", ("nu",), "1", "activation dynamics (mjtDyn)"),
    Field("actuator_gaintype", "i4", ("nu",), "1", "kind of gain (mjtGain)", open=True),
    Field("actuator_biastype", "i4", ("nu",), "1", "kind of bias (mjtBias)", open=True),
    Field("actuator_trnid", "i4", ("nu", 2), "1", "the one or two objects it acts on; -1: none"),
    Field("actuator_actadr", "i4", ("nu",), "1", "first activation; -1: none"),
    Field("actuator_actnum", "i4", ("nu",), "1", "activations"),
    Field("actuator_group", "i4", ("nu",), "1", "group it is shown and switched off with", open=True),
    Field("actuator_history", "i4", ("nu", 2), "1", "samples kept of a delayed control, and how to interpolate them"),
    Field("actuator_historyadr", "i4", ("nu",), "1", "start of these samples in history; -1: none"),
    Field("actuator_delay", "f8", ("nu",), "s", "delay of the control"),
    Field("actuator_ctrllimited", "u1", ("nu",), "1", "whether the control is clamped to ctrlrange", open=True),
    Field("actuator_forcelimited", "u1", ("nu",), "1", "whether the force is clamped to forcerange", open=True),
    Field("actuator_actlimited", "u1", ("nu",), "1", "whether the activation is clamped to actrange", open=True),
    Field("actuator_dynprm", "f8", ("nu", 10), "1", "parameters of the activation dynamics"),
    Field("actuator_gainprm", "f8", ("nu", 10), "1", "parameters of the gain"),
    Field("actuator_biasprm", "f8", ("nu", 10), "1", "parameters of the bias"),
    Field("actuator_actearly", "u1", ("nu",), "1", "whether the force uses the activation at the end of the step", open=True),
    Field("actuator_ctrlrange", "f8", ("nu", 2), "1", "limits of the control"),
    Field("actuator_forcerange", "f8", ("nu", 2), "N or N m", "limits of the force"),
    Field("actuator_actrange", "f8", ("nu", 2), "1", "limits of the activation"),
    Field("actuator_gear", "f8", ("nu", 6), "1", "scales length and force; six numbers where force and torque are both applied"),
    Field("actuator_cranklength", "f8", ("nu",), "m", "length of the rod of a slider-crank"),
    Field("actuator_acc0", "f8", ("nu",), "1/kg or 1/(kg m^2)", "norm of the acceleration that a unit force causes at qpos0"),
    Field("actuator_length0", "f8", ("nu",), "m or rad", "length at qpos0"),
    Field("actuator_lengthrange", "f8", ("nu", 2), "m or rad", "shortest and longest length that can be reached"),
    Field("actuator_user", "f8", ("nu", "nuser_actuator"), "1", "user numbers"),
    Field("actuator_plugin", "i4", ("nu",), "1", "plugin instance; -1: none"),
)

SENSOR = (
    Field("sensor_type", "i4", ("nsensor",), "1", "what is measured (mjtSensor)"),
    Field("sensor_datatype", "i4", ("nsensor",), "1", "what kind of numbers: real, positive, axis or quaternion (mjtDataType)"),
    Field("sensor_needstage", "i4", ("nsensor",), "1", "after which stage it can be computed (mjtStage)"),
    Field("sensor_objtype", "i4", ("nsensor",), "1", "kind of the measured object (mjtObj)"),
    Field("sensor_objid", "i4", ("nsensor",), "1", "measured object; -1: none"),
    Field("sensor_reftype", "i4", ("nsensor",), "1", "kind of the object whose frame is used (mjtObj)"),
    Field("sensor_refid", "i4", ("nsensor",), "1", "object whose frame is used; -1: the world"),
    Field("sensor_intprm", "i4", ("nsensor", 3), "1", "whole-number parameters"),
    Field("sensor_dim", "i4", ("nsensor",), "1", "numbers it gives"),
    Field("sensor_adr", "i4", ("nsensor",), "1", "its first number in sensordata"),
    Field("sensor_cutoff", "f8", ("nsensor",), "unit of the sensor", "readings are clamped to it; 0: not"),
    Field("sensor_noise", "f8", ("nsensor",), "unit of the sensor", "standard deviation of its noise: told, not applied"),
    Field("sensor_history", "i4", ("nsensor", 2), "1", "samples kept of a delayed reading, and how to interpolate them"),
    Field("sensor_historyadr", "i4", ("nsensor",), "1", "start of these samples in history; -1: none"),
    Field("sensor_delay", "f8", ("nsensor",), "s", "delay of the reading"),
    Field("sensor_interval", "f8", ("nsensor", 2), "s", "period and phase of the reading"),
    Field("sensor_user", "f8", ("nsensor", "nuser_sensor"), "1", "user numbers"),
    Field("sensor_plugin", "i4", ("nsensor",), "1", "plugin instance; -1: none"),
)
