"""The solver and the no-slip pass on each island, and before them what they prepare once the rows are known.

Islands are solved one after the other, or on several threads (m.tumble.threads): each thread has a lane, which is an overlay
and working memory, and takes the next island as long as there is one. See docs/decisions/islands.md.
"""

from tumble.physics.base.clock import now
from tumble.physics.island.gather import clear_dual, finish_dual, gather_dual, gather_forces, is_small, scatter, scatter_dual
from tumble.physics.island.island_overlay import (
    ask_dual,
    ask_hessian,
    copy_needs,
    data_slots,
    dual_room,
    has_dual,
    lay_island,
    model_slots,
    start_overlay,
)
from tumble.physics.island.lanes import take_island, usable_lanes
from tumble.physics.kernel import kernel, run, stage
from tumble.physics.parallel.atomic import address_of
from tumble.physics.parallel.share import lane_work, share
from tumble.physics.solver.note import note
from tumble.physics.state.constants import mjNISLAND
from tumble.physics.state.iterates import BEGIN, END
from tumble.physics.state.overlay import as_data, as_model
from tumble.physics.state.stages import Entry

LANE, ROOM, DUAL = int(Entry.LANE), int(Entry.ROOM), int(Entry.DUAL)
SOLVER, NOSLIP = int(Entry.SOLVER), int(Entry.NOSLIP)


@stage
def project_islands(m, d):
    """Runs what the solver and the no-slip pass prepare: the dual's matrix, or only a question for room.

    The dual's matrix of a dense problem goes to d.efc_AR; that of a sparse problem would be too large: it is made
    island by island when they are solved, and here only its size is found.
    """
    if d.nisland == 0 or d.island_whole != 0:
        run_if_needed(m.stage[ROOM], m, d)
        run_if_needed(m.stage[DUAL], m, d)
        return
    d.nA = 0
    if has_dual(m):
        for k in range(d.nisland):
            ask_dual(d, k)
        if d.flg_sparse == 0:
            project_dense(m, d)
    if m.stage[ROOM] != 0:
        find_room(m, d)


@kernel
def run_if_needed(address, m, d):
    """Runs a stage that the model may do without."""
    if address != 0:
        run(address, m, d)


@kernel
def find_room(m, d):
    """Asks for the room that the largest island's Hessian needs."""
    start_overlay(m, d, 0)
    for k in range(d.nisland):
        if is_small(d, k):
            ask_hessian(d, d.island_nv[k] * d.island_nv[k])
        else:
            lay_island(d, k, 0)
            run(m.stage[ROOM], as_model(d.island_model), as_data(d.island_data))
            copy_needs(d)


@kernel
def project_dense(m, d):
    """efc_AR, island by island, so that what is between the dofs of one does not change how its sums are rounded."""
    if d.nefc * d.nefc > max(d.maxA, d.needA):
        d.needA = d.nefc * d.nefc
    if d.needA != 0:
        return
    clear_dual(d)
    start_overlay(m, d, 0)
    for k in range(d.nisland):
        lay_island(d, k, 0)
        run(m.stage[DUAL], as_model(d.island_model), as_data(d.island_data))
        scatter_dual(d, k)
    finish_dual(d)


@stage
def solve_islands(m, d):
    """Reads the islands (discover) and all that the solver reads; writes what the solver writes, and the i... fields.

    If there are no islands, or one that is everything, the solver works on the whole. The no-slip pass follows it.
    """
    for k in range(mjNISLAND):
        d.solver_niter[k] = 0
        d.solver_nnz[k] = 0
    note(m, d, BEGIN)
    if d.nisland == 0 or d.island_whole != 0:
        start = now(d.clock, d.clock_id)
        run(m.stage[SOLVER], m, d)
        run_if_needed(m.stage[NOSLIP], m, d)
        if d.nisland > 0:
            d.island_time[0] = now(d.clock, d.clock_id) - start
        note(m, d, END)
        return
    gather_forces(m, d)
    share(m.pool, m.stage[LANE], address_of(m), address_of(d), usable_lanes(m, d))
    scatter(m, d)
    note(m, d, END)


@lane_work
def solve_lane(m, d, lane):
    """Solves islands in a lane, until all are taken."""
    k = take_island(d)
    if k < 0:
        return
    start_overlay(m, d, lane)
    model, data = model_slots(d, lane), data_slots(d, lane)
    start = now(d.clock, d.clock_id)
    while k >= 0:
        lay_island(d, k, lane)
        if has_dual(m) and d.nA > 0:  # without a dual, nA is still that of the solver before
            gather_dual(d, k, dual_room(d, lane))
        elif has_dual(m):
            run(m.stage[DUAL], as_model(model), as_data(data))
        run(m.stage[SOLVER], as_model(model), as_data(data))
        run_if_needed(m.stage[NOSLIP], as_model(model), as_data(data))
        end = now(d.clock, d.clock_id)
        d.island_time[k] = end - start
        start = end
        k = take_island(d)
