"""Sensors of type user: a callback writes their readings, after the other sensors of their stage; without one they are 0."""

from __future__ import annotations

import numpy as np

from tumble.physics.callback.call import tell
from tumble.physics.dynamics.com import subtree_momenta
from tumble.physics.dynamics.rne_post import inner_forces
from tumble.physics.kernel import Stage, kernel, stage
from tumble.physics.sensor.output import clamp
from tumble.physics.state.enums import mjtSensor, mjtStage
from tumble.physics.state.model import Model
from tumble.physics.state.stages import Entry

USER, SENSOR_CALLBACK = int(mjtSensor.mjSENS_USER), int(Entry.SENSOR_CALLBACK)
POS, VEL, ACC = int(mjtStage.mjSTAGE_POS), int(mjtStage.mjSTAGE_VEL), int(mjtStage.mjSTAGE_ACC)


@kernel
def user_sensors(m, d, stage):
    """Have the callback write the user's sensors of a stage, and clamp them."""
    for s in range(m.nsensor):
        if m.sensor_type[s] == USER and m.sensor_needstage[s] == stage:
            for a in range(m.sensor_adr[s], m.sensor_adr[s] + m.sensor_dim[s]):
                d.sensordata[a] = 0.0
    if m.stage[SENSOR_CALLBACK] != 0:
        tell(m.stage[SENSOR_CALLBACK], m, d, stage)
    for s in range(m.nsensor):
        if m.sensor_type[s] == USER and m.sensor_needstage[s] == stage:
            clamp(m, d, s)


@stage
def user_pos(m, d):
    """Writes the user's sensors of positions in sensordata."""
    user_sensors(m, d, POS)


@stage
def user_vel(m, d):
    """Writes the user's sensors of velocities in sensordata, and the momenta of subtrees for their callback."""
    if d.flg_subtreevel == 0:
        subtree_momenta(m, d)
    user_sensors(m, d, VEL)


@stage
def user_acc(m, d):
    """Writes the user's sensors of accelerations in sensordata, and cacc, cfrc_int, cfrc_ext for their callback."""
    if d.flg_rnepost == 0:
        inner_forces(m, d)
    user_sensors(m, d, ACC)


USER_STAGES: dict[Entry, tuple[Stage, int]] = {
    Entry.USER_POS: (user_pos, POS), Entry.USER_VEL: (user_vel, VEL), Entry.USER_ACC: (user_acc, ACC),
}  # fmt: skip


def user_stages(m: Model) -> dict[Entry, Stage]:
    """The stages that the model's sensors of type user need, by their entries."""
    wanted = np.asarray(m.sensor_needstage)[m.sensor_type == USER]
    return {entry: run for entry, (run, when) in USER_STAGES.items() if (wanted == when).any()}
