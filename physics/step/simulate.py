"""The loop over steps: one kernel call does many, and stops where Python has to help."""

from tumble.physics.base.clock import now
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.state.constants import mjMAXVAL
from tumble.physics.state.enums import mjtDisableBit, mjtTimer, mjtWarning
from tumble.physics.state.stages import Entry, Phase, span
from tumble.physics.step.forward import forward_stages, is_short, lap, run_phase
from tumble.physics.step.tap import look

BADQPOS, BADQVEL, BADQACC = int(mjtWarning.mjWARN_BADQPOS), int(mjtWarning.mjWARN_BADQVEL), int(mjtWarning.mjWARN_BADQACC)
NO_AUTORESET = int(mjtDisableBit.mjDSBL_AUTORESET)
T_STEP = int(mjtTimer.mjTIMER_STEP)
COMPARISON, SLEEP, INTEGRATE = span(Phase.COMPARISON), span(Phase.SLEEP), int(Entry.INTEGRATE)


@kernel
def is_bad(m, d, values, warning):
    """True if a value is not a number or beyond mjMAXVAL: raises the warning, and asks Python to reset if that is wanted."""
    bad = 0
    for i in range(values.shape[0]):
        bad += not abs(values[i]) <= mjMAXVAL  # true of not-a-number too
    if bad == 0:
        return False
    for i in range(values.shape[0]):
        if not abs(values[i]) <= mjMAXVAL:
            d.warning_number[warning] += 1
            d.warning_lastinfo[warning] = i
            if not m.opt_disableflags & NO_AUTORESET:
                d.trouble = warning + 1
                return True
            return False
    return False


@stage
def simulate(m, d):
    """Does d.steps steps. Returns early, with d.steps left to do, when out of room or when the state has diverged."""
    while d.steps > 0:
        start = now(d.clock, d.clock_id)
        if is_bad(m, d, d.qpos, BADQPOS) or is_bad(m, d, d.qvel, BADQVEL):
            return
        if not forward_stages(m, d, True) or is_bad(m, d, d.qacc, BADQACC):
            return
        run_phase(m, d, COMPARISON)
        run_phase(m, d, SLEEP)
        if d.failed != 0:
            return
        run(m.stage[INTEGRATE], m, d)
        if is_short(d):
            return
        d.steps -= 1
        if d.tap != 0:
            look(m, d)
        lap(d, T_STEP, start)


@stage
def check_pos(m, d):
    """Asks for a reset if the position is bad."""
    is_bad(m, d, d.qpos, BADQPOS)


@stage
def check_vel(m, d):
    """Asks for a reset if the velocity is bad."""
    is_bad(m, d, d.qvel, BADQVEL)


@stage
def check_acc(m, d):
    """Asks for a reset if the acceleration is bad."""
    is_bad(m, d, d.qacc, BADQACC)


@stage
def integrate_only(m, d):
    """The integration at the end of mj_step2."""
    run_phase(m, d, SLEEP)
    if d.failed == 0:
        run(m.stage[INTEGRATE], m, d)
