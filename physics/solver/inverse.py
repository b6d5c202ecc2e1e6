"""Constraint forces for a known acceleration: no solver is needed, every row or contact has its own closed form."""

from tumble.physics.kernel import kernel, stage
from tumble.physics.solver.cost import constraint_cost
from tumble.physics.solver.product import add_scaled, mul_jac, mul_jac_t


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
