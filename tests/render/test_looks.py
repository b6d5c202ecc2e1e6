"""Both looks in closed form: colour, gloss, metal, what is around, and the rules of the fixed-function pipeline."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.render.physical import BARE, FILL, display, light, matte
from tumble.render.camera import Camera, default_camera, fix
from tumble.render.frame import Frame
from tumble.render.gpu.quality import LEVELS, Quality, QualityLevel
from tumble.render.options import RenderOptions
from tumble.render.renderer import Renderer

DARK = '<visual><headlight active="0"/></visual>'
ABOVE = '<camera pos="0 0 5" projection="orthographic" fovy="1"/>'
SIZE = 60, 60
EXPOSURE = 2.0


def picture(
    buffer: Any, model: Any, data: Any, quality: Quality, options: RenderOptions, camera: Camera, size: tuple[int, int]
) -> np.ndarray:
    """(height, width, 3); no error of OpenGL comes of it."""
    target = buffer(*size)
    renderer = Renderer(target.ctx, model, quality=replace(quality, simplify=False, anisotropic=False))
    renderer.render(target, Frame.from_data(data), camera, options, *size)
    pixels = np.frombuffer(target.read(components=3, alignment=1), np.uint8).reshape(size[1], size[0], 3)[::-1].astype(float)
    assert target.ctx.error == "GL_NO_ERROR"
    renderer.release()
    return pixels


def plate(load: Any, snap: Any, material: str, more: str = "") -> np.ndarray:
    """The middle of a box seen straight from above."""
    model, data = load(
        f"""{DARK}<asset><material name="m" rgba=".6 .4 .2 1" {material}/></asset>
        <worldbody>{more}{ABOVE}<geom type="box" size=".4 .4 .1" material="m"/></worldbody>"""
    )
    return snap(model, data, fix(default_camera(model), 0), BARE, size=SIZE)[30, 30].astype(float)


LAMP = '<light type="directional" dir="{} 0 -1" diffuse=".5 .5 .5" specular=".3 .3 .3" castshadow="false"/>'


def test_a_matte_place_is_its_colour_times_what_falls_on_it(load: Any, snap: Any) -> None:
    np.testing.assert_allclose(plate(load, snap, 'specular="0"'), matte((0.6, 0.4, 0.2), 0.0, 1.0), atol=3)
    lit = plate(load, snap, 'specular="0"', LAMP.format(1))
    fill = light(matte((0.6, 0.4, 0.2), 0.0, 1.0) / 255.0)
    np.testing.assert_allclose(lit, display(fill + EXPOSURE * np.sqrt(0.5) * light(0.5) * light((0.6, 0.4, 0.2))), atol=3)
    shining = plate(load, snap, 'specular="0" emission="0.5"')
    np.testing.assert_allclose(shining, display(fill + light(0.5) * light((0.6, 0.4, 0.2))), atol=3)


@pytest.mark.parametrize(("told", "roughness"), [('shininess="0.5"', (2 / 66) ** 0.25), ('shininess="0.1" roughness="0.3"', 0.3)])
def test_a_highlight_is_as_high_as_its_roughness_makes_it(load: Any, snap: Any, told: str, roughness: float) -> None:
    """At its middle the lobe of GGX is one over alpha squared; the visibility's approximation is 1 / (4 alpha + 2)."""
    alpha = roughness**2
    shining, dull = (LAMP.format(0).replace(".3 .3 .3", f"{s} {s} {s}").replace(".5 .5 .5", ".4 .4 .4") for s in (0.2, 0.0))
    actual = light(plate(load, snap, told, shining) / 255.0) - light(plate(load, snap, told, dull) / 255.0)
    peak = 1.0 / (alpha**2 * (4.0 * alpha + 2.0))
    np.testing.assert_allclose(actual, EXPOSURE * light(0.2) * 0.04 * peak, rtol=0.15)


def test_metal_has_no_colour_but_that_of_what_it_mirrors(load: Any, snap: Any) -> None:
    """A lamp beside it does not light it; it shows its surroundings times its own colour."""
    model, data = load(
        f"""{DARK}<asset><texture name="t" type="skybox" builtin="flat" rgb1=".9 .9 .9" rgb2=".9 .9 .9" width="8" height="8"/>
        <material name="m" rgba=".6 .4 .2 1" metallic="1" roughness="0.1"/></asset>
        <worldbody>{LAMP.format(1)}{ABOVE}<geom type="box" size=".4 .4 .1" material="m"/></worldbody>"""
    )
    options = replace(BARE, skybox=True)
    metal = snap(model, data, fix(default_camera(model), 0), options, size=SIZE)[30, 30].astype(float)
    np.testing.assert_allclose(metal, display(light((0.6, 0.4, 0.2)) * light(0.9)), atol=4)


def test_mirrors_show_the_sky_where_the_level_has_it(buffer: Any, load: Any) -> None:
    """A ball of chrome under a sky that is red on the right and blue on the left."""
    model, data = load(
        f"""{DARK}<asset><texture name="t" type="skybox" builtin="flat" width="16" height="16"/>
        <material name="m" rgba="1 1 1 1" metallic="1" roughness="0.1"/></asset>
        <worldbody><geom size=".5" material="m"/></worldbody>"""
    )
    faces = model.tex_data.reshape(6, -1, 3)
    faces[:] = 40
    faces[0], faces[1] = (230, 30, 30), (30, 30, 230)
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=3.0, azimuth=90.0, elevation=0.0)
    options = RenderOptions(default_light=False, haze=False)
    fine = picture(buffer, model, data, LEVELS[QualityLevel.FINE], options, camera, (120, 120))
    right, left = fine[60, 78], fine[60, 42]
    assert right[0] > 2 * right[2]
    assert left[2] > 2 * left[0]
    plain = picture(buffer, model, data, LEVELS[QualityLevel.PLAIN], options, camera, (120, 120))
    assert abs(plain[60, 78] - plain[60, 42]).max() < 10


def test_what_is_too_bright_rolls_off_without_another_hue(load: Any, snap: Any) -> None:
    lamps = (LAMP.format(0).replace(".5 .5 .5", f"{a} {a} {a}") for a in (0.5, 0.8, 1.0, 2.0))
    shown = [plate(load, snap, 'specular="0"', lamp) for lamp in lamps]
    assert all(np.all(after >= before) for before, after in pairwise(shown))
    for one in shown:
        assert one[0] > one[1] > one[2]
        assert one.max() < 255


CORNER = f"""{DARK}<statistic extent="2"/><worldbody><geom type="plane" size="3 3 .1" rgba=".8 .8 .8 1"/>
<geom type="box" size="1 .1 .5" pos="0 .6 .5" rgba=".8 .8 .8 1"/></worldbody>"""


@pytest.mark.parametrize("level", [QualityLevel.FINE, QualityLevel.BEST])
def test_corners_are_darker_and_open_floors_are_not(buffer: Any, load: Any, level: QualityLevel) -> None:
    """What the pass of ambient occlusion takes from light from around: much beside a wall, nothing from a floor."""
    model, data = load(CORNER)
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-50.0)
    quality = replace(LEVELS[level], samples=0)
    options = replace(BARE, haze=False)
    size = (160, 120)
    both = quality, replace(quality, occlusion=0.0)
    with_it, without = (picture(buffer, model, data, one, options, camera, size) for one in both)
    share = light(with_it[:, :, 1] / 255.0) / light(without[:, :, 1] / 255.0)
    assert np.median(share[90:115, 20:140]) > 0.97
    assert share.max() < 1.03
    wall = int(np.argmax(np.abs(np.diff(without[20:80, 80, 1])))) + 20
    assert share[wall - 8 : wall + 9, 80].min() < 0.75


def test_shadows_are_as_soft_as_the_gap_and_the_bulb_make_them(buffer: Any, load: Any) -> None:
    """A lamp four metres up: the penumbra of an edge is as wide as the bulb, times the gap over the way to the lamp."""
    xml = """<visual><headlight active="0"/><quality shadowsize="4096"/></visual><worldbody>
    <camera pos="{x} 0 5" projection="orthographic" fovy="1"/>
    <light pos="-1 0 4" dir="0 0 -1" cutoff="80" exponent="0" diffuse=".7 .7 .7" specular="0 0 0" bulbradius="{r}"/>
    <geom type="plane" size="3 3 .1" rgba=".8 .8 .8 1"/>
    <body pos="0 0 {h}"><geom type="box" size=".6 .6 .005" pos="-.6 0 0" rgba=".8 .8 .8 1"/></body></worldbody>"""

    def width(height: float, radius: float) -> float:
        """From a tenth to nine tenths of the light [m], along x, where no plate hides the floor."""
        edge = height / (4.0 - height)
        model, data = load(xml.format(x=edge + 0.2, r=radius, h=height))
        pixels = picture(
            buffer, model, data, replace(LEVELS[QualityLevel.BEST], samples=0, occlusion=0.0),
            RenderOptions(default_light=False, haze=False, skybox=False, reflection=False),
            fix(default_camera(model), 0), (200, 200),
        )  # fmt: skip
        row = light(pixels[80:120, :, 1].mean(axis=0) / 255.0)
        row = row[edge + 0.2 - 0.5 + (np.arange(200) + 0.5) / 200 > 0.01]
        share = (row - row.min()) / (row.max() - row.min())
        return float(np.count_nonzero((share > 0.1) & (share < 0.9)) / 200.0)

    low, high, small = width(0.2, 0.2), width(1.6, 0.2), width(1.6, 0.02)
    # The light of half a disc grows from a tenth to nine tenths over 0.69 of its width.
    assert high == pytest.approx(0.69 * 2 * 0.2 * 1.6 / 2.4, rel=0.25)
    assert low < 0.3 * high
    assert small < 0.3 * high


def test_levels_differ_in_detail_and_not_in_brightness(buffer: Any, load: Any) -> None:
    model, data = load(
        """<worldbody><light type="directional" dir=".3 .3 -1"/><geom type="plane" size="0 0 1" rgba=".5 .5 .5 1"/>
        <body pos="0 0 .5"><freejoint/><geom type="box" size=".2 .3 .4" rgba=".8 .3 .2 1"/></body></worldbody>"""
    )
    camera, options = default_camera(model), RenderOptions()
    seen = [picture(buffer, model, data, LEVELS[level], options, camera, (160, 120)) for level in QualityLevel]
    for one, other in ((0, 1), (1, 2)):
        assert 0.0 < np.abs(seen[one] - seen[other]).mean() < 3.0
        assert abs(seen[one].mean() - seen[other].mean()) < 1.5
    assert FILL.min() > 0  # even without a lamp, form shows


# ---- the classic look


RGBA = np.array([0.8, 0.6, 0.4])
DOWNWARDS = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-89.999)
CLASSIC = RenderOptions(classic=True, skybox=False)


def colour(load: Any, snap: Any, light: str, material: str, texture: str, camera: Camera) -> np.ndarray:
    """Of the middle of a box whose upper side lies in z = 0."""
    head = light if light.startswith("<visual>") else '<visual><headlight active="0"/></visual>'
    own = "" if light.startswith("<visual>") else light
    model, data = load(
        f"""{head}<asset>{texture}<material name="m" rgba=".8 .6 .4 1" specular="0" {material}/></asset>
        <worldbody>{own}<geom type="box" size="1 1 1" pos="0 0 -1" material="m"/></worldbody>"""
    )
    return snap(model, data, camera, CLASSIC, size=(61, 61))[30, 30] / 255.0


def headlight(ambient: float, diffuse: float, specular: float) -> str:
    of = {"ambient": ambient, "diffuse": diffuse, "specular": specular}
    return "<visual><headlight {}/></visual>".format(" ".join(f'{name}="{x} {x} {x}"' for name, x in of.items()))


ASLANT = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-30.0)
GREY = '<texture name="t" type="2d" builtin="flat" rgb1=".5 .5 .5" width="8" height="8"/>'
BULB = '<light pos="1 0 2" dir="0 0 -1" cutoff="{}" exponent="6" attenuation="1 .5 .25" diffuse="1 1 1" ambient="0 0 0"/>'
SHADE = """<light type="directional" dir="0 1 -1" diffuse=".5 .5 .5" ambient=".2 .2 .2"/>
<light type="directional" dir="0 0 -1" diffuse=".3 .3 .3" ambient=".1 .1 .1" castshadow="false"/>
<geom type="box" size=".3 .3 .01" pos="0 -1 1"/>"""
AWAY = math.sqrt(5.0)  # from the bulb to the middle of the box
FADING = (2.0 / AWAY) ** 7 / (1.0 + 0.5 * AWAY + 0.25 * AWAY**2)
CLASSIC_LIGHT = {
    "ambient, diffuse and emitted light add up": (headlight(0.2, 0.5, 0.0), 'emission=".1"', "", DOWNWARDS, 0.8 * RGBA),
    "Lambert's law": (headlight(0.0, 0.9, 0.0), "", "", ASLANT, 0.45 * RGBA),
    "a texture without a highlight": (headlight(0.5, 0.5, 0.5), 'texture="t"', GREY, DOWNWARDS, 0.5 * RGBA),
    "clamped before the texture": (headlight(1.0, 1.0, 0.0), 'texture="t"', GREY, DOWNWARDS, np.array([0.5, 0.5, 0.4])),
    "a lamp fades with angle and distance": (BULB.format(40), "", "", DOWNWARDS, FADING * RGBA),
    "a lamp's cone ends": (BULB.format(25), "", "", DOWNWARDS, 0.0 * RGBA),
    "no light": ("", "", "", DOWNWARDS, 0.3 * RGBA),
    "a shadow lacks diffuse and ambient light": (SHADE, "", "", DOWNWARDS, 0.4 * RGBA),
}


@pytest.mark.parametrize("name", CLASSIC_LIGHT)
def test_classic_light_in_closed_form(load: Any, snap: Any, name: str) -> None:
    *scene, expected = CLASSIC_LIGHT[name]
    assert colour(load, snap, *scene) == pytest.approx(expected, abs=0.003)


def test_a_mirror_adds_its_picture(load: Any, snap: Any) -> None:
    model, data = load(
        f"""{headlight(1.0, 0.0, 0.0)}<asset><material name="m" rgba=".5 .4 .3 1" specular="0" reflectance=".5"/></asset>
        <worldbody><geom type="plane" size="3 3 1" material="m"/>
        <geom type="box" size="2 .1 2" pos="0 2 2" rgba=".2 .4 .8 1"/></worldbody>"""
    )
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-30.0)
    actual = snap(model, data, camera, CLASSIC, size=(61, 61))[30, 30] / 255.0
    assert actual == pytest.approx(np.array([0.5, 0.4, 0.3]) + 0.5 * np.array([0.2, 0.4, 0.8]), abs=0.006)
