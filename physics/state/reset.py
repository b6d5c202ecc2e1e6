"""The initial state of a simulation, and the states that keyframes hold."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from physics import clock
from physics.errors import UnknownIndexError
from physics.state.constants import mjMINAWAKE
from physics.state.enums import mjtSleepState
from physics.state.model import Model

if TYPE_CHECKING:
    from physics.state.data import Data

log = logging.getLogger(__name__)

# Room that was made stays; so do recording, who looks on, and the count of runs.
_KEPT = {
    "maxcon", "maxefc", "maxJ", "maxA", "maxL", "maxH", "maxD", "maxisland", "maxlane", "maxR", "maxS", "record_stage",
    "record_limit", "tap", "resets",
}  # fmt: skip


def initial_state(m: Model, d: Data) -> None:
    """Bring the data to qpos0, at rest, awake, all inputs and results zero."""
    slot = d._struct.slot
    for f in d._struct.fields.values():
        if f.shape == ():
            if f.name not in _KEPT:
                d._slots[slot[f.name]] = 0
        else:
            d._arrays[f.name].fill(0)
    d.resets += 1
    d.clock, d.clock_id = clock.ADDRESS, clock.MONOTONIC
    d.qpos = m.qpos0
    d.eq_active = m.eq_active0
    for b in range(m.nbody):
        k = m.body_mocapid[b]
        if k >= 0:
            d.mocap_pos[k], d.mocap_quat[k] = m.body_pos[b], m.body_quat[b]
    all_awake(m, d)


def all_awake(m: Model, d: Data) -> None:
    """Wake everybody, and have the poses of static bodies computed anew: the state of sleep that data begin with."""
    d.tree_asleep.fill(-1 - mjMINAWAKE)
    d.tree_awake.fill(1)
    follows = m.body_mocapid[m.body_rootid] >= 0  # a mocap body, or fixed to one
    d.body_awake = np.where((m.body_weldid == 0) & ~follows, mjtSleepState.mjS_STATIC, mjtSleepState.mjS_AWAKE)
    d.body_stirs.fill(1)
    d.body_awake_ind, d.dof_awake_ind = np.arange(m.nbody), np.arange(m.nv)
    d.parent_awake_ind = np.roll(np.arange(m.nbody), -1)
    d.ntree_awake, d.nbody_awake, d.nparent_awake, d.nv_awake = m.ntree, m.nbody, m.nbody - 1, m.nv
    d.awake_nrun = min(1, m.ntree)
    if m.ntree:
        d.awake_tree[0], d.awake_dof[0], d.awake_joint[0] = (0, m.ntree), (0, m.nv), (0, m.njnt)
    d.static_ready = 0


def keyframe_state(m: Model, d: Data, key: int) -> None:
    """Take the state and controls of a keyframe; with no keyframe of this index, change nothing."""
    if not 0 <= key < m.nkey:
        log.warning("no keyframe %d: the model has %d, counted from 0; the data are reset only", key, m.nkey)
        return
    d.time = m.key_time[key]
    d.qpos, d.qvel, d.act, d.ctrl = m.key_qpos[key], m.key_qvel[key], m.key_act[key], m.key_ctrl[key]
    d.mocap_pos, d.mocap_quat = m.key_mpos[key].reshape(-1, 3), m.key_mquat[key].reshape(-1, 4)


def mj_setKeyframe(m: Model, d: Data, k: int) -> None:
    """Make the present state and controls keyframe k of the model; UnknownIndexError if it has none of this number."""
    if not 0 <= k < m.nkey:
        raise UnknownIndexError(f"keyframe {k} does not exist; the model has {m.nkey}, counted from 0")
    m.key_time[k] = d.time
    m.key_qpos[k], m.key_qvel[k], m.key_act[k], m.key_ctrl[k] = d.qpos, d.qvel, d.act, d.ctrl
    m.key_mpos[k], m.key_mquat[k] = d.mocap_pos.ravel(), d.mocap_quat.ravel()
