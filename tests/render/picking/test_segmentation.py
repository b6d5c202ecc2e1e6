"""Pictures of depth and of objects: as the reference's where it has them, and readable."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from tests.app.mujoco.pictures import SIZE as REFERENCE
from tumble.app.library.examples import EXAMPLES
from tumble.physics.state.enums import mjtObj
from tumble.render.camera import Camera, default_camera, view_of
from tumble.render.frame import Frame
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import PictureMode, RenderOptions, Selection
from tumble.render.passes.plain import colours, numbers

ROOT = Path(__file__).parents[3]
# Shapes, meshes, flexes, tendons; none with rays of rangefinders or slider-cranks, which are drawn in another way.
NAMED = ("cloth", "eel", "gallery", "tendons")
MORE = ("columns", "dominoes", "mechanism", "tumbler")
MANY = 100  # pixels of an object; of fewer, one on the edge is much
DEPTH, SEGMENTATION = RenderOptions(mode=PictureMode.DEPTH), RenderOptions(mode=PictureMode.SEGMENTATION)


def state_of(path: Path) -> tuple[Any, Frame]:
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, Frame.from_data(data)


@pytest.mark.parametrize(("named", "most"), [(NAMED, 50), pytest.param(MORE, 90, marks=pytest.mark.fuzz)], ids=["few", "more"])
def test_segmentations_are_the_references(tmp_path: Path, named: tuple[str, ...], most: int) -> None:
    paths = [example.path for example in EXAMPLES if example.path.stem in named]
    out = tmp_path / "reference.npz"
    command = [sys.executable, "-m", "tests.app.mujoco.pictures", str(out), *map(str, paths)]
    subprocess.run(command, check=True, cwd=ROOT, env=os.environ | {"MUJOCO_GL": "egl"}, capture_output=True)
    reference, compared = np.load(out), 0
    height, width = REFERENCE
    for path in paths:
        model, frame = state_of(path)
        with OffscreenRenderer(model, width, height) as renderer:
            seen, picture = renderer.look(frame), renderer.render(frame, options=SEGMENTATION)
        ours, theirs = np.stack([seen.objid, seen.objtype], axis=2), reference[f"{path} what"]
        # The picture shows each object in its colour, and two never in the same.
        number = numbers(model, seen.objtype, seen.objid)
        shown = np.where((number >= 0)[:, :, None], np.rint(255 * colours(np.maximum(number, 0))), 0)
        np.testing.assert_array_equal(picture, shown)
        both = either = 0
        for kind in np.unique(theirs[theirs[:, :, 0] >= 0], axis=0):
            one, two = (ours == kind).all(axis=2), (theirs == kind).all(axis=2)
            both, either = both + (one & two).sum(), either + (one | two).sum()
            if two.sum() > MANY:
                compared += 1
                assert (one & two).sum() / (one | two).sum() >= 0.97, (path.stem, kind)
        assert both / either >= 0.97, path.stem
    assert compared > most


def test_segmentation_colours_are_fixed_and_distinct() -> None:
    many = colours(np.arange(20_000))
    assert len(np.unique(np.rint(255 * many), axis=0)) == len(many)
    np.testing.assert_array_equal(colours(np.arange(300)), many[:300])
    assert many.max(axis=1).min() > 0.25  # none is like the black behind
    first = np.rint(255 * many[:12])
    apart = np.abs(first[:, None] - first[None]).sum(axis=2) + 1000 * np.eye(12)
    assert apart.min() > 200  # those of a small model are told apart at a glance


@pytest.mark.parametrize("orthographic", [False, True])
def test_depth_picture_is_bright_near_and_spans_all_greys(load: Any, snap: Any, orthographic: bool) -> None:
    balls = "".join(f'<geom size=".3" pos="{x} {y} 0"/>' for x, y in ((-1, 0), (0, 1), (1, 2)))
    model, data = load(f"<worldbody>{balls}</worldbody>")
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=5.0, azimuth=90.0, elevation=0.0, orthographic=orthographic)
    grey = snap(model, data, camera, DEPTH)
    assert (grey[:, :, :1] == grey).all()
    view = view_of(camera, model, Frame.from_data(data), 160 / 120)
    x, y = view.project(data.geom_xpos, 160, 120)[:, :2].astype(int).T
    near, middle, far = (int(grey[row, column, 0]) for row, column in zip(y, x, strict=True))
    # The nearest point of the nearest ball to the rim of the farthest: 4.7 to 7 m, of which the middles are at 4.7, 5.7, 6.7.
    for value, depth in ((near, 4.7), (middle, 5.7), (far, 6.7)):
        assert value == pytest.approx(255 * (1 - 0.8 * (depth - 4.7) / 2.3), abs=8)
    assert grey[0, 0, 0] == 0
    moved = snap(model, data, replace(camera, distance=20.0) if not orthographic else camera, DEPTH)
    assert moved.max() > 250  # scaled to what is seen, however far


def test_infinite_floor_does_not_compress_the_depth_greys(load: Any, snap: Any) -> None:
    boxes = "".join(f'<geom type="box" size=".3 .3 .3" pos="{pos}"/>' for pos in ("0 0 .3", "1 2 .3"))
    xml = "<worldbody>{}" + boxes + "</worldbody>"
    camera = Camera(lookat=(0.0, 0.0, 0.3), distance=4.0, azimuth=90.0, elevation=-10.0)
    for floor in ("", '<geom type="plane" size="0 0 1"/>'):
        grey = snap(*load(xml.format(floor)), camera, DEPTH, size=(320, 240))[:, :, 0].astype(int)
        view = view_of(camera, load(xml.format(floor))[0], Frame(), 320 / 240)
        places = view.project(np.array([[0, -0.3, 0.3], [1, 1.7, 0.3]]), 320, 240)[:, :2].astype(int)
        first, second = (grey[y, x] for x, y in places)
        assert first - second > 60, floor
    column = grey[:, 20]  # of the floor alone
    assert (np.diff(column[column > 0]) >= 0).all()
    assert column[-1] > 240
    assert 0 < column[column > 0][0] < 30  # towards black at the horizon


def test_unlit_pictures_keep_alpha_and_ignore_selection(load: Any) -> None:
    model, data = load('<worldbody><body><geom size=".4" rgba="1 0 0 .3"/></body></worldbody>')
    frame = Frame.from_data(data)
    with OffscreenRenderer(model, 80, 60) as renderer:
        for mode in (DEPTH, SEGMENTATION):
            plain = renderer.render_rgba(frame, default_camera(model), mode)
            clear = renderer.render_rgba(frame, default_camera(model), replace(mode, background=False))
            covered = plain[:, :, :3].any(axis=2)
            assert (plain[:, :, 3] == 255).all()
            np.testing.assert_array_equal(clear[:, :, 3], np.where(covered, 255, 0))
            glow = renderer.render_rgba(frame, default_camera(model), replace(mode, select_point=False), Selection(1))
            np.testing.assert_array_equal(glow, plain)
        assert len(np.unique(plain.reshape(-1, 4), axis=0)) == 2  # glass hides what is behind it, and no edge is blended
        assert renderer.context.error == "GL_NO_ERROR"


def test_contacts_have_colours_after_all_that_a_model_has(load: Any) -> None:
    model, _ = load('<worldbody><geom size=".1"/><site/><light/></worldbody>')
    of = numbers(model, np.array([mjtObj.mjOBJ_GEOM, mjtObj.mjOBJ_SITE, mjtObj.mjOBJ_BODY, mjtObj.mjOBJ_LIGHT, 200, 200, 0]),
                 np.array([0, 0, 0, 0, 0, 1, 5]))  # fmt: skip
    assert of.tolist() == [0, 1, 2, 3, 4, 5, -1]
