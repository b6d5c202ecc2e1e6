"""Sleep within a step: after the collisions who is touched wakes, before the integration who rests falls asleep."""

from physics.dynamics.asleep import some_asleep
from physics.kernel import run, stage
from physics.sleep.fall import fall
from physics.sleep.lists import update_lists
from physics.sleep.wake import remember_mocap, wake_contacts
from physics.state.stages import Entry
from physics.step.forward import (
    ACCELERATION_SENSORS,
    VELOCITY_SENSORS,
    acceleration_stages,
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
    if fall(m, d) == 0:
        return
    d.flg_energyvel = 0
    d.flg_subtreevel = 0
    d.flg_rnepost = 0
    velocity_stages(m, d)
    run_phase(m, d, VELOCITY_SENSORS)
    acceleration_stages(m, d)
    run_phase(m, d, ACCELERATION_SENSORS)
    update_lists(m, d)
