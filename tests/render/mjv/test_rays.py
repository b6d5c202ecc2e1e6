"""Rays of rangefinders: on sites, and through the pixels of cameras of every kind."""

import mujoco
import numpy as np
import pytest

from tumble import mujoco as ours
from tumble.physics import MjData, MjModel, mj_forward
from tumble.render.camera import Camera, view_of
from tumble.render.constants import MeshId
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions, Selection
from tumble.render.scene.scene import Scene

XML = """<mujoco><worldbody><light pos="0 0 4"/><geom type="plane" size="5 5 1"/>
<body pos="0 0 2"><freejoint/><geom size=".1"/><site name="down" zaxis="0 .1 -1"/>
<camera name="c" pos="0 .1 0" resolution="4 3" {camera}/></body></worldbody>
<sensor><rangefinder site="down" data="{data}"/><rangefinder camera="c" data="{data}"/></sensor></mujoco>"""
CAMERAS = {
    "perspective": 'zaxis="0 1 1" fovy="70"',
    "orthographic": 'zaxis="0 .3 1" projection="orthographic" fovy="1.5"',
    "lens": 'zaxis="0 .3 1" focal="0.01 0.012" principal="0.001 -0.002" sensorsize="0.02 0.015"',
}


def lines(lib: object, xml: str) -> np.ndarray:
    """(n, 7) place, direction and length of each line that the scene lists for a sensor."""
    m = lib.MjModel.from_xml_string(xml)
    d = lib.MjData(m)
    lib.mj_forward(m, d)
    scene, camera = lib.MjvScene(m, 1000), lib.MjvCamera()
    lib.mjv_updateScene(m, d, lib.MjvOption(), None, camera, lib.mjtCatBit.mjCAT_ALL, scene)
    geoms = [scene.geoms[i] for i in range(scene.ngeom)]
    return np.array([[*g.pos, *np.asarray(g.mat).reshape(3, 3)[:, 2], g.size[2]] for g in geoms
                     if g.type == lib.mjtGeom.mjGEOM_LINE and g.objtype == lib.mjtObj.mjOBJ_SENSOR])  # fmt: skip


@pytest.mark.parametrize("camera", CAMERAS)
def test_rays_end_on_what_they_meet(camera: str) -> None:
    """Which is the floor for all of them."""
    found = lines(ours, XML.format(camera=CAMERAS[camera], data="dist"))
    assert len(found) > 3
    ends = found[:, :3] + found[:, 6:] * found[:, 3:6]
    np.testing.assert_allclose(ends[:, 2], 0.0, atol=1e-5)
    assert len(np.unique(np.round(ends, 4), axis=0)) == len(found)


@pytest.mark.parametrize("data", ["dist", "dist normal"])
def test_a_scene_lists_the_references_rays(data: str) -> None:
    """Of a camera with a field of view; it draws those of others elsewhere than it measures them."""
    xml = XML.format(camera=CAMERAS["perspective"], data=data)
    own, theirs = lines(ours, xml), lines(mujoco, xml)
    assert len(own) == len(theirs) > 3
    np.testing.assert_allclose(own, theirs, atol=1e-5)


def test_the_view_shows_a_rod_for_each() -> None:
    model = MjModel.from_xml_string(XML.format(camera=CAMERAS["perspective"], data="dist"))
    data = MjData(model)
    mj_forward(model, data)
    frame = Frame.from_data(data)
    view = view_of(Camera(), model, frame, 1.0)

    def rods(options: RenderOptions) -> int:
        part = Scene(model).build(frame, view, options, Selection())
        return int((part.mesh == MeshId.CAPSULE).sum())

    met = int((data.sensordata >= 0).sum())
    assert rods(RenderOptions()) - rods(RenderOptions(rangefinder=False)) == met > 3
