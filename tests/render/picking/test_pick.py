"""Picking: the same distances as the reference's ray casting, and the geom that the picture shows."""

from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from tests.render.drawn import Rays
from tumble.render.camera import Camera, view_of
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

SHAPES = """
<asset><mesh name="tetra" vertex="-1 -1 -1  1 0 0  0 1 0  0 0 1" scale=".4 .4 .4"/>
<hfield name="h" nrow="5" ncol="4" size=".5 .5 0.3 0.1" elevation="0 0 0 0  0 1 1 0  0 0 .5 0  0 1 0 0  0 0 0 0"/></asset>
<worldbody><geom type="plane" size="4 4 .1" pos="0 0 -1"/>
<body pos="-1 0 0" euler="20 30 40"><freejoint/><geom type="box" size=".3 .2 .4"/></body>
<body pos="0 0 0" euler="50 10 0"><freejoint/><geom type="capsule" size=".2 .3"/></body>
<body pos="1 0 0" euler="10 60 0"><freejoint/><geom type="cylinder" size=".2 .3"/></body>
<body pos="0 1 0" euler="10 60 30"><freejoint/><geom type="ellipsoid" size=".2 .3 .45"/></body>
<body pos="0 -1 0"><freejoint/><geom size=".3"/></body>
<body pos="1 1 0" euler="30 60 30"><freejoint/><geom type="mesh" mesh="tetra"/></body>
<geom type="hfield" hfield="h" pos="-1 -1 0"/></worldbody>"""


@pytest.fixture
def scene(load: Any) -> tuple[Any, Any, Frame, Rays]:
    model, data = load(SHAPES)
    return model, data, Frame.from_data(data), Rays(model)


def test_distances_are_the_references_for_rays_from_everywhere(scene: Any) -> None:
    model, data, frame, picker = scene
    rng = np.random.default_rng(4)
    hit_geoms = set()
    for _ in range(600):
        origin = rng.normal(size=3)
        origin *= 3.5 / np.linalg.norm(origin)
        origin[2] = abs(origin[2])
        # A base wall of the reference's height field is no surface of its own: aim from above it.
        direction = rng.uniform(-1.4, 1.4, 3) - origin
        direction /= np.linalg.norm(direction)
        geom = np.zeros(1, np.int32)
        expected = mujoco.mj_ray(model, data, origin, direction, None, 1, -1, geom)
        hit = picker.along(frame, RenderOptions(), origin, direction)
        if expected < 0:
            assert hit is None
            continue
        assert hit is not None
        assert hit.geom == geom[0]
        # Mesh and height-field vertices are float32 on both sides.
        assert hit.distance == pytest.approx(expected, abs=2e-6)
        np.testing.assert_allclose(hit.point, origin + hit.distance * direction)
        b = hit.body
        assert b == model.geom_bodyid[hit.geom]
        np.testing.assert_allclose(data.xpos[b] + data.xmat[b].reshape(3, 3) @ hit.localpos, hit.point, atol=1e-12)
        hit_geoms.add(hit.geom)
    assert len(hit_geoms) == model.ngeom


def test_hidden_geoms_are_not_picked(load: Any) -> None:
    model, data = load('<worldbody><geom size=".5" group="1"/><geom size=".2" pos="0 0 -1"/></worldbody>')
    frame, picker = Frame.from_data(data), Rays(model)
    for geom, groups in ((0, [True] * 6), (1, [True, False] * 3)):
        hit = picker.along(frame, RenderOptions(geom_group=groups), np.array([0, 0, 3.0]), np.array([0, 0, -1.0]))
        assert hit is not None
        assert hit.geom == geom


def test_orthographic_picks_along_parallel_rays(scene: Any) -> None:
    model, data, frame, picker = scene
    camera = replace(Camera(distance=4.0, azimuth=90.0, elevation=-89.0), orthographic=True)
    view = view_of(camera, model, frame, 1.0)
    x, y, _ = view.project(data.xpos[5], 200, 200)[0]
    hit = picker.at_pixel(frame, view, RenderOptions(), x, y, 200, 200)
    assert hit is not None
    assert hit.body == 5


def test_a_signed_distance_field_is_picked_where_its_mesh_is(load: Any) -> None:
    model, data = load("""<extension><plugin plugin="mujoco.sdf.nut"><instance name="i"/></plugin></extension>
<asset><mesh name="m"><plugin instance="i"/></mesh></asset>
<worldbody><geom type="sdf" mesh="m"><plugin instance="i"/></geom></worldbody>""")
    picker, down = Rays(model), np.array([0.0, 0.0, -1.0])
    frame = Frame.from_data(data)
    for hulls in (False, True):
        options = RenderOptions(convex_hull=hulls)
        assert picker.along(frame, options, np.array([0.0, 0.0, 2.0]), down) is None  # through the nut
        hit = picker.along(frame, options, np.array([0.42, 0.0, 2.0]), down)
        assert hit is not None
        assert hit.distance == pytest.approx(2.0, abs=0.02)  # its top is at 0
