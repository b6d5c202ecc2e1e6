"""Solids of bodies: volume and inertia of their geoms, as the compiler has them for bodies without <inertial>."""

from __future__ import annotations

import numpy as np
import pytest

from tests.app.doctor.test_rules import model
from tests.physics.query.test_geom_shapes import tub
from tumble import physics
from tumble.app.doctor.body_shape import BodyShapes, gyration

VERTICES, FACES = (" ".join(f"{number:g}" for number in numbers.ravel()) for numbers in tub())
GEOMS = """<geom type="box" size=".1 .2 .3" pos=".3 0 0"/><geom type="capsule" size=".1 .2" euler="30 40 0"/>
  <geom type="cylinder" size=".1 .2" pos="0 .5 0"/><geom type="ellipsoid" size=".1 .2 .3"/>
  <geom type="sphere" size=".2" pos="0 0 1"/><geom type="mesh" mesh="tub" pos="0 -.5 0"/>"""


def body(geoms: str) -> physics.MjModel:
    asset = f'<asset><mesh name="tub" vertex="{VERTICES}" face="{FACES}"/></asset>'
    return physics.MjModel.from_xml_string(model(f"<body><freejoint/>{geoms}</body>", asset))


def test_solid_of_all_geoms_has_the_inertia_of_a_body_of_one_density() -> None:
    m = body(GEOMS)
    (solid,) = BodyShapes(m).of_body(1)
    assert 1000 * solid.volume == pytest.approx(float(m.body_mass[1]))
    assert np.sqrt(solid.square) == pytest.approx(gyration(m, 1))
    assert solid.centre == pytest.approx(np.asarray(m.body_ipos[1]))


def test_what_is_seen_and_what_collides_are_solids_of_their_own_unless_they_are_a_small_part() -> None:
    seen, pad = '<geom size=".2" contype="0" conaffinity="0"/>', '<geom size=".05" pos="0 0 .2"/>'
    ball = '<geom size=".19"/>'
    volumes = [[solid.volume for solid in BodyShapes(body(geoms)).of_body(1)] for geoms in (seen + ball, seen + pad)]
    assert [len(each) for each in volumes] == [3, 2]
    assert volumes[0][0] == pytest.approx(volumes[0][1] + volumes[0][2])


def test_world_with_a_plane_has_no_solid() -> None:
    m = physics.MjModel.from_xml_string(model('<geom type="plane" size="1 1 1"/><geom size=".1"/>'))
    assert BodyShapes(m).of_body(0) == []
