"""Whole models look the same by both compilers and in both qualities, and the quality follows what pictures take."""

from pathlib import Path
from typing import Any

import gymnasium
import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from tumble import physics
from tumble.app.describe.picture_quality import MeasuredQuality, measured
from tumble.render.camera import default_camera
from tumble.render.frame import Frame
from tumble.render.gpu.quality import COUNT, FIRST, LEVELS, Pace, Quality, QualityLevel
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import RenderOptions
from tumble.render.renderer import Renderer
from tumble.render.scene.labels import name

ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"


@pytest.mark.parametrize("model_name", ["humanoid", "ant", "pusher_v5", "reacher"])
def test_our_models_look_like_the_references(model_name: str) -> None:
    path = str(ASSETS / f"{model_name}.xml")
    theirs, ours = mujoco.MjModel.from_xml_path(path), physics.MjModel.from_xml_path(path)
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    frame = Frame.from_data(data)
    pictures = []
    for model in (theirs, ours):
        with OffscreenRenderer(model, 160, 120, samples=0) as renderer:
            pictures.append(renderer.render(frame).astype(int))
    # Sizes of compiled models differ in the last bit, which can turn a pixel's rounding.
    assert np.abs(pictures[0] - pictures[1]).max() <= 2
    assert pictures[0].std() > 10
    assert [name(ours, "body", b) for b in range(ours.nbody)] == [theirs.body(b).name or f"body {b}" for b in range(theirs.nbody)]


def test_what_hardware_and_software_show_is_the_same(buffer: Any, load: Any) -> None:
    """More samples, texels, taps and slices soften edges; they move nothing: the mean difference is below one grey level."""
    model, data = load(
        """<asset><texture name="t" type="2d" builtin="checker" rgb1=".4 .5 .6" rgb2=".5 .6 .7" width="64" height="64"/>
        <material name="m" texture="t" reflectance=".3"/></asset><worldbody><light type="directional" dir=".2 .3 -1"/>
        <geom type="plane" size="0 0 1" material="m"/><body pos="0 0 .6"><freejoint/><geom type="capsule" size=".2 .3"/></body>
        <body pos=".8 0 .5"><freejoint/><geom type="box" size=".2 .2 .3" rgba=".8 .3 .2 1"/></body></worldbody>"""
    )
    target = buffer(320, 240)

    def picture(quality: Quality) -> np.ndarray:
        renderer = Renderer(target.ctx, model, quality=quality)
        renderer.render(target, Frame.from_data(data), default_camera(model), RenderOptions(), 320, 240)
        renderer.release()
        return np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(240, 320, 3).astype(int)

    plain, fine = picture(LEVELS[QualityLevel.PLAIN]), picture(replace(LEVELS[QualityLevel.FINE], anisotropic=False))
    assert 0 < np.abs(plain - fine).mean() < 1.0


PLAIN, FINE, BEST = QualityLevel


@pytest.mark.parametrize(
    ("known", "times", "settled"),
    [
        (PLAIN, {PLAIN: 0.02}, PLAIN),  # slow, and nothing is below
        (FINE, {FINE: 0.02, PLAIN: 0.001}, PLAIN),  # quick again, but what is above was too slow
        (PLAIN, {PLAIN: 0.001, FINE: 0.002, BEST: 0.002}, BEST),
        (PLAIN, {PLAIN: 0.001, FINE: 0.002, BEST: 0.05}, FINE),
        (FINE, {FINE: 0.006}, FINE),
    ],
)
def test_it_settles_for_the_best_that_is_in_time(
    known: QualityLevel, times: dict[QualityLevel, float], settled: QualityLevel
) -> None:
    pace = Pace(None, known)
    for _ in range(6 * (FIRST + COUNT)):
        if pace.took is not None:
            break
        assert pace._level is not None
        # What is drawn first takes long for other reasons.
        pace.note(5.0 if pace._left else times[pace._level])
    assert pace._level is settled
    assert pace.took == pytest.approx(times[settled])
    kept = MeasuredQuality("a card", settled, times[settled])
    assert MeasuredQuality.read(kept.to_entry()) == kept
    assert settled.name.lower() in measured(kept.to_entry())


@pytest.mark.parametrize("entry", [{}, {"renderer": "a card", "level": "worst", "seconds": 0.1}])
def test_a_level_that_does_not_exist_is_no_measurement(entry: dict[str, Any]) -> None:
    assert measured(entry) == ""
