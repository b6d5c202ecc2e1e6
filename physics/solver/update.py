"""The constraint at a given J qacc - aref: its cost, forces, states and, on request, the Hessians of elliptic cones."""

from tumble.physics.kernel import kernel, stage
from tumble.physics.solver.cone import cone_hessian
from tumble.physics.solver.cost import constraint_cost
from tumble.physics.solver.product import add_scaled, mul_jac, mul_jac_t
from tumble.physics.state.enums import mjtConstraint, mjtConstraintState

ELLIPTIC = int(mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC)
CONE = int(mjtConstraintState.mjCNSTRSTATE_CONE)


@stage
def update_constraint(m, d):
    """Reads solve_jar; writes solve_cost, efc_state, efc_force, qfrc_constraint."""
    d.solve_cost = constraint_cost(d, d.solve_jar)
    mul_jac_t(m, d, d.efc_force, d.qfrc_constraint)


@stage
def update_cones(m, d):
    """Reads solve_jar and efc_state; writes contact_H of the elliptic contacts in the cone state."""
    cone_hessians(d)


@kernel
def cone_hessians(d):
    """contact_H of every contact in the cone state."""
    r = d.ne + d.nf + d.nl
    while r < d.nefc:
        if d.efc_type[r] == ELLIPTIC:
            c = d.efc_id[r]
            if d.efc_state[r] == CONE:
                cone_hessian(d, c, r, d.solve_jar)
            r += d.contact_dim[c]
        else:
            r += 1


@stage
def inverse_constraint(m, d):
    """Reads qacc, the rows and efc_aref; writes efc_force, efc_state and qfrc_constraint."""
    forces_of_acceleration(m, d)


@kernel
def forces_of_acceleration(m, d):
    """efc_force, efc_state and qfrc_constraint that go with d.qacc."""
    mul_jac(m, d, d.qacc, d.solve_jar)
    add_scaled(d.solve_jar, -1.0, d.efc_aref, d.nefc)
    constraint_cost(d, d.solve_jar)
    mul_jac_t(m, d, d.efc_force, d.qfrc_constraint)
