"""Draw lists, labels and the numbers shared with the model format."""

from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from tests.render.drawn import draw_list
from tumble.physics.state.enums import mjtLightType, mjtObj
from tumble.render.camera import Camera, view_of
from tumble.render.constants import Category, MeshId
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame
from tumble.render.options import FrameMode, LabelMode, PictureMode, RenderOptions, Selection
from tumble.render.scene.labels import labels
from tumble.render.scene.lights import collect
from tumble.render.scene.scene import Scene

SCENE = """
<asset><material name="gold" rgba="1 .8 0 1" specular=".9" shininess=".25" emission=".1" reflectance=".2"/></asset>
<worldbody><light name="sun" type="directional" dir="0 0 -1"/><light pos="0 0 3" castshadow="false"/>
<geom name="floor" type="plane" size="0 0 1"/><camera name="eye" pos="0 -3 1"/>
<body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom name="upper" type="capsule" size=".1 .3" material="gold"/>
<geom name="hidden" size=".1" group="4"/><site name="tip" pos="0 0 .3"/>
<body pos="0 0 .5"><joint type="slide"/><geom type="ellipsoid" size=".1 .2 .3" rgba="1 0 0 .5"/></body></body></worldbody>
<actuator><motor name="drive" joint="hinge"/></actuator>"""


@pytest.fixture
def scene(load: Any) -> tuple[Any, Any, Frame, Any]:
    model, data = load(SCENE)
    frame = Frame.from_data(data)
    return model, data, frame, view_of(Camera(distance=5.0, elevation=-20.0), model, frame, 1.0)


def built(scene: Any, options: RenderOptions | None = None, selection: Selection | None = None) -> DrawList:
    model, _, frame, view = scene
    return Scene(model).build(frame, view, options or RenderOptions(), selection or Selection())


def geoms(scene: Any, options: RenderOptions | None = None, selection: Selection | None = None) -> dict[int, Any]:
    drawlist = built(scene, options, selection)
    return {int(drawlist.objid[i]): drawlist.instances[i] for i in np.flatnonzero(drawlist.objtype == mjtObj.mjOBJ_GEOM)}


def test_numbers_are_the_model_formats() -> None:
    kinds = ((Category, mujoco.mjtCatBit, "CAT"), (LabelMode, mujoco.mjtLabel, "LABEL"), (FrameMode, mujoco.mjtFrame, "FRAME"))
    for ours, theirs, prefix in kinds:
        for member in ours:
            name_ = member.name.replace("SELECTION_POINT", "SELPNT").replace("_", "")
            assert member.value == getattr(theirs, f"mj{prefix}_{name_}").value


def test_switches_start_as_in_the_references_viewer() -> None:
    theirs, ours = mujoco.MjvOption(), RenderOptions()
    other = {"perturb_force": "pertforce", "perturb_object": "pertobj"}
    names = ("texture joint camera actuator light tendon com contact_point contact_force contact_split inertia auto_connect "
             "perturb_force perturb_object transparent static")  # fmt: skip
    for switch in names.split():
        flag = f"mjVIS_{other.get(switch, switch).replace('_', '').upper()}"
        assert getattr(ours, switch) == bool(theirs.flags[getattr(mujoco.mjtVisFlag, flag)]), switch
    assert ours.geom_group == [bool(v) for v in theirs.geomgroup]


def test_poses_sizes_and_paint_come_from_frame_and_model(scene: Any) -> None:
    model, data, _, _ = scene
    upper = geoms(scene)[model.geom("upper").id]
    np.testing.assert_allclose(upper["pos"], data.geom("upper").xpos, atol=1e-6)
    np.testing.assert_allclose(upper["mat"], data.geom("upper").xmat, atol=1e-6)
    np.testing.assert_allclose(upper["scale"], (0.1, 0.1, 0.1, 0.3), atol=1e-6)
    np.testing.assert_allclose(upper["rgba"], (1, 0.8, 0, 1), atol=1e-6)
    np.testing.assert_allclose(upper["material"], (0.1, 0.9, 0.25 * 128, 0.2), atol=1e-6)


def test_groups_static_and_transparent_decide_what_is_listed(scene: Any) -> None:
    model = scene[0]
    hidden, floor, upper = (model.geom(n).id for n in ("hidden", "floor", "upper"))
    assert hidden not in geoms(scene)
    assert hidden in geoms(scene, RenderOptions(geom_group=[True] * 6))
    assert floor not in geoms(scene, RenderOptions(static=False))
    faint = geoms(scene, RenderOptions(transparent=True))
    assert faint[upper]["rgba"][3] == pytest.approx(model.vis.map.alpha)
    assert faint[floor]["rgba"][3] == 1.0


def test_bodies_welded_to_the_world_are_static(load: Any) -> None:
    model, data = load('<worldbody><body><geom size=".1"/></body><body><joint/><geom size=".1"/></body></worldbody>')
    part = draw_list(model, Frame.from_data(data))
    assert list(part.category) == [Category.STATIC, Category.DYNAMIC]


def test_only_the_selected_bodys_geoms_glow(scene: Any) -> None:
    model = scene[0]
    shown = geoms(scene, selection=Selection(1))
    assert [g for g, row in shown.items() if row["extra"][1] > 0] == [model.geom("upper").id]


def test_infinite_floor_follows_the_eye(scene: Any) -> None:
    for lookat in ((0.0, 0.0, 0.0), (31.7, -12.3, 0.0)):
        view = view_of(Camera(lookat=lookat, distance=5.0), scene[0], scene[2], 1.0)
        part = built((*scene[:3], view))
        np.testing.assert_allclose(part.instances["pos"][part.mesh == MeshId.HORIZON], [(*view.eye[:2], 0.0)], atol=1e-5)


def test_live_edits_show_after_a_refresh(scene: Any) -> None:
    model, _, frame, view = scene
    shown = Scene(model)
    model.geom("floor").rgba = (0, 0, 1, 1)
    shown.refresh()
    part = shown.build(frame, view, RenderOptions(), Selection())
    assert (0, 0, 1, 1) in {tuple(rgba) for rgba in part.instances["rgba"].tolist()}


def test_lights_are_the_headlight_and_the_models(scene: Any) -> None:
    model, _, frame, view = scene
    lights = collect(model, frame, view, RenderOptions())
    assert len(lights) == 3
    np.testing.assert_allclose(lights.rows[0]["direction"][:3], view.forward, atol=1e-6)  # the headlight
    assert not lights.casting & 1
    own = lights.rows[1:]
    np.testing.assert_allclose(own["diffuse"][:, :3], model.light_diffuse, rtol=1e-6)
    assert [lights.casting >> i & 1 for i in (1, 2)] == model.light_castshadow.tolist()
    assert lights.positional == sum(2 << i for i in range(2) if model.light_type[i] != mjtLightType.mjLIGHT_DIRECTIONAL)


def test_a_model_without_light_gets_a_sun_unless_told_not_to(load: Any) -> None:
    model, data = load('<worldbody><geom size="1"/></worldbody>')
    frame = Frame.from_data(data)
    view = view_of(Camera(), model, frame, 1.0)
    assert len(collect(model, frame, view, RenderOptions())) == 2
    assert len(collect(model, frame, view, RenderOptions(default_light=False))) == 1


def test_inertia_boxes_are_the_equivalent_boxes(load: Any) -> None:
    """The equivalent inertia box of a homogeneous box is that box."""
    model, data = load('<worldbody><body><freejoint/><geom type="box" size=".1 .2 .35"/></body></worldbody>')
    part = draw_list(model, Frame.from_data(data), RenderOptions(inertia=True))
    box = part.instances[part.category == Category.DECOR][0]
    np.testing.assert_allclose(np.sort(box["scale"][:3]), (0.1, 0.2, 0.35), rtol=1e-5)


def test_classic_contact_arrows_match_reference_length(load: Any) -> None:
    """Force times map.force over the mean mass, along the force in the world."""
    floor, ball = '<geom type="plane" size="1 1 1"/>', '<body pos="0 0 .099"><freejoint/><geom size=".1"/></body>'
    model, data = load(f"<worldbody>{floor}{ball}</worldbody>")
    frame = Frame.from_data(data, np.array([[50.0, 0, 0, 0, 0, 0]]))
    part = draw_list(model, frame, RenderOptions(contact_force=True, classic=True))
    head = part.instances[part.mesh == MeshId.CONE][0]
    tip = head["pos"] + head["scale"][2] * head["mat"].reshape(3, 3)[:, 2]
    length = 50.0 * model.vis.map.force / model.stat.meanmass
    np.testing.assert_allclose(tip, data.contact.pos[0] + [0, 0, length], atol=1e-6)


def test_tendons_are_drawn_along_path_and_skip_pulleys(load: Any) -> None:
    model, data = load(
        """<worldbody><site name="a" pos="0 0 1"/><site name="b" pos="0 0 2"/>
        <site name="c" pos="1 0 2"/><site name="d" pos="1 0 1"/></worldbody>
        <tendon><spatial width=".01"><site site="a"/><site site="b"/><pulley divisor="2"/>
        <site site="c"/><site site="d"/></spatial></tendon>"""
    )
    part = draw_list(model, Frame.from_data(data))
    rods = part.instances[part.objtype == mjtObj.mjOBJ_TENDON]
    np.testing.assert_allclose(rods["pos"], [[0, 0, 1.5], [1, 0, 1.5]], atol=1e-6)
    np.testing.assert_allclose(rods["scale"], [[0.01, 0.01, 0.01, 0.5]] * 2, atol=1e-6)


LABELS = {
    LabelMode.BODY: {"arm", "body 2"}, LabelMode.JOINT: {"hinge", "jnt 1"}, LabelMode.SITE: {"tip"},
    LabelMode.GEOM: {"floor", "upper", "hidden", "geom 3"}, LabelMode.ACTUATOR: {"drive"}, LabelMode.SELECTION: {"arm"},
    LabelMode.NONE: set[str](),
}  # fmt: skip


@pytest.mark.parametrize("mode", LABELS)
def test_labels_name_what_they_stand_at(scene: Any, mode: LabelMode) -> None:
    model, data, frame, _ = scene
    view = view_of(Camera(lookat=(0, 0, 1), distance=6.0, elevation=-10.0), model, frame, 1.0)
    texts = labels(model, frame, replace(RenderOptions(), label=mode), Selection(1), view, 300, 300)
    assert {label.text for label in texts} == LABELS[mode]
    depths = [label.depth for label in texts]
    assert depths == sorted(depths)
    if mode == LabelMode.SITE:
        x, y, _ = view.project(data.site_xpos[0], 300, 300)[0]
        assert (texts[0].x, texts[0].y) == pytest.approx((x, y))


def test_islands_are_labelled_where_their_trees_are(load: Any) -> None:
    box = '<body name="{0}" pos="{0} 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    model, data = load(f'<worldbody><geom type="plane" size="9 9 1"/>{box.format(1)}{box.format(2)}</worldbody>')
    frame = Frame.from_data(data)
    view = view_of(Camera(lookat=(1.5, 0, 0), distance=6.0), model, frame, 1.0)
    texts = labels(model, frame, replace(RenderOptions(), label=LabelMode.ISLAND), Selection(), view, 300, 300)
    assert sorted(label.text for label in texts) == ["island 0", "island 1"]


def test_a_frame_owns_its_arrays(scene: Any) -> None:
    _, data, frame, _ = scene
    before = frame.xpos.copy()
    data.xpos[:] = 7.0
    np.testing.assert_array_equal(frame.xpos, before)


TWINS = """<asset><mesh name="m" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1" scale=".2 .2 .2"/></asset>
<worldbody><body><freejoint/><geom name="solid" type="mesh" mesh="m" rgba="1 0 0 1"/>
<geom name="skin" type="mesh" mesh="m" rgba="0 1 0 1" contype="0" conaffinity="0"/></body>
<body pos="1 0 0"><geom name="alone" type="mesh" mesh="m" contype="0" conaffinity="0"/></body></worldbody>"""


def test_a_mesh_to_be_seen_lies_before_one_to_collide_of_the_same_place(load: Any) -> None:
    """Else they shine through each other in speckles. Depth stays where they are."""
    model, data = load(TWINS)
    frame = Frame.from_data(data)
    view = view_of(Camera(distance=5.0), model, frame, 1.0)
    twins = (model, data, frame, view)
    solid, skin, alone = (model.geom(name).id for name in ("solid", "skin", "alone"))
    seen, deep = geoms(twins), geoms(twins, RenderOptions(mode=PictureMode.DEPTH))
    nearer = (seen[skin]["pos"] - seen[solid]["pos"]) @ view.forward
    assert nearer == pytest.approx(-1e-3 * (frame.geom_xpos[skin] - view.eye) @ view.forward, rel=1e-3)
    assert np.array_equal(deep[skin]["pos"], deep[solid]["pos"])
    assert np.array_equal(seen[alone]["pos"], deep[alone]["pos"])
