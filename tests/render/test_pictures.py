"""Facts about pixels. Headless pictures of small scenes, each with the light and camera that make the fact plain."""

from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from tests.render.drawn import draw_list
from tests.render.physical import BARE, FLAT, matte
from tumble.render.camera import Camera, default_camera, fix, view_of
from tumble.render.frame import Frame
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import MODES, FrameMode, RenderOptions, Selection

TOP = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-89.0)


def is_reddish(pixel: np.ndarray) -> bool:
    red, green, blue = (int(v) for v in pixel)
    return red > 2 * green and red > 2 * blue and red > 60


@pytest.mark.parametrize("samples", [0, 4])
def test_projection_agrees_with_the_picture(load: Any, snap: Any, samples: int) -> None:
    """The centroid of a small sphere's pixels is where the view projects its centre to."""
    model, data = load(f'{FLAT}<worldbody><geom size=".1" pos=".4 -.3 .2" rgba="1 0 0 1"/></worldbody>')
    camera = Camera(distance=3.0, azimuth=70.0, elevation=-30.0)
    picture = snap(model, data, camera, BARE, size=(320, 240), samples=samples)
    y, x = np.nonzero(picture[:, :, 0] > picture[:, :, 1] + 80.0)
    expected = view_of(camera, model, Frame.from_data(data), 320 / 240).project(data.geom_xpos[0], 320, 240)[0]
    # Pixel centres lie half a pixel in; perspective moves a disc's centroid by far less than one.
    assert (x.mean() + 0.5, y.mean() + 0.5) == pytest.approx(tuple(expected[:2]), abs=0.5)


def test_orthographic_size_is_independent_of_depth(load: Any, snap: Any) -> None:
    model, data = load(
        f"""{FLAT}<worldbody><camera pos="0 0 10" projection="orthographic" fovy="4"/>
        <geom type="box" size=".2 .2 .2" pos="-1 0 0" rgba="1 0 0 1"/>
        <geom type="box" size=".2 .2 .2" pos="1 0 5" rgba="1 0 0 1"/></worldbody>"""
    )
    picture = snap(model, data, fix(default_camera(model), 0), BARE, size=(200, 100))
    red = picture[:, :, 0] > 100
    assert red[:, :100].sum() == red[:, 100:].sum() == 10 * 10


@pytest.mark.parametrize(
    "shape", ['size=".5"', *(f'type="box" size=".4 .4 .4" euler="{angle} 0 20"' for angle in (5, 20, 35, 50))]
)
def test_lit_surfaces_do_not_shadow_themselves(load: Any, snap: Any, shape: str) -> None:
    """No acne: on a lone body's lit side, pictures with and without shadows are the same to within three grey levels.

    A second body far off keeps the shadow map coarse. Near where light only grazes, shadow and shade meet: left out.
    """
    model, data = load(
        f"""<worldbody><light type="directional" dir="0 1 -1"/><body><joint type="free"/><geom {shape}/></body>
        <body pos="3 0 0"><joint type="free"/><geom size=".1"/></body></worldbody>"""
    )
    camera = Camera(distance=2.2, azimuth=90.0, elevation=-40.0)
    shadowed = snap(model, data, camera, RenderOptions(), size=(200, 200)).astype(int)
    plain = snap(model, data, camera, RenderOptions(shadow=False), size=(200, 200)).astype(int)
    middle = np.s_[60:140, 60:140]
    assert plain[middle].mean() > 60
    assert np.abs(shadowed[middle] - plain[middle]).max() <= 3


def test_an_infinite_plane_reaches_the_horizon(load: Any, snap: Any) -> None:
    model, data = load(f'{FLAT}<worldbody><geom type="plane" size="0 0 1" rgba="1 0 0 1"/><geom size=".1"/></worldbody>')
    camera = Camera(lookat=(5.0, 3.0, 1.0), distance=1.0, azimuth=20.0, elevation=0.0)
    picture = snap(model, data, camera, BARE, size=(160, 200))
    red = picture[:, :, 0] > picture[:, :, 2] + 100.0
    # The eye is level, so the horizon is the middle row; a thousand extents away is 0.06 degrees below it.
    assert red[101:].all()
    assert not red[:99].any()


def test_transparent_things_blend_from_far_to_near(load: Any, snap: Any) -> None:
    """Two half-transparent panes seen from above: the upper one's colour wins, in whatever order the model lists them."""
    pane = '<geom type="box" size="1 1 .01" pos="0 0 {z}" rgba="{rgba} .5"/>'
    upper_red = pane.format(z=1, rgba="1 0 0") + pane.format(z=0, rgba="0 0 1")
    upper_blue = pane.format(z=0, rgba="1 0 0") + pane.format(z=1, rgba="0 0 1")
    for bodies, winner in ((upper_red, 0), (upper_blue, 2)):
        model, data = load(f"{FLAT}<worldbody>{bodies}</worldbody>")
        pixel = snap(model, data, replace(TOP, distance=5.0), BARE)[60, 80].astype(int)
        loser = 2 - winner
        assert pixel[winner] > pixel[loser] + 30
        assert pixel[loser] > 30


CHECKER = f"""{FLAT}
<asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
<material name="m" texture="t" texrepeat="{{repeat}}" texuniform="{{uniform}}"/></asset><worldbody>
<camera pos="0 0 5" projection="orthographic" fovy="4"/><geom type="plane" size="{{size}}" material="m"/></worldbody>"""


FLOORS = [("1 1 .1", "1 1", "false"), ("1 1 .1", "2 3", "false"), ("2 1 .1", "1 3", "true"), ("0 0 .1", "2 2", "true"),
          ("0 0 1", "5 5", "false")]  # fmt: skip


@pytest.mark.parametrize(("size", "repeat", "uniform"), FLOORS)
def test_checker_floors_have_their_tiles_where_the_reference_has(
    load: Any, snap: Any, size: str, repeat: str, uniform: str
) -> None:
    """A texture spans two units (uniform) or the whole plane, `texrepeat` times, centred: two tiles a repeat and axis."""
    model, data = load(CHECKER.format(size=size, repeat=repeat, uniform=uniform))
    picture = snap(model, data, fix(default_camera(model), 0), BARE, size=(400, 400))
    half = np.array([float(v) for v in size.split()[:2]])
    repeats = np.array([float(v) for v in repeat.split()])
    scale = 0.5 * repeats / (half if uniform == "false" and half.all() else 1.0)
    for x, y in np.random.default_rng(3).uniform(-0.95, 0.95, (60, 2)):
        u, v = scale * (x, -y) + 0.5
        if min(abs(2 * u - round(2 * u)), abs(2 * v - round(2 * v))) < 0.08:
            continue  # on an edge between tiles
        red = (int(np.floor(2 * u)) + int(np.floor(2 * v))) % 2 == 0
        pixel = picture[int(200 - 100 * y), int(200 + 100 * x)]
        assert (pixel[0] > pixel[2]) == red, (x, y)


def test_infinite_floor_texture_stays_fixed_in_the_world(load: Any, snap: Any) -> None:
    model, data = load(CHECKER.format(size="0 0 .1", repeat="1 1", uniform="true"))
    # In the reference, the tile from x = 0 to -1, y = 0 to 1 is the first colour, and tiles are one metre wide.
    for k in (0, 7, 1000):
        camera = Camera(lookat=(2.0 * k - 0.5, 0.5, 0.0), distance=1.0, azimuth=90.0, elevation=-89.0)
        pixel = snap(model, data, camera, BARE)[60, 80]
        assert pixel[0] > pixel[2] + 100


CUBE = f"""{FLAT}<asset><texture name="t" type="{{kind}}" builtin="flat" rgb1="1 0 0" width="16" height="16"/>{{material}}</asset>
<worldbody><geom type="box" size="{{size}}" {{paint}}/></worldbody>"""
SIDES = {(1, 0): 0, (-1, 0): 1, (0, 1): 2, (0, -1): 3}


def number_faces(model: Any) -> None:
    """Face f of the texture gets the grey 40 f + 20."""
    model.tex_data[:] = np.repeat(40 * np.arange(6) + 20, len(model.tex_data) // 6)


def test_a_cube_textures_faces_are_on_the_sides_of_their_names(load: Any, snap: Any) -> None:
    xml = CUBE.format(kind="cube", size="1 1 1", material='<material name="m" texture="t"/>', paint='material="m"')
    model, data = load(xml)
    number_faces(model)
    for (x, y), face in SIDES.items():
        azimuth = float(np.degrees(np.arctan2(-y, -x)))
        pixel = snap(model, data, Camera(distance=5.0, azimuth=azimuth, elevation=0.0), BARE)[60, 80]
        assert pixel[0] == pytest.approx(matte((40 * face + 20) / 255, 0.8, 0.0)[0], abs=4)


def test_a_skybox_shows_its_faces_as_the_reference_does(load: Any, snap: Any) -> None:
    """Looking along -x, +x, -z, +z shows faces 1, 0, 3, 2; along -y and +y faces 4 and 5 of the reference's layout."""
    model, data = load(CUBE.format(kind="skybox", size=".001 .001 .001", material="", paint='rgba="1 1 1 0"'))
    number_faces(model)
    options = replace(BARE, skybox=True)
    for azimuth, face in ((0.0, 0), (180.0, 1), (-90.0, 4), (90.0, 5)):
        pixel = snap(model, data, Camera(distance=1.0, azimuth=azimuth, elevation=0.0), options)[60, 80]
        assert pixel[0] == pytest.approx(40 * face + 20, abs=2)


def test_a_polished_floor_shows_what_stands_on_it(load: Any, snap: Any) -> None:
    xml = f"""{FLAT}<asset><material name="m" rgba="0 0 0 1" reflectance="{{}}"/></asset><worldbody>
        <geom type="plane" size="2 2 .1" material="m" rgba="0 0 0 1"/>
        <geom size=".3" pos="0 0 .35" rgba="1 0 0 1"/></worldbody>"""
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-20.0)
    options = replace(BARE, reflection=True)
    for reflectance, seen in (("0.8", True), ("0", False)):
        model, data = load(xml.format(reflectance))
        view = view_of(camera, model, Frame.from_data(data), 160 / 120)
        x, y, _ = view.project(np.array([0, 0, -0.35]), 160, 120)[0]
        assert is_reddish(snap(model, data, camera, options)[int(y), int(x)]) == seen


SWITCHES = """
<statistic meansize="0.2"/>
<worldbody><light pos=".6 0 1.3"/><camera pos="0 -1 1" xyaxes="1 0 0 0 1 1"/>
<geom type="plane" size="3 3 .1" rgba=".4 .4 .4 1"/><site name="s" pos="-.5 0 .3" size=".08" rgba="0 1 0 1"/>
<body name="b" pos="0 0 .2"><freejoint/><geom size=".2" rgba=".8 .7 .2 {alpha}"/>
<body pos=".5 0 .2"><joint name="j" axis="0 1 0"/>
<geom type="capsule" size=".05 .2" rgba=".5 .5 .5 {alpha}"/></body></body></worldbody>
<actuator><motor joint="j" ctrllimited="true" ctrlrange="-1 1"/></actuator>"""
SOLID = ("transparent", *MODES, "fog", "static", "shadow", "skybox", "geom_group", "site_group")
INSIDE = ("joint", "actuator", "camera", "light", "com", "inertia", "contact_point", "contact_force", "auto_connect",
          "perturb_force")  # fmt: skip


def switched(name: str) -> RenderOptions:
    value = getattr(RenderOptions(), name, None)
    if isinstance(value, list):
        return replace(RenderOptions(), **{name: [False] * 6})
    options = RenderOptions()
    options.switch(name, not options.is_on(name))
    return options


@pytest.mark.parametrize("name", [*SOLID, *INSIDE, *(mode.name for mode in FrameMode if mode)])
def test_every_switch_changes_the_picture_and_changes_it_back(load: Any, name: str) -> None:
    """What is drawn inside the bodies needs them to be transparent, as in the reference."""
    of_frames = name in FrameMode.__members__
    options = replace(RenderOptions(), frame=FrameMode[name]) if of_frames else switched(name)
    model, data = load(SWITCHES.format(alpha=1 if name in SOLID else 0.2))
    for _ in range(20):
        mujoco.mj_step(model, data)
    assert data.ncon > 0
    data.xfrc_applied[1, 2] = data.ctrl[0] = 1e4
    frame = Frame.from_data(data, np.full((data.ncon, 6), 2000.0))
    camera = Camera(lookat=(0.0, 0.0, 0.4), distance=4.0, azimuth=110.0, elevation=-15.0)
    with OffscreenRenderer(model, 160, 120, samples=0) as renderer:
        before = renderer.render(frame, camera)
        after = renderer.render(frame, camera, options)
        again = renderer.render(frame, camera)
    assert np.any(np.abs(before.astype(int) - after.astype(int)) > 20)
    np.testing.assert_array_equal(before, again)


def test_a_selected_body_glows_and_its_pull_is_drawn(load: Any, snap: Any) -> None:
    model, data = load(SWITCHES.format(alpha=1))
    camera = Camera(lookat=(0.0, 0.0, 0.3), distance=3.0, azimuth=90.0, elevation=-15.0)
    plain = snap(model, data, camera).astype(int)
    glowing = snap(model, data, camera, selection=Selection(1)).astype(int)
    pulled = snap(model, data, camera, selection=Selection(1, (0.0, 0.0, 0.0), (0.0, 0.0, 0.9))).astype(int)
    x, y, _ = view_of(camera, model, Frame.from_data(data), 160 / 120).project(data.xpos[1] + [0.1, 0, 0.1], 160, 120)[0]
    assert glowing[int(y), int(x)].sum() > plain[int(y), int(x)].sum() + 30
    assert np.abs(pulled - glowing).max() > 60


def test_glass_ball_shows_its_far_side_without_patches(load: Any, snap: Any) -> None:
    """Lit from the front alone, so that the two sides differ; no patches where triangles happen to come in another order."""
    model, data = load(
        """<visual><headlight active="0"/></visual><worldbody><light type="directional" dir="0 1 -.3" castshadow="false"/>
        <geom size=".5" rgba=".9 .9 .9 .5"/></worldbody>"""
    )
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=2.0, azimuth=90.0, elevation=0.0)
    options = RenderOptions(default_light=False, haze=False, skybox=False)
    picture = snap(model, data, camera, options, size=(200, 200))[:, :, 1].astype(int)
    y, x = np.mgrid[:200, :200]
    inside = np.hypot(y - 100, x - 100) < 40
    steps = np.abs(np.diff(picture, axis=0))[inside[1:] & inside[:-1]]
    assert picture[inside].max() > picture[inside].min() + 20  # a light and a dark side
    assert steps.max() <= 6


def test_a_floor_seen_from_below_is_glass(load: Any, snap: Any) -> None:
    model, data = load(
        f"""{FLAT}<worldbody><geom type="plane" size="2 2 .1" rgba="0 0 1 1"/>
        <geom size=".3" pos="0 0 .5" rgba="1 0 0 1"/></worldbody>"""
    )
    above, below = (
        snap(model, data, Camera(lookat=(0, 0, 0.5), distance=3.0, azimuth=90.0, elevation=elevation), BARE)[60, 80].astype(int)
        for elevation in (-80.0, 80.0)
    )
    assert above[0] > 100 > 40 > above[2]
    assert below[0] > 40
    assert below[2] > above[2] + 20


def test_a_geoms_colour_beats_its_materials(load: Any) -> None:
    """Unless it is the default grey."""
    model, data = load("""<asset><material name="m" rgba="0 1 0 1"/></asset><worldbody><geom size=".1" material="m"/>
        <geom size=".1" material="m" rgba="1 0 0 1"/></worldbody>""")
    assert draw_list(model, Frame.from_data(data)).instances["rgba"].tolist() == [[0, 1, 0, 1], [1, 0, 0, 1]]


GEAR = f"""{FLAT}<extension><plugin plugin="mujoco.sdf.gear"><instance name="i"/></plugin></extension>
<asset><mesh name="m"><plugin instance="i"/></mesh></asset>
<worldbody><geom type="sdf" mesh="m" rgba="1 0 0 1"><plugin instance="i"/></geom></worldbody>"""


def test_sdf_is_drawn_as_its_mesh_even_with_convex_hulls(load: Any, snap: Any) -> None:
    model, data = load(GEAR)
    for hulls in (False, True):
        picture = snap(model, data, TOP, replace(BARE, convex_hull=hulls))
        red = picture[:, :, 0] > 100
        row = red[60]
        assert not row[80]  # through the hole
        assert row[:60].any()
        assert row[100:].any()
        teeth = np.count_nonzero(np.diff(red[:, : 80].astype(int), axis=0))
        assert teeth > 200  # the outline goes in and out between them
