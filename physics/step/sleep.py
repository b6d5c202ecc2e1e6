"""Sleep within a step: after the collisions who is touched wakes, before the integration who rests falls asleep."""

from tumble.physics.dynamics.asleep import some_asleep
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.sleep.fall import READY, fall
from tumble.physics.sleep.lists import update_lists
from tumble.physics.sleep.wake import remember_mocap, wake_contacts
from tumble.physics.state.stages import Entry
from tumble.physics.step.forward import (
    ACCELERATION_SENSORS,
    VELOCITY_SENSORS,
    acceleration_stages,
    ask_control,
    is_short,
    run_phase,
    velocity_stages,
)

COLLISION = int(Entry.COLLISION)


@stage
def wake_touching(m, d):
    """Wakes trees that touch an awake one, and collides again: contacts among sleeping trees were skipped."""
    while some_asleep(m, d) and not is_short(d) and wake_contacts(m, d) > 0:
        run(m.stage[COLLISION], m, d)
    if m.nmocap > 0 and not is_short(d):
        remember_mocap(m, d)


@stage
def fall_asleep(m, d):
    """Puts to sleep who rests: velocities become zero, and what depends on them is computed once more, for the last time."""
    for k in range(d.awake_nrun):
        for i in range(d.awake_dof[k, 0], d.awake_dof[k, 1]):
            d.rk_qvel0[i] = d.qvel[i]  # which no other part of a step with sleep uses
    if fall(m, d) == 0:
        return
    d.flg_energyvel = 0
    d.flg_subtreevel = 0
    d.flg_rnepost = 0
    velocity_stages(m, d)
    run_phase(m, d, VELOCITY_SENSORS)
    ask_control(m, d)
    acceleration_stages(m, d)
    run_phase(m, d, ACCELERATION_SENSORS)
    if d.failed == 0:
        update_lists(m, d)
    else:
        stay_awake(m, d)


@kernel
def stay_awake(m, d):
    """After a callback has failed: the trees that were about to fall asleep are as they were when the step began."""
    for t in range(m.ntree):
        if d.tree_asleep[t] >= 0 and d.tree_awake[t] == 1:
            d.tree_asleep[t] = READY
            for i in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
                d.qvel[i] = d.rk_qvel0[i]
