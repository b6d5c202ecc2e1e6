"""tumble render, decoded: sizes, frame times against the physics, cameras, and what goes wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.app.conftest import MODELS, written
from tests.app.film.test_video import decoded, duration
from tumble import physics
from tumble.__main__ import main
from tumble.app.film.camera_path import Still
from tumble.app.film.offline import Free, Take, film
from tumble.render.camera import Camera
from tumble.render.gpu.quality import QualityLevel

ROOT = Path(__file__).parents[3]
# Half a pixel [m]: four samples leave an eighth of one at each edge, and the codec moves things by quarters.
PLACE = 0.5 / 320
SHARP = ["--size", "640x320", "--quality", "plain", "--samples", "4", "--hide", "shadow,reflection", "--quiet"]
SMALL = ["--size", "64x48", "--quality", "plain"]
# A black box on a white ground slides at 1 m/s along x; the camera looks along +y at a metre of height.
SLIDE = """<mujoco>
  <option timestep="{timestep}" gravity="0 0 0" integrator="{integrator}"/>
  <visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><global orthographic="true" fovy="1"/></visual>
  <asset><texture type="skybox" builtin="flat" rgb1="1 1 1" rgb2="1 1 1" width="8" height="48"/></asset>
  <worldbody>
    <camera name="side" pos="0 -1 0" xyaxes="1 0 0 0 0 1" projection="orthographic" fovy="1"/>
    <camera name="far" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/>
    <body name="box" pos="-0.6 0 0"><joint name="x" type="slide" axis="1 0 0"/>
      <geom type="box" size=".05 .05 .4" rgba="0 0 0 1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="x"/></actuator>
  <keyframe><key name="moving" qvel="1"/></keyframe>
</mujoco>"""


def slide(folder: Path, timestep: float = 0.004, integrator: str = "Euler") -> Path:
    return written(folder / "slide.xml", SLIDE.format(timestep=timestep, integrator=integrator))


def place_in(picture: np.ndarray) -> float:
    """Where the middle of the box is [m]; the picture is a metre high."""
    height, width = picture.shape
    dark = 255.0 - picture[height // 2]
    dark[dark < 30] = 0
    return float((np.arange(width) + 0.5) @ dark / dark.sum() - width / 2) / height


@pytest.mark.parametrize(
    ("timestep", "integrator", "fps", "speed", "seconds"),
    [(0.004, "Euler", 60, 1.0, 0.5), (0.01, "Euler", 30, 1.0, 1.0), (0.02, "RK4", 60, 0.25, 0.25), (0.003, "Euler", 24, 2.5, 1)],
)
def test_every_frame_shows_the_simulation_at_its_exact_time(
    tmp_path: Path, timestep: float, integrator: str, fps: int, speed: float, seconds: float
) -> None:
    out = tmp_path / "out.mp4"
    line = [str(slide(tmp_path, timestep, integrator)), "-o", str(out), "--seconds", str(seconds), "--camera", "side"]
    assert main(["render", *line, "--key", "moving", "--fps", str(fps), "--speed", str(speed), *SHARP]) == 0
    frames = decoded(out)
    assert len(frames) == round(seconds * fps / speed)
    assert duration(out) == pytest.approx(len(frames) / fps, abs=0.006)
    shown = np.array([place_in(picture) for _, picture in frames])
    true = np.array([-0.6 + speed * t for t, _ in frames])
    seen = np.abs(true) < 0.9  # while it is all in the picture
    # Half a frame at 60 a second is 8 mm of the way, and a quarter of that in slow motion; a step of 20 ms is 20 mm.
    np.testing.assert_allclose(shown[seen], true[seen], atol=PLACE)


def test_a_start_within_a_step_and_odd_frame_rates_are_exact_too(tmp_path: Path) -> None:
    out = tmp_path / "out.mp4"
    line = [str(slide(tmp_path, 0.02)), "-o", str(out), "--seconds", "0.5", "--start", "0.333", "--camera", "side"]
    assert main(["render", *line, "--key", "moving", "--fps", "30000/1001", *SHARP]) == 0
    frames = decoded(out)
    assert len(frames) == 15
    np.testing.assert_allclose([place_in(p) for _, p in frames], [-0.6 + 0.333 + t for t, _ in frames], atol=PLACE)


def test_pictures_do_not_touch_what_runs(tmp_path: Path) -> None:
    """A video with many frames in a step, and the same run without one, end in the same bits."""
    model = physics.MjModel.from_xml_path(str(MODELS / "boxes.xml"))
    filmed, plain = physics.MjData(model), physics.MjData(model)
    pictures: list[np.ndarray] = []
    film(Free(model, filmed), Take(32, 24, Fraction(400), 0.5, quality=QualityLevel.PLAIN), Still(Camera()), pictures.append)
    while plain.time < filmed.time - 1e-9:
        physics.mj_step(model, plain)
    for name in ("time", "qpos", "qvel", "qacc_warmstart", "tree_asleep"):
        np.testing.assert_array_equal(getattr(filmed, name), getattr(plain, name))
    assert len(pictures) == 200


def test_a_png_is_one_moment_and_a_gif_has_its_own_rate(tmp_path: Path) -> None:
    model = str(slide(tmp_path))
    png, gif = tmp_path / "out.png", tmp_path / "out.gif"
    line = [model, "-o", str(png), "--size", "200x100", "--start", "0.5", "--key", "moving", "--camera", "side"]
    assert main(["render", *line]) == 0
    with Image.open(png) as image:
        assert image.size == (200, 100)
        assert place_in(np.asarray(image.convert("L"))) == pytest.approx(-0.1, abs=0.004)
    assert main(["render", model, "-o", str(gif), "--seconds", "0.4", *SMALL, "--quiet"]) == 0
    assert len(decoded(gif)) == 10


def test_transparent_render_keeps_alpha_of_each_geom(tmp_path: Path) -> None:
    path, out = tmp_path / "glass.xml", tmp_path / "out.png"
    green = '<worldbody><geom type="box" size=".1 .1 .1" rgba="0 1 0 1"/></worldbody>'
    text = SLIDE.format(timestep=0.01, integrator="Euler").replace('rgba="0 0 0 1"', 'rgba="1 0 0 0.5"')
    path.write_text(text.replace("<actuator>", f"{green}<actuator>"))
    line = [str(path), "-o", str(out), "--size", "320x160", "--camera", "side", "--hide", "shadow,reflection", "--quiet"]
    assert main(["render", *line, "--transparent"]) == 0
    with Image.open(out) as image:
        assert image.mode == "RGBA"
        pixels = np.asarray(image).astype(int)
    nothing, glass, solid = pixels[5, 5], pixels[80, 160 - 96], pixels[80, 160]
    assert tuple(nothing) == (0, 0, 0, 0)
    assert solid[3] == 255
    assert solid[1] > 200
    # Both sides of the glass are seen, each lets half through.
    assert glass[3] == pytest.approx(255 * 0.75, abs=2)
    assert glass[0] > 200  # its own red, not darkened by what is not behind it
    assert main(["render", str(path), "-o", str(tmp_path / "out.mp4"), "--transparent"]) == 2


def test_depths_and_objects_are_numbers_and_pictures(tmp_path: Path) -> None:
    """The box is 0.1 m wide and 0.1 deep, 1 m before the camera's place; the picture is a metre high."""
    line = ["render", str(slide(tmp_path)), "--size", "320x160", "--quality", "plain", "--camera", "side", "--quiet"]

    def drawn(name: str, more: str) -> np.ndarray:
        path = tmp_path / name
        assert main([*line, "-o", str(path), *more.split()]) == 0
        return np.load(path) if path.suffix == ".npy" else np.asarray(Image.open(path))

    metres, objects = drawn("metres.npy", "--show depth"), drawn("objects.npy", "--show segmentation")
    inside = np.zeros((160, 320), bool)
    inside[16:144, 160 - 96 - 8 : 160 - 96 + 8] = True
    assert (metres.dtype, metres.shape, objects.dtype, objects.shape) == (np.float32, (160, 320), np.int32, (160, 320, 2))
    np.testing.assert_allclose(metres, np.where(inside, 0.95, 0.0), atol=1e-6)
    np.testing.assert_array_equal(objects, np.where(inside[:, :, None], (0, physics.mjtObj.mjOBJ_GEOM), -1))
    np.testing.assert_array_equal(drawn("mm.png", "--millimetres"), np.where(inside, 950, 0))
    np.testing.assert_array_equal(drawn("grey.png", "--show depth"), np.where(inside, 255, 0)[:, :, None].repeat(3, 2))
    fixed = drawn("fixed.png", "--show depth --depth-range 0.45,1.45")
    assert set(fixed[inside].ravel()) == {153}  # half of the way from white to a fifth
    assert len(np.unique(drawn("colours.png", "--show segmentation").reshape(-1, 3), axis=0)) == 2
    film = tmp_path / "depth.mp4"
    assert main([*line, "-o", str(film), "--show", "depth", "--seconds", "0.1"]) == 0
    frame = decoded(film)[0][1]
    assert frame[80, 64] > 235
    assert frame[5, 5] < 20


def test_the_caption_is_in_the_picture_only_when_it_is_wanted(tmp_path: Path) -> None:
    pictures = []
    for more in ([], ["--overlay"], ["--label", "body"]):
        out = tmp_path / "out.png"
        line = ["-o", str(out), "--size", "300x150", "--quality", "plain", "--quiet", "--camera", "far", *more]
        assert main(["render", str(slide(tmp_path)), *line]) == 0
        with Image.open(out) as image:
            pictures.append(np.asarray(image.convert("L")).astype(int))
    plain, overlay, label = pictures
    changed = np.abs(overlay - plain) > 20
    assert changed[:40, :150].any()
    assert not changed[60:].any()
    assert (np.abs(label - plain) > 20).any()


def test_progress_is_a_line_a_tenth_where_nobody_watches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.mp4"
    assert main(["render", str(slide(tmp_path)), "-o", str(out), "--seconds", "0.5", *SMALL]) == 0
    errors = capsys.readouterr().err.splitlines()
    assert [line for line in errors if line.startswith("Rendering")] == [f"Rendering: {k} %" for k in range(10, 101, 10)]
    assert errors[-1] == f"{out}: 30 frames, 0.5 s, 64x48 at 60 frames per second"


@pytest.mark.parametrize(
    ("more", "code", "says"),
    [
        (["--camera", "top"], 2, "the model has no camera 'top'; there are: side, far"),
        (["--camera", "7"], 2, "the model has no camera '7'"),
        (["--camera", "side", "--orbit", "5"], 2, "--orbit moves a free camera; --camera side is bound to the model"),
        (["--track", "cat"], 2, "the model has no body 'cat'; there are: world, box"),
        (["--key", "still"], 2, "the model has no keyframe 'still'; there are: moving"),
        (["--ctrl", "pull=1"], 2, "the model has no actuator 'pull'; there are: push"),
        (["--ctrl", "push"], 2, "expected NAME=VALUE"),
        (["--ctrl", "push=hard"], 2, "'hard' is not a number"),
        (["--path", "none.json"], 2, "none.json: cannot be read"),
        (["-o", "out.avi"], 2, "ends in .mp4, .gif, .png or .npy"),
        (["-o", "out.npy"], 2, "what is in it? --show depth, or --show segmentation"),
        (["--millimetres"], 2, "--millimetres is for pictures (*.png), not out.mp4"),
        (["-o", "no/folder/out.mp4"], 3, "cannot be written: No such file or directory"),
        (["-o", "out.gif", "--fps", "60"], 3, "a GIF shows at most 50"),
        (["--size", "99999x10"], 3, "each side has 1 to"),
    ],
)
def test_what_cannot_be_rendered_ends_with_its_code_and_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, more: list[str], code: int, says: str
) -> None:
    model = slide(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["render", str(model), "-o", "out.mp4", "--quiet", "--size", "32x32", "--seconds", "0.1", *more]) == code
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.err.count("\n") == 1
    assert sorted(os.listdir(tmp_path)) == ["slide.xml"]


@pytest.mark.parametrize(
    "bad",
    ["--size 12", "--fps 0", "--fps 1/0", "--speed nan", "--show magic", "--lookat 1,2", "--depth-range 3,1", "--seconds -1"],
)
def test_a_wrong_word_on_the_command_line_ends_with_2(bad: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["render", "model.xml", "-o", "out.mp4", *bad.split()])
    assert ended.value.code == 2


@pytest.mark.parametrize("kill", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_is_done(tmp_path: Path, kill: signal.Signals) -> None:
    out = tmp_path / "out.mp4"
    line = [sys.executable, "-m", "tumble", "render", str(slide(tmp_path)), "-o", str(out), "--seconds", "1000", *SMALL]
    process = subprocess.Popen(line, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not any(p.name.startswith(".out.mp4") and p.stat().st_size > 0 for p in tmp_path.iterdir()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(kill)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    frames = decoded(out)
    assert len(frames) >= 1
    assert f"{out}: {len(frames)} frames" in errors
    assert sorted(os.listdir(tmp_path)) == ["out.mp4", "slide.xml"]


def test_a_path_moves_the_camera(tmp_path: Path) -> None:
    path = tmp_path / "path.json"
    path.write_text(
        '{"keys": [{"time": 0, "lookat": [-0.6, 0, 0], "azimuth": 90, "elevation": 0}, {"time": 1, "lookat": [0.4, 0, 0]}]}'
    )
    out = tmp_path / "out.mp4"
    line = [str(slide(tmp_path)), "-o", str(out), "--seconds", "1", "--key", "moving", "--path", str(path), "--fps", "10"]
    assert main(["render", *line, *SHARP]) == 0
    # It follows the box, which therefore stays in the middle.
    assert [place_in(picture) for _, picture in decoded(out)] == pytest.approx([0.0] * 10, abs=PLACE)
