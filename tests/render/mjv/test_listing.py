"""A scene lists what the reference's lists: the same geoms in the same order, in the same place, size and paint."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from tests.physics.reference import posed
from tests.render.drawn import draw_list
from tests.render.mjv.both import assert_alike, both, listed, mujoco, ours
from tumble.physics.errors import ModelError
from tumble.physics.state.enums import mjtCatBit, mjtFrame, mjtLabel, mjtVisFlag
from tumble.render.constants import MeshId
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

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


def test_label_and_frame_modes_match_reference_scene() -> None:
    for label in range(mjtLabel.mjNLABEL):
        compare(ALL_DECOR, label=label, pert=HELD)
    for frame in range(mjtFrame.mjNFRAME):
        compare(ALL_DECOR, frame=frame)
        compare({}, frame=frame)


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
    m, d = posed(xml, lib)
    scene, camera = lib.MjvScene(m, 1000), lib.MjvCamera()
    lib.mjv_updateScene(m, d, lib.MjvOption(), None, camera, lib.mjtCatBit.mjCAT_ALL, scene)
    geoms = [scene.geoms[i] for i in range(scene.ngeom)]
    return np.array([[*g.pos, *np.asarray(g.mat).reshape(3, 3)[:, 2], g.size[2]] for g in geoms
                     if g.type == lib.mjtGeom.mjGEOM_LINE and g.objtype == lib.mjtObj.mjOBJ_SENSOR])  # fmt: skip


@pytest.mark.parametrize("camera", CAMERAS)
def test_rays_end_on_what_they_meet(camera: str) -> None:
    """Which is the floor for all of them."""
    drawn = lines(ours, XML.format(camera=CAMERAS[camera], data="dist"))
    assert len(drawn) > 3
    ends = drawn[:, :3] + drawn[:, 6:] * drawn[:, 3:6]
    np.testing.assert_allclose(ends[:, 2], 0.0, atol=1e-5)
    assert len(np.unique(np.round(ends, 4), axis=0)) == len(drawn)


@pytest.mark.parametrize("data", ["dist", "dist normal"])
def test_a_scene_lists_the_references_rays(data: str) -> None:
    """Of a camera with a field of view; it draws those of others elsewhere than it measures them."""
    xml = XML.format(camera=CAMERAS["perspective"], data=data)
    own, theirs = lines(ours, xml), lines(mujoco, xml)
    assert len(own) == len(theirs) > 3
    np.testing.assert_allclose(own, theirs, atol=1e-5)


def test_the_view_shows_a_rod_for_each() -> None:
    model, data = posed(XML.format(camera=CAMERAS["perspective"], data="dist"))
    frame = Frame.from_data(data)

    def rods(options: RenderOptions) -> int:
        return int((draw_list(model, frame, options).mesh == MeshId.CAPSULE).sum())

    met = int((data.sensordata >= 0).sum())
    assert rods(RenderOptions()) - rods(RenderOptions(rangefinder=False)) == met > 3


KINDS = ("MjvOption", "MjvCamera", "MjvPerturb", "MjvGeom", "MjvLight", "MjvGLCamera", "MjvFigure", "MjvScene")


@pytest.mark.parametrize("kind", KINDS)
def test_new_ones_have_the_references_fields_and_defaults(kind: str) -> None:
    one, two = getattr(mujoco, kind)(), getattr(ours, kind)()
    if kind == "MjvFigure":
        mujoco.mjv_defaultFigure(one)
    for name in dir(one):
        if name.startswith("_") or name in ("geoms", "lights", "camera", "linergb"):
            continue  # lists of structures; colours of lines are ours
        value = getattr(one, name)
        assert np.shape(getattr(two, name)) == np.shape(value), name
        np.testing.assert_array_equal(getattr(two, name), value, err_msg=name)
        assert np.asarray(getattr(two, name)).dtype.kind == np.asarray(value).dtype.kind, name


def test_fields_take_what_fits_and_refuse_the_rest() -> None:
    geom, camera = ours.MjvGeom(), ours.MjvCamera()
    geom.size = [1, 2, 3]
    geom.type, geom.label = ours.mjtGeom.mjGEOM_BOX, "here"
    assert (geom.type, geom.label, list(geom.size)) == (6, "here", [1, 2, 3])
    with pytest.raises(TypeError, match=r"MjvCamera\.fixedcamid is a whole number, got 0\.5"):
        camera.fixedcamid = 0.5
    with pytest.raises(TypeError, match="4 bytes"):
        camera.fixedcamid = 2**31
    with pytest.raises(ValueError, match="shape"):
        geom.size = [1, 2]
    with pytest.raises(ValueError, match="cannot exceed 99"):
        geom.label = "x" * 100
    with pytest.raises(AttributeError):
        geom.colour = 1


def test_they_are_compared_copied_and_pickled() -> None:
    camera = ours.MjvCamera()
    camera.lookat[1] = 3.0
    assert camera != ours.MjvCamera()
    for other in (copy.copy(camera), copy.deepcopy(camera), pickle.loads(pickle.dumps(camera))):
        assert other == camera
        other.lookat[1] = 4.0
        assert camera.lookat[1] == 3.0


def test_a_scenes_geoms_are_the_same_objects_each_time() -> None:
    scene = ours.MjvScene(None, 4)
    scene.geoms[2].rgba = 0.25
    assert scene.geoms[2] is scene.geoms[-2]
    assert len(scene.geoms) == len(list(scene.geoms)) == 4
    assert copy.copy(scene).geoms[2].rgba[0] == 0.25


def test_data_of_another_model_are_refused() -> None:
    _, (model, _) = both()
    other = ours.MjModel.from_xml_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    with pytest.raises(ModelError, match="a model of other sizes"):
        listed(ours, model, ours.MjData(other), {})
