"""The analytic derivative of smooth forces by velocity, qDeriv, is what finite differences say, and what the reference has."""

import mujoco
import numpy as np
import pytest

from tests.physics.dynamics.derivative_scenes import ACTUATORS, MUSCLES, SCENES, dense, differences, move, random_state, tree
from tests.physics.reference import load, posed, twins
from tumble import physics
from tumble.physics.algebra.mat3 import load9
from tumble.physics.dynamics.derivative.rne import rne_derivative
from tumble.physics.dynamics.derivative.smooth import smooth_derivative
from tumble.physics.dynamics.derivative.wrench import add_wrench, clear_wrenches, gather_wrenches
from tumble.physics.run.program import bind

ARM = """<mujoco><worldbody><body><joint name="a" damping=".3"/><geom size=".1" pos="0 .1 .3"/></body></worldbody>
  <actuator>{}</actuator></mujoco>"""


def derivative(m, d):
    """The derivative of forces that are not those of a medium, (nv, nv)."""
    bind(m)
    smooth_derivative(m, d)
    rne_derivative(m, d)
    return dense(m, d.qDeriv)


@pytest.mark.parametrize("name", SCENES)
def test_it_is_what_finite_differences_say(name):
    m, d, _, _ = random_state(SCENES[name], 1)
    analytic, found = derivative(m, d), differences(m, d)
    # rounding of forces over the step, 1e-5; muscles are not quadratic, but smooth
    np.testing.assert_allclose(analytic, found, rtol=0, atol=1e-8 * max(1, np.abs(found).max()))
    assert np.abs(found).max() > 1


@pytest.mark.parametrize(("actuator", "ctrl"), [
    ('<position joint="a" kp="9" kv="2" forcerange="-1 1"/>', 5), ('<position joint="a" kp="9" kv="2" forcerange="-99 99"/>', 5),
    ('<damper joint="a" kv="4" ctrlrange="0 1"/>', 7), ('<damper joint="a" kv="4" ctrlrange="0 1"/>', float("nan")),
    ('<general joint="a" gaintype="affine" gainprm="1 2 3" ctrlrange="-.2 .2"/>', -4),
])  # fmt: skip
def test_limits_of_force_and_control_count(actuator, ctrl):
    m, d = load(ARM.format(actuator))
    d.qvel, d.ctrl = 0.7, ctrl
    physics.mj_forward(m, d)
    np.testing.assert_allclose(derivative(m, d), differences(m, d), rtol=0, atol=1e-9)


def test_what_couples_branches_is_left_out_and_the_rest_is_there():
    """Between two trees, or two branches of one, the pattern has no place."""
    tendon = '<tendon><spatial damping="2"><site site="s2"/><site site="s3"/></spatial></tendon>'
    m, d, _, _ = random_state(tree(tendon), 2)
    found = derivative(m, d) - derivative(*random_state(tree(), 2)[:2])
    arms = d.ten_J[0]
    kept = dense(m, np.ones(m.nD)) > 0
    np.testing.assert_allclose(found, np.where(kept, -2 * np.outer(arms, arms), 0), rtol=0, atol=1e-12)
    assert np.abs(np.where(kept, 0, np.outer(arms, arms))).max() > 1e-3


@pytest.mark.parametrize("option", ['integrator="implicit"', 'integrator="implicitfast"'])
def test_all_of_it_is_the_references_in_random_states(option):
    for rest in ("", ACTUATORS.replace('tendon="sum"', 'joint="bend"'), MUSCLES.replace('tendon="path"', 'joint="turn"')):
        rm, rd, m, d = twins(tree(rest, option))
        for seed in range(4):
            move(m, d, rm, rd, seed)
            physics.mj_implicit(m, d)
            mujoco.mj_implicit(rm, rd)
            np.testing.assert_allclose(d.qDeriv, rd.qDeriv, rtol=1e-9, atol=1e-12 * np.abs(rd.qDeriv).max())


def test_that_of_sleeping_trees_is_left_as_it_is():
    two = """<mujoco><option integrator="implicitfast"><flag sleep="enable"/></option><worldbody>
      <body sleep="init"><joint name="a" damping="3"/><geom size=".1" pos="0 .1 0"/></body>
      <body pos="1 0 0"><joint name="b" damping="5"/><geom size=".1" pos="0 .1 0"/></body></worldbody>
      <actuator><velocity joint="a" kv="2"/><velocity joint="b" kv="7"/></actuator></mujoco>"""
    m, d = posed(two)
    assert list(d.tree_awake) == [0, 1]
    d.qDeriv = [123, 456]
    physics.mj_implicit(m, d)
    np.testing.assert_array_equal(d.qDeriv, [123, -12])


def test_a_wrench_on_bodies_adds_what_their_jacobians_say():
    """J' R B R' J, summed over bodies, J the Jacobian of a point of each; the kernels in their Python form."""
    m, d, _, _ = random_state(tree(), 3)
    rng = np.random.default_rng(4)
    clear_wrenches(d)
    d.qDeriv[:] = 0.0
    expected = np.zeros((m.nv, m.nv))
    for b in (1, 3, 5, 6, 8):
        slope, point = rng.normal(size=(6, 6)), d.xipos[b] + rng.normal(size=3)
        jac = np.zeros((6, m.nv))
        physics.mj_jac(m, d, jac[3:], jac[:3], point, b)
        axes = np.kron(np.eye(2), d.ximat[b].reshape(3, 3))
        expected += jac.T @ axes @ slope @ axes.T @ jac
        add_wrench(m, d, b, tuple(point), load9(d.ximat, b), slope)
    gather_wrenches(m, d)
    np.testing.assert_allclose(dense(m, d.qDeriv), expected, rtol=0, atol=1e-11 * np.abs(expected).max())
