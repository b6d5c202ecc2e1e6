"""The solver on each island, one after the other."""

from physics.island.gather import gather_dual, gather_forces, scatter
from physics.island.overlay import lay_island, start_overlay
from physics.kernel import run, stage
from physics.state.constants import mjNISLAND
from physics.state.overlay import as_data, as_model
from physics.step.table import SOLVER


@stage
def solve_islands(m, d):
    """Reads the islands (discover) and all that the solver reads; writes what the solver writes, and the i... fields.

    Where there are no islands, or one that is everything, the solver works on the whole.
    """
    for k in range(mjNISLAND):
        d.solver_niter[k] = 0
        d.solver_nnz[k] = 0
    if d.nisland == 0 or d.island_whole != 0:
        run(m.stage[SOLVER], m, d)
        return
    gather_forces(m, d)
    start_overlay(m, d)
    for k in range(d.nisland):
        lay_island(d, k)
        if d.nA > 0:
            gather_dual(d, k)
        run(m.stage[SOLVER], as_model(d.island_model), as_data(d.island_data))
    scatter(m, d)
