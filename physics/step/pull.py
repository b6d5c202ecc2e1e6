"""Pulling at one actuator with what accelerates the joints by a given amount, to see how far it gets: many steps in one call.

Everything that has no part in the motion is left out: sensors, energies, activations.
"""

import math

from tumble.physics.algebra.sparse import solve_ld
from tumble.physics.kernel import kernel, query, run
from tumble.physics.kernel.function import FLOAT, INT, D, M
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.memory import f8_at
from tumble.physics.state.stages import Entry, Phase, span
from tumble.physics.step.forward import acceleration_stages, is_short, position_stages, run_phase, velocity_stages
from tumble.physics.step.simulate import BADQACC, BADQPOS, BADQVEL, is_bad

CONTROL, SLEEP, INTEGRATE = span(Phase.CONTROL), span(Phase.SLEEP), int(Entry.INTEGRATE)


@query(M, D, INT, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, INT)
def pull(m, d, i, accel, most, fade, since, until, ends):
    """Up to d.steps steps, up to a time; returns early, with d.steps left, when out of room or when the state has diverged.

    i: the actuator; accel: that its force gives the joints, lengthening it or (negative) shortening it; most: of that force,
    0: any; fade: by which velocities are multiplied after each step. ends: address of the shortest and the longest that it is
    after a time `since`, which are kept up to date.
    """
    span_of = f8_at(ends, 2)
    while d.steps > 0 and d.time < until:
        if is_bad(m, d, d.qpos, BADQPOS) or is_bad(m, d, d.qvel, BADQVEL):
            return
        if not position_stages(m, d):
            return
        velocity_stages(m, d)
        run_phase(m, d, CONTROL)  # whatever the flag actuation says, as mj_step1 does
        put_force(m, d, i, accel, most)
        acceleration_stages(m, d)
        if is_short(d) or is_bad(m, d, d.qacc, BADQACC):
            return
        run_phase(m, d, SLEEP)
        if d.failed != 0:
            return
        run(m.stage[INTEGRATE], m, d)
        if is_short(d):
            return
        d.steps -= 1
        if d.time > since:
            note(span_of, d.actuator_length[i])
        for k in range(m.nv):
            d.qvel[k] *= fade


@kernel
def note(ends, length):
    """Widen a span so that a length is in it; one that is not a number stays if it is the last."""
    if not length >= ends[0]:
        ends[0] = length
    if not length <= ends[1]:
        ends[1] = length


@kernel
def put_force(m, d, i, accel, most):
    """qfrc_applied <- the force of actuator i that accelerates the joints by `accel`, by norm; not more than `most`, 0: any."""
    first, count = d.moment_rowadr[i], d.moment_rownnz[i]
    for k in range(m.nv):
        d.work_dof[k] = 0.0
        d.qfrc_applied[k] = 0.0
    for a in range(first, first + count):
        d.work_dof[d.moment_colind[a]] = d.actuator_moment[a]
    solve_ld(m.M_rownnz, m.M_rowadr, m.M_colind, d.qLD, d.qLDiagInv, d.work_dof)
    s = 0.0
    for k in range(m.nv):
        s += d.work_dof[k] * d.work_dof[k]
    force = abs(accel) / max(mjMINVAL, math.sqrt(s))
    if most > 0.0:
        force = min(force, most)
    for a in range(first, first + count):
        d.qfrc_applied[d.moment_colind[a]] = math.copysign(force, accel) * d.actuator_moment[a]
