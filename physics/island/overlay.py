"""The problem of one island as a model and data of its own: the solvers do not know that there are islands."""

from physics.kernel import kernel
from physics.state.constants import mjNISLAND, mjNSOLVER
from physics.state.overlay import BY_DOF, BY_ROW, WHOLE, rules, slots
from physics.state.view import DataType, ModelType

_MODEL = {
    "M_rownnz": ("iM_rownnz", BY_DOF),
    "M_rowadr": ("iM_rowadr", BY_DOF),
    "M_colind": ("iM_colind", WHOLE),
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
    "efc_AR": ("island_AR", WHOLE),
    "efc_b": ("island_b", BY_ROW),
    "efc_first": ("island_first", BY_ROW),
    "efc_end": ("island_end", BY_ROW),
}
_DATA |= {f"efc_{n}": (f"iefc_{n}", BY_ROW) for n in ("type", "id", "frictionloss", "D", "R", "aref", "state", "force")}
_DATA |= {f"solve_{n}": (f"solve_{n}", BY_DOF) for n in ("Ma", "Mv", "grad", "Mgrad", "grad_old", "Mgrad_old", "search")}
_DATA |= {n: (n, BY_DOF) for n in ("solve_LDinv", "solve_first")}
_DATA |= {n: (n, BY_ROW) for n in ("solve_jar", "solve_Jv", "solve_DJv", "solve_state", "dual_res", "dual_inv")}

MODEL_RULES, DATA_RULES = rules(ModelType, _MODEL), rules(DataType, _DATA)
# Statistics: kept for the first islands; those of the others go to a place that nobody reads.
COUNTS = rules(DataType, {n: (n, WHOLE) for n in ("solver_niter", "solver_nnz")})
REAL_STATISTICS = rules(DataType, {f"solverstat_{n}": ("island_nowhere", WHOLE) for n in ("improvement", "gradient", "lineslope")})
INTEGER_STATISTICS = rules(
    DataType, {f"solverstat_{n}": ("island_nowhere", WHOLE) for n in ("nactive", "nchange", "neval", "nupdate")}
)

NOWHERE, JACOBIAN, IJACOBIAN = DataType.slot["island_nowhere"], DataType.slot["efc_J"], DataType.slot["iefc_J"]
M_NV = ModelType.slot["nv"]
D_NE, D_NF, D_NL, D_NEFC, D_NA = (DataType.slot[n] for n in ("ne", "nf", "nl", "nefc", "nA"))


@kernel
def start_overlay(m, d):
    """island_model, island_data <- the slots of the model and the data."""
    source, target = slots(m), d.island_model
    for k in range(target.shape[0]):
        target[k] = source[k]
    source, target = slots(d), d.island_data
    for k in range(target.shape[0]):
        target[k] = source[k]


@kernel
def redirect(target, source, table, dof, ndof, row, nrow):
    """Make slots of an overlay mean the part of an island: ndof dofs from dof on, nrow rows from row on."""
    for k in range(table.shape[0]):
        to, address, kind, size = table[k, 0], source[table[k, 1]], table[k, 2], table[k, 3]
        if kind == BY_DOF:
            target[to] = address + size * dof
            target[to + 1] = ndof
        elif kind == BY_ROW:
            target[to] = address + size * row
            target[to + 1] = nrow
        else:
            target[to] = address
            target[to + 1] = source[table[k, 1] + 1]


@kernel
def lay_island(d, k):
    """Turn the overlay to island k."""
    model, data, source = d.island_model, d.island_data, slots(d)
    dof, ndof, row, nrow = d.island_idofadr[k], d.island_nv[k], d.island_iefcadr[k], d.island_nefc[k]
    redirect(model, source, MODEL_RULES, dof, ndof, row, nrow)
    redirect(data, source, DATA_RULES, dof, ndof, row, nrow)
    data[JACOBIAN] = source[IJACOBIAN] + 8 * row * d.nidof
    model[M_NV] = ndof
    data[D_NE], data[D_NF], data[D_NL], data[D_NEFC] = d.island_ne[k], d.island_nf[k], d.island_nl[k], nrow
    data[D_NA] = nrow * nrow if d.nA > 0 else 0
    lay_statistics(data, source, k)


@kernel
def lay_statistics(data, source, k):
    """Let the statistics of island k go to their place in d.solver."""
    for j in range(COUNTS.shape[0]):
        data[COUNTS[j, 0]] = source[COUNTS[j, 0]] + 4 * k if k < mjNISLAND else source[NOWHERE]
    at = k * mjNSOLVER
    for j in range(REAL_STATISTICS.shape[0]):
        to = REAL_STATISTICS[j, 0]
        data[to] = source[to] + 8 * at if k < mjNISLAND else source[NOWHERE]
    for j in range(INTEGER_STATISTICS.shape[0]):
        to = INTEGER_STATISTICS[j, 0]
        data[to] = source[to] + 4 * at if k < mjNISLAND else source[NOWHERE]
