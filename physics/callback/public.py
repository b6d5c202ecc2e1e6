"""The functions that install callbacks, look them up and remove them: names and conventions are the reference's.

Each set_ function takes a function in Python, a compiled callback (physics.compiled), a function pointer of ctypes or
numba's cfunc, or None, which removes what is installed; TypeError for anything else. Callbacks are of the whole process, and
every model's steps call them. What one raises reaches the caller of mj_step, and the state is that before the step.
A function pointer gets addresses of m and d, of the slots that physics/state/layout.py lays out: not of the reference's
structs. docs/decisions/callbacks.md tells when each is called, and why.
"""

from __future__ import annotations

from tumble.physics.callback import colliders, table
from tumble.physics.callback.clock_and_warnings import install_clock, install_warning, installed_clock, installed_warning


def set_mjcb_control(callback: object) -> None:
    """Install callback(m, d) before the forces of actuators are computed, to write d.ctrl, d.qfrc_applied or d.xfrc_applied.

    Not called if the flag actuation is disabled, except by mj_step1.
    """
    table.CONTROL.install(callback)


def get_mjcb_control() -> object:
    """The control callback that is installed, or None."""
    return table.CONTROL.installed


def set_mjcb_passive(callback: object) -> None:
    """Install callback(m, d) after the passive forces, to add to d.qfrc_passive.

    Not called if both flags spring and damper are disabled.
    """
    table.PASSIVE.install(callback)


def get_mjcb_passive() -> object:
    """The passive callback that is installed, or None."""
    return table.PASSIVE.installed


def set_mjcb_act_dyn(callback: object) -> None:
    """Install callback(m, d, id) -> rate of the activation of actuator id, of those with dyntype user.

    If it has several activations the result is not used: the callback writes all their rates to d.act_dot.
    """
    table.ACT_DYN.install(callback)


def get_mjcb_act_dyn() -> object:
    """The act_dyn callback that is installed, or None."""
    return table.ACT_DYN.installed


def set_mjcb_act_gain(callback: object) -> None:
    """Install callback(m, d, id) -> gain of actuator id, of those with gaintype user; without a callback it is 1."""
    table.ACT_GAIN.install(callback)


def get_mjcb_act_gain() -> object:
    """The act_gain callback that is installed, or None."""
    return table.ACT_GAIN.installed


def set_mjcb_act_bias(callback: object) -> None:
    """Install callback(m, d, id) -> bias force of actuator id, of those with biastype user; without a callback it is 0."""
    table.ACT_BIAS.install(callback)


def get_mjcb_act_bias() -> object:
    """The act_bias callback that is installed, or None."""
    return table.ACT_BIAS.installed


def set_mjcb_sensor(callback: object) -> None:
    """Install callback(m, d, stage) after the other sensors of a stage (mjtStage), to write those of type user to d.sensordata.

    Called for stages that a user sensor needs; what it writes there is then clamped to the cutoff.
    """
    table.SENSOR.install(callback)


def get_mjcb_sensor() -> object:
    """The sensor callback that is installed, or None."""
    return table.SENSOR.installed


def set_mjcb_contactfilter(callback: object) -> None:
    """Install callback(m, d, geom1, geom2) -> true to discard a pair of geoms that would otherwise be collided.

    Called for pairs that passed all other filters, and whose bounding spheres meet; not for explicit pairs.
    """
    table.CONTACTFILTER.install(callback)


def get_mjcb_contactfilter() -> object:
    """The contactfilter callback that is installed, or None."""
    return table.CONTACTFILTER.installed


def set_mjcb_time(callback: object) -> None:
    """Install callback() -> the present time, in any unit, which d.timer is measured by."""
    install_clock(callback)


def get_mjcb_time() -> object:
    """The time callback that is installed, or None."""
    return installed_clock()


def set_mju_user_warning(callback: object) -> None:
    """Have callback(text) told each warning of the engine: a state that diverges, an oddity of a file. None: nobody is told.

    Warnings are logged too (logging, "physics"). mj_resetCallbacks leaves it, as in the reference.
    """
    install_warning(callback)


def get_mju_user_warning() -> object:
    """The function that is told warnings, or None."""
    return installed_warning()


def set_mjCOLLISIONFUNC(type1: int, type2: int, collider: object) -> None:
    """Have collider(m, d, geom1, geom2, margin) find the contacts of two types of geoms (mjtGeom), in place of the built-in one.

    It returns points (distance [m], position (3,) [m], frame), or None; a frame is the normal (3,) from geom1 to geom2, which
    is of the greater type, or 6 or 9 numbers with the tangents; 50 points are the most. False: the two types never
    collide; None: the built-in collider, if there is one. A compiled collider takes (m, d): docs/decisions/callbacks.md.
    """
    colliders.install(type1, type2, collider)


def get_mjCOLLISIONFUNC(type1: int, type2: int) -> object:
    """Collider installed for two types of geoms; None without one, False if they never collide."""
    return colliders.installed(type1, type2)


def reset_mjCOLLISIONFUNC() -> None:
    """Restore the built-in colliders of all types of geoms."""
    colliders.remove_all()


def mj_resetCallbacks() -> None:
    """Remove all callbacks; colliders stay, as in the reference: see reset_mjCOLLISIONFUNC."""
    for place in table.PLACES:
        place.install(None)
    install_clock(None)
