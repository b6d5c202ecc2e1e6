"""Drawing by hand, as programs for the package do: buffers, rectangles, texts, figures, pixels."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tumble import mujoco
from tumble.physics.errors import ModelError, ShapeError

WIDTH, HEIGHT = 160, 120
WHOLE = mujoco.MjrRect(0, 0, WIDTH, HEIGHT)
XML = f"""<mujoco><visual><global offwidth="{WIDTH}" offheight="{HEIGHT}"/></visual><worldbody>
<camera name="front" pos="0 -6 0" xyaxes="1 0 0 0 0 1"/><geom type="box" size="1 1 1" rgba="1 0 0 1"/></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def model() -> Any:
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture(scope="module")
def context(model: Any) -> Iterator[Any]:
    gl = mujoco.GLContext(WIDTH, HEIGHT)
    gl.make_current()
    made = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    yield made
    made.free()
    gl.free()


@pytest.fixture
def black(context: Any) -> Any:
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
    mujoco.mjr_rectangle(WHOLE, 0, 0, 0, 1)
    return context


def pixels(context: Any) -> np.ndarray:
    found = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    mujoco.mjr_readPixels(found, None, WHOLE, context)
    return found


def scene_of(model: Any) -> Any:
    data, scene, camera = mujoco.MjData(model), mujoco.MjvScene(model, 50), mujoco.MjvCamera()
    mujoco.mj_forward(model, data)
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    return scene


def test_a_picture_may_be_a_part_of_the_buffer(black: Any, model: Any) -> None:
    scene = scene_of(model)
    mujoco.mjr_render(mujoco.MjrRect(80, 60, 80, 60), scene, black)
    found = pixels(black)
    assert not found[:60].any()
    assert not found[:, :80].any()
    assert found[90, 120, 0] > 100  # the box, in the middle of the part
    depth = np.zeros((HEIGHT, WIDTH), np.float32)
    mujoco.mjr_readPixels(None, depth, WHOLE, black)
    assert depth[90, 120] < depth[62, 82]  # nearer than the background


def test_two_eyes_stand_side_by_side_in_a_frame(black: Any, model: Any) -> None:
    scene = scene_of(model)
    scene.stereo = mujoco.mjtStereo.mjSTEREO_SIDEBYSIDE
    scene.framewidth, scene.framergb = 2, [0, 0, 1]
    mujoco.mjr_render(WHOLE, scene, black)
    found = pixels(black)
    assert (found[[0, 1, -1], :, 2] == 255).all()
    left, right = found[2:-2, 2:80], found[2:-2, 80:-2]
    assert (left[:, :, 0] > 100).any()
    assert (right[:, :, 0] > 100).any()


def test_labels_and_geoms_of_the_program_are_drawn(black: Any, model: Any) -> None:
    scene = scene_of(model)
    plain = scene.ngeom
    geom = scene.geoms[plain]
    mujoco.mjv_initGeom(geom, mujoco.mjtGeom.mjGEOM_SPHERE, [0.3, 0, 0], [-1.8, 0, 0], np.eye(3).ravel(), [0, 1, 0, 1])
    geom.label = "ball"
    scene.ngeom += 1
    mujoco.mjr_render(WHOLE, scene, black)
    green = (pixels(black)[:, :, 1] > 80) & (pixels(black)[:, :, 0] < 60)
    assert green[:, :70].sum() > 30
    assert (pixels(black).min(axis=2) > 200).sum() > 10  # white letters


def test_words_lie_in_their_corner(black: Any) -> None:
    mujoco.mjr_overlay(mujoco.mjtFont.mjFONT_NORMAL, mujoco.mjtGridPos.mjGRID_TOPLEFT, WHOLE, "speed", b"3", black)
    found = pixels(black)
    assert found[100:, :50].max() > 200
    assert not found[:90].any()
    mujoco.mjr_label(mujoco.MjrRect(100, 0, 60, 20), mujoco.mjtFont.mjFONT_NORMAL, "go", 0, 0.5, 0, 1, 1, 1, 1, black)
    assert tuple(pixels(black)[1, 101]) == (0, 128, 0)
    with pytest.raises(ModelError, match="invalid grid position 8"):
        mujoco.mjr_overlay(0, 8, WHOLE, "x", "", black)


def test_a_figure_fits_its_axes_to_its_lines(black: Any) -> None:
    figure = mujoco.MjvFigure()
    x = np.linspace(2.0, 5.0, 50)
    figure.linepnt[0], figure.linename[0] = 50, b"sine"
    figure.linedata[0, :100:2], figure.linedata[0, 1:100:2] = x, np.sin(x)
    figure.range = [[0, 0], [-1, 1]]
    mujoco.mjr_figure(WHOLE, figure, black)
    np.testing.assert_allclose(figure.xaxisdata, (2, 5))
    np.testing.assert_allclose(figure.yaxisdata, (-1, 1))
    red = (pixels(black)[:, :, 0] > 200) & (pixels(black)[:, :, 1] < 150)
    assert red.sum() > 50


def test_pixels_and_depths_come_back_as_they_were_drawn(black: Any) -> None:
    rng = np.random.default_rng(0)
    colours, depths = rng.integers(0, 256, (10, 20, 3), np.uint8), rng.random((10, 20), np.float32)
    part = mujoco.MjrRect(30, 40, 20, 10)
    mujoco.mjr_drawPixels(colours, depths, part, black)
    read, deep = np.zeros(600, np.uint8), np.zeros((10, 20), np.float32)
    mujoco.mjr_readPixels(read, deep, part, black)
    np.testing.assert_array_equal(read.reshape(10, 20, 3), colours)
    np.testing.assert_allclose(deep, depths, atol=1e-6)
    for bad in (np.zeros((10, 20, 4), np.uint8), np.zeros((10, 20, 3)), np.zeros((10, 40, 3), np.uint8)[:, ::2]):
        with pytest.raises(ShapeError, match="rgb is a contiguous array of 600 uint8"):
            mujoco.mjr_readPixels(bad, None, part, black)


def test_auxiliary_buffers_are_drawn_and_copied(black: Any) -> None:
    mujoco.mjr_addAux(2, 40, 30, 0, black)
    mujoco.mjr_setAux(2, black)
    mujoco.mjr_rectangle(mujoco.MjrRect(0, 0, 40, 30), 0, 1, 0, 1)
    mujoco.mjr_restoreBuffer(black)
    assert not pixels(black).any()
    mujoco.mjr_blitAux(2, mujoco.MjrRect(0, 0, 10, 10), 50, 60, black)
    green = pixels(black)[:, :, 1] == 255
    assert green.sum() == 100
    assert green[60, 50]
    with pytest.raises(ModelError, match="auxiliary buffer 5 does not exist"):
        mujoco.mjr_setAux(5, black)


def test_a_freed_context_says_so(model: Any) -> None:
    gl = mujoco.GLContext(WIDTH, HEIGHT)
    gl.make_current()
    made = mujoco.MjrContext(model, 100)
    gl.free()
    with pytest.raises(ModelError, match="has been freed"):
        mujoco.mjr_render(WHOLE, scene_of(model), made)
    made.free()
    made.free()
    with pytest.raises(ModelError, match="has been freed"):
        mujoco.mjr_maxViewport(made)
