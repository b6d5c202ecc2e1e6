"""The problem of one island as a model and data of its own: the solvers do not know that there are islands."""

from tumble.physics.island.gather import expand_jacobian, is_small
from tumble.physics.kernel import kernel
from tumble.physics.state.constants import mjNISLAND, mjNSOLVER
from tumble.physics.state.enums import mjtSolver
from tumble.physics.state.iterates import HEAD
from tumble.physics.state.layout import DATA_LAYOUT, MODEL_LAYOUT
from tumble.physics.state.overlay import BY_DOF, BY_ROW, BY_TREE, WHOLE, lane_rules, rules, slots

_MODEL = {
    "M_rownnz": ("iM_rownnz", BY_DOF),
    "M_rowadr": ("iM_rowadr", BY_DOF),
    "M_colind": ("iM_colind", WHOLE),
    "dof_treeid": ("island_doftree", BY_DOF),
    "tree_dofadr": ("island_treedof", BY_TREE),
    "tree_dofnum": ("island_treenum", BY_TREE),
}
_DATA = {
    "M": ("iM", WHOLE),
    "qLD": ("iLD", WHOLE),
    "qLDiagInv": ("iLDiagInv", BY_DOF),
    "qfrc_smooth": ("ifrc_smooth", BY_DOF),
    "qacc_smooth": ("iacc_smooth", BY_DOF),
    "qacc_warmstart": ("island_warmstart", BY_DOF),
    "qacc": ("iacc", BY_DOF),
    "qfrc_constraint": ("ifrc_constraint", BY_DOF),
    "efc_b": ("island_b", BY_ROW),
    "efc_J_rownnz": ("iefc_J_rownnz", BY_ROW),
    "efc_J_rowadr": ("iefc_J_rowadr", BY_ROW),
    "efc_J_rowsuper": ("iefc_J_rowsuper", BY_ROW),
    "efc_J_colind": ("iefc_J_colind", WHOLE),
    "efc_first": ("island_first", BY_ROW),
    "efc_end": ("island_end", BY_ROW),
}
_DATA |= {f"efc_{n}": (f"iefc_{n}", BY_ROW) for n in ("type", "id", "frictionloss", "D", "R", "aref", "state", "force")}
_DATA |= {f"solve_{n}": (f"solve_{n}", BY_DOF) for n in ("Ma", "Mv", "grad", "Mgrad", "grad_old", "Mgrad_old", "search")}
_DATA |= {n: (n, BY_DOF) for n in ("solve_LDinv", "solve_first")}
_DATA |= {n: (n, BY_ROW) for n in ("efc_AR_rownnz", "efc_AR_rowadr")}
_DATA |= {f"block_{n}": (f"block_{n}", BY_TREE) for n in ("degree", "order", "place", "adr", "width", "nbadr", "nbnum")}
_DATA |= {n: (n, BY_ROW) for n in ("solve_jar", "solve_Jv", "solve_DJv", "solve_state", "dual_res", "dual_inv")}

MODEL_RULES, DATA_RULES = rules(MODEL_LAYOUT, _MODEL), rules(DATA_LAYOUT, _DATA)
# Statistics: kept for the first islands; those of the others go to a place that is never read.
COUNTS = rules(DATA_LAYOUT, {n: (n, WHOLE) for n in ("solver_niter", "solver_nnz")})
REAL_STATISTICS = rules(
    DATA_LAYOUT, {f"solverstat_{n}": ("island_nowhere", WHOLE) for n in ("improvement", "gradient", "lineslope")}
)
INTEGER_STATISTICS = rules(
    DATA_LAYOUT, {f"solverstat_{n}": ("island_nowhere", WHOLE) for n in ("nactive", "nchange", "neval", "nupdate")}
)

# Working memory that islands cannot share: another thread than the first puts its own in its place.
LANES = lane_rules({
    "solve_cone": "lane_cone", "solve_cone_root": "lane_cone_root", "dual_small": "lane_small", "dual_half": "lane_half",
    "solve_H": "lane_H", "solve_LD": "lane_LD", "block_nb": "lane_nb", "block_bits": "lane_bits",
    "island_J": "lane_J", "island_AR": "lane_AR", "efc_AR_colind": "lane_AR_colind", "island_nowhere": "lane_nowhere",
})  # fmt: skip

AR, ISLAND_AR = DATA_LAYOUT.slot["efc_AR"], DATA_LAYOUT.slot["island_AR"]
NOWHERE, JACOBIAN, IJACOBIAN, BLOCK = (DATA_LAYOUT.slot[n] for n in ("island_nowhere", "efc_J", "iefc_J", "island_J"))
M_NV, M_NTREE = MODEL_LAYOUT.slot["nv"], MODEL_LAYOUT.slot["ntree"]
D_NE, D_NF, D_NL, D_NEFC, D_NA, D_SPARSE = (DATA_LAYOUT.slot[n] for n in ("ne", "nf", "nl", "nefc", "nA", "flg_sparse"))
D_NEED, D_RECORD = DATA_LAYOUT.slot["needH"], DATA_LAYOUT.slot["record_base"]
PGS = int(mjtSolver.mjSOL_PGS)


@kernel
def has_dual(m):
    """True if the solver, or the no-slip pass after it, works on the dual problem."""
    return m.opt_solver == PGS or m.opt_noslip_iterations > 0


@kernel
def ask_dual(d, k):
    """needA <- what the dual's matrix of island k needs, if there is no room for it."""
    n = d.island_nefc[k]
    need = n * max(n, d.island_nv[k])
    if need > max(d.maxA, d.needA):
        d.needA = need


@kernel
def ask_hessian(d, need):
    """needH <- the entries of a Hessian, if there is no room for them."""
    if need > max(d.maxH, d.needH):
        d.needH = need


@kernel
def copy_needs(d):
    """Hand an island's request for room on to the data."""
    ask_hessian(d, d.island_data[D_NEED])
    d.island_data[D_NEED] = 0


@kernel
def model_slots(d, lane):
    """The overlay of the model that a lane has; lane 0 is the thread that steps."""
    return d.island_model if lane == 0 else d.lane_model[lane - 1]


@kernel
def data_slots(d, lane):
    """The overlay of the data that a lane has."""
    return d.island_data if lane == 0 else d.lane_data[lane - 1]


@kernel
def jacobian_room(d, lane):
    """Place of an island's dense Jacobian in a lane."""
    return d.island_J if lane == 0 else d.lane_J[lane - 1]


@kernel
def dual_room(d, lane):
    """Place of an island's dual matrix in a lane."""
    return d.island_AR if lane == 0 else d.lane_AR[lane - 1]


@kernel
def start_overlay(m, d, lane):
    """A lane's overlays <- the slots of the model and the data, with the lane's own working memory."""
    source, target = slots(m), model_slots(d, lane)
    for k in range(target.shape[0]):
        target[k] = source[k]
    source, target = slots(d), data_slots(d, lane)
    for k in range(target.shape[0]):
        target[k] = source[k]
    if lane > 0:
        for k in range(LANES.shape[0]):
            to, at, size = LANES[k, 0], LANES[k, 1], LANES[k, 2]
            if LANES[k, 3] != 0:  # a row of a capacity: its length goes along
                size *= source[at + 2]
                target[to + 1] = source[at + 2]
            target[to] = source[at] + size * (lane - 1)
    target[AR], target[AR + 1] = target[ISLAND_AR], target[ISLAND_AR + 1]


@kernel
def redirect(target, source, table, dof, ndof, row, nrow, tree, ntree):
    """Make slots of an overlay mean the part of an island: ndof dofs from dof on, nrow rows from row on, its trees."""
    for k in range(table.shape[0]):
        to, address, kind, size = table[k, 0], source[table[k, 1]], table[k, 2], table[k, 3]
        if kind == BY_DOF:
            target[to] = address + size * dof
            target[to + 1] = ndof
        elif kind == BY_ROW:
            target[to] = address + size * row
            target[to + 1] = nrow
        elif kind == BY_TREE:
            target[to] = address + size * tree
            target[to + 1] = ntree
        else:
            target[to] = address
            target[to + 1] = source[table[k, 1] + 1]


@kernel
def lay_island(d, k, lane):
    """Turn a lane's overlay to island k. A small island of a sparse problem becomes dense: there short loops beat lists."""
    model, data, source = model_slots(d, lane), data_slots(d, lane), slots(d)
    dof, ndof, row, nrow = d.island_idofadr[k], d.island_nv[k], d.island_iefcadr[k], d.island_nefc[k]
    tree, ntree = d.island_itreeadr[k], d.island_ntree[k]
    redirect(model, source, MODEL_RULES, dof, ndof, row, nrow, tree, ntree)
    redirect(data, source, DATA_RULES, dof, ndof, row, nrow, tree, ntree)
    data[D_SPARSE] = 0
    data[JACOBIAN + 1] = source[IJACOBIAN + 1]  # the length: slices are cut where an array ends
    if d.flg_sparse == 0:
        data[JACOBIAN] = source[IJACOBIAN] + 8 * row * d.nidof
    elif is_small(d, k):
        expand_jacobian(d, k, jacobian_room(d, lane))
        data[JACOBIAN] = data[BLOCK]
        data[JACOBIAN + 1] = data[BLOCK + 1]
    else:
        data[JACOBIAN] = source[IJACOBIAN]
        data[D_SPARSE] = 1
    model[M_NV], model[M_NTREE] = ndof, ntree
    data[D_NE], data[D_NF], data[D_NL], data[D_NEFC] = d.island_ne[k], d.island_nf[k], d.island_nl[k], nrow
    data[D_NA] = nrow * nrow if d.nA > 0 else 0
    data[D_RECORD] = HEAD * k + 2 * row + dof  # its part of each slot: see state/iterates.py
    lay_statistics(data, source, k)


@kernel
def lay_statistics(data, source, k):
    """Let the statistics of island k go to their place in d.solver."""
    for j in range(COUNTS.shape[0]):
        data[COUNTS[j, 0]] = source[COUNTS[j, 0]] + 4 * k if k < mjNISLAND else data[NOWHERE]
    at = k * mjNSOLVER
    for j in range(REAL_STATISTICS.shape[0]):
        to = REAL_STATISTICS[j, 0]
        data[to] = source[to] + 8 * at if k < mjNISLAND else data[NOWHERE]
    for j in range(INTEGER_STATISTICS.shape[0]):
        to = INTEGER_STATISTICS[j, 0]
        data[to] = source[to] + 4 * at if k < mjNISLAND else data[NOWHERE]
