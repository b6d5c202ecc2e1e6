"""Inertias by ten free numbers: always those of a body, and the file's at zero."""

from __future__ import annotations

import numpy as np
import pytest

from tumble import physics
from tumble.physics.errors import ModelError, UnknownNameError
from tumble.physics.pseudo_inertia import NAMES, BodyInertia, body_of, changed, pseudo_inertia

BOX = """
<mujoco><worldbody><body name="box"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 .2" euler="10 20 30"/></body>
<body name="rod" pos="2 0 0"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/></body></worldbody></mujoco>
"""


def test_any_ten_numbers_are_a_possible_body() -> None:
    """The moments are positive, and none is greater than the sum of the others: what a compiler would refuse cannot come out."""
    rng = np.random.default_rng(1)
    pseudo = pseudo_inertia(2.0, np.array([0.1, 0.0, -0.2]), np.diag([0.02, 0.03, 0.04]))
    for _ in range(200):
        mass, _, moments = body_of(changed(pseudo, rng.normal(0, 1, 10)))
        principal = np.linalg.eigvalsh(moments)
        assert mass > 0
        assert principal[0] > 0
        assert principal[2] < principal[0] + principal[1]


def test_zero_is_the_body_of_the_file() -> None:
    model = physics.MjModel.from_xml_string(BOX)
    body = BodyInertia(model, "box")
    other = physics.MjModel.from_xml_string(BOX)
    body.put(other, np.zeros(10))
    assert other.body_mass[1] == pytest.approx(model.body_mass[1])
    assert np.allclose(other.body_ipos[1], model.body_ipos[1])
    assert np.allclose(np.sort(other.body_inertia[1]), np.sort(model.body_inertia[1]))


def test_the_first_number_scales_mass_and_moments_alike() -> None:
    pseudo = pseudo_inertia(2.0, np.array([0.1, 0.0, -0.2]), np.diag([0.02, 0.03, 0.04]))
    x = np.zeros(10)
    x[NAMES.index("log_mass")] = np.log(1.5)
    mass, centre, moments = body_of(changed(pseudo, x))
    assert mass == pytest.approx(3.0)
    assert np.allclose(centre, [0.1, 0.0, -0.2])
    assert np.allclose(moments, np.diag([0.03, 0.045, 0.06]))


def test_bodies_that_cannot_be_varied_are_named() -> None:
    model = physics.MjModel.from_xml_string(BOX)
    with pytest.raises(UnknownNameError, match=r"no body 'bax'; there are box, rod"):
        BodyInertia(model, "bax")
    with pytest.raises(ModelError, match=r"rod has moments of inertia of no body that has a volume"):
        BodyInertia(model, "rod")
