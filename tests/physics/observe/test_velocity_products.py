"""Centrifugal and Coriolis force: the textbook's two links, spinning bodies, tendons, and what cannot be told apart."""

import numpy as np
import pytest
from pytest import approx

from tumble import physics
from tumble.physics.observe.motion import velocity_products
from tumble.physics.observe.motion.velocity_products import VelocityProducts
from tumble.physics.query.balance.equation import forces_by_origin, gravity_forces
from tumble.physics.query.balance.terms import Origin as O

LINKS = """<mujoco><option gravity="0 0 -9.81"/><worldbody><body><joint name="first" axis="0 1 0"/>
    <geom size=".01" pos=".5 0 0" mass="1" contype="0" conaffinity="0"/>
    <body pos=".5 0 0"><joint name="second" axis="0 1 0"/>
      <geom size=".01" pos=".3 0 0" mass="2" contype="0" conaffinity="0"/></body></body>{more}</worldbody>{end}</mujoco>"""
FREE = """<body pos="0 3 0" quat="{quat}"><freejoint/><geom type="ellipsoid" size=".1 .2 .3" quat="{inverse}" mass="1"/></body>"""


def moving(text, qpos=(), qvel=()):
    m = physics.MjModel.from_xml_string(text)
    d = physics.MjData(m)
    d.qpos[: len(qpos)], d.qvel[: len(qvel)] = qpos, qvel
    physics.mj_forward(m, d)
    return m, d


def test_two_links_are_those_of_the_textbook():
    """h = m l1 l2 sin q2 for a point of mass m at the end: c1 = -h v2^2 - 2 h v1 v2, c2 = h v1^2 (Craig, section 6.8)."""
    v1, v2, q2 = 1.7, -0.9, 0.8
    m, d = moving(LINKS.format(more="", end=""), (0.4, q2), (v1, v2))
    h = 2 * 0.5 * 0.3 * np.sin(q2)
    balance = VelocityProducts(m).split(m, d, forces_by_origin(m, d))
    assert balance.sum(O.CENTRIFUGAL) == approx([h * v2**2, -h * v1**2])  # as forces: -c
    assert balance.sum(O.COUPLING) == approx([2 * h * v1 * v2, 0.0], abs=1e-12)
    assert not balance.sum(O.CORIOLIS).any()
    assert balance.sum(*O) == approx(np.zeros(2), abs=1e-9)
    assert d.qvel == approx([v1, v2])  # and the data are as they were


def test_gyroscopic_force_of_a_free_body_is_centrifugal_in_whatever_axes():
    """One joint moves: there are no products of two, though the six velocities in the axes of the body multiply each other."""
    torques = []
    spin = np.array([1.0, 2.0, 3.0])
    for quat in ([1.0, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]):
        inverse = np.array([quat[0], *[-x for x in quat[1:]]])
        text = FREE.format(quat=" ".join(map(str, quat)), inverse=" ".join(map(str, inverse)))
        m, d = moving(LINKS.format(more=text, end=""))
        local = np.zeros(3)
        physics.mju_rotVecQuat(local, spin, inverse)
        d.qvel[2:] = 0.3, 0.2, 0.1, *local
        physics.mj_forward(m, d)
        balance = VelocityProducts(m).split(m, d, forces_by_origin(m, d))
        assert abs(balance.sum(O.COUPLING)).max() < 1e-12
        world = np.zeros(3)
        physics.mju_rotVecQuat(world, balance.sum(O.CENTRIFUGAL)[5:], np.array(quat))
        torques.append(world)
    assert abs(torques[0]).max() > 0.01
    assert torques[1] == approx(torques[0])



@pytest.mark.parametrize("tied", [False, True])
def test_parts_are_exact_for_trees_together_and_for_tendons_that_tie_them(tied):
    """Against the force with each joint moving alone; a tendon with armature between two trees makes products across."""
    site = '<body pos="0 2 0"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/><site name="b" pos=".2 0 0"/></body>'
    end = '<tendon><spatial armature="3"><site site="a"/><site site="b"/></spatial></tendon>' if tied else ""
    text = LINKS.format(more=site, end=end).replace('<body pos=".5 0 0">', '<body pos=".5 0 0"><site name="a" pos=".2 0 .1"/>')
    qvel = np.array([1.0, -2.0, 3.0])
    m, d = moving(text, (0.3, 0.5, 0.7), qvel)
    expected = np.zeros(3)
    alone = physics.MjData(m)
    for k in range(3):
        alone.qpos[:], alone.qvel[:] = d.qpos, 0.0
        alone.qvel[k] = qvel[k]
        physics.mj_forward(m, alone)
        expected -= alone.qfrc_bias + gravity_forces(m, alone)
    assert VelocityProducts(m).centrifugal(m, d) == approx(expected, abs=1e-9)


def test_only_trees_that_matter_are_evaluated_and_too_many_joints_are_not(monkeypatch):
    more = '<body pos="0 2 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom size=".1" pos=".2 0 0"/></body>'
    m, d = moving(LINKS.format(more=more, end=""), (0.3, 0.5, 0.7, 0.1), (1.0, -2.0, 3.0, 1.0))
    products = VelocityProducts(m)
    both, one = products.centrifugal(m, d), products.centrifugal(m, d, np.array([0]))
    assert one[:2] == approx(both[:2])
    assert not one[2:].any()
    assert both[2:].any()
    monkeypatch.setattr(velocity_products, "MOST_EVALUATIONS", 1)
    assert products.centrifugal(m, d) is None
    balance = forces_by_origin(m, d)
    assert products.split(m, d, balance) is balance
