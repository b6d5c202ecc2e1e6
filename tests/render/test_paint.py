"""Textures lie where the reference's renderer puts them; the rules were measured there, shape by shape."""

from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from tests.render.drawn import draw_list
from tests.render.physical import BARE, FLAT, matte
from tumble.render.camera import Camera, default_camera, fix
from tumble.render.constants import TexMode
from tumble.render.frame import Frame

# Its sides are in the order of its principal axes, so that its frame is the file's.
BRICK = '<mesh name="b" vertex="-.1 -.2 -.3 .1 -.2 -.3 -.1 .2 -.3 .1 .2 -.3 -.1 -.2 .3 .1 -.2 .3 -.1 .2 .3 .1 .2 .3"/>'
SLAB = """<mesh name="s" vertex="-.5 -.5 0 .5 -.5 0 .5 .5 0 -.5 .5 0 0 0 -.3" texcoord="0 0 1 0 1 1 0 1 .5 .5"
    face="0 1 2 0 2 3 0 4 1 1 4 2 2 4 3 3 4 0"/>"""
HILL = '<hfield name="h" nrow="3" ncol="3" size=".1 .2 .3 .1" elevation="1 1 1 1 1 1 1 1 1"/>'
SHAPES = {
    "box": 'type="box" size=".1 .2 .3"',
    "ellipsoid": 'type="ellipsoid" size=".1 .2 .3"',
    "mesh": 'type="mesh" mesh="b"',
    "hfield": 'type="hfield" hfield="h"',
    "plane": 'type="plane" size=".1 .2 .3"',
}


def scene(kind: str, shape: str, uniform: bool, repeat: str = "1 1", more: str = "") -> str:
    side = 'width="64" height="64"' if kind == "2d" else 'width="64" height="384"'
    return f"""{FLAT}<asset><texture name="t" type="{kind}" builtin="flat" {side} {more}/>{BRICK}{SLAB}{HILL}
        <material name="m" texture="t" texuniform="{str(uniform).lower()}" texrepeat="{repeat}" specular="0"/></asset>
        <worldbody><camera pos="0 0 5" projection="orthographic" fovy="1"/><geom {shape} material="m"/></worldbody>"""


def row(load: Any, *scene_of: Any) -> Any:
    model, data = load(scene(*scene_of))
    return draw_list(model, Frame.from_data(data)).instances[0]


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("uniform", [False, True])
def test_flat_textures_repeat_by_size_or_by_metre(load: Any, name: str, uniform: bool) -> None:
    """s = x repeat / (2 size) + 1/2, t = 1/2 - y repeat / (2 size); size 1 when uniform. Meshes: their boxes' half sizes."""
    actual = row(load, "2d", SHAPES[name], uniform, "2 3")
    assert actual["extra"][0] == TexMode.PLANAR
    expected = (1.0, 1.5) if uniform else (10.0, 7.5)
    np.testing.assert_allclose(actual["tex"], (*expected, 0.5, 0.5), rtol=1e-5)


@pytest.mark.parametrize(
    ("name", "uniform", "mode", "stretch"),
    [
        ("box", False, TexMode.CUBE_UNIT, (1, 1, 1)),
        ("box", True, TexMode.CUBE, (1, 1, 1)),
        ("ellipsoid", False, TexMode.CUBE_UNIT, (1, 1, 1)),
        ("mesh", False, TexMode.CUBE, (1, 1, 1)),
        ("mesh", True, TexMode.CUBE, (0.1, 0.2, 0.3)),
        ("plane", False, TexMode.CUBE, (1, 1, 1)),
        ("plane", True, TexMode.CUBE, (0.1, 0.2, 0.3)),
    ],
)
def test_cube_textures_are_looked_up_as_the_reference_does(
    load: Any, name: str, uniform: bool, mode: TexMode, stretch: tuple[float, float, float]
) -> None:
    """In the unit shape for primitives, in the shape itself when uniform; of others in the shape, stretched when uniform."""
    actual = row(load, "cube", SHAPES[name], uniform)
    assert actual["extra"][0] == mode
    np.testing.assert_allclose(actual["tex"][:3], stretch, rtol=1e-5)


def test_flat_box_shows_a_full_cube_face_on_each_side(load: Any, snap: Any) -> None:
    model, data = load(scene("cube", 'type="box" size=".4 .4 .1"', False))
    image = np.zeros((6, 64, 64, 3), np.uint8)
    image[:, :, :32, 0], image[:, :, 32:, 2] = 255, 255  # red left half, blue right half of every face
    model.tex_data[:] = image.ravel()
    picture = snap(model, data, fix(default_camera(model), 0), BARE, size=(100, 100)).astype(int)
    top = picture[15:85, 15:85]
    assert np.mean(top[:, :, 0] > top[:, :, 2]) == pytest.approx(0.5, abs=0.03)


def test_a_mesh_with_coordinates_of_its_own_heeds_no_repeat(load: Any, snap: Any) -> None:
    """The image once over the slab, whatever `texrepeat` says."""
    pictures = []
    for repeat in ("1 1", "4 3"):
        model, data = load(scene("2d", 'type="mesh" mesh="s"', False, repeat))
        image = np.zeros((64, 64, 3), np.uint8)
        image[:, :, 0], image[:, :, 1] = np.arange(64) * 4, np.arange(64)[:, None] * 4
        model.tex_data[:] = image.ravel()
        pictures.append(snap(model, data, fix(default_camera(model), 0), BARE, size=(64, 64)).astype(int))
    np.testing.assert_array_equal(*pictures)
    # Texel i is at pixel i, its value 4 i: as the file has u along x, and v along y.
    inner = slice(4, 60)
    across, along = pictures[0][32, inner, 0], pictures[0][inner, 32, 1]
    expected = [matte(4.0 * i / 255.0, 0.8, 1.0)[0] for i in range(4, 60)]
    np.testing.assert_allclose(across, expected, atol=5)
    assert np.all(np.diff(across) > 0)
    assert np.all(np.diff(along) < 0)


@pytest.mark.parametrize(("space", "shown"), [("auto", 127), ("linear", 127), ("sRGB", 54)])
def test_only_flat_textures_marked_as_srgb_are_decoded(load: Any, snap: Any, space: str, shown: int) -> None:
    """A grey of 127, as the reference shows it: bytes as they are, but the light they stand for where a flat one says so.

    In the physical look every texture is the colour that its file has.
    """
    grey = f'rgb1=".5 .5 .5" colorspace="{space}"'
    for kind in ("2d", "cube"):
        model, data = load(scene(kind, 'type="box" size=".4 .4 .1"', False, "1 1", grey))
        camera, classic = fix(default_camera(model), 0), replace(BARE, classic=True)
        seen, colour = (snap(model, data, camera, look, size=(50, 50))[25, 25] for look in (classic, BARE))
        np.testing.assert_allclose(seen, 0.8 * (shown if kind == "2d" else 127), atol=2)
        np.testing.assert_allclose(colour, matte(127 / 255, 0.8, 1.0), atol=3)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_textures_of_any_number_of_channels_are_shown(load: Any, snap: Any, channels: int) -> None:
    model, data = load(scene("2d", 'type="box" size=".4 .4 .1"', False, "1 1", 'nchannel="4"'))
    model.tex_nchannel[0] = channels  # the reference cannot make one of fewer than three, but reads such files
    image = np.full((64, 64, channels), 200, np.uint8)
    if channels in (2, 4):
        image[:, :, -1] = 255
    if channels >= 3:
        image[:, :, 1:3] = 0
    model.tex_data[: image.size] = image.ravel()
    pixel = snap(model, data, fix(default_camera(model), 0), BARE, size=(50, 50))[25, 25].astype(int)
    assert pixel[0] > 150
    assert (pixel[1] > 150) == (channels < 3)


def test_a_mesh_box_looks_like_a_box(load: Any, snap: Any) -> None:
    """The compiler gives a box's eight vertices a normal each: every face is still lit as the primitive's, all over."""
    pictures = []
    for shape in ('type="mesh" mesh="b"', 'type="box" size=".1 .2 .3"'):
        model, data = load(
            f"""<asset>{BRICK}</asset><worldbody><light type="directional" dir=".3 .5 -1"/>
            <geom {shape} rgba=".8 .3 .2 1"/></worldbody>"""
        )
        camera = Camera(distance=1.3, azimuth=60.0, elevation=-30.0)
        pictures.append(snap(model, data, camera, replace(BARE, shadow=True)).astype(int))
    assert np.mean(np.abs(pictures[0] - pictures[1]).max(axis=2) > 3) < 0.002
    assert pictures[0].std() > 10


def test_hulls_are_shown_for_what_collides(load: Any, snap: Any) -> None:
    """An L and its hull: the notch fills, as the reference's flag has it; a mesh that collides with nothing stays."""
    shape = """<mesh name="L" vertex="0 0 0 .4 0 0 .4 .1 0 .1 .1 0 .1 .4 0 0 .4 0
        0 0 .2 .4 0 .2 .4 .1 .2 .1 .1 .2 .1 .4 .2 0 .4 .2"
        face="0 2 1 0 3 2 0 4 3 0 5 4 6 7 8 6 8 9 6 9 10 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 4 5 11 4 11
        10 5 0 6 5 6 11"/>"""
    for contype, fills in ((1, True), (0, False)):
        model, data = load(
            f"""{FLAT}<asset>{shape}</asset><worldbody><camera pos=".2 .2 5" projection="orthographic" fovy=".8"/>
            <geom type="mesh" mesh="L" contype="{contype}" conaffinity="0" rgba="1 0 0 1"/></worldbody>"""
        )
        assert mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_MESH, 0) == "L"
        camera = fix(default_camera(model), 0)
        plain, hull = (
            np.sum(snap(model, data, camera, options, size=(80, 80))[:, :, 0] > 100) * 0.01**2
            for options in (BARE, replace(BARE, convex_hull=True))
        )
        assert plain == pytest.approx(0.07, abs=0.003)  # two arms of 0.4 by 0.1
        assert hull == pytest.approx(0.07 + (0.045 if fills else 0.0), abs=0.003)  # and half a square of 0.3


def test_layers_cut_out_shine_and_darken(load: Any, snap: Any) -> None:
    """Each layer is black on the left and white on the right: opacity cuts, emission shines, occlusion takes ambient light."""
    for role in ("opacity", "emissive", "occlusion"):
        model, data = load(
            f"""{FLAT}<asset><texture name="t" type="2d" builtin="flat" width="64" height="64"/>
            <texture name="c" type="2d" builtin="flat" rgb1=".5 .5 .5" width="8" height="8"/>
            <material name="m" specular="0"><layer texture="c" role="rgb"/><layer texture="t" role="{role}"/></material></asset>
            <worldbody><camera pos="0 0 5" projection="orthographic" fovy="1"/>
            <geom type="box" size=".4 .4 .1" material="m"/></worldbody>"""
        )
        image = np.zeros((64, 64, 3), np.uint8)
        image[:, 32:] = 255
        model.tex_data[: image.size] = image.ravel()
        picture = snap(model, data, fix(default_camera(model), 0), BARE, size=(50, 50)).astype(int)
        left, right, outside, plain = picture[25, 15], picture[25, 35], picture[2, 2], matte(0.5, 0.8, 1.0)[0]
        if role == "opacity":
            np.testing.assert_array_equal(left, outside)
            assert right[0] == pytest.approx(plain, abs=3)
        elif role == "emissive":
            assert left[0] == pytest.approx(plain, abs=3)
            assert right[0] > 230
        else:
            assert left.max() < 5
            assert right[0] == pytest.approx(plain, abs=3)
