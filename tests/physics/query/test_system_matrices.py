"""Matrices of the equation of motion: against the engine's own products, and the dual matrix of PGS."""

import numpy as np
import pytest
from pytest import approx

from tests.physics.query.test_balance import EXAMPLES, moving
from tumble import physics
from tumble.physics.query.system_matrices import (
    actuator_moments,
    constraint_jacobian,
    dual_matrix,
    inertia_factor,
    inertia_matrix,
    tendon_jacobian,
    velocity_derivative,
)

CHOSEN = [path for path in EXAMPLES if path.stem in ("figure", "tendons", "cloth", "rover", "contacts")]


@pytest.fixture(params=CHOSEN, ids=lambda path: path.stem)
def scene(request):
    m = physics.MjModel.from_xml_path(str(request.param))
    m.opt.enableflags &= ~int(physics.mjtEnableBit.mjENBL_SLEEP)
    d = moving(m)
    physics.mj_forward(m, d)
    return m, d


def test_inertia_and_its_factor_are_the_engines(scene):
    m, d = scene
    M, full = inertia_matrix(m, d).dense(), np.zeros((m.nv, m.nv))
    physics.mj_fullM(m, full, d.qM)
    assert (full == M).all()
    factor = inertia_factor(m, d).dense()
    L, D = np.tril(factor, -1) + np.eye(m.nv), np.diag(np.diag(factor))
    assert approx(M, abs=1e-12 * abs(M).max()) == L.T @ D @ L


def test_jacobian_moves_rows_as_the_engine_says(scene):
    m, d = scene
    J = constraint_jacobian(m, d)
    moved = np.zeros(d.nefc)
    physics.mj_mulJacVec(m, d, moved, d.qvel)
    assert J.dense() @ d.qvel == approx(moved, abs=1e-12)
    assert J.shape == (d.nefc, m.nv)
    assert 0 <= J.fill <= 1


def test_dual_matrix_is_that_of_pgs(scene):
    m, d = scene
    m.opt.solver = int(physics.mjtSolver.mjSOL_PGS)
    m.opt.jacobian = int(physics.mjtJacobian.mjJAC_DENSE)
    physics.mj_forward(m, d)
    n = int(d.nefc)
    A = dual_matrix(constraint_jacobian(m, d), inertia_matrix(m, d), np.asarray(m.dof_treeid))
    stored = np.zeros((n, n))
    physics.mju_sparse2dense(stored, d.efc_AR, d.efc_AR_rownnz, d.efc_AR_rowadr, d.efc_AR_colind)
    assert A + np.diag(d.efc_R) == approx(stored, abs=1e-9 * abs(stored).max(initial=1.0))


def test_moments_and_tendons_give_velocities(scene):
    m, d = scene
    assert actuator_moments(m, d).dense() @ d.qvel == approx(np.asarray(d.actuator_velocity), abs=1e-12)
    assert tendon_jacobian(m, d).dense() @ d.qvel == approx(np.asarray(d.ten_velocity), abs=1e-12)


def test_derivative_of_a_damped_slide_is_its_damping():
    m = physics.MjModel.from_xml_string(
        "<mujoco><option integrator='implicit'/><worldbody><body><joint type='slide' damping='3'/><geom size='.1'/></body>"
        "</worldbody></mujoco>"
    )
    d = physics.MjData(m)
    physics.mj_step(m, d)
    assert velocity_derivative(m, d).dense() == approx(np.array([[-3.0]]))
