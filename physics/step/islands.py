"""The solver on each island, one after the other, and before it what the solver prepares once the rows are known."""

from physics.island.gather import gather_dual, gather_forces, is_small, scatter
from physics.island.overlay import ask_dual, ask_hessian, copy_needs, has_dual, lay_island, start_overlay
from physics.kernel import run, stage
from physics.solver.note import note
from physics.state.constants import mjNISLAND
from physics.state.iterates import BEGIN, END
from physics.state.overlay import as_data, as_model
from physics.step.table import PROJECTOR, SOLVER


@stage
def project_islands(m, d):
    """Runs what the solver prepares: the dual's matrix, or only a question for room.

    The dual's matrix of a dense problem is made whole, in d.efc_AR; that of a sparse problem would be too large: it is
    made island by island when they are solved, and here only its size is found.
    """
    if d.nisland == 0 or d.island_whole != 0 or (d.flg_sparse == 0 and has_dual(m)):
        run(m.stage[PROJECTOR], m, d)
        return
    d.nA = 0
    start_overlay(m, d)
    for k in range(d.nisland):
        if has_dual(m):
            ask_dual(d, k)
        elif is_small(d, k):
            ask_hessian(d, d.island_nv[k] * d.island_nv[k])
        else:
            lay_island(d, k)
            run(m.stage[PROJECTOR], as_model(d.island_model), as_data(d.island_data))
            copy_needs(d)


@stage
def solve_islands(m, d):
    """Reads the islands (discover) and all that the solver reads; writes what the solver writes, and the i... fields.

    Where there are no islands, or one that is everything, the solver works on the whole.
    """
    for k in range(mjNISLAND):
        d.solver_niter[k] = 0
        d.solver_nnz[k] = 0
    note(m, d, BEGIN)
    if d.nisland == 0 or d.island_whole != 0:
        run(m.stage[SOLVER], m, d)
        note(m, d, END)
        return
    gather_forces(m, d)
    start_overlay(m, d)
    for k in range(d.nisland):
        lay_island(d, k)
        if d.nA > 0:
            gather_dual(d, k)
        elif has_dual(m):
            run(m.stage[PROJECTOR], as_model(d.island_model), as_data(d.island_data))
        run(m.stage[SOLVER], as_model(d.island_model), as_data(d.island_data))
    scatter(m, d)
    note(m, d, END)
