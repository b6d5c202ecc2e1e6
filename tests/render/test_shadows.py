"""Shadows fall where rays say, of every light that casts them, however far from each other bodies are."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tumble.render.camera import Camera, view_of
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions

SIZE = 320, 240
DARK = '<visual><headlight ambient="0 0 0" diffuse=".3 .3 .3" specular="0 0 0"/></visual>'
FLOOR = '<geom type="plane" size="0 0 1" rgba=".7 .7 .7 1"/>'
SUN = '<light type="directional" dir="0 .5 -1"/>'
SUNS = """<light type="directional" dir="1 0 -1" diffuse=".4 .4 .4" specular="0 0 0"/>
<light type="directional" dir="-1 0 -1" diffuse=".4 .4 .4" specular="0 0 0"/>"""
LAMPS = """<light type="spot" pos="-2 0 3" dir="2 0 -2" cutoff="60" exponent="0" diffuse=".4 .4 .4" specular="0 0 0"/>
<light type="spot" pos="0 -2 3" dir="0 2 -2" cutoff="60" exponent="0" diffuse=".4 .4 .4" specular="0 0 0"/>"""
PLAIN = RenderOptions(default_light=False, haze=False, skybox=False, reflection=False)


def brightness(picture: np.ndarray, points: Sequence[Any], model: Any, data: Any, camera: Camera) -> list[float]:
    """Of the pixels where the points are, floor included."""
    height, width = picture.shape[:2]
    seen = view_of(camera, model, Frame.from_data(data), width / height).project(np.array(points, float), width, height)
    assert np.all((seen[:, :2] > 2) & (seen[:, :2] < (width - 2, height - 2)))
    return [float(picture[int(y) - 1 : int(y) + 2, int(x) - 1 : int(x) + 2].mean()) for x, y, _ in seen]


@pytest.mark.parametrize("classic", [False, True])
@pytest.mark.parametrize(("lights", "shades"), [(SUNS, [(1, 0, 0), (-1, 0, 0)]), (LAMPS, [(1, 0, 0), (0, 1, 0)])])
def test_every_light_casts_its_shadow(load: Any, snap: Any, lights: str, shades: list[Any], classic: bool) -> None:
    """A ball a metre above the floor, in two lights: its shadow lies where a ray from each ends."""
    model, data = load(f'{DARK}<worldbody>{lights}{FLOOR}<body pos="0 0 1"><freejoint/><geom size=".2"/></body></worldbody>')
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=6.0, azimuth=60.0, elevation=-60.0)
    options = RenderOptions(default_light=False, haze=False, skybox=False, classic=classic)
    one, two, none = brightness(snap(model, data, camera, options, size=SIZE), [*shades, (-1, -1, 0)], model, data, camera)
    assert one < 0.85 * none
    assert two < 0.85 * none
    options.shadow = False
    one, two, none = brightness(snap(model, data, camera, options, size=SIZE), [*shades, (-1, -1, 0)], model, data, camera)
    assert min(one, two) > 0.85 * none


@pytest.mark.parametrize("light", [SUN, '<light pos="50 0 60" dir="0 0 -1" cutoff="80" exponent="0"/>'])
def test_shadows_of_distant_balls_fall_where_rays_say(load: Any, snap: Any, light: str) -> None:
    """Two balls, 100 m from each other: each shadow is seen by a camera near it."""
    balls = '<body pos="{} 0 .5"><freejoint/><geom size=".2"/></body>'
    model, data = load(f"{DARK}<worldbody>{light}{FLOOR}{balls.format(0)}{balls.format(100)}</worldbody>")
    for x in (0.0, 100.0):
        camera = Camera(lookat=(x, 0.0, 0.2), distance=3.0, azimuth=0.0, elevation=-60.0)
        ball = np.array([x, 0.0, 0.5])
        ray = model.light_dir[0] if model.light_type[0] == 1 else ball - data.light_xpos[0]
        shade = ball - ball[2] / ray[2] * np.asarray(ray, float)
        points = [shade, shade + np.array([0.0, -0.9, 0.0])]
        dark, lit = brightness(snap(model, data, camera, PLAIN, size=SIZE), points, model, data, camera)
        assert dark < 0.85 * lit


def test_near_and_far_shadows_in_one_picture_are_both_sharp(load: Any, snap: Any) -> None:
    """Along a row of balls over 60 m each shadow has its place and leaves the floor beside it lit."""
    places = [0.0, 2.0, 6.0, 20.0, 60.0]
    balls = "".join(f'<body pos="{0.4 * x} {x} .3"><freejoint/><geom size="{0.15 + 0.01 * x}"/></body>' for x in places)
    sun = '<light type="directional" dir="0.6 0 -.6"/>'
    model, data = load(f"{DARK}<worldbody>{sun}{FLOOR}{balls}</worldbody>")
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=68.0, elevation=-20.0)
    picture = snap(model, data, camera, PLAIN, size=(640, 480))
    for x in places[:4]:
        shade = (0.4 * x + 0.3, x, 0.0)
        dark, lit = brightness(picture, [shade, (shade[0] + 0.5 + 0.02 * x, x, 0.0)], model, data, camera)
        assert dark < 0.8 * lit, x


def test_a_shadow_has_the_outline_of_what_casts_it(load: Any, snap: Any) -> None:
    """From straight above, a box's shadow covers the pixels that the closed form says, within a pixel at each edge."""
    model, data = load(
        f"""{DARK}<worldbody><light type="directional" dir="1 0 -1"/>{FLOOR}
        <body pos="-1 0 1"><freejoint/><geom type="box" size=".3 .4 .01" rgba="1 1 1 1"/></body></worldbody>"""
    )
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=6.0, azimuth=90.0, elevation=-89.9)
    picture = snap(model, data, camera, PLAIN, size=SIZE).astype(float).mean(axis=2)
    dark = picture < 0.75 * np.median(picture)
    dark[:, :130] = False  # there is the box itself, whose sides are in the shade
    view = view_of(camera, model, Frame.from_data(data), SIZE[0] / SIZE[1])
    corners = view.project(np.array([(-0.3, -0.4, 0.0), (0.3, 0.4, 0.0)]), *SIZE)[:, :2]
    (x0, y1), (x1, y0) = corners
    ys, xs = np.nonzero(dark)
    assert xs.min() == pytest.approx(x0, abs=2.0)
    assert xs.max() + 1 == pytest.approx(x1, abs=2.0)
    assert ys.min() == pytest.approx(y0, abs=2.0)
    assert ys.max() + 1 == pytest.approx(y1, abs=2.0)
    assert dark.sum() == pytest.approx((x1 - x0) * (y1 - y0), rel=0.06)


def test_a_lamp_in_the_middle_of_its_body_is_drawn(load: Any, snap: Any) -> None:
    """The floor may lie in the body's shadow, but nothing is divided by a distance of zero."""
    model, data = load(
        f"""{DARK}<worldbody>{FLOOR}<body pos="0 0 1"><freejoint/><geom size=".2"/>
        <light pos="0 0 0" dir="0 0 -1" cutoff="60" exponent="0"/></body></worldbody>"""
    )
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-45.0)
    assert snap(model, data, camera, PLAIN, size=SIZE).max() > 20
