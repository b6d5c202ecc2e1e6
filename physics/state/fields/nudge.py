"""Working memory of finite differences (step/nudge.py): the state that is nudged, and what follows from it."""

from tumble.physics.state.fields.field import Field

NUDGE = (
    Field("nudge_out", "i8", (7,), "address", "finite differences: the matrices to write, by rows; 0: not wanted"),
    Field("nudge_eps", "f8", (), "of what is nudged", "finite differences: how far numbers are nudged"),
    Field("nudge_centered", "i8", (), "1", "finite differences: 1: both ways, 0: forwards"),
    Field("nudge_sensors", "i8", (), "1", "finite differences: 1: of sensors too"),
    Field("nudge_actuation", "i8", (), "1", "finite differences: 1: of the inverse dynamics without the actuators' force"),
    Field("nudge_time", "f8", (), "s", "finite differences: time"),
    Field("nudge_qpos", "f8", ("nq",), "m or rad", "finite differences: position"),
    Field("nudge_qvel", "f8", ("nv",), "m/s or rad/s", "finite differences: velocity"),
    Field("nudge_qacc", "f8", ("nv",), "m/s^2 or rad/s^2", "finite differences: acceleration"),
    Field("nudge_act", "f8", ("na",), "1", "finite differences: activation"),
    Field("nudge_ctrl", "f8", ("nu",), "unit of the actuator", "finite differences: controls"),
    Field("nudge_history", "f8", ("nhistory",), "unit of the signal", "finite differences: past signals"),
    Field("nudge_warmstart", "f8", ("nv",), "m/s^2 or rad/s^2", "finite differences: start of the solver"),
    Field("next_qpos", "f8", ("nq",), "m or rad", "finite differences: position a step on"),
    Field("next_qvel", "f8", ("nv",), "m/s or N, ...", "finite differences: velocity a step on, or force of the inverse"),
    Field("next_act", "f8", ("na",), "1", "finite differences: activation a step on"),
    Field("next_sensor", "f8", ("nsensordata",), "unit of the sensor", "finite differences: sensors"),
    Field("next_M", "f8", ("nM",), "kg or kg m^2", "finite differences: inertia matrix qM"),
    Field("ahead_qpos", "f8", ("nq",), "m or rad", "finite differences: next_qpos after a nudge forwards"),
    Field("ahead_qvel", "f8", ("nv",), "m/s or rad/s", "finite differences: next_qvel after a nudge forwards"),
    Field("ahead_act", "f8", ("na",), "1", "finite differences: next_act after a nudge forwards"),
    Field("ahead_sensor", "f8", ("nsensordata",), "unit of the sensor", "finite differences: next_sensor after a nudge forwards"),
)
