"""The namespace's Renderer: colours, depths and segmentations as arrays, without a window."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.app.mujoco.pictures import SIZE
from tests.physics.scenes import GYM
from tests.render.mjv.both import EVERYTHING
from tumble import mujoco

XML = """<mujoco><worldbody><camera name="front" pos="0 -6 0" xyaxes="1 0 0 0 0 1"/>
<geom name="box" type="box" size="1 1 1" rgba=".2 .4 .6 1"/></worldbody></mujoco>"""
ROOT = Path(__file__).parents[3]


def load(xml: str = XML) -> tuple[Any, Any]:
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Any:
    out = tmp_path_factory.mktemp("reference") / "pictures.npz"
    paths = [str(EVERYTHING), *(str(path) for path in GYM if path.stem == "humanoid")]
    command = [sys.executable, "-m", "tests.app.mujoco.pictures", str(out), *paths]
    subprocess.run(command, check=True, cwd=ROOT, env=os.environ | {"MUJOCO_GL": "egl"}, capture_output=True)
    return np.load(out)


def inner(what: np.ndarray) -> np.ndarray:
    """(height, width) pixels whose neighbours all show the same thing."""
    same = np.ones(what.shape[:2], bool)
    for y in (-1, 0, 1):
        for x in (-1, 0, 1):
            same &= (np.roll(what, (y, x), (0, 1)) == what).all(axis=2)
    return same


def test_depths_and_segmentations_are_the_references(reference: Any) -> None:
    paths = {key.rpartition(" ")[0] for key in reference.files}
    assert len(paths) == 2
    for path in paths:
        model = mujoco.MjModel.from_xml_path(path)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        with mujoco.Renderer(model, *SIZE) as renderer:
            renderer.update_scene(data)
            renderer.enable_depth_rendering()
            depth = renderer.render()
            renderer.enable_segmentation_rendering()
            what = renderer.render()
        theirs, deep = reference[f"{path} what"], reference[f"{path} depth"]
        for kind in np.unique(theirs.reshape(-1, 2), axis=0):
            one, two = (what == kind).all(axis=2), (theirs == kind).all(axis=2)
            if two.sum() > 200:  # of a few pixels, one on the edge is much
                assert (one & two).sum() / (one | two).sum() > 0.97, (path, kind)
        away = inner(what) & inner(theirs)
        off = np.abs(depth - deep)[away] / deep[away]
        # Where a curved surface turns away, a facet more or less shows; elsewhere only rounding.
        assert np.quantile(off, 0.999) < 1e-3
        assert np.median(off) < 1e-4


SKY = """<asset><texture type="skybox" builtin="gradient" rgb1=".2 .5 .9" rgb2="1 1 1" width="64" height="64"/></asset>"""


def test_a_picture_before_any_scene_is_black() -> None:
    with mujoco.Renderer(load()[0], *SIZE) as renderer:
        assert not renderer.render().any()
        renderer.enable_segmentation_rendering()
        assert (renderer.render() == -1).all()


@pytest.mark.parametrize("reset", [False, True])
def test_a_fixed_camera_without_a_pose_sees_the_sky_alone(reset: bool) -> None:
    """Before mj_forward and after mj_resetData; the colours are the reference's (3.5.0) of this texture: those along x."""
    model, data = load(XML.replace("<worldbody>", SKY + "<worldbody>"))
    if reset:
        mujoco.mj_resetData(model, data)
    else:
        data = mujoco.MjData(model)
    with mujoco.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data, "front")
        seen = [[197, 218, 247], [176, 206, 245], [152, 191, 242], [127, 175, 238]]
        np.testing.assert_allclose(renderer.render()[30, ::20], seen, atol=1)
        renderer.enable_segmentation_rendering()
        assert (renderer.render() == -1).all()
        mujoco.mj_forward(model, data)
        renderer.update_scene(data, "front")
        assert (renderer.render()[30, 40] == (0, mujoco.mjtObj.mjOBJ_GEOM)).all()


def test_user_geoms_appear_in_picture_and_segmentation() -> None:
    model, data = load()
    with mujoco.Renderer(model, 60, 80) as renderer:
        renderer.update_scene(data, "front")
        plain = renderer.render()
        scene = renderer.scene
        geom = scene.geoms[scene.ngeom]
        red = np.array([1, 0, 0, 1], np.float32)
        mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_CAPSULE, np.zeros(3), np.zeros(3), np.zeros(9), red)
        mujoco.mjv_connector(geom, mujoco.mjtGeom.mjGEOM_CAPSULE, 0.2, np.array([-1.5, -2.0, 0]), np.array([1.5, -2.0, 0]))
        geom.segid, geom.objid, geom.objtype = scene.ngeom, 7, mujoco.mjtObj.mjOBJ_SITE
        scene.ngeom += 1
        drawn = renderer.render()
        renderer.enable_segmentation_rendering()
        what = renderer.render()
    assert tuple(plain[30, 40] > 100) != tuple(drawn[30, 40] > 100)
    assert drawn[30, 40, 0] > 2 * drawn[30, 40, 2]
    assert tuple(what[30, 40]) == (7, mujoco.mjtObj.mjOBJ_SITE)
    assert tuple(what[0, 0]) == (-1, -1)


def test_renderers_take_turns_without_being_told() -> None:
    model, data = load()
    other, its = load(XML.replace(".2 .4 .6", ".9 .1 .1"))
    with mujoco.Renderer(model, 40, 60) as one, mujoco.Renderer(other, 30, 50) as two:
        one.update_scene(data, 0)
        two.update_scene(its, 0)
        first, second = one.render(), two.render()
        np.testing.assert_array_equal(one.render(), first)
        two.close()
        np.testing.assert_array_equal(one.render(), first)
    assert first[20, 30, 2] > first[20, 30, 0]
    assert second[15, 25, 0] > second[15, 25, 2]


def test_a_picture_is_written_where_it_is_wanted() -> None:
    model, data = load()
    with mujoco.Renderer(model, 40, 60) as renderer:
        renderer.update_scene(data)
        place = np.zeros((40, 60, 3), np.float32)
        assert renderer.render(out=place) is place
        np.testing.assert_array_equal(place, renderer.render())
        with pytest.raises(ValueError, match=r"\(40, 60, 3\)"):
            renderer.render(out=np.zeros((60, 40, 3)))
        renderer.enable_depth_rendering()
        assert renderer.render().shape == (40, 60)
        renderer.disable_depth_rendering()
        assert renderer.render().shape == (40, 60, 3)


def test_a_scene_that_was_never_updated_is_empty() -> None:
    """As the reference has it: black, as far as can be seen, and nobody."""
    model, _ = load()
    with mujoco.Renderer(model, 8, 8) as renderer:
        assert not renderer.render().any()
        renderer.enable_depth_rendering()
        np.testing.assert_allclose(renderer.render(), model.vis.map.zfar * model.stat.extent, rtol=1e-6)
        renderer.enable_segmentation_rendering()
        assert (renderer.render() == -1).all()


def test_what_cannot_be_drawn_is_refused() -> None:
    model, data = load()
    with pytest.raises(ValueError, match=r"width 641 .* 640.*offwidth"):
        mujoco.Renderer(model, 480, 641)
    with pytest.raises(ValueError, match=r"height 481 .* 480.*offheight"):
        mujoco.Renderer(model, 481, 640)
    renderer = mujoco.Renderer(model, 40, 60)
    with pytest.raises(ValueError, match='camera "back" does not exist'):
        renderer.update_scene(data, "back")
    with pytest.raises(ValueError, match="1 is out of range"):
        renderer.update_scene(data, 1)
    renderer.close()
    renderer.close()
    with pytest.raises(RuntimeError, match="render cannot be called after close"):
        renderer.render()
    with pytest.raises(RuntimeError, match="update_scene cannot be called after close"):
        renderer.update_scene(data)


def test_a_skin_is_drawn_where_its_bones_are() -> None:
    model, data = load(
        """<mujoco><statistic extent="2"/><asset>
        <skin name="skin" vertex="0 0 0 1 0 0 0 0 1" face="0 1 2" rgba="0 1 0 1"><bone body="b" bindpos="0 0 0"
        bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></asset><worldbody>
        <camera pos="0 -6 0" xyaxes="1 0 0 0 0 1"/><body name="b"><freejoint/><geom size=".01"/></body></worldbody></mujoco>"""
    )
    seen = []
    with mujoco.Renderer(model, 60, 80) as renderer:
        for x in (-1.5, 1.0):
            data.qpos[0] = x
            mujoco.mj_forward(model, data)
            renderer.update_scene(data, 0)
            seen.append(np.flatnonzero((renderer.render()[:, :, 1] > 60).any(axis=0)).mean())
            np.testing.assert_allclose(renderer.scene.skinvert.reshape(3, 3)[:, 0], np.array([0, 1, 0]) + x, atol=1e-6)
    assert seen[0] < 35 < 45 < seen[1]
