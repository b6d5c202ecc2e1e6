"""A scene lists what the reference's lists: the same geoms in the same order, in the same place, size and paint."""

from typing import Any

import numpy as np
import pytest

from tests.render.mjv.both import assert_alike, both, listed, mujoco, ours
from tumble.physics.errors import ModelError
from tumble.physics.state.enums import mjtCatBit, mjtFrame, mjtLabel, mjtVisFlag

# Islands have our colours; volumes of hierarchies are not listed.
UNLIKE = (mjtVisFlag.mjVIS_ISLAND, mjtVisFlag.mjVIS_BODYBVH, mjtVisFlag.mjVIS_MESHBVH)
FLAGS = [flag for flag in mjtVisFlag if flag != mjtVisFlag.mjNVISFLAG]
ALL_DECOR = {int(flag): 1 for flag in FLAGS if flag not in (*UNLIKE, mjtVisFlag.mjVIS_TRANSPARENT)}
HELD = {
    "select": 1, "localpos": [0.1, 0, 0.1], "refpos": [0.2, 0.3, 0.4], "refselpos": [0.3, 0.3, 0.4], "refquat": [0.8, 0.6, 0, 0],
}  # fmt: skip


def compare(flags: dict[int, int], **option: Any) -> None:
    (theirs, reference), (model, data) = both()
    assert_alike(listed(mujoco, theirs, reference, flags, **option), listed(ours, model, data, flags, **option))


def test_each_flag_shows_what_it_shows_in_the_reference() -> None:
    usual = ours.MjvOption().flags
    for flag in FLAGS:
        if flag not in UNLIKE:
            compare({int(flag): 1 - int(usual[int(flag)])})


def test_each_kind_of_labels_and_frames_is_where_the_reference_has_it() -> None:
    for label in range(mjtLabel.mjNLABEL):
        compare(ALL_DECOR, label=label, pert=HELD)
    for frame in range(mjtFrame.mjNFRAME):
        compare(ALL_DECOR, frame=frame)


@pytest.mark.parametrize("active", [1, 2, 3])
def test_a_held_body_shows_how_it_is_pulled(active: int) -> None:
    compare({int(mjtVisFlag.mjVIS_SELECT): 1}, pert=HELD | {"active": active})


def test_categories_and_groups_choose() -> None:
    for category in mjtCatBit:
        compare({}, catmask=int(category))
    compare({}, geomgroup=[0, 1, 1, 1, 0, 0], sitegroup=[0, 0, 0, 0, 1, 0])


def test_lights_and_cameras_are_the_references() -> None:
    (theirs, reference), (model, data) = both()
    found = []
    for lib, m, d in ((mujoco, theirs, reference), (ours, model, data)):
        scene = lib.MjvScene(m, 100)
        cameras = []
        for kind, index in ((0, -1), (1, 4), (2, 0), (2, 1), (2, 2)):
            camera = lib.MjvCamera()
            camera.type = kind
            camera.fixedcamid, camera.trackbodyid = (index, -1) if kind == 2 else (-1, index)
            lib.mjv_updateScene(m, d, lib.MjvOption(), None, camera, 7, scene)
            cameras += [[getattr(eye, name) for name in sorted(ours.MjvGLCamera.RECORD.names)] for eye in scene.camera]
        lights = [[getattr(light, name) for name in sorted(ours.MjvLight.RECORD.names)] for light in scene.lights[: scene.nlight]]
        found.append(np.concatenate([np.ravel(value) for row in (*cameras, *lights) for value in row]))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-4, atol=1e-5)


def test_a_full_scene_says_so_and_keeps_what_it_has_room_for() -> None:
    _, (model, data) = both()
    scene = ours.MjvScene(model, 5)
    before = data.warning[ours.mjtWarning.mjWARN_VGEOMFULL].number
    ours.mjv_updateScene(model, data, ours.MjvOption(), None, ours.MjvCamera(), 7, scene)
    assert (scene.ngeom, scene.status) == (5, 1)
    assert data.warning[ours.mjtWarning.mjWARN_VGEOMFULL].number > before
    data.warning[ours.mjtWarning.mjWARN_VGEOMFULL].number = before


def test_a_connector_joins_two_points_as_in_the_reference() -> None:
    start, end = np.array([0.1, -0.2, 0.3]), np.array([0.5, 0.7, -0.4])
    for kind in (3, 5, 100, 101, 102, 103):
        one, two = mujoco.MjvGeom(), ours.MjvGeom()
        for lib, geom in ((mujoco, one), (ours, two)):
            lib.mjv_initGeom(geom, 2, np.zeros(3), np.zeros(3), np.eye(3).ravel(), np.ones(4, np.float32))
            lib.mjv_connector(geom, kind, 0.1, start, end)
        for name in ("type", "size", "pos", "mat", "rgba", "objid", "category"):
            np.testing.assert_allclose(getattr(two, name), getattr(one, name), atol=1e-6)
    with pytest.raises(ModelError, match="invalid geom type 6"):
        ours.mjv_connector(ours.MjvGeom(), 6, 0.1, start, end)


def test_a_printed_scene_tells_every_geom(tmp_path: Any) -> None:
    _, (model, data) = both()
    scene = ours.MjvScene(model, 100)
    ours.mjv_updateScene(model, data, ours.MjvOption(), None, ours.MjvCamera(), 7, scene)
    ours.mj_printScene(scene, str(tmp_path / "scene.txt"))
    text = (tmp_path / "scene.txt").read_text("utf-8")
    assert text.count("\nGEOM ") == scene.ngeom
    assert text.count("\nLIGHT ") == scene.nlight == 4
