"""What the medium needs to know of geoms: virtual masses against closed forms and the reference, and what a file may say."""

import math

import mujoco
import numpy as np
import pytest

from tumble.physics.compiler.bodies.fluid import added_mass, kappa
from tumble.physics.model import MjModel

SHAPES = """<mujoco><asset><mesh name="tetra" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 1 1"/></asset>
<default><geom fluidshape="ellipsoid" fluidcoef=".4 .2 1.7 1.3 .8"/>
<default class="less"><geom fluidcoef="1 2"/></default></default>
<worldbody><geom type="plane" size="1 2 .1"/>
<body><freejoint/><geom size=".2"/><geom type="capsule" size=".1 .3"/><geom type="cylinder" size=".1 .3"/>
<geom type="box" size=".1 .2 .3"/><geom type="ellipsoid" size=".1 .25 .01"/><geom type="mesh" mesh="tetra"/>
<geom type="box" mesh="tetra"/><geom size=".1" class="less"/><geom size=".1" fluidshape="none"/></body></worldbody></mujoco>"""


def test_geoms_of_every_type_have_the_reference_s_numbers():
    theirs = mujoco.MjModel.from_xml_string(SHAPES).geom_fluid
    np.testing.assert_allclose(MjModel.from_xml_string(SHAPES).geom_fluid, theirs, rtol=1e-12, atol=1e-15)
    assert theirs[-1].max() == 0.0
    assert theirs[-2, 1:6].tolist() == [1, 2, 1.7, 1.3, 0.8]  # what is not written is the default class's


def test_a_sphere_moves_half_of_its_volume_of_the_medium():
    mass = added_mass((0.3, 0.3, 0.3))
    half = 2 / 3 * math.pi * 0.3**3
    np.testing.assert_allclose(mass[:3], half, rtol=1e-6)  # the quadrature has 15 points, and errs by 6e-7 here
    assert mass[3:] == (0.0, 0.0, 0.0)


def test_a_disk_moves_eight_thirds_of_its_radius_cubed_and_turns_as_lamb_says():
    mass = added_mass((1e-7, 0.5, 0.5))  # of no thickness: Lamb, Hydrodynamics, 102
    assert mass[0] == pytest.approx(8 / 3 * 0.5**3, rel=1e-5)
    assert mass[4] == pytest.approx(16 / 45 * 0.5**5, rel=1e-5)
    assert mass[5] == pytest.approx(mass[4], rel=1e-9)


@pytest.mark.parametrize("r", [(1, 1, 1), (1, 2, 3), (1e-3, 1, 2), (1e-6, 1, 1), (1e-5, 1, 1e3), (1e4, 1, 1)])
def test_kappas_add_up_to_two_however_thin_the_ellipsoid(r):
    k = kappa(r)
    assert max(k) < 2.0
    assert abs(sum(k) - 2.0) <= 0.05 * (2.0 - max(k)) + 1e-14  # a virtual mass has 2 - kappa in its denominator


def test_an_unbounded_plane_has_no_virtual_mass():
    xml = '<mujoco><worldbody><geom type="plane" size="0 0 1" fluidshape="ellipsoid"/></worldbody></mujoco>'
    assert MjModel.from_xml_string(xml).geom_fluid[0].tolist() == [1, 0.5, 0.25, 1.5, 1, 1, 0, 0, 0, 0, 0, 0]
