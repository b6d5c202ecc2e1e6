"""The classic look: colours by the rules of the fixed-function pipeline, as closed forms."""

import math
from typing import Any

import numpy as np
import pytest

from tumble.render.camera import Camera
from tumble.render.options import RenderOptions

RGBA = np.array([0.8, 0.6, 0.4])
ABOVE = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-89.999)
CLASSIC = RenderOptions(classic=True, skybox=False)


def colour(load: Any, snap: Any, light: str, material: str = "", texture: str = "", camera: Camera = ABOVE) -> np.ndarray:
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


def test_ambient_diffuse_and_emitted_light_add_up(load: Any, snap: Any) -> None:
    assert colour(load, snap, headlight(0.2, 0.5, 0.0), 'emission=".1"') == pytest.approx(0.8 * RGBA, abs=0.003)


def test_diffuse_light_follows_lamberts_law(load: Any, snap: Any) -> None:
    aslant = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-30.0)
    assert colour(load, snap, headlight(0.0, 0.9, 0.0), camera=aslant) == pytest.approx(0.45 * RGBA, abs=0.004)


def test_colours_end_at_one_before_the_texture_and_highlights_are_under_it(load: Any, snap: Any) -> None:
    grey = '<texture name="t" type="2d" builtin="flat" rgb1=".5 .5 .5" width="8" height="8"/>'
    found = colour(load, snap, headlight(0.5, 0.5, 0.5), 'texture="t" specular="1"'.replace('specular="1"', ""), grey)
    assert found == pytest.approx(0.5 * RGBA, abs=0.003)
    assert colour(load, snap, headlight(1.0, 1.0, 0.0), 'texture="t"', grey) == pytest.approx([0.5, 0.5, 0.4], abs=0.003)


def test_a_lamp_fades_with_its_angle_and_its_distance(load: Any, snap: Any) -> None:
    lamp = '<light pos="1 0 2" dir="0 0 -1" cutoff="40" exponent="6" attenuation="1 .5 .25" diffuse="1 1 1" ambient="0 0 0"/>'
    cosine, distance = 2.0 / math.sqrt(5.0), math.sqrt(5.0)
    fading = cosine**6 / (1.0 + 0.5 * distance + 0.25 * distance**2)
    assert colour(load, snap, lamp.replace("/>", ' castshadow="false"/>')) == pytest.approx(cosine * fading * RGBA, abs=0.004)
    assert colour(load, snap, lamp.replace('cutoff="40"', 'cutoff="25"')) == pytest.approx([0.0, 0.0, 0.0], abs=0.003)


def test_without_lights_three_tenths_are_seen(load: Any, snap: Any) -> None:
    assert colour(load, snap, "") == pytest.approx(0.3 * RGBA, abs=0.003)


def test_in_its_shadow_a_light_gives_nothing_ambient_light_neither(load: Any, snap: Any) -> None:
    lights = """<light type="directional" dir="0 1 -1" diffuse=".5 .5 .5" ambient=".2 .2 .2"/>
    <light type="directional" dir="0 0 -1" diffuse=".3 .3 .3" ambient=".1 .1 .1" castshadow="false"/>
    <geom type="box" size=".3 .3 .01" pos="0 -1 1"/>"""
    assert colour(load, snap, lights) == pytest.approx(0.4 * RGBA, abs=0.004)


def test_a_mirror_adds_its_picture(load: Any, snap: Any) -> None:
    model, data = load(
        f"""{headlight(1.0, 0.0, 0.0)}<asset><material name="m" rgba=".5 .4 .3 1" specular="0" reflectance=".5"/></asset>
        <worldbody><geom type="plane" size="3 3 1" material="m"/>
        <geom type="box" size="2 .1 2" pos="0 2 2" rgba=".2 .4 .8 1"/></worldbody>"""
    )
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-30.0)
    found = snap(model, data, camera, CLASSIC, size=(61, 61))[30, 30] / 255.0
    assert found == pytest.approx(np.array([0.5, 0.4, 0.3]) + 0.5 * np.array([0.2, 0.4, 0.8]), abs=0.006)
