"""The states that keyframes hold."""

from __future__ import annotations

import logging

from tumble.physics.errors import UnknownIndexError
from tumble.physics.state.arguments import checked
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

log = logging.getLogger(__name__)


def keyframe_state(m: Model, d: Data, key: int) -> None:
    """Take the state and controls of a keyframe; with no keyframe of this index, change nothing."""
    if not 0 <= key < m.nkey:
        log.warning("no keyframe %d: the model has %d, counted from 0; the data are reset only", key, m.nkey)
        return
    d.time = m.key_time[key]
    d.qpos, d.qvel, d.act, d.ctrl = m.key_qpos[key], m.key_qvel[key], m.key_act[key], m.key_ctrl[key]
    d.mocap_pos, d.mocap_quat = m.key_mpos[key].reshape(-1, 3), m.key_mquat[key].reshape(-1, 4)


@checked
def mj_setKeyframe(m: Model, d: Data, k: int) -> None:
    """Make the present state and controls keyframe k of the model; UnknownIndexError if it has none of this number."""
    if not 0 <= k < m.nkey:
        if k >= 0:
            raise UnknownIndexError(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
        raise UnknownIndexError(f"mj_setKeyframe: index must not be negative, is {k}")
    m.key_time[k] = d.time
    m.key_qpos[k], m.key_qvel[k], m.key_act[k], m.key_ctrl[k] = d.qpos, d.qvel, d.act, d.ctrl
    m.key_mpos[k], m.key_mquat[k] = d.mocap_pos.ravel(), d.mocap_quat.ravel()
