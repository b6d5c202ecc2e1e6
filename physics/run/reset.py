"""Reset of a simulation: initial state, keyframes, and trees that begin asleep."""

from __future__ import annotations

import numpy as np

from tumble.physics.dynamics.com import com_pos
from tumble.physics.dynamics.kinematics import kinematics
from tumble.physics.errors import ModelError
from tumble.physics.run.copy_data import clear_data
from tumble.physics.run.room import run_stage
from tumble.physics.sleep.fall import begin_asleep
from tumble.physics.state.arguments import checked
from tumble.physics.state.components import keyframe_state
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtEnableBit, mjtSleepPolicy
from tumble.physics.state.fields.data_fields import COMPUTED, STATE
from tumble.physics.state.model import Model
from tumble.physics.step.inverse import inverse_pos, inverse_vel

_BYTE = 255
_SENSORDATA = next(f for f in STATE if f.name == "sensordata")


def mj_resetData(m: Model, d: Data) -> None:
    """Bring the data to the model's initial state: qpos0, at rest, all inputs and results zero.

    With the flag sleep, trees whose sleep policy is init begin asleep. Raises ModelError, and leaves all awake, if one
    cannot: it touches, or is coupled with, a tree of another policy.
    """
    clear_data(m, d)
    start_asleep(m, d)


@checked
def mj_resetDataKeyframe(m: Model, d: Data, key: int) -> None:
    """Reset, then take the state and controls of a keyframe; with no keyframe of this index, only reset.

    A tree that begins asleep wakes at the next step if the keyframe puts it elsewhere or gives it a velocity.
    """
    mj_resetData(m, d)
    keyframe_state(m, d, key)


@checked
def mj_resetDataDebug(m: Model, d: Data, debug_value: int) -> None:
    """Reset, then fill all bytes of what is computed from the state with debug_value, 0 to 255: who reads it too early sees it.

    Raises ModelError for another value.
    """
    if not 0 <= debug_value <= _BYTE:
        raise ModelError(f"debug_value should be a byte, 0 to {_BYTE}; it is {debug_value}")
    mj_resetData(m, d)
    for f in (*(f for f in COMPUTED if "awake" not in f.name), _SENSORDATA):
        if f.shape:
            d._arrays[f.name].view(np.uint8).fill(debug_value)


def start_asleep(m: Model, d: Data) -> None:
    """Put the trees to sleep that begin asleep. Raises ModelError, all awake, if one cannot."""
    tree = begin_sleep(m, d)
    if tree >= 0:
        message = why_awake(m, d, tree)
        clear_data(m, d)
        raise ModelError(message)


def any_begins_asleep(m: Model) -> bool:
    """True if a tree is to begin asleep."""
    return bool(m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP and (m.tree_sleep_policy == mjtSleepPolicy.mjSLEEP_INIT).any())


def begin_sleep(m: Model, d: Data) -> int:
    """Put the trees to sleep that begin asleep; returns the first that cannot, or -1."""
    if not m.opt.enableflags & mjtEnableBit.mjENBL_SLEEP:
        return -1
    wanted = m.tree_sleep_policy == mjtSleepPolicy.mjSLEEP_INIT
    if not wanted.any():
        kinematics(m, d)
        com_pos(m, d)
        return -1
    run_stage(m, d, inverse_pos)
    run_stage(m, d, inverse_vel)
    begin_asleep(m, d)
    failed = np.flatnonzero(wanted & (d.tree_asleep < 0))
    return int(failed[0]) if len(failed) else -1


def why_awake(m: Model, d: Data, tree: int) -> str:
    """Message on a tree that begin_sleep could not put to sleep."""
    wanted = np.count_nonzero(m.tree_sleep_policy == mjtSleepPolicy.mjSLEEP_INIT)
    asleep, root = np.count_nonzero(d.tree_asleep >= 0), int(m.tree_bodyadr[tree])
    return (
        f"{wanted} trees were marked as sleep='init' but only {asleep} could be slept: body '{m.body(root).name}' (id={root}) is "
        "the root of the first tree that could not be slept; it touches, or is coupled with, a tree that is not marked"
    )
