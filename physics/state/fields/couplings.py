"""Fields of contact pairs, equality constraints, tendons, actuators and sensors."""

from physics.state.fields.field import Field

PAIR = (
    Field("pair_dim", "i4", ("npair",), "", ""),
    Field("pair_geom1", "i4", ("npair",), "", ""),
    Field("pair_geom2", "i4", ("npair",), "", ""),
    Field("pair_signature", "i4", ("npair",), "", ""),
    Field("pair_solref", "f8", ("npair", 2), "", ""),
    Field("pair_solreffriction", "f8", ("npair", 2), "", ""),
    Field("pair_solimp", "f8", ("npair", 5), "", ""),
    Field("pair_margin", "f8", ("npair",), "", ""),
    Field("pair_gap", "f8", ("npair",), "", ""),
    Field("pair_friction", "f8", ("npair", 5), "", ""),
)

EXCLUDE = (
    Field("exclude_signature", "i4", ("nexclude",), "", ""),
)

EQUALITY = (
    Field("eq_type", "i4", ("neq",), "", ""),
    Field("eq_obj1id", "i4", ("neq",), "", ""),
    Field("eq_obj2id", "i4", ("neq",), "", ""),
    Field("eq_objtype", "i4", ("neq",), "", ""),
    Field("eq_active0", "u1", ("neq",), "", ""),
    Field("eq_solref", "f8", ("neq", 2), "", ""),
    Field("eq_solimp", "f8", ("neq", 5), "", ""),
    Field("eq_data", "f8", ("neq", 11), "", ""),
)

TENDON = (
    Field("tendon_adr", "i4", ("ntendon",), "", ""),
    Field("tendon_num", "i4", ("ntendon",), "", ""),
    Field("tendon_matid", "i4", ("ntendon",), "", ""),
    Field("tendon_group", "i4", ("ntendon",), "", ""),
    Field("tendon_treenum", "i4", ("ntendon",), "", ""),
    Field("tendon_treeid", "i4", ("ntendon", 2), "", ""),
    Field("tendon_limited", "u1", ("ntendon",), "", ""),
    Field("tendon_actfrclimited", "u1", ("ntendon",), "", ""),
    Field("tendon_width", "f8", ("ntendon",), "", ""),
    Field("tendon_solref_lim", "f8", ("ntendon", 2), "", ""),
    Field("tendon_solimp_lim", "f8", ("ntendon", 5), "", ""),
    Field("tendon_solref_fri", "f8", ("ntendon", 2), "", ""),
    Field("tendon_solimp_fri", "f8", ("ntendon", 5), "", ""),
    Field("tendon_range", "f8", ("ntendon", 2), "", ""),
    Field("tendon_actfrcrange", "f8", ("ntendon", 2), "", ""),
    Field("tendon_margin", "f8", ("ntendon",), "", ""),
    Field("tendon_stiffness", "f8", ("ntendon",), "", ""),
    Field("tendon_damping", "f8", ("ntendon",), "", ""),
    Field("tendon_armature", "f8", ("ntendon",), "", ""),
    Field("tendon_frictionloss", "f8", ("ntendon",), "", ""),
    Field("tendon_lengthspring", "f8", ("ntendon", 2), "", ""),
    Field("tendon_length0", "f8", ("ntendon",), "", ""),
    Field("tendon_invweight0", "f8", ("ntendon",), "", ""),
    Field("tendon_user", "f8", ("ntendon", "nuser_tendon"), "", ""),
    Field("tendon_rgba", "f4", ("ntendon", 4), "", ""),
)

WRAP = (
    Field("wrap_type", "i4", ("nwrap",), "", ""),
    Field("wrap_objid", "i4", ("nwrap",), "", ""),
    Field("wrap_prm", "f8", ("nwrap",), "", ""),
)

ACTUATOR = (
    Field("actuator_trntype", "i4", ("nu",), "", ""),
    Field("actuator_dyntype", "i4", ("nu",), "", ""),
    Field("actuator_gaintype", "i4", ("nu",), "", ""),
    Field("actuator_biastype", "i4", ("nu",), "", ""),
    Field("actuator_trnid", "i4", ("nu", 2), "", ""),
    Field("actuator_actadr", "i4", ("nu",), "", ""),
    Field("actuator_actnum", "i4", ("nu",), "", ""),
    Field("actuator_group", "i4", ("nu",), "", ""),
    Field("actuator_history", "i4", ("nu", 2), "", ""),
    Field("actuator_historyadr", "i4", ("nu",), "", ""),
    Field("actuator_delay", "f8", ("nu",), "", ""),
    Field("actuator_ctrllimited", "u1", ("nu",), "", ""),
    Field("actuator_forcelimited", "u1", ("nu",), "", ""),
    Field("actuator_actlimited", "u1", ("nu",), "", ""),
    Field("actuator_dynprm", "f8", ("nu", 10), "", ""),
    Field("actuator_gainprm", "f8", ("nu", 10), "", ""),
    Field("actuator_biasprm", "f8", ("nu", 10), "", ""),
    Field("actuator_actearly", "u1", ("nu",), "", ""),
    Field("actuator_ctrlrange", "f8", ("nu", 2), "", ""),
    Field("actuator_forcerange", "f8", ("nu", 2), "", ""),
    Field("actuator_actrange", "f8", ("nu", 2), "", ""),
    Field("actuator_gear", "f8", ("nu", 6), "", ""),
    Field("actuator_cranklength", "f8", ("nu",), "", ""),
    Field("actuator_acc0", "f8", ("nu",), "", ""),
    Field("actuator_length0", "f8", ("nu",), "", ""),
    Field("actuator_lengthrange", "f8", ("nu", 2), "", ""),
    Field("actuator_user", "f8", ("nu", "nuser_actuator"), "", ""),
    Field("actuator_plugin", "i4", ("nu",), "", ""),
)

SENSOR = (
    Field("sensor_type", "i4", ("nsensor",), "", ""),
    Field("sensor_datatype", "i4", ("nsensor",), "", ""),
    Field("sensor_needstage", "i4", ("nsensor",), "", ""),
    Field("sensor_objtype", "i4", ("nsensor",), "", ""),
    Field("sensor_objid", "i4", ("nsensor",), "", ""),
    Field("sensor_reftype", "i4", ("nsensor",), "", ""),
    Field("sensor_refid", "i4", ("nsensor",), "", ""),
    Field("sensor_intprm", "i4", ("nsensor", 3), "", ""),
    Field("sensor_dim", "i4", ("nsensor",), "", ""),
    Field("sensor_adr", "i4", ("nsensor",), "", ""),
    Field("sensor_cutoff", "f8", ("nsensor",), "", ""),
    Field("sensor_noise", "f8", ("nsensor",), "", ""),
    Field("sensor_history", "i4", ("nsensor", 2), "", ""),
    Field("sensor_historyadr", "i4", ("nsensor",), "", ""),
    Field("sensor_delay", "f8", ("nsensor",), "", ""),
    Field("sensor_interval", "f8", ("nsensor", 2), "", ""),
    Field("sensor_user", "f8", ("nsensor", "nuser_sensor"), "", ""),
    Field("sensor_plugin", "i4", ("nsensor",), "", ""),
)
